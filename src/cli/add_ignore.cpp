// SPDX-License-Identifier: MIT
#include "cli/add_ignore.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "diagnostics/suppressions.h"
#include "fix/cell_edits.h"
#include "fix/edits.h"
#include "fix/replace_file.h"
#include "frontends/notebook.h"
#include "output/summary.h"
#include "support/counted.h"

namespace vramlint::cli {

namespace {

using diagnostics::AddedSuppressions;
using diagnostics::Diagnostic;
using diagnostics::Suppressions;

/// Whether the findings are silenced where the edits have moved them.
bool silences(const text::Source& before, const text::Source& after, const fix::FileEdits& edits,
              const std::vector<const Diagnostic*>& findings,
              const std::vector<AddedSuppressions::LeftAlone>& left_alone,
              const knowledge::Knowledge& knowledge) {
  Suppressions suppressions = Suppressions::read(after, knowledge);
  std::set<const Diagnostic*> others;
  for (const AddedSuppressions::LeftAlone& each : left_alone) others.insert(each.finding);
  return std::ranges::all_of(findings, [&](const Diagnostic* finding) {
    if (others.contains(finding)) return true;
    Diagnostic moved = *finding;
    moved.span.begin = edits.moved(finding->span.begin, before.bytes());
    moved.span.end = std::max(moved.span.begin, edits.moved(finding->span.end, before.bytes()));
    const diagnostics::CellRange there = diagnostics::range_in(after, moved.span);
    moved.cell = there.cell;
    moved.range = there.range;
    return suppressions.silence(moved);
  });
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
    for (const AddedSuppressions::LeftAlone& each : added.left_alone)
      leave_alone(*each.finding, each.reason);
    if (added.edits.empty()) return;
    fix::FileEdits edits;
    for (const diagnostics::Edit& edit : added.edits) edits.add(edit);
    const std::shared_ptr<const text::Source> made =
        frontends::source_of(file, fix::stored_after(source, edits), source.language());
    if (!silences(source, *made, edits, findings, added.left_alone, knowledge_)) {
      return fail(file, "no comment silences what is found here");
    }
    if (const auto failed = fix::replace_file(file, source.stored(), made->stored())) {
      return fail(file, *failed);
    }
    findings_ += findings.size() - added.left_alone.size();
    ++changed_;
  }

  void leave_alone(const Diagnostic& finding, const std::string& reason) {
    print_warning(console_, finding.file + ":" + output::cell_text(finding.cell) +
                                std::to_string(finding.range.start.line) + ": " + finding.rule +
                                " is left as it is: " + reason);
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
      adding.leave_alone(finding, "its file was not asked for");
    }
  }
  for (const auto& [file, of_file] : by_file) adding.add(file, of_file);
  return adding.finish();
}

}  // namespace vramlint::cli
