// SPDX-License-Identifier: MIT
//
// Decorators and the other functions that take functions.
#include "replay/interpreter.h"
#include "replay/library.h"

namespace vramlint::replay {
namespace {

Value identity(Interpreter&, const Arguments& arguments, Place) { return arguments.at(0); }

/// `@cache` and `@cache(…)`: the function itself, or something that gives back the function it
/// gets.
Value decorator(Interpreter& python, const Arguments& arguments, Place) {
  const Value first = arguments.at(0);
  const bool bare =
      (first.is(Kind::function) || first.is(Kind::class_) || first.is(Kind::bound_method)) &&
      arguments.positional.size() == 1 && arguments.keywords.empty();
  return bare ? first : Value::external(python.intern("functools.wraps()"));
}

template <FunctionRole role>
Value with_role(Interpreter& python, const Arguments& arguments, Place) {
  const Value function = arguments.at(0);
  if (!function.is(Kind::function)) return function;
  Object copy = python.object_of(function);
  copy.role = role;
  const std::vector<uint32_t> names = copy.slot_names;
  copy.slot_names.clear();
  const ObjectId made = python.new_object(std::move(copy));
  for (const uint32_t name : names) python.set(made, name, python.get(function.id, name));
  return Value::object(Kind::function, made);
}

/// `@cache` and `@lru_cache(…)`: a copy of the function that remembers what it gave.
Value remembering(Interpreter& python, const Arguments& arguments, Place site) {
  const Value function = arguments.at(0);
  if (!function.is(Kind::function)) {
    const Value most = arguments.named(python.intern("maxsize"), 0);
    const bool few = most.is(Kind::integer) && most.as_integer() <= 8;
    return Value::external(python.intern(few ? "functools.wraps()" : "functools.cache"));
  }
  Arguments same;
  same.positional.push_back(function);
  const Value made = with_role<FunctionRole::plain>(python, same, site);
  python.object_of(made).remembers = true;
  return made;
}

/// `@functools.wraps(function)`
Value wraps(Interpreter& python, const Arguments& arguments, Place) {
  return python.external_instance("functools.wraps", arguments);
}

/// `functools.update_wrapper(wrapper, wrapped)`: pickle finds the one under the name of the other.
Value update_wrapper(Interpreter& python, const Arguments& arguments, Place) {
  const Value wrapper = arguments.named(python.intern("wrapper"), 0);
  const Value wrapped = arguments.named(python.intern("wrapped"), 1);
  if (wrapper.is(Kind::function)) python.set(wrapper.id, python.intern(wrapped_slot), wrapped);
  return wrapper;
}

Value wrap(Interpreter& python, Value wraps, const Arguments& arguments, Place site) {
  Arguments both;
  both.positional = {arguments.at(0), python.object_of(wraps).arguments.at(0)};
  return update_wrapper(python, both, site);
}

Value partial(Interpreter& python, const Arguments& arguments, Place) {
  Object made;
  made.target = Value::external(python.intern("functools.partial"));
  made.name = made.target.id;
  made.arguments = arguments;
  return Value::object(Kind::instance, python.new_object(std::move(made)));
}

Value null_context(Interpreter& python, const Arguments& arguments, Place) {
  return python.external_instance("contextlib.nullcontext", arguments);
}

/// An object with the attributes that it is made with.
Value name_space(Interpreter& python, const Arguments& arguments, Place) {
  const Value made = python.external_instance("types.SimpleNamespace", {});
  for (const Arguments::Keyword& keyword : arguments.keywords)
    python.set(made.id, keyword.name, keyword.value);
  return made;
}

/// Command-line helpers that call the function they are given, with arguments of the user's.
Value run_main(Interpreter& python, const Arguments& arguments, Place site) {
  Arguments unknown;
  unknown.open = true;
  return python.call(arguments.at(0), unknown, site);
}

constexpr LibraryFunction table[] = {
    {"fire.Fire", run_main},
    {"typer.run", run_main},
    {"absl.app.run", run_main},
    {"tyro.cli", run_main},
    {"jsonargparse.CLI", run_main},
    {"jsonargparse.auto_cli", run_main},
    {"functools.wraps()", identity},
    {"functools.wraps", wraps},
    {"functools.update_wrapper", update_wrapper},
    {"functools.lru_cache", remembering},
    {"functools.cache", remembering},
    {"functools.singledispatch", decorator},
    {"functools.total_ordering", decorator},
    {"dataclasses.dataclass", decorator},
    {"abc.abstractmethod", decorator},
    {"typing.final", decorator},
    {"typing.runtime_checkable", decorator},
    {"types.coroutine", decorator},
    {"functools.cached_property", with_role<FunctionRole::property>},
    {"abc.abstractproperty", with_role<FunctionRole::property>},
    {"property", with_role<FunctionRole::property>},
    {"staticmethod", with_role<FunctionRole::static_method>},
    {"classmethod", with_role<FunctionRole::class_method>},
    {"contextlib.contextmanager", with_role<FunctionRole::context_manager>},
    {"contextlib.asynccontextmanager", with_role<FunctionRole::context_manager>},
    {"functools.partial", partial},
    {"types.SimpleNamespace", name_space},
    {"argparse.Namespace", name_space},
    {"contextlib.nullcontext", null_context},
};

constexpr LibraryMethod methods[] = {
    {"functools.wraps.__call__", wrap},
};

}  // namespace

std::span<const LibraryFunction> functional_functions() { return table; }
std::span<const LibraryMethod> functional_methods() { return methods; }

}  // namespace vramlint::replay
