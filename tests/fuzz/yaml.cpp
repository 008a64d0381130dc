// SPDX-License-Identifier: MIT
//
// YAML: of any text a list in which a parent stands before what it holds, and every value lies
// inside of the text and of its parent.
#include <cstdlib>
#include <string_view>

#include "require.h"
#include "syntax/yaml.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using vramlint::fuzz::require;
  using vramlint::syntax::YamlNode;
  const std::vector<YamlNode> nodes =
      vramlint::syntax::read_yaml({reinterpret_cast<const char*>(data), size});
  for (size_t i = 0; i < nodes.size(); ++i) {
    const YamlNode& node = nodes[i];
    require(node.span.begin <= node.span.end && node.span.end <= size);
    require(node.parent >= -1 && node.parent < static_cast<int32_t>(i));
    if (node.parent < 0) continue;
    const YamlNode& parent = nodes[static_cast<size_t>(node.parent)];
    require(parent.kind != vramlint::syntax::YamlKind::scalar);
    require(parent.span.begin <= node.span.begin && node.span.end <= parent.span.end);
  }
  return 0;
}
