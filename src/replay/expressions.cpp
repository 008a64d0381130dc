// SPDX-License-Identifier: MIT
#include "replay/holes.h"
#include "replay/interpreter.h"
#include "replay/keeping.h"
#include "replay/library.h"
#include "replay/uses.h"

#include <algorithm>

#include "support/overloaded.h"

namespace vramlint::replay {

using model::Code;
using model::ExprId;

/// Where a literal stands, packed into the payload of its value, so that a finding can point into
/// it: file and whether its bytes are its value (16 bits), begin and end (24 bits each).
uint64_t Interpreter::literal_at(text::Span whole, const model::String& node) const {
  const text::Span span = node.plain ? node.inner : whole;
  constexpr uint32_t limit = 1u << 24;
  const uint64_t file = uint64_t{frame().file_index} + 1;
  if (span.end >= limit || file >= 1u << 15) return 0;
  return file << 49 | uint64_t{node.plain} << 48 | uint64_t{span.begin} << 24 | span.end;
}

Value Interpreter::evaluate(const Code& code, ExprId id) {
  if (id == model::no_node || !spend()) return Value::unknown();
  const Nested nested(*this);
  if (!nested.bounded()) return Value::unknown();
  const Value value = evaluate_node(code, code.exprs[id]);
  return stopped() ? Value::unknown() : value;
}

Value Interpreter::evaluate_node(const Code& code, const model::Expr& expr) {
  const text::Span span = expr.span;
  return std::visit(
      Overloaded{
          [&](const model::Opaque&) { return Value::unknown(); },
          [&](const model::Slice& node) {
            for (const ExprId part : {node.begin, node.end, node.step}) evaluate(code, part);
            return Value::unknown();
          },
          [&](const model::Name& node) {
            const Value value = lookup(node.name);
            if (value.is(Kind::unknown) && is_missing_in_child(node.name)) {
              observe_missing(node.name, place_of(span));
              abrupt_ = {Completion::raised, Value::external(intern("NameError"))};
            }
            return value;
          },
          [&](const model::Attribute& node) {
            const Value object = evaluate(code, node.object);
            return stopped() ? Value::unknown() : attribute(object, node.name, place_of(span));
          },
          [&](const model::Subscript& node) {
            const Value object = evaluate(code, node.object);
            const auto* slice = std::get_if<model::Slice>(&code.exprs[node.index].node);
            if (slice != nullptr) return evaluate_slice(code, object, *slice);
            const Value index = evaluate(code, node.index);
            return stopped() ? Value::unknown() : evaluate_subscript(object, index, place_of(span));
          },
          [&](const model::Call& node) { return evaluate_call(code, node, span); },
          [&](const model::String& node) {
            return Value::string(node.text, literal_at(span, node));
          },
          [&](const model::Integer& node) { return Value::integer(node.value); },
          [&](const model::Real& node) { return Value::real(node.value); },
          [&](const model::Boolean& node) { return Value::boolean(node.value); },
          [&](const model::NoneValue&) { return Value::none(); },
          [&](const model::Template& node) { return evaluate_template(code, node); },
          [&](const model::Sequence& node) { return evaluate_sequence(code, node); },
          [&](const model::Dict& node) { return evaluate_dict(code, node, span); },
          [&](const model::Lambda& node) { return function_value(code, node.function); },
          [&](const model::Comprehension& node) {
            return evaluate_comprehension(code, node, span);
          },
          [&](const model::Unary& node) {
            return apply_unary(node.op, evaluate(code, node.operand));
          },
          [&](const model::Binary& node) {
            const Value left = evaluate(code, node.left);
            const Value right = evaluate(code, node.right);
            if (stopped()) return Value::unknown();
            observe_operands(*this, code, node, left, right);
            const Value made = apply_binary(node.op, left, right, place_of(span));
            if (made.is(Kind::list)) note_tail(*this, code, node, left, right, made);
            return made;
          },
          [&](const model::Logical& node) { return evaluate_logical(code, node); },
          [&](const model::Compare& node) {
            const Value left = evaluate(code, node.left);
            const Value right = evaluate(code, node.right);
            if (right.is(Kind::environment)) observe_asked(left, place_of(span));
            if (is_fork_result(left)) return compare_fork_result(node.op, left, right);
            if (stopped()) return Value::unknown();
            observe_comparison(*this, code, node, left, right);
            return truth_value(compare(node.op, left, right));
          },
          [&](const model::Conditional& node) { return evaluate_conditional(code, node); },
          [&](const model::Await& node) {
            const Value awaited = evaluate(code, node.value);
            return stopped() ? Value::unknown() : await_value(*this, awaited, place_of(span));
          },
          [&](const model::Yield& node) { return evaluate_yield(code, node, span); },
          [&](const model::Starred& node) { return evaluate(code, node.value); },
          [&](const model::Walrus& node) {
            const Value value = evaluate(code, node.value);
            if (!stopped()) bind(node.name, value);
            return value;
          },
      },
      expr.node);
}

namespace {

/// Whether an index takes a view of a tensor: a number or a slice does, an index tensor copies.
bool is_view(Interpreter& python, const Code& code, const model::Subscript& part) {
  if (std::holds_alternative<model::Slice>(code.exprs[part.index].node)) return true;
  const Value index = python.evaluate(code, part.index);
  if (index.is(Kind::integer) || index.graph == Value::counting) return true;
  if (!index.is(Kind::instance)) return false;
  const Value type = python.object_of(index).target;
  return type.is(Kind::external) && python.text_of(type.id) == "slice";
}

}  // namespace

Value Interpreter::evaluate_call(const Code& code, const model::Call& node, text::Span span) {
  const bool is_evaluated = watch_call(*this, code, node, place_of(span));
  const Value made = evaluate_called(code, node, span);
  if (is_evaluated && !stopped()) rounds_.back()->evaluated_graph = made.graph;
  return made;
}

Value Interpreter::evaluate_called(const Code& code, const model::Call& node, text::Span span) {
  const model::Expr& callee = code.exprs[node.callee];
  const auto* method = std::get_if<model::Attribute>(&callee.node);
  if (method == nullptr) {
    const Value function = evaluate(code, node.callee);
    if (stopped()) return Value::unknown();
    const Arguments arguments = evaluate_arguments(code, node.arguments);
    observe_given(*this, code, node, function);
    if (!arguments.keywords.empty()) observe_keywords(function, arguments, place_of(span));
    written_call_ = {&code, &node, place_of(span)};
    return stopped() ? Value::unknown() : call(function, arguments, place_of(span));
  }
  const Value object = evaluate(code, method->object);
  if (stopped()) return Value::unknown();
  const Arguments arguments = evaluate_arguments(code, node.arguments);
  if (!arguments.keywords.empty() && !object.is(Kind::environment))
    observe_keywords(Value::external(method->name), arguments, place_of(span));
  written_call_ = {&code, &node, place_of(span)};
  if (stopped()) return Value::unknown();
  const Value made = call_method(object, method->name, arguments, place_of(span));
  // `total.add_(loss)`: by PyTorch's convention the tensor itself is changed.
  const std::string_view word = text_of(method->name);
  const bool in_place = object.is(Kind::tensor) && made.is(Kind::tensor) && word.ends_with('_') &&
                        !word.ends_with("__");
  if (in_place && !stopped()) {
    const auto* part = std::get_if<model::Subscript>(&code.exprs[method->object].node);
    if (part != nullptr && is_view(*this, code, *part))
      write_part(*this, code, part->object, made, span);
    const std::optional<Slot> slot = slot_of(code, method->object);
    if (slot && made.graph != get(slot->object, slot->name).graph) {
      set(slot->object, slot->name, made);
      note_written(code, method->object, method->object, true, span);
    }
  }
  return made;
}

Arguments Interpreter::evaluate_arguments(const Code& code, model::Range range) {
  Arguments made;
  for (uint32_t i = range.begin; i < range.end && !stopped(); ++i) {
    const model::Argument argument = code.arguments[i];
    const Value value = evaluate(code, argument.value);
    switch (argument.star) {
      case model::Star::none:
        if (argument.keyword != 0) {
          made.keywords.push_back({argument.keyword, value});
        } else {
          made.positional.push_back(value);
        }
        break;
      case model::Star::sequence: {
        std::vector<Value> items;
        if (!collect(value, items, place_of(code.exprs[argument.value].span))) made.open = true;
        made.positional.insert(made.positional.end(), items.begin(), items.end());
        break;
      }
      case model::Star::mapping: {
        if (!value.is(Kind::dict) || !dict_is_closed(value)) made.open = true;
        if (!value.is(Kind::dict)) break;
        for (const uint32_t name : object_of(value).slot_names) {
          const Value entry = get(value.id, name);
          if ((name & item_bit) == 0 && !entry.is(Kind::absent))
            made.keywords.push_back({name, entry});
        }
        break;
      }
    }
  }
  return made;
}

Value Interpreter::evaluate_template(const Code& code, const model::Template& node) {
  std::string text;
  std::string holed;
  bool known = true;
  bool counts = false;
  Value start;  // what comes before `text`, when that is not known
  for (uint32_t i = node.parts.begin; i < node.parts.end && !stopped(); ++i) {
    const ExprId part = code.expr_lists[i];
    const Value written = evaluate(code, part);
    observe_in_text(*this, code, part);
    observe_read_on_device(written, place_of(code.exprs[part].span));
    const Value value = as_text(written, place_of(code.exprs[part].span));
    counts = counts || value.graph == Value::counting;
    add_with_holes(*this, value, holed);
    if (text.size() <= max_text && text_form(value, text)) continue;
    start = known && text.empty() ? value : Value{Kind::any_string};
    known = false;
    text.clear();
  }
  if (stopped() || text.size() > max_text || counts) {
    Value made = with_holes(*this, {Kind::any_string}, holed);
    if (counts) made.graph = Value::counting;
    return made;
  }
  return known ? text_value(text) : with_holes(*this, with_ending(start, text_value(text)), holed);
}

Value Interpreter::evaluate_sequence(const Code& code, const model::Sequence& node) {
  std::vector<Value> items;
  bool open = false;
  for (uint32_t i = node.items.begin; i < node.items.end && !stopped(); ++i) {
    const ExprId item = code.expr_lists[i];
    const Value value = evaluate(code, item);
    if (std::holds_alternative<model::Starred>(code.exprs[item].node)) {
      open = !collect(value, items, place_of(code.exprs[item].span)) || open;
    } else {
      items.push_back(value);
    }
  }
  if (open) return Value::unknown();
  switch (node.kind) {
    case model::SequenceKind::list: return make_list(items, Kind::list);
    case model::SequenceKind::tuple: return make_list(items, Kind::tuple);
    case model::SequenceKind::set: return make_list(items, Kind::set);
  }
  return Value::unknown();
}

Value Interpreter::evaluate_dict(const Code& code, const model::Dict& node, text::Span span) {
  const Value dict = make_dict();
  for (uint32_t i = node.entries.begin; i < node.entries.end && !stopped(); i += 2) {
    const Value value = evaluate(code, code.expr_lists[i + 1]);
    if (code.expr_lists[i] == model::no_node) {
      Arguments arguments;
      arguments.positional.push_back(value);
      dict_update(dict, arguments);
      continue;
    }
    const Value key = evaluate(code, code.expr_lists[i]);
    if (stopped()) break;
    dict_set(dict, key, value);
    if (key.graph == Value::counting) note_kept(dict, value, place_of(span), {});
    observe_child_variable(key, value, WriteForm::literal, place_of(span));
    observe_entry(key, value, place_of(code.exprs[code.expr_lists[i + 1]].span));
  }
  return dict;
}

/// `first`: what the first clause goes through, when that is known already.
void Interpreter::run_clauses(const Code& code, model::Range clauses,
                              const std::function<void()>& body, Value first, LoopRounds* loop) {
  if (clauses.empty()) return body();
  const model::Clause clause = code.clauses[clauses.begin];
  const Value iterable = first.is(Kind::absent) ? evaluate(code, clause.iterable) : first;
  if (stopped()) return;
  const text::Span span = code.exprs[clause.iterable].span;
  const int64_t outer_rounds =
      std::exchange(counted_rounds_, counted_rounds_ * rounds_of(iterable));
  const std::function<void(uint32_t)> inner = [&](uint32_t condition) {
    const Nested nested(*this);
    if (!nested.bounded()) return;
    if (condition == clause.conditions.end) {
      return run_clauses(code, {clauses.begin + 1, clauses.end}, body, {});
    }
    const Truth truth = truth_of(evaluate(code, code.expr_lists[condition]));
    if (stopped() || truth == Truth::no) return;
    if (truth == Truth::yes) return inner(condition + 1);
    branch([&] { inner(condition + 1); }, [] {});
  };
  const std::function<void(Value)> round = [&](Value element) {
    assign(code, clause.target, element, span);
    if (!stopped()) inner(clause.conditions.begin);
  };
  if (loop != nullptr) {
    loop->repeats = may_repeat(iterable);
    loop->over_batches = goes_through_batches(code, clause.iterable, iterable);
  }
  iterate(
      iterable,
      [&](Value element) {
        if (loop == nullptr) return round(element);
        run_round(*loop, element, round);
      },
      place_of(span));
  counted_rounds_ = outer_rounds;
}

Value Interpreter::evaluate_comprehension(const Code& code, const model::Comprehension& node,
                                          text::Span span) {
  if (node.kind == model::ComprehensionKind::generator) return generator_expression(code, node);
  const Value made = node.kind == model::ComprehensionKind::dict ? make_dict() : make_list({});
  LoopRounds loop = begin_loop(place_of(span));
  loop.is_expression = true;
  run_clauses(
      code, node.clauses,
      [&] {
        const Value element = evaluate(code, node.element);
        if (stopped()) return;
        const bool is_dict = node.kind == model::ComprehensionKind::dict;
        const Value value = is_dict ? evaluate(code, node.value) : element;
        if (stopped()) return;
        note_kept(made, value, place_of(span), "this comprehension");
        if (is_dict) {
          dict_set(made, element, value);
        } else {
          append_item(made, element);
        }
      },
      {}, &loop);
  end_loop(loop);
  return made;
}

/// Runs when something goes through it; only what its first clause goes through is evaluated here.
Value Interpreter::generator_expression(const Code& code, const model::Comprehension& node) {
  Object made;
  made.file = frame().file;
  made.file_index = frame().file_index;
  made.code = &code;
  made.expression = &node;
  made.scope = frame().scope;
  made.home = objects_[frame().scope].home;
  made.receiver = evaluate(code, code.clauses[node.clauses.begin].iterable);
  return Value::object(Kind::generator, new_object(std::move(made)));
}

void Interpreter::run_generator_expression(Value generator, Place site,
                                           const std::function<void(Value)>& on_yield) {
  const Object object = object_of(generator);
  if (frames_.size() >= max_frames) return;
  Frame body;
  body.scope = new_scope(object.scope);
  objects_[body.scope].home = object.home;
  body.file = object.file;
  body.file_index = object.file_index;
  body.code = object.code;
  body.call_site = site;
  body.token = next_token_++;
  frames_.push_back(body);
  const text::Span clause =
      object.code->exprs[object.code->clauses[object.expression->clauses.begin].iterable].span;
  LoopRounds loop = begin_loop(place_of(clause));
  loop.is_expression = true;
  run_clauses(
      *object.code, object.expression->clauses,
      [&] {
        const Value element = evaluate(*object.code, object.expression->element);
        if (!stopped()) on_yield(element);
      },
      object.receiver, &loop);
  end_loop(loop);
  frames_.pop_back();
}

Value Interpreter::evaluate_logical(const Code& code, const model::Logical& node) {
  const Value left = evaluate(code, node.left);
  if (stopped()) return Value::unknown();
  const bool conjunction = node.op == model::LogicalOp::logical_and;
  if (conjunction) observe_condition(*this, code, node.left);
  const Truth truth = truth_of(left);
  if (truth == Truth::yes) return conjunction ? evaluate(code, node.right) : left;
  if (truth == Truth::no) return conjunction ? left : evaluate(code, node.right);
  Value right;
  branch([&] { right = evaluate(code, node.right); }, [] {});
  if (stopped()) return Value::unknown();
  // `unknown and False` is false, `unknown or True` is true: the other operand decides. Of other
  // values only their truth would be known.
  const Truth other = truth_of(right);
  const bool is_inherited = left.is(Kind::unknown) && left.id != 0 && left.payload == 0;
  if (!conjunction && is_inherited && right.is(Kind::string)) {
    return inherited_value(Value::string(left.id), right);
  }
  if (conjunction && other == Truth::no) return Value::boolean(false);
  if (!conjunction && other == Truth::yes && right.is(Kind::boolean)) return right;
  return Value::unknown();
}

Value Interpreter::evaluate_conditional(const Code& code, const model::Conditional& node) {
  const Truth truth = truth_of(evaluate(code, node.condition));
  if (stopped()) return Value::unknown();
  observe_condition(*this, code, node.condition);
  if (truth != Truth::unknown)
    return evaluate(code, truth == Truth::yes ? node.then : node.otherwise);
  Value then;
  Value otherwise;
  branch([&] { then = evaluate(code, node.then); },
         [&] { otherwise = evaluate(code, node.otherwise); });
  Value made = join_values(then, otherwise);
  // `x.item() if torch.is_tensor(x) else x`: a tensor takes the side that makes a number of it.
  const bool converts =
      (then.has_graph() && !otherwise.has_graph() && mentions(code, node.otherwise, node.then)) ||
      (otherwise.has_graph() && !then.has_graph() && mentions(code, node.then, node.otherwise));
  if (converts) made.graph = Value::cut_graph;
  return made;
}

Value Interpreter::evaluate_yield(const Code& code, const model::Yield& node, text::Span span) {
  const Value value = node.value == model::no_node ? Value::none() : evaluate(code, node.value);
  if (stopped()) return Value::unknown();
  const std::function<void(Value)>* on_yield = frame().on_yield;
  if (on_yield == nullptr) return Value::unknown();
  if (node.from) {
    iterate(value, *on_yield, place_of(span));
  } else {
    (*on_yield)(value);
  }
  return Value::unknown();
}

/// `items[begin:end]` with bounds that are known; a part of a tensor is a tensor.
Value Interpreter::evaluate_slice(const Code& code, Value object, const model::Slice& slice) {
  const Value step = evaluate(code, slice.step);
  const bool forwards =
      slice.step == model::no_node || (step.is(Kind::integer) && step.as_integer() == 1);
  const Value bounds[2] = {evaluate(code, slice.begin), evaluate(code, slice.end)};
  if (stopped() || object.is(Kind::tensor)) return object;
  if (object.is(Kind::unknown)) return part_of(object, 0);
  std::vector<Value> items;
  const bool is_sequence = object.is(Kind::list) || object.is(Kind::tuple);
  if (!forwards || !is_sequence || !items_of(object, items)) return Value::unknown();
  const auto size = static_cast<int64_t>(items.size());
  int64_t at[2] = {0, size};
  for (int i = 0; i < 2; ++i) {
    if ((i == 0 ? slice.begin : slice.end) == model::no_node) continue;
    if (!bounds[i].is(Kind::integer)) return Value::unknown();
    const int64_t bound = bounds[i].as_integer();
    at[i] = std::clamp<int64_t>(bound < 0 ? bound + size : bound, 0, size);
  }
  if (at[1] < at[0]) at[1] = at[0];
  const Value made = make_list({items.begin() + at[0], items.begin() + at[1]}, object.kind);
  if (!rounds_.empty()) set(made.id, kept_slot, Value::none());  // what is cut does not grow
  return made;
}

Value Interpreter::evaluate_subscript(Value object, Value index, Place place) {
  switch (object.kind) {
    case Kind::instance: {
      // A row of what was loaded is loaded too.
      if (!index.is(Kind::string) && !get(object.id, intern(loaded_slot)).is(Kind::absent))
        return object;
      if (object_of(object).target.is(Kind::external)) {
        observe_part(*this, object, index, place);
        return part_of(object, key_hash(index));
      }
      Arguments arguments;
      arguments.positional.push_back(index);
      return call_special(object, "__getitem__", arguments, place);
    }
    case Kind::class_:
      if (!index.is(Kind::string) || !is_enumeration(object)) return Value::unknown();
      return attribute(object, index.id, place);
    case Kind::module:
      return index.is(Kind::string) ? attribute(object, index.id, place) : Value::unknown();
    case Kind::environment:
    case Kind::environment_bytes: {
      const Value value = read_variable(index);
      if (value.is(Kind::absent)) {
        stash_raise("KeyError");
        return inherited_value(index, {});
      }
      return value;
    }
    case Kind::dict: return dict_get(object, index);
    case Kind::list:
    case Kind::tuple: {
      std::vector<Value> items;
      if (!index.is(Kind::integer) || !items_of(object, items)) {
        Value some = Value::unknown();
        some.graph = graph_of(object);
        return some;
      }
      const int64_t size = static_cast<int64_t>(items.size());
      const int64_t at = index.as_integer() < 0 ? index.as_integer() + size : index.as_integer();
      if (at >= 0 && at < size) return items[static_cast<size_t>(at)];
      abrupt_ = {Completion::raised, Value::external(intern("IndexError"))};
      return Value::unknown();
    }
    case Kind::tensor: return object.own();
    // A generic alias such as `list[int]`, or a part of something external.
    case Kind::external: return object;
    default: return part_of(object, key_hash(index));
  }
}

}  // namespace vramlint::replay
