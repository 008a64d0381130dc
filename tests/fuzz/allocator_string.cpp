// SPDX-License-Identifier: MIT
//
// An allocator string, as every release reads it. The first byte picks the platform.
#include <string_view>

#include "knowledge/knowledge.h"
#include "require.h"
#include "settings/allocator_string.h"
#include "settings/releases.h"

namespace {

using vramlint::fuzz::require;
using vramlint::knowledge::Knowledge;
using vramlint::knowledge::Platform;
using vramlint::knowledge::ProblemSeverity;
using vramlint::settings::AllocatorReading;
using vramlint::text::Span;

void require_sound(const AllocatorReading& reading, std::string_view string) {
  const auto inside = [&](Span span) {
    return span.begin <= span.end && span.end <= string.size();
  };
  bool has_error = false;
  for (const vramlint::settings::Pair& pair : reading.pairs) {
    require(inside(pair.key) && inside(pair.separator) && inside(pair.value));
  }
  for (const vramlint::settings::Problem& problem : reading.problems) {
    require(inside(problem.span) && !problem.rule.empty());
    has_error = has_error || problem.severity == ProblemSeverity::error;
  }
  require(reading.accepted != has_error);
  require(!reading.accepted || !reading.fails_at);  // one with a NUL byte is never seen at all
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const Knowledge& tables = Knowledge::builtin();
  const auto platform = static_cast<Platform>(data[0] % 6);
  const std::string_view string(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::vector<vramlint::knowledge::Version> releases;
  for (const vramlint::knowledge::TorchVersionRow& row : tables.torch_versions()) {
    releases.push_back(row.version);
    require_sound(vramlint::settings::read_allocator_string(string, row.version,
                                                            tables.allocator_tables(), platform),
                  string);
  }
  vramlint::settings::read_for_releases(string, releases, tables.allocator_tables(), platform);
  return 0;
}
