// SPDX-License-Identifier: MIT
#include "cli/lint.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

namespace vramlint::cli {

std::vector<lint::Linted> lint_all(const std::vector<lint::Job>& jobs,
                                   const knowledge::Knowledge& knowledge, DiskFiles& files,
                                   unsigned workers, Progress* progress) {
  std::vector<lint::Linted> answers(jobs.size());
  Survey survey(files);
  std::atomic<std::size_t> next_scan = 0;
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next_scan++; i < jobs.size(); i = next_scan++) {
      survey.scan(jobs[i].path, lint::options_of(jobs[i]));
      files.release(jobs[i].path);
    }
    Workspace workspace(knowledge, files, survey);
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      answers[i] = lint::lint_entry(jobs[i], workspace);
      const bool read_again = answers[i].may_hold_suppressions || !answers[i].diagnostics.empty();
      if (!read_again) files.release(jobs[i].path);
      if (progress != nullptr) progress->step();
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
