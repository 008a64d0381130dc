// SPDX-License-Identifier: MIT
//
// A baseline file: any text is one or an error. What is written of one reads back as the same, and
// a run that finds exactly what it knows has nothing new and nothing stale.
#include <algorithm>
#include <string>
#include <vector>

#include "diagnostics/baseline.h"
#include "require.h"

namespace {

using vramlint::Result;
using vramlint::diagnostics::Baseline;
using vramlint::diagnostics::BaselineMatch;
using vramlint::diagnostics::KnownFinding;
using vramlint::fuzz::require;

void require_known(const Baseline& baseline) {
  std::vector<KnownFinding> findings;
  for (const auto& [finding, entry] : baseline.entries()) {
    if (findings.size() + entry.count > 100'000) return;
    findings.insert(findings.end(), entry.count, finding);
  }
  const BaselineMatch match = vramlint::diagnostics::match_baseline(
      baseline, findings,
      {[](const std::string&) { return vramlint::diagnostics::BaselineFile::checked; },
       [](const KnownFinding&) { return true; }});
  require(std::ranges::all_of(match.known, [](bool is_known) { return is_known; }));
  require(match.complete && match.renamed.empty() && match.stale.entries().empty());
  require(match.unjudged.entries().empty() && match.pruned.text() == baseline.text());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Result<Baseline> read = Baseline::parse("b.json", text);
  if (!read) {
    const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
    require(!read.error().message.empty() && read.error().line <= lines);
    return 0;
  }
  const std::string written = read.value().text();
  const Result<Baseline> again = Baseline::parse("b.json", written);
  require(again && again.value().text() == written);
  require(again.value().entries().size() == read.value().entries().size());
  require_known(read.value());
  return 0;
}
