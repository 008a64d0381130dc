// SPDX-License-Identifier: MIT
//
// Cuts a rule page into its headings and cases. It knows the form of a page and nothing about
// rules: whether a case comes out as it says is for `case_runner.h`.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "notebook_text.h"

namespace vramlint::pages {

/// One file of a case, without the lines that are only there for the test.
struct CaseFile {
  std::string path;
  std::string text;
  std::vector<uint32_t> page_lines;  ///< line of the page for each line of `text`
  /// Of a notebook: its cells, the page lines of all of them, and where those of each begin.
  std::vector<NotebookCell> cells = {};
  std::vector<uint32_t> cell_begins = {};
};

/// A finding that carets ask for, or one that was made, in the terms in which both are compared.
/// Columns count code points from 1, `end` is exclusive. A finding over several lines counts to the
/// end of its first.
struct Place {
  std::string path;
  uint32_t line = 0;
  uint32_t begin = 0;
  uint32_t end = 0;
  std::string rule;
  int cell = 0;  ///< of a notebook, from 1; its lines count from there

  auto operator<=>(const Place&) const = default;
};

/// A fence under `## Cases`.
struct PageCase {
  uint32_t number = 0;  ///< from 1
  uint32_t line = 0;    ///< of the page, where the fence opens
  std::vector<CaseFile> files;
  std::string entry;  ///< the file that is analyzed
  std::vector<Place> expected;
  std::vector<std::string> targets;  ///< words of `# target:` lines
  bool with_notes = false;
  std::vector<CaseFile> fixed;     ///< of the fence marked `fixed` after it; empty without one
  bool with_unsafe_fixes = false;  ///< the fence is marked `fixed unsafe`
};

struct Page {
  std::string title;
  std::vector<std::string> headings;  ///< of the second level, in order
  bool has_rule_block = false;        ///< directly under the title
  std::vector<PageCase> cases;
  std::vector<std::string> faults;  ///< what is malformed, each with its line
};

Page read_page(std::string_view text);

}  // namespace vramlint::pages
