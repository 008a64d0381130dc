// SPDX-License-Identifier: MIT
//
// A loop over something known runs once for each element; a loop over something unknown runs once,
// on a path beside the one that skips it.
#include "replay/interpreter.h"

namespace vramlint::replay {

using model::Code;

namespace {

/// A loop over a long literal has shown what it does after so many rounds.
constexpr size_t max_rounds = 24;

}  // namespace

/// One round: what leaves it by `continue` joins at its end.
void Interpreter::loop_once(const std::function<void()>& body) {
  open_region({Completion::continued});
  body();
  close_region();
}

void Interpreter::execute_for(const Code& code, const model::For& statement) {
  const Value iterable = evaluate(code, statement.iterable);
  if (stopped()) return;
  const text::Span span = code.exprs[statement.iterable].span;
  open_region({Completion::broken});
  iterate(
      iterable,
      [&](Value element) {
        loop_once([&] {
          assign(code, statement.target, element, span);
          if (!stopped()) execute(code, statement.body);
        });
      },
      place_of(span));
  const bool ended_by_itself = abrupt_.kind == Completion::normal;
  if (ended_by_itself) execute(code, statement.otherwise);
  close_region();
}

void Interpreter::execute_while(const Code& code, const model::While& statement) {
  open_region({Completion::broken});
  bool skipped = false;
  for (size_t round = 0; round < max_rounds && !stopped(); ++round) {
    const Truth truth = truth_of(evaluate(code, statement.condition));
    if (stopped() || truth == Truth::no) {
      skipped = !stopped();
      break;
    }
    if (truth == Truth::yes) {
      loop_once([&] { execute(code, statement.body); });
      const auto* condition = std::get_if<model::Boolean>(&code.exprs[statement.condition].node);
      const bool endless = condition != nullptr && condition->value;
      // Without a known way out the rounds are all alike; what follows is reached by `break` only.
      if (endless && !stopped()) abrupt_ = {Completion::dead, {}};
      continue;
    }
    branch([&] { loop_once([&] { execute(code, statement.body); }); }, [] {});
    skipped = true;
    break;
  }
  if (skipped && !stopped()) execute(code, statement.otherwise);
  close_region();
}

void Interpreter::iterate_unknown(const std::function<void(Value)>& visit, Value element) {
  branch([&] { visit(element); }, [] {});
}

Interpreter::Ran Interpreter::iterate(Value iterable, const std::function<void(Value)>& visit,
                                      Place place) {
  const Nested nested(*this);
  if (!nested.bounded()) return Ran::unknown;
  switch (iterable.kind) {
    case Kind::list:
    case Kind::tuple:
    case Kind::set:
    case Kind::dict: return iterate_items(iterable, visit);
    case Kind::generator: return iterate_generator(iterable, visit);
    case Kind::iterator: {
      const Object made = object_of(iterable);
      Ran ran = Ran::unknown;
      const Value function = made.target;
      if (function.is(Kind::absent)) {
        // An iterator over items that are there already.
        return iterate(made.receiver, visit, place);
      }
      ran = iterate(
          made.receiver,
          [&](Value element) {
            Arguments arguments;
            arguments.positional.push_back(element);
            const Value result = call(function, arguments, place);
            if (!stopped()) visit(result);
          },
          place);
      return ran;
    }
    case Kind::instance: {
      const Object& object = object_of(iterable);
      if (object.target.is(Kind::external)) {
        Value made;
        Arguments arguments = object.arguments;
        const bool spoke = apply_rows(object.target.id, knowledge::Trigger::iterate, arguments, place,
                                      iterable, made);
        if (stopped()) return Ran::unknown;
        if (spoke || text_of(object.target.id).ends_with("DataLoader")) {
          visit(made.is(Kind::absent) ? Value::tensor(Device::cpu) : made);
          return Ran::once_or_more;
        }
        break;
      }
      const Value method = find_in_class(object.target, intern("__iter__"));
      if (!method.is(Kind::function)) break;
      const Value iterator = call_method(iterable, intern("__iter__"), {}, place);
      if (stopped()) return Ran::unknown;
      if (!iterator.same_as(iterable)) return iterate(iterator, visit, place);
      Value element;
      iterate_unknown([&](Value) {
        element = call_method(iterable, intern("__next__"), {}, place);
        if (!stopped()) visit(element);
      }, {});
      return Ran::unknown;
    }
    default: break;
  }
  iterate_unknown(visit, Value::unknown());
  return Ran::unknown;
}

Interpreter::Ran Interpreter::iterate_items(Value iterable, const std::function<void(Value)>& visit) {
  std::vector<Value> items;
  if (!items_of(iterable, items)) {
    iterate_unknown(visit, Value::unknown());
    return Ran::unknown;
  }
  for (size_t i = 0; i < items.size() && i < max_rounds && !stopped(); ++i) visit(items[i]);
  return items.empty() ? Ran::never : Ran::once_or_more;
}

Interpreter::Ran Interpreter::iterate_generator(Value generator,
                                                const std::function<void(Value)>& visit) {
  bool yielded = false;
  const std::function<void(Value)> consume = for_consumer(visit);
  const std::function<void(Value)> on_yield = [&](Value value) {
    yielded = true;
    consume(value);
  };
  call_deferred(generator, frame().call_site, &on_yield);
  return yielded ? Ran::once_or_more : Ran::never;
}

/// Runs a generator to its first yield. What it does after that is done when it is asked again.
Value Interpreter::next_of(Value generator, Place site) {
  if (!generator.is(Kind::generator)) {
    if (!generator.is(Kind::iterator) && !generator.is(Kind::instance)) return Value::unknown();
    Value first = Value::unknown();
    bool taken = false;
    iterate(
        generator,
        [&](Value element) {
          if (!taken) first = element;
          taken = true;
        },
        site);
    return first;
  }
  Value first = Value::unknown();
  const std::function<void(Value)> stop = [&](Value value) {
    first = value;
    abrupt_ = {Completion::suspended, value};
  };
  open_region({Completion::suspended});
  call_deferred(generator, site, &stop);
  close_region();
  return stopped() ? Value::unknown() : first;
}

}  // namespace vramlint::replay
