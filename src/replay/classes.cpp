// SPDX-License-Identifier: MIT
#include <algorithm>

#include "frontends/python.h"
#include "replay/guards.h"
#include "replay/interpreter.h"
#include "replay/library.h"

namespace vramlint::replay {
namespace {

constexpr int max_bases = 12;
/// Classes looked at for one attribute; bounds hierarchies that nobody writes by hand.
constexpr int max_looked_at = 60;

}  // namespace

void Interpreter::define_class(const model::Code& code, model::ClassId id) {
  const model::Class& definition = code.classes[id];
  Object made;
  made.file = frame().file;
  made.file_index = frame().file_index;
  made.code = &code;
  made.node = id;
  made.scope = definition_scope();
  made.home = objects_[frame().scope].home;
  made.name = definition.name;
  const Value class_value = Value::object(Kind::class_, new_object(std::move(made)));
  force_class(class_value);
  if (stopped()) return;
  bind(definition.name, decorated(code, definition.decorators, class_value));
}

/// Runs the body of a class, once: when it is defined, or, for one whose body plainly does nothing,
/// when it is first used.
void Interpreter::force_class(Value class_value) {
  const uint32_t forced = item_bit;  // no attribute has this name
  if (!get(class_value.id, forced).is(Kind::absent)) return;
  if (class_value.id < shared_objects_) {
    if (!sharing_.empty() && force_for_all(class_value)) return;
    if (sharing_.empty()) forced_by_entry_.push_back(class_value);
  }
  run_class_body(class_value);
}

void Interpreter::run_class_body(Value class_value) {
  set(class_value.id, item_bit, Value::boolean(true));
  if (object_of(class_value).file == nullptr) return;  // made by `type(name, bases, attributes)`
  const model::Code& code = *lowered(class_value);
  const Object object = object_of(class_value);
  if (object.node >= code.classes.size()) return;
  const model::Class& definition = code.classes[object.node];
  Frame body;
  body.scope = class_value.id;
  body.file = object.file;
  body.file_index = object.file_index;
  body.code = &code;
  body.call_site = frame().call_site;
  body.token = next_token_++;
  body.scope = object.scope;
  frames_.push_back(body);
  const Arguments bases = evaluate_arguments(code, definition.bases);
  object_of(class_value).values = bases.positional;
  frame().scope = class_value.id;
  frame().class_scope = class_value.id;
  if (!stopped()) execute(code, definition.body);
  frames_.pop_back();
  if (!stopped()) announce_subclass(class_value, bases);
}

/// Runs `__init_subclass__` of the first base that has one.
void Interpreter::announce_subclass(Value class_value, const Arguments& bases) {
  for (const Value base : bases.positional) {
    const Value hook = find_in_class(base, intern("__init_subclass__"));
    if (!hook.is(Kind::function)) continue;
    Arguments arguments;
    arguments.positional.push_back(class_value);
    arguments.keywords = bases.keywords;
    call_function(hook, arguments, frame().call_site);
    return;
  }
}

/// The classes in which attributes are looked up, in order: bases from left to right, each before
/// those that several of them share.
void Interpreter::linearize(Value class_value, std::vector<Value>& order, int& budget) {
  if (!class_value.is(Kind::class_) || --budget < 0) return;
  force_class(class_value);
  const auto seen = std::find_if(order.begin(), order.end(),
                                 [&](Value known) { return known.same_as(class_value); });
  if (seen != order.end()) order.erase(seen);
  order.push_back(class_value);
  const std::vector<Value> bases = object_of(class_value).values;
  for (const Value base : bases) linearize(base, order, budget);
}

/// `after`: look only behind that class, as `super()` does.
Value Interpreter::find_in_class(Value class_value, model::NameId name, Value after) {
  if (class_value.is(Kind::class_) && after.is(Kind::absent)) {
    force_class(class_value);
    const Value own = get(class_value.id, name);
    if (!own.is(Kind::absent)) return own;
  }
  std::vector<Value> order;
  int budget = max_looked_at;
  linearize(class_value, order, budget);
  bool reached = after.is(Kind::absent);
  for (const Value step : order) {
    const Value own = reached ? get(step.id, name) : Value();
    if (!own.is(Kind::absent)) return own;
    reached = reached || step.same_as(after);
  }
  return {};
}

bool Interpreter::derives_from(Value class_value, std::string_view dotted, int depth) {
  if (class_value.is(Kind::external)) return text_of(class_value.id) == dotted;
  if (!class_value.is(Kind::class_) || depth > max_bases || !spend()) return false;
  force_class(class_value);
  const std::vector<Value> bases = object_of(class_value).values;
  for (const Value base : bases) {
    if (derives_from(base, dotted, depth + 1)) return true;
  }
  return false;
}

/// Members of an enumeration are kept as their values.
bool Interpreter::is_enumeration(Value class_value) {
  for (const std::string_view base : {"enum.Enum", "enum.IntEnum", "enum.StrEnum"}) {
    if (derives_from(class_value, base)) return true;
  }
  return false;
}

/// Whether a class may have attributes that nobody in sight defined.
bool Interpreter::has_unknown_base(Value class_value, int depth) {
  if (!class_value.is(Kind::class_) || depth > max_bases || !spend()) return true;
  force_class(class_value);
  const std::vector<Value> bases = object_of(class_value).values;
  for (const Value base : bases) {
    if (base.is(Kind::class_)) {
      if (has_unknown_base(base, depth + 1)) return true;
      continue;
    }
    if (!base.is(Kind::external)) return true;
    const std::string_view name = text_of(base.id);
    const bool plain = name == "object" || name == "abc.ABC" || name == "torch.nn.Module" ||
                       name.starts_with("typing.");
    if (!plain) return true;
  }
  return false;
}

Value Interpreter::instantiate(Value class_value, const Arguments& arguments, Place site) {
  force_class(class_value);
  if (stopped()) return Value::unknown();
  const Object& definition = object_of(class_value);
  const bool is_written =
      definition.code != nullptr && definition.node < definition.code->classes.size();
  if (is_written) called_.insert(&definition.code->classes[definition.node]);
  if (is_enumeration(class_value))
    return arguments.at(0).is(Kind::absent) ? Value::unknown() : arguments.at(0);
  Object made;
  made.target = class_value;
  made.name = object_of(class_value).name;
  made.arguments = arguments;
  const Value instance = Value::object(Kind::instance, new_object(std::move(made)));
  const Value initializer = find_in_class(class_value, intern("__init__"));
  if (initializer.is(Kind::function)) {
    Arguments all = arguments;
    all.positional.insert(all.positional.begin(), instance);
    call_function(initializer, all, site);
  } else {
    fill_fields(instance, class_value, arguments, site);
    const Value after = find_in_class(class_value, intern("__post_init__"));
    Arguments all;
    all.positional.push_back(instance);
    if (after.is(Kind::function)) call_function(after, all, site);
  }
  return stopped() ? Value::unknown() : instance;
}

/// The attributes of a data class or named tuple, from the arguments or by their defaults. A field
/// is what the class body gives a value or a type; a bare annotation counts as one without a
/// default.
void Interpreter::fill_fields(Value instance, Value class_value, const Arguments& arguments,
                              Place site) {
  const std::vector<uint32_t> names = object_of(class_value).slot_names;
  size_t position = 0;
  for (const uint32_t name : names) {
    const Value preset = get(class_value.id, name);
    if (preset.is(Kind::function) || preset.is(Kind::class_) || preset.is(Kind::absent)) continue;
    const Value given = position < arguments.positional.size() ? arguments.positional[position++]
                                                               : arguments.named(name, -1);
    if (!given.is(Kind::absent)) {
      set(instance.id, name, given);
    } else if (preset.is(Kind::instance) &&
               derives_from(object_of(preset).target, "dataclasses.field")) {
      const Arguments field = object_of(preset).arguments;
      const Value factory = field.named(intern("default_factory"), -1);
      const Value made =
          factory.is(Kind::absent) ? field.named(intern("default"), -1) : call(factory, {}, site);
      if (stopped()) return;
      set(instance.id, name, made.is(Kind::absent) ? Value::unknown() : made);
    }
  }
  for (const Arguments::Keyword& keyword : arguments.keywords)
    set(instance.id, keyword.name, keyword.value);
}

Value Interpreter::call_instance(Value instance, const Arguments& arguments, Place site) {
  const Value class_value = object_of(instance).target;
  if (class_value.is(Kind::external)) {
    return call_external_method(instance, intern("__call__"), arguments, site);
  }
  for (const std::string_view name : {"__call__", "forward"}) {
    const Value method = find_in_class(class_value, intern(name));
    if (!method.is(Kind::function)) continue;
    if (name == "forward") note_model_called();
    return call_instance_method(instance, intern(name), arguments, site);
  }
  return supposed(arguments, instance, site);
}

void Interpreter::enter_context(Value manager, Place place,
                                const std::function<void(Value)>& body) {
  switch (manager.kind) {
    case Kind::generator: {
      // A block that is left early resumes the generator as well, and only then goes where it
      // wanted.
      Abrupt pending;
      const std::function<void(Value)> entered = [&](Value value) {
        body(value);
        const Completion end = abrupt_.kind;
        const bool left = end == Completion::returned || end == Completion::broken ||
                          end == Completion::continued;
        if (left) pending = std::exchange(abrupt_, {});
      };
      const std::function<void(Value)> consume = for_consumer(entered);
      call_deferred(manager, place, &consume);
      if (!stopped()) abrupt_ = pending;
      return;
    }
    case Kind::device: {
      const Value before = get(process_state_, intern("default device"));
      set(process_state_, intern("default device"), manager);
      Arguments named;
      named.positional = {manager};
      observe_device(manager.as_device(), knowledge::DeviceFrom::argument, "device", 0, {}, named,
                     place);
      body(Value::none());
      return set(process_state_, intern("default device"), before);
    }
    case Kind::instance:
      if (object_of(manager).target.is(Kind::external)) return enter_external(manager, place, body);
      return enter_instance(manager, place, body);
    default: return body(manager.is(Kind::tensor) ? manager : Value::unknown());
  }
}

void Interpreter::enter_instance(Value manager, Place place,
                                 const std::function<void(Value)>& body) {
  Value entered = Value::unknown();
  for (const std::string_view name : {"__enter__", "__aenter__"}) {
    if (!find_in_class(object_of(manager).target, intern(name)).is(Kind::function)) continue;
    entered = call_instance_method(manager, intern(name), {}, place);
    if (entered.is(Kind::coroutine)) entered = call_deferred(entered, place, nullptr);
    break;
  }
  if (stopped()) return;
  body(entered);
  const Abrupt pending = std::exchange(abrupt_, {});
  if (pending.kind != Completion::dead && pending.kind != Completion::suspended) {
    Arguments nothing;
    nothing.positional = {Value::none(), Value::none(), Value::none()};
    for (const std::string_view name : {"__exit__", "__aexit__"}) {
      if (!find_in_class(object_of(manager).target, intern(name)).is(Kind::function)) continue;
      const Value left = call_instance_method(manager, intern(name), nothing, place);
      if (left.is(Kind::coroutine)) call_deferred(left, place, nullptr);
      break;
    }
  }
  if (!stopped()) abrupt_ = pending;
}

void Interpreter::enter_external(Value manager, Place place,
                                 const std::function<void(Value)>& body) {
  const Object object = object_of(manager);
  if (const std::optional<Guards> guards = guards_of_context(*this, manager))
    return run_guarded(*this, *guards, [&] { body(Value::unknown()); });
  Value made;
  apply_rows(object.target.id, knowledge::Trigger::enter, object.arguments, place, manager, made);
  contexts_.push_back(text_of(object.target.id));
  const Gradients outside = gradients_;
  if (const Gradients mode = gradients_by(object.target.id, object.arguments);
      mode != Gradients::inherited && gradients_ != Gradients::inference) {
    gradients_ = mode;
  }
  if (!stopped()) body(manager);
  gradients_ = outside;
  leave_gradients(manager);
  contexts_.pop_back();
  const LibraryMethod* leave =
      library_method(text_of(names_.dotted(object.target.id, intern("__exit__"))));
  if (leave == nullptr || abrupt_.kind == Completion::dead) return;
  const Abrupt pending = std::exchange(abrupt_, {});
  leave->run(*this, manager, {}, place);
  if (!stopped()) abrupt_ = pending;
}

}  // namespace vramlint::replay
