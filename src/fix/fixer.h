// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "text/source.h"

// From findings to new text. Nothing is read or written here: who asks gives the texts and judges
// them, so that the command line, the editor, the page tests and the fuzzer go the same way.

namespace vramlint::fix {

/// What files hold instead of what was there at first, by path.
using Texts = std::map<std::string, std::string, std::less<>>;

/// What the fixer works on.
class Subject {
 public:
  virtual ~Subject() = default;

  /// The findings when these texts stand in place of those of the same paths. The same texts give
  /// the same findings.
  virtual std::vector<diagnostics::Diagnostic> findings(const Texts& changed) = 0;
  /// A text as it is before any fix; null when there is none.
  virtual std::shared_ptr<const text::Source> original(const std::string& file) = 0;
  /// Whether the file may get another text.
  virtual bool may_change(const std::string& /*file*/) { return true; }
};

struct Options {
  bool with_unsafe = false;
  int most_rounds = 10;  ///< fixes may make others possible, but not without end
};

/// A fix that was made.
struct Applied {
  std::string file;  ///< of the finding
  std::string rule;
  std::string code;
  std::string title;
  diagnostics::Applicability applicability{};
};

/// A fix that was tried and left out.
struct LeftOut {
  diagnostics::Diagnostic finding;
  std::string reason;  ///< `the text would no longer parse`
};

struct Outcome {
  Texts texts;  ///< of the files that changed
  std::vector<diagnostics::Diagnostic> remaining;
  std::vector<Applied> applied;  ///< round by round, in the order of the places
  std::vector<LeftOut> left_out;
  bool settled = true;  ///< false when fixes were still to be made after the last round
};

/// Whether fixes of that kind are made.
bool is_wanted(const diagnostics::Fix& fix, const Options& options);

/// Makes fixes until there are none left to make. A fix is made whole or not at all; of those that
/// are in each other's way, safe ones go first, then those that stand first, and the others wait
/// for the next round. A fix after which a file parses worse than before, or after which its
/// finding still stands, is taken back.
Outcome make_fixes(Subject& subject, const Options& options);

}  // namespace vramlint::fix
