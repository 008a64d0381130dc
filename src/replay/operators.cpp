// SPDX-License-Identifier: MIT
#include <charconv>
#include <cmath>
#include <cstdio>

#include "replay/holes.h"
#include "replay/interpreter.h"
#include "replay/library.h"

namespace vramlint::replay {

using model::BinaryOp;
using model::CompareOp;
using model::UnaryOp;

Value Interpreter::truth_value(Truth truth) {
  return truth == Truth::unknown ? Value::unknown() : Value::boolean(truth == Truth::yes);
}

Interpreter::Truth Interpreter::truth_of(Value value) {
  const auto truth = [](bool holds) { return holds ? Truth::yes : Truth::no; };
  if (value.certainty == Certainty::perhaps) return Truth::unknown;
  switch (value.kind) {
    case Kind::none: return Truth::no;
    case Kind::boolean: return truth(value.payload != 0);
    case Kind::integer: return truth(value.as_integer() != 0);
    case Kind::real: return truth(value.as_real() != 0);
    case Kind::string: return truth(value.id != 0);
    case Kind::list:
    case Kind::tuple:
    case Kind::set: {
      std::vector<Value> items;
      return items_of(value, items) ? truth(!items.empty()) : Truth::unknown;
    }
    case Kind::dict: {
      for (const uint32_t name : object_of(value).slot_names) {
        if (!get(value.id, name).is(Kind::absent)) return Truth::yes;
      }
      return dict_is_closed(value) ? Truth::no : Truth::unknown;
    }
    case Kind::function:
    case Kind::bound_method:
    case Kind::class_:
    case Kind::module:
    case Kind::device: return Truth::yes;
    case Kind::external:
      if (text_of(value.id) == "typing.TYPE_CHECKING") return Truth::no;
      return is_builtin_name(text_of(value.id)) ? Truth::yes : Truth::unknown;
    case Kind::instance: return truth_of_instance(value);
    default: return Truth::unknown;
  }
}

/// An instance is true unless its class says otherwise.
Interpreter::Truth Interpreter::truth_of_instance(Value instance) {
  const Value class_value = object_of(instance).target;
  if (class_value.is(Kind::external) && text_of(class_value.id) == "types.SimpleNamespace")
    return Truth::yes;
  if (class_value.is(Kind::external) || has_unknown_base(class_value)) return Truth::unknown;
  for (const std::string_view name : {"__bool__", "__len__"}) {
    if (find_in_class(class_value, intern(name)).is(Kind::absent)) continue;
    return truth_of(call_special(instance, name, {}, frame().call_site));
  }
  return Truth::yes;
}

Value Interpreter::apply_unary(UnaryOp op, Value operand) {
  if (stopped()) return Value::unknown();
  switch (op) {
    case UnaryOp::logical_not: {
      const Truth truth = truth_of(operand);
      if (truth != Truth::unknown) return Value::boolean(truth == Truth::no);
      Value negated = Value::unknown();
      if (operand.is_answer()) negated.payload = operand.payload ^ uint64_t { 1 } << 32;
      return negated;
    }
    case UnaryOp::negate:
      if (operand.is(Kind::integer) && operand.as_integer() != INT64_MIN) {
        return Value::integer(-operand.as_integer());
      }
      if (operand.is(Kind::real)) return Value::real(-operand.as_real());
      if (operand.is(Kind::tensor)) return operand.own();
      return computed(Value::unknown(), {&operand, 1});
    case UnaryOp::plus: return operand;
    case UnaryOp::invert: return operand.is(Kind::tensor) ? operand.own() : Value::unknown();
  }
  return Value::unknown();
}

bool Interpreter::text_form(Value value, std::string& into) const {
  if (value.certainty == Certainty::perhaps) return false;
  char buffer[32];
  switch (value.kind) {
    case Kind::string:
      if (!is_short(value)) return false;
      into += text_of(value.id);
      return true;
    case Kind::integer: {
      const auto end = std::to_chars(buffer, buffer + sizeof buffer, value.as_integer()).ptr;
      into.append(buffer, end);
      return true;
    }
    case Kind::real: {
      const auto end = std::to_chars(buffer, buffer + sizeof buffer, value.as_real()).ptr;
      const std::string_view digits(buffer, static_cast<size_t>(end - buffer));
      into += digits;
      if (digits.find_first_of(".en") == std::string_view::npos) into += ".0";
      return true;
    }
    case Kind::boolean: into += value.payload != 0 ? "True" : "False"; return true;
    case Kind::none: into += "None"; return true;
    default: return false;
  }
}

std::string_view operator_name(BinaryOp op) {
  switch (op) {
    case BinaryOp::add: return "__add__";
    case BinaryOp::subtract: return "__sub__";
    case BinaryOp::multiply: return "__mul__";
    case BinaryOp::divide: return "__truediv__";
    case BinaryOp::floor_divide: return "__floordiv__";
    case BinaryOp::modulo: return "__mod__";
    case BinaryOp::power: return "__pow__";
    case BinaryOp::bit_or: return "__or__";
    case BinaryOp::matrix_multiply: return "__matmul__";
    case BinaryOp::other: return {};
  }
  return {};
}

std::string in_place_name(BinaryOp op) {
  const std::string_view plain = operator_name(op);
  return plain.empty() ? std::string() : "__i" + std::string(plain.substr(2));
}

Value Interpreter::apply_binary(BinaryOp op, Value left, Value right, Place place) {
  if (op == BinaryOp::matrix_multiply && left.is(Kind::tensor)) {
    Arguments arguments;
    arguments.positional.push_back(right);
    return call_method(left, intern("__matmul__"), arguments, place);
  }
  const Value operands[] = {left, right};
  for (const Value operand : operands) observe_read_on_device(operand, place);
  if (left.is(Kind::tensor)) return computed(left.own(), operands);
  if (right.is(Kind::tensor)) return computed(right.own(), operands);
  if (left.is(Kind::instance)) {
    Arguments arguments;
    arguments.positional.push_back(right);
    return call_special(left, operator_name(op), arguments, frame().call_site);
  }
  if (left.is(Kind::string) && op == BinaryOp::modulo) {
    const Value made = format_percent(left, right);
    return made.is(Kind::any_string)
               ? with_holes(*this, made, with_holes_for_percents(text_of(left.id)))
               : made;
  }
  if (op == BinaryOp::add && left.is(Kind::string) && right.is(Kind::string) && is_short(left) &&
      is_short(right)) {
    std::string text(text_of(left.id));
    text += text_of(right.id);
    return text_value(text);
  }
  const auto is_text = [](Value value) {
    return value.is(Kind::string) || value.is(Kind::any_string);
  };
  if (op == BinaryOp::add && (is_text(left) || is_text(right))) {
    const bool may_end = is_text(right) && !left.is(Kind::string);
    std::string holed;
    for (const Value part : operands) add_with_holes(*this, part, holed);
    return with_holes(*this, may_end ? with_ending(left, right) : Value{Kind::any_string}, holed);
  }
  if (op == BinaryOp::add && left.is(right.kind) && (left.is(Kind::list) || left.is(Kind::tuple))) {
    std::vector<Value> items;
    const bool known = items_of(left, items) && items_of(right, items);
    const Value made = known ? make_list(items, left.kind) : make_list({}, left.kind);
    if (!known) set(made.id, length_slot, Value::unknown());
    for (const Value part : operands) note_kept(made, part, place, {});
    return made;
  }
  if (op == BinaryOp::multiply && left.is(Kind::list)) {
    const Value made = make_list({});
    set(made.id, length_slot, Value::unknown());
    return made;
  }
  if (op == BinaryOp::bit_or && left.is(Kind::dict)) return merged(left, right);
  if (op == BinaryOp::bit_or && left.is(Kind::environment))
    return merged(environment_copy(), right);
  // Of a rank: `0 % n` is 0, whatever n is.
  const bool is_zero = left.is(Kind::integer) && left.as_integer() == 0 && left.graph == 0;
  if (op == BinaryOp::modulo && is_zero && right.is(Kind::unknown)) return left;
  if (left.is(Kind::integer) && right.is(Kind::integer)) {
    return apply_integers(op, left.as_integer(), right.as_integer());
  }
  Value made = computed(Value::unknown(), operands);
  const bool counts = left.graph == Value::counting || right.graph == Value::counting;
  if (made.graph == 0 && counts && op == BinaryOp::add) made.graph = Value::counting;
  return made;
}

Value Interpreter::merged(Value left, Value right) {
  const Value made = make_dict();
  for (const Value part : {left, right}) {
    Arguments arguments;
    arguments.positional.push_back(part);
    dict_update(made, arguments);
  }
  return made;
}

Value Interpreter::apply_integers(BinaryOp op, int64_t left, int64_t right) {
  int64_t made = 0;
  switch (op) {
    case BinaryOp::add:
      return __builtin_add_overflow(left, right, &made) ? Value::unknown() : Value::integer(made);
    case BinaryOp::subtract:
      return __builtin_sub_overflow(left, right, &made) ? Value::unknown() : Value::integer(made);
    case BinaryOp::multiply:
      return __builtin_mul_overflow(left, right, &made) ? Value::unknown() : Value::integer(made);
    case BinaryOp::divide:
      if (right == 0) break;
      return Value::real(static_cast<double>(left) / static_cast<double>(right));
    case BinaryOp::floor_divide:
    case BinaryOp::modulo: {
      if (right == 0) break;
      if (right == -1) return op == BinaryOp::modulo ? Value::integer(0) : Value::unknown();
      int64_t quotient = left / right;
      if (left % right != 0 && (left < 0) != (right < 0)) --quotient;
      return Value::integer(op == BinaryOp::floor_divide ? quotient : left - quotient * right);
    }
    case BinaryOp::power: {
      const double power = std::pow(static_cast<double>(left), static_cast<double>(right));
      if (right < 0 || std::abs(power) > 9e15) return Value::unknown();
      return Value::integer(static_cast<int64_t>(power));
    }
    case BinaryOp::bit_or: return Value::integer(left | right);
    case BinaryOp::matrix_multiply:
    case BinaryOp::other: return Value::unknown();
  }
  abrupt_ = {Completion::raised, Value::external(intern("ZeroDivisionError"))};
  return Value::unknown();
}

/// `"%s:%s" % values`, for the plain conversions.
Value Interpreter::format_percent(Value format, Value operand) {
  std::vector<Value> values;
  if (!operand.is(Kind::tuple) || !items_of(operand, values)) values = {operand};
  const std::string_view pattern = text_of(format.id);
  std::string made;
  size_t used = 0;
  for (size_t i = 0; i < pattern.size() && made.size() <= max_text; ++i) {
    if (pattern[i] != '%' || i + 1 == pattern.size()) {
      made += pattern[i];
      continue;
    }
    const char conversion = pattern[++i];
    if (conversion == '%') {
      made += '%';
      continue;
    }
    if (conversion != 's' && conversion != 'd') return {Kind::any_string};
    if (used == values.size() || !text_form(values[used++], made)) return {Kind::any_string};
  }
  return text_value(made);
}

namespace {

/// Values of these kinds are equal exactly when they are the same.
bool is_plain(Value value) {
  switch (value.kind) {
    case Kind::none:
    case Kind::boolean:
    case Kind::integer:
    case Kind::string: return true;
    default: return false;
  }
}

int64_t as_number(Value value) { return value.as_integer(); }

bool is_number(Value value) { return value.is(Kind::integer) || value.is(Kind::boolean); }

}  // namespace

Interpreter::Truth Interpreter::compare(CompareOp op, Value left, Value right) {
  const auto truth = [](bool holds) { return holds ? Truth::yes : Truth::no; };
  const auto negated = [](Truth value) {
    if (value == Truth::unknown) return value;
    return value == Truth::yes ? Truth::no : Truth::yes;
  };
  if (left.certainty == Certainty::perhaps || right.certainty == Certainty::perhaps)
    return Truth::unknown;
  switch (op) {
    case CompareOp::in: return contains(right, left);
    case CompareOp::not_in: return negated(contains(right, left));
    case CompareOp::is: return equal(left, right);
    case CompareOp::is_not: return negated(equal(left, right));
    case CompareOp::equal:
    case CompareOp::unequal: {
      const Truth same = equal_by_class(left, right);
      return op == CompareOp::equal ? same : negated(same);
    }
    case CompareOp::less:
    case CompareOp::less_equal:
    case CompareOp::greater:
    case CompareOp::greater_equal: break;
  }
  if (!is_number(left) || !is_number(right)) return Truth::unknown;
  const int64_t a = as_number(left);
  const int64_t b = as_number(right);
  if (op == CompareOp::less) return truth(a < b);
  if (op == CompareOp::less_equal) return truth(a <= b);
  if (op == CompareOp::greater) return truth(a > b);
  return truth(a >= b);
}

/// `==`, which the class of the left operand may define.
Interpreter::Truth Interpreter::equal_by_class(Value left, Value right) {
  const bool defines = left.is(Kind::instance) &&
                       find_in_class(object_of(left).target, intern("__eq__")).is(Kind::function);
  if (!defines) return equal(left, right);
  Arguments arguments;
  arguments.positional.push_back(right);
  return truth_of(call_special(left, "__eq__", arguments, frame().call_site));
}

Interpreter::Truth Interpreter::equal(Value left, Value right) {
  const auto truth = [](bool holds) { return holds ? Truth::yes : Truth::no; };
  if (is_number(left) && is_number(right)) return truth(as_number(left) == as_number(right));
  if (is_plain(left) && is_plain(right)) return truth(left.same_as(right));
  const auto is_open = [&](Value value) {
    return value.is(Kind::unknown) ||
           (value.is(Kind::instance) && object_of(value).target.is(Kind::external));
  };
  if (is_open(left) || is_open(right)) return Truth::unknown;
  // None is nothing but None.
  if (left.is(Kind::none) || right.is(Kind::none)) {
    const Value other = left.is(Kind::none) ? right : left;
    return other.is(Kind::external) || other.is(Kind::absent) ? Truth::unknown : Truth::no;
  }
  const auto is_definition = [](Value value) {
    return value.is(Kind::class_) || value.is(Kind::function);
  };
  if (is_definition(left) || is_definition(right)) return truth(left.same_as(right));
  return Truth::unknown;
}

Interpreter::Truth Interpreter::contains(Value container, Value element) {
  switch (container.kind) {
    case Kind::environment: {
      if (!element.is(Kind::string)) return Truth::unknown;
      const Value value = get(environment_, element.id);
      return value.is(Kind::absent) || value.certainty != Certainty::yes ? Truth::unknown
                                                                         : Truth::yes;
    }
    case Kind::dict: {
      if (!element.is(Kind::string)) return Truth::unknown;
      const Value value = get(container.id, element.id);
      if (value.is(Kind::absent)) return dict_is_closed(container) ? Truth::no : Truth::unknown;
      return value.certainty == Certainty::yes ? Truth::yes : Truth::unknown;
    }
    case Kind::list:
    case Kind::tuple:
    case Kind::set: {
      std::vector<Value> items;
      if (!items_of(container, items)) return Truth::unknown;
      Truth found = Truth::no;
      for (const Value item : items) {
        const Truth one = equal(item, element);
        if (one == Truth::yes) return one;
        if (one == Truth::unknown) found = one;
      }
      return found;
    }
    case Kind::string: {
      if (!element.is(Kind::string) || !is_short(container)) return Truth::unknown;
      charge(text_of(container.id).size() / 8);
      const bool holds = text_of(container.id).find(text_of(element.id)) != std::string_view::npos;
      return holds ? Truth::yes : Truth::no;
    }
    case Kind::instance: {
      Arguments arguments;
      arguments.positional.push_back(element);
      return truth_of(call_special(container, "__contains__", arguments, frame().call_site));
    }
    default: return Truth::unknown;
  }
}

}  // namespace vramlint::replay
