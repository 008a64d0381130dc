// SPDX-License-Identifier: MIT
//
// What goes from one process to another: arguments, results, what a queue carries.
#include "replay/interpreter.h"

namespace vramlint::replay {
namespace {

constexpr int max_nesting = 4;

}  // namespace

bool Interpreter::holds_cuda_tensor(Value value, int depth) {
  if (depth > max_nesting || !spend()) return false;
  if (value.is(Kind::tensor)) return value.as_device() == Device::cuda;
  std::vector<Value> items;
  if (value.is(Kind::list) || value.is(Kind::tuple)) {
    if (!items_of(value, items)) return false;
  } else if (value.is(Kind::dict)) {
    for (const uint32_t name : object_of(value).slot_names) items.push_back(get(value.id, name));
  } else if (value.is(Kind::instance)) {
    const Value device = get(value.id, intern(device_slot));
    if (device.is(Kind::device) && device.as_device() == Device::cuda) return true;
    if (object_of(value).target.is(Kind::class_)) {
      const std::vector<uint32_t> names = object_of(value).slot_names;
      for (const uint32_t name : names) items.push_back(get(value.id, name));
    }
  }
  for (const Value item : items) {
    if (holds_cuda_tensor(item, depth + 1)) return true;
  }
  return false;
}

void Interpreter::observe_sent(Value value, std::string_view way, Place site) {
  if (stopped() || !holds_cuda_tensor(value)) return;
  Observation seen = observation_at(ObservationKind::tensor_sent, site);
  seen.name = way;
  sent_ = seen.event;
  timeline_.observations.push_back(std::move(seen));
}

void Interpreter::observe_pinned(Value value, Place site) {
  if (stopped() || !holds_cuda_tensor(value)) return;
  timeline_.observations.push_back(observation_at(ObservationKind::tensor_pinned, site));
}

/// A wrapper that took the name of the function that it wraps is found by that name.
bool Interpreter::is_global(Value function) {
  for (const ObjectId home : {object_of(function).home, objects_[frame().scope].home}) {
    const std::vector<uint32_t> names = objects_[home].slot_names;
    charge(names.size());
    for (const uint32_t name : names) {
      if (get(home, name).same_as(function)) return true;
    }
  }
  return false;
}

/// A class that says itself what pickle keeps of its instances, or whose bases may do so.
bool Interpreter::pickles_itself(Value class_value) {
  for (const std::string_view method :
       {"__getstate__", "__reduce__", "__reduce_ex__", "__getnewargs__", "__getnewargs_ex__"}) {
    if (!find_in_class(class_value, intern(method)).is(Kind::absent)) return true;
  }
  const bool is_dataset = derives_from(class_value, "torch.utils.data.Dataset") ||
                          derives_from(class_value, "torch.utils.data.IterableDataset");
  return !is_dataset && has_unknown_base(class_value);
}

/// What pickle can't hand to a process that starts afresh, nor to a worker of a pool as its task: a
/// function that stands in no module, and what the rows list.
void Interpreter::observe_unpicklable(Value value, const Start& start, Place site, int depth) {
  const bool is_task = start.kind == Start::task;
  if (start.kind == Start::fork || stopped() || depth > max_nesting || !spend()) return;
  std::string_view what;
  if (value.is(Kind::function)) {
    const Object& function = object_of(value);
    const bool is_lambda = function.name == 0 || text_of(function.name) == "<lambda>";
    const bool is_nested =
        function.owner == 0 && function.scope != function.home && !is_global(value);
    if (is_lambda) what = "a lambda";
    if (!is_lambda && is_nested) what = "a function that is defined inside another";
  } else if (value.is(Kind::instance)) {
    const Value target = object_of(value).target;
    if (target.is(Kind::external)) {
      const knowledge::UnpicklableRow* row = knowledge_.unpicklable(text_of(target.id));
      if (row != nullptr && (is_task || !row->inherited)) what = row->what;
    }
    if (target.is(Kind::class_) && !pickles_itself(target)) {
      const std::vector<uint32_t> names = object_of(value).slot_names;
      for (const uint32_t name : names)
        observe_unpicklable(get(value.id, name), start, site, depth + 1);
    }
  } else if (value.is(Kind::bound_method)) {
    observe_unpicklable(object_of(value).receiver, start, site, depth + 1);
  } else if (value.is(Kind::list) || value.is(Kind::tuple)) {
    std::vector<Value> items;
    if (!items_of(value, items)) return;
    for (const Value item : items) observe_unpicklable(item, start, site, depth + 1);
  } else if (value.is(Kind::generator)) {
    what = "a generator";
  }
  if (what.empty() || stopped()) return;
  Observation seen = observation_at(ObservationKind::not_picklable, site);
  seen.name = what;
  if (!is_task) seen.started = {seen.event, start.by_default, start.certainty};
  timeline_.observations.push_back(std::move(seen));
}

void Interpreter::put_into_queue(Value queue, Value value, Place site) {
  observe_unpicklable(value, {Start::task}, site);
  observe_sent(value, "queue", site);
  const auto reader = queue_readers_.find(queue.id);
  if (stopped() || reader == queue_readers_.end() || !holds_cuda_tensor(value)) return;
  const auto fork = forks_.find(reader->second);
  if (fork == forks_.end() || fork->second.driver.certainty == Certainty::no) return;
  Observation seen = observation_at(ObservationKind::tensor_in_forked_child, site);
  seen.cause = fork->second.driver;
  seen.started = fork->second.started;
  timeline_.observations.push_back(std::move(seen));
}

Value Interpreter::get_from_queue(Value queue) {
  sent_.reset();
  const Value forked = get(moments_.states, forked_slot);
  if (forked.is(Kind::moment) && forked.certainty == Certainty::yes)
    queue_readers_[queue.id] = forked.id;
  return Value::unknown();
}

}  // namespace vramlint::replay
