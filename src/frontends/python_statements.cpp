// SPDX-License-Identifier: MIT
#include <algorithm>

#include "frontends/python_lowering.h"

namespace vramlint::frontends {

using syntax::field;
using syntax::kind_of;
using syntax::NamedChildren;
using syntax::NodeKind;

PythonLowering::PythonLowering(const PythonText& text, model::Names& names)
    : text_(text),
      bytes_(text.condensed.text),
      names_(names),
      code_(std::make_unique<model::Code>()) {}

std::unique_ptr<model::Code> PythonLowering::lower(const syntax::Tree& tree) {
  functions_.emplace_back();
  code_->has_errors = tree.has_errors();
  code_->statements = lower_body(tree.root());
  return std::move(code_);
}

std::string_view PythonLowering::text_of(TSNode node) const {
  if (ts_node_is_null(node)) return {};
  const text::Span span = syntax::span_of(node);
  return bytes_.substr(span.begin, span.size());
}

text::Span PythonLowering::span_of(TSNode node) const {
  const text::Span span = syntax::span_of(node);
  return {text_.condensed.original(span.begin) + text_.offset,
          text_.condensed.original(span.end) + text_.offset};
}

model::StmtId PythonLowering::add_statement(model::StmtNode node, TSNode at) {
  code_->stmts.push_back({node, span_of(at)});
  return static_cast<model::StmtId>(code_->stmts.size() - 1);
}

model::Range PythonLowering::lower_body(TSNode block) {
  std::vector<model::StmtId> statements;
  if (!ts_node_is_null(block) && depth_ < max_depth) {
    ++depth_;
    NamedChildren children(block);
    while (children.next()) lower_statement(children.node(), statements);
    --depth_;
  }
  return append(code_->stmt_lists, statements);
}

void PythonLowering::lower_statement(TSNode node, std::vector<model::StmtId>& into) {
  const auto add = [&](model::StmtNode made) { into.push_back(add_statement(made, node)); };
  switch (kind_of(node)) {
    case NodeKind::expression_statement: return lower_expression_statement(node, into);
    case NodeKind::function_definition:
    case NodeKind::class_definition: return lower_definition(node, node, {}, into);
    case NodeKind::decorated_definition: return lower_decorated(node, into);
    case NodeKind::import_statement: return add(lower_import(node));
    case NodeKind::import_from_statement: return add(lower_from_import(node));
    case NodeKind::if_statement: return add(lower_if(node));
    case NodeKind::for_statement: return add(lower_for(node));
    case NodeKind::while_statement: return add(lower_while(node));
    case NodeKind::try_statement: return add(lower_try(node));
    case NodeKind::with_statement: return add(lower_with(node));
    case NodeKind::match_statement: return add(lower_match(node));
    case NodeKind::return_statement:
    case NodeKind::raise_statement: {
      NamedChildren children(node);
      const model::ExprId value =
          children.next() ? lower_expression(children.node()) : model::no_node;
      if (kind_of(node) == NodeKind::return_statement) return add(model::Return{value});
      return add(model::Raise{value});
    }
    case NodeKind::assert_statement: {
      NamedChildren children(node);
      return add(
          model::Assert{children.next() ? lower_expression(children.node()) : model::no_node});
    }
    case NodeKind::delete_statement: return add(lower_delete(node));
    case NodeKind::break_statement: return add(model::Break{});
    case NodeKind::continue_statement: return add(model::Continue{});
    case NodeKind::pass_statement: return add(model::Pass{});
    case NodeKind::global_statement: return add(lower_scope(node, true));
    case NodeKind::nonlocal_statement: return add(lower_scope(node, false));
    case NodeKind::error:
    case NodeKind::block: {
      // What could be understood inside a broken stretch still counts.
      const model::Range inner = lower_body(node);
      for (uint32_t i = inner.begin; i < inner.end; ++i) into.push_back(code_->stmt_lists[i]);
      return;
    }
    default: return;
  }
}

void PythonLowering::lower_expression_statement(TSNode node, std::vector<model::StmtId>& into) {
  NamedChildren children(node);
  while (children.next()) {
    const TSNode child = children.node();
    switch (kind_of(child)) {
      case NodeKind::assignment: lower_assignment(child, into); break;
      case NodeKind::augmented_assignment:
        into.push_back(add_statement(lower_augmented(child), child));
        break;
      default: into.push_back(add_statement(model::Evaluate{lower_expression(child)}, child));
    }
  }
}

void PythonLowering::lower_assignment(TSNode node, std::vector<model::StmtId>& into) {
  // `a = b = value` is nested to the right; all targets get the one value.
  std::vector<model::ExprId> targets;
  TSNode assignment = node;
  while (true) {
    const TSNode right = field(assignment, "right");
    const bool bare = ts_node_is_null(right);
    if (bare && !in_class_body_) return;  // a bare annotation binds nothing
    targets.push_back(lower_expression(field(assignment, "left")));
    if (bare) {
      const model::ExprId value = add_expression(model::Opaque{}, span_of(node));
      into.push_back(add_statement(model::Assign{append(code_->expr_lists, targets), value}, node));
      return;
    }
    if (kind_of(right) != NodeKind::assignment) {
      const model::ExprId value = lower_expression(right);
      into.push_back(add_statement(model::Assign{append(code_->expr_lists, targets), value}, node));
      return;
    }
    assignment = right;
  }
}

model::StmtNode PythonLowering::lower_augmented(TSNode node) {
  const std::string_view op = text_of(field(node, "operator"));
  model::BinaryOp made = model::BinaryOp::other;
  if (op == "+=") made = model::BinaryOp::add;
  if (op == "|=") made = model::BinaryOp::bit_or;
  if (op == "-=") made = model::BinaryOp::subtract;
  if (op == "*=") made = model::BinaryOp::multiply;
  const model::ExprId target = lower_expression(field(node, "left"));
  return model::AugmentedAssign{target, made, lower_expression(field(node, "right"))};
}

model::ImportedName PythonLowering::lower_imported_name(TSNode node) {
  if (kind_of(node) != NodeKind::aliased_import) return {name_of(node), 0};
  return {name_of(field(node, "name")), name_of(field(node, "alias"))};
}

model::StmtNode PythonLowering::lower_import(TSNode node) {
  std::vector<model::ImportedName> names;
  NamedChildren children(node);
  while (children.next()) names.push_back(lower_imported_name(children.node()));
  return model::Import{append(code_->imported_names, names)};
}

model::StmtNode PythonLowering::lower_from_import(TSNode node) {
  model::FromImport made{};
  std::vector<model::ImportedName> names;
  NamedChildren children(node);
  while (children.next()) {
    const TSNode child = children.node();
    const NodeKind kind = kind_of(child);
    if (children.field() == "module_name") {
      std::string_view module = text_of(child);
      const size_t dots = std::min(module.find_first_not_of(". \t\r\n\\"), module.size());
      made.level = static_cast<uint32_t>(std::count(module.begin(), module.begin() + dots, '.'));
      made.module = names_.intern(module.substr(dots));
    } else if (kind == NodeKind::wildcard_import) {
      made.star = true;
    } else if (kind == NodeKind::dotted_name || kind == NodeKind::aliased_import) {
      names.push_back(lower_imported_name(child));
    }
  }
  made.names = append(code_->imported_names, names);
  return made;
}

model::StmtNode PythonLowering::lower_if(TSNode node) {
  // An `elif` is an `if` alone in the `else` of the one before. Built from the last to the first,
  // so that a thousand of them are no nesting.
  std::vector<TSNode> arms = {node};
  model::Range otherwise;
  NamedChildren children(node);
  while (children.next()) {
    if (children.kind() == NodeKind::elif_clause) arms.push_back(children.node());
    if (children.kind() == NodeKind::else_clause) {
      otherwise = lower_body(field(children.node(), "body"));
    }
  }
  for (size_t i = arms.size(); i-- > 1;) {
    const model::ExprId condition = lower_expression(field(arms[i], "condition"));
    const model::Range then = lower_body(field(arms[i], "consequence"));
    const std::vector<model::StmtId> alone = {
        add_statement(model::If{condition, then, otherwise}, arms[i])};
    otherwise = append(code_->stmt_lists, alone);
  }
  const model::ExprId condition = lower_expression(field(node, "condition"));
  return model::If{condition, lower_body(field(node, "consequence")), otherwise};
}

model::Range PythonLowering::otherwise_of(TSNode node) {
  const TSNode clause = field(node, "alternative");
  return ts_node_is_null(clause) ? model::Range() : lower_body(field(clause, "body"));
}

model::StmtNode PythonLowering::lower_for(TSNode node) {
  const model::ExprId target = lower_expression(field(node, "left"));
  const model::ExprId iterable = lower_expression(field(node, "right"));
  const model::Range body = lower_body(field(node, "body"));
  return model::For{target, iterable, body, otherwise_of(node)};
}

model::StmtNode PythonLowering::lower_while(TSNode node) {
  const model::ExprId condition = lower_expression(field(node, "condition"));
  const model::Range body = lower_body(field(node, "body"));
  return model::While{condition, body, otherwise_of(node)};
}

model::StmtNode PythonLowering::lower_try(TSNode node) {
  model::Try made{};
  std::vector<model::Handler> handlers;
  made.body = lower_body(field(node, "body"));
  NamedChildren children(node);
  while (children.next()) {
    const TSNode child = children.node();
    switch (kind_of(child)) {
      case NodeKind::except_clause:
      case NodeKind::except_group_clause: handlers.push_back(lower_handler(child)); break;
      case NodeKind::else_clause: made.otherwise = lower_body(field(child, "body")); break;
      case NodeKind::finally_clause: {
        NamedChildren parts(child);
        while (parts.next()) {
          if (parts.kind() == NodeKind::block) made.finally = lower_body(parts.node());
        }
        break;
      }
      default: break;
    }
  }
  made.handlers = append(code_->handlers, handlers);
  return made;
}

model::Handler PythonLowering::lower_handler(TSNode node) {
  model::Handler made{model::no_node, 0, {}};
  NamedChildren children(node);
  while (children.next()) {
    const TSNode child = children.node();
    if (kind_of(child) == NodeKind::block) {
      made.body = lower_body(child);
    } else if (kind_of(child) == NodeKind::as_pattern) {
      NamedChildren parts(child);
      if (parts.next()) made.type = lower_expression(parts.node());
      made.alias = name_of(field(child, "alias"));
    } else if (children.field() == "alias") {
      made.alias = name_of(child);
    } else {
      made.type = lower_expression(child);
    }
  }
  return made;
}

model::StmtNode PythonLowering::lower_with(TSNode node) {
  std::vector<model::WithItem> items;
  NamedChildren children(node);
  while (children.next()) {
    if (children.kind() != NodeKind::with_clause) continue;
    NamedChildren parts(children.node());
    while (parts.next()) {
      if (parts.kind() != NodeKind::with_item) continue;
      const TSNode value = field(parts.node(), "value");
      if (kind_of(value) != NodeKind::as_pattern) {
        items.push_back({lower_expression(value), model::no_node});
        continue;
      }
      NamedChildren pattern(value);
      model::WithItem item{model::no_node, model::no_node};
      if (pattern.next()) item.context = lower_expression(pattern.node());
      item.target = lower_expression(field(value, "alias"));
      items.push_back(item);
    }
  }
  const model::Range made = append(code_->with_items, items);
  return model::With{made, lower_body(field(node, "body"))};
}

model::StmtNode PythonLowering::lower_match(TSNode node) {
  std::vector<model::Arm> arms;
  const model::ExprId subject = lower_expression(field(node, "subject"));
  NamedChildren clauses(field(node, "body"));
  while (clauses.next()) {
    if (clauses.kind() != NodeKind::case_clause) continue;
    model::Arm arm{model::no_node, 0, false, model::no_node, {}};
    NamedChildren parts(clauses.node());
    int patterns = 0;
    while (parts.next()) {
      if (parts.kind() == NodeKind::case_pattern && ++patterns == 1)
        lower_pattern(parts.node(), arm);
      if (parts.kind() == NodeKind::if_clause) {
        NamedChildren guard(parts.node());
        if (guard.next()) arm.guard = lower_expression(guard.node());
      }
    }
    if (patterns > 1) arm.literal = model::no_node;
    arm.body = lower_body(field(clauses.node(), "consequence"));
    arms.push_back(arm);
  }
  return model::Match{subject, append(code_->arms, arms)};
}

void PythonLowering::lower_pattern(TSNode pattern, model::Arm& arm) {
  NamedChildren children(pattern);
  if (!children.next()) {
    arm.irrefutable = text_of(pattern) == "_";
    return;
  }
  const TSNode child = children.node();
  switch (kind_of(child)) {
    case NodeKind::string:
    case NodeKind::concatenated_string:
    case NodeKind::integer:
    case NodeKind::float_:
    case NodeKind::true_:
    case NodeKind::false_:
    case NodeKind::none: arm.literal = lower_expression(child); return;
    case NodeKind::dotted_name:
    case NodeKind::identifier: {
      if (text_of(child).find('.') != std::string_view::npos) return;
      arm.capture = name_of(child);
      arm.irrefutable = true;
      return;
    }
    default: return;
  }
}

model::StmtNode PythonLowering::lower_scope(TSNode node, bool global) {
  std::vector<model::NameId> names;
  NamedChildren children(node);
  while (children.next()) names.push_back(name_of(children.node()));
  FunctionContext& function = functions_.back();
  std::vector<model::NameId>& declared = global ? function.globals : function.nonlocals;
  declared.insert(declared.end(), names.begin(), names.end());
  return model::Scope{global, append(code_->name_lists, names)};
}

model::StmtNode PythonLowering::lower_delete(TSNode node) {
  std::vector<model::ExprId> targets;
  NamedChildren children(node);
  while (children.next()) {
    if (children.kind() != NodeKind::expression_list) {
      targets.push_back(lower_expression(children.node()));
      continue;
    }
    NamedChildren parts(children.node());
    while (parts.next()) targets.push_back(lower_expression(parts.node()));
  }
  return model::Delete{append(code_->expr_lists, targets)};
}

}  // namespace vramlint::frontends
