// SPDX-License-Identifier: MIT
#include "replay/interpreter.h"
#include "replay/library.h"

namespace vramlint::replay {
namespace {

constexpr int max_bases = 12;

}  // namespace

Value Interpreter::attribute(Value object, model::NameId name, Place place) {
  switch (object.kind) {
    case Kind::external: return external_attribute(object.id, name, place);
    case Kind::instance: return instance_attribute(object, name, place);
    case Kind::class_: {
      const Value found = find_in_class(object, name);
      return found.is(Kind::absent) ? name_attribute(object, name)
                                    : bound(found, {}, object, place);
    }
    case Kind::module: return submodule(object, name, place);
    case Kind::function: {
      const Value found = get(object.id, name);
      return found.is(Kind::absent) ? name_attribute(object, name) : found;
    }
    case Kind::super: {
      const Object& super = object_of(object);
      const Value receiver = super.receiver;
      const Value target = super.target;
      const bool is_class = receiver.is(Kind::class_);
      const Value own_class = receiver.is(Kind::instance) ? object_of(receiver).target : receiver;
      const Value found =
          find_in_class(own_class.is(Kind::class_) ? own_class : target, name, target);
      if (found.is(Kind::absent)) return Value::unknown();
      return bound(found, receiver, is_class ? receiver : target, place);
    }
    case Kind::environment: return Value::external(names_.dotted(intern("os.environ"), name));
    case Kind::tensor:
      if (text_of(name) == "device") return Value::device(object.as_device());
      if (text_of(name) == "shape") return Value::unknown();
      if (const knowledge::MethodRow* row = knowledge_.method(text_of(name)); row != nullptr) {
        if (row->makes == knowledge::Makes::nothing) return Value::unknown();
        if (row->graph == knowledge::GraphEffect::cuts)
          return with_effect(object.own(), row->graph, {}, object);
      }
      return object.own();
    // A member of an enumeration is kept as its value.
    case Kind::string:
    case Kind::integer: return text_of(name) == "value" ? object : Value::unknown();
    case Kind::tuple: {
      // The named pair that `max(dim)` gives.
      std::vector<Value> items;
      const bool is_pair = items_of(object, items) && items.size() == 2;
      if (is_pair && text_of(name) == "values") return items[0];
      return is_pair && text_of(name) == "indices" ? items[1] : Value::unknown();
    }
    case Kind::unknown: {
      const knowledge::MethodRow* row = knowledge_.method(text_of(name));
      const bool cuts = row != nullptr && row->graph == knowledge::GraphEffect::cuts;
      return cuts ? Value::unknown() : part_of(object, uint64_t{name} << 32);
    }
    default: return Value::unknown();
  }
}

/// `__name__` of a function or class, and the few other attributes that both have.
Value Interpreter::name_attribute(Value definition, model::NameId name) {
  const std::string_view text = text_of(name);
  if (text == "__call__") return definition;
  const bool asked = text == "__name__" || text == "__qualname__";
  return asked ? Value::string(object_of(definition).name) : Value::unknown();
}

/// A function found in a class becomes a method, a property runs.
Value Interpreter::bound(Value attribute, Value receiver, Value class_value, Place place) {
  if (!attribute.is(Kind::function)) return attribute;
  Value self = receiver;
  switch (object_of(attribute).role) {
    case FunctionRole::static_method: return attribute;
    case FunctionRole::class_method: self = class_value; break;
    case FunctionRole::property: {
      if (receiver.is(Kind::absent)) return Value::unknown();
      Arguments arguments;
      arguments.positional.push_back(receiver);
      return call_function(attribute, arguments, place);
    }
    case FunctionRole::plain:
    case FunctionRole::context_manager: break;
  }
  if (self.is(Kind::absent)) return attribute;
  Object method;
  method.target = attribute;
  method.receiver = self;
  return Value::object(Kind::bound_method, new_object(std::move(method)));
}

Value Interpreter::instance_attribute(Value object, model::NameId name, Place place) {
  const Value own = get(object.id, name);
  const bool is_open = !get(object.id, any_attribute).is(Kind::absent);
  if (!own.is(Kind::absent)) return is_open ? Value::unknown() : own;
  const Value class_value = object_of(object).target;
  if (class_value.is(Kind::external)) {
    observe_name(names_.dotted(class_value.id, name), ObservationKind::name_read, place);
    // A method of something external can be handed on before it is called.
    Object method;
    method.target = Value::external(names_.dotted(class_value.id, name));
    method.receiver = object;
    return library_method(text_of(method.target.id)) == nullptr
               ? Value::unknown()
               : Value::object(Kind::bound_method, new_object(std::move(method)));
  }
  if (text_of(name) == "__class__") return class_value;
  const Value found = find_in_class(class_value, name);
  if (is_open && !found.is(Kind::function)) return Value::unknown();
  if (!found.is(Kind::absent)) return bound(found, object, class_value, place);
  if (!is_open) observe_missing_constructor(object, class_value, name, place);
  Arguments arguments;
  arguments.positional.push_back(Value::string(name));
  return call_special(object, "__getattr__", arguments, place);
}

/// `def init(self)` where `def __init__(self)` was meant: nobody calls it, and what it would set is
/// not there.
void Interpreter::observe_missing_constructor(Value object, Value class_value, model::NameId name,
                                              Place place) {
  if (stopped() || !class_value.is(Kind::class_)) return;
  const Value init = get(class_value.id, intern("init"));
  if (!init.is(Kind::function) || has_unknown_base(class_value)) return;
  const Object& method = object_of(init);
  if (method.code != nullptr && called_.contains(&method.code->functions[method.node])) return;
  if (!find_in_class(class_value, intern("__init__")).is(Kind::absent)) return;
  if (!object_of(object).slot_names.empty()) return;
  Observation seen = observation_at(ObservationKind::constructor_missing, place);
  seen.name = text_of(name);
  seen.value = known(Value::string(object_of(class_value).name));
  observe(std::move(seen));
}

Value Interpreter::call_special(Value instance, std::string_view name, const Arguments& arguments,
                                Place site) {
  if (!instance.is(Kind::instance)) return Value::unknown();
  const Value class_value = object_of(instance).target;
  const Value found = find_in_class(class_value, intern(name));
  if (!found.is(Kind::function)) return Value::unknown();
  const Value method = bound(found, instance, class_value, site);
  return stopped() ? Value::unknown() : call(method, arguments, site);
}

Value Interpreter::as_text(Value value, Place place) {
  if (!value.is(Kind::instance)) return value;
  for (const std::string_view name : {"__str__", "__repr__"}) {
    if (!find_in_class(object_of(value).target, intern(name)).is(Kind::function)) continue;
    return call_special(value, name, {}, place);
  }
  return value;
}

Value Interpreter::call_method(Value object, model::NameId name, const Arguments& arguments,
                               Place site) {
  bool known = false;
  switch (object.kind) {
    case Kind::external: {
      const Value function = external_attribute(object.id, name, site);
      return stopped() ? Value::unknown() : call(function, arguments, site);
    }
    case Kind::instance: return call_instance_method(object, name, arguments, site);
    case Kind::environment: {
      const Value made = environment_method(text_of(name), arguments, site, known);
      return made;
    }
    case Kind::string:
    case Kind::any_string:
    case Kind::list:
    case Kind::tuple:
    case Kind::set:
    case Kind::dict:
      if (object.is(Kind::list) && !loops_.empty() && !loops_.back().over.empty())
        observe_method(object, name, arguments, site);
      return container_method(object, text_of(name), arguments, site, known);
    case Kind::generator:
      if (text_of(name) == "__next__" || text_of(name) == "send" || text_of(name) == "__enter__") {
        return next_of(object, {}, site);
      }
      return text_of(name) == "__exit__" ? next_of(object, Value::none(), site) : Value::unknown();
    case Kind::unknown:
      if (text_of(name) == "exception" && arguments.positional.empty()) note_failure_asked(*this);
      if (may_wait(text_of(name))) await_others(*this);
      run_forks_of_method(*this, text_of(name), arguments, site);
      if (object.id != 0) observe_split(object, text_of(name), arguments, site);
      [[fallthrough]];
    case Kind::tensor:
      observe_method(object, name, arguments, site);
      return apply_method_row(object, name, arguments, site, known);
    default: {
      if (object.is(Kind::super) && text_of(name) == "__init__")
        note_loader(*this, object, arguments, site);
      const Value function = attribute(object, name, site);
      return stopped() ? Value::unknown() : call(function, arguments, site);
    }
  }
}

Value Interpreter::call_instance_method(Value object, model::NameId name,
                                        const Arguments& arguments, Place site) {
  const Value own = get(object.id, name);
  if (!own.is(Kind::absent)) return call(own, arguments, site);
  const Value class_value = object_of(object).target;
  if (class_value.is(Kind::external)) return call_external_method(object, name, arguments, site);
  const Value found = find_in_class(class_value, name);
  if (!found.is(Kind::absent)) {
    const Value method = bound(found, object, class_value, site);
    return stopped() ? Value::unknown() : call(method, arguments, site);
  }
  if (const LibraryMethod* method = inherited_library_method(class_value, name)) {
    return method->run(*this, object, arguments, site);
  }
  bool known = false;
  observe_method(object, name, arguments, site);
  return apply_method_row(object, name, arguments, site, known);
}

/// The method that a class of the project has from Python's own: `start` of a `threading.Thread`.
const LibraryMethod* Interpreter::inherited_library_method(Value class_value, model::NameId name,
                                                           int depth) {
  if (class_value.is(Kind::external))
    return library_method(text_of(names_.dotted(class_value.id, name)));
  if (!class_value.is(Kind::class_) || depth > max_bases || !spend()) return nullptr;
  const std::vector<Value> bases = object_of(class_value).values;
  for (const Value base : bases) {
    if (const LibraryMethod* found = inherited_library_method(base, name, depth + 1)) return found;
  }
  return nullptr;
}

}  // namespace vramlint::replay
