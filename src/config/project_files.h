// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/name_pattern.h"
#include "config/statements.h"

namespace vramlint::config {

/// Our own configuration, unless it stands in `pyproject.toml`.
inline constexpr std::string_view settings_file = "vramlint.toml";

/// A kind of file that says which torch or Python a project runs with.
struct FileKind {
  std::array<NamePattern, 11> names;
  FileStatements (*read)(const std::string& text, const knowledge::Knowledge& knowledge);
  uint64_t max_bytes;  ///< larger files of the kind are passed over
};

/// All kinds, those first that win where two are equally exact.
std::span<const FileKind> file_kinds();

/// The place in `file_kinds()` of the kind that a file's name belongs to; -1 for none.
int kind_of(std::string_view name);

/// Names by which a project begins in the folder that holds one of them.
std::span<const std::string_view> project_marks();
bool begins_project(std::string_view name);

/// Whether a file of that name may decide how others are judged: by a configuration, by what it
/// says about the target, or by where a project begins.
bool may_configure(std::string_view name);

/// The same as globs, for those who want to be told when such files change.
std::vector<std::string> watched_globs();

}  // namespace vramlint::config
