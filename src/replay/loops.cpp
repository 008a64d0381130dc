// SPDX-License-Identifier: MIT
//
// A loop over something known runs once for each element; a loop over something unknown runs once,
// on a path beside the one that skips it.
#include <algorithm>

#include "replay/crossing.h"
#include "replay/interpreter.h"
#include "replay/library.h"
#include "replay/uses.h"

namespace vramlint::replay {

using model::Code;

namespace {

/// A loop over a long literal has shown what it does after so many rounds.
constexpr size_t max_rounds = 24;

/// `for batch in loader: …; break`
bool leaves_at_once(const Code& code, model::Range body) {
  if (body.empty()) return false;
  const model::StmtNode& last = code.stmts[code.stmt_lists[body.end - 1]].node;
  return std::holds_alternative<model::Break>(last) ||
         std::holds_alternative<model::Return>(last) || std::holds_alternative<model::Raise>(last);
}

}  // namespace

/// One round: what leaves it by `continue` joins at its end.
void Interpreter::loop_once(const std::function<void()>& body) {
  open_region({Completion::continued});
  body();
  close_region();
}

/// Values that are written down, each of which stands for a case of its own: no count, no batches.
bool Interpreter::goes_through_values(const Code& code, const model::For& statement,
                                      Value iterable) {
  if (std::holds_alternative<model::Call>(code.exprs[statement.iterable].node)) return false;
  std::vector<Value> items;
  if (!iterable.is(Kind::list) && !iterable.is(Kind::tuple)) return false;
  return items_of(iterable, items) && items.size() > 1 &&
         std::none_of(items.begin(), items.end(),
                      [](Value item) { return item.is(Kind::unknown); });
}

void Interpreter::execute_for(const Code& code, const model::For& statement,
                              text::Span span_of_loop) {
  const Value iterable = evaluate(code, statement.iterable);
  if (stopped()) return;
  const text::Span span = code.exprs[statement.iterable].span;
  open_region({Completion::broken});
  observe_loop(place_of(span_of_loop));
  loops_.push_back({place_of(span_of_loop), goes_through_values(code, statement, iterable)});
  describe_loop(code, statement, iterable);
  const int64_t outer_rounds =
      std::exchange(counted_rounds_, counted_rounds_ * rounds_of(iterable));
  LoopRounds rounds = begin_loop(place_of(span_of_loop));
  rounds.leaves = leaves_at_once(code, statement.body);
  rounds.repeats = may_repeat(iterable) && !rounds.leaves;
  rounds.over_batches = goes_through_batches(code, statement.iterable, iterable);
  const std::function<void(Value)> round = [&](Value element) {
    loop_once([&] {
      assign(code, statement.target, element, span);
      if (!stopped()) execute(code, statement.body);
    });
  };
  iterate(
      iterable, [&](Value element) { run_round(rounds, element, round); }, place_of(span));
  end_loop(rounds);
  loops_.pop_back();
  counted_rounds_ = outer_rounds;
  const bool ended_by_itself = abrupt_.kind == Completion::normal;
  if (ended_by_itself) execute(code, statement.otherwise);
  close_region();
}

void Interpreter::execute_while(const Code& code, const model::While& statement, text::Span span) {
  LoopRounds rounds = begin_loop(place_of(span));
  const std::function<void(Value)> body = [&](Value) {
    loop_once([&] { execute(code, statement.body); });
  };
  open_region({Completion::broken});
  const auto ways_out = [&] {
    size_t paths = 0;
    for (const Region& region : regions_) paths += region.paths.size();
    return paths;
  };
  const size_t before = ways_out();
  bool skipped = false;
  for (size_t round = 0; round < max_rounds && !stopped(); ++round) {
    const Truth truth = truth_of(evaluate(code, statement.condition));
    observe_condition(*this, code, statement.condition);
    if (stopped() || truth == Truth::no) {
      skipped = !stopped();
      break;
    }
    if (truth == Truth::yes) {
      run_round(rounds, Value::unknown(), body);
      const auto* condition = std::get_if<model::Boolean>(&code.exprs[statement.condition].node);
      const bool endless = condition != nullptr && condition->value;
      // What follows is reached by `break` only. Once a round may have left, the next ones are like
      // it.
      const bool last = ways_out() > before || round + 1 == max_rounds;
      if (endless && last && !stopped()) abrupt_ = {Completion::dead, {}};
      continue;
    }
    iterate_unknown([&](Value) { run_round(rounds, Value::unknown(), body); }, {});
    skipped = true;
    break;
  }
  end_loop(rounds);
  await_others(*this);
  if (skipped && !stopped()) execute(code, statement.otherwise);
  close_region();
}

void Interpreter::iterate_unknown(const std::function<void(Value)>& visit, Value element) {
  branch(
      [&] {
        ++loop_branches_;
        visit(element);
        --loop_branches_;
      },
      [] {});
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
    case Kind::iterator: return iterate_iterator(iterable, visit, place);
    case Kind::string: {
      for (const char byte : text_of(iterable.id).substr(0, max_rounds)) {
        if (!stopped()) visit(Value::string(intern({&byte, 1})));
      }
      if (text_of(iterable.id).size() > max_rounds) {
        iterate_unknown(visit, {Kind::any_string});
        return Ran::unknown;
      }
      return iterable.id == 0 ? Ran::never : Ran::once_or_more;
    }
    case Kind::class_: {
      if (!is_enumeration(iterable)) break;
      std::vector<Value> members;
      for (const uint32_t name : object_of(iterable).slot_names) {
        const Value member = get(iterable.id, name);
        if (!member.is(Kind::absent) && !member.is(Kind::function)) members.push_back(member);
      }
      return iterate_items(make_list(members), visit);
    }
    case Kind::instance: {
      const Object& object = object_of(iterable);
      if (object.target.is(Kind::external)) {
        if (text_of(object.target.id).ends_with("DataLoader")) {
          const Value batch = run_loader(iterable, place);
          if (stopped()) return Ran::unknown;
          visit(batch);
          return Ran::once_or_more;
        }
        const Arguments arguments = object.arguments;
        if (text_of(object.target.id) == asked_again) {
          iterate_unknown(
              [&](Value) {
                const Value element = call(arguments.at(0), {}, place);
                if (!stopped()) visit(element);
              },
              {});
          await_others(*this);
          return Ran::unknown;
        }
        Value made;
        const bool spoke = apply_rows(object.target.id, knowledge::Trigger::iterate, arguments,
                                      place, iterable, made);
        if (stopped()) return Ran::unknown;
        if (!spoke) break;
        visit(made.is(Kind::absent) ? Value::tensor(Device::cpu) : made);
        return Ran::once_or_more;
      }
      const Value method = find_in_class(object.target, intern("__iter__"));
      if (!method.is(Kind::function)) {
        const Value base = loader_in(*this, iterable);
        if (!base.is(Kind::instance)) break;
        return iterate(base, visit, place);
      }
      const Value iterator = call_method(iterable, intern("__iter__"), {}, place);
      if (stopped()) return Ran::unknown;
      if (!iterator.same_as(iterable)) return iterate(iterator, visit, place);
      Value element;
      iterate_unknown(
          [&](Value) {
            element = call_method(iterable, intern("__next__"), {}, place);
            if (!stopped()) visit(element);
          },
          {});
      return Ran::unknown;
    }
    case Kind::tensor: iterate_unknown(visit, iterable.own()); return Ran::unknown;
    case Kind::unknown: iterate_unknown(visit, part_of(iterable, 0)); return Ran::unknown;
    default: break;
  }
  iterate_unknown(visit, Value::unknown());
  return Ran::unknown;
}

/// What a round of a loop over it is given, as far as that is known without running anything.
Value Interpreter::one_of(Value iterable) {
  std::vector<Value> items;
  Value made = Value::unknown();
  switch (iterable.kind) {
    case Kind::list:
    case Kind::tuple:
    case Kind::set:
      if (items_of(iterable, items) && !items.empty()) {
        if (items.size() == 1) return items.front();
        made.graph = items.front().graph == Value::counting ? GraphId{0} : items.front().graph;
        return made;
      }
      if (const Value kept = get(iterable.id, kept_slot); kept.has_graph()) made.graph = kept.graph;
      return made;
    case Kind::iterator: {
      const Object& object = object_of(iterable);
      return object.target.is(Kind::absent) && object.receiver.is(Kind::tensor) ? object.receiver
                                                                                : made;
    }
    case Kind::tensor: return iterable;
    default: return made;
  }
}

Interpreter::Ran Interpreter::iterate_items(Value iterable,
                                            const std::function<void(Value)>& visit) {
  std::vector<Value> items;
  if (!items_of(iterable, items)) {
    iterate_unknown(visit, one_of(iterable));
    return Ran::unknown;
  }
  const size_t most = probing_ > 0 ? std::min<size_t>(max_rounds, 2) : max_rounds;
  for (size_t i = 0; i < items.size() && i < most && !stopped(); ++i) visit(items[i]);
  if (items.size() <= most || stopped()) return items.empty() ? Ran::never : Ran::once_or_more;
  // What the rest leaves behind is not known.
  iterate_unknown(visit, Value::unknown());
  return Ran::unknown;
}

/// What `map`, `filter`, `iter` … give: items pass through a function, once.
Interpreter::Ran Interpreter::iterate_iterator(Value iterator,
                                               const std::function<void(Value)>& visit,
                                               Place place) {
  const Object made = object_of(iterator);
  const auto pass = [&](Value element) {
    if (made.target.is(Kind::absent)) return visit(element);
    Arguments arguments;
    arguments.positional.push_back(element);
    const Value result = call(made.target, arguments, place);
    if (stopped()) return;
    if (!made.filters) return visit(result);
    const Truth kept = truth_of(result);
    if (kept == Truth::yes) return visit(element);
    if (kept == Truth::unknown) branch([&] { visit(element); }, [] {});
  };
  LoopRounds loop = begin_loop(place);
  loop.is_expression = true;
  loop.over_batches = made.over_batches;
  loop.repeats = may_repeat(made.receiver);
  const std::function<void(Value)> round = pass;
  const Ran ran = resume(
      iterator, [&](Value element) { made.maps ? run_round(loop, element, round) : pass(element); },
      [&](const std::function<void(Value)>& on_element) {
        return iterate(made.receiver, on_element, place);
      });
  if (made.maps) end_loop(loop);
  return ran;
}

Interpreter::Ran Interpreter::iterate_generator(Value generator,
                                                const std::function<void(Value)>& visit) {
  bool yielded = false;
  bool is_certain = true;
  const int outside = branches_;
  const std::function<void(Value)> consume = for_consumer(visit);
  const std::function<void(Value)> seen = [&](Value value) {
    yielded = true;
    is_certain = is_certain && branches_ == outside;
    consume(value);
  };
  return resume(generator, seen, [&](const std::function<void(Value)>& on_yield) {
    call_deferred(generator, frame().call_site, &on_yield);
    if (!is_certain) return Ran::unknown;
    return yielded ? Ran::once_or_more : Ran::never;
  });
}

/// Goes on where an iterator was left. It cannot be kept suspended: it is run again from its start,
/// and what it did up to that point is not observed twice.
Interpreter::Ran Interpreter::resume(
    Value iterator, const std::function<void(Value)>& visit,
    const std::function<Ran(const std::function<void(Value)>&)>& run) {
  const uint32_t progress = item_bit;  // no attribute has this name
  const Value before = get(iterator.id, progress);
  if (before.is(Kind::none)) return Ran::never;
  const int64_t passed = before.is(Kind::integer) ? before.as_integer() : 0;
  const size_t observed = timeline_.observations.size();
  int64_t reached = 0;
  const Ran ran = run([&](Value element) {
    if (++reached <= passed) {
      timeline_.observations.erase(
          timeline_.observations.begin() + static_cast<ptrdiff_t>(observed),
          timeline_.observations.end());
      return;
    }
    set(iterator.id, progress, Value::integer(reached));
    visit(element);
  });
  if (!stopped()) set(iterator.id, progress, Value::none());
  return ran == Ran::once_or_more && reached <= passed ? Ran::never : ran;
}

/// Goes through an iterable until the visitor says that it has enough.
Interpreter::Ran Interpreter::iterate_while(Value iterable, const std::function<bool(Value)>& visit,
                                            Place place) {
  open_region({Completion::suspended});
  const Ran ran = iterate(
      iterable,
      [&](Value element) {
        const bool more = visit(element);
        if (!more && !stopped()) abrupt_ = {Completion::suspended, {}};
      },
      place);
  close_region();
  return ran;
}

Value Interpreter::next_of(Value iterator, Value preset, Place site) {
  if (!iterator.is(Kind::generator) && !iterator.is(Kind::iterator) &&
      !iterator.is(Kind::instance)) {
    return Value::unknown();
  }
  Value first;
  const Ran ran = iterate_while(
      iterator,
      [&](Value element) {
        first = element;
        return false;
      },
      site);
  if (stopped()) return Value::unknown();
  if (!first.is(Kind::absent)) return first;
  if (!preset.is(Kind::absent)) return ran == Ran::never ? preset : Value::unknown();
  if (ran == Ran::never) abrupt_ = {Completion::raised, Value::external(intern("StopIteration"))};
  return Value::unknown();
}

bool Interpreter::collect(Value iterable, std::vector<Value>& items, Place place) {
  switch (iterable.kind) {
    case Kind::generator:
    case Kind::iterator:
    case Kind::string:
    case Kind::instance: break;
    default: return items_of(iterable, items);
  }
  return iterate(
             iterable, [&](Value item) { items.push_back(item); }, place) != Ran::unknown &&
         !stopped();
}

}  // namespace vramlint::replay
