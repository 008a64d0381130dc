// SPDX-License-Identifier: MIT
//
// A call of a project function runs its body in place. A call that was made before, of the same
// function with the same arguments in the same state, and that changed nothing, is not run again:
// that keeps a helper called from everywhere from being paid for everywhere.
#include <algorithm>

#include "frontends/python.h"
#include "replay/interpreter.h"
#include "replay/keeping.h"
#include "replay/library.h"

namespace vramlint::replay {
namespace {

constexpr int max_recursion = 2;
/// … unless it counts down, say: a call whose arguments are known comes to an end.
constexpr int max_known_recursion = 16;

/// Versions, kinds and ids are small numbers: each must be spread before the next comes in, or a
/// version and an id that trade places make the same key.
void mix(uint64_t& hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
  hash ^= hash >> 32;
}

void mix(uint64_t& hash, Value value) {
  const auto certainty = static_cast<uint64_t>(value.certainty);
  mix(hash, certainty << 48 | static_cast<uint64_t>(value.kind) << 40 | value.id);
  if (!value.is(Kind::string)) mix(hash, value.payload);
  mix(hash, value.graph);
}

bool is_known(Value value) {
  return value.certainty == Certainty::yes && !value.is(Kind::unknown) &&
         !value.is(Kind::any_string);
}

/// `forward` and `backward` of an operation of one's own: gradients are off in both.
bool is_pass(Interpreter& python, const Object& function, std::string_view name) {
  return function.owner != 0 && (name == "forward" || name == "backward") &&
         is_autograd_function(python, function.owner);
}

}  // namespace

Value Interpreter::function_value(const model::Code& code, model::FunctionId id) {
  const model::Function& definition = code.functions[id];
  Object made;
  made.file = frame().file;
  made.file_index = frame().file_index;
  const bool is_here = definition.elsewhere == model::no_node;
  made.code = is_here ? &code : nullptr;
  made.node = is_here ? id : definition.elsewhere;
  made.scope = definition_scope();
  made.home = objects_[frame().scope].home;
  made.owner = frame().class_scope;
  made.name = definition.name;
  const ObjectId object = new_object(std::move(made));
  for (uint32_t i = definition.parameters.begin; i < definition.parameters.end; ++i) {
    const model::Parameter& parameter = code.parameters[i];
    if (parameter.preset == model::no_node) continue;
    set(object, parameter.name, evaluate(code, parameter.preset));
  }
  return Value::object(Kind::function, object);
}

/// Where names of a definition in the present frame are looked up: the bodies of classes are passed
/// over. The scope stays alive with the definition.
ObjectId Interpreter::definition_scope() {
  const ObjectId scope = frame().class_scope != 0 ? objects_[frame().scope].scope : frame().scope;
  for (ObjectId outer = scope; outer != 0 && !objects_[outer].captured;
       outer = objects_[outer].scope) {
    objects_[outer].captured = true;
  }
  return scope;
}

void Interpreter::define_function(const model::Code& code, model::FunctionId id) {
  const model::Function& definition = code.functions[id];
  const Value value = decorated(code, definition.decorators, function_value(code, id));
  if (!stopped()) bind(definition.name, value);
}

Value Interpreter::decorated(const model::Code& code, model::Range decorators, Value definition) {
  for (uint32_t i = decorators.end; i-- > decorators.begin && !stopped();) {
    const model::ExprId id = code.expr_lists[i];
    const Value decorator = evaluate(code, id);
    if (stopped()) break;
    Arguments arguments;
    arguments.positional.push_back(definition);
    if (const auto* attribute = std::get_if<model::Attribute>(&code.exprs[id].node)) {
      // `@name.setter` keeps the property that reads.
      const std::string_view word = text_of(attribute->name);
      if (word == "setter" || word == "deleter") {
        const Value property = evaluate(code, attribute->object);
        if (property.is(Kind::function) && word == "setter")
          set(property.id, intern("setter()"), definition);
        definition = property;
        continue;
      }
    }
    const Value made = call(decorator, arguments, place_of(code.exprs[id].span));
    // A decorator that nothing is known about gives something that can be called in its place.
    const bool followed = made.is(Kind::function) || made.is(Kind::bound_method) ||
                          made.is(Kind::class_) ||
                          (made.is(Kind::instance) && object_of(made).target.is(Kind::class_));
    if (followed) definition = made;
  }
  return definition;
}

/// The nodes of a definition; most are parsed here, when they are first needed.
const model::Code* Interpreter::lowered(Value definition) {
  Object& object = object_of(definition);
  if (object.code != nullptr) return object.code;
  if (object.file == nullptr) {
    // Made by a call such as `type(name, bases, members)`: there is no text behind it.
    static const model::Code nothing;
    object.node = model::no_node;
    return object.code = &nothing;
  }
  const model::Code& code =
      frontends::code_of(object.file->program, object.node, names_, object.file->kept);
  object.code = &code;
  object.node = model::no_node;
  for (uint32_t i = code.statements.begin; i < code.statements.end; ++i) {
    const model::StmtNode& statement = code.stmts[code.stmt_lists[i]].node;
    if (const auto* function = std::get_if<model::DefineFunction>(&statement)) {
      object.node = function->function;
    } else if (const auto* made = std::get_if<model::DefineClass>(&statement)) {
      object.node = made->id;
    }
  }
  return &code;
}

Value Interpreter::call(Value callee, const Arguments& arguments, Place site) {
  const Nested nested(*this);
  if (stopped() || !nested.bounded()) return Value::unknown();
  switch (callee.kind) {
    case Kind::function: return call_function(callee, arguments, site);
    case Kind::bound_method: {
      const Value function = object_of(callee).target;
      if (function.is(Kind::external) && library_function(text_of(function.id)) == nullptr) {
        if (const LibraryMethod* method = library_method(text_of(function.id)))
          return method->run(*this, object_of(callee).receiver, arguments, site);
      }
      Arguments all = arguments;
      all.positional.insert(all.positional.begin(), object_of(callee).receiver);
      return call(function, all, site);
    }
    case Kind::class_: return instantiate(callee, arguments, site);
    case Kind::external: return call_external(callee.id, arguments, site);
    case Kind::instance: return call_instance(callee, arguments, site);
    default: break;
  }
  run_through(arguments, site);
  return supposed(arguments, callee, site);
}

/// What nothing is known about most often goes through the generator expressions that it is given.
void Interpreter::run_through(const Arguments& arguments, Place site) {
  for (const Value argument : arguments.positional) {
    if (!argument.is(Kind::generator) || object_of(argument).expression == nullptr) continue;
    iterate(
        argument, [](Value) {}, site);
  }
}

Value Interpreter::call_function(Value function, const Arguments& arguments, Place site) {
  if (child_scope_ != 0) function = own_copy(function);
  const model::Code* code = lowered(function);
  Object& object = object_of(function);
  if (object.node >= code->functions.size()) return Value::unknown();
  const model::Function& definition = code->functions[object.node];
  called_.insert(&definition);
  if (definition.is_generator || definition.is_async) {
    Object deferred;
    deferred.target = function;
    deferred.arguments = arguments;
    const bool manager = object.role == FunctionRole::context_manager;
    deferred.role = object.role;
    const Kind kind = definition.is_generator || manager ? Kind::generator : Kind::coroutine;
    return Value::object(kind, new_object(std::move(deferred)));
  }
  return run_function(function, arguments, site, nullptr);
}

Value Interpreter::call_deferred(Value deferred, Place site,
                                 const std::function<void(Value)>* on_yield) {
  if (object_of(deferred).expression != nullptr) {
    if (on_yield != nullptr) run_generator_expression(deferred, site, *on_yield);
    return Value::none();
  }
  const Value function = object_of(deferred).target;
  const Arguments arguments = object_of(deferred).arguments;
  if (!function.is(Kind::function)) return call(function, arguments, site);
  return run_function(function, arguments, site, on_yield);
}

Value Interpreter::run_function(Value function, const Arguments& arguments, Place site,
                                const std::function<void(Value)>* on_yield) {
  const model::Code& code = *lowered(function);
  const Object object = object_of(function);
  const model::Function& definition = code.functions[object.node];
  const auto recursion = std::count_if(frames_.begin(), frames_.end(), [&](const Frame& frame) {
    return frame.definition == &definition;
  });
  const bool known =
      !arguments.open && !arguments.positional.empty() &&
      std::all_of(arguments.positional.begin(), arguments.positional.end(), is_known);
  const int deepest = known ? max_known_recursion : max_recursion;
  if (frames_.size() >= max_frames || recursion >= deepest) return Value::unknown();

  uint64_t memo = 0;
  mix(memo, store_.version());
  mix(memo, function);
  for (const Value value : arguments.positional) mix(memo, value);
  for (const Arguments::Keyword& keyword : arguments.keywords) {
    mix(memo, keyword.name);
    mix(memo, keyword.value);
  }
  mix(memo, moments_.process);
  mix(memo, static_cast<uint64_t>(gradients_));
  const bool may_remember = on_yield == nullptr && !arguments.open && probing_ == 0;
  if (may_remember) {
    if (const auto found = memo_.find(memo); found != memo_.end()) return found->second;
  }
  // What a helper of another module does the program knows after a few calls of it.
  const bool is_helper = sharing_.empty() && object.file->path != entry_;
  if (is_helper) {
    Looked& looked = looked_[{&definition, probing_ > 0}];
    if (looked.calls >= max_looks) return looked.result;
    ++looked.calls;
  }
  const uint64_t version = store_.version();
  const size_t observed = timeline_.observations.size();

  const Store::Mark mark = store_.mark();
  const ObjectId scope = new_scope(object.scope);
  objects_[scope].home = object.home;
  Frame made;
  made.scope = scope;
  made.function = function.id;
  made.file = object.file;
  made.file_index = object.file_index;
  made.code = &code;
  made.definition = &definition;
  made.on_yield = on_yield;
  made.call_site = site;
  made.token = next_token_++;
  const ObjectId floor = store_.enter(scope);
  frames_.push_back(made);
  bind_parameters(function, code, definition, arguments);
  const Gradients outside = gradients_;
  // Under `inference_mode()` graphs stay off, whatever turns them on.
  if (is_pass(*this, object, text_of(definition.name))) {
    if (gradients_ != Gradients::inference) gradients_ = Gradients::off;
  } else if (object.gradients != 0 && gradients_ != Gradients::inference) {
    gradients_ = static_cast<Gradients>(object.gradients);
  }
  open_region({Completion::returned});
  if (definition.expression != model::no_node) {
    const Value value = evaluate(code, definition.expression);
    if (!stopped()) abrupt_ = {Completion::returned, value};
  } else {
    execute(code, definition.body);
  }
  Value result = close_region();
  gradients_ = outside;
  frames_.pop_back();
  store_.leave(floor);
  if (!objects_[scope].captured) store_.forget(scope, mark);
  if (stopped()) return Value::unknown();
  if (result.is(Kind::absent)) result = Value::none();
  if (object.remembers) watch_result(*this, function, arguments, result);
  const bool changed_nothing =
      store_.version() == version && timeline_.observations.size() == observed;
  const bool is_fresh =
      result.id >= scope && result.kind != Kind::string && result.kind != Kind::external;
  if (may_remember && changed_nothing && !is_fresh && result.graph == 0) memo_[memo] = result;
  if (is_helper && !is_fresh && result.graph == 0)
    looked_[{&definition, probing_ > 0}].result = result;
  return result;
}

/// The default of a parameter. Those of a function that was bound unparsed are evaluated when they
/// are needed: nothing in them can act.
Value Interpreter::preset_of(Value function, const model::Code& code,
                             const model::Parameter& parameter) {
  const Value kept = get(function.id, parameter.name);
  if (!kept.is(Kind::absent)) return kept;
  if (parameter.preset == model::no_node) return Value::unknown();
  Frame definition = frame();
  definition.scope = object_of(function).scope;
  definition.definition = nullptr;
  frames_.push_back(definition);
  const Value preset = evaluate(code, parameter.preset);
  frames_.pop_back();
  // `def record(value, store=[])`: one list for all calls.
  if (preset.is(Kind::list) || preset.is(Kind::dict) || preset.is(Kind::set))
    set(function.id, parameter.name, preset);
  return preset;
}

void Interpreter::bind_parameters(Value function, const model::Code& code,
                                  const model::Function& definition, const Arguments& arguments) {
  const ObjectId scope = frame().scope;
  charge(size_t{definition.parameters.size()} * arguments.keywords.size() / 16);
  if (!spend()) return;
  size_t position = 0;
  std::vector<model::NameId> taken;
  for (uint32_t i = definition.parameters.begin; i < definition.parameters.end; ++i) {
    const model::Parameter& parameter = code.parameters[i];
    switch (parameter.kind) {
      case model::ParameterKind::star: {
        std::vector<Value> rest;
        while (position < arguments.positional.size())
          rest.push_back(arguments.positional[position++]);
        set(scope, parameter.name,
            arguments.open ? Value::unknown() : make_list(rest, Kind::tuple));
        continue;
      }
      case model::ParameterKind::double_star: {
        const Value dict = make_dict();
        for (const Arguments::Keyword& keyword : arguments.keywords) {
          if (std::find(taken.begin(), taken.end(), keyword.name) != taken.end()) continue;
          dict_set(dict, Value::string(keyword.name), keyword.value);
        }
        if (arguments.open) open_dict(dict);
        set(scope, parameter.name, dict);
        continue;
      }
      case model::ParameterKind::positional:
      case model::ParameterKind::keyword_only: break;
    }
    Value value;
    if (parameter.kind == model::ParameterKind::positional &&
        position < arguments.positional.size()) {
      value = arguments.positional[position++];
    } else {
      value = arguments.named(parameter.name, -1);
      if (!value.is(Kind::absent)) taken.push_back(parameter.name);
    }
    if (value.is(Kind::absent)) {
      value = arguments.open ? Value::unknown() : preset_of(function, code, parameter);
    }
    set(scope, parameter.name, value);
  }
}

}  // namespace vramlint::replay
