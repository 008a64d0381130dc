// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/moment.h"
#include "model/launch.h"
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
  /// `ending`: a text of which only the end is known.
  enum class Kind : uint8_t { unknown, none, boolean, integer, real, text, ending, device, other };
  Kind kind = Kind::unknown;
  std::string_view text;  ///< of a text; its end; the dotted name of something external
  int64_t integer = 0;    ///< of a device: its index, -1 when none is known
  double real = 0;
  std::optional<Place> literal;  ///< where the text stands, when it is a single literal
  bool plain = false;            ///< … whose bytes between the quotes are the text
  bool perhaps_all = false;      ///< what is known of an `ending` may be all of it
};

struct ObservedArgument {
  std::string_view keyword;  ///< empty for a positional one
  KnownValue value;
  std::optional<Place> written{};  ///< where it stands in the call
  std::optional<Place> made_at{};  ///< of something external: the call that made it …
  std::string_view made_by{};  ///< … by its dotted name; `os.environ.NAME`: what a variable holds
  Device device = Device::other;  ///< of a tensor, or of a module that was moved
  int64_t product = 0;            ///< of the numbers in a list or tuple …
  int64_t largest = -1;           ///< … and the largest of them
};

/// How a call is written, and where.
struct Written {
  std::optional<ObservedArgument> receiver;  ///< of a method
  std::optional<Place> assigned_to;          ///< the result, alone or as an element of a list
  bool open_arguments = false;               ///< there may be more of them than are known
  uint32_t scope = 0;                        ///< the same in one call of a function
  std::string_view function;                 ///< around it; empty in the body of a module
  Place body;                                ///< of that function, or of the whole file
  int64_t rounds = 1;                        ///< of the loops around it, as far as they are counted
};

enum class ObservationKind : uint8_t {
  variable_write,  ///< of this process's environment
  variable_removal,
  child_variable_write,     ///< into a mapping that is a child's environment, or looks like one
  child_variable_passed,    ///< in the environment given to a child, where `value` is no text
  child_variable_left_out,  ///< written by this process, and not in the environment given to a
                            ///< child
  variable_split,           ///< the text of a variable set outside is taken apart: at `value`
  variable_asked,           ///< whether a variable is set, or to what
  variable_keyword,         ///< the name of a variable stands as a keyword in a call of `value`
  variable_not_set,         ///< what looks like a write: a name of Python's own, or a comparison
  call,                     ///< of something that the caller of the replay asked for by name
  attribute_write,        ///< of something outside the project that was asked for, by its full name
  name_read,              ///< of a module of PyTorch, by a name that the caller asked for
  constructor_missing,    ///< an attribute is not there: only a method `init` sets it
  name_asked,             ///< `hasattr`, or `getattr` with a default, about such a name
  graph_kept,             ///< a loop leaves the graph of each of its rounds behind: in `name`
  child_started,          ///< a process that starts afresh with the present environment
  child_forked,           ///< a process that inherits all moments
  forked_child_uses_gpu,  ///< though the driver was up when it was forked: `cause` says since when
  child_restarts,         ///< a child that imports the main module starts children again
  not_picklable,          ///< `name`: what a child that starts afresh can't be given
  daemon_starts,          ///< a process that may have no children starts one
  lock_of_other_context,  ///< `name`: made under `fork`, for a child that starts afresh
  name_missing,   ///< in a child that starts afresh: `name` is bound in the main program only
  tensor_sent,    ///< a CUDA tensor, to another process
  graph_sent,     ///< a tensor with an autograd graph, to another process
  received_sent,  ///< a CUDA tensor of another process, to a third one
  tensor_in_forked_child,  ///< a CUDA tensor of the parent, for a child that can't use it
  workers_open_gpu,        ///< each spawned worker of a loader makes a CUDA context of its own
  sender_ends,             ///< a process that has sent a CUDA tensor ends without waiting
  tensor_pinned,           ///< a tensor that is on a GPU
  device_named,            ///< a CUDA device in a call that uses it: its index in `value`, or -1
  batch_made,              ///< by the `collate_fn` of a loader that pins: `value` can't be pinned
  parameter_updated,       ///< in a child: a tensor or unknown parameter, in place …
  parameter_rebound,       ///< … or by a new value computed from it
  variable_unseen,         ///< in a launch file or command: set, and no program gets it; `misstep`
                           ///< says why
  program_started,         ///< in a launch file: its words are the arguments
};

/// How a variable was written, for messages and fixes.
enum class WriteForm : uint8_t { subscript, set_default, update, putenv, merge, literal, other };

/// What the handlers around a point of the program catch.
struct Guards {
  bool runtime_error = false;
  bool attribute_error = false;
  bool silent = false;    ///< and one of them does nothing about anything
  bool expected = false;  ///< a test passes when something fails here
};

/// The innermost `for` loop around a point of the program, in the same function or in one that
/// called it.
struct LoopAround {
  Place statement;
  bool over_values = false;  ///< goes through values that are all known: `for size in (8, 16)`
  std::string_view over{};   ///< something external that it goes through, by its dotted name …
  std::optional<Place> over_made_at{};  ///< … and the call that made it
  Place target{};                       ///< the names that it sets
};

/// How a process was started, as far as that decides about an observation in it.
struct Started {
  EventId event = 0;        ///< the start
  bool by_default = false;  ///< by the start method that Python has when nobody chooses one
  Certainty certainty = Certainty::yes;
};

/// Where a value is put that outlives the round of a loop.
enum class KeptWay : uint8_t {
  sum,          ///< combined with what the name held before
  container,    ///< put into something that grows
  call,         ///< handed to a function together with what the name held before
  backward,     ///< `backward(retain_graph=True)` through the graphs of all rounds so far
  hook,         ///< a hook collects the outputs of all passes
  retry,        ///< what ran out of memory is tried again in the handler
  context,      ///< an autograd function keeps its result in its context
  gradients,    ///< `backward(create_graph=True)`, and nobody clears the gradients
  zeroed,       ///< gradients are set to zero, not dropped
  live_state,   ///< the best state is the live one
  referenced,   ///< the cache is emptied before the tensor is deleted
  evaluation,   ///< a model is evaluated with gradients on
  average,      ///< an average of parameters is made with gradients on
  cached,       ///< results on the GPU are remembered by `lru_cache`
  epochs,       ///< outputs of all steps are collected, and no epoch empties them
  cycle,        ///< `itertools.cycle` keeps all batches
  restart,      ///< a loader is begun anew for each batch
  not_entered,  ///< a context manager for gradients is made, and nobody enters it
  detached,     ///< `detach()`, and nobody takes what it gives
  failure,      ///< the error of what ran out of memory is kept
  held,         ///< the cache is emptied while something holds what was deleted: in `value`
  flag,         ///< an attribute that nothing reads: `model.requires_grad = False`
  registered,   ///< a hook is registered again in each round
};

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
  bool at_import = false;      ///< in the body of a module …
  bool in_package = false;     ///< … that is a package's `__init__`
  bool conditional = false;    ///< whether the program comes here depends on something unknown
  bool asked_for_gpu = false;  ///< in an `if` that asks whether there is a GPU
  bool in_library = false;     ///< in a module of a package that is no program of its own
  bool in_test = false;        ///< in a file of tests
  bool after_unseen = false;   ///< the process has called code that may be the project's, unseen
  MomentState elsewhere;      ///< whether the program runs on another kind of device, and who asked
  std::string_view handling;  ///< in a handler: the dotted name of what it catches
  std::vector<std::string_view> contexts;  ///< `with` around it, of things outside the project
  std::optional<MomentState> cause;        ///< what made it so
  std::optional<Started> started;
  Guards guards;
  std::optional<LoopAround> loop;
  std::vector<Place> conditions;  ///< of the `if` statements around it, outermost first
  Written written;
  std::optional<Place> each_round;  ///< the loop in each round of which this is done, come what may
  bool each_batch = false;  ///< … which goes through batches, or calls `backward()` itself
  KeptWay kept{};           ///< how the loop keeps a graph
  bool each_step =
      false;  ///< … in each round of the loop that calls `backward()`, not of an outer one
  bool uncalled = false;  ///< in a function that nobody in sight calls
  model::Misstep misstep{};
  /// Of a child that starts afresh: the variables that it doesn't read as this process has them;
  /// `model::withholds_all`: it reads none.
  std::vector<std::string_view> unread;
  bool small_shared_memory = false;  ///< of a program started: in a container that has 64 MB of it
};

struct Timeline {
  std::vector<std::shared_ptr<const text::Source>> files;
  uint32_t entry = 0;  ///< its index among the files
  std::vector<Event> events;
  std::vector<Observation> observations;
  MomentStates at_end;   ///< of the entry's own process
  bool alone = false;    ///< of a launch file: what it starts is none of the project's scripts
  bool complete = true;  ///< false when the budget ran out before the program's end
};

}  // namespace vramlint::replay
