// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "frontends/kept_code.h"
#include "knowledge/knowledge.h"
#include "knowledge/target.h"
#include "rules/interest.h"
#include "text/files.h"

namespace vramlint {

/// What decides the findings of a file besides its text.
struct AnalyzeOptions {
  knowledge::Target target;
  std::string root = ".";    ///< folder in which imports are looked up too
  rules::Interest interest;  ///< findings of other pages may be left out
  bool prefilter = true;     ///< off only to show that it never hides a finding
};

/// What the bytes of all files tell about where findings can be. May be shared by threads, so that
/// each file is looked at once.
class Survey {
 public:
  explicit Survey(text::Files& files);
  ~Survey();

  /// Looks at the bytes of a file that will be analyzed, for those who ask later.
  void scan(const std::string& path, const AnalyzeOptions& options);

  struct Closures;
  Closures& closures() const { return *closures_; }

 private:
  std::unique_ptr<Closures> closures_;
};

/// What one worker keeps between files: sources read and programs lowered. Not shared between
/// threads.
class Workspace {
 public:
  Workspace(const knowledge::Knowledge& knowledge, text::Files& files);
  Workspace(const knowledge::Knowledge& knowledge, text::Files& files, Survey& survey);
  /// For one who analyzes nearly the same texts over and over, and keeps what their blocks were
  /// lowered to in between.
  Workspace(const knowledge::Knowledge& knowledge, text::Files& files, frontends::KeptCode& kept);
  ~Workspace();

  const knowledge::Knowledge& knowledge() const { return knowledge_; }
  text::Files& files() const { return files_; }

  Survey& survey() const { return *survey_; }

  /// To be called before each analysis. What was kept for the files of another project goes.
  void enter(const std::string& root);

  struct Programs;
  Programs& programs() const { return *programs_; }

 private:
  const knowledge::Knowledge& knowledge_;
  text::Files& files_;
  std::unique_ptr<Survey> own_survey_;
  Survey* survey_;
  std::unique_ptr<Programs> programs_;
};

/// The findings of one entry: every rule, nothing suppressed or selected yet. A finding may stand
/// in another file than the entry (a module that it imports). Sorted, without repeats.
struct Analysis {
  std::vector<diagnostics::Diagnostic> diagnostics;
  std::vector<diagnostics::FileError> errors;
};

/// The whole way from bytes to findings for one file. The only function that the command line, the
/// server, the tests, the fuzzers and the benchmarks call.
Analysis analyze(const std::string& path, Workspace& workspace, const AnalyzeOptions& options);

/// One stage of the way as text, for `--print`: `tree`, `events` or `facts`.
std::string print_stage(const std::string& stage, const std::string& path, Workspace& workspace,
                        const AnalyzeOptions& options);

}  // namespace vramlint
