// SPDX-License-Identifier: MIT
#include "diagnostics/merge.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace vramlint::diagnostics {

namespace {

/// What makes two findings the same to a reader.
auto place_of(const Diagnostic& finding) {
  return std::tie(finding.file, finding.cell, finding.span, finding.range, finding.rule);
}

}  // namespace

std::vector<Diagnostic> merge_findings(std::vector<std::vector<Diagnostic>> by_entry) {
  std::vector<Diagnostic> merged;
  for (std::vector<Diagnostic>& findings : by_entry) {
    std::move(findings.begin(), findings.end(), std::back_inserter(merged));
  }
  // Stable: among equals the finding of the first entry comes first and is the one that stays.
  std::stable_sort(merged.begin(), merged.end(),
                   [](const Diagnostic& left, const Diagnostic& right) {
                     if (place_of(left) != place_of(right)) return place_of(left) < place_of(right);
                     return left.severity > right.severity;
                   });
  const auto same_place = [](const Diagnostic& left, const Diagnostic& right) {
    return place_of(left) == place_of(right);
  };
  merged.erase(std::unique(merged.begin(), merged.end(), same_place), merged.end());
  std::sort(merged.begin(), merged.end(), shown_before);
  return merged;
}

std::vector<FileError> merge_errors(std::vector<FileError> errors) {
  const auto key = [](const FileError& error) { return std::tie(error.file, error.message); };
  std::sort(errors.begin(), errors.end(),
            [&](const FileError& left, const FileError& right) { return key(left) < key(right); });
  const auto same = [&](const FileError& left, const FileError& right) {
    return key(left) == key(right);
  };
  errors.erase(std::unique(errors.begin(), errors.end(), same), errors.end());
  return errors;
}

}  // namespace vramlint::diagnostics
