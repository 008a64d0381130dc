// SPDX-License-Identifier: MIT
//
// Most JSON files are data, some of them of gigabytes. This asks for the first byte and the size
// before it looks for words, and never takes JSON apart.
#include "text/configuration.h"

#include <algorithm>
#include <array>

#include "text/utf8.h"

namespace vramlint::text {
namespace {

/// A name in quotes with a colon behind it.
bool has_member(std::string_view json, std::string_view quoted) {
  for (size_t at = json.find(quoted); at != std::string_view::npos;
       at = json.find(quoted, at + quoted.size())) {
    const size_t next = json.find_first_not_of(" \t\r\n", at + quoted.size());
    if (next != std::string_view::npos && json[next] == ':') return true;
  }
  return false;
}

}  // namespace

bool configures_deepspeed(std::string_view json) {
  if (json.size() >= configuration_limit) return false;
  if (json.starts_with(byte_order_mark)) json.remove_prefix(byte_order_mark.size());
  const size_t first = json.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || json[first] != '{') return false;
  constexpr std::array<std::string_view, 2> members = {"\"zero_optimization\"",
                                                       "\"train_micro_batch_size_per_gpu\""};
  return std::ranges::any_of(members,
                             [json](std::string_view member) { return has_member(json, member); });
}

}  // namespace vramlint::text
