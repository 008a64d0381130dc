// SPDX-License-Identifier: MIT
// Comments for findings that somebody wants to live with. Only ends of lines get longer, so that no
// line moves and a second finding is not in the way of the first; but a magic of a notebook takes
// what stands behind it for its own, so that the comment gets a line above it.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "diagnostics/launch_comments.h"
#include "diagnostics/suppressions.h"

namespace vramlint::diagnostics {

namespace {

bool is_about_comments(const Diagnostic& finding) {
  return finding.rule == unused_rule || finding.rule == blanket_rule;
}

/// Where a line ends but for the blanks at its end; the blanks are replaced.
text::Span end_of_line(const text::Source& source, uint32_t line) {
  const std::string_view text = source.line(line);
  const std::size_t last = text.find_last_not_of(" \t\f");
  const uint32_t begin = source.line_begin(line);
  const std::size_t kept = last == std::string_view::npos ? 0 : last + 1;
  return {begin + static_cast<uint32_t>(kept), begin + static_cast<uint32_t>(text.size())};
}

/// The line's blanks in front of the comment, and a line end behind it.
std::string as_line(const text::Source& source, uint32_t line, std::string_view comment) {
  const std::string_view text = source.line(line);
  const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
  return std::string(text.substr(0, first)) + std::string(comment) + "\n";
}

/// Why no comment can stand behind what was found, and what else silences it; empty where one can.
std::string why_none_trails(text::Language language, const std::string& rule) {
  if (has_trailing_comments(language)) return {};
  if (language == text::Language::deepspeed)
    return "JSON has no comments: `per-file-ignores` in the configuration silences it";
  const std::string mark = language == text::Language::batch ? "rem" : "#";
  return "comments have lines of their own here: write `" + mark + " vramlint: ignore[" + rule +
         "]` on the line above";
}

}  // namespace

/// Whether a comment behind the line would be none: on a line for IPython, unless a shell reads it.
bool Suppressions::is_magic(uint32_t line) const {
  const auto holds = [line](const JoinedLines& cell) {
    return cell.first < line && line <= cell.last;
  };
  if (std::ranges::any_of(shells_, holds)) return false;
  const text::Span span{source_.line_begin(line), source_.line_begin(line + 1)};
  return source_.program_slice(span) != source_.slice(span);
}

/// A directive with a list of ours that speaks for the line.
const Suppressions::Directive* Suppressions::list_for(uint32_t line) const {
  const JoinedLines lines = joined_with(line);
  const auto at = std::ranges::lower_bound(on_lines_, lines.first, {}, &Directive::line);
  for (auto each = at; each != on_lines_.end() && each->line <= lines.last; ++each) {
    const std::string_view bytes = source_.slice(each->span);
    if (!each->noqa && !each->blanket && bytes.ends_with(']')) return &*each;
  }
  return nullptr;
}

AddedSuppressions Suppressions::add(const std::vector<const Diagnostic*>& findings) const {
  AddedSuppressions added;
  std::map<uint32_t, std::vector<std::string>> rules_by_line;  // each line the last of its kind
  for (const Diagnostic* finding : findings) {
    const uint32_t start = source_.line_in(finding->cell, finding->range.start.line);
    const uint32_t line = joined_with(head_of(start)).last;
    const std::string reason =
        is_about_comments(*finding)   ? "no comment silences what is about comments"
        : line > source_.line_count() ? "no line for a comment follows"
                                      : why_none_trails(source_.language(), finding->rule);
    if (!reason.empty()) {
      added.left_alone.push_back({finding, reason});
      continue;
    }
    std::vector<std::string>& rules = rules_by_line[line];
    if (std::ranges::count(rules, finding->rule) == 0) rules.push_back(finding->rule);
  }
  std::map<text::Span, std::string> words_at;
  for (auto& [line, rules] : rules_by_line) {
    std::ranges::sort(rules);
    const Directive* list = list_for(line);
    std::string text;
    for (const std::string& rule : rules) text += (text.empty() ? "" : ", ") + rule;
    if (list == nullptr) {
      text = "# vramlint: ignore[" + text + "]";
      if (is_magic(line)) {
        const uint32_t begin = source_.line_begin(line);
        words_at.emplace(text::Span{begin, begin}, as_line(source_, line, text));
      } else {
        words_at.emplace(end_of_line(source_, line), "  " + text);
      }
      continue;
    }
    const std::string_view words = source_.slice(list->list);
    const std::size_t last = words.find_last_not_of(" \t,");
    const bool is_empty = last == std::string_view::npos;
    const uint32_t begin = list->list.begin + static_cast<uint32_t>(is_empty ? 0 : last + 1);
    words_at.emplace(text::Span{begin, list->list.end}, (is_empty ? "" : ", ") + text);
  }
  for (auto& [span, text] : words_at) added.edits.push_back(one_edit("", span, text).edits.front());
  return added;
}

}  // namespace vramlint::diagnostics
