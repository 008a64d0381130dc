// SPDX-License-Identifier: MIT
#include "prefilter/words.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "support/assert.h"

namespace vramlint::prefilter {

namespace {

uint32_t tail_of(std::string_view word) {
  uint32_t tail = 0;
  while (tail < word.size() && !is_word_byte(word[word.size() - 1 - tail])) ++tail;
  return tail < word.size() ? tail : 0;
}

}  // namespace

bool is_word_byte(char byte) {
  return byte == '_' || (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z');
}

/// How the tests of the stems have answered so far.
struct WordSet::Asking {
  Marks refused;
  int questions = 0;
  Answers known;
};

WordSet::WordSet(const Wanted& wanted)
    : words_(Marks::most), stems_(wanted.stems.begin(), wanted.stems.end()) {
  VRAMLINT_ASSERT(wanted.words.size() + wanted.stems.size() <= Marks::most);
  std::vector<std::pair<std::string_view, size_t>> texts;
  for (size_t i = 0; i < wanted.words.size(); ++i) {
    std::string_view text = wanted.words[i];
    Word& word = words_[i];
    word.open_begin = text.starts_with('*');
    if (word.open_begin) text.remove_prefix(1);
    word.open_end = text.ends_with('*');
    if (word.open_end) text.remove_suffix(1);
    word.open_begin |= text.empty() || !is_word_byte(text.front());
    word.open_end |= text.empty() || !is_word_byte(text.back());
    texts.emplace_back(text, i);
  }
  for (size_t i = 0; i < wanted.stems.size(); ++i) {
    texts.emplace_back(wanted.stems[i].text, Marks::stem(i));
    stem_marks_.set(Marks::stem(i));
  }
  for (const auto& [text, number] : texts) {
    words_[number].size = static_cast<uint32_t>(text.size());
    words_[number].tail = tail_of(text);
    for (const char byte : text) {
      uint8_t& known = class_of_[static_cast<unsigned char>(byte)];
      if (known == 0) known = static_cast<uint8_t>(class_count_++);
    }
  }
  class_bits_ = static_cast<uint32_t>(std::bit_width(class_count_ - 1));
  size_t states = 1;
  for (const auto& [text, number] : texts) states += text.size();
  next_.assign(states << class_bits_, 0);  // words with the same beginning leave some unused
  ending_.reserve(states);
  ending_.emplace_back();
  std::vector<Step> steps;
  steps.reserve(states);
  for (const auto& [text, number] : texts) add(text, number, steps);
  complete(std::move(steps));
}

void WordSet::add(std::string_view word, size_t number, std::vector<Step>& steps) {
  if (word.empty()) return;
  uint32_t state = 0;
  for (const char byte : word) {
    const uint8_t on = class_of_[static_cast<unsigned char>(byte)];
    const uint32_t at = row_of(state) + on;
    if (next_[at] == 0) {
      VRAMLINT_ASSERT(ending_.size() < UINT16_MAX);
      next_[at] = static_cast<uint16_t>(ending_.size());
      steps.push_back({state, on, next_[at]});
      ending_.emplace_back();
    }
    state = next_[at];
  }
  ending_[state].push_back(static_cast<uint16_t>(number));
}

/// Breadth first: a state's fallback is complete before its children need it. A row is that of the
/// fallback but for the few children that the state has itself.
void WordSet::complete(std::vector<Step> steps) {
  std::ranges::sort(steps, {}, &Step::from);
  std::vector<uint32_t> fallback(ending_.size(), 0);
  std::vector<uint32_t> queue = {0};
  for (size_t i = 0; i < queue.size(); ++i) {
    const uint32_t state = queue[i];
    const uint32_t shorter = fallback[state];
    if (state != 0) {
      ending_[state].insert(ending_[state].end(), ending_[shorter].begin(), ending_[shorter].end());
      std::copy_n(next_.begin() + row_of(shorter), class_count_, next_.begin() + row_of(state));
    }
    auto step = std::ranges::lower_bound(steps, state, {}, &Step::from);
    for (; step != steps.end() && step->from == state; ++step) {
      uint16_t& next = next_[row_of(state) + step->on];
      fallback[step->to] = state == 0 ? 0 : next;
      next = step->to;
      queue.push_back(step->to);
    }
  }
  for (const std::vector<uint16_t>& words : ending_) ends_.push_back(words.empty() ? 0 : 1);
}

bool WordSet::tells(size_t stem, std::string_view bytes, size_t begin, size_t end,
                    Asking& asking) const {
  const size_t number = Marks::stem(stem);
  if (asking.refused.test(number)) return false;
  if (asking.questions++ >= most_questions) return true;
  const bool tells = stems_[stem].tells(bytes, begin, end, asking.known);
  if (!tells && stems_[stem].asked_once) asking.refused.set(number);
  return tells;
}

bool WordSet::stands(size_t number, std::string_view bytes, size_t end, Asking& asking) const {
  const Word& word = words_[number];
  const size_t begin = end - word.size;
  const size_t place = Marks::stem(number);  // turns a number back as well
  if (place < stems_.size()) return tells(place, bytes, begin, end, asking);
  if (!word.open_begin && begin > 0 && is_word_byte(bytes[begin - 1])) return false;
  return word.open_end || end == bytes.size() || !is_word_byte(bytes[end]);
}

Marks WordSet::find_in(std::string_view bytes) const {
  std::vector<Occurrence> none;
  return find_all(bytes, {}, none);
}

Marks WordSet::find_all(std::string_view bytes, const Marks& listed, std::vector<Occurrence>& into,
                        const Marks& asked, std::vector<Occurrence>* unasked) const {
  const Marks put_off = stem_marks_.without(asked);
  Marks found;
  Asking asking;
  uint32_t state = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    state = next_[row_of(state) + class_of_[static_cast<unsigned char>(bytes[i])]];
    if (ends_[state] == 0) continue;
    const auto end = static_cast<uint32_t>(i + 1);
    for (const uint16_t number : ending_[state]) {
      if (put_off.test(number)) {
        // One more than are asked, so that it is seen that there were more.
        if (unasked != nullptr && unasked->size() <= most_unasked)
          unasked->push_back({end, number});
        continue;
      }
      const bool lists = listed.test(number);
      if (found.test(number) && !lists) continue;
      if (!stands(number, bytes, end, asking)) continue;
      found.set(number);
      if (lists) into.push_back({end - words_[number].tail, number});
    }
  }
  // Words with tails of their own length may have changed places.
  std::ranges::stable_sort(into, {}, &Occurrence::end);
  return found;
}

Marks WordSet::ask(std::string_view bytes, const std::vector<Occurrence>& unasked,
                   const Marks& asked) const {
  // Further ones may not have been noted.
  if (unasked.size() > most_unasked) return asked;
  Marks found;
  Asking asking;
  for (const Occurrence& each : unasked) {
    if (!asked.test(each.word) || found.test(each.word)) continue;
    if (tells(Marks::stem(each.word), bytes, each.end - words_[each.word].size, each.end, asking))
      found.set(each.word);
  }
  return found;
}

}  // namespace vramlint::prefilter
