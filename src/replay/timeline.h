// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/moment.h"
#include "replay/value.h"
#include "text/source.h"

// What a replay gives to the rules: the points of the program at which something was done that a
// rule may care about, in the order of running, each with what had happened before it.

namespace vramlint::replay {

/// A stretch of one of the files of the timeline.
struct Place {
  uint32_t file = 0;
  text::Span span;

  auto operator<=>(const Place&) const = default;
};

/// Something done at a place of the program, and how the program got there.
struct Event {
  Place place;
  std::vector<Place> calls;  ///< the calls of project functions that led there, outermost first
};

using EventId = uint32_t;

/// Whether a moment has been reached, and what brought it about.
struct MomentState {
  Certainty certainty = Certainty::no;
  EventId event = 0;
};

using MomentStates = std::array<MomentState, knowledge::moment_count>;

/// A value as far as the replay knows it.
struct KnownValue {
  enum class Kind : uint8_t { unknown, none, boolean, integer, real, text, device, other };
  Kind kind = Kind::unknown;
  std::string_view text;  ///< of a text; the dotted name of something external
  int64_t integer = 0;
  double real = 0;
  std::optional<Place> literal;  ///< where the text stands, when it is a single literal
  bool plain = false;            ///< … whose bytes between the quotes are the text
};

struct ObservedArgument {
  std::string_view keyword;  ///< empty for a positional one
  KnownValue value;
};

enum class ObservationKind : uint8_t {
  variable_write,  ///< of this process's environment
  variable_removal,
  child_variable_write,  ///< into a mapping that is a child's environment, or looks like one
  call,                  ///< of something that the caller of the replay asked for by name
  child_started,         ///< a process that starts afresh with the present environment
  child_forked,          ///< a process that inherits all moments
};

/// How a variable was written, for messages and fixes.
enum class WriteForm : uint8_t { subscript, set_default, update, putenv, merge, literal, other };

struct Observation {
  ObservationKind kind{};
  EventId event = 0;
  std::string_view name;  ///< variable, or dotted name of the call
  KnownValue value;       ///< written
  WriteForm form{};
  MomentStates moments;              ///< before it
  Certainty before = Certainty::no;  ///< whether the variable had a value already …
  KnownValue value_before;           ///< … and which
  /// For each moment: the value that the variable had when it was reached.
  std::array<KnownValue, knowledge::moment_count> in_force;
  std::vector<ObservedArgument> arguments;  ///< of a call
  uint32_t process =
      0;  ///< 0: the entry itself; else a child, or a run of a function that nobody calls
  bool at_import = false;   ///< in the body of a module …
  bool in_package = false;  ///< … that is a package's `__init__`
  bool guarded = false;     ///< in a `try` that catches RuntimeError
  bool uncalled = false;    ///< in a function that nobody in sight calls
};

struct Timeline {
  std::vector<std::shared_ptr<const text::Source>> files;
  std::vector<Event> events;
  std::vector<Observation> observations;
  bool complete = true;  ///< false when the budget ran out before the program's end
};

}  // namespace vramlint::replay
