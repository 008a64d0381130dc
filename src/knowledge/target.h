// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/version.h"
#include "support/result.h"

namespace vramlint::knowledge {

class Knowledge;

enum class Platform : uint8_t { linux, windows, macos, wsl, jetson, rocm };

std::string_view name_of(Platform platform);
std::optional<Platform> parse_platform(std::string_view word);
std::span<const std::string_view> all_platform_names();

/// The PyTorch releases, the Python releases and the platform for which a program is judged.
struct Target {
  std::vector<Version> torch;   ///< ascending; every release for which a finding has to hold
  std::string torch_text;       ///< as stated: `2.11`, `>=2.4,<2.10`; `any` when nothing was stated
  bool torch_stated = false;    ///< unstated: judged as the newest release
  std::vector<Version> python;  ///< ascending; empty for any
  std::string python_text = "any";
  Platform platform = Platform::linux;

  /// Whether Python is one of these on some run, and whether it is on every run.
  bool python_may_be(VersionRange range) const;
  bool python_is(VersionRange range) const;
  /// Whether a child process that is started without further words is a fork on some run: on Linux,
  /// before Python 3.14.
  bool forks_by_default() const;
};

/// Releases that a version (`2.11`, `2.11.0`) or a range (`>=2.4,<2.10`, `~=2.4`, `==2.8.*`,
/// `!=2.5.0`) names. A single version that no row knows is taken as it stands; a range that holds
/// none is an error.
Result<std::vector<Version>> releases_named(std::string_view specifier, const Knowledge& knowledge);

/// The same for Python: `3.12`, `>=3.10`, `>=3.10,<3.13`.
Result<std::vector<Version>> pythons_named(std::string_view specifier, const Knowledge& knowledge);

/// The target of a project that says nothing: the newest release, any Python, Linux.
Target default_target(const Knowledge& knowledge);

}  // namespace vramlint::knowledge
