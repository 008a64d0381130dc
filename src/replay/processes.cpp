// SPDX-License-Identifier: MIT
//
// A forked child inherits what has happened; one that is started afresh has only the environment,
// imports the main module again, and then runs its target.
#include "replay/interpreter.h"

namespace vramlint::replay {

void Interpreter::observe_child(Start start, Place site) {
  if (stopped()) return;
  const bool forked = start == Start::fork;
  timeline_.observations.push_back(observation_at(
      forked ? ObservationKind::child_forked : ObservationKind::child_started, site));
}

Interpreter::Start Interpreter::start_method_in_force() {
  const Value method = get(process_state_, intern("start method"));
  if (method.is(Kind::string)) return text_of(method.id) == "fork" ? Start::fork : Start::spawn;
  return options_.forks_by_default ? Start::fork : Start::spawn;
}

void Interpreter::run_child(Start start, Value target, const Arguments& arguments, Place site) {
  observe_child(start, site);
  if (stopped() || frames_.size() > 24) return;
  const Store::Mark mark = store_.mark();
  std::vector<Region> outside = std::exchange(regions_, {});
  const Moments parent = moments_;
  const uint32_t process = next_process_++;
  if (start == Start::fork) {
    moments_.process = process;
    call(target, arguments, site);
  } else {
    moments_ = fresh_moments(process);
    run_fresh_child(target, arguments, site);
  }
  moments_ = parent;
  abrupt_ = {};
  regions_ = std::move(outside);
  store_.undo_to(mark);
}

void Interpreter::run_fresh_child(Value target, const Arguments& arguments, Place site) {
  frontends::LoadedProgram* entry = project_.load(entry_);
  set(process_state_, intern("default device"), {});
  set(process_state_, intern("start method"), {});
  const ObjectId scope = run_entry(*entry, false);
  abrupt_ = {};
  Value own = target;
  if (target.is(Kind::function)) {
    // The child has its own copy of the function, with the globals of its own module.
    const Value again = get(scope, object_of(target).name);
    const bool same = again.is(Kind::function) && object_of(again).file == object_of(target).file;
    if (same) own = again;
  }
  call(own, arguments, site);
}

}  // namespace vramlint::replay
