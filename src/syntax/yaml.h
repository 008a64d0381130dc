// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/span.h"

namespace vramlint::syntax {

enum class YamlKind : uint8_t { scalar, sequence, mapping };

/// A value of a YAML stream.
struct YamlNode {
  YamlKind kind = YamlKind::scalar;
  int32_t parent = -1;  ///< place in the list; -1 for the value of a whole document
  std::string key;      ///< under which it stands in its parent; empty in a sequence
  std::string text;     ///< of a scalar, without its quotes
  text::Span span;
  text::Span key_span;  ///< of the key, quotes included
  bool quoted = false;  ///< of a scalar
  bool block = false;   ///< of a scalar: `|` or `>` with its lines below
};

/// The values of all documents in the order of the text, a parent before what it holds. Of broken
/// text what could be read; nothing of text so broken that reading it would take long, or nested
/// deeper than anybody writes. Aliases, tags and keys without a value are left out.
std::vector<YamlNode> read_yaml(std::string_view bytes);

}  // namespace vramlint::syntax
