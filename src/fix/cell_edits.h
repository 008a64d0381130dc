// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "fix/edits.h"
#include "text/source.h"

namespace vramlint::fix {

/// What a file holds after edits of its text. In a notebook they are written into the strings of
/// its cells, and every byte outside them stays as it is: outputs, other cells, indentation.
std::string stored_after(const text::Source& source, const FileEdits& edits);

}  // namespace vramlint::fix
