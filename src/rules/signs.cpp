// SPDX-License-Identifier: MIT
//
// Words of which most occurrences mean nothing: what has to stand around them, as far as bytes
// tell.
#include "rules/signs.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <string>

#include "prefilter/words.h"

namespace vramlint::rules {
namespace {

using prefilter::Answers;
using prefilter::is_word_byte;

/// What looks further than this says yes: a sign takes no longer than a few passes over the file.
constexpr int most_names = 64;

size_t line_begin(std::string_view bytes, size_t at) {
  const size_t before = at == 0 ? std::string_view::npos : bytes.rfind('\n', at - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

size_t line_end(std::string_view bytes, size_t at) {
  return std::min(bytes.find('\n', at), bytes.size());
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

/// The name or chain of attributes that ends at `end`; empty behind a bracket.
std::string_view chain_before(std::string_view bytes, size_t end) {
  size_t begin = end;
  while (begin > 0 && (is_word_byte(bytes[begin - 1]) || bytes[begin - 1] == '.')) --begin;
  const bool is_part = begin > 0 && (bytes[begin - 1] == ')' || bytes[begin - 1] == ']');
  return is_part ? std::string_view() : bytes.substr(begin, end - begin);
}

/// Whether the name stands somewhere else than where it is defined.
bool find_mention(std::string_view bytes, std::string_view name) {
  // Names begin with common letters, at each of which `find` would stop.
  const std::boyer_moore_horspool_searcher searcher(name.begin(), name.end());
  const auto find = [&](size_t from) {
    const auto found =
        std::search(bytes.begin() + static_cast<std::ptrdiff_t>(from), bytes.end(), searcher);
    return static_cast<size_t>(found - bytes.begin());
  };
  for (size_t at = find(0); at < bytes.size(); at = find(at + name.size())) {
    const size_t end = at + name.size();
    const bool stands = (at == 0 || !is_word_byte(bytes[at - 1])) &&
                        (end == bytes.size() || !is_word_byte(bytes[end]));
    if (stands && !bytes.substr(0, at).ends_with("def ")) return true;
  }
  return false;
}

/// The same, remembered: methods of many classes have the same names.
bool is_mentioned(std::string_view bytes, std::string_view name, Answers& known) {
  const auto [found, fresh] = known.try_emplace(name, false);
  if (fresh) found->second = find_mention(bytes, name);
  return found->second;
}

bool starts_loop(std::string_view line) {
  return line.starts_with("for ") || line.starts_with("while ") || line.starts_with("while(") ||
         line.starts_with("async for ");
}

/// The name of the function whose definition begins with the line; empty for anything else.
std::string_view defined_name(std::string_view line) {
  if (line.starts_with("async ")) line.remove_prefix(6);
  if (!line.starts_with("def ")) return {};
  line = trimmed(line.substr(4));
  size_t end = 0;
  while (end < line.size() && is_word_byte(line[end])) ++end;
  return line.substr(0, end);
}

/// `model.eval()` of something that is called: only then a pass is evaluated.
bool is_called(std::string_view bytes, size_t begin, size_t, Answers&) {
  const std::string_view chain = chain_before(bytes, begin);
  return chain.empty() || bytes.find(std::string(chain) + "(") != std::string_view::npos;
}

/// The line that a place stands in, and then each of those that it is indented under.
class Enclosing {
 public:
  Enclosing(std::string_view bytes, size_t at) : bytes_(bytes), begin_(line_begin(bytes, at)) {
    const std::string_view line = bytes.substr(begin_, line_end(bytes, at) - begin_);
    indent_ = std::min(line.find_first_not_of(" \t\r"), line.size());
    line_ = line.substr(indent_);
  }

  std::string_view line() const { return line_; }

  /// Goes on to the next line further out; false at the outermost.
  bool out() {
    while (begin_ > 0 && indent_ > 0) {
      const size_t before = line_begin(bytes_, begin_ - 1);
      const std::string_view line = bytes_.substr(before, begin_ - 1 - before);
      begin_ = before;
      const size_t width = line.find_first_not_of(" \t\r");
      if (width == std::string_view::npos || width >= indent_ || line[width] == '#') continue;
      // The end of a head over several lines: its beginning stands as far in.
      const bool ends_head = line[width] == ')' || line[width] == ']' || line[width] == '}';
      indent_ = width + (ends_head ? 1 : 0);
      if (ends_head) continue;
      line_ = line.substr(width);
      return true;
    }
    return false;
  }

 private:
  std::string_view bytes_;
  size_t begin_;
  size_t indent_ = 0;
  std::string_view line_;
};

/// In a loop, or in a function that the file mentions again and that may be called in one.
bool is_repeated(std::string_view bytes, size_t begin, size_t, Answers& known) {
  Enclosing around(bytes, begin);
  if (around.line().find(" for ") != std::string_view::npos) return true;
  do {
    if (starts_loop(around.line())) return true;
    const std::string_view name = defined_name(around.line());
    if (!name.empty())
      return name.starts_with("__") || name == "forward" || is_mentioned(bytes, name, known);
  } while (around.out());
  return false;
}

/// In a file whose statements call what it defines, as those of a program do.
bool is_in_program(std::string_view bytes, size_t, size_t, Answers&) {
  if (bytes.find("__main__") != std::string_view::npos) return true;
  int names = 0;
  for (size_t begin = 0; begin < bytes.size(); begin = line_end(bytes, begin) + 1) {
    if (!is_word_byte(bytes[begin])) continue;
    std::string_view line = bytes.substr(begin, line_end(bytes, begin) - begin);
    if (line.starts_with("def ") || line.starts_with("class ") || line.starts_with("async def "))
      continue;
    for (size_t open = line.find('('); open != std::string_view::npos;
         open = line.find('(', open + 1)) {
      size_t word = open;
      while (word > 0 && is_word_byte(line[word - 1])) --word;
      const std::string name(line.substr(word, open - word));
      if (++names > most_names) return true;
      const bool is_own = bytes.find("def " + name + "(") != std::string_view::npos ||
                          bytes.find("class " + name) != std::string_view::npos;
      if (!name.empty() && is_own) return true;
    }
  }
  return false;
}

/// A loop of the program itself.
bool is_outer_loop(std::string_view bytes, size_t begin, size_t, Answers&) {
  Enclosing around(bytes, begin);
  if (!starts_loop(around.line())) return false;
  while (around.out()) {
    if (!defined_name(around.line()).empty() || around.line().starts_with("class ")) return false;
  }
  return true;
}

/// A loop of a function that the file mentions again: not of a layer.
bool is_called_loop(std::string_view bytes, size_t begin, size_t, Answers& known) {
  Enclosing around(bytes, begin);
  if (!starts_loop(around.line())) return false;
  int functions = 0;
  while (around.out()) {
    const std::string_view line = around.line();
    const std::string_view name = defined_name(line);
    const bool is_layer = line.starts_with("class ") && line.find("Module") != line.npos;
    if (is_layer) return false;
    if (name.empty()) continue;
    if (++functions > most_names) return true;
    if (!name.starts_with("__") && !is_mentioned(bytes, name, known)) return false;
  }
  return functions > 0;
}

/// Right before a `del`.
bool is_before_delete(std::string_view bytes, size_t, size_t end, Answers&) {
  const size_t after = bytes.find_first_not_of("() \t\r\n;", end);
  return after != std::string_view::npos && bytes.substr(after).starts_with("del ");
}

/// `best = model.state_dict()`, when `best` is loaded somewhere.
bool is_loaded_again(std::string_view bytes, size_t begin, size_t, Answers&) {
  size_t first = line_begin(bytes, begin);
  // A dictionary over a few lines begins further up.
  for (int lines = 0; lines < 3 && first > 0; ++lines) {
    if (bytes.substr(first, begin - first).find('=') != std::string_view::npos) break;
    first = line_begin(bytes, first - 1);
  }
  std::string_view targets = bytes.substr(first, begin - first);
  targets = targets.substr(0, targets.find('='));
  while (!targets.empty()) {
    size_t end = 0;
    while (end < targets.size() && is_word_byte(targets[end])) ++end;
    const std::string name(targets.substr(0, end));
    const std::string given = "load_state_dict(" + name;
    if (end > 0 && bytes.find(given) != std::string_view::npos) return true;
    targets.remove_prefix(std::max<size_t>(end, 1));
  }
  return false;
}

/// A call on a line of its own, or behind `name =`.
bool is_alone(std::string_view bytes, size_t begin, size_t end, Answers&) {
  const std::string_view after = trimmed(bytes.substr(end, line_end(bytes, end) - end));
  if (!after.empty() && !after.starts_with('#')) return false;
  const size_t first = line_begin(bytes, begin);
  const std::string_view before = trimmed(bytes.substr(first, begin - first));
  return std::ranges::all_of(before, [](char byte) {
    return is_word_byte(byte) || byte == '.' || byte == '[' || byte == ']' || byte == '=' ||
           byte == ' ' || byte == '-';
  });
}

/// Whether it stands there, and not behind other letters.
bool stands_in(std::string_view bytes, std::string_view text) {
  for (size_t at = bytes.find(text); at != bytes.npos; at = bytes.find(text, at + 1)) {
    if (at == 0 || (!is_word_byte(bytes[at - 1]) && bytes[at - 1] != '.')) return true;
  }
  return false;
}

/// `model.requires_grad = …` of something that the file treats as a module.
bool is_of_module(std::string_view bytes, size_t begin, size_t end, Answers&) {
  if (!trimmed(bytes.substr(end, line_end(bytes, end) - end)).starts_with('=')) return false;
  const std::string_view chain = chain_before(bytes, begin);
  const std::string root(chain.substr(0, chain.find('.')));
  return !root.empty() &&
         std::ranges::any_of(
             std::initializer_list<std::string_view>{"(", ".parameters()", ".eval()", ".train()"},
             [&](std::string_view use) { return stands_in(bytes, root + std::string(use)); });
}

/// `best_model = model`: one name for another.
bool is_renamed(std::string_view bytes, size_t begin, size_t, Answers&) {
  const size_t first = line_begin(bytes, begin);
  const std::string_view line = bytes.substr(first, line_end(bytes, begin) - first);
  const size_t sign = line.find(" = ");
  if (sign == std::string_view::npos || first + sign < begin) return false;
  const std::string_view value = trimmed(line.substr(sign + 3));
  return !value.empty() && value != "None" && value != "True" && value != "False" &&
         std::ranges::all_of(
             value, [](char byte) { return is_word_byte(byte) || byte == ',' || byte == ' '; });
}

/// Parameters of which a part or an attribute makes an average: `mean[name] = 0.9 * mean[name] + …`
/// not far from there.
bool is_averaged(std::string_view bytes, size_t, size_t end, Answers&) {
  constexpr size_t far = 6000;
  const size_t last = std::min(bytes.size(), end + far);
  for (size_t at = bytes.find(" = ", end); at < last; at = bytes.find(" = ", at + 3)) {
    const size_t first = line_begin(bytes, at);
    const std::string_view target = trimmed(bytes.substr(first, at - first));
    if (target.find_first_of(".[") == std::string_view::npos) continue;
    const std::string_view rest =
        bytes.substr(at + 3, std::min<size_t>(400, bytes.size() - at - 3));
    const bool computes = rest.substr(0, rest.find("\n\n")).find_first_of("*+-") != rest.npos;
    if (computes && rest.find(target) != std::string_view::npos) return true;
  }
  return false;
}

/// In a file that names a GPU other than the first by number, or by a number that is computed.
bool has_other_device(std::string_view bytes, size_t, size_t, Answers&) {
  const auto follows = [&](std::string_view word, std::string_view none_of) {
    for (size_t at = bytes.find(word); at != std::string_view::npos;
         at = bytes.find(word, at + word.size())) {
      const size_t next = at + word.size();
      if (next < bytes.size() && none_of.find(bytes[next]) == std::string_view::npos) return true;
    }
    return false;
  };
  return follows("cuda:", "0\n") || follows(".cuda(", ")0n\n");
}

/// `next(iter(loader))`: not of what plainly is something else.
bool may_be_loader(std::string_view bytes, size_t, size_t end, Answers&) {
  const std::string_view given = bytes.substr(end, line_end(bytes, end) - end);
  return std::ranges::none_of(
      std::initializer_list<std::string_view>{"arameters()", ".values()", ".keys()", ".items()"},
      [&](std::string_view part) { return given.find(part) != given.npos; });
}

/// A function behind a dot, or at the beginning of its line, that is not called there.
bool is_uncalled(std::string_view bytes, size_t begin, size_t end, Answers&) {
  const bool is_whole = end == bytes.size() || !is_word_byte(bytes[end]);
  const bool is_member = begin > 0 && bytes[begin - 1] == '.';
  const bool stands_alone =
      trimmed(bytes.substr(line_begin(bytes, begin), begin - line_begin(bytes, begin))).empty();
  if (!is_whole || (!is_member && !stands_alone)) return false;
  const size_t next = bytes.find_first_not_of(" \t\r", end);
  return next == std::string_view::npos ||
         std::string_view("(.=[\"'").find(bytes[next]) == std::string_view::npos;
}

/// All of a line but for what the function belongs to.
bool is_stated(std::string_view bytes, size_t begin, size_t end, Answers&) {
  const size_t next = bytes.find_first_not_of(" \t\r", end);
  const bool ends = next == std::string_view::npos || bytes[next] == '\n' || bytes[next] == ';' ||
                    bytes[next] == '#';
  if (!ends || begin == 0 || bytes[begin - 1] != '.') return false;
  const size_t first = line_begin(bytes, begin);
  const std::string_view owner = trimmed(bytes.substr(first, begin - first));
  return owner.size() == chain_before(bytes, begin).size();
}

/// A number below 0 behind it in the line: `num_workers=-1`.
bool is_negative(std::string_view bytes, size_t, size_t end, Answers&) {
  const std::string_view rest = bytes.substr(end, line_end(bytes, end) - end);
  for (size_t at = rest.find('-'); at != std::string_view::npos; at = rest.find('-', at + 1)) {
    if (at + 1 < rest.size() && rest[at + 1] >= '1' && rest[at + 1] <= '9') return true;
  }
  return false;
}

/// `x.cpu()` as a statement, of an `x` that the file makes by a call of PyTorch.
bool is_dropped(std::string_view bytes, size_t begin, size_t, Answers&) {
  const size_t first = line_begin(bytes, begin);
  const std::string_view name = trimmed(bytes.substr(first, begin - first));
  const bool is_name = !name.empty() && std::ranges::all_of(name, is_word_byte);
  if (!is_name) return false;
  const std::string assigned = std::string(name) + " = ";
  for (size_t at = bytes.find(assigned); at != std::string_view::npos;
       at = bytes.find(assigned, at + assigned.size())) {
    const std::string_view value = bytes.substr(at, line_end(bytes, at) - at);
    if (value.find("torch.") != std::string_view::npos) return true;
  }
  return false;
}

struct NamedSign {
  std::string_view name;
  Sign sign;
};

constexpr NamedSign signs[] = {
    {"of-module", is_of_module},
    {"alone", is_alone},
    {"averaged", is_averaged},
    {"before-delete", is_before_delete},
    {"called", is_called},
    {"called-loop", is_called_loop},
    {"dropped", is_dropped},
    {"loaded-again", is_loaded_again},
    {"loader", may_be_loader},
    {"negative", is_negative},
    {"other-device", has_other_device},
    {"outer-loop", is_outer_loop},
    {"program", is_in_program},
    {"renamed", is_renamed},
    {"repeated", is_repeated},
    {"stated", is_stated},
    {"uncalled", is_uncalled},
};

}  // namespace

Sign sign_named(std::string_view name) {
  const auto* found = std::ranges::find(signs, name, &NamedSign::name);
  return found == std::end(signs) ? nullptr : found->sign;
}

bool is_same_everywhere(Sign sign) { return sign == is_in_program || sign == has_other_device; }

}  // namespace vramlint::rules
