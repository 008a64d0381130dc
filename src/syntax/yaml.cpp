// SPDX-License-Identifier: MIT
//
// tree-sitter-yaml's tree, which names every layer of the grammar, made flat: what is left is what
// a reader of settings asks for.
#include "syntax/yaml.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <memory>
#include <utility>

extern "C" const TSLanguage* tree_sitter_yaml(void);

namespace vramlint::syntax {
namespace {

using Parser = std::unique_ptr<TSParser, decltype(&ts_parser_delete)>;
using Parsed = std::unique_ptr<TSTree, decltype(&ts_tree_delete)>;

/// What the parser is asked to read, and how many steps it may still take.
struct Reading {
  std::string_view bytes;
  std::size_t steps_left;
};

const char* read(void* payload, uint32_t at, TSPoint, uint32_t* size) {
  const std::string_view bytes = static_cast<const Reading*>(payload)->bytes;
  const std::size_t begin = std::min<std::size_t>(at, bytes.size());
  *size = static_cast<uint32_t>(bytes.size() - begin);
  return bytes.data() + begin;
}

/// Steps and not time: the same text has to give the same answer on every run.
bool is_enough(TSParseState* state) {
  auto& reading = *static_cast<Reading*>(state->payload);
  return reading.steps_left-- == 0;
}

// The grammar's scanner keeps its open levels in 1,024 bytes and writes behind them from the 254th
// on (tree-sitter-yaml 0.7.1, `serialize`). A level needs a column of its own, or two where a list
// stands right below its key; on one line each takes an indicator. Nobody writes as much as this.
constexpr std::size_t widest_indent = 80;
constexpr std::size_t most_indicators = 40;

/// `- `, `? ` or `: ` at a place.
bool is_indicator(std::string_view line, std::size_t at) {
  const char byte = line[at];
  if (byte != '-' && byte != '?' && byte != ':') return false;
  return at + 1 == line.size() || line[at + 1] == ' ' || line[at + 1] == '\t' ||
         line[at + 1] == '\r';
}

bool nests_too_deep(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (std::min(line.find_first_not_of(' '), line.size()) > widest_indent) return true;
    std::size_t indicators = 0;
    for (std::size_t i = 0; i < line.size(); ++i) indicators += is_indicator(line, i) ? 1 : 0;
    if (indicators > most_indicators) return true;
  }
  return false;
}

std::string_view type_of(TSNode node) { return ts_node_type(node); }

bool is_scalar(std::string_view type) {
  return type == "plain_scalar" || type == "double_quote_scalar" || type == "single_quote_scalar" ||
         type == "block_scalar";
}

bool is_quoted(std::string_view type) { return type.find("quote") != std::string_view::npos; }

/// What stands between the quotes. Escapes stay as they are written.
std::string scalar_text(std::string_view type, std::string_view text) {
  return std::string(is_quoted(type) && text.size() >= 2 ? text.substr(1, text.size() - 2) : text);
}

class Flattening {
 public:
  explicit Flattening(std::string_view bytes) : bytes_(bytes) {}

  std::vector<YamlNode> run(TSNode root) {
    TSTreeCursor at = ts_tree_cursor_new(root);
    frames_.push_back({});
    bool goes_down = true;
    while (true) {
      if (goes_down && ts_tree_cursor_goto_first_child(&at)) {
        goes_down = enter(at);
        continue;
      }
      if (goes_down) frames_.pop_back();  // of a node without children
      bool moved = ts_tree_cursor_goto_next_sibling(&at);
      while (!moved && ts_tree_cursor_goto_parent(&at)) {
        frames_.pop_back();
        if (frames_.empty()) break;
        moved = ts_tree_cursor_goto_next_sibling(&at);
      }
      if (!moved) break;
      goes_down = enter(at);
    }
    ts_tree_cursor_delete(&at);
    return std::move(nodes_);
  }

 private:
  /// Where the children of a node belong.
  struct Frame {
    int32_t parent = -1;
    std::string key;
    text::Span key_span{};
  };

  /// Whether to go down into the node; if so, its frame is on top.
  bool enter(const TSTreeCursor& at) {
    const TSNode node = ts_tree_cursor_current_node(&at);
    const std::string_view type = type_of(node);
    const char* field = ts_tree_cursor_current_field_name(&at);
    if (field != nullptr && std::string_view(field) == "key") return false;
    Frame frame = frames_.back();
    if (type == "block_mapping_pair" || type == "flow_pair") {
      frame.key = key_of(node, frame.key_span);
    } else if (type == "block_mapping" || type == "flow_mapping") {
      frame = {add(YamlKind::mapping, node), ""};
    } else if (type == "block_sequence" || type == "flow_sequence") {
      frame = {add(YamlKind::sequence, node), ""};
    } else if (is_scalar(type)) {
      YamlNode& made = nodes_[static_cast<std::size_t>(add(YamlKind::scalar, node))];
      made.text = scalar_text(type, text_of(node));
      made.quoted = is_quoted(type);
      made.block = type == "block_scalar";
      return false;
    }
    frames_.push_back(std::move(frame));
    return true;
  }

  int32_t add(YamlKind kind, TSNode node) {
    const Frame& frame = frames_.back();
    nodes_.push_back(
        {kind, frame.parent, frame.key, "", span_of(node), frame.key_span, false, false});
    return static_cast<int32_t>(nodes_.size() - 1);
  }

  static text::Span span_of(TSNode node) {
    return {ts_node_start_byte(node), ts_node_end_byte(node)};
  }

  std::string key_of(TSNode pair, text::Span& span) const {
    TSNode key = ts_node_child_by_field_name(pair, "key", 3);
    while (!ts_node_is_null(key) && !is_scalar(type_of(key))) key = ts_node_named_child(key, 0);
    if (ts_node_is_null(key)) return "";
    span = span_of(key);
    return scalar_text(type_of(key), text_of(key));
  }

  std::string_view text_of(TSNode node) const {
    const uint32_t begin = ts_node_start_byte(node);
    return bytes_.substr(begin, ts_node_end_byte(node) - begin);
  }

  std::string_view bytes_;
  std::vector<Frame> frames_;
  std::vector<YamlNode> nodes_;
};

}  // namespace

std::vector<YamlNode> read_yaml(std::string_view bytes) {
  if (nests_too_deep(bytes)) return {};
  const Parser parser(ts_parser_new(), &ts_parser_delete);
  ts_parser_set_language(parser.get(), tree_sitter_yaml());
  Reading reading{bytes, 1000 + bytes.size() / 8};
  const Parsed tree(ts_parser_parse_with_options(parser.get(), nullptr,
                                                 {&reading, &read, TSInputEncodingUTF8, nullptr},
                                                 {&reading, &is_enough}),
                    &ts_tree_delete);
  if (tree == nullptr) return {};
  return Flattening(bytes).run(ts_tree_root_node(tree.get()));
}

}  // namespace vramlint::syntax
