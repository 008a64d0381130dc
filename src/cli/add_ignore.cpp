// SPDX-License-Identifier: MIT
#include "cli/add_ignore.h"

#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "diagnostics/suppressions.h"
#include "fix/edits.h"
#include "fix/replace_file.h"

namespace vramlint::cli {

namespace {

using diagnostics::AddedSuppressions;
using diagnostics::Diagnostic;
using diagnostics::Suppressions;

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// Whether the text silences the findings. No line has moved.
bool silences(const std::string& file, const std::string& text, text::Language language,
              const std::vector<const Diagnostic*>& findings,
              const std::vector<const Diagnostic*>& left_alone,
              const knowledge::Knowledge& knowledge) {
  const text::Source source(file, text, language);
  Suppressions suppressions = Suppressions::read(source, knowledge);
  const std::set<const Diagnostic*> others(left_alone.begin(), left_alone.end());
  for (const Diagnostic* finding : findings) {
    if (!others.contains(finding) && !suppressions.silence(*finding)) return false;
  }
  return true;
}

class Adding {
 public:
  Adding(const knowledge::Knowledge& knowledge, DiskFiles& files, const Console& console)
      : knowledge_(knowledge), files_(files), console_(console) {}

  void add(const std::string& file, const std::vector<const Diagnostic*>& findings) {
    const Result<std::shared_ptr<const text::Source>> opened = files_.open(file);
    if (!opened) return fail(file, opened.error().message);
    const text::Source& source = *opened.value();
    const AddedSuppressions added = Suppressions::read(source, knowledge_).add(findings);
    for (const Diagnostic* finding : added.left_alone) leave_alone(*finding);
    if (added.edits.empty()) return;
    fix::FileEdits edits;
    for (const diagnostics::Edit& edit : added.edits) edits.add(edit);
    const std::string text = edits.made_of(source.bytes());
    if (!silences(file, text, source.language(), findings, added.left_alone, knowledge_)) {
      return fail(file, "no comment silences what is found here");
    }
    if (const auto failed = fix::replace_file(file, source.bytes(), text)) {
      return fail(file, *failed);
    }
    findings_ += findings.size() - added.left_alone.size();
    ++changed_;
  }

  void leave_alone(const Diagnostic& finding) {
    print_warning(console_, finding.file + ":" + std::to_string(finding.range.start.line) + ": " +
                                finding.rule + " is left as it is");
  }

  Exit finish() const {
    console_.out << "Silenced " << counted(findings_, "finding") << " in "
                 << counted(changed_, "file") << ".\n";
    return failed_ ? Exit::failed : Exit::clean;
  }

 private:
  void fail(const std::string& file, const std::string& message) {
    failed_ = true;
    print_error(console_, {file, 0, message, ""});
  }

  const knowledge::Knowledge& knowledge_;
  DiskFiles& files_;
  const Console& console_;
  std::size_t findings_ = 0;
  std::size_t changed_ = 0;
  bool failed_ = false;
};

}  // namespace

Exit add_ignores(const std::vector<Diagnostic>& findings,
                 const std::set<std::string, std::less<>>& linted,
                 const knowledge::Knowledge& knowledge, DiskFiles& files, const Console& console) {
  std::map<std::string, std::vector<const Diagnostic*>> by_file;
  Adding adding(knowledge, files, console);
  for (const Diagnostic& finding : findings) {
    if (linted.contains(finding.file)) {
      by_file[finding.file].push_back(&finding);
    } else {
      adding.leave_alone(finding);
    }
  }
  for (const auto& [file, of_file] : by_file) adding.add(file, of_file);
  return adding.finish();
}

}  // namespace vramlint::cli
