// SPDX-License-Identifier: MIT
#include "syntax/tree.h"

#include <time.h>

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <vector>

extern "C" const TSLanguage* tree_sitter_python(void);

namespace vramlint::syntax {
namespace {

using enum NodeKind;

const std::unordered_map<std::string_view, NodeKind>& kinds_by_name() {
  static const std::unordered_map<std::string_view, NodeKind> kinds = {
      {"ERROR", error},
      {"comment", comment},
      {"expression_statement", expression_statement},
      {"import_statement", import_statement},
      {"import_from_statement", import_from_statement},
      {"future_import_statement", future_import_statement},
      {"if_statement", if_statement},
      {"elif_clause", elif_clause},
      {"else_clause", else_clause},
      {"for_statement", for_statement},
      {"while_statement", while_statement},
      {"try_statement", try_statement},
      {"except_clause", except_clause},
      {"except_group_clause", except_group_clause},
      {"finally_clause", finally_clause},
      {"with_statement", with_statement},
      {"with_clause", with_clause},
      {"with_item", with_item},
      {"match_statement", match_statement},
      {"case_clause", case_clause},
      {"case_pattern", case_pattern},
      {"if_clause", if_clause},
      {"function_definition", function_definition},
      {"class_definition", class_definition},
      {"decorated_definition", decorated_definition},
      {"decorator", decorator},
      {"return_statement", return_statement},
      {"raise_statement", raise_statement},
      {"delete_statement", delete_statement},
      {"pass_statement", pass_statement},
      {"break_statement", break_statement},
      {"continue_statement", continue_statement},
      {"global_statement", global_statement},
      {"nonlocal_statement", nonlocal_statement},
      {"assert_statement", assert_statement},
      {"block", block},
      {"dotted_name", dotted_name},
      {"aliased_import", aliased_import},
      {"relative_import", relative_import},
      {"import_prefix", import_prefix},
      {"wildcard_import", wildcard_import},
      {"parameters", parameters},
      {"lambda_parameters", lambda_parameters},
      {"default_parameter", default_parameter},
      {"typed_parameter", typed_parameter},
      {"typed_default_parameter", typed_default_parameter},
      {"list_splat_pattern", list_splat_pattern},
      {"dictionary_splat_pattern", dictionary_splat_pattern},
      {"keyword_separator", keyword_separator},
      {"positional_separator", positional_separator},
      {"assignment", assignment},
      {"augmented_assignment", augmented_assignment},
      {"identifier", identifier},
      {"attribute", attribute},
      {"subscript", subscript},
      {"slice", slice},
      {"call", call},
      {"argument_list", argument_list},
      {"keyword_argument", keyword_argument},
      {"list_splat", list_splat},
      {"dictionary_splat", dictionary_splat},
      {"parenthesized_expression", parenthesized_expression},
      {"integer", integer},
      {"float", float_},
      {"string", string},
      {"string_start", string_start},
      {"string_content", string_content},
      {"string_end", string_end},
      {"interpolation", interpolation},
      {"escape_sequence", escape_sequence},
      {"concatenated_string", concatenated_string},
      {"true", true_},
      {"false", false_},
      {"none", none},
      {"ellipsis", ellipsis},
      {"list", list},
      {"tuple", tuple},
      {"set", set},
      {"dictionary", dictionary},
      {"pair", pair},
      {"list_comprehension", list_comprehension},
      {"dictionary_comprehension", dictionary_comprehension},
      {"set_comprehension", set_comprehension},
      {"generator_expression", generator_expression},
      {"for_in_clause", for_in_clause},
      {"lambda", lambda},
      {"unary_operator", unary_operator},
      {"not_operator", not_operator},
      {"binary_operator", binary_operator},
      {"boolean_operator", boolean_operator},
      {"comparison_operator", comparison_operator},
      {"conditional_expression", conditional_expression},
      {"await", await},
      {"yield", yield},
      {"named_expression", named_expression},
      {"as_pattern", as_pattern},
      {"as_pattern_target", as_pattern_target},
      {"expression_list", expression_list},
      {"pattern_list", pattern_list},
      {"tuple_pattern", tuple_pattern},
      {"list_pattern", list_pattern},
      {"type", type}};
  return kinds;
}

/// Indexed by the grammar's symbol numbers, which change with each of its releases.
const std::vector<NodeKind>& kinds_by_symbol() {
  static const std::vector<NodeKind> kinds = [] {
    const TSLanguage* language = tree_sitter_python();
    std::vector<NodeKind> made(ts_language_symbol_count(language), other);
    for (uint32_t symbol = 0; symbol < made.size(); ++symbol) {
      const auto id = static_cast<TSSymbol>(symbol);
      if (ts_language_symbol_type(language, id) != TSSymbolTypeRegular) continue;
      const auto found = kinds_by_name().find(ts_language_symbol_name(language, id));
      if (found != kinds_by_name().end()) made[symbol] = found->second;
    }
    return made;
  }();
  return kinds;
}

}  // namespace

NodeKind kind_of(TSNode node) {
  if (ts_node_is_null(node)) return other;
  const TSSymbol symbol = ts_node_symbol(node);
  const std::vector<NodeKind>& kinds = kinds_by_symbol();
  return symbol < kinds.size() ? kinds[symbol] : error;
}

NamedChildren::NamedChildren(TSNode parent) : cursor_(ts_tree_cursor_new(parent)) {}

NamedChildren::~NamedChildren() { ts_tree_cursor_delete(&cursor_); }

bool NamedChildren::next() {
  while (true) {
    const bool moved = started_ ? ts_tree_cursor_goto_next_sibling(&cursor_)
                                : ts_tree_cursor_goto_first_child(&cursor_);
    started_ = true;
    if (!moved) return false;
    const TSNode current = node();
    if (ts_node_is_named(current) && kind_of(current) != comment) return true;
  }
}

std::string_view NamedChildren::field() const {
  const char* name = ts_tree_cursor_current_field_name(&cursor_);
  return name == nullptr ? std::string_view() : name;
}

TSNode field(TSNode node, std::string_view name) {
  // The grammar compares the name with all that it has; the texts are literals, each at one
  // address.
  thread_local std::unordered_map<const char*, TSFieldId> known;
  const auto [found, fresh] = known.try_emplace(name.data(), TSFieldId{0});
  if (fresh) {
    found->second = ts_language_field_id_for_name(tree_sitter_python(), name.data(),
                                                  static_cast<uint32_t>(name.size()));
  }
  return ts_node_child_by_field_id(node, found->second);
}

namespace {

/// Processor time of this thread, in seconds.
double time_spent() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// What the parser is asked to read, and for how long it may.
struct Reading {
  std::string_view bytes;
  double ends_at;
  unsigned checks = 0;
};

const char* read(void* payload, uint32_t at, TSPoint, uint32_t* size) {
  const std::string_view bytes = static_cast<const Reading*>(payload)->bytes;
  const size_t begin = std::min<size_t>(at, bytes.size());
  *size = static_cast<uint32_t>(bytes.size() - begin);
  return bytes.data() + begin;
}

/// tree-sitter keeps what it skipped and goes over all of it at each further error: a block with
/// ten thousand errors takes seconds, one with a hundred thousand minutes. It says nothing of that
/// while it runs, so the clock has to. Code that has a meaning takes a third of the time allowed at
/// most.
bool is_enough(TSParseState* state) {
  auto& reading = *static_cast<Reading*>(state->payload);
  return ++reading.checks % 64 == 0 && time_spent() > reading.ends_at;
}

/// The grammar's scanner keeps each level of indentation in a buffer for some 500, and dies of
/// more. CPython takes 100.
constexpr size_t most_levels = 400;

size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

bool is_indented_too_deep(std::string_view bytes) {
  std::vector<size_t> levels;
  while (!bytes.empty()) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
    const size_t indent = indent_of(line);
    if (indent == line.size()) continue;
    while (!levels.empty() && levels.back() >= indent) levels.pop_back();
    levels.push_back(indent);
    if (levels.size() > most_levels) return true;
  }
  return false;
}

}  // namespace

Tree::Tree(std::string_view bytes) {
  // One parser a thread: it keeps the memory of what it has read before.
  thread_local const std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser(
      ts_parser_new(), &ts_parser_delete);
  ts_parser_set_language(parser.get(), tree_sitter_python());
  Reading reading{bytes, time_spent() + 0.5 + 1.5e-6 * static_cast<double>(bytes.size())};
  const bool is_readable =
      bytes.size() < most_levels * most_levels / 2 || !is_indented_too_deep(bytes);
  if (is_readable) {
    tree_ = ts_parser_parse_with_options(parser.get(), nullptr,
                                         {&reading, &read, TSInputEncodingUTF8, nullptr},
                                         {&reading, &is_enough});
  }
  if (tree_ != nullptr) return;
  is_given_up_ = true;
  ts_parser_reset(parser.get());
  tree_ = ts_parser_parse_string(parser.get(), nullptr, "", 0);
}

Tree::~Tree() { ts_tree_delete(tree_); }

std::string Tree::to_string() const {
  std::string text;
  // With a cursor, since a tree can be a hundred thousand nodes deep.
  TSTreeCursor at = ts_tree_cursor_new(root());
  std::vector<bool> is_shown;
  bool goes_on = true;
  while (goes_on) {
    const TSNode node = ts_tree_cursor_current_node(&at);
    is_shown.push_back(ts_node_is_named(node) || ts_node_is_missing(node));
    if (is_shown.back()) {
      const char* name = ts_tree_cursor_current_field_name(&at);
      text += text.empty() ? "" : " ";
      text += name == nullptr ? "(" : std::string(name) + ": (";
      text += ts_node_is_missing(node) ? "MISSING " : "";
      const std::string mark = ts_node_is_named(node) ? "" : "\"";
      text += mark + ts_node_type(node) + mark;
    }
    goes_on = ts_tree_cursor_goto_first_child(&at);
    while (!goes_on && !is_shown.empty()) {
      if (is_shown.back()) text += ')';
      is_shown.pop_back();
      goes_on = ts_tree_cursor_goto_next_sibling(&at);
      if (!goes_on && !ts_tree_cursor_goto_parent(&at)) break;
    }
  }
  ts_tree_cursor_delete(&at);
  return text;
}

}  // namespace vramlint::syntax
