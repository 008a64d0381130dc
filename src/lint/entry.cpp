// SPDX-License-Identifier: MIT
#include "lint/entry.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "diagnostics/suppressions.h"

namespace vramlint::lint {

namespace {

constexpr const char* is_binary = "is binary, not text";
constexpr const char* is_wide = "is UTF-16, which is not read: save it as UTF-8";

/// Why the bytes are no program, however the file is called; nothing for text. A NUL or two are for
/// Python to refuse: what surrounds them is still worth reading.
const char* why_no_text(std::string_view bytes) {
  static constexpr std::size_t looked_at = 4096;
  static constexpr std::size_t bytes_per_nul = 20;
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) {
    return is_wide;
  }
  const std::string_view head = bytes.substr(0, looked_at);
  const auto nuls = static_cast<std::size_t>(std::ranges::count(head, '\0'));
  return nuls > 0 && nuls * bytes_per_nul > head.size() ? is_binary : nullptr;
}

}  // namespace

AnalyzeOptions options_of(const Job& job) {
  AnalyzeOptions options;
  options.target = job.project->target;
  options.root = job.project->root;
  options.interest = *job.interest;
  return options;
}

Linted lint_entry(const Job& job, Workspace& workspace) {
  Linted linted;
  const Result<std::shared_ptr<const text::Source>> source = workspace.files().open(job.path);
  if (!source) {
    linted.errors.push_back({job.path, source.error().message});
    return linted;
  }
  if (const char* reason = why_no_text(source.value()->stored())) {
    linted.errors.push_back({job.path, reason});
    return linted;
  }
  Analysis analysis = analyze(job.path, workspace, options_of(job));
  linted.diagnostics = std::move(analysis.diagnostics);
  linted.errors = std::move(analysis.errors);
  linted.may_hold_suppressions =
      diagnostics::Suppressions::may_hold_our_directive(source.value()->stored());
  return linted;
}

}  // namespace vramlint::lint
