// SPDX-License-Identifier: MIT
//
// In a shell a `#` begins a comment where a word could begin, and a quote goes on over line ends.
// YAML asks for a blank before it and has none in quotes; the others have comments on lines of
// their own only. A `#` in a text below `|` or `>` counts, since most of these are scripts.
#include "diagnostics/launch_comments.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include "syntax/yaml.h"

namespace vramlint::diagnostics {

namespace {

using text::Language;

bool begins_word(std::string_view line, std::size_t at) {
  constexpr std::string_view before = " \t;&|()";
  return at == 0 || before.find(line[at - 1]) != std::string_view::npos;
}

class Scan {
 public:
  explicit Scan(const text::Source& source) : source_(source), language_(source.language()) {}

  CommentScan run() {
    if (language_ == Language::yaml) read_scalars();
    for (line_ = 1; line_ <= source_.line_count(); ++line_) {
      const std::string_view line = source_.line(line_);
      const std::size_t at = comment_in(line);
      if (at < line.size()) add(line, at);
      const bool goes_on = quote_ != '\0' || (at >= line.size() && line.ends_with('\\'));
      if (goes_on && line_ < source_.line_count()) join();
    }
    merge_joined();
    return std::move(found_);
  }

 private:
  /// Where the comment of the line begins; its end when there is none.
  std::size_t comment_in(std::string_view line) {
    if (language_ == Language::shell || language_ == Language::powershell) return in_shell(line);
    const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
    if (language_ == Language::batch) return is_remark(line.substr(first)) ? first : line.size();
    if (language_ == Language::yaml) return in_yaml(line);
    return line.substr(first).starts_with('#') ? first : line.size();
  }

  std::size_t in_yaml(std::string_view line) {
    const auto begins = [&](std::size_t at) {
      return (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') &&
             !is_quoted(source_.line_begin(line_) + static_cast<uint32_t>(at));
    };
    std::size_t at = line.find('#');
    while (at != std::string_view::npos && !begins(at)) at = line.find('#', at + 1);
    return std::min(at, line.size());
  }

  bool is_quoted(uint32_t place) const {
    const auto after = std::ranges::upper_bound(quoted_, place, {}, &text::Span::begin);
    return after != quoted_.begin() && place < (after - 1)->end;
  }

  /// What goes on over line ends, and what stands in quotes.
  void read_scalars() {
    for (const syntax::YamlNode& node : syntax::read_yaml(source_.bytes())) {
      if (node.kind != syntax::YamlKind::scalar) continue;
      if (node.quoted) quoted_.push_back(node.span);
      const std::string_view written = source_.slice(node.span);
      const std::size_t size = written.find_last_not_of(" \t\r\n") + 1;
      const JoinedLines lines{
          source_.position_of(node.span.begin).line,
          source_.position_of(node.span.begin + static_cast<uint32_t>(size)).line};
      std::vector<JoinedLines>& list = node.block ? found_.blocks : found_.joined;
      const bool is_apart = list.empty() || !node.block || list.back().last < lines.first;
      if (lines.last > lines.first && is_apart) list.push_back(lines);
    }
  }

  std::size_t in_shell(std::string_view line) {
    for (std::size_t at = 0; at < line.size(); ++at) {
      const char byte = line[at];
      if (byte == '\\' && quote_ != '\'') {
        ++at;
      } else if (quote_ != '\0') {
        if (byte == quote_) quote_ = '\0';
      } else if (byte == '"' || byte == '\'') {
        quote_ = byte;
      } else if (byte == '#' && begins_word(line, at)) {
        return at;
      }
    }
    return line.size();
  }

  /// `rem …`, `:: …`.
  static bool is_remark(std::string_view text) {
    if (text.starts_with("::")) return true;
    constexpr std::string_view word = "rem ";
    return text.size() > word.size() &&
           std::equal(word.begin(), word.end(), text.begin(), [](char want, char got) {
             return want == std::tolower(static_cast<unsigned char>(got));
           });
  }

  void add(std::string_view line, std::size_t at) {
    const uint32_t begin = source_.line_begin(line_);
    const bool own_line = line.find_first_not_of(" \t") == at;
    found_.comments.push_back(
        {{begin + static_cast<uint32_t>(at), begin + static_cast<uint32_t>(line.size())},
         line_,
         own_line});
  }

  void join() {
    const bool extends = !found_.joined.empty() && found_.joined.back().last == line_;
    if (!extends) found_.joined.push_back({line_, line_});
    found_.joined.back().last = line_ + 1;
  }

  /// What the scalars of YAML join, and what a backslash does inside them.
  void merge_joined() {
    std::vector<JoinedLines> all = std::exchange(found_.joined, {});
    std::ranges::sort(all, {}, &JoinedLines::first);
    for (const JoinedLines& lines : all) {
      const bool overlaps = !found_.joined.empty() && lines.first <= found_.joined.back().last;
      if (!overlaps) found_.joined.push_back(lines);
      found_.joined.back().last = std::max(found_.joined.back().last, lines.last);
    }
  }

  const text::Source& source_;
  const Language language_;
  uint32_t line_ = 1;
  char quote_ = '\0';
  std::vector<text::Span> quoted_;  ///< of YAML
  CommentScan found_;
};

}  // namespace

CommentScan scan_launch_comments(const text::Source& source) { return Scan(source).run(); }

bool has_trailing_comments(Language language) {
  return text::holds_python(language) || language == Language::shell ||
         language == Language::powershell || language == Language::yaml;
}

}  // namespace vramlint::diagnostics
