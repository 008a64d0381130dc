// SPDX-License-Identifier: MIT
// Directives that silence nothing, as findings of the rule `unused-suppression`, and those that
// silence whatever there is. Only words of ours are judged: whether `# noqa: E501` is of use is for
// another tool to say.
#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "diagnostics/suppressions.h"
#include "support/nearest_name.h"

namespace vramlint::diagnostics {

namespace {

/// Codes of ours begin so.
constexpr std::string_view code_front = "VRL";

std::string quoted_list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ", ";
    text += "`" + word + "`";
  }
  return text;
}

/// What may have been meant by a word that names nothing: comments take no beginning of a code, as
/// the configuration does.
std::string advice_on(std::string_view word, std::span<const knowledge::RulePage> pages) {
  std::vector<std::string_view> names;
  bool is_beginning = false;
  for (const knowledge::RulePage& page : pages) {
    is_beginning |= word.size() > code_front.size() && page.code.starts_with(word);
    names.insert(names.end(), {page.name, page.family});
  }
  if (is_beginning) return ": write whole codes, a comment takes no beginnings";
  const std::string near = did_you_mean(word, names);
  return near.empty() ? near : ", " + near;
}

}  // namespace

bool Suppressions::names_something(std::string_view word) const {
  return knowledge_.page(word) != nullptr ||
         std::ranges::any_of(knowledge_.pages(), [word](const knowledge::RulePage& page) {
           return page.family == word;
         });
}

std::vector<Diagnostic> Suppressions::unused(const Selection& selection) const {
  const knowledge::RulePage* page = knowledge_.page(unused_rule);
  if (page == nullptr || !selection.allows(page->name, page->code, page->family)) return {};
  std::vector<Diagnostic> findings;
  for (const std::vector<Directive>* directives : {&on_file_, &on_lines_}) {
    for (const Directive& directive : *directives) {
      std::vector<std::string> unused;
      for (const Word& word : directive.words) {
        if (!word.used && word.ours && is_live(word, selection)) unused.push_back(word.text);
      }
      const bool idle = directive.blanket && !directive.noqa && !directive.used;
      if (idle || !unused.empty()) findings.push_back(report(directive, unused));
    }
  }
  return findings;
}

/// A word for a rule that this run leaves out may well be of use in another run; one for the rule
/// reported here is used after it has been judged.
bool Suppressions::is_live(const Word& word, const Selection& selection) const {
  const knowledge::RulePage* page = knowledge_.page(word.text);
  if (page != nullptr && page->name == unused_rule) return false;
  if (page != nullptr) return selection.allows(page->name, page->code, page->family);
  return std::ranges::none_of(knowledge_.pages(), [&](const knowledge::RulePage& other) {
    return other.family == word.text && !selection.allows(other.name, other.code, other.family);
  });
}

Diagnostic Suppressions::report(const Directive& directive,
                                const std::vector<std::string>& unused) const {
  Diagnostic finding = report_on(directive, *knowledge_.page(unused_rule));
  finding.severity = Severity::note;
  std::vector<std::string> unknown;
  std::ranges::copy_if(unused, std::back_inserter(unknown),
                       [this](const std::string& word) { return !names_something(word); });
  const auto is_one = [](const std::vector<std::string>& words) { return words.size() == 1; };
  if (directive.blanket) {
    finding.message = "this comment silences nothing";
  } else if (unknown.empty()) {
    finding.message =
        quoted_list(unused) + (is_one(unused) ? " silences" : " silence") + " nothing here";
  } else {
    // A slip: what was to be silenced is reported, and nobody would know why.
    finding.severity = Severity::warning;
    finding.message = quoted_list(unknown) + (is_one(unknown) ? " is" : " are") +
                      " no rule, code or family" +
                      (is_one(unknown) ? advice_on(unknown[0], knowledge_.pages()) : "");
  }
  finding.fix = removal(directive, unused);
  // What somebody meant to silence is hardly to be forgotten.
  if (!unknown.empty()) finding.fix->applicability = Applicability::unsafe;
  return finding;
}

/// What all findings about a comment have in common.
Diagnostic Suppressions::report_on(const Directive& directive,
                                   const knowledge::RulePage& page) const {
  Diagnostic finding;
  finding.rule = page.name;
  finding.code = page.code;
  finding.family = page.family;
  finding.help = page.help;
  finding.file = source_.path();
  finding.span = directive.span;
  const CellRange there = range_in(source_, directive.span);
  finding.cell = there.cell;
  finding.range = there.range;
  return finding;
}

std::vector<Diagnostic> Suppressions::blanket(const Selection& selection) const {
  const knowledge::RulePage* page = knowledge_.page(blanket_rule);
  if (page == nullptr || !selection.allows(page->name, page->code, page->family)) return {};
  std::vector<Diagnostic> findings;
  for (const std::vector<Directive>* directives : {&on_file_, &on_lines_}) {
    for (const Directive& directive : *directives) {
      // One that silences nothing is reported as such; a bare `# noqa` may be meant for others.
      if (!directive.blanket || !directive.used) continue;
      Diagnostic finding = report_on(directive, *page);
      finding.severity = Severity::warning;
      finding.message = "this comment silences every rule, not only " +
                        quoted_list(directive.silenced) + ", which it silences now";
      if (!directive.noqa) {
        std::string list;
        for (const std::string& rule : directive.silenced) {
          list += (list.empty() ? "[" : ", ") + rule;
        }
        const text::Span end{directive.span.end, directive.span.end};
        finding.fix = one_edit("Name the rules", end, list + "]");
      }
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

Fix Suppressions::one_edit(std::string title, text::Span span, std::string text) const {
  Edit edit;
  edit.file = source_.path();
  edit.span = span;
  const CellRange there = range_in(source_, span);
  edit.cell = there.cell;
  edit.range = there.range;
  edit.text = std::move(text);
  Fix fix{Applicability::safe, std::move(title), {}};
  fix.edits.push_back(std::move(edit));
  return fix;
}

Fix Suppressions::removal(const Directive& directive,
                          const std::vector<std::string>& unused) const {
  std::string kept;
  for (const Word& word : directive.words) {
    if (std::ranges::find(unused, word.text) != unused.end()) continue;
    if (!kept.empty()) kept += ", ";
    kept += word.text;
  }
  const text::Span span = kept.empty() ? removed_with(directive) : directive.list;
  return one_edit("Remove the unused suppression", span, kept);
}

/// What goes with the directive: its explanation up to the next `#`, the blanks before it, and the
/// line if nothing else stands there.
text::Span Suppressions::removed_with(const Directive& directive) const {
  const std::string_view bytes = source_.bytes();
  const text::Span comment = directive.comment;
  text::Span span = directive.span;
  const std::size_t next = bytes.find('#', span.end);
  const bool others_follow = next < comment.end;
  span.end = others_follow ? static_cast<uint32_t>(next) : comment.end;
  if (others_follow) return span;
  while (span.begin > 0 && (bytes[span.begin - 1] == ' ' || bytes[span.begin - 1] == '\t')) {
    --span.begin;
  }
  if (!directive.own_line || directive.span.begin != comment.begin) return span;
  if (span.end < bytes.size() && bytes[span.end] == '\r') ++span.end;
  if (span.end < bytes.size() && bytes[span.end] == '\n') ++span.end;
  return span;
}

}  // namespace vramlint::diagnostics
