// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

#include "knowledge/version.h"

// Which names PyTorch's modules have in which release, as rows of `rules/knowledge/names.toml`,
// `name_modules.toml` and `replaced_names.toml`. How a name is looked up stands in names.h.

namespace vramlint::knowledge {

/// A module whose names are all known: one that no row of `names.toml` has was never there.
struct NameModuleRow {
  std::string_view name;                          ///< dotted
  VersionRange torch;                             ///< releases that have the module
  Version read_to;                                ///< the last release whose sources were read
  std::span<const std::string_view> extended_by;  ///< packages that put names of their own into it
  std::string_view source;
  std::string_view evidence;
};

/// Names of one module that came and went with the same releases.
struct NameRow {
  std::string_view module;
  std::span<const std::string_view> names;
  VersionRange torch;
  bool api = false;  ///< a caller may mean them; else the module only imported them for itself
  std::string_view source;
  std::string_view evidence;
};

/// A name that another one has taken the place of, or that people write though it never existed.
struct ReplacedNameRow {
  std::string_view name;           ///< dotted
  std::string_view by;             ///< dotted; empty when nothing does the same
  bool never = false;              ///< no release had it
  bool of_result = false;          ///< an attribute of what a call gives
  Version since = first_version;   ///< deprecated, renamed or changed from this release on
  Version removed = last_version;  ///< the first release without it
  bool same = false;  ///< same arguments and meaning, wherever `by` exists: a fix is safe
  std::string_view summary;
  std::string_view source;
  std::string_view evidence;
};

}  // namespace vramlint::knowledge
