// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "replay/objects.h"

namespace vramlint::replay {

class Interpreter;

/// What a function of Python itself does, as far as a replay has to follow it.
struct LibraryFunction {
  std::string_view name;  ///< dotted; built-in ones stand alone: `map`
  Value (*run)(Interpreter& python, const Arguments& arguments, Place site);
};

/// The same for a method of an object that such a function made: `threading.Thread.start`.
struct LibraryMethod {
  std::string_view name;
  Value (*run)(Interpreter& python, Value object, const Arguments& arguments, Place site);
};

const LibraryFunction* library_function(std::string_view dotted);
const LibraryMethod* library_method(std::string_view dotted);
bool is_builtin_name(std::string_view name);

/// What `iter(function, last)` gives, by its dotted name.
inline constexpr std::string_view asked_again = "iter()";

/// What `await` does with a value. In library_tasks.cpp.
Value await_value(Interpreter& python, Value awaited, Place site);

/// What forks runs its function in a child: a call by its dotted name, or a method of whatever
/// object. In library_forks.cpp.
void run_forks_of_call(Interpreter& python, std::string_view dotted, const Arguments& arguments,
                       Place site);
void run_forks_of_method(Interpreter& python, std::string_view method, const Arguments& arguments,
                         Place site);

/// How many workers a loader was asked for, as it was given. In loaders.cpp.
Value worker_count(Interpreter& python, const Arguments& loader);
/// What an instance of a class made from `DataLoader` is as a loader; unknown for any other. In
/// library_data.cpp.
Value loader_in(Interpreter& python, Value instance);
/// `super().__init__(…)` of such a class.
void note_loader(Interpreter& python, Value super, const Arguments& arguments, Place site);

/// Runs what a thread was given, up to where it has to wait. In library_tasks.cpp.
void run_thread(Interpreter& python, Value job, Place site);

/// `__add__` for `+`; empty for an operator that is not followed.
std::string_view operator_name(model::BinaryOp op);

/// `__iadd__` for `+=`; empty for an operator that is not followed.
std::string in_place_name(model::BinaryOp op);

// One table a topic, in the file of that name.
std::span<const LibraryFunction> builtin_functions();     // library_builtins.cpp
std::span<const LibraryFunction> type_functions();        // library_types.cpp
std::span<const LibraryFunction> functional_functions();  // library_functional.cpp
std::span<const LibraryMethod> functional_methods();
std::span<const LibraryFunction> system_functions();   // library_system.cpp
std::span<const LibraryFunction> process_functions();  // library_processes.cpp
std::span<const LibraryMethod> process_methods();
std::span<const LibraryFunction> fork_functions();  // library_forks.cpp
std::span<const LibraryMethod> fork_methods();
std::span<const LibraryFunction> data_functions();  // library_data.cpp
std::span<const LibraryMethod> data_methods();
std::span<const LibraryFunction> concurrent_functions();  // library_concurrent.cpp
std::span<const LibraryMethod> concurrent_methods();
std::span<const LibraryFunction> task_functions();  // library_tasks.cpp
std::span<const LibraryMethod> task_methods();
std::span<const LibraryFunction> program_functions();  // library_programs.cpp

}  // namespace vramlint::replay
