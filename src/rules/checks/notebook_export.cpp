// SPDX-License-Identifier: MIT
//
// `!export NAME=VALUE`: each `!` line has a shell of its own, which ends with the line.
#include "rules/check.h"
#include "rules/source_edits.h"
#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

struct Assignment {
  std::string_view name;
  std::string_view value;
};

std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(" \t"));
  text.remove_prefix(word.size());
  return word;
}

/// The assignments of a command that does nothing else; none for any other command.
std::vector<Assignment> only_assignments(std::string_view command) {
  std::string_view rest = command;
  std::string_view word = take_word(rest);
  if (word == "export" || word == "set") word = take_word(rest);
  std::vector<Assignment> made;
  for (; !word.empty() && !word.starts_with('#'); word = take_word(rest)) {
    const size_t equals = word.find('=');
    if (equals == std::string_view::npos || !is_identifier(word.substr(0, equals))) return {};
    made.push_back({word.substr(0, equals), word.substr(equals + 1)});
    // What follows has the variables: `!export A=1; python train.py`.
    if (word.find_first_of(";&|`(") != std::string_view::npos) return {};
  }
  return made;
}

/// The value as the shell would have it; empty when a shell is needed to know.
std::string_view without_quotes(std::string_view value) {
  const bool quoted = value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
                      value.back() == value.front();
  if (quoted) value = value.substr(1, value.size() - 2);
  return value.find_first_of("\"'$\\{") == std::string_view::npos ? value : std::string_view();
}

}  // namespace

void check_notebook_export(CheckContext& context) {
  for (const replay::Observation& seen : context.timeline.observations) {
    if (!is_call(seen, "IPython.system")) continue;
    const replay::KnownValue* command = argument_of(seen, {}, 0);
    const replay::Place place = context.event(seen.event).place;
    if (command == nullptr || !context.text(place).starts_with('!')) continue;
    const std::vector<Assignment> made = only_assignments(command->text);
    std::string names;
    for (const Assignment& assignment : made) {
      if (context.knowledge.variable(assignment.name) == nullptr) continue;
      names += (names.empty() ? "`" : ", `") + std::string(assignment.name) + "`";
    }
    if (names.empty()) continue;
    RawFinding finding = context.finding_at(place, context.severity(), {{"variables", names}});
    const std::string_view value = without_quotes(made.front().value);
    if (made.size() == 1 && !value.empty() && own_lines(context, place)) {
      finding.fix = fix_of(Applicability::safe, "write `%env`", place,
                           "%env " + std::string(made.front().name) + "=" + std::string(value));
    }
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
