// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "frontends/launch/mapped_text.h"
#include "syntax/yaml.h"

namespace vramlint::frontends {

/// A YAML stream with the ways from a value to those that it holds.
class YamlView {
 public:
  YamlView(std::string_view bytes, std::vector<syntax::YamlNode> nodes);

  std::string_view bytes() const { return bytes_; }
  const std::vector<syntax::YamlNode>& nodes() const { return nodes_; }
  const syntax::YamlNode& node(size_t index) const { return nodes_[index]; }
  const std::vector<size_t>& children(size_t index) const { return children_[index]; }
  size_t place_of(const syntax::YamlNode* node) const {
    return static_cast<size_t>(node - nodes_.data());
  }

  /// What a mapping has under a key; null where it has nothing, and where `mapping` is none.
  const syntax::YamlNode* member(int32_t mapping, std::string_view key) const;
  bool has_key(size_t mapping, std::string_view key) const {
    return member(static_cast<int32_t>(mapping), key) != nullptr;
  }
  /// The value of the whole document.
  size_t root_of(size_t index) const;
  /// A value as it is written.
  std::string_view written(size_t index) const;
  MappedText text_of(const syntax::YamlNode& node) const;

  /// Whether a mapping is a service of a compose file.
  bool is_service(size_t mapping) const;
  /// Whether something is part of a manifest of Kubernetes.
  bool is_in_manifest(size_t index) const;
  /// Whether a mapping is a container of a pod.
  bool is_pod_container(size_t mapping) const;

 private:
  const syntax::YamlNode* member_of_many(size_t mapping, std::string_view key) const;

  std::string_view bytes_;
  std::vector<syntax::YamlNode> nodes_;
  std::vector<std::vector<size_t>> children_;
  std::map<size_t, std::vector<size_t>> sorted_;  ///< by key, of mappings with many
};

}  // namespace vramlint::frontends
