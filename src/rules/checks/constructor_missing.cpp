// SPDX-License-Identifier: MIT
//
// A class whose constructor is called `init`, so that nobody calls it.
#include <algorithm>

#include "rules/check.h"
#include "rules/source_edits.h"

namespace vramlint::rules {

namespace {

size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

/// The line of a method `init` in the class that begins on a line; 0 when there is none.
uint32_t init_of(const text::Source& source, uint32_t class_line) {
  const size_t outer = indent_of(source.line(class_line));
  for (uint32_t line = class_line + 1; line <= source.line_count(); ++line) {
    const std::string_view text = source.line(line);
    const size_t indent = indent_of(text);
    if (indent == text.size()) continue;
    if (indent <= outer && text[indent] != '#' && text[indent] != ')') return 0;
    if (text.substr(indent).starts_with("def init(")) return line;
  }
  return 0;
}

/// The method of the only class of that name gets its underscores back.
std::optional<RawFix> renamed(const CheckContext& context, std::string_view class_name) {
  std::optional<RawFix> fix;
  const std::string head = "class " + std::string(class_name);
  for (uint32_t file = 0; file < context.timeline.files.size(); ++file) {
    const text::Source& source = *context.timeline.files[file];
    for (uint32_t line = 1; line <= source.line_count(); ++line) {
      const std::string_view text = source.line(line);
      const std::string_view rest = text.substr(indent_of(text));
      const bool begins = rest.starts_with(head) && rest.size() > head.size() &&
                          std::string_view(":( ").find(rest[head.size()]) != std::string_view::npos;
      const uint32_t method = begins ? init_of(source, line) : 0;
      if (method == 0) continue;
      if (fix) return std::nullopt;
      const std::string_view definition = source.line(method);
      const auto begin =
          static_cast<uint32_t>(source.line_begin(method) + definition.find("init("));
      // With more parameters the calls that make an object may have to change too.
      const bool alone = definition.find("init(self)") != std::string_view::npos;
      fix = fix_of(alone ? Applicability::safe : Applicability::unsafe, "call it `__init__`",
                   {file, {begin, begin + 4}}, "__init__");
    }
  }
  return fix;
}

}  // namespace

void check_constructor_missing(CheckContext& context) {
  for (const replay::Observation& seen : context.timeline.observations) {
    if (seen.kind != replay::ObservationKind::constructor_missing) continue;
    RawFinding finding = context.finding_at(
        context.event(seen.event).place, context.severity(),
        {{"attribute", std::string(seen.name)}, {"class", std::string(seen.value.text)}});
    context.explain_calls(finding, seen.event);
    finding.fix = renamed(context, seen.value.text);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
