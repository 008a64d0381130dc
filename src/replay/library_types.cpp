// SPDX-License-Identifier: MIT
//
// Python's built-in functions that ask what a value is and which attributes it has.
#include "replay/interpreter.h"
#include "replay/library.h"

namespace vramlint::replay {
namespace {

/// What carries a graph for certain counts as a tensor, whoever made it: a model's output may be a
/// class of its own, but then what is done with tensors is not what is asked about.
bool is_tensor(const Interpreter& python, Value value) {
  if (value.is(Kind::tensor)) return value.certainty == Certainty::yes;
  return value.is(Kind::unknown) && value.has_graph() && python.graphs_.is_certain(value.graph);
}

Value is_a_tensor(Interpreter& python, const Arguments& arguments, Place) {
  return is_tensor(python, arguments.at(0)) ? Value::boolean(true) : Value::unknown();
}

/// Known of what the project defines itself, as long as its bases are known too.
Value has_attribute(Interpreter& python, const Arguments& arguments, Place site) {
  const Value object = arguments.at(0);
  if (!arguments.at(1).is(Kind::string)) return Value::unknown();
  const model::NameId name = arguments.at(1).id;
  if (object.is(Kind::external)) {
    python.observe_name(python.names_.dotted(object.id, name), ObservationKind::name_asked, site);
    return Value::unknown();
  }
  const bool is_method =
      is_tensor(python, object) && python.knowledge_.method(python.text_of(name)) != nullptr;
  if (is_method) return Value::boolean(true);
  const bool has_slots =
      object.is(Kind::instance) || object.is(Kind::module) || object.is(Kind::class_);
  if (!has_slots) return Value::unknown();
  if (const Value type = python.object_of(object).target;
      object.is(Kind::instance) && type.is(Kind::external)) {
    python.observe_name(python.names_.dotted(type.id, name), ObservationKind::name_asked, site);
  }
  if (!python.get(object.id, name).is(Kind::absent)) return Value::boolean(true);
  if (object.is(Kind::module)) return Value::unknown();
  const Value class_value = object.is(Kind::instance) ? python.object_of(object).target : object;
  if (!python.find_in_class(class_value, name).is(Kind::absent)) return Value::boolean(true);
  const bool open =
      python.has_unknown_base(class_value) ||
      !python.find_in_class(class_value, python.intern("__getattr__")).is(Kind::absent) ||
      python.derives_from(class_value, "torch.nn.Module");
  return open ? Value::unknown() : Value::boolean(false);
}

Value get_attribute(Interpreter& python, const Arguments& arguments, Place site) {
  if (!arguments.at(1).is(Kind::string)) return Value::unknown();
  if (arguments.positional.size() > 2) {
    const Value has = has_attribute(python, arguments, site);
    if (has.is(Kind::boolean) && has.payload == 0) return arguments.at(2);
  }
  return python.attribute(arguments.at(0), arguments.at(1).id, site);
}

Value set_attribute(Interpreter& python, const Arguments& arguments, Place site) {
  if (arguments.at(1).is(Kind::string)) {
    python.assign_attribute(arguments.at(0), arguments.at(1).id, arguments.at(2), site);
  } else if (arguments.at(0).is(Kind::instance)) {
    python.set(arguments.at(0).id, Interpreter::any_attribute, Value::boolean(true));
  }
  return Value::none();
}

Value callable(Interpreter&, const Arguments& arguments, Place) {
  switch (arguments.at(0).kind) {
    case Kind::function:
    case Kind::bound_method:
    case Kind::class_: return Value::boolean(true);
    case Kind::none:
    case Kind::integer:
    case Kind::string: return Value::boolean(false);
    default: return Value::unknown();
  }
}

/// Of one type, or of one among several.
Value is_instance(Interpreter& python, const Arguments& arguments, Place place) {
  const Value value = arguments.at(0);
  const Value type = arguments.at(1);
  std::vector<Value> types;
  if (type.is(Kind::tuple) && python.items_of(type, types)) {
    bool is_one = false;
    for (const Value each : types) {
      Arguments single;
      single.positional = {value, each};
      const Value answer = is_instance(python, single, place);
      is_one = is_one || (answer.is(Kind::boolean) && answer.payload != 0);
    }
    return is_one ? Value::boolean(true) : Value::unknown();
  }
  if (!type.is(Kind::external)) return Value::unknown();
  const std::string_view name = python.text_of(type.id);
  if (is_tensor(python, value)) {
    for (const knowledge::CallRow* row : python.rows_named(type.id)) {
      if (row->every_tensor) return Value::boolean(true);
      // What was computed is no parameter, and has no graph cut off either.
      const bool is_leaf = row->graph == knowledge::GraphEffect::leaf;
      if (is_leaf && value.has_graph()) return Value::boolean(false);
    }
  }
  switch (value.kind) {
    case Kind::string: return Value::boolean(name == "str");
    case Kind::integer: return Value::boolean(name == "int");
    case Kind::boolean: return Value::boolean(name == "bool" || name == "int");
    case Kind::real: return Value::boolean(name == "float");
    case Kind::dict: return name == "dict" ? Value::boolean(true) : Value::unknown();
    case Kind::list: return Value::boolean(name == "list");
    case Kind::none: return Value::boolean(false);
    default: return Value::unknown();
  }
}

Value is_class(Interpreter& python, const Arguments& arguments, Place) {
  const Value value = arguments.at(0);
  if (value.is(Kind::class_)) return Value::boolean(true);
  const bool is_own = value.is(Kind::instance) && python.object_of(value).target.is(Kind::class_);
  return is_own || value.is(Kind::function) || value.is(Kind::string) ? Value::boolean(false)
                                                                      : Value::unknown();
}

Value super(Interpreter& python, const Arguments& arguments, Place) {
  Object made;
  if (arguments.positional.size() == 2) {
    made.target = arguments.at(0);
    made.receiver = arguments.at(1);
  } else {
    for (size_t i = python.frames_.size(); i-- > 0;) {
      const Frame& frame = python.frames_[i];
      if (frame.function == 0 || python.objects_[frame.function].owner == 0) continue;
      made.target = Value::object(Kind::class_, python.objects_[frame.function].owner);
      const model::Range parameters = frame.definition->parameters;
      if (parameters.empty()) return Value::unknown();
      made.receiver = python.get(frame.scope, frame.code->parameters[parameters.begin].name);
      break;
    }
  }
  if (!made.target.is(Kind::class_)) return Value::unknown();
  return Value::object(Kind::super, python.new_object(std::move(made)));
}

/// `type(object)`, or a class made of a name, its bases and its attributes.
Value type_of(Interpreter& python, const Arguments& arguments, Place) {
  const Value first = arguments.at(0);
  if (arguments.positional.size() == 1) {
    return first.is(Kind::instance) ? python.object_of(first).target : Value::unknown();
  }
  Object made;
  const Value attributes = arguments.at(2);
  if (!first.is(Kind::string) || !attributes.is(Kind::dict)) return Value::unknown();
  if (!python.items_of(arguments.at(1), made.values)) return Value::unknown();
  made.name = first.id;
  const Value class_value = Value::object(Kind::class_, python.new_object(std::move(made)));
  const std::vector<uint32_t> names = python.object_of(attributes).slot_names;
  for (const uint32_t name : names)
    python.set(class_value.id, name, python.get(attributes.id, name));
  return class_value;
}

constexpr LibraryFunction table[] = {
    {"hasattr", has_attribute}, {"getattr", get_attribute},  {"setattr", set_attribute},
    {"callable", callable},     {"isinstance", is_instance}, {"inspect.isclass", is_class},
    {"super", super},           {"type", type_of},           {"torch.is_tensor", is_a_tensor},
};

}  // namespace

std::span<const LibraryFunction> type_functions() { return table; }

}  // namespace vramlint::replay
