// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace vramlint {

/// What a launch file does, in one line: `A=1` a variable that programs get, `(A=1)` one that a
/// single program gets, `A?` one that is lost, `-A` one that is removed, `!python` a program.
std::string launched(const std::string& path, const std::string& text);

}  // namespace vramlint
