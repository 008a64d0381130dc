// SPDX-License-Identifier: MIT
#pragma once

#include <tree_sitter/api.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "text/span.h"

namespace vramlint::syntax {

/// The kinds of node of tree-sitter-python that the front end tells apart; all others are `other`.
// clang-format off
enum class NodeKind : uint8_t {
  other, error, comment,
  // statements
  expression_statement, import_statement, import_from_statement, future_import_statement,
  if_statement, elif_clause, else_clause, for_statement, while_statement, try_statement,
  except_clause, except_group_clause, finally_clause, with_statement, with_clause, with_item,
  match_statement, case_clause, case_pattern, if_clause, function_definition, class_definition,
  decorated_definition, decorator, return_statement, raise_statement, delete_statement,
  pass_statement, break_statement, continue_statement, global_statement, nonlocal_statement,
  assert_statement, block,
  // parts of imports and parameters
  dotted_name, aliased_import, relative_import, import_prefix, wildcard_import, parameters,
  lambda_parameters, default_parameter, typed_parameter, typed_default_parameter,
  list_splat_pattern, dictionary_splat_pattern, keyword_separator, positional_separator,
  // expressions
  assignment, augmented_assignment, identifier, attribute, subscript, slice, call, argument_list,
  keyword_argument, list_splat, dictionary_splat, parenthesized_expression, integer, float_,
  string, string_start, string_content, string_end, interpolation, escape_sequence,
  concatenated_string, true_, false_, none, ellipsis, list, tuple, set, dictionary, pair,
  list_comprehension, dictionary_comprehension, set_comprehension, generator_expression,
  for_in_clause, lambda, unary_operator, not_operator, binary_operator, boolean_operator,
  comparison_operator, conditional_expression, await, yield, named_expression, as_pattern,
  as_pattern_target, expression_list, pattern_list, tuple_pattern, list_pattern, type,
};
// clang-format on

NodeKind kind_of(TSNode node);

/// The children that the grammar names, in order, comments left out. One step each, however many.
class NamedChildren {
 public:
  explicit NamedChildren(TSNode parent);
  ~NamedChildren();
  NamedChildren(const NamedChildren&) = delete;
  NamedChildren& operator=(const NamedChildren&) = delete;

  /// False after the last.
  bool next();
  TSNode node() const { return ts_tree_cursor_current_node(&cursor_); }
  NodeKind kind() const { return kind_of(node()); }
  /// Name of the child's field, empty without one.
  std::string_view field() const;

 private:
  TSTreeCursor cursor_;
  bool started_ = false;
};

TSNode field(TSNode node, std::string_view name);
inline text::Span span_of(TSNode node) {
  return {ts_node_start_byte(node), ts_node_end_byte(node)};
}

/// A parsed stretch of Python. Always there, with error nodes where the text is broken; empty where
/// it is so broken that nobody could mean anything by it.
class Tree {
 public:
  /// Spans of its nodes count from the beginning of `bytes`.
  explicit Tree(std::string_view bytes);
  ~Tree();
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  TSNode root() const { return ts_tree_root_node(tree_); }
  bool has_errors() const { return is_given_up_ || ts_node_has_error(root()); }
  /// The tree in tree-sitter's own notation, for `--print tree`.
  std::string to_string() const;

 private:
  TSTree* tree_ = nullptr;
  bool is_given_up_ = false;
};

}  // namespace vramlint::syntax
