// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "knowledge/rows.h"
#include "lsp/protocol.h"
#include "output/row_sections.h"

// Texts for people, in the form that the client reads.

namespace vramlint::lsp {

enum class Markup : uint8_t { plain, markdown };

/// What the client likes best of a list of `MarkupKind`s that is known here; plain without one.
Markup markup_in(const Json& list);

/// Rows of the tables.
std::string text_of(const std::vector<output::RowSection>& sections, Markup markup);
/// The page of a rule.
std::string text_of(const knowledge::RulePage& page, Markup markup);

/// `MarkupContent`.
Json markup_json(std::string text, Markup markup);

}  // namespace vramlint::lsp
