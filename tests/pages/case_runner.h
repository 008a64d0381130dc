// SPDX-License-Identifier: MIT
//
// Runs a case of a rule page through `analyze()`, the way that every user of the analyzer goes, and
// says in what the outcome differs from the page.
#pragma once

#include <string>
#include <vector>

#include "knowledge/knowledge.h"
#include "page_reader.h"

namespace vramlint::pages {

/// What differs, one sentence each; empty when the case holds. Comments that silence findings work.
std::vector<std::string> run_case(const PageCase& page_case, const knowledge::Knowledge& knowledge);

/// The same for the text after the fixes: made to a fixed point they give it, it parses, its
/// findings are gone, and a second run changes nothing.
std::vector<std::string> run_fix(const PageCase& page_case, const knowledge::Knowledge& knowledge);

/// What a page lacks: headings, the rule block, a firing and a silent case, a message in our style.
std::vector<std::string> check_form(const Page& page, const knowledge::RulePage& rule);

}  // namespace vramlint::pages
