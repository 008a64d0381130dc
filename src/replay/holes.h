// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "replay/value.h"

// Texts of which only parts are known, with a hole for each part that is not: what is left of
// `f"rm -r {folder}"`. They say which program a command starts; nothing else is concluded from
// them.

namespace vramlint::replay {

class Interpreter;

/// Stands for a part that is not known.
inline constexpr char hole = '\x01';

/// What is known of the value as a text, behind `into`.
void add_with_holes(const Interpreter& python, Value value, std::string& into);

/// A value that is some text, with what is known of it.
Value with_holes(Interpreter& python, Value any_string, const std::string& text);

/// The pattern of `%` or `format` with a hole for each field.
std::string with_holes_for_percents(std::string_view pattern);
std::string with_holes_for_braces(std::string_view pattern);

}  // namespace vramlint::replay
