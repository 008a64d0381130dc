// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "knowledge/criterion_rows.h"
#include "support/result.h"
#include "validate/run.h"

namespace vramlint::validate {

/// The variable by which the CUDA driver finds the recorder.
inline constexpr const char* injection_variable = "CUDA_INJECTION64_PATH";

/// What a variant promises: a criterion, and the variables that it is about.
struct Promise {
  const knowledge::CriterionRow* criterion = nullptr;
  std::span<const std::string_view> variables;
};

/// One way of running the program. The first variant of a plan is the program as it is.
struct Variant {
  std::string title;   ///< `as it is`, `empty-cache-in-loop fixed`, `NAME=VALUE`
  std::string rule;    ///< whose fix it is; empty for what the user asks for
  std::string script;  ///< as the user wrote it
  std::vector<std::pair<std::string, std::string>> settings;  ///< variables set besides
  std::map<std::string, std::string> texts;  ///< real path → the text that takes its place
  std::string changes;                       ///< the same as a diff, to be shown
  std::vector<Promise> promises;
};

/// An experiment, declared in full before anything runs.
struct Plan {
  std::vector<Variant> variants;
  std::vector<std::string> arguments;  ///< of the script
  std::string python;
  int runs = 3;              ///< of each variant, in turn
  double seconds = 600;      ///< for each run
  std::optional<int> steps;  ///< how many steps the program makes, to give times by
  std::string recorder;      ///< path of the recorder; empty for none
  std::string keep;          ///< folder for traces and outputs; empty: they go when all is done
};

/// What a plan has led to.
struct Results {
  std::vector<Run> runs;  ///< in the order in which they ran
  bool interrupted = false;
  std::string kept;    ///< where traces and outputs are; empty for nowhere
  std::string python;  ///< its version: `3.12.3`
  std::string torch;
  std::string driver;  ///< its version
  std::vector<std::string> devices;
  std::vector<std::string> notes;  ///< about the place, not about a run
};

/// `A` for the first variant, `B` for the second …
std::string letter_of(std::size_t variant);

std::vector<const Run*> runs_of(const Results& results, std::size_t variant);

/// The recorder where it was built or installed, seen from the program's own path; empty for none.
std::string find_recorder();

}  // namespace vramlint::validate
