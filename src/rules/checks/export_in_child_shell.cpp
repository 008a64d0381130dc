// SPDX-License-Identifier: MIT
//
// `os.system("export NAME=value")`: the shell that does it ends at once, and takes the variable
// with it.
#include <algorithm>

#include "rules/check.h"

namespace vramlint::rules {
namespace {

using replay::KnownValue;
using replay::Observation;
using replay::ObservationKind;

bool is_name_byte(char byte) {
  return byte == '_' || (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= 'a' && byte <= 'z');
}

/// The name that the text exports, when it does nothing else.
std::string_view exported_name(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  constexpr std::string_view word = "export ";
  // A program behind it in the same shell gets the variable.
  if (!text.starts_with(word) || text.find_first_of(";&|\n") != std::string_view::npos) return {};
  text.remove_prefix(word.size());
  size_t end = 0;
  while (end < text.size() && is_name_byte(text[end])) ++end;
  return end < text.size() && text[end] == '=' ? text.substr(0, end) : std::string_view();
}

}  // namespace

void check_export_in_child_shell(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    if (seen.kind != ObservationKind::call || !context.is_about(seen.name)) continue;
    const KnownValue* command = argument_of(seen, "command", 0);
    if (command == nullptr || command->kind != KnownValue::Kind::text) continue;
    const std::string_view name = exported_name(command->text);
    if (name.empty() || context.knowledge.variable(name) == nullptr) continue;
    RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                            {{"variable", std::string(name)}});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
