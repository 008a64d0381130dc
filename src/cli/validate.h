// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/console.h"
#include "config/settings.h"
#include "knowledge/knowledge.h"
#include "validate/plan.h"

namespace vramlint::cli {

/// The command line of `vramlint validate`, understood.
struct ValidateOptions {
  std::string script;
  std::vector<std::string> arguments;  ///< of the script
  std::vector<std::string> settings;   ///< `--set`: each a variant, `NAME=VALUE NAME=VALUE`
  std::vector<std::string> compared;   ///< `--compare`: two scripts
  std::vector<std::string> expected;   ///< `--expect`: criteria
  config::Settings selection;          ///< `--select`, `--ignore`, `--level`, `--torch`
  bool isolated = false;
  int runs = 3;
  double seconds = 600;
  std::optional<int> steps;
  std::string interpreter = "python3";
  std::string keep;
  std::string html;
  bool json = false;
  bool without_recorder = false;
};

/// `vramlint validate`: says what it will run, runs it, says what it has shown. 1 when a promise is
/// refuted, 2 when nothing could be run.
Exit run_validate(const ValidateOptions& options, const knowledge::Knowledge& knowledge,
                  const Console& console);

/// The fixes that `check` has for the script and the modules it imports, a rule each, as variants.
/// `left_out` gets the rules whose fixes nothing can confirm, with the reason.
Result<std::vector<validate::Variant>> variants_of_fixes(const ValidateOptions& options,
                                                         const knowledge::Knowledge& knowledge,
                                                         std::vector<std::string>& left_out);

}  // namespace vramlint::cli
