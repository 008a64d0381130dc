// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace vramlint {

/// A path as it is shown and sorted: relative to the working directory, without `.` and `//`, with
/// `/`. `.` is the working directory itself. Purely by its letters: links are not followed.
std::string shown_path(std::string_view path, const std::string& working_directory);

/// The folder that this process works in, with `/`; empty when it is there no more.
std::string working_directory();

/// `folder/name`, or `name` in the working directory.
std::string joined(std::string_view folder, std::string_view name);

/// The folder that a shown path lies in; `.` for a bare name.
std::string parent_of(std::string_view path);

std::string_view base_name(std::string_view path);

}  // namespace vramlint
