// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "frontends/project.h"
#include "model/program.h"
#include "replay/timeline.h"
#include "replay/value.h"

// What stands behind the values that have an identity. The parts here are written once, when the
// object is made; what a program changes later is in the slots of the store.

namespace vramlint::replay {

/// Arguments of a call, evaluated.
struct Arguments {
  struct Keyword {
    model::NameId name;
    Value value;
  };
  std::vector<Value> positional;
  std::vector<Keyword> keywords;
  bool open = false;  ///< an unknown `*args` or `**kwargs` may hold more

  /// The argument of that name or position; absent when it was not given.
  Value named(model::NameId name, int position) const {
    if (position >= 0 && static_cast<size_t>(position) < positional.size())
      return positional[position];
    for (const Keyword& keyword : keywords) {
      if (keyword.name == name) return keyword.value;
    }
    return {};
  }
  Value at(size_t position) const {
    return position < positional.size() ? positional[position] : Value();
  }
};

/// How a function behaves when it is taken from a class or called.
enum class FunctionRole : uint8_t { plain, static_method, class_method, property, context_manager };

struct Object {
  frontends::LoadedProgram* file = nullptr;
  uint32_t file_index = 0;
  const model::Code* code = nullptr;                 ///< null for a definition not lowered yet
  const model::Comprehension* expression = nullptr;  ///< of a generator expression
  uint32_t node = 0;   ///< function or class in `code`; block when `code` is null
  ObjectId scope = 0;  ///< where a definition stands; parent of a scope
  ObjectId home = 0;   ///< module scope
  ObjectId owner = 0;  ///< class of a method
  model::NameId name = 0;
  FunctionRole role = FunctionRole::plain;
  bool captured = false;    ///< a scope that a definition inside it may still read
  bool lists_slots = true;  ///< false for the scope of a call, whose names nobody lists
  bool is_package = false;
  uint8_t gradients = 0;         ///< `Interpreter::Gradients` while a function runs
  bool remembers = false;        ///< a function under `lru_cache`
  bool filters = false;          ///< an iterator that keeps the items for which its target is true
  bool maps = false;             ///< an iterator that calls its target with each item …
  bool over_batches = false;     ///< … of batches, by how it is written
  std::optional<Place> made_at;  ///< of an instance of something external
  std::string path;              ///< folder in which a package looks for its modules
  bool child_environment = false;  ///< a dictionary made from `os.environ`
  Value target;  ///< function of a bound method or partial; class of an instance; the call's callee
  Value receiver;             ///< of a bound method, of a `super()`
  Arguments arguments;        ///< bound by a partial, a generator, a thread …
  std::vector<Value> values;  ///< bases of a class; packages star-imported into a module
  std::vector<uint32_t>
      slot_names;  ///< of dicts, instances and modules, in the order of first writing
};

/// Slot of a module for the device that it was moved to; no attribute has such a name.
inline constexpr std::string_view device_slot = "device of the module";

/// Slot of the process for whether it is a worker of a loader.
inline constexpr std::string_view worker_slot = "worker()";

/// Slot of a function for the one that it was wrapped around.
inline constexpr std::string_view wrapped_slot = "__wrapped__";

/// Slot of an instance of a class made from `DataLoader` for what its base is.
inline constexpr std::string_view loader_slot = "loader()";

/// Slot of a loader that a library has taken over.
inline constexpr std::string_view prepared_slot = "prepared()";

/// Slot of what `torch.load` gave for the device that it was brought to.
inline constexpr std::string_view loaded_slot = "loaded to";

/// Slot names of list items are numbers with this bit set; names of texts never have it.
inline constexpr uint32_t item_bit = 0x80000000;

/// Slot of a list for its length.
inline constexpr uint32_t length_slot = item_bit | 0x7ffffffe;

/// How a stretch of program ended. `dead`: this path does not go on; others may.
enum class Completion : uint8_t { normal, returned, raised, broken, continued, suspended, dead };

struct Abrupt {
  Completion kind = Completion::normal;
  Value value;  ///< returned, or the class of what was raised
};

/// One call of a project function.
struct Frame {
  ObjectId scope = 0;
  ObjectId function = 0;  ///< 0 for a module or class body
  frontends::LoadedProgram* file = nullptr;
  uint32_t file_index = 0;
  const model::Code* code = nullptr;
  const model::Function* definition = nullptr;
  ObjectId class_scope = 0;  ///< while a class body runs
  const std::function<void(Value)>* on_yield = nullptr;
  Place call_site;
  uint32_t token = 0;  ///< the same for a frame and the copies of it that run between two yields
};

}  // namespace vramlint::replay
