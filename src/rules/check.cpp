// SPDX-License-Identifier: MIT
#include "rules/check.h"

#include <algorithm>

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

const replay::KnownValue* argument_of(const replay::Observation& call, std::string_view name,
                                      int position) {
  int at = 0;
  for (const replay::ObservedArgument& argument : call.arguments) {
    const bool is_wanted = argument.keyword.empty() ? at++ == position : argument.keyword == name;
    if (is_wanted) return &argument.value;
  }
  return nullptr;
}

bool CheckContext::is_about(std::string_view name) const {
  return std::any_of(page.variables.begin(), page.variables.end(),
                     [&](std::string_view pattern) { return matches(pattern, name); });
}

diagnostics::Severity CheckContext::severity() const {
  if (page.severity == "error") return diagnostics::Severity::error;
  return page.severity == "warning" ? diagnostics::Severity::warning : diagnostics::Severity::note;
}

diagnostics::Severity CheckContext::severity_of(const replay::Observation& seen,
                                                replay::Certainty certainty) const {
  if (certainty == replay::Certainty::yes && !seen.uncalled) return severity();
  return std::min(severity(), diagnostics::Severity::warning);
}

std::string_view CheckContext::text(replay::Place place) const {
  return timeline.files[place.file]->slice(place.span);
}

bool CheckContext::reaches_child(size_t observation) const {
  const std::vector<replay::Observation>& all = timeline.observations;
  for (size_t i = observation + 1; i < all.size(); ++i) {
    const bool starts = all[i].kind == replay::ObservationKind::child_started;
    if (starts && all[i].process == all[observation].process) return true;
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
                                   const knowledge::Target& target) {
  std::vector<RawFinding> findings;
  for (const knowledge::RulePage& page : knowledge.pages()) {
    for (const CheckEntry& check : all_checks()) {
      if (check.name != page.check) continue;
      CheckContext context(page, timeline, knowledge, target, findings);
      check.run(context);
    }
  }
  return findings;
}

std::vector<std::string_view> observed_calls(const knowledge::Knowledge& knowledge) {
  std::vector<std::string_view> calls;
  for (const knowledge::RulePage& page : knowledge.pages()) {
    for (const std::string_view name : page.variables) {
      if (name.find('.') != std::string_view::npos) calls.push_back(name);
    }
  }
  for (const knowledge::VariableRow& row : knowledge.variables()) {
    if (!row.same_as_call.empty()) calls.push_back(row.same_as_call);
  }
  return calls;
}

std::vector<std::string_view> telling_words(const knowledge::Knowledge& knowledge) {
  std::vector<std::string_view> words;
  const auto add = [&](std::string_view name) {
    if (name.ends_with('*')) name.remove_suffix(1);
    name.remove_prefix(name.rfind('.') + 1);
    if (!name.empty()) words.push_back(name);
  };
  for (const knowledge::VariableRow& row : knowledge.variables()) add(row.name);
  for (const knowledge::RulePage& page : knowledge.pages()) {
    for (const std::string_view name : page.variables) add(name);
  }
  return words;
}

}  // namespace vramlint::rules
