// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "diagnostics/suppressions.h"

namespace vramlint::diagnostics {

std::vector<Diagnostic> apply_suppressions(std::vector<Diagnostic> findings,
                                           const std::vector<SuppressingFile>& files,
                                           const knowledge::Knowledge& knowledge) {
  std::map<std::string_view, Suppressions> by_path;
  for (const SuppressingFile& file : files) {
    by_path.emplace(file.source->path(), Suppressions::read(*file.source, knowledge));
  }
  std::erase_if(findings, [&](const Diagnostic& finding) {
    const auto found = by_path.find(finding.file);
    return found != by_path.end() && found->second.silence(finding);
  });
  for (const SuppressingFile& file : files) {
    if (file.judged_by == nullptr) continue;
    Suppressions& suppressions = by_path.at(file.source->path());
    for (std::vector<Diagnostic> about :
         {suppressions.unused(*file.judged_by), suppressions.blanket(*file.judged_by)}) {
      std::erase_if(about, [&](const Diagnostic& each) { return suppressions.silence(each); });
      std::move(about.begin(), about.end(), std::back_inserter(findings));
    }
  }
  std::sort(findings.begin(), findings.end(), shown_before);
  return findings;
}

}  // namespace vramlint::diagnostics
