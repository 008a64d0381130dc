// SPDX-License-Identifier: MIT
#include "frontends/python_lowering.h"

namespace vramlint::frontends {

using syntax::field;
using syntax::kind_of;
using syntax::NamedChildren;
using syntax::NodeKind;

model::ExprId PythonLowering::add_expression(model::ExprNode node, text::Span span) {
  code_->exprs.push_back({node, span});
  return static_cast<model::ExprId>(code_->exprs.size() - 1);
}

model::ExprId PythonLowering::lower_expression(TSNode node) {
  if (ts_node_is_null(node)) return add_expression(model::Opaque{}, {text_.offset, text_.offset});
  if (depth_ >= max_depth) return add_expression(model::Opaque{}, span_of(node));
  if (stands_for_magic(node)) return lower_magic(node);
  ++depth_;
  const model::ExprNode made = lower_expression_node(node);
  --depth_;
  return add_expression(made, span_of(node));
}

/// Leaves here, everything with children in `lower_nested`.
model::ExprNode PythonLowering::lower_expression_node(TSNode node) {
  switch (kind_of(node)) {
    case NodeKind::identifier: return model::Name{name_of(node)};
    case NodeKind::integer: return lower_integer(text_of(node));
    case NodeKind::float_: return lower_real(text_of(node));
    case NodeKind::string: return lower_string(node);
    case NodeKind::concatenated_string: return lower_concatenation(node);
    case NodeKind::true_: return model::Boolean{true};
    case NodeKind::false_: return model::Boolean{false};
    case NodeKind::none: return model::NoneValue{};
    default: return lower_nested(node);
  }
}

namespace {

/// The grammar takes `*a.b()` for a call of an attribute of `*a`. What is deeper than `depth` will
/// not be lowered anyway.
bool begins_with_splat(TSNode node, int depth) {
  while (depth-- > 0) {
    switch (kind_of(node)) {
      case NodeKind::call: node = field(node, "function"); break;
      case NodeKind::attribute: node = field(node, "object"); break;
      case NodeKind::subscript: node = field(node, "value"); break;
      case NodeKind::list_splat:
      case NodeKind::list_splat_pattern: return true;
      default: return false;
    }
  }
  return false;
}

/// What stands in parentheses, however many; null when that is nothing.
TSNode unwrapped(TSNode node) {
  while (true) {
    switch (kind_of(node)) {
      case NodeKind::parenthesized_expression:
      case NodeKind::as_pattern_target:
      case NodeKind::type: break;
      default: return node;
    }
    NamedChildren children(node);
    if (!children.next()) return {};
    node = children.node();
  }
}

}  // namespace

model::ExprNode PythonLowering::lower_nested(TSNode node) {
  using model::ComprehensionKind;
  using model::SequenceKind;
  const bool is_splat =
      kind_of(node) == NodeKind::list_splat || kind_of(node) == NodeKind::list_splat_pattern;
  if (!is_splat && !moves_splat_ && begins_with_splat(node, max_depth - depth_)) {
    moves_splat_ = true;
    const model::ExprId value = add_expression(lower_nested(node), span_of(node));
    moves_splat_ = false;
    return model::Starred{value};
  }
  switch (kind_of(node)) {
    case NodeKind::attribute: {
      const TSNode name = field(node, "attribute");
      if (text_of(name).empty()) return model::Opaque{};  // not finished yet: `torch.cuda.()`
      const model::ExprId object = lower_expression(field(node, "object"));
      return model::Attribute{object, name_of(name)};
    }
    case NodeKind::parenthesized_expression:
    case NodeKind::as_pattern_target:
    case NodeKind::type: {
      const TSNode inside = unwrapped(node);
      return ts_node_is_null(inside) ? model::Opaque{} : lower_expression_node(inside);
    }
    case NodeKind::call: return lower_call(node);
    case NodeKind::subscript: return lower_subscript(node);
    case NodeKind::slice: return lower_slice(node);
    case NodeKind::list:
    case NodeKind::list_pattern: return lower_sequence(node, SequenceKind::list);
    case NodeKind::set: return lower_sequence(node, SequenceKind::set);
    case NodeKind::tuple:
    case NodeKind::tuple_pattern:
    case NodeKind::pattern_list:
    case NodeKind::expression_list: return lower_sequence(node, SequenceKind::tuple);
    case NodeKind::dictionary: return lower_dictionary(node);
    case NodeKind::list_comprehension: return lower_comprehension(node, ComprehensionKind::list);
    case NodeKind::set_comprehension: return lower_comprehension(node, ComprehensionKind::set);
    case NodeKind::dictionary_comprehension:
      return lower_comprehension(node, ComprehensionKind::dict);
    case NodeKind::generator_expression:
      return lower_comprehension(node, ComprehensionKind::generator);
    case NodeKind::lambda: return model::Lambda{lower_lambda(node)};
    case NodeKind::unary_operator:
    case NodeKind::not_operator: return lower_unary(node);
    case NodeKind::binary_operator: return lower_binary(node);
    case NodeKind::boolean_operator: return lower_logical(node);
    case NodeKind::comparison_operator: return lower_comparison(node);
    case NodeKind::conditional_expression: return lower_conditional(node);
    case NodeKind::named_expression: return lower_named(node);
    case NodeKind::yield: return lower_yield(node);
    case NodeKind::await:
    case NodeKind::list_splat:
    case NodeKind::list_splat_pattern: {
      NamedChildren children(node);
      if (!children.next()) return model::Opaque{};
      if (is_splat && std::exchange(moves_splat_, false))
        return lower_expression_node(children.node());
      const model::ExprId value = lower_expression(children.node());
      if (kind_of(node) == NodeKind::await) return model::Await{value};
      return model::Starred{value};
    }
    default: return model::Opaque{};
  }
}

model::ExprNode PythonLowering::lower_call(TSNode node) {
  const model::ExprId callee = lower_expression(field(node, "function"));
  const TSNode arguments = field(node, "arguments");
  if (kind_of(arguments) == NodeKind::generator_expression) {
    const std::vector<model::Argument> alone = {
        {0, model::Star::none, lower_expression(arguments)}};
    return model::Call{callee, append(code_->arguments, alone)};
  }
  return model::Call{callee, lower_arguments(arguments)};
}

model::Range PythonLowering::lower_arguments(TSNode node) {
  std::vector<model::Argument> made;
  if (ts_node_is_null(node)) return {};
  NamedChildren children(node);
  while (children.next()) {
    const TSNode child = children.node();
    switch (kind_of(child)) {
      case NodeKind::keyword_argument:
        made.push_back({name_of(field(child, "name")), model::Star::none,
                        lower_expression(field(child, "value"))});
        break;
      case NodeKind::list_splat:
      case NodeKind::dictionary_splat: {
        const bool mapping = kind_of(child) == NodeKind::dictionary_splat;
        NamedChildren parts(child);
        if (!parts.next()) break;
        made.push_back({0, mapping ? model::Star::mapping : model::Star::sequence,
                        lower_expression(parts.node())});
        break;
      }
      default: made.push_back({0, model::Star::none, lower_expression(child)});
    }
  }
  return append(code_->arguments, made);
}

model::ExprNode PythonLowering::lower_subscript(TSNode node) {
  const model::ExprId object = lower_expression(field(node, "value"));
  std::vector<model::ExprId> indices;
  NamedChildren children(node);
  while (children.next()) {
    if (children.field() == "subscript") indices.push_back(lower_expression(children.node()));
  }
  if (indices.size() == 1) return model::Subscript{object, indices.front()};
  const model::Range items = append(code_->expr_lists, indices);
  const model::ExprId index =
      add_expression(model::Sequence{model::SequenceKind::tuple, items}, span_of(node));
  return model::Subscript{object, index};
}

model::ExprNode PythonLowering::lower_slice(TSNode node) {
  model::ExprId parts[3] = {model::no_node, model::no_node, model::no_node};
  const uint32_t children = ts_node_child_count(node);
  for (uint32_t i = 0, part = 0; i < children && part < 3; ++i) {
    const TSNode child = ts_node_child(node, i);
    if (ts_node_is_named(child)) {
      parts[part] = lower_expression(child);
    } else {
      ++part;  // a colon
    }
  }
  return model::Slice{parts[0], parts[1], parts[2]};
}

model::ExprNode PythonLowering::lower_sequence(TSNode node, model::SequenceKind kind) {
  std::vector<model::ExprId> items;
  NamedChildren children(node);
  while (children.next()) items.push_back(lower_expression(children.node()));
  return model::Sequence{kind, append(code_->expr_lists, items)};
}

model::ExprNode PythonLowering::lower_dictionary(TSNode node) {
  std::vector<model::ExprId> entries;
  NamedChildren children(node);
  while (children.next()) {
    const TSNode child = children.node();
    if (kind_of(child) == NodeKind::pair) {
      entries.push_back(lower_expression(field(child, "key")));
      entries.push_back(lower_expression(field(child, "value")));
    } else if (kind_of(child) == NodeKind::dictionary_splat) {
      NamedChildren parts(child);
      if (!parts.next()) continue;
      entries.push_back(model::no_node);
      entries.push_back(lower_expression(parts.node()));
    }
  }
  return model::Dict{append(code_->expr_lists, entries)};
}

model::ExprNode PythonLowering::lower_comprehension(TSNode node, model::ComprehensionKind kind) {
  const TSNode body = field(node, "body");
  std::vector<model::Clause> clauses;
  std::vector<std::vector<model::ExprId>> conditions;
  NamedChildren children(node);
  while (children.next()) {
    const TSNode child = children.node();
    if (kind_of(child) == NodeKind::for_in_clause) {
      clauses.push_back(
          {lower_expression(field(child, "left")), lower_expression(field(child, "right")), {}});
      conditions.emplace_back();
    } else if (kind_of(child) == NodeKind::if_clause && !conditions.empty()) {
      NamedChildren parts(child);
      if (parts.next()) conditions.back().push_back(lower_expression(parts.node()));
    }
  }
  for (size_t i = 0; i < clauses.size(); ++i) {
    clauses[i].conditions = append(code_->expr_lists, conditions[i]);
  }
  model::Comprehension made{kind, model::no_node, model::no_node, append(code_->clauses, clauses)};
  if (kind_of(body) == NodeKind::pair) {
    made.element = lower_expression(field(body, "key"));
    made.value = lower_expression(field(body, "value"));
  } else {
    made.element = lower_expression(body);
  }
  return made;
}

model::ExprNode PythonLowering::lower_unary(TSNode node) {
  const model::ExprId operand = lower_expression(field(node, "argument"));
  if (kind_of(node) == NodeKind::not_operator) {
    return model::Unary{model::UnaryOp::logical_not, operand};
  }
  const std::string_view op = text_of(field(node, "operator"));
  if (op == "-") return model::Unary{model::UnaryOp::negate, operand};
  if (op == "+") return model::Unary{model::UnaryOp::plus, operand};
  return model::Unary{model::UnaryOp::invert, operand};
}

model::ExprNode PythonLowering::lower_binary(TSNode node) {
  using model::BinaryOp;
  static constexpr std::pair<std::string_view, BinaryOp> operators[] = {
      {"+", BinaryOp::add},           {"-", BinaryOp::subtract}, {"*", BinaryOp::multiply},
      {"/", BinaryOp::divide},        {"%", BinaryOp::modulo},   {"**", BinaryOp::power},
      {"//", BinaryOp::floor_divide}, {"|", BinaryOp::bit_or},   {"@", BinaryOp::matrix_multiply}};
  const std::string_view op = text_of(field(node, "operator"));
  BinaryOp made = BinaryOp::other;
  for (const auto& [text, kind] : operators) {
    if (op == text) made = kind;
  }
  const model::ExprId left = lower_expression(field(node, "left"));
  return model::Binary{made, left, lower_expression(field(node, "right"))};
}

model::ExprNode PythonLowering::lower_logical(TSNode node) {
  const bool conjunction = text_of(field(node, "operator")) == "and";
  const model::ExprId left = lower_expression(field(node, "left"));
  return model::Logical{conjunction ? model::LogicalOp::logical_and : model::LogicalOp::logical_or,
                        left, lower_expression(field(node, "right"))};
}

model::ExprNode PythonLowering::lower_comparison(TSNode node) {
  using model::CompareOp;
  static constexpr std::pair<std::string_view, CompareOp> operators[] = {
      {"==", CompareOp::equal},  {"!=", CompareOp::unequal},
      {"<", CompareOp::less},    {"<=", CompareOp::less_equal},
      {">", CompareOp::greater}, {">=", CompareOp::greater_equal},
      {"in", CompareOp::in},     {"not in", CompareOp::not_in},
      {"is", CompareOp::is},     {"is not", CompareOp::is_not}};
  std::vector<model::ExprId> operands;
  std::vector<text::Span> spans;
  NamedChildren children(node);
  while (children.next()) {
    operands.push_back(lower_expression(children.node()));
    spans.push_back(syntax::span_of(children.node()));
  }
  if (operands.size() < 2) return model::Opaque{};
  model::ExprNode chain = model::Opaque{};
  for (size_t i = 0; i + 1 < operands.size(); ++i) {
    std::string_view between = bytes_.substr(spans[i].end, spans[i + 1].begin - spans[i].end);
    const auto is_blank = [](char byte) {
      return byte == ' ' || byte == '\t' || byte == ')' || byte == '(';
    };
    while (!between.empty() && is_blank(between.front())) between.remove_prefix(1);
    while (!between.empty() && is_blank(between.back())) between.remove_suffix(1);
    CompareOp op = CompareOp::unequal;
    bool known = false;
    for (const auto& [text, kind] : operators) {
      if (between != text) continue;
      op = kind;
      known = true;
    }
    model::ExprNode link = known ? model::ExprNode(model::Compare{op, operands[i], operands[i + 1]})
                                 : model::ExprNode(model::Opaque{});
    if (i == 0) {
      chain = link;
      continue;
    }
    const model::ExprId left = add_expression(chain, span_of(node));
    const model::ExprId right = add_expression(link, span_of(node));
    chain = model::Logical{model::LogicalOp::logical_and, left, right};
  }
  return chain;
}

model::ExprNode PythonLowering::lower_conditional(TSNode node) {
  model::ExprId parts[3] = {model::no_node, model::no_node, model::no_node};
  int count = 0;
  NamedChildren children(node);
  while (count < 3 && children.next()) parts[count++] = lower_expression(children.node());
  if (count < 3) return model::Opaque{};
  return model::Conditional{parts[1], parts[0], parts[2]};
}

model::ExprNode PythonLowering::lower_yield(TSNode node) {
  functions_.back().is_generator = true;
  NamedChildren children(node);
  if (!children.next()) return model::Yield{model::no_node, false};
  const model::ExprId value = lower_expression(children.node());
  const text::Span head = {syntax::span_of(node).begin, syntax::span_of(children.node()).begin};
  const bool from = bytes_.substr(head.begin, head.size()).find("from") != std::string_view::npos;
  return model::Yield{value, from};
}

model::ExprNode PythonLowering::lower_named(TSNode node) {
  const model::NameId name = name_of(field(node, "name"));
  return model::Walrus{name, lower_expression(field(node, "value"))};
}

}  // namespace vramlint::frontends
