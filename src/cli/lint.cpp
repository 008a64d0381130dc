// SPDX-License-Identifier: MIT
#include "cli/lint.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

namespace vramlint::cli {

namespace {

Linted lint_one(const LintJob& job, Workspace& workspace) {
  Linted linted;
  const Result<std::shared_ptr<const text::Source>> source = workspace.files().open(job.path);
  if (!source) {
    linted.errors.push_back({job.path, source.error().message});
    return linted;
  }
  AnalyzeOptions options;
  options.target = job.project->target;
  options.root = job.project->root;
  Analysis analysis = analyze(job.path, workspace, options);
  linted.diagnostics = std::move(analysis.diagnostics);
  linted.errors = std::move(analysis.errors);
  linted.may_hold_suppressions =
      diagnostics::Suppressions::may_hold_our_directive(source.value()->bytes());
  return linted;
}

}  // namespace

std::vector<Linted> lint(const std::vector<LintJob>& jobs, const knowledge::Knowledge& knowledge,
                         DiskFiles& files, unsigned workers) {
  std::vector<Linted> answers(jobs.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    Workspace workspace(knowledge, files);
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      answers[i] = lint_one(jobs[i], workspace);
      const bool read_again = answers[i].may_hold_suppressions || !answers[i].diagnostics.empty();
      if (!read_again) files.release(jobs[i].path);
    }
  };
  std::vector<std::jthread> threads;
  const std::size_t wanted = std::min<std::size_t>(workers, jobs.size());
  for (std::size_t i = 1; i < wanted; ++i) threads.emplace_back(work);
  work();
  threads.clear();  // waits for all of them
  return answers;
}

}  // namespace vramlint::cli
