// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "support/result.h"

namespace vramlint::diagnostics {

/// By what a baseline knows a finding: no line numbers, so that it is known again after lines above
/// it have come or gone.
struct KnownFinding {
  std::string file;  ///< relative to the folder of the baseline, with `/`
  std::string code;
  std::string line;  ///< as `line_of_finding` gives it

  auto operator<=>(const KnownFinding&) const = default;
};

/// The findings that a project lives with, and how often each is there. As a file it is JSON, one
/// finding a line, sorted: changes of it are small.
class Baseline {
 public:
  struct Entry {
    std::string rule;  ///< its name, for readers
    unsigned count = 0;
  };
  using Entries = std::map<KnownFinding, Entry>;

  static Result<Baseline> parse(const std::string& path, const std::string& text);
  std::string text() const;

  void add(const KnownFinding& finding, const std::string& rule, unsigned count = 1);
  const Entries& entries() const { return entries_; }

 private:
  Entries entries_;
};

/// What a run has to say about a file of the baseline. `elsewhere`: it is there, but this run did
/// not check it.
enum class BaselineFile { checked, elsewhere, gone };

struct BaselineQuestions {
  std::function<BaselineFile(const std::string& file)> state_of;
  /// Whether the run looked for what the entry stands for: false for a rule that is off.
  std::function<bool(const KnownFinding& finding)> was_looked_for;
};

struct BaselineMatch {
  std::vector<bool> known;  ///< for each finding
  Baseline stale;           ///< what nothing was found for, if the run can tell
  Baseline unjudged;        ///< what the run did not look for: other files, rules that are off
  Baseline pruned;          ///< the baseline without those, renamed files under their new names
  std::map<std::string, std::string> renamed;  ///< files that are gone, and where they seem to be
  bool complete = true;  ///< every file of the baseline that is there was checked
};

/// Each entry takes as many findings as it counts, in their order. What is left of a file that is
/// gone takes equal findings of files that the baseline doesn't know: the file was renamed. A run
/// that left out files of the baseline calls nothing stale, since a finding may come from another
/// file than the one that it stands in.
BaselineMatch match_baseline(const Baseline& baseline, const std::vector<KnownFinding>& findings,
                             const BaselineQuestions& questions);

}  // namespace vramlint::diagnostics
