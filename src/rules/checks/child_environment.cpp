// SPDX-License-Identifier: MIT
//
// A process started with an environment of its own that lacks what this program has set for it.
#include <algorithm>

#include "rules/check.h"
#include "rules/source_edits.h"

namespace vramlint::rules {
namespace {

using replay::KnownValue;
using replay::Observation;
using replay::ObservationKind;

/// `sys.executable`, `python3`, `train.py`.
bool names_python(const KnownValue& word) {
  if (word.kind == KnownValue::Kind::other) return word.text == "sys.executable";
  if (word.kind != KnownValue::Kind::text) return false;
  const std::string_view program = word.text.substr(0, word.text.find(' '));
  return program.substr(program.rfind('/') + 1).starts_with("python") || program.ends_with(".py") ||
         program.ends_with("torchrun");
}

const Observation* write_before(const CheckContext& context, size_t index) {
  const std::vector<Observation>& all = context.timeline.observations;
  for (size_t i = index; i-- > 0;) {
    if (all[i].kind == ObservationKind::variable_write && all[i].name == all[index].name)
      return &all[i];
  }
  return nullptr;
}

/// `env={…}` becomes `env={**os.environ, …}`.
std::optional<RawFix> with_own_environment(const CheckContext& context, replay::Place place,
                                           std::string_view environment) {
  const std::string_view text = context.text(place);
  const std::optional<WrittenCall> call = read_call(text);
  const WrittenArgument* given = call && !call->unpacks ? call->argument("env", -1) : nullptr;
  if (given == nullptr || text[given->value.begin] != '{' || environment.empty())
    return std::nullopt;
  const size_t begin = given->value.begin + 1;
  const size_t first = text.find_first_not_of(" \t\r\n", begin);
  const bool is_empty = text[first] == '}';
  const size_t line_end = text.substr(0, first).rfind('\n');
  const bool is_below = line_end != std::string_view::npos && line_end >= begin;
  std::string added = "**" + std::string(environment);
  if (is_empty && is_below) return std::nullopt;
  // One entry a line stays so.
  if (is_below) added += ",\n" + std::string(text.substr(line_end + 1, first - line_end - 1));
  if (!is_below && !is_empty) added += ", ";
  return fix_of(Applicability::unsafe, "add what this program has", part_of(place, {first, first}),
                std::move(added));
}

/// `os.environ` as the write calls it.
std::string_view environment_in(std::string_view write) {
  const size_t end = write.find('[');
  return end == std::string_view::npos ? std::string_view() : write.substr(0, end);
}

}  // namespace

void check_child_environment(CheckContext& context) {
  const std::vector<Observation>& all = context.timeline.observations;
  for (size_t i = 0; i < all.size(); ++i) {
    const Observation& seen = all[i];
    if (seen.kind != ObservationKind::child_variable_left_out || seen.in_test) continue;
    if (!context.is_about(seen.name) || !std::ranges::any_of(seen.arguments, [](const auto& word) {
          return names_python(word.value);
        })) {
      continue;
    }
    const Observation* write = write_before(context, i);
    if (write == nullptr || write->conditional) continue;
    RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                            {{"variable", std::string(seen.name)}});
    finding.related.push_back({context.event(write->event).place, "set here"});
    context.explain_calls(finding, seen.event);
    if (write->form == replay::WriteForm::subscript &&
        context.event(write->event).place.file == context.event(seen.event).place.file) {
      finding.fix =
          with_own_environment(context, context.event(seen.event).place,
                               environment_in(context.text(context.event(write->event).place)));
    }
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
