// SPDX-License-Identifier: MIT
#pragma once

// Mutates an input by lines and words as well as by bytes: most bytes that change make Python that
// no longer parses, and little is learnt from that. Included by one source of a fuzzer.

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace vramlint::fuzz {

class LineMutator {
 public:
  LineMutator(std::string text, unsigned seed) : random_(seed) {
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
      lines_.push_back(text.substr(0, end));
      text.erase(0, end);
    }
  }

  std::string mutated() {
    for (unsigned changes = 1 + below(3); changes > 0 && !lines_.empty(); --changes) change();
    std::string text;
    for (const std::string& line : lines_) text += line;
    return text;
  }

 private:
  size_t below(size_t end) { return random_() % end; }
  std::string& any_line() { return lines_[below(lines_.size())]; }

  void change() {
    const auto place = lines_.begin() + static_cast<std::ptrdiff_t>(below(lines_.size()));
    switch (below(7)) {
      case 0: lines_.erase(place); break;
      case 1: lines_.insert(place, std::string(any_line())); break;
      case 2: std::swap(*place, any_line()); break;
      case 3: place->insert(0, "    "); break;
      case 4:
        if (place->starts_with("    ")) place->erase(0, 4);
        break;
      default: replace_word(*place, word_of(any_line())); break;
    }
  }

  static bool is_of_word(char byte) {
    return byte == '_' || std::isalnum(static_cast<unsigned char>(byte)) != 0;
  }

  /// Begin and end of one of the words of a line; both 0 where there is none.
  std::pair<size_t, size_t> any_word(const std::string& line) {
    std::vector<std::pair<size_t, size_t>> words;
    for (size_t i = 0; i < line.size(); ++i) {
      if (!is_of_word(line[i])) continue;
      const size_t begin = i;
      while (i < line.size() && is_of_word(line[i])) ++i;
      words.emplace_back(begin, i);
    }
    return words.empty() ? std::pair<size_t, size_t>() : words[below(words.size())];
  }

  std::string word_of(const std::string& line) {
    const auto [begin, end] = any_word(line);
    return line.substr(begin, end - begin);
  }

  void replace_word(std::string& line, const std::string& word) {
    const auto [begin, end] = any_word(line);
    line.replace(begin, end - begin, word);
  }

  std::minstd_rand random_;
  std::vector<std::string> lines_;
};

}  // namespace vramlint::fuzz

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  if (seed % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::string text(reinterpret_cast<const char*>(data), size);
  text = vramlint::fuzz::LineMutator(std::move(text), seed / 4).mutated();
  const size_t kept = std::min(text.size(), max_size);
  std::memcpy(data, text.data(), kept);
  return kept;
}
