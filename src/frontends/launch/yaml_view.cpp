// SPDX-License-Identifier: MIT
#include "frontends/launch/yaml_view.h"

#include <algorithm>
#include <string>

#include "frontends/launch/yaml_text.h"

namespace vramlint::frontends {

using syntax::YamlKind;
using syntax::YamlNode;

namespace {

/// With more, they are looked up by their order.
constexpr size_t few_keys = 32;

}  // namespace

YamlView::YamlView(std::string_view bytes, std::vector<YamlNode> nodes)
    : bytes_(bytes), nodes_(std::move(nodes)), children_(nodes_.size()) {
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].parent >= 0) children_[static_cast<size_t>(nodes_[i].parent)].push_back(i);
  }
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].kind != YamlKind::mapping || children_[i].size() <= few_keys) continue;
    std::vector<size_t>& sorted = sorted_[i] = children_[i];
    std::ranges::stable_sort(sorted, {},
                             [&](size_t child) -> const std::string& { return nodes_[child].key; });
  }
}

const YamlNode* YamlView::member(int32_t mapping, std::string_view key) const {
  if (mapping < 0) return nullptr;
  const auto index = static_cast<size_t>(mapping);
  if (nodes_[index].kind != YamlKind::mapping) return nullptr;  // lists may be long
  if (children_[index].size() > few_keys) return member_of_many(index, key);
  for (const size_t child : children_[index]) {
    if (nodes_[child].key == key) return &nodes_[child];
  }
  return nullptr;
}

const YamlNode* YamlView::member_of_many(size_t mapping, std::string_view key) const {
  const std::vector<size_t>& sorted = sorted_.find(mapping)->second;
  const auto found = std::ranges::lower_bound(
      sorted, key, {}, [&](size_t child) { return std::string_view(nodes_[child].key); });
  const bool is_there = found != sorted.end() && nodes_[*found].key == key;
  return is_there ? &nodes_[*found] : nullptr;
}

size_t YamlView::root_of(size_t index) const {
  while (nodes_[index].parent >= 0) index = static_cast<size_t>(nodes_[index].parent);
  return index;
}

std::string_view YamlView::written(size_t index) const {
  return bytes_.substr(nodes_[index].span.begin, nodes_[index].span.size());
}

MappedText YamlView::text_of(const YamlNode& node) const { return scalar_text(node, bytes_); }

bool YamlView::is_service(size_t mapping) const {
  const int32_t around = nodes_[mapping].parent;
  return around >= 0 && nodes_[static_cast<size_t>(around)].key == "services";
}

bool YamlView::is_in_manifest(size_t index) const {
  const size_t root = root_of(index);
  return has_key(root, "apiVersion") && has_key(root, "kind");
}

bool YamlView::is_pod_container(size_t mapping) const {
  const int32_t list = nodes_[mapping].parent;
  if (list < 0) return false;
  const std::string& key = nodes_[static_cast<size_t>(list)].key;
  return (key == "containers" || key == "initContainers") && is_in_manifest(mapping);
}

}  // namespace vramlint::frontends
