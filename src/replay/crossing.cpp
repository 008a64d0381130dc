// SPDX-License-Identifier: MIT
//
// A tensor crosses as a handle to its memory, and an autograd graph doesn't cross at all. Whether
// something can be sent depends on where it is, what it was computed from, and who made it.
#include "replay/crossing.h"

#include <algorithm>
#include <array>

#include "replay/interpreter.h"

namespace vramlint::replay {
namespace {

constexpr int max_nesting = 4;

/// What a container of Python's holds; nothing when that is not known.
std::vector<Value> contents_of(Interpreter& python, Value value) {
  std::vector<Value> items;
  if (value.is(Kind::list) || value.is(Kind::tuple)) {
    if (!python.items_of(value, items)) items.clear();
  } else if (value.is(Kind::dict)) {
    for (const uint32_t name : python.object_of(value).slot_names)
      items.push_back(python.get(value.id, name));
  }
  return items;
}

/// The value, or one of those that it holds.
bool any_inside(Interpreter& python, Value value, const std::function<bool(Value)>& test,
                int depth = 0) {
  if (depth > max_nesting || !python.spend()) return false;
  return test(value) || std::ranges::any_of(contents_of(python, value), [&](Value item) {
           return any_inside(python, item, test, depth + 1);
         });
}

/// A tensor that was computed from something that takes gradients.
bool has_certain_graph(const Interpreter& python, Value value) {
  const bool may_be_tensor = value.is(Kind::tensor) || value.is(Kind::unknown);
  return may_be_tensor && value.certainty == Certainty::yes && value.has_graph() &&
         python.graphs_.is_certain(value.graph);
}

void observe_graph(Interpreter& python, Value value, Place site) {
  const auto has_graph = [&](Value part) { return has_certain_graph(python, part); };
  if (python.stopped() || !any_inside(python, value, has_graph)) return;
  python.timeline_.observations.push_back(python.observation_at(ObservationKind::graph_sent, site));
}

/// What this process got from another one goes on as it is.
void observe_passed_on(Interpreter& python, Value value, Place site) {
  if (python.stopped()) return;
  ObjectId queue = 0;
  const bool is_received = any_inside(python, value, [&](Value part) {
    if (part.queue() != 0) queue = part.queue();
    return part.is_received() && part.as_device() == Device::cuda;
  });
  if (!is_received && queue == 0) return;
  Observation seen = python.observation_at(ObservationKind::received_sent, site);
  if (is_received) return python.timeline_.observations.push_back(std::move(seen));
  // On some path only it may well be something else that the queue carries too.
  if (seen.conditional) return;
  Crossing& crossing = python.crossing_;
  const auto carried = crossing.carried.find(queue);
  const bool is_known = carried != crossing.carried.end() && carried->second != seen.process;
  if (is_known) python.timeline_.observations.push_back(seen);
  crossing.passed_on[queue].push_back({std::move(seen), is_known});
}

/// A CUDA tensor goes into a queue: those who took it out and sent it on could not.
void note_carried(Interpreter& python, ObjectId queue) {
  const uint32_t process = python.moments_.process;
  python.crossing_.carried.try_emplace(queue, process);
  for (Crossing::PassedOn& passed : python.crossing_.passed_on[queue]) {
    if (passed.reported || passed.seen.process == process) continue;
    passed.reported = true;
    python.timeline_.observations.push_back(passed.seen);
  }
}

}  // namespace

bool Interpreter::holds_cuda_tensor(Value value, int depth) {
  if (depth > max_nesting || !spend()) return false;
  if (value.is(Kind::tensor)) return value.as_device() == Device::cuda;
  std::vector<Value> items = contents_of(*this, value);
  if (value.is(Kind::instance)) {
    const Value device = get(value.id, intern(device_slot));
    if (device.is(Kind::device) && device.as_device() == Device::cuda) return true;
    if (object_of(value).target.is(Kind::class_)) {
      const std::vector<uint32_t> names = object_of(value).slot_names;
      for (const uint32_t name : names) items.push_back(get(value.id, name));
    }
  }
  return std::ranges::any_of(items, [&](Value item) { return holds_cuda_tensor(item, depth + 1); });
}

void Interpreter::observe_pinned(Value value, Place site) {
  if (stopped() || !holds_cuda_tensor(value)) return;
  timeline_.observations.push_back(observation_at(ObservationKind::tensor_pinned, site));
}

void send(Interpreter& python, Value value, std::string_view way, Place site) {
  observe_graph(python, value, site);
  observe_passed_on(python, value, site);
  if (python.stopped() || !python.holds_cuda_tensor(value)) return;
  Observation seen = python.observation_at(ObservationKind::tensor_sent, site);
  seen.name = way;
  if (way != "result") python.crossing_.sent = seen.event;
  python.timeline_.observations.push_back(std::move(seen));
}

void put_into(Interpreter& python, Value queue, Value value, Place site) {
  python.observe_unpicklable(value, {Start::task}, site);
  send(python, value, "queue", site);
  if (python.stopped() || !python.holds_cuda_tensor(value)) return;
  note_carried(python, queue.id);
  const auto reader = python.crossing_.readers.find(queue.id);
  if (reader == python.crossing_.readers.end()) return;
  const auto fork = python.forks_.find(reader->second);
  if (fork == python.forks_.end() || fork->second.driver.certainty == Certainty::no) return;
  Observation seen = python.observation_at(ObservationKind::tensor_in_forked_child, site);
  seen.cause = fork->second.driver;
  seen.started = fork->second.started;
  python.timeline_.observations.push_back(std::move(seen));
}

Value get_from(Interpreter& python, Value queue) {
  python.crossing_.sent.reset();
  const Value forked = python.get(python.moments_.states, Interpreter::forked_slot);
  if (forked.is(Kind::moment) && forked.certainty == Certainty::yes)
    python.crossing_.readers[queue.id] = forked.id;
  return Value::taken_from(queue.id);
}

void give_to_manager(Interpreter& python, Value value, Place site) {
  send(python, value, "manager", site);
  if (python.stopped() || !python.holds_cuda_tensor(value)) return;
  Observation seen = python.observation_at(ObservationKind::received_sent, site);
  seen.name = "manager";
  python.timeline_.observations.push_back(std::move(seen));
}

bool may_wait(std::string_view method) {
  constexpr std::array<std::string_view, 6> waiting = {"wait", "wait_for", "acquire",
                                                       "get",  "recv",     "join"};
  return std::ranges::find(waiting, method) != waiting.end();
}

void await_others(Interpreter& python) { python.crossing_.sent.reset(); }

Value received(Value sent) {
  if (sent.is(Kind::tensor)) sent.id = Value::received_mark;
  return sent;
}

void note_failure_asked(Interpreter& python) {
  for (auto& [event, fork] : python.forks_) {
    if (!fork.by_executor) continue;
    fork.guards.runtime_error = true;
    for (Observation& seen : python.timeline_.observations) {
      if (seen.started && seen.started->event == event) seen.guards.runtime_error = true;
    }
  }
}

}  // namespace vramlint::replay
