// SPDX-License-Identifier: MIT
#include "fix/faults.h"

#include <tree_sitter/api.h>

#include <algorithm>

#include "syntax/blocks.h"
#include "syntax/tree.h"
#include "syntax/yaml.h"

namespace vramlint::fix {

namespace {

using syntax::NodeKind;

bool is_fault(TSNode node) {
  if (ts_node_is_missing(node) || ts_node_is_error(node)) return true;
  return syntax::kind_of(node) == NodeKind::block && ts_node_named_child_count(node) == 0;
}

/// Goes through the tree without recursion: broken text nests as deep as it likes.
std::size_t faults_below(TSNode root) {
  std::size_t faults = 0;
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  bool more = true;
  while (more) {
    faults += is_fault(ts_tree_cursor_current_node(&cursor)) ? 1 : 0;
    if (ts_tree_cursor_goto_first_child(&cursor)) continue;
    while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
      more = ts_tree_cursor_goto_parent(&cursor);
      if (!more) break;
    }
  }
  ts_tree_cursor_delete(&cursor);
  return faults;
}

}  // namespace

std::size_t syntax_faults(std::string_view bytes) {
  std::size_t faults = 0;
  for (const syntax::TopLevelBlock& block : syntax::top_level_blocks(bytes)) {
    const std::string_view text = bytes.substr(block.span.begin, block.span.size());
    std::string plain;
    if (block.crowded) plain = syntax::without_idle_lines(text);
    const syntax::Tree tree(block.crowded ? std::string_view(plain) : text);
    const std::size_t found = faults_below(tree.root());
    faults += found == 0 && tree.has_errors() ? 1 : found;
  }
  return faults;
}

bool has_same_shape(std::string_view before, std::string_view after) {
  return std::ranges::equal(syntax::read_yaml(before), syntax::read_yaml(after),
                            [](const syntax::YamlNode& left, const syntax::YamlNode& right) {
                              return left.kind == right.kind && left.parent == right.parent;
                            });
}

}  // namespace vramlint::fix
