// SPDX-License-Identifier: MIT
//
// Where the program may go one way or the other, both are run: the first is taken back to what it
// changed, the second is run from the same state, and the two are joined. A path that leaves early
// (`return`, `break`, `raise`) waits in the region that will catch it, with what changed since that
// region began, and takes part in the join there.
#include "replay/interpreter.h"

namespace vramlint::replay {
namespace {

/// A generated file can leave a function at a thousand places; beyond this they are joined early.
constexpr size_t max_paths = 24;

uint8_t bit(Completion kind) { return static_cast<uint8_t>(1u << static_cast<unsigned>(kind)); }

}  // namespace

bool Interpreter::catches(const Region& region, Completion kind) const {
  if ((region.catches & bit(kind)) == 0) return false;
  // What was raised, and the pause of a generator, pass from frame to frame.
  const bool crosses = kind == Completion::raised || kind == Completion::suspended;
  return crosses || region.owner == frame().token;
}

void Interpreter::open_region(std::initializer_list<Completion> kinds) {
  uint8_t caught = 0;
  for (const Completion kind : kinds) caught |= bit(kind);
  regions_.push_back({store_.mark(), caught, frame().token, {}, {}});
}

void Interpreter::stash(const Abrupt& abrupt) {
  for (size_t i = regions_.size(); i-- > 0;) {
    Region& region = regions_[i];
    if (!catches(region, abrupt.kind)) continue;
    if (region.paths.size() < max_paths) {
      region.paths.push_back({abrupt, store_.changes_since(region.mark)});
    }
    return;
  }
}

void Interpreter::stash_raise(std::string_view exception) {
  stash({Completion::raised, Value::external(intern(exception))});
}

void Interpreter::branch(const std::function<void()>& left, const std::function<void()>& right) {
  const Store::Mark mark = store_.mark();
  ++branches_;
  left();
  const Abrupt left_end = std::exchange(abrupt_, {});
  if (left_end.kind != Completion::normal) stash(left_end);
  std::vector<Delta> live;
  if (left_end.kind == Completion::normal) live.push_back(store_.changes_since(mark));
  store_.undo_to(mark);
  right();
  --branches_;
  const Abrupt right_end = std::exchange(abrupt_, {});
  if (right_end.kind == Completion::normal) {
    if (live.empty()) return;
    live.push_back(store_.changes_since(mark));
  } else {
    stash(right_end);
  }
  store_.undo_to(mark);
  store_.join(live);
  if (live.empty()) abrupt_ = {Completion::dead, {}};
}

std::function<void(Value)> Interpreter::for_consumer(const std::function<void(Value)>& visit) {
  return [this, consumer = frame(), &visit](Value value) {
    frames_.push_back(consumer);
    visit(value);
    const Completion end = abrupt_.kind;
    if (end == Completion::returned || end == Completion::broken || end == Completion::continued) {
      stash(abrupt_);
      abrupt_ = {Completion::dead, {}};
    }
    frames_.pop_back();
  };
}

Value Interpreter::close_region() {
  Region region = std::move(regions_.back());
  regions_.pop_back();
  const Abrupt end = std::exchange(abrupt_, {});
  const bool ends_here = end.kind == Completion::normal || catches(region, end.kind);
  if (region.paths.empty()) {
    if (!ends_here) abrupt_ = end;
    return ends_here ? end.value : Value();
  }
  if (!ends_here && end.kind != Completion::dead) stash(end);
  std::vector<Delta> live;
  Value value;
  if (ends_here) {
    live.push_back(store_.changes_since(region.mark));
    value = end.kind == Completion::normal ? Value::none() : end.value;
  }
  for (Region::Path& path : region.paths) {
    value = live.empty() ? path.abrupt.value : join_values(value, path.abrupt.value);
    live.push_back(std::move(path.delta));
  }
  store_.undo_to(region.mark);
  store_.join(live);
  return value;
}

}  // namespace vramlint::replay
