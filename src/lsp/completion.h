// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/knowledge.h"
#include "knowledge/target.h"
#include "lsp/client.h"
#include "lsp/markup.h"
#include "lsp/protocol.h"
#include "text/source.h"
#include "text/span.h"

namespace vramlint::lsp {

/// What a proposal is the name of.
enum class ProposalKind : uint8_t { key, value, variable, rule };

/// Something that may be written at a place.
struct Proposal {
  ProposalKind kind{};
  std::string label;
  std::string text;    ///< written instead of what the span holds
  std::string detail;  ///< in one line
  std::string documentation;
};

/// All that may be written at a place.
struct Proposals {
  text::Span span;  ///< the word that is there already, behind the place as well
  std::vector<Proposal> list;
};

/// Keys and values in an allocator string as the target's releases know them, variables where the
/// environment is read or written, rules in a comment that silences them.
Proposals proposals_at(const text::Source& source, uint32_t offset, const knowledge::Target& target,
                       const knowledge::Knowledge& knowledge, Markup markup);

/// The result of `textDocument/completion`.
Json completion_json(const Proposals& proposals, const text::Source& source, const Client& client);

/// After which a client asks without being told to.
std::vector<std::string> completion_triggers();

}  // namespace vramlint::lsp
