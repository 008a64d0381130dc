// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "knowledge/knowledge.h"
#include "replay/objects.h"
#include "replay/store.h"
#include "replay/timeline.h"

// What the interpreter keeps about paths, processes and imports while it runs.

namespace vramlint::replay {

/// Statements, expressions and calls of one entry. A training script with its modules needs some
/// ten thousand; what needs more than this goes in circles. An import that all entries share is
/// paid for once and may take longer.
inline constexpr uint64_t entry_budget = 100'000;
inline constexpr uint64_t import_budget = 4'000'000;

/// The state of each moment at one point of the program.
using MomentValues = std::array<Value, knowledge::moment_count>;

/// What leaves a stretch of the program early waits here, to be joined where the stretch ends.
struct Region {
  Store::Mark mark;
  uint8_t catches;  ///< bit set of `Completion`
  uint32_t owner;   ///< token of the frame; `return`, `break` and `continue` never leave it
  Guards guards;
  struct Path {
    Abrupt abrupt;
    Delta delta;  ///< since the mark
  };
  std::vector<Path> paths;
};

/// A name that got the live state of a module, or the module itself.
struct Snapshot {
  model::NameId name;
  Place place;
  uint32_t frame;
  std::optional<Place> alias_in;   ///< of the module: the loop
  std::optional<Place> condition;  ///< the innermost one that it stands under
};

/// A module that was set to evaluate.
struct Evaluated {
  std::string_view text;
  uint32_t frame;
  Place place;
};

/// A module whose name is gone.
struct Deleted {
  model::NameId name;
  Value value;
  uint32_t frame;
  Place place;
};

/// What the watchers of habits remember of an entry.
struct Watched {
  std::vector<Snapshot> snapshots;
  std::vector<Evaluated> evaluated;
  std::vector<Evaluated> frozen;   ///< takes no gradients; without a text, nobody knows which
  std::vector<Evaluated> modules;  ///< with methods that only modules have
  std::vector<Evaluated> modes;    ///< context managers for gradients that nobody enters
  std::vector<Deleted> deleted;
  std::vector<std::string_view>
      started;         ///< dotted names of what is between `start()` and `stop()`
  text::Span dropped;  ///< the call whose result the present statement drops
  /// Processes that have called something of a module that is neither in the project nor known.
  std::set<uint32_t> out_of_sight;
};

/// How often a function was run, and what it last gave.
struct Looked {
  int calls = 0;
  Value result = Value::unknown();
};

/// Where the moments of one process are kept: objects of the store.
struct Moments {
  ObjectId states;
  ObjectId in_force;  ///< first of `moment_count` objects: variable → value, a moment each
  ObjectId modules;   ///< imported modules of this process
  uint32_t process;
};

/// What is under way around a point of the program.
struct Surroundings {
  int branches = 0;
  int loop_branches = 0;
  int machine_branches = 0;
  size_t loops = 0;
  size_t handlers = 0;
  size_t contexts = 0;
  size_t regions = 0;
  size_t conditions = 0;
};

/// Something that importing a shared module does besides defining: done again for each entry.
struct ImportEffect {
  knowledge::MomentSet moments;
  Value variable;  ///< written, or …
  Value value;     ///< … removed, where this is absent
  WriteForm form{};
  Place place;
  Certainty certainty = Certainty::yes;
  std::vector<Place> calls;                 ///< that led there, from the import on
  model::NameId module = 0;                 ///< path of the module that does it
  std::shared_ptr<const Observation> seen;  ///< what was observed there, as far as the import goes

  bool is_write() const { return !variable.is(Kind::absent); }
};

/// A module that was imported once for all entries.
struct SharedModule {
  Value module;
  std::vector<std::pair<model::NameId, Value>> parts;  ///< other modules that it imports
  knowledge::MomentSet moments;                        ///< certainly brought about
  knowledge::MomentSet possible;                       ///< perhaps, or certainly
  std::vector<ImportEffect> effects;
  Surroundings outside;  ///< when the import began
  model::NameId path = 0;
  model::NameId circle = 0;            ///< path of a module that it imports and that imports it
  std::vector<Delta::Change> patches;  ///< of external things
  std::vector<std::pair<Value, Arguments>> exits;  ///< to be called at exit
};

/// Something that was done aside from the entry.
struct DoneAside {
  ObjectId first_new = 0;
  Delta delta;          ///< what it changed
  size_t observed = 0;  ///< how many observations
  size_t listed = 0;    ///< how many slots were listed
  std::vector<std::pair<Value, Arguments>> exits;
  bool ended = false;  ///< as it should
};

/// A call that is about to be made.
struct WrittenCall {
  const model::Code* code = nullptr;
  const model::Call* call = nullptr;
  Place site;
};

/// The value of an assignment under way, or the element of the list that it is, and its target.
struct Assigned {
  Place value;
  Place target;
};

/// How a process is started.
enum class StartKind : uint8_t {
  fork,
  spawn,
  task,  ///< not at all: something for a worker that runs already
};

struct Start {
  StartKind kind = StartKind::fork;
  bool by_default = false;  ///< nobody chose it
  Certainty certainty = Certainty::yes;
  bool is_loader = false;   ///< a worker, which lives as long as its loader needs it
  ObjectId workers_of = 0;  ///< the pool or the iterator whose workers may have been forked before
  Guards guards{};          ///< around the call that waits for what the child gives
  bool is_executor = false;
  bool is_daemon = false;  ///< it may have no children
  bool is_apart = false;   ///< of a library that knows only its own processes as daemons
  bool answers = false;    ///< what its target gives goes back to the parent
  /// A worker of a pool, whose tasks are sent to it.
  bool is_pool() const { return workers_of != 0 && !is_loader; }
  static constexpr StartKind fork = StartKind::fork;
  static constexpr StartKind spawn = StartKind::spawn;
  static constexpr StartKind task = StartKind::task;
};

/// The state of a forked child: that of the parent when it was forked.
struct Fork {
  MomentState driver;
  Started started;
  Guards guards;  ///< of the parent, where it learns that the child has failed
  bool by_executor = false;
};

}  // namespace vramlint::replay
