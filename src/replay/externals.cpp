// SPDX-License-Identifier: MIT
//
// Things outside the linted project are known by their dotted name alone. What Python's own library
// does with the values given to it is in `library_*.cpp`; what the rest does, in the tables.
#include "replay/crossing.h"
#include "replay/interpreter.h"
#include "replay/keeping.h"
#include "replay/library.h"

namespace vramlint::replay {
namespace {

constexpr std::string_view environment_prefix = "os.environ.";

/// `guard = torch.no_grad()`, then `guard.__enter__()`: until its `__exit__()`.
void enter_gradients(Interpreter& python, Value manager) {
  const Object made = python.object_of(manager);
  const auto mode = python.gradients_by(made.target.id, made.arguments);
  if (mode == Interpreter::Gradients::inherited) return;
  const bool were_on = python.gradients() != Interpreter::Gradients::off;
  python.set(manager.id, python.gradients_name_, Value::boolean(were_on));
  python.set_gradients(mode);
}

/// What is neither Python's own nor of a package that we know may be the project's, and may do
/// anything.
void note_out_of_sight(Interpreter& python, model::NameId dotted) {
  const std::string_view name = python.text_of(dotted);
  if (is_builtin_name(name) || !python.rows_named(dotted).empty()) return;
  if (python.knowledge_.package(name) == nullptr)
    python.watched_.out_of_sight.insert(python.moments_.process);
}

}  // namespace

Value Interpreter::external_attribute(model::NameId object, model::NameId name, Place place) {
  const model::NameId dotted = names_.dotted(object, name);
  const Value replaced = get(external_overlay_, dotted);
  if (!replaced.is(Kind::absent)) return replaced;
  const std::string_view text = text_of(dotted);
  if (text == "os.environ") return {Kind::environment};
  if (text == "os.environb") return {Kind::environment_bytes};
  if (text == "os.name") return Value::string(intern("posix"));
  if (text == "sys.platform") return Value::string(intern("linux"));
  observe_name(dotted, ObservationKind::name_read, place);
  Value made;
  if (!rows_named(dotted).empty()) {
    apply_rows(dotted, knowledge::Trigger::read, {}, place, {}, made);
  }
  return made.is(Kind::absent) ? Value::external(dotted) : made;
}

Value Interpreter::call_external(model::NameId dotted, const Arguments& arguments, Place site) {
  if (!spend()) return Value::unknown();
  const std::string_view name = text_of(dotted);
  if (name.starts_with(environment_prefix)) {
    bool known = false;
    return environment_method(name.substr(environment_prefix.size()), arguments, site, known);
  }
  note_out_of_sight(*this, dotted);
  observe_call(dotted, arguments, site);
  observe_reading(name, arguments, site);
  if (const Gradients mode = gradients_by(dotted, arguments); mode != Gradients::inherited) {
    // `@torch.no_grad` without parentheses, and the call that is no context manager.
    if (arguments.at(0).is(Kind::function)) return with_gradients(arguments.at(0), mode);
    if (sets_gradients(dotted)) {
      const Value manager = external_instance(name, arguments);
      set(manager.id, gradients_name_, Value::boolean(gradients() != Gradients::off));
      set_gradients(mode);
      return manager;
    }
    watch_mode(*this, site);
  }
  Value made;
  const bool spoke = !rows_named(dotted).empty() &&
                     apply_rows(dotted, knowledge::Trigger::call, arguments, site, {}, made);
  if (stopped()) return Value::unknown();
  run_forks_of_call(*this, name, arguments, site);
  if (name.ends_with(".DataLoader")) observe_loader(arguments, site);
  if (const LibraryFunction* function = library_function(name))
    return made_here(function->run(*this, arguments, site), site);
  if (spoke && !made.is(Kind::absent)) return made_here(made, site);
  if (is_builtin_name(name)) return external_instance(name, arguments);
  run_through(arguments, site);
  Value instance = external_instance(name, arguments);
  instance.graph = supposed(arguments, {}, site).graph;
  note_start_method(instance);
  return made_here(instance, site);
}

Value Interpreter::external_instance(std::string_view class_name, const Arguments& arguments) {
  Object made;
  made.target = Value::external(intern(class_name));
  made.name = made.target.id;
  made.arguments = arguments;
  return Value::object(Kind::instance, new_object(std::move(made)));
}

Value Interpreter::call_external_method(Value object, model::NameId name,
                                        const Arguments& arguments, Place site) {
  const model::NameId type = object_of(object).target.id;
  const model::NameId dotted = names_.dotted(type, name);
  const bool is_call = text_of(name) == "__call__";
  if (is_call && arguments.at(0).is(Kind::function)) {
    const Arguments given = object_of(object).arguments;
    const Gradients mode = gradients_by(type, given);
    if (mode != Gradients::inherited) {
      leave_gradients(object);
      return with_gradients(arguments.at(0), mode);
    }
  }
  if (text_of(name) == "start") watched_.started.push_back(text_of(type));
  if (text_of(name) == "stop") std::erase(watched_.started, text_of(type));
  if (text_of(name) == "__enter__") enter_gradients(*this, object);
  if (text_of(name) == "__exit__") leave_gradients(object);
  note_out_of_sight(*this, dotted);
  observe_call(dotted, arguments, site, object);
  observe_method(object, name, arguments, site);
  if (text_of(name) == "exception" && arguments.positional.empty()) note_failure_asked(*this);
  if (may_wait(text_of(name))) await_others(*this);
  Value made;
  // `torchvision.models.*` are calls that make a module, and no methods of it.
  const bool is_of_module = object.payload != 0 && knowledge_.method(text_of(name)) != nullptr;
  const bool spoke = !is_of_module && !rows_named(dotted).empty() &&
                     apply_rows(dotted, knowledge::Trigger::call, arguments, site, object, made);
  if (stopped()) return Value::unknown();
  if (const LibraryMethod* method = library_method(text_of(dotted))) {
    return made_here(method->run(*this, object, arguments, site), site);
  }
  if (spoke && !made.is(Kind::absent)) return made;
  run_forks_of_method(*this, text_of(name), arguments, site);
  bool known = false;
  const Value result = apply_method_row(object, name, arguments, site, known);
  if (known || stopped()) return result;
  if (is_call && object.payload != 0) return called_module(object, arguments, site);
  if (!is_call) run_through(arguments, site);
  // `builder.with_x()` of something unknown is most often the builder again; its methods count like
  // those of any unknown object.
  return supposed(arguments, object, site);
}

}  // namespace vramlint::replay
