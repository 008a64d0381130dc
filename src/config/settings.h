// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "knowledge/target.h"
#include "support/result.h"

namespace vramlint::config {

/// Where a configuration file says something; both count from 1, 0 for what no file said.
struct Place {
  std::string path;
  int line = 0;
  int column = 0;
};

/// A word that has to name rules, and where it stands.
struct RuleWord {
  std::string word;
  Place place;
};

/// `[per-file-ignores]`: rules that say nothing in files that match.
struct FileRules {
  std::string glob;  ///< relative to the folder of the file; `!` in front turns it round
  std::vector<std::string> rules;
};

/// `[severity]`: what findings of these rules count as.
struct RuleSeverity {
  std::string rule;
  diagnostics::Severity severity{};
};

/// What a configuration file, or the command line, says. What it leaves open is empty. Which key
/// says it is in keys.cpp.
struct Settings {
  std::optional<std::string> torch;
  std::optional<std::string> python;
  std::optional<knowledge::Platform> platform;
  std::optional<std::vector<std::string>> select;
  std::vector<std::string> extend_select;
  std::vector<std::string> ignore;
  std::vector<FileRules> per_file_ignores;
  std::vector<RuleSeverity> severity;
  std::optional<diagnostics::Severity> level;
  std::vector<std::string> exclude;  ///< patterns, relative to the folder of the file
  // These hold for a whole run: the configuration of the working directory decides.
  std::optional<diagnostics::Severity> fail_level;
  std::optional<bool> force_exclude;
  std::optional<bool> unsafe_fixes;
  std::optional<std::string> output_format;
  std::optional<std::string> baseline;
  std::optional<bool> strict_baseline;
  std::optional<std::string> extend;

  std::string path;                                  ///< file that said so; empty for none
  std::map<std::string, Place, std::less<>> places;  ///< of what was said, by key
  std::vector<RuleWord> rule_words;                  ///< all of them, in the file's order
};

std::optional<diagnostics::Severity> parse_severity(std::string_view word);

/// Reads the table of vramlint: the whole of `vramlint.toml`, `[tool.vramlint]` of
/// `pyproject.toml`. Nothing for a `pyproject.toml` without that table. Unknown keys, values of the
/// wrong kind and broken TOML are errors with their place.
Result<std::optional<Settings>> read_settings(const std::string& path, const std::string& text);

/// One `KEY=VALUE` of the command line; the value is TOML, or a bare word taken as a string. A key
/// of a table is written with a dot: `severity.VRL101=note`.
Result<Settings> read_assignment(const std::string& assignment);

/// `over` wins where it says something; lists other than `select` add up.
Settings layered(Settings under, const Settings& over);

/// The first word that names no rule, as an error.
std::optional<Error> check_rule_words(const Settings& settings,
                                      const knowledge::Knowledge& knowledge);

}  // namespace vramlint::config
