// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "knowledge/target.h"
#include "support/result.h"

namespace vramlint::config {

/// What a configuration file, or the command line, says. What it leaves open is empty.
struct Settings {
  std::optional<std::string> torch;
  std::optional<std::string> python;
  std::optional<knowledge::Platform> platform;
  std::optional<std::vector<std::string>> select;
  std::vector<std::string> extend_select;
  std::vector<std::string> ignore;
  std::optional<diagnostics::Severity> level;
  std::vector<std::string> exclude;  ///< patterns, relative to the folder of the file

  std::string path;  ///< file that said so; empty for none
  /// The lines of it on which the target stands; 0 where it does not.
  int torch_line = 0;
  int python_line = 0;
  int platform_line = 0;
};

std::optional<diagnostics::Severity> parse_severity(std::string_view word);

/// Reads the table of vramlint: the whole of `vramlint.toml`, `[tool.vramlint]` of
/// `pyproject.toml`. Nothing for a `pyproject.toml` without that table. Unknown keys, values of the
/// wrong kind and broken TOML are errors with a line.
Result<std::optional<Settings>> read_settings(const std::string& path, const std::string& text);

/// One `KEY=VALUE` of the command line; the value is TOML, or a bare word taken as a string.
Result<Settings> read_assignment(const std::string& assignment);

/// `over` wins where it says something; lists of `ignore`, `extend_select` and `exclude` add up.
Settings layered(Settings under, const Settings& over);

}  // namespace vramlint::config
