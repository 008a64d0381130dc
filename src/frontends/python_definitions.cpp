// SPDX-License-Identifier: MIT
#include <algorithm>

#include "frontends/python_lowering.h"

namespace vramlint::frontends {

using syntax::field;
using syntax::kind_of;
using syntax::NamedChildren;
using syntax::NodeKind;

void PythonLowering::lower_decorated(TSNode node, std::vector<model::StmtId>& into) {
  std::vector<model::ExprId> decorators;
  NamedChildren children(node);
  while (children.next()) {
    if (children.kind() == NodeKind::decorator) {
      NamedChildren parts(children.node());
      if (parts.next()) decorators.push_back(lower_expression(parts.node()));
      continue;
    }
    const model::Range made = append(code_->expr_lists, decorators);
    lower_definition(children.node(), node, made, into);
  }
}

void PythonLowering::lower_definition(TSNode node, TSNode whole, model::Range decorators,
                                      std::vector<model::StmtId>& into) {
  if (depth_ >= max_depth) return;
  ++depth_;
  if (kind_of(node) == NodeKind::class_definition) {
    const model::ClassId made = lower_class(node, whole, decorators);
    into.push_back(add_statement(model::DefineClass{made}, whole));
  } else if (kind_of(node) == NodeKind::function_definition) {
    const model::FunctionId made = lower_function(node, whole, decorators);
    into.push_back(add_statement(model::DefineFunction{made}, whole));
  }
  --depth_;
}

model::FunctionId PythonLowering::lower_function(TSNode node, TSNode whole,
                                                 model::Range decorators) {
  model::Function made;
  const TSNode name = field(node, "name");
  made.name = name_of(name);
  made.name_span = span_of(name);
  made.span = span_of(whole);
  made.decorators = decorators;
  made.is_async = text_of(node).starts_with("async");
  made.parameters = lower_parameters(field(node, "parameters"));
  const uint32_t begin = ts_node_start_byte(node);
  const auto left_out = std::ranges::lower_bound(text_.left_out, begin, {}, &LeftOut::begin);
  if (left_out != text_.left_out.end() && left_out->begin == begin) {
    made.elsewhere = left_out->block;
    code_->functions.push_back(made);
    return static_cast<model::FunctionId>(code_->functions.size() - 1);
  }
  functions_.emplace_back();
  const bool in_class_body = std::exchange(in_class_body_, false);
  made.body = lower_body(field(node, "body"));
  in_class_body_ = in_class_body;
  made.is_generator = functions_.back().is_generator;
  made.globals = append(code_->name_lists, functions_.back().globals);
  made.nonlocals = append(code_->name_lists, functions_.back().nonlocals);
  functions_.pop_back();
  code_->functions.push_back(made);
  return static_cast<model::FunctionId>(code_->functions.size() - 1);
}

model::FunctionId PythonLowering::lower_lambda(TSNode node) {
  model::Function made;
  made.span = span_of(node);
  made.name_span = made.span;
  const TSNode parameters = field(node, "parameters");
  if (!ts_node_is_null(parameters)) made.parameters = lower_parameters(parameters);
  functions_.emplace_back();
  made.expression = lower_expression(field(node, "body"));
  made.is_generator = functions_.back().is_generator;
  functions_.pop_back();
  code_->functions.push_back(made);
  return static_cast<model::FunctionId>(code_->functions.size() - 1);
}

model::ClassId PythonLowering::lower_class(TSNode node, TSNode whole, model::Range decorators) {
  model::Class made;
  made.name = name_of(field(node, "name"));
  made.span = span_of(whole);
  made.decorators = decorators;
  const TSNode bases = field(node, "superclasses");
  if (!ts_node_is_null(bases)) made.bases = lower_arguments(bases);
  const bool in_class_body = std::exchange(in_class_body_, true);
  made.body = lower_body(field(node, "body"));
  in_class_body_ = in_class_body;
  code_->classes.push_back(made);
  return static_cast<model::ClassId>(code_->classes.size() - 1);
}

model::Range PythonLowering::lower_parameters(TSNode node) {
  std::vector<model::Parameter> made;
  bool keyword_only = false;
  NamedChildren children(node);
  while (children.next()) lower_parameter(children.node(), keyword_only, made);
  return append(code_->parameters, made);
}

void PythonLowering::lower_parameter(TSNode node, bool& keyword_only,
                                     std::vector<model::Parameter>& into) {
  using model::ParameterKind;
  const ParameterKind plain =
      keyword_only ? ParameterKind::keyword_only : ParameterKind::positional;
  switch (kind_of(node)) {
    case NodeKind::identifier: into.push_back({name_of(node), plain, model::no_node}); return;
    case NodeKind::keyword_separator: keyword_only = true; return;
    case NodeKind::typed_parameter: {
      NamedChildren parts(node);
      if (parts.next()) lower_parameter(parts.node(), keyword_only, into);
      return;
    }
    case NodeKind::default_parameter:
    case NodeKind::typed_default_parameter:
      into.push_back({name_of(field(node, "name")), plain, lower_expression(field(node, "value"))});
      return;
    case NodeKind::list_splat_pattern:
    case NodeKind::dictionary_splat_pattern: {
      const bool mapping = kind_of(node) == NodeKind::dictionary_splat_pattern;
      NamedChildren parts(node);
      if (parts.next()) {
        into.push_back({name_of(parts.node()),
                        mapping ? ParameterKind::double_star : ParameterKind::star,
                        model::no_node});
      }
      keyword_only = true;
      return;
    }
    default: return;
  }
}

}  // namespace vramlint::frontends
