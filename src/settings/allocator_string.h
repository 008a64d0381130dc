// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/allocator_rows.h"
#include "settings/verdict.h"
#include "text/span.h"

namespace vramlint::settings {

/// Something to say about a string. `rule` names the page in `rules/settings/`.
struct Problem {
  std::string_view rule;
  knowledge::ProblemSeverity severity = knowledge::ProblemSeverity::error;
  std::string predicate;  ///< what comes after "PyTorch 2.11": what it will do, then the remedy
  text::Span span;        ///< bytes of the string
  std::optional<std::string> replacement;  ///< for these bytes, or for those in `replaced`
  bool safe = false;                       ///< the replacement is what was plainly meant
  std::string_view satisfied_by;           ///< a call elsewhere in the program that makes it untrue
  std::optional<text::Span> replaced{};    ///< more than the problem itself: a comma with it
};

/// `PyTorch 2.11 reads …`; `releases` is a release or a stretch of them, `2.4 to 2.9`.
std::string message_of(const Problem& problem, std::string_view releases);

/// One option of the string. Spans may be empty where a part is missing.
struct Pair {
  text::Span key;
  text::Span separator;
  text::Span value;
  const knowledge::AllocatorKeyRow* row = nullptr;  ///< null when the release knows no such key
};

/// All that one release makes of an allocator string.
struct AllocatorReading {
  std::vector<Pair> pairs;
  bool accepted = true;
  std::optional<FailsAt> fails_at;
  std::vector<Setting> settings;  ///< in force afterwards; empty when the string is refused
  std::vector<Problem> problems;  ///< in the order of the string
};

/// Reads the string as that release does when it finds it in the environment. A refused string has
/// at least one problem of severity error, an accepted one has none.
AllocatorReading read_allocator_string(std::string_view string, knowledge::Version torch,
                                       const knowledge::AllocatorTables& tables,
                                       knowledge::Platform platform = knowledge::Platform::linux);

/// The platform for a string in that variable: some names are for ROCm builds.
knowledge::Platform platform_for(std::string_view variable,
                                 const knowledge::AllocatorTables& tables,
                                 knowledge::Platform platform);
/// The row that says how the release reads the string.
const knowledge::AllocatorGrammarRow& grammar_of(knowledge::Version torch,
                                                 const knowledge::AllocatorTables& tables);

}  // namespace vramlint::settings
