// SPDX-License-Identifier: MIT
//
// What pickle makes of a value. It takes a function or class by its name, an instance by what it
// holds, and locks and queues only along with a process that is started the way they were made for.
#include <algorithm>

#include "frontends/project.h"
#include "replay/interpreter.h"

namespace vramlint::replay {
namespace {

constexpr int max_nesting = 4;

/// Slot of a lock or queue: an integer, see below.
constexpr std::string_view made_under = "made under";
constexpr int64_t under_fork = 1;
constexpr int64_t by_default = 2;

/// The function whose name a wrapper has taken with `functools.wraps`.
Value wrapped(Interpreter& python, Value function) {
  for (int depth = 0; depth < max_nesting; ++depth) {
    const Value inner = python.get(function.id, python.intern(wrapped_slot));
    if (!inner.is(Kind::function)) break;
    function = inner;
  }
  return function;
}

/// A class of the project that stands in a function: no name of a module leads to it.
bool is_local_class(Interpreter& python, Value class_value) {
  if (!class_value.is(Kind::class_)) return false;
  const Object& object = python.object_of(class_value);
  if (object.file == nullptr || object.scope == object.home) return false;
  if (!python.find_in_class(class_value, python.intern("__qualname__")).is(Kind::absent))
    return false;
  return !python.get(object.home, object.name).same_as(class_value);
}

/// Whether it stands in the notebook itself, of which no child knows.
bool is_of_notebook(Interpreter& python, Value definition) {
  const Object& object = python.object_of(definition);
  return object.file != nullptr && object.file->path == python.entry_ &&
         frontends::is_notebook(*object.file);
}

/// `math`, as `import math` binds it.
bool is_imported_module(const Interpreter& python, Value value) {
  if (value.is(Kind::module)) return true;
  if (!value.is(Kind::external)) return false;
  const std::string_view name = python.text_of(value.id);
  const knowledge::PackageRow* row = python.knowledge_.package(name);
  return row != nullptr && std::ranges::find(row->names, name) != row->names.end();
}

std::string named(Interpreter& python, Value definition) {
  return '`' + std::string(python.text_of(python.object_of(definition).name)) + '`';
}

}  // namespace

/// Whether pickle finds the function by its name: at the place where it is defined, or where the
/// function stands that it was wrapped around.
bool Interpreter::is_global(Value function) {
  if (!get(function.id, intern("__qualname__")).is(Kind::absent)) return true;
  const Value taken = get(function.id, intern(wrapped_slot));
  if (!taken.is(Kind::absent) && !taken.is(Kind::function)) return true;
  const Value inner = wrapped(*this, function);
  const Object& object = object_of(inner);
  if (object.owner != 0) return true;
  const Value found = get(object.home, object.name);
  if (object.scope != object.home) return found.same_as(function);
  // Only a wrapper with another name is known to be another one.
  return inner.same_as(function) || !found.same_as(inner);
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

/// A lock or queue belongs to the start method under which it was made.
void Interpreter::note_start_method(Value made) {
  if (!made.is(Kind::instance) || !object_of(made).target.is(Kind::external)) return;
  const knowledge::UnpicklableRow* row = knowledge_.unpicklable(text_of(object_of(made).target.id));
  if (row == nullptr || !row->inherited) return;
  // One without a lock goes anywhere.
  if (!object_of(made).arguments.named(intern("lock"), -1).is(Kind::absent)) return;
  const Start start = start_method_in_force();
  Value under = Value::integer((start.kind == Start::fork ? under_fork : 0) +
                               (start.by_default ? by_default : 0));
  under.certainty = start.certainty;
  set(made.id, intern(made_under), under);
}

namespace {

using Start = Interpreter::Start;

/// Given to a child that is started in another way than the program's own.
void observe_other_context(Interpreter& python, Value lock, std::string_view what,
                           const Start& start, Place site) {
  const Value under = python.get(lock.id, python.intern(made_under));
  if (start.kind != Start::spawn || start.by_default || !under.is(Kind::integer)) return;
  if ((under.as_integer() & under_fork) == 0) return;
  Observation seen = python.observation_at(ObservationKind::lock_of_other_context, site);
  seen.name = what;
  seen.started = {seen.event, (under.as_integer() & by_default) != 0,
                  std::min(start.certainty, under.certainty)};
  python.timeline_.observations.push_back(std::move(seen));
}

/// Of a function or class, which pickle names; empty where the name will do.
std::string fault_of_definition(Interpreter& python, Value definition, bool is_task) {
  if (definition.is(Kind::class_)) {
    if (is_local_class(python, definition))
      return "a class that is defined inside a function can't be pickled";
  } else {
    const model::NameId name = python.object_of(definition).name;
    if (name == 0 || python.text_of(name) == "<lambda>") return "a lambda can't be pickled";
    if (!python.is_global(definition)) {
      return wrapped(python, definition).same_as(definition)
                 ? "a function that is defined inside another can't be pickled"
                 : "a wrapper that has the name of another function can't be pickled";
    }
  }
  // What depends on something may be there for a script alone.
  if (is_task || python.branches_ > 0 || !is_of_notebook(python, definition)) return {};
  return named(python, definition) + " is defined in the notebook, where no new process looks";
}

/// Of something external, by the call that made it.
std::string fault_of_external(Interpreter& python, Value made, const Start& start, Place site) {
  const Object& object = python.object_of(made);
  const knowledge::UnpicklableRow* row =
      python.knowledge_.unpicklable(python.text_of(object.target.id));
  if (row == nullptr) return {};
  if (row->inherited) observe_other_context(python, made, row->what, start, site);
  if (row->inherited && start.kind != Start::task) return {};
  const Value spared =
      row->unless_argument.empty()
          ? Value()
          : object.arguments.named(python.intern(row->unless_argument), row->unless_position);
  const bool is_spared =
      !spared.is(Kind::absent) && python.truth_of(spared) != Interpreter::Truth::no;
  return is_spared ? std::string() : std::string(row->what) + " can't be pickled";
}

/// What is pickled along with the value.
std::vector<Value> parts_of(Interpreter& python, Value value) {
  std::vector<Value> parts;
  const Object& object = python.object_of(value);
  if (value.is(Kind::list) || value.is(Kind::tuple)) {
    python.items_of(value, parts);
  } else if (value.is(Kind::bound_method)) {
    parts.push_back(object.receiver);
  } else if (value.is(Kind::instance) && object.target.is(Kind::external)) {
    if (python.text_of(object.target.id) == "functools.partial")
      parts = object.arguments.positional;
  } else {
    const bool is_own = value.is(Kind::instance) && !python.pickles_itself(object.target);
    if (!is_own && !value.is(Kind::dict)) return parts;
    for (const uint32_t name : python.object_of(value).slot_names)
      parts.push_back(python.get(value.id, name));
    // What a `defaultdict` calls for a key that is missing.
    if (value.is(Kind::dict)) parts.push_back(python.object_of(value).target);
  }
  return parts;
}

}  // namespace

/// What pickle can't hand to a process that starts afresh, nor to a worker of a pool as its task: a
/// function or class that stands in no module, a module, and what the rows list.
void Interpreter::observe_unpicklable(Value value, const Start& start, Place site, int depth) {
  const bool is_task = start.kind == Start::task;
  if (start.kind == Start::fork || stopped() || depth > max_nesting || !spend()) return;
  std::string fault;
  switch (value.kind) {
    case Kind::function:
    case Kind::class_: fault = fault_of_definition(*this, value, is_task); break;
    case Kind::instance: {
      const Value type = object_of(value).target;
      if (type.is(Kind::external)) {
        fault = fault_of_external(*this, value, start, site);
      } else if (type.is(Kind::class_) && !pickles_itself(type)) {
        fault = fault_of_definition(*this, type, is_task);
      }
      break;
    }
    case Kind::generator: fault = "a generator can't be pickled"; break;
    default:
      if (is_imported_module(*this, value)) fault = "a module can't be pickled";
  }
  if (fault.empty()) {
    const bool has_parts = value.is(Kind::list) || value.is(Kind::tuple) || value.is(Kind::dict) ||
                           value.is(Kind::bound_method) || value.is(Kind::instance);
    if (!has_parts) return;
    for (const Value part : parts_of(*this, value))
      observe_unpicklable(part, start, site, depth + 1);
    return;
  }
  if (stopped()) return;
  Observation seen = observation_at(ObservationKind::not_picklable, site);
  seen.name = text_of(intern(fault));
  if (!is_task) seen.started = {seen.event, start.by_default, start.certainty};
  timeline_.observations.push_back(std::move(seen));
}

}  // namespace vramlint::replay
