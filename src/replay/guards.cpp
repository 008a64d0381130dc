// SPDX-License-Identifier: MIT
#include "replay/guards.h"

#include "replay/interpreter.h"

namespace vramlint::replay {
namespace {

/// Whatever has to fail, nobody needs to hear that it does.
constexpr Guards expecting{.runtime_error = true, .attribute_error = true, .expected = true};

}  // namespace

std::optional<Guards> guards_of_context(Interpreter& python, Value manager) {
  const Object& object = python.object_of(manager);
  const knowledge::FailureContextRow* row =
      python.knowledge_.failure_context(python.text_of(object.target.id));
  if (row == nullptr) return std::nullopt;
  if (row->expected) return expecting;
  const Value runtime = Value::external(python.intern("RuntimeError"));
  const Value attribute = Value::external(python.intern("AttributeError"));
  const std::vector<Value> caught = object.arguments.positional;
  Guards guards;
  for (const Value type : caught) {
    guards.runtime_error |= python.is_subclass(runtime, type) == Interpreter::Truth::yes;
    guards.attribute_error |= python.is_subclass(attribute, type) == Interpreter::Truth::yes;
  }
  guards.silent = guards.attribute_error;
  return guards;
}

std::optional<Guards> guards_of_method(const Interpreter& python, const model::Code& code,
                                       model::ExprId context) {
  const auto* call = std::get_if<model::Call>(&code.exprs[context].node);
  if (call == nullptr) return std::nullopt;
  const auto* method = std::get_if<model::Attribute>(&code.exprs[call->callee].node);
  if (method == nullptr) return std::nullopt;
  const std::string name = "." + std::string(python.text_of(method->name));
  const knowledge::FailureContextRow* row = python.knowledge_.failure_context(name);
  return row != nullptr && row->expected ? std::optional(expecting) : std::nullopt;
}

void run_guarded(Interpreter& python, const Guards& guards, const std::function<void()>& body) {
  python.open_region({Completion::raised});
  python.regions_.back().guards = guards;
  body();
  python.close_region();
}

}  // namespace vramlint::replay
