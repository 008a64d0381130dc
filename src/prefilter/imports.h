// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace vramlint::prefilter {

/// A module that a file names in an import.
struct NamedImport {
  uint32_t level = 0;           ///< leading dots
  std::string_view module;      ///< dotted; empty for `from . import x`
  std::string_view name;        ///< imported from it: a module too, perhaps; empty for `import a`
  std::string_view bound = {};  ///< name that the file has for it; empty when it gets none
};

/// The imports of a Python file, wherever they stand, found by lines that begin with `import` or
/// `from` and by `import_module("…")`. Text that only looks like an import is named as well.
std::vector<NamedImport> named_imports(std::string_view bytes);

/// Whether the file imports something by a name that is not written in the call: any module may
/// follow.
bool imports_by_computed_name(std::string_view bytes);

}  // namespace vramlint::prefilter
