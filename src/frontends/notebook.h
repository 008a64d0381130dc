// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "text/source.h"

namespace vramlint::frontends {

/// The code cells of a Jupyter notebook of any format since 2, in their order: a notebook is a
/// program whose statements run from the first cell to the last, as they do after "restart and run
/// all". Cells in another language than the kernel's are left out, and a kernel that is no Python
/// has no program. Outputs are never looked into.
text::Cells unpack_notebook(std::string_view json);

/// The source of a file of that language, notebooks with their cells.
std::shared_ptr<const text::Source> source_of(std::string path, std::string bytes,
                                              text::Language language);

}  // namespace vramlint::frontends
