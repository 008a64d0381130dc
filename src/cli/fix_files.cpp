// SPDX-License-Identifier: MIT
// Fixes for files on a disk: each round of the fixer is a run of the linter over all files, with
// new texts placed in front of the disk's, so that a fix in a module is judged by what imports it
// too.
#include "cli/fix_files.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "cli/lint.h"
#include "fix/diff.h"
#include "fix/replace_file.h"
#include "output/summary.h"
#include "support/counted.h"

namespace vramlint::cli {

namespace {

using diagnostics::Diagnostic;
using diagnostics::FileError;

class LintedFiles final : public fix::Subject {
 public:
  LintedFiles(const FixInput& input, bool writes) : input_(input), writes_(writes) {
    for (const lint::Job& job : input.jobs) linted_.insert(job.path);
  }

  std::vector<Diagnostic> findings(const fix::Texts& changed) override {
    return collected(changed).report.diagnostics;
  }

  std::shared_ptr<const text::Source> original(const std::string& file) override {
    Result<std::shared_ptr<const text::Source>> opened = input_.files.open(file);
    if (!opened) return nullptr;
    return std::move(opened).value();
  }

  /// Files that nobody asked about stay as they are, and those that can't be written.
  bool may_change(const std::string& file) override {
    if (!linted_.contains(file) && !input_.reaches_modules) return false;
    if (!writes_ || file == input_.standard_input) return true;
    const auto known = writable_.find(file);
    if (known != writable_.end()) return known->second;
    const std::optional<std::string> why = fix::why_not_writable(file);
    if (why) errors_.push_back({file, *why});
    return writable_[file] = !why;
  }

  /// What is said of these texts. The last answer is kept: it is mostly the one that is shown.
  const lint::Collected& collected(const fix::Texts& texts) {
    if (last_ && last_texts_ == texts) return *last_;
    std::unique_ptr<DiskFiles> fresh;
    if (!texts.empty()) fresh = with_texts(texts);
    DiskFiles& files = fresh ? *fresh : input_.files;
    std::vector<lint::Linted> linted =
        lint_all(input_.jobs, input_.knowledge, files, input_.workers);
    last_ = lint::collect(input_.jobs, std::move(linted), input_.projects, input_.knowledge, files,
                          input_.narrowing);
    last_texts_ = texts;
    return *last_;
  }

  /// The disk is looked at anew from here on.
  void forget() { last_.reset(); }

  std::vector<FileError> take_errors() { return std::move(errors_); }

 private:
  std::unique_ptr<DiskFiles> with_texts(const fix::Texts& texts) {
    auto files = std::make_unique<DiskFiles>(input_.max_bytes);
    if (input_.standard_input) place(*files, *input_.standard_input, texts);
    for (const auto& entry : texts) place(*files, entry.first, texts);
    return files;
  }

  void place(DiskFiles& files, const std::string& path, const fix::Texts& texts) {
    const std::shared_ptr<const text::Source> before = original(path);
    if (before == nullptr) return;
    const auto changed = texts.find(path);
    files.place(path, changed == texts.end() ? std::string(before->stored()) : changed->second,
                before->language());
  }

  const FixInput& input_;
  bool writes_;
  std::set<std::string, std::less<>> linted_;
  std::map<std::string, bool> writable_;
  std::vector<FileError> errors_;
  std::optional<lint::Collected> last_;
  fix::Texts last_texts_;
};

/// Writes what has changed; files for which that fails drop out of the outcome.
void write_texts(const FixInput& input, FixedFiles& fixed, LintedFiles& subject) {
  for (auto text = fixed.outcome.texts.begin(); text != fixed.outcome.texts.end();) {
    const std::string& file = text->first;
    std::optional<std::string> failed;
    if (file != input.standard_input) {
      failed = fix::replace_file(file, fixed.originals.at(file)->stored(), text->second);
    }
    if (!failed) {
      ++text;
      continue;
    }
    fixed.errors.push_back({file, *failed});
    std::erase_if(fixed.outcome.applied,
                  [&](const fix::Applied& applied) { return applied.file == file; });
    text = fixed.outcome.texts.erase(text);
    subject.forget();
  }
}

}  // namespace

FixedFiles fix_files(const FixInput& input, const FixChoice& choice) {
  LintedFiles subject(input, !choice.diff);
  fix::Options options;
  options.with_unsafe = choice.with_unsafe;
  FixedFiles fixed;
  fixed.outcome = fix::make_fixes(subject, options);
  for (const auto& entry : fixed.outcome.texts) {
    fixed.originals[entry.first] = subject.original(entry.first);
  }
  if (!choice.diff) write_texts(input, fixed, subject);
  fixed.collected = subject.collected(fixed.outcome.texts);
  std::vector<FileError> refused = subject.take_errors();
  std::move(refused.begin(), refused.end(), std::back_inserter(fixed.errors));
  return fixed;
}

void show_diff(const FixedFiles& fixed, const Console& console) {
  for (const auto& [file, text] : fixed.outcome.texts) {
    console.out << fix::unified_diff(file, fixed.originals.at(file)->stored(), text);
  }
  const std::size_t count = fixed.outcome.applied.size();
  if (count > 0) {
    console.err << "Would fix " << count << (count == 1 ? " finding.\n" : " findings.\n");
  } else {
    console.err << "Nothing would be fixed.\n";
  }
}

std::string fixes_made(const fix::Outcome& outcome) {
  std::map<std::string, std::map<std::string, std::size_t>> by_file;
  for (const fix::Applied& applied : outcome.applied) {
    ++by_file[applied.file][applied.code + " (" + applied.rule + ")"];
  }
  std::string text;
  for (const auto& [file, rules] : by_file) {
    text += "- " + file + ":\n";
    for (const auto& [rule, times] : rules)
      text += "    " + std::to_string(times) + " × " + rule + "\n";
  }
  if (text.empty()) return text;
  return "Fixed " + counted(outcome.applied.size(), "finding") + ":\n" + text + "\n";
}

void warn_of_fixes_left_out(const fix::Outcome& outcome, const Console& console) {
  for (const fix::LeftOut& left_out : outcome.left_out) {
    const Diagnostic& finding = left_out.finding;
    print_warning(console, finding.file + ":" + output::cell_text(finding.cell) +
                               std::to_string(finding.range.start.line) + ": the fix of " +
                               finding.rule + " was left out: " + left_out.reason);
  }
  if (!outcome.settled) print_warning(console, "there is more to fix: run it again");
}

}  // namespace vramlint::cli
