// SPDX-License-Identifier: MIT
//
// A heredoc without quotes around its word has `$NAME` filled in before the program gets it. What
// comes of that nobody here knows: a stretch of code becomes a name that is not known either, and
// so does all of a string that holds one, since a string with other text in it would be a value.
// Where that can't stand for it, as in a string over several lines or for a line of its own, the
// program is not read.
#include "frontends/launch/heredoc.h"

#include <algorithm>
#include <string_view>

#include "frontends/launch/shell_words.h"

namespace vramlint::frontends {
namespace {

constexpr size_t npos = std::string_view::npos;

/// Where an expansion that begins there ends, on its own line; the same place where none begins,
/// and `npos` where it goes on.
size_t expansion_end(std::string_view line, size_t at) {
  if (line[at] == '`') {
    const size_t close = line.find('`', at + 1);
    return close == npos ? npos : close + 1;
  }
  const char next = at + 1 < line.size() ? line[at + 1] : '\0';
  if (next == '(' || next == '{') {
    const char closing = next == '(' ? ')' : '}';
    int depth = 0;
    for (size_t i = at + 1; i < line.size(); ++i) {
      if (line[i] == next) ++depth;
      if (line[i] == closing && --depth == 0) return i + 1;
    }
    return npos;
  }
  constexpr std::string_view special = "@*#?-$!0123456789";
  if (special.find(next) != npos && next != '\0') return at + 2;
  size_t end = at + 1;
  while (end < line.size() && is_name_byte(line[end])) ++end;
  return end == at + 1 ? at : end;
}

/// Goes through a Python program line by line and finds what stands for something unknown.
class FilledIn {
 public:
  /// Places count in the line. False where the line can't be read.
  bool read(std::string_view line) {
    stretches_.clear();
    size_t code = 0;  // bytes of the line that the shell leaves as they are
    for (size_t at = 0; at < line.size();) {
      const char byte = line[at];
      if (byte == '\'' || byte == '"') {
        if (line.substr(at, 3) == std::string(3, byte)) return false;
        if (!read_string(line, at)) return false;
        ++code;
      } else if (byte == '#') {
        return true;
      } else if (byte == '$' || byte == '`') {
        const size_t end = expansion_end(line, at);
        if (end == npos) return false;
        if (end > at) stretches_.emplace_back(at, end);
        at = std::max(end, at + 1);
      } else {
        if (byte != ' ' && byte != '\t' && byte != '\n') ++code;
        ++at;
      }
    }
    // A line that is nothing else may come to any statement.
    return stretches_.empty() || code > 0;
  }

  const std::vector<std::pair<size_t, size_t>>& stretches() const { return stretches_; }

 private:
  /// A string that ends on its line; all of it is unknown where some of it is filled in.
  bool read_string(std::string_view line, size_t& at) {
    const char quote = line[at];
    size_t begin = at;
    while (begin > 0 && std::string_view("rRbBfFuU").find(line[begin - 1]) != npos) --begin;
    bool is_filled = false;
    for (++at; at < line.size() && line[at] != quote;) {
      const bool expands = line[at] == '$' || line[at] == '`';
      const size_t end = expands ? expansion_end(line, at) : at;
      if (end == npos || line[at] == '\n') return false;
      is_filled = is_filled || end > at;
      at = end > at ? end : at + (line[at] == '\\' ? 2 : 1);
    }
    if (at >= line.size()) return false;
    ++at;
    if (is_filled) stretches_.emplace_back(begin, at);
    return true;
  }

  std::vector<std::pair<size_t, size_t>> stretches_;
};

}  // namespace

std::vector<text::Span> lines_in(const MappedText& text, size_t begin, size_t end) {
  std::vector<text::Span> lines;
  while (begin < end) {
    const size_t next = std::min(text.text().find('\n', begin), end - 1) + 1;
    lines.push_back(text.span(begin, next));
    if (lines.back().size() != next - begin) return {};
    begin = next;
  }
  return lines;
}

void add_program(const MappedText& text, const Heredoc& heredoc, size_t begin, size_t end,
                 model::LaunchStep& reader) {
  const bool has_program = std::ranges::any_of(
      reader.words, [](const model::LaunchWord& word) { return word.beginning() == "-c"; });
  if (has_program) return;
  const std::string_view body = text.text().substr(begin, end - begin);
  const bool expands = !heredoc.is_literal && body.find_first_of("$`") != npos;
  const bool unescapes =
      !heredoc.is_literal && (body.find("\\\\") != npos || body.find("\\\n") != npos ||
                              body.find("\\$") != npos || body.find("\\`") != npos);
  if (unescapes) return;
  std::vector<text::Span> lines;
  std::vector<text::Span> filled_in;
  FilledIn reading;
  while (begin < end) {
    const size_t next = std::min(text.text().find('\n', begin), end - 1) + 1;
    if (heredoc.strips_tabs) begin = std::min(text.text().find_first_not_of('\t', begin), next - 1);
    lines.push_back(text.span(begin, next));
    const bool is_whole = lines.back().size() == next - begin;
    if (!is_whole || (expands && !reading.read(text.text().substr(begin, next - begin)))) return;
    for (const auto& [from, to] : reading.stretches())
      filled_in.push_back(text.span(begin + from, begin + to));
    begin = next;
  }
  reader.input = std::move(lines);
  reader.filled_in = std::move(filled_in);
}

}  // namespace vramlint::frontends
