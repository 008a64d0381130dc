// SPDX-License-Identifier: MIT
#include "frontends/file_scan.h"

#include "frontends/mentions.h"
#include "frontends/project.h"
#include "prefilter/imports.h"

namespace vramlint::frontends {
namespace {

using prefilter::Marks;

/// Adds what else the needs ask for: the tests of a stem are put only where the words that have to
/// stand beside it do.
void ask_stems(std::string_view bytes, const prefilter::WordSet& words,
               const std::vector<prefilter::Occurrence>& unasked,
               const std::vector<const Together*>& wanted, Marks& found) {
  Marks asked;
  for (const Together* together : wanted) {
    const Marks stems = together->words & words.stem_marks();
    if (found.contains(together->words.without(stems))) asked |= stems;
  }
  if (asked.any()) found |= words.ask(bytes, unasked, asked);
}

}  // namespace

FileScan scan_file(std::string_view path, const text::Source& source,
                   const prefilter::WordSet& words, const Needs& needs) {
  FileScan made;
  const std::string_view bytes = source.bytes();
  std::vector<prefilter::Occurrence> occurrences;
  std::vector<prefilter::Occurrence> unasked;
  Marks found = words.find_all(bytes, needs.anywhere, occurrences,
                               needs.anywhere & words.stem_marks(), &unasked);
  for (const prefilter::Occurrence& occurrence : occurrences) made.words.push_back(occurrence.end);
  const bool is_test = is_test_file(path);
  std::vector<const Together*> counting;
  for (const Together& together : needs.own) {
    if (together.in_tests || !is_test) counting.push_back(&together);
  }
  ask_stems(bytes, words, unasked, counting, found);
  for (const Together* together : counting) {
    if (found.contains(together->words)) made.own.set(together->first);
  }
  for (const prefilter::NamedImport& named : prefilter::named_imports(source.program())) {
    made.imports.push_back({named.level, std::string(named.module), std::string(named.name),
                            named.bound.empty() ? 0 : name_number(named.bound)});
  }
  made.computes_imports = prefilter::imports_by_computed_name(source.program());
  return made;
}

}  // namespace vramlint::frontends
