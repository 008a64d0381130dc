// SPDX-License-Identifier: MIT
#include "lowered_text.h"

#include <string_view>

namespace vramlint::model {
namespace {

std::string_view sign(BinaryOp op) {
  static constexpr std::string_view signs[] = {"+", "-", "*", "/", "//", "%", "**", "|", "@"};
  const auto index = static_cast<size_t>(op);
  return index < std::size(signs) ? signs[index] : "other";
}

std::string_view sign(CompareOp op) {
  static constexpr std::string_view signs[] = {"==", "!=", "<",      "<=", ">",
                                               ">=", "in", "not in", "is", "is not"};
  return signs[static_cast<size_t>(op)];
}

}  // namespace

std::string LoweredText::body(Range range) const {
  std::string text;
  for (const StmtId id : Code::slice(code_.stmt_lists, range)) {
    text += (text.empty() ? "" : "; ") + statement(id);
  }
  return text;
}

std::string LoweredText::statement(StmtId id) const {
  return std::visit([this](const auto& node) { return of(node); }, code_.stmts.at(id).node);
}

std::string LoweredText::expression(ExprId id) const {
  if (id == no_node) return "_";
  return std::visit([this](const auto& node) { return of(node); }, code_.exprs.at(id).node);
}

std::string LoweredText::list(Range expressions) const {
  std::string text;
  for (const ExprId id : Code::slice(code_.expr_lists, expressions)) {
    text += (text.empty() ? "" : ", ") + expression(id);
  }
  return text;
}

std::string LoweredText::arguments(Range range) const {
  std::string text;
  for (const Argument& argument : Code::slice(code_.arguments, range)) {
    text += text.empty() ? "" : ", ";
    if (argument.star == Star::sequence) text += "*";
    if (argument.star == Star::mapping) text += "**";
    if (argument.keyword != 0) text += name(argument.keyword) + "=";
    text += expression(argument.value);
  }
  return text;
}

std::string LoweredText::parameters(Range range) const {
  std::string text;
  for (const Parameter& parameter : Code::slice(code_.parameters, range)) {
    static constexpr std::string_view marks[] = {"", "key ", "*", "**"};
    text += text.empty() ? "" : ", ";
    text += marks[static_cast<size_t>(parameter.kind)];
    text += name(parameter.name);
    if (parameter.preset != no_node) text += "=" + expression(parameter.preset);
  }
  return text;
}

std::string LoweredText::decorators(Range range) const {
  std::string text;
  for (const ExprId id : Code::slice(code_.expr_lists, range)) text += "@" + expression(id) + " ";
  return text;
}

std::string LoweredText::clauses(Range range) const {
  std::string text;
  for (const Clause& clause : Code::slice(code_.clauses, range)) {
    text += " for " + expression(clause.target) + " in " + expression(clause.iterable);
    for (const ExprId id : Code::slice(code_.expr_lists, clause.conditions)) {
      text += " if " + expression(id);
    }
  }
  return text;
}

std::string LoweredText::of(const Attribute& node) const {
  return expression(node.object) + "." + name(node.name);
}

std::string LoweredText::of(const Subscript& node) const {
  return expression(node.object) + "[" + expression(node.index) + "]";
}

std::string LoweredText::of(const Slice& node) const {
  return expression(node.begin) + ":" + expression(node.end) + ":" + expression(node.step);
}

std::string LoweredText::of(const Call& node) const {
  return expression(node.callee) + "(" + arguments(node.arguments) + ")";
}

std::string LoweredText::of(const Sequence& node) const {
  static constexpr std::string_view brackets[] = {"[]", "()", "{}"};
  const std::string_view pair = brackets[static_cast<size_t>(node.kind)];
  return pair[0] + list(node.items) + pair[1];
}

std::string LoweredText::of(const Dict& node) const {
  std::string text;
  for (uint32_t i = node.entries.begin; i < node.entries.end; i += 2) {
    text += text.empty() ? "" : ", ";
    text += expression(code_.expr_lists[i]) + ": " + expression(code_.expr_lists[i + 1]);
  }
  return "{" + text + "}";
}

std::string LoweredText::of(const Lambda& node) const {
  const Function& function = code_.functions.at(node.function);
  return "lambda(" + parameters(function.parameters) + ") " + expression(function.expression);
}

std::string LoweredText::of(const Comprehension& node) const {
  static constexpr std::string_view brackets[] = {"[]", "{}", "{}", "()"};
  const std::string_view pair = brackets[static_cast<size_t>(node.kind)];
  const std::string value = node.value == no_node ? "" : ": " + expression(node.value);
  return pair[0] + expression(node.element) + value + clauses(node.clauses) + pair[1];
}

std::string LoweredText::of(const Unary& node) const {
  static constexpr std::string_view signs[] = {"-", "+", "~", "not "};
  return std::string(signs[static_cast<size_t>(node.op)]) + expression(node.operand);
}

std::string LoweredText::of(const Binary& node) const {
  return "(" + expression(node.left) + " " + std::string(sign(node.op)) + " " +
         expression(node.right) + ")";
}

std::string LoweredText::of(const Logical& node) const {
  const std::string word = node.op == LogicalOp::logical_and ? " and " : " or ";
  return "(" + expression(node.left) + word + expression(node.right) + ")";
}

std::string LoweredText::of(const Compare& node) const {
  return "(" + expression(node.left) + " " + std::string(sign(node.op)) + " " +
         expression(node.right) + ")";
}

std::string LoweredText::of(const Conditional& node) const {
  return "(" + expression(node.then) + " if " + expression(node.condition) + " else " +
         expression(node.otherwise) + ")";
}

std::string LoweredText::of(const Yield& node) const {
  return (node.from ? "yield from " : "yield ") + expression(node.value);
}

std::string LoweredText::of(const Walrus& node) const {
  return "(" + name(node.name) + " := " + expression(node.value) + ")";
}

std::string LoweredText::of(const Assign& node) const {
  std::string text;
  for (const ExprId id : Code::slice(code_.expr_lists, node.targets))
    text += expression(id) + " = ";
  return text + expression(node.value);
}

std::string LoweredText::of(const AugmentedAssign& node) const {
  return expression(node.target) + " " + std::string(sign(node.op)) + "= " + expression(node.value);
}

std::string LoweredText::of(const Import& node) const {
  std::string text = "import";
  for (const ImportedName& imported : Code::slice(code_.imported_names, node.names)) {
    text += " " + name(imported.name);
    if (imported.alias != 0) text += " as " + name(imported.alias);
  }
  return text;
}

std::string LoweredText::of(const FromImport& node) const {
  std::string text = "from " + std::string(node.level, '.') + name(node.module);
  text += node.star ? " import *" : " import";
  for (const ImportedName& imported : Code::slice(code_.imported_names, node.names)) {
    text += " " + name(imported.name);
    if (imported.alias != 0) text += " as " + name(imported.alias);
  }
  return text;
}

std::string LoweredText::of(const DefineFunction& node) const {
  const Function& function = code_.functions.at(node.function);
  std::string text = decorators(function.decorators);
  if (function.is_async) text += "async ";
  if (function.is_generator) text += "generator ";
  text += "def " + name(function.name) + "(" + parameters(function.parameters) + ") {";
  return text + body(function.body) + "}";
}

std::string LoweredText::of(const DefineClass& node) const {
  const Class& made = code_.classes.at(node.id);
  return decorators(made.decorators) + "class " + name(made.name) + "(" + arguments(made.bases) +
         ") {" + body(made.body) + "}";
}

std::string LoweredText::of(const If& node) const {
  const std::string otherwise =
      node.otherwise.empty() ? "" : " else {" + body(node.otherwise) + "}";
  return "if " + expression(node.condition) + " {" + body(node.then) + "}" + otherwise;
}

std::string LoweredText::of(const For& node) const {
  const std::string otherwise =
      node.otherwise.empty() ? "" : " else {" + body(node.otherwise) + "}";
  return "for " + expression(node.target) + " in " + expression(node.iterable) + " {" +
         body(node.body) + "}" + otherwise;
}

std::string LoweredText::of(const While& node) const {
  const std::string otherwise =
      node.otherwise.empty() ? "" : " else {" + body(node.otherwise) + "}";
  return "while " + expression(node.condition) + " {" + body(node.body) + "}" + otherwise;
}

std::string LoweredText::of(const Try& node) const {
  std::string text = "try {" + body(node.body) + "}";
  for (const Handler& handler : Code::slice(code_.handlers, node.handlers)) {
    text += " except " + expression(handler.type);
    if (handler.alias != 0) text += " as " + name(handler.alias);
    text += " {" + body(handler.body) + "}";
  }
  if (!node.otherwise.empty()) text += " else {" + body(node.otherwise) + "}";
  if (!node.finally.empty()) text += " finally {" + body(node.finally) + "}";
  return text;
}

std::string LoweredText::of(const With& node) const {
  std::string text = "with";
  for (const WithItem& item : Code::slice(code_.with_items, node.items)) {
    text += " " + expression(item.context);
    if (item.target != no_node) text += " as " + expression(item.target);
  }
  return text + " {" + body(node.body) + "}";
}

std::string LoweredText::of(const Scope& node) const {
  std::string text = node.global ? "global" : "nonlocal";
  for (const NameId id : Code::slice(code_.name_lists, node.names)) text += " " + name(id);
  return text;
}

std::string LoweredText::of(const Match& node) const {
  std::string text = "match " + expression(node.subject);
  for (const Arm& arm : Code::slice(code_.arms, node.arms)) {
    text += " case ";
    if (arm.literal != no_node) text += expression(arm.literal);
    if (arm.capture != 0) text += name(arm.capture);
    if (arm.irrefutable) text += "!";
    if (arm.guard != no_node) text += " if " + expression(arm.guard);
    text += " {" + body(arm.body) + "}";
  }
  return text;
}

}  // namespace vramlint::model
