// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/baseline_file.h"
#include "cli/console.h"
#include "cli/fix_files.h"
#include "config/settings.h"
#include "knowledge/knowledge.h"

namespace vramlint::cli {

struct CheckOptions {
  std::vector<std::string> paths;
  std::string stdin_filename;
  config::Settings settings;             ///< what the options of the command line say
  std::vector<std::string> config;       ///< `--config`: files and `KEY=VALUE`
  std::optional<std::string> diff_base;  ///< a revision: only what has changed since
  BaselineChoice baseline;
  std::vector<std::string> output;  ///< `-o`: `FILE` or `FORMAT=FILE`
  bool isolated = false;
  bool add_ignore = false;
  bool statistics = false;
  bool show_files = false;
  bool show_settings = false;
  bool exit_zero = false;
  unsigned jobs = 0;  ///< 0: as many as the machine has processors
  FixChoice fixes;
  std::string print;  ///< a stage to show instead of linting
};

/// `vramlint check`: finds the files, lints them, and writes what is left after suppressions,
/// selection and level.
Exit run_check(const CheckOptions& options, const knowledge::Knowledge& knowledge,
               const Console& console);

}  // namespace vramlint::cli
