// SPDX-License-Identifier: MIT
//
// Things outside the linted project are known by their dotted name alone. What Python's own library
// does with the values given to it is in `library_*.cpp`; what the rest does, in the tables.
#include "replay/interpreter.h"
#include "replay/library.h"

namespace vramlint::replay {
namespace {

constexpr std::string_view environment_prefix = "os.environ.";

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
  observe_call(dotted, arguments, site);
  Value made;
  const bool spoke = !rows_named(dotted).empty() &&
                     apply_rows(dotted, knowledge::Trigger::call, arguments, site, {}, made);
  if (stopped()) return Value::unknown();
  if (const LibraryFunction* function = library_function(name))
    return function->run(*this, arguments, site);
  if (spoke && !made.is(Kind::absent)) return made;
  if (!is_builtin_name(name)) run_through(arguments, site);
  return external_instance(name, arguments);
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
  const model::NameId dotted = names_.dotted(object_of(object).target.id, name);
  observe_call(dotted, arguments, site);
  Value made;
  const bool spoke = !rows_named(dotted).empty() &&
                     apply_rows(dotted, knowledge::Trigger::call, arguments, site, object, made);
  if (stopped()) return Value::unknown();
  if (const LibraryMethod* method = library_method(text_of(dotted))) {
    return method->run(*this, object, arguments, site);
  }
  if (spoke && !made.is(Kind::absent)) return made;
  bool known = false;
  const Value result = apply_method_row(object, name, arguments, site, known);
  if (known || stopped()) return result;
  if (text_of(name) == "__call__") {
    return object.payload != 0 ? Value::tensor(Device::unknown) : Value::unknown();
  }
  run_through(arguments, site);
  // `builder.with_x()` of something unknown is most often the builder again; its methods count like
  // those of any unknown object.
  return Value::unknown();
}

}  // namespace vramlint::replay
