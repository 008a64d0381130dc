// SPDX-License-Identifier: MIT
//
// How things from outside the project are used where they stand. A function that is written without
// its call is told by how it is written, `torch.cuda.memory_allocated`: a name that holds one may
// be meant to hold it.
#include "replay/uses.h"

#include <algorithm>
#include <optional>
#include <string>

#include "replay/habits.h"
#include "replay/interpreter.h"
#include "replay/library.h"

namespace vramlint::replay {

using model::Code;
using model::ExprId;

namespace {

constexpr std::string_view use_mark = ".__";

/// Built-in functions of numbers; a function in its stead raises TypeError.
constexpr std::string_view number_functions[] = {"range", "int", "float", "round", "abs"};
/// And of texts, which show that it is one.
constexpr std::string_view text_functions[] = {"print", "str"};

/// The last name of an expression that is nothing but names; 0 for anything else.
model::NameId last_name(const Code& code, ExprId id) {
  const model::ExprNode& node = code.exprs[id].node;
  if (const auto* name = std::get_if<model::Name>(&node)) return name->name;
  const auto* attribute = std::get_if<model::Attribute>(&node);
  return attribute == nullptr || last_name(code, attribute->object) == 0 ? 0 : attribute->name;
}

/// What is read of something, without anybody noticing that it is.
Value part_named(Interpreter& python, Value object, model::NameId name) {
  switch (object.kind) {
    case Kind::tensor:
      return python.knowledge_.method(python.text_of(name)) == nullptr ? object : Value();
    case Kind::instance:
    case Kind::module: return python.get(object.id, name);
    case Kind::external: {
      const model::NameId dotted = python.names_.dotted(object.id, name);
      const Value replaced = python.get(python.external_overlay_, dotted);
      return replaced.is(Kind::absent) ? Value::external(dotted) : replaced;
    }
    default: return {};
  }
}

/// What an expression that is nothing but names stands for; absent when that is not certain.
Value value_of_names(Interpreter& python, const Code& code, ExprId id) {
  const model::ExprNode& node = code.exprs[id].node;
  Value value;
  if (const auto* name = std::get_if<model::Name>(&node)) {
    value = python.lookup(name->name);
  } else if (const auto* attribute = std::get_if<model::Attribute>(&node)) {
    value = part_named(python, value_of_names(python, code, attribute->object), attribute->name);
  }
  return value.certainty == Certainty::yes ? value : Value();
}

/// Whether it begins with a module, and not with an object that may hold one thing or another.
bool begins_with_module(Interpreter& python, const Code& code, ExprId id) {
  while (const auto* attribute = std::get_if<model::Attribute>(&code.exprs[id].node))
    id = attribute->object;
  return value_of_names(python, code, id).is(Kind::external);
}

/// Whether it has such a method for certain. Of the project's own classes nobody knows which
/// attributes they are given.
bool has_method(Interpreter& python, Value object, model::NameId name) {
  const bool is_method = python.knowledge_.method(python.text_of(name)) != nullptr;
  if (object.is(Kind::tensor)) return is_method;
  if (!object.is(Kind::instance) || !python.get(object.id, name).is(Kind::absent)) return false;
  const Value type = python.object_of(object).target;
  if (!type.is(Kind::external)) return false;
  return std::ranges::any_of(python.rows_named(type.id), [&](const knowledge::CallRow* row) {
    return row->makes == knowledge::Makes::optimizer ||
           (is_method && row->makes == knowledge::Makes::module);
  });
}

/// The function that stands there, or the method with a dot before it; 0 for anything else.
model::NameId function_at(Interpreter& python, const Code& code, ExprId id) {
  const model::NameId last = last_name(code, id);
  if (last == 0 || !python.used_words_.contains(last)) return 0;
  const std::string_view word = python.text_of(last);
  if (const auto* method = std::get_if<model::Attribute>(&code.exprs[id].node)) {
    if (has_method(python, value_of_names(python, code, method->object), last))
      return python.intern("." + std::string(word));
  }
  const Value function = value_of_names(python, code, id);
  if (!function.is(Kind::external) || !begins_with_module(python, code, id)) return 0;
  return python.text_of(function.id).ends_with(word) ? function.id : 0;
}

std::optional<Observation> use_of(Interpreter& python, model::NameId thing, std::string_view method,
                                  Place place) {
  if (thing == 0 || python.stopped()) return std::nullopt;
  const model::NameId name = python.names_.dotted(thing, python.intern(method));
  if (!python.is_observed(name)) return std::nullopt;
  Observation seen = python.observation_at(ObservationKind::call, place);
  seen.name = python.text_of(name);
  return seen;
}

bool observe_uncalled(Interpreter& python, const Code& code, ExprId id, std::string_view method) {
  std::optional<Observation> seen =
      use_of(python, function_at(python, code, id), method, python.place_of(code.exprs[id].span));
  if (seen) python.observe(*std::move(seen));
  return seen.has_value();
}

/// Something external; 0 when no rule asks what becomes of it.
model::NameId asked_about(Interpreter& python, Value value) {
  if (!value.is(Kind::external) || value.certainty != Certainty::yes) return 0;
  const std::string_view name = python.text_of(value.id);
  const model::NameId last = python.intern(name.substr(name.rfind('.') + 1));
  return python.used_words_.contains(last) ? value.id : 0;
}

/// The function whose call gave this.
model::NameId maker_of(Interpreter& python, Value value) {
  if (!value.is(Kind::instance) || value.certainty != Certainty::yes) return 0;
  return asked_about(python, python.object_of(value).target);
}

/// `x.cpu()` as a statement, of a tensor.
void observe_dropped(Interpreter& python, const Code& code, const model::Call& call, Place place) {
  const auto* method = std::get_if<model::Attribute>(&code.exprs[call.callee].node);
  if (method == nullptr || !python.used_words_.contains(method->name)) return;
  if (last_name(code, method->object) == 0) return;
  const Value object = value_of_names(python, code, method->object);
  if (!object.is(Kind::tensor)) return;
  const auto thing = python.intern("." + std::string(python.text_of(method->name)));
  std::optional<Observation> seen = use_of(python, thing, "__dropped__", place);
  if (!seen) return;
  seen->written.receiver = python.described(object);
  seen->written.receiver->written = python.place_of(code.exprs[method->object].span);
  const auto* name = std::get_if<model::Name>(&code.exprs[method->object].node);
  if (name != nullptr && is_own_name(python, name->name))
    seen->value.text = python.text_of(name->name);
  python.observe(*std::move(seen));
}

void observe_not_set(Interpreter& python, model::NameId variable, Place place) {
  const knowledge::VariableRow* row = python.knowledge_.variable(python.text_of(variable));
  if (row == nullptr || row->name != python.text_of(variable) || python.stopped()) return;
  Observation seen = python.observation_at(ObservationKind::variable_not_set, place);
  seen.name = python.text_of(variable);
  python.observe(std::move(seen));
}

/// `os.environ["NAME"] == "1"` as a statement.
void observe_compared(Interpreter& python, const Code& code, const model::Compare& node,
                      Place place) {
  const auto* item = std::get_if<model::Subscript>(&code.exprs[node.left].node);
  if (node.op != model::CompareOp::equal || item == nullptr) return;
  const auto* name = std::get_if<model::String>(&code.exprs[item->index].node);
  const Value object = value_of_names(python, code, item->object);
  const bool is_environment =
      object.is(Kind::environment) ||
      (object.is(Kind::external) && python.text_of(object.id) == "os.environ");
  if (name != nullptr && is_environment) observe_not_set(python, name->text, place);
}

}  // namespace

std::unordered_set<model::NameId> used_words(model::Names& names,
                                             std::span<const std::string_view> observed_calls) {
  std::unordered_set<model::NameId> words;
  for (const std::string_view wanted : observed_calls) {
    const size_t mark = wanted.find(use_mark);
    if (mark == std::string_view::npos) continue;
    const std::string_view thing = wanted.substr(0, mark);
    words.insert(names.intern(thing.substr(thing.rfind('.') + 1)));
  }
  return words;
}

void observe_statement(Interpreter& python, const Code& code, ExprId id) {
  const model::Expr& expr = code.exprs[id];
  if (const auto* call = std::get_if<model::Call>(&expr.node))
    return observe_dropped(python, code, *call, python.place_of(expr.span));
  if (const auto* compared = std::get_if<model::Compare>(&expr.node))
    return observe_compared(python, code, *compared, python.place_of(expr.span));
  observe_uncalled(python, code, id, "__statement__");
}

void observe_setting_name(Interpreter& python, const Code& code, ExprId target, Value value,
                          text::Span span) {
  const auto* name = std::get_if<model::Name>(&code.exprs[target].node);
  if (name == nullptr || !value.is(Kind::string)) return;
  if (python.frame().definition != nullptr || python.frame().class_scope != 0) return;
  if (python.knowledge_.variable(python.text_of(name->name)) == nullptr) return;
  // Another module may import the name, and write it to the environment.
  const frontends::LoadedProgram& file = *python.frame().file;
  if (!frontends::is_notebook(file) && python.project_.may_be_imported(file.path)) return;
  observe_not_set(python, name->name, python.place_of(span));
}

void observe_condition(Interpreter& python, const Code& code, ExprId id, int depth) {
  // Nobody writes more of them by hand; each level asks again, so that depth costs time as well.
  constexpr int max_depth = 16;
  if (depth > max_depth) return;
  const model::ExprNode& node = code.exprs[id].node;
  if (const auto* both = std::get_if<model::Logical>(&node)) {
    observe_condition(python, code, both->left, depth + 1);
    observe_condition(python, code, both->right, depth + 1);
  } else if (const auto* negated = std::get_if<model::Unary>(&node)) {
    if (negated->op == model::UnaryOp::logical_not)
      observe_condition(python, code, negated->operand, depth + 1);
  } else if (std::holds_alternative<model::Attribute>(node)) {
    observe_uncalled(python, code, id, "__bool__");
  } else if (const auto* name = std::get_if<model::Name>(&node)) {
    std::optional<Observation> held = use_of(python, asked_about(python, python.lookup(name->name)),
                                             "__bool__", python.place_of(code.exprs[id].span));
    if (held) python.observe(*std::move(held));
  }
}

void observe_in_text(Interpreter& python, const Code& code, ExprId id) {
  if (std::holds_alternative<model::String>(code.exprs[id].node)) return;
  const std::string_view bytes = python.frame().file->program.source->bytes();
  const size_t end = bytes.find_first_not_of(" \t", code.exprs[id].span.end);
  if (end == std::string_view::npos) return;
  const bool formats = bytes[end] == ':' && bytes.substr(end + 1, 1) != "}";
  if (formats || bytes[end] == '}')
    observe_uncalled(python, code, id, formats ? "__format__" : "__str__");
}

void observe_given(Interpreter& python, const Code& code, const model::Call& call, Value function) {
  if (!function.is(Kind::external)) return;
  const std::string_view name = python.text_of(function.id);
  const bool takes_numbers =
      std::ranges::find(number_functions, name) != std::end(number_functions);
  const bool shows = std::ranges::find(text_functions, name) != std::end(text_functions);
  if (!takes_numbers && !shows) return;
  for (uint32_t i = call.arguments.begin; i < call.arguments.end; ++i) {
    const model::Argument& argument = code.arguments[i];
    if (argument.star == model::Star::none)
      observe_uncalled(python, code, argument.value, shows ? "__str__" : "__index__");
  }
}

bool observe_operand(Interpreter& python, const Code& code, std::string_view method, ExprId id,
                     const Value (&values)[2]) {
  const Place place = python.place_of(code.exprs[id].span);
  const model::NameId maker = maker_of(python, values[0]);
  if (maker == 0) {
    // With a function no operator works, whatever name it goes by.
    std::optional<Observation> held = use_of(python, asked_about(python, values[0]), method, place);
    if (!held) return observe_uncalled(python, code, id, method);
    python.observe(*std::move(held));
    return true;
  }
  std::optional<Observation> seen = use_of(python, maker, method, place);
  if (!seen) return false;
  seen->written.receiver = python.described(values[0]);
  seen->arguments.push_back(python.described(values[1]));
  python.observe(*std::move(seen));
  return false;
}

void observe_operands(Interpreter& python, const Code& code, const model::Binary& sum, Value left,
                      Value right) {
  const std::string_view method = operator_name(sum.op);
  // `"%s" % function` shows it.
  const bool formats =
      sum.op == model::BinaryOp::modulo && (left.is(Kind::string) || left.is(Kind::any_string));
  if (method.empty() || formats) return;
  observe_operand(python, code, method, sum.left, {left, right});
  observe_operand(python, code, method, sum.right, {right, left});
}

void observe_comparison(Interpreter& python, const Code& code, const model::Compare& node,
                        Value left, Value right) {
  switch (node.op) {
    case model::CompareOp::less:
    case model::CompareOp::less_equal:
    case model::CompareOp::greater:
    case model::CompareOp::greater_equal:
      observe_operand(python, code, "__lt__", node.left, {left, right});
      observe_operand(python, code, "__lt__", node.right, {right, left});
      return;
    case model::CompareOp::in:
    case model::CompareOp::not_in: {
      // A text in what the handler around caught.
      const bool is_name = std::holds_alternative<model::Name>(code.exprs[node.right].node);
      if (!is_name || python.handling_.empty() || !left.is(Kind::string)) return;
      if (!right.is(Kind::unknown)) return;
      std::optional<Observation> seen =
          use_of(python, python.intern(python.handling_.back()), "__contains__",
                 python.place_of(code.exprs[node.right].span));
      if (seen) python.observe(*std::move(seen));
      return;
    }
    case model::CompareOp::equal:
    case model::CompareOp::unequal: {
      const auto is_number = [](Value value) {
        return value.is(Kind::integer) || value.is(Kind::real);
      };
      if (is_number(right)) observe_uncalled(python, code, node.left, "__eq__");
      if (is_number(left)) observe_uncalled(python, code, node.right, "__eq__");
      return;
    }
    default: return;
  }
}

void observe_part(Interpreter& python, Value whole, Value index, Place place) {
  std::optional<Observation> seen = use_of(python, maker_of(python, whole), "__getitem__", place);
  if (!seen) return;
  seen->written.receiver = python.described(whole);
  seen->arguments.push_back(python.described(index));
  python.observe(*std::move(seen));
}

}  // namespace vramlint::replay
