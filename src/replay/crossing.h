// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "replay/timeline.h"
#include "replay/value.h"

// What goes from one process to another: arguments, results, what a queue carries.

namespace vramlint::replay {

class Interpreter;

/// What an entry has sent so far, as far as it decides about what comes later.
struct Crossing {
  /// Something that was taken from a queue and sent on as it is.
  struct PassedOn {
    Observation seen;
    bool reported = false;
  };
  std::unordered_map<ObjectId, EventId> readers;  ///< forked children that read a queue
  std::unordered_map<ObjectId, uint32_t> carried;  ///< queue → process that put a CUDA tensor in it
  std::unordered_map<ObjectId, std::vector<PassedOn>> passed_on;  ///< by the queue it came from
  std::optional<EventId> sent;  ///< in a child: a CUDA tensor was sent, and nothing awaited since
};

/// A value goes to another process, by pickle: as an `argument` or `result`, in a `queue`, or as
/// the batch of a `loader`.
void send(Interpreter& python, Value value, std::string_view way, Place site);
void put_into(Interpreter& python, Value queue, Value value, Place site);
Value get_from(Interpreter& python, Value queue);
/// A manager keeps it in a process of its own, which sends it on to whoever asks.
void give_to_manager(Interpreter& python, Value value, Place site);
/// An argument as the process sees it that it was sent to.
Value received(Value sent);
/// A method of Python's that comes back when another process has done something.
bool may_wait(std::string_view method);
/// This process goes on when another one wants it to: until then what it has sent is there. A
/// `while` loop ends by something that nobody here knows.
void await_others(Interpreter& python);
/// Somebody asks a future how its job failed: the failure of an executor's workers ends nothing.
void note_failure_asked(Interpreter& python);

}  // namespace vramlint::replay
