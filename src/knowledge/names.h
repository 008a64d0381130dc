// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "knowledge/name_rows.h"
#include "knowledge/version.h"

// Whether a module of PyTorch has a name, by release. Only modules whose names are all known can
// answer with "no"; about every other module nothing is said.

namespace vramlint::knowledge {

/// Where a name is, seen from a set of releases.
enum class NamePresence : uint8_t {
  open,       ///< the module's names are not all known: nothing can be said
  never,      ///< in no release at all
  elsewhere,  ///< in none of these, but in others: `torch` says in which
  some,       ///< in some of these
  all,        ///< in all of these, or in releases newer than those that were read
};

struct NameStatus {
  NamePresence presence = NamePresence::open;
  /// From the first release that has the name to the last one. A name that went and came back has a
  /// hole in it, which `presence` does mind. Empty, the last before the first, for `never`.
  VersionRange torch = {last_version, first_version};
  /// Some package adds names of its own to the module when it is imported.
  std::span<const std::string_view> extended_by;
};

/// The module's row, or null when its names are not all known.
const NameModuleRow* closed_module(std::string_view module);
bool is_closed(std::string_view module);

/// Looks up `name` in a dotted module: `torch.cuda`, `memory_allocated`. `__file__` and the like,
/// which Python itself puts there, are in all releases. Without versions every release counts.
NameStatus name_status(std::string_view module, std::string_view name,
                       std::span<const Version> versions);

/// What was probably meant by a name that the module lacks: one of the same words with fewest more
/// (`allocated` gives `memory_allocated`) or with one less, else the nearest spelling, else
/// nothing. Names that are in all of `versions` only.
std::string_view nearest_member(std::string_view module, std::string_view name,
                                std::span<const Version> versions);

/// The row of a dotted name that was replaced or never existed; null for any other.
const ReplacedNameRow* replaced_name(std::string_view dotted);

}  // namespace vramlint::knowledge
