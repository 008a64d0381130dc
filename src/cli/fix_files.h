// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/disk_files.h"
#include "fix/fixer.h"
#include "lint/collect.h"

namespace vramlint::cli {

/// What `--fix`, `--unsafe-fixes`, `--diff` and `--show-fixes` ask for.
struct FixChoice {
  bool fix = false;
  bool with_unsafe = false;
  bool diff = false;  ///< show what would change instead
  bool show = false;  ///< list what was fixed

  bool is_asked() const { return fix || diff; }
};

/// The files of a run, as the first look left them.
struct FixInput {
  const std::vector<lint::Job>& jobs;
  config::Projects& projects;
  const knowledge::Knowledge& knowledge;
  DiskFiles& files;
  unsigned workers = 1;
  uint64_t max_bytes = 0;
  std::optional<std::string> standard_input;  ///< the path under which it is linted
  lint::Narrowing narrowing;
  bool reaches_modules = false;  ///< files that are not linted themselves may change as well
};

/// What fixing has come to.
struct FixedFiles {
  lint::Collected collected;  ///< what is left to say of the new texts
  fix::Outcome outcome;
  std::vector<diagnostics::FileError> errors;  ///< files that could not be written
  /// Texts as they were when they were first read, of the files that changed.
  std::map<std::string, std::shared_ptr<const text::Source>, std::less<>> originals;
};

/// Makes the fixes of a run and, unless only a difference is wanted, writes the files. The text of
/// standard input is in the outcome, and nowhere written.
FixedFiles fix_files(const FixInput& input, const FixChoice& choice);

/// `--diff`: what would change, file by file, on standard output.
void show_diff(const FixedFiles& fixed, const Console& console);

/// `--show-fixes`: what was fixed, by file and rule.
std::string fixes_made(const fix::Outcome& outcome);

/// A warning for each fix that was tried in vain, and one if the rounds ran out.
void warn_of_fixes_left_out(const fix::Outcome& outcome, const Console& console);

}  // namespace vramlint::cli
