// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "config/statements.h"

namespace vramlint::config {

/// A kind of file that says which torch or Python a project runs with.
struct FileKind {
  bool (*is_named)(std::string_view name);
  FileStatements (*read)(const std::string& text, const knowledge::Knowledge& knowledge);
  uint64_t max_bytes;  ///< larger files of the kind are passed over
};

/// All kinds, those first that win where two are equally exact.
std::span<const FileKind> file_kinds();

/// The place in `file_kinds()` of the kind that a file's name belongs to; -1 for none.
int kind_of(std::string_view name);

}  // namespace vramlint::config
