// SPDX-License-Identifier: MIT
#include "frontends/launch/yaml_text.h"

#include <algorithm>
#include <optional>

namespace vramlint::frontends {

using syntax::YamlNode;

namespace {

/// Line ends inside a scalar stand for blanks.
void add_folded(std::string_view text, uint32_t origin, MappedText& made) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    made.append(text.substr(at, end - at), origin + static_cast<uint32_t>(at));
    if (end < text.size()) made.append(" ", origin + static_cast<uint32_t>(end));
    at = end + 1;
  }
}

MappedText block_text(std::string_view all, uint32_t origin) {
  MappedText made;
  const bool folds = all.starts_with('>');
  size_t at = std::min(all.find('\n'), all.size());
  std::optional<size_t> indent;
  while (at < all.size()) {
    ++at;
    const size_t end = std::min(all.find('\n', at), all.size());
    const std::string_view line = all.substr(at, end - at);
    const size_t blanks = line.find_first_not_of(' ');
    if (blanks != std::string_view::npos) {
      if (!indent) indent = blanks;
      const size_t cut = std::min(*indent, blanks);
      made.append(line.substr(cut), origin + static_cast<uint32_t>(at + cut));
    }
    if (end < all.size()) made.append(folds ? " " : "\n", origin + static_cast<uint32_t>(end));
    at = end;
  }
  return made;
}

}  // namespace

MappedText scalar_text(const YamlNode& node, std::string_view bytes) {
  const std::string_view all = bytes.substr(node.span.begin, node.span.size());
  if (node.block) return block_text(all, node.span.begin);
  MappedText made;
  if (!node.quoted) {
    add_folded(all, node.span.begin, made);
    return made;
  }
  const char quote = all.front();
  const std::string_view inner = all.size() >= 2 ? all.substr(1, all.size() - 2) : "";
  for (size_t i = 0; i < inner.size(); ++i) {
    const auto origin = static_cast<uint32_t>(node.span.begin + 1 + i);
    const bool escapes = quote == '"' && inner[i] == '\\' && i + 1 < inner.size();
    if (escapes) {
      ++i;
      made.append(inner[i] == 'n' ? "\n" : inner[i] == 't' ? "\t" : inner.substr(i, 1), origin + 1);
    } else {
      made.append(inner[i] == '\n' ? " " : inner.substr(i, 1), origin);
      if (quote == '\'' && inner.substr(i).starts_with("''")) ++i;
    }
  }
  return made;
}

}  // namespace vramlint::frontends
