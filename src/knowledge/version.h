// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vramlint::knowledge {

/// A release line of PyTorch or Python: `2.11`. Patch numbers never change what we know.
struct Version {
  uint16_t major = 0;
  uint16_t minor = 0;

  auto operator<=>(const Version&) const = default;
};

inline constexpr Version first_version{0, 0};
inline constexpr Version last_version{0xffff, 0xffff};

/// Both ends inclusive. A row without `since` or `until` holds from the beginning or to the end.
struct VersionRange {
  Version since = first_version;
  Version until = last_version;

  bool contains(Version version) const { return since <= version && version <= until; }
};

/// Reads `2.11`, `2.11.0`, `v2.11`, `2.11.0+cu130`; nothing for other text.
std::optional<Version> parse_version(std::string_view text);
std::string to_string(Version version);

}  // namespace vramlint::knowledge
