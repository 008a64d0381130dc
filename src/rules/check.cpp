// SPDX-License-Identifier: MIT
#include "rules/check.h"

#include <algorithm>
#include <iterator>

#include "knowledge/names.h"
#include "settings/releases.h"

namespace vramlint::rules {
namespace {

std::string filled(std::string_view pattern, const Words& words) {
  std::string made;
  while (!pattern.empty()) {
    const size_t open = pattern.find('{');
    made += pattern.substr(0, open);
    if (open == std::string_view::npos) break;
    const size_t close = pattern.find('}', open);
    if (close == std::string_view::npos) {
      made += pattern.substr(open);
      break;
    }
    const std::string_view name = pattern.substr(open + 1, close - open - 1);
    const auto word = std::find_if(words.begin(), words.end(),
                                   [&](const auto& entry) { return entry.first == name; });
    if (word != words.end()) {
      made += word->second;
    } else {
      made += pattern.substr(open, close - open + 1);
    }
    pattern.remove_prefix(close + 1);
  }
  return made;
}

bool matches(std::string_view pattern, std::string_view name) {
  if (!pattern.ends_with('*')) return pattern == name;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

}  // namespace

const replay::ObservedArgument* given_argument(const replay::Observation& call,
                                               std::string_view name, int position) {
  int at = 0;
  for (const replay::ObservedArgument& argument : call.arguments) {
    const bool is_wanted = argument.keyword.empty() ? at++ == position : argument.keyword == name;
    if (is_wanted) return &argument;
  }
  return nullptr;
}

const replay::KnownValue* argument_of(const replay::Observation& call, std::string_view name,
                                      int position) {
  const replay::ObservedArgument* given = given_argument(call, name, position);
  return given == nullptr ? nullptr : &given->value;
}

bool CheckContext::is_about(std::string_view name) const {
  return std::any_of(page.variables.begin(), page.variables.end(),
                     [&](std::string_view pattern) { return matches(pattern, name); });
}

diagnostics::Severity severity_named(std::string_view name) {
  if (name == "error") return diagnostics::Severity::error;
  return name == "warning" ? diagnostics::Severity::warning : diagnostics::Severity::note;
}

diagnostics::Severity CheckContext::severity() const { return severity_named(page.severity); }

diagnostics::Severity CheckContext::severity_of(const replay::Observation& seen,
                                                replay::Certainty certainty) const {
  if (certainty == replay::Certainty::yes && !seen.uncalled) return severity();
  return std::min(severity(), diagnostics::Severity::warning);
}

diagnostics::Severity severity_of(knowledge::ProblemSeverity severity) {
  switch (severity) {
    case knowledge::ProblemSeverity::note: return diagnostics::Severity::note;
    case knowledge::ProblemSeverity::warning: return diagnostics::Severity::warning;
    case knowledge::ProblemSeverity::error: return diagnostics::Severity::error;
  }
  return diagnostics::Severity::note;
}

bool CheckContext::comes_too_late(const replay::Observation& write) const {
  const knowledge::VariableRow* row = knowledge.variable(write.name);
  return row != nullptr && row->late != knowledge::LateWrite::harmless &&
         write.moments[static_cast<size_t>(row->read_at)].certainty == replay::Certainty::yes;
}

Releases CheckContext::releases_in(std::span<const knowledge::Version> chosen) const {
  Releases made;
  made.none = chosen.empty();
  made.all = chosen.size() == target.torch.size();
  made.text = settings::releases_text(chosen, target.torch);
  return made;
}

Releases CheckContext::releases_in(knowledge::VersionRange range) const {
  std::vector<knowledge::Version> chosen;
  std::ranges::copy_if(target.torch, std::back_inserter(chosen),
                       [&](knowledge::Version release) { return range.contains(release); });
  return releases_in(chosen);
}

std::string_view CheckContext::text(replay::Place place) const {
  return timeline.files[place.file]->slice(place.span);
}

namespace {

bool reads(const replay::Observation& child, std::string_view variable) {
  return std::ranges::none_of(child.unread, [variable](std::string_view name) {
    return name == variable || name == model::withholds_all;
  });
}

/// Whether nothing is left of the write after this.
bool takes_away(const replay::Observation& seen, const replay::Observation& write) {
  using replay::ObservationKind;
  if (seen.name != write.name || seen.conditional) return false;
  if (seen.kind == ObservationKind::variable_removal) return true;
  const bool is_same = seen.value.kind == replay::KnownValue::Kind::text &&
                       write.value.kind == seen.value.kind && write.value.text == seen.value.text;
  return seen.kind == ObservationKind::variable_write && !is_same &&
         seen.form != replay::WriteForm::set_default;
}

}  // namespace

bool CheckContext::reaches_child(const replay::Observation& write) const {
  const std::vector<replay::Observation>& all = timeline.observations;
  const auto first = static_cast<size_t>(&write - all.data()) + 1;
  for (size_t i = first; i < all.size(); ++i) {
    if (all[i].process != write.process) continue;
    if (takes_away(all[i], write)) return false;
    if (all[i].kind == replay::ObservationKind::child_started && reads(all[i], write.name))
      return true;
  }
  return false;
}

void CheckContext::explain_event(RawFinding& finding, const replay::MomentState& state,
                                 knowledge::Moment moment) const {
  if (state.event == 0) return;
  const replay::Event& early = event(state.event);
  std::string phrase(knowledge.moment(moment).phrase);
  phrase += state.certainty == replay::Certainty::yes ? " here" : " here on some path";
  finding.related.push_back({early.place, std::move(phrase)});
  for (size_t i = early.calls.size(); i-- > 0;)
    finding.related.push_back({early.calls[i], "called from here"});
}

void CheckContext::explain_calls(RawFinding& finding, replay::EventId id) const {
  const replay::Event& own = event(id);
  for (size_t i = own.calls.size(); i-- > 0;) {
    const bool shown =
        std::any_of(finding.related.begin(), finding.related.end(),
                    [&](const RelatedPlace& related) { return related.place == own.calls[i]; });
    if (!shown) finding.related.push_back({own.calls[i], "reached from here"});
  }
}

RawFinding CheckContext::finding_at(replay::Place place, diagnostics::Severity severity,
                                    const Words& words) const {
  RawFinding made;
  made.page = &page;
  made.severity = severity;
  made.place = place;
  made.message = filled(page.message, words);
  made.help = filled(page.help, words);
  return made;
}

std::vector<RawFinding> run_checks(const replay::Timeline& timeline,
                                   const knowledge::Knowledge& knowledge,
                                   const knowledge::Target& target, const Interest& interest) {
  std::vector<RawFinding> findings;
  const auto pages = knowledge.pages();
  for (size_t i = 0; i < pages.size(); ++i) {
    const knowledge::RulePage& page = pages[i];
    if (!interest.in(i, severity_named(page.severity))) continue;
    for (const CheckEntry& check : all_checks()) {
      if (check.name != page.check) continue;
      CheckContext context(page, timeline, knowledge, target, findings);
      check.run(context);
    }
  }
  return findings;
}

namespace {

bool has_dot(std::string_view name) { return name.find('.') != std::string_view::npos; }

}  // namespace

std::vector<std::string_view> observed_calls(const knowledge::Knowledge& knowledge) {
  std::vector<std::string_view> calls;
  const auto add = [&](std::span<const std::string_view> names) {
    std::ranges::copy_if(names, std::back_inserter(calls), has_dot);
  };
  for (const knowledge::RulePage& page : knowledge.pages()) add(page.variables);
  for (const knowledge::ArgumentFaultRow& row : knowledge.argument_faults()) {
    add(row.calls);
    add(row.beside);
    add(row.unless_called);
  }
  for (const knowledge::ConfigurationFileRow& row : knowledge.configuration_files()) add(row.calls);
  for (const knowledge::SettingConflictRow& row : knowledge.setting_conflicts()) add(row.calls);
  for (const knowledge::VariableValueRow& row : knowledge.variable_values()) add(row.unless_called);
  for (const knowledge::VariableRow& row : knowledge.variables()) {
    if (!row.same_as_call.empty()) calls.push_back(row.same_as_call);
  }
  return calls;
}

bool is_observed_name(std::string_view dotted) {
  const size_t dot = dotted.rfind('.');
  if (dot == std::string_view::npos) return false;
  if (knowledge::replaced_name(dotted) != nullptr) return true;
  const knowledge::NameStatus status =
      knowledge::name_status(dotted.substr(0, dot), dotted.substr(dot + 1), {});
  return status.presence != knowledge::NamePresence::open &&
         status.presence != knowledge::NamePresence::all;
}

}  // namespace vramlint::rules
