// SPDX-License-Identifier: MIT
//
// Moments as they come about, and what the rules will be shown.
#include <algorithm>

#include "replay/interpreter.h"

namespace vramlint::replay {

using knowledge::Moment;

namespace {

/// An observation holds the whole state that a rule may ask for, and each rule looks at it.
constexpr size_t observation_cost = 80;

/// `test_*.py`, `*_test.py`, `conftest.py`, and whatever lies in a folder of tests.
void add_guards(Observation& seen, const Guards& guards) {
  seen.guards.runtime_error |= guards.runtime_error;
  seen.guards.attribute_error |= guards.attribute_error;
  seen.guards.silent |= guards.silent;
  seen.guards.expected |= guards.expected;
}

/// What an import is done in now comes on top of what was under way inside it.
void add_first_sight(Observation& seen, const Observation& first) {
  seen.at_import &= first.at_import;
  seen.in_package = first.in_package;
  seen.in_library = first.in_library;
  seen.in_test = first.in_test;
  seen.conditional |= first.conditional;
  seen.asked_for_gpu |= first.asked_for_gpu;
  seen.contexts.insert(seen.contexts.end(), first.contexts.begin(), first.contexts.end());
  seen.conditions.insert(seen.conditions.end(), first.conditions.begin(), first.conditions.end());
  if (!first.handling.empty()) seen.handling = first.handling;
  if (first.loop) seen.loop = first.loop;
  add_guards(seen, first.guards);
}

}  // namespace

std::vector<Place> Interpreter::calls_from(size_t first_frame) const {
  std::vector<Place> calls;
  for (size_t i = first_frame; i < frames_.size(); ++i) {
    const bool is_call = frames_[i].definition != nullptr;
    if (is_call && (calls.empty() || calls.back() != frames_[i].call_site)) {
      calls.push_back(frames_[i].call_site);
    }
  }
  return calls;
}

EventId Interpreter::event_at(Place site) {
  Event event;
  event.place = site;
  event.calls = calls_from(0);
  if (effect_ != nullptr) {
    event.calls.insert(event.calls.end(), effect_->calls.begin(), effect_->calls.end());
  }
  timeline_.events.push_back(std::move(event));
  return static_cast<EventId>(timeline_.events.size() - 1);
}

void Interpreter::bring(std::span<const Moment> moments, Certainty certainty, Place site) {
  if (certainty == Certainty::no || stopped()) return;
  knowledge::MomentSet reached;
  for (const Moment moment : moments) reached.insert(knowledge_.with_implied(moment));
  bring(reached, certainty, site);
}

void Interpreter::bring(knowledge::MomentSet reached, Certainty certainty, Place site) {
  if (!sharing_.empty() && !reached.empty()) {
    ImportEffect effect;
    effect.moments = reached;
    effect.place = site;
    note_effect(effect, certainty);
  }
  if (reached.within(knowledge_.with_implied(Moment::import_torch))) site = import_site(site);
  observe_use_in_forked_child(reached, certainty, site);
  std::optional<EventId> event;
  for (size_t i = 0; i < knowledge::moment_count; ++i) {
    const auto moment = static_cast<Moment>(i);
    if (!reached.contains(moment)) continue;
    const Value state = get(moments_.states, static_cast<uint32_t>(i) + 1);
    const Certainty before = state.is(Kind::moment) ? state.certainty : Certainty::no;
    if (before >= certainty) continue;
    if (!event) event = event_at(site);
    reach(moment, certainty, *event);
  }
}

/// The values that the environment has now are the ones that this moment reads.
void Interpreter::reach(Moment moment, Certainty certainty, EventId event) {
  const auto index = static_cast<uint32_t>(moment);
  const bool first = !get(moments_.states, index + 1).is(Kind::moment);
  Value state{Kind::moment};
  state.certainty = certainty;
  state.id = event;
  set(moments_.states, index + 1, state);
  if (!first && certainty != Certainty::yes) return;
  const std::vector<uint32_t> names = objects_[environment_].slot_names;
  charge(names.size());
  for (const uint32_t name : names) set(moments_.in_force + index, name, get(environment_, name));
}

MomentStates Interpreter::moment_states() const {
  MomentStates states;
  for (size_t i = 0; i < knowledge::moment_count; ++i) {
    const Value state = get(moments_.states, static_cast<uint32_t>(i) + 1);
    if (state.is(Kind::moment)) states[i] = {state.certainty, state.id};
  }
  return states;
}

Observation Interpreter::observation_at(ObservationKind kind, Place site) {
  charge(observation_cost);
  Observation seen;
  seen.kind = kind;
  seen.event = event_at(site);
  seen.moments = moment_states();
  seen.process = moments_.process;
  seen.uncalled = replaying_uncalled_;
  seen.at_import = std::all_of(frames_.begin(), frames_.end(),
                               [](const Frame& frame) { return frame.definition == nullptr; });
  seen.in_package = objects_[objects_[frame().scope].home].is_package;
  const bool is_program = frame().file->names_main;
  seen.in_library = !is_program && !project_.home_of(frame().file->path).package.empty();
  seen.in_test = frontends::is_test_file(frame().file->path);
  seen.after_unseen = watched_.out_of_sight.contains(moments_.process);
  const Value elsewhere = get(moments_.states, elsewhere_slot);
  if (elsewhere.is(Kind::moment)) seen.elsewhere = {elsewhere.certainty, elsewhere.id};
  set_surroundings(seen, {});
  describe_place(seen);
  if (!rounds_.empty() && rounds_.back()->frame == frame().token &&
      rounds_.back()->paths == branches_ - loop_branches_) {
    seen.each_round = rounds_.back()->statement;
  }
  return seen;
}

Surroundings Interpreter::surroundings() const {
  return {branches_,        loop_branches_,   machine_branches_, loops_.size(),
          handling_.size(), contexts_.size(), regions_.size(),   conditions_.size()};
}

/// What is under way here and was not yet so outside.
void Interpreter::set_surroundings(Observation& seen, const Surroundings& outside) const {
  seen.conditional = branches_ - outside.branches > loop_branches_ - outside.loop_branches;
  seen.asked_for_gpu = machine_branches_ > outside.machine_branches;
  seen.contexts.assign(contexts_.begin() + static_cast<std::ptrdiff_t>(outside.contexts),
                       contexts_.end());
  seen.handling = handling_.size() > outside.handlers ? handling_.back() : std::string_view();
  seen.loop.reset();
  if (loops_.size() > outside.loops) seen.loop = loops_.back();
  seen.conditions.assign(conditions_.begin() + static_cast<std::ptrdiff_t>(outside.conditions),
                         conditions_.end());
  seen.guards = {};
  for (size_t i = outside.regions; i < regions_.size(); ++i) add_guards(seen, regions_[i].guards);
  if (effect_ != nullptr && effect_->seen != nullptr) add_first_sight(seen, *effect_->seen);
}

void Interpreter::observe(Observation seen) {
  if (!sharing_.empty()) {
    ImportEffect effect;
    effect.place = timeline_.events[seen.event].place;
    note_effect(std::move(effect), Certainty::yes, &seen);
  }
  timeline_.observations.push_back(std::move(seen));
}

KnownValue Interpreter::known(Value value) const {
  KnownValue made;
  switch (value.kind) {
    case Kind::absent:
    case Kind::unknown: return made;
    case Kind::any_string:
      if (value.id == 0) return made;
      made.kind = KnownValue::Kind::ending;
      made.text = text_of(value.id);
      made.perhaps_all = (value.payload & 1) != 0;
      return made;
    case Kind::none: made.kind = KnownValue::Kind::none; return made;
    case Kind::boolean:
      made.kind = KnownValue::Kind::boolean;
      made.integer = static_cast<int64_t>(value.payload);
      return made;
    case Kind::integer:
      made.kind = KnownValue::Kind::integer;
      made.integer = value.as_integer();
      return made;
    case Kind::real:
      made.kind = KnownValue::Kind::real;
      made.real = value.as_real();
      return made;
    case Kind::string: {
      made.kind = KnownValue::Kind::text;
      made.text = text_of(value.id);
      if (value.payload == 0) return made;
      const auto file = static_cast<uint32_t>(value.payload >> 49) - 1;
      const auto begin = static_cast<uint32_t>(value.payload >> 24 & 0xffffff);
      const auto end = static_cast<uint32_t>(value.payload & 0xffffff);
      made.literal = Place{file, {begin, end}};
      made.plain = (value.payload >> 48 & 1) != 0;
      return made;
    }
    case Kind::device:
      made.kind = KnownValue::Kind::device;
      made.integer = int64_t{value.id} - 1;
      return made;
    case Kind::external:
      made.kind = KnownValue::Kind::other;
      made.text = text_of(value.id);
      return made;
    default: made.kind = KnownValue::Kind::other; return made;
  }
}

bool Interpreter::is_observed(model::NameId dotted) {
  const auto [found, fresh] = observed_.try_emplace(dotted, false);
  if (!fresh) return found->second;
  const std::string_view name = text_of(dotted);
  for (const std::string_view wanted : options_.observed_calls) {
    const bool prefix = wanted.ends_with('*');
    const bool common = wanted.ends_with("()") && wanted.substr(0, wanted.size() - 2) == name;
    if (common) found->second = true;
    if (prefix ? name.starts_with(wanted.substr(0, wanted.size() - 1)) : name == wanted)
      found->second = true;
  }
  return found->second;
}

void Interpreter::observe_call(model::NameId dotted, const Arguments& arguments, Place site,
                               Value receiver) {
  if (stopped() || !is_observed(dotted)) return;
  Observation seen = observation_at(ObservationKind::call, site);
  seen.name = text_of(dotted);
  describe_call(seen, arguments, site, receiver);
  observe(std::move(seen));
}

void Interpreter::observe_assignment(model::NameId dotted, Value value, Place place) {
  if (stopped() || !is_observed(dotted)) return;
  Observation seen = observation_at(ObservationKind::attribute_write, place);
  seen.name = text_of(dotted);
  seen.value = known(value);
  observe(std::move(seen));
}

void Interpreter::observe_name(model::NameId dotted, ObservationKind kind, Place place) {
  if (stopped() || !options_.observes_name) return;
  if (steps_ > budget_) return;
  if (kind == ObservationKind::name_read) {
    const auto [found, fresh] = observed_names_.try_emplace(dotted, false);
    if (fresh) found->second = options_.observes_name(text_of(dotted));
    if (!found->second) return;
  } else if (!text_of(dotted).starts_with("torch.")) {
    return;  // registries ask every module for `__all__`
  }
  Observation seen = observation_at(kind, place);
  seen.name = text_of(dotted);
  observe(std::move(seen));
}

}  // namespace vramlint::replay
