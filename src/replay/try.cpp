// SPDX-License-Identifier: MIT
//
// A program is assumed to run as it was meant to: a call that nothing is known about does not
// raise. What is written (`raise`, an import of something that may not be installed, a conversion
// of a text that is no number) does, and its handlers run. Handlers that nothing reaches are looked
// at beside the program; what they do there has no effect on what follows.
#include <array>

#include "replay/interpreter.h"

namespace vramlint::replay {

using model::Code;

namespace {

constexpr size_t max_outcomes = 12;

struct BuiltinException {
  std::string_view name;
  std::string_view parent;
};

/// The part of Python's hierarchy of exceptions that handlers name.
constexpr std::array<BuiltinException, 26> exceptions = {{
    {"BaseException", ""},
    {"Exception", "BaseException"},
    {"SystemExit", "BaseException"},
    {"KeyboardInterrupt", "BaseException"},
    {"GeneratorExit", "BaseException"},
    {"ArithmeticError", "Exception"},
    {"ZeroDivisionError", "ArithmeticError"},
    {"AssertionError", "Exception"},
    {"AttributeError", "Exception"},
    {"ImportError", "Exception"},
    {"ModuleNotFoundError", "ImportError"},
    {"LookupError", "Exception"},
    {"IndexError", "LookupError"},
    {"KeyError", "LookupError"},
    {"MemoryError", "Exception"},
    {"NameError", "Exception"},
    {"OSError", "Exception"},
    {"FileNotFoundError", "OSError"},
    {"PermissionError", "OSError"},
    {"TimeoutError", "OSError"},
    {"RuntimeError", "Exception"},
    {"NotImplementedError", "RuntimeError"},
    {"RecursionError", "RuntimeError"},
    {"StopIteration", "Exception"},
    {"TypeError", "Exception"},
    {"ValueError", "Exception"},
}};

const BuiltinException* builtin_exception(std::string_view name) {
  if (name == "EnvironmentError" || name == "IOError") name = "OSError";
  for (const BuiltinException& exception : exceptions) {
    if (exception.name == name) return &exception;
  }
  return nullptr;
}

}  // namespace

Interpreter::Truth Interpreter::is_subclass(Value raised, Value caught) {
  const Nested nested(*this);
  if (!nested.bounded() || !spend()) return Truth::unknown;
  if (caught.is(Kind::tuple)) {
    std::vector<Value> items;
    if (!items_of(caught, items)) return Truth::unknown;
    Truth any = Truth::no;
    for (const Value item : items) {
      const Truth one = is_subclass(raised, item);
      if (one == Truth::yes) return one;
      if (one == Truth::unknown) any = one;
    }
    return any;
  }
  const BuiltinException* wanted =
      caught.is(Kind::external) ? builtin_exception(text_of(caught.id)) : nullptr;
  if (wanted != nullptr && wanted->name == "BaseException") return Truth::yes;
  if (raised.is(Kind::class_)) {
    if (raised.same_as(caught)) return Truth::yes;
    force_class(raised);
    const std::vector<Value> bases = object_of(raised).values;
    Truth any = Truth::no;
    for (const Value base : bases) {
      const Truth one = is_subclass(base, caught);
      if (one != Truth::no) any = one;
      if (one == Truth::yes) return one;
    }
    return any;
  }
  if (!raised.is(Kind::external)) return Truth::unknown;
  const BuiltinException* known_raise = builtin_exception(text_of(raised.id));
  if (known_raise == nullptr) {
    if (raised.same_as(caught)) return Truth::yes;
    return wanted != nullptr && wanted->name == "Exception" ? Truth::yes : Truth::unknown;
  }
  if (wanted == nullptr)
    return caught.is(Kind::external) || caught.is(Kind::class_) ? Truth::no : Truth::unknown;
  for (const BuiltinException* step = known_raise; step != nullptr;
       step = builtin_exception(step->parent)) {
    if (step == wanted) return Truth::yes;
  }
  return Truth::no;
}

Interpreter::Truth Interpreter::is_caught(const Code& code, const model::Handler& handler,
                                          Value raised) {
  if (handler.type == model::no_node) return Truth::yes;
  return is_subclass(raised, evaluate(code, handler.type));
}

void Interpreter::execute_try(const Code& code, const model::Try& statement) {
  const Store::Mark mark = store_.mark();
  const MomentValues before = moment_values();
  const Guards guards = guards_of(code, statement);
  observe_caught(code, statement, guards);
  open_region({Completion::raised});
  regions_.back().guards = guards;
  execute(code, statement.body);
  Region region = std::move(regions_.back());
  regions_.pop_back();

  if (region.paths.empty() && abrupt_.kind != Completion::raised) {
    observe_handlers(code, statement, before);
    if (!stopped()) execute(code, statement.otherwise);
  } else {
    std::vector<Region::Path> outcomes;
    if (abrupt_.kind == Completion::raised) {
      region.paths.push_back({std::exchange(abrupt_, {}), store_.changes_since(mark)});
    } else {
      if (!stopped()) execute(code, statement.otherwise);
      outcomes.push_back({std::exchange(abrupt_, {}), store_.changes_since(mark)});
    }
    store_.undo_to(mark);
    for (Region::Path& path : region.paths) {
      if (outcomes.size() >= max_outcomes) break;
      run_handlers(code, statement, std::move(path), outcomes, mark);
    }
    combine(outcomes, mark);
  }

  // An iterator that waits to be asked again has not left the block.
  const bool stays = abrupt_.kind == Completion::dead || abrupt_.kind == Completion::suspended;
  if (statement.finally.empty() || stays) return;
  const Abrupt pending = std::exchange(abrupt_, {});
  execute(code, statement.finally);
  if (!stopped()) abrupt_ = pending;
}

namespace {

/// `pass`, `...`, a text: nothing is done about what was caught.
bool does_nothing(const Code& code, model::Range body) {
  for (uint32_t i = body.begin; i < body.end; ++i) {
    const model::StmtNode& node = code.stmts[code.stmt_lists[i]].node;
    const auto* expression = std::get_if<model::Evaluate>(&node);
    const bool is_text = expression != nullptr &&
                         std::holds_alternative<model::String>(code.exprs[expression->value].node);
    if (!is_text && !std::holds_alternative<model::Pass>(node)) return false;
  }
  return true;
}

}  // namespace

Guards Interpreter::guards_of(const Code& code, const model::Try& statement) {
  const Value runtime = Value::external(intern("RuntimeError"));
  const Value attribute = Value::external(intern("AttributeError"));
  Guards guards;
  for (uint32_t i = statement.handlers.begin; i < statement.handlers.end && !stopped(); ++i) {
    const model::Handler& handler = code.handlers[i];
    const bool catches_name = is_caught(code, handler, attribute) == Truth::yes;
    guards.runtime_error |= is_caught(code, handler, runtime) == Truth::yes;
    guards.silent |= catches_name && !guards.attribute_error && does_nothing(code, handler.body);
    guards.attribute_error |= catches_name;
  }
  return guards;
}

void Interpreter::execute_handler(const Code& code, const model::Handler& handler) {
  Value type;
  if (handler.type != model::no_node) type = evaluate(code, handler.type);
  if (handler.alias != 0) bind(handler.alias, Value::unknown());
  handling_.push_back(type.is(Kind::external) ? text_of(type.id) : std::string_view());
  if (!stopped()) execute(code, handler.body);
  handling_.pop_back();
}

/// Runs the handler that catches what ended `path`, or each that may.
void Interpreter::run_handlers(const Code& code, const model::Try& statement, Region::Path path,
                               std::vector<Region::Path>& outcomes, Store::Mark mark) {
  const Value raised = path.abrupt.value;
  for (uint32_t i = statement.handlers.begin; i < statement.handlers.end; ++i) {
    const model::Handler& handler = code.handlers[i];
    store_.apply(path.delta);
    const Truth caught = is_caught(code, handler, raised);
    if (caught != Truth::no) {
      execute_handler(code, handler);
      Abrupt end = std::exchange(abrupt_, {});
      // A bare `raise` passes on what was caught.
      if (end.kind == Completion::raised && end.value.is(Kind::unknown)) end.value = raised;
      outcomes.push_back({end, store_.changes_since(mark)});
    }
    store_.undo_to(mark);
    if (caught == Truth::yes) return;
  }
  outcomes.push_back(std::move(path));
}

MomentValues Interpreter::moment_values() const {
  MomentValues values;
  for (uint32_t i = 0; i < values.size(); ++i) values[i] = get(moments_.states, i + 1);
  return values;
}

/// Handlers that nothing in sight reaches. Were they reached, it would be from somewhere in the
/// body: what the body brought about has happened perhaps.
void Interpreter::observe_handlers(const Code& code, const model::Try& statement,
                                   const MomentValues& before) {
  const Store::Mark mark = store_.mark();
  const Abrupt end = std::exchange(abrupt_, {});
  for (uint32_t i = statement.handlers.begin; i < statement.handlers.end; ++i) {
    const model::Handler& handler = code.handlers[i];
    for (uint32_t moment = 0; moment < before.size(); ++moment) {
      Value now = get(moments_.states, moment + 1);
      if (now.same_as(before[moment]) && now.certainty == before[moment].certainty) continue;
      now.certainty = Certainty::perhaps;
      set(moments_.states, moment + 1, now);
    }
    // Paths that leave from here must not take part in any join: the program does not come this
    // way.
    std::vector<Region> outside = std::exchange(regions_, {});
    ++branches_;
    execute_handler(code, handler);
    --branches_;
    abrupt_ = {};
    regions_ = std::move(outside);
    store_.undo_to(mark);
  }
  abrupt_ = end;
}

/// Goes on with what the outcomes have in common; those that leave wait in the region that catches
/// them.
void Interpreter::combine(std::vector<Region::Path>& outcomes, Store::Mark mark) {
  std::vector<Delta> live;
  if (outcomes.size() == 1) {
    store_.apply(outcomes.front().delta);
    abrupt_ = outcomes.front().abrupt;
    return;
  }
  for (Region::Path& outcome : outcomes) {
    if (outcome.abrupt.kind == Completion::normal) {
      live.push_back(std::move(outcome.delta));
      continue;
    }
    store_.apply(outcome.delta);
    stash(outcome.abrupt);
    store_.undo_to(mark);
  }
  store_.join(live);
  if (live.empty()) abrupt_ = {Completion::dead, {}};
}

}  // namespace vramlint::replay
