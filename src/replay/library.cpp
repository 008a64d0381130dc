// SPDX-License-Identifier: MIT
#include "replay/library.h"

#include <array>
#include <unordered_map>
#include <unordered_set>

namespace vramlint::replay {
namespace {

using Functions = std::unordered_map<std::string_view, const LibraryFunction*>;
using Methods = std::unordered_map<std::string_view, const LibraryMethod*>;

const Functions& functions() {
  static const Functions table = [] {
    Functions made;
    for (const auto& topic :
         {builtin_functions(), type_functions(), functional_functions(), system_functions(),
          process_functions(), fork_functions(), data_functions(), concurrent_functions(),
          task_functions(), program_functions()}) {
      for (const LibraryFunction& function : topic) made.emplace(function.name, &function);
    }
    return made;
  }();
  return table;
}

const Methods& methods() {
  static const Methods table = [] {
    Methods made;
    for (const auto table : {functional_methods(), concurrent_methods(), fork_methods(),
                             data_methods(), process_methods(), task_methods()}) {
      for (const LibraryMethod& method : table) made.emplace(method.name, &method);
    }
    return made;
  }();
  return table;
}

/// Built-in names that code uses without import; those in the tables come on top.
constexpr std::array plain_names = {
    "abs",     "ascii", "bin",        "bytearray",      "bytes",    "chr",     "complex",
    "delattr", "dir",   "divmod",     "format",         "hash",     "help",    "hex",
    "id",      "input", "issubclass", "locals",         "object",   "oct",     "open",
    "ord",     "pow",   "print",      "repr",           "reversed", "round",   "slice",
    "type",    "vars",  "Ellipsis",   "NotImplemented", "__file__", "__doc__", "__debug__"};

}  // namespace

const LibraryFunction* library_function(std::string_view dotted) {
  const auto found = functions().find(dotted);
  return found == functions().end() ? nullptr : found->second;
}

const LibraryMethod* library_method(std::string_view dotted) {
  const auto found = methods().find(dotted);
  return found == methods().end() ? nullptr : found->second;
}

bool is_builtin_name(std::string_view name) {
  static const std::unordered_set<std::string_view> names(plain_names.begin(), plain_names.end());
  if (names.contains(name)) return true;
  // Exceptions are told by how they are named.
  const bool is_exception = name.ends_with("Error") || name.ends_with("Exception") ||
                            name.ends_with("Warning") || name == "SystemExit" ||
                            name == "KeyboardInterrupt" || name == "StopIteration" ||
                            name == "StopAsyncIteration" || name == "GeneratorExit";
  return is_exception ||
         (name.find('.') == std::string_view::npos && library_function(name) != nullptr);
}

}  // namespace vramlint::replay
