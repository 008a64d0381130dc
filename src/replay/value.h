// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

#include "model/names.h"

// What the replay knows of a value. Anything it does not follow is `unknown`, and nothing is ever
// concluded from an unknown value: three-valued, never guessed.

namespace vramlint::replay {

/// Index of an object with slots: a scope, an instance, a list, the environment …
using ObjectId = uint32_t;

enum class Certainty : uint8_t { no, perhaps, yes };

enum class Kind : uint8_t {
  absent,  ///< a slot that was never written, or was deleted
  unknown,
  none,
  boolean,  ///< `id`: 1 for the answer to "is there a GPU?"
  integer,
  real,
  string,        ///< `id`: text; `payload`: where the literal stands
  any_string,    ///< some text; what is known of it: `with_ending`, and holes.h
  external,      ///< `id`: dotted name of something outside the linted project: `torch.cuda.init`
  function,      ///< `id`: object
  bound_method,  ///< `id`: object with function and receiver
  class_,        ///< `id`: object
  instance,      ///< `id`: object, of a class of the project or an external one
  module,        ///< `id`: object: the scope of a module of the project
  list,
  tuple,
  set,
  dict,
  iterator,           ///< `id`: object; what `map`, `filter`, a generator expression give
  generator,          ///< `id`: object: a call that runs when iterated
  coroutine,          ///< `id`: object: a call that runs when awaited
  tensor,             ///< `payload`: device; `id`: `received_mark` for one of another process
  device,             ///< `payload`: device; `id`: its index and 1, when that is known
  environment,        ///< `os.environ`
  environment_bytes,  ///< `os.environb`
  super,              ///< `id`: object with class and receiver
  moment,             ///< `certainty`, `id`: event; only in the slots of the moments
};

enum class Device : uint8_t { unknown, cpu, cuda, mps, other };

/// Which autograd graph a value carries: a record of `Graphs`, or one of the words below.
using GraphId = uint16_t;

struct Value {
  Kind kind = Kind::absent;
  Certainty certainty = Certainty::yes;  ///< of a moment, or of a slot that only some paths wrote
  GraphId graph = 0;                     ///< 0: none, as far as is known
  uint32_t id = 0;
  uint64_t payload = 0;

  constexpr Value() = default;
  constexpr Value(Kind kind, Certainty certainty = Certainty::yes, uint32_t id = 0,
                  uint64_t payload = 0)
      : kind(kind), certainty(certainty), id(id), payload(payload) {}

  /// Has taken the place of a value that carried a graph, and carries none.
  static constexpr GraphId cut_graph = 0xffff;
  /// Needs gradients itself: what is computed from it begins a graph.
  static constexpr GraphId leaf_graph = 0xfffe;
  /// A number that is another one in each round of a loop.
  static constexpr GraphId counting = 0xfffd;
  bool has_graph() const { return graph != 0 && graph < counting; }

  /// A tensor that this process was sent by another one, and that is still the same.
  static constexpr uint32_t received_mark = 1;
  bool is_received() const { return kind == Kind::tensor && id == received_mark; }
  /// A tensor that was made from this one.
  Value own() const {
    Value made = *this;
    if (kind == Kind::tensor) made.id = 0;
    if (queue() != 0) made.payload = 0;
    return made;
  }
  /// Something that nobody knows, from that queue: the payload has room above the slot of a moment.
  static Value taken_from(uint32_t queue) {
    return {Kind::unknown, Certainty::yes, 0, uint64_t{queue} << 33};
  }
  /// The queue that an unknown value was taken from; 0 for any other.
  uint32_t queue() const {
    return kind == Kind::unknown && !is_answer() ? static_cast<uint32_t>(payload >> 33) : 0;
  }
  /// The unknown answer to whether a moment was reached, which each path of a branch knows.
  bool is_answer() const { return kind == Kind::unknown && static_cast<uint32_t>(payload) != 0; }

  static Value unknown() { return {Kind::unknown}; }
  static Value none() { return {Kind::none}; }
  static Value boolean(bool value) { return {Kind::boolean, Certainty::yes, 0, value ? 1u : 0u}; }
  static Value integer(int64_t value) {
    return {Kind::integer, Certainty::yes, 0, static_cast<uint64_t>(value)};
  }
  static Value real(double value) {
    return {Kind::real, Certainty::yes, 0, std::bit_cast<uint64_t>(value)};
  }
  static Value string(model::NameId text, uint64_t origin = 0) {
    return {Kind::string, Certainty::yes, text, origin};
  }
  static Value external(model::NameId dotted) {
    return {Kind::external, Certainty::yes, dotted, 0};
  }
  static Value object(Kind kind, ObjectId id) { return {kind, Certainty::yes, id, 0}; }
  static Value tensor(Device device) {
    return {Kind::tensor, Certainty::yes, 0, static_cast<uint64_t>(device)};
  }
  static Value device(Device device) {
    return {Kind::device, Certainty::yes, 0, static_cast<uint64_t>(device)};
  }

  bool is(Kind wanted) const { return kind == wanted; }
  int64_t as_integer() const { return static_cast<int64_t>(payload); }
  double as_real() const { return std::bit_cast<double>(payload); }
  Device as_device() const { return static_cast<Device>(payload); }

  /// The same value; where a string literal stands plays no part.
  bool same_as(const Value& other) const {
    if (kind != other.kind) return false;
    if (kind == Kind::boolean) return payload == other.payload;
    return id == other.id && (kind == Kind::string || payload == other.payload);
  }
};

}  // namespace vramlint::replay
