// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "lsp/client.h"
#include "lsp/documents.h"

// Findings as the protocol has them.

namespace vramlint::lsp {

/// The texts that the findings of a root stand in, each looked up once. Good until a text changes.
class Places {
 public:
  /// A text that the editor has, or that of the file.
  struct Text {
    std::string uri;
    const text::Source* source = nullptr;  ///< null where nobody has read it
  };

  Places(Root& root, const Documents& documents) : root_(root), documents_(documents) {}

  const Text& of(const std::string& file, std::optional<int> cell);

 private:
  Root& root_;
  const Documents& documents_;
  std::map<std::pair<std::string, std::optional<int>>, Text> known_;
};

/// A finding of a root as a `Diagnostic`.
Json diagnostic_json(const diagnostics::Diagnostic& finding, Places& places, const Client& client);

/// Where a range for people is in the text that it counts in.
text::Span span_of(const diagnostics::Range& range, const text::Source& source);

/// What is found now, by URI, in all roots.
std::map<std::string, Json> all_diagnostics(Documents& documents, const Client& client);

/// What has happened, and what to do about it.
std::string text_of(const Error& error);

/// What is wrong with a configuration, as a diagnostic in its file.
Json diagnostic_json(const Error& error);

/// `TextEdit`s by URI as a `WorkspaceEdit`.
Json workspace_edit(std::map<std::string, Json> by_uri, const Documents& documents,
                    const Client& client);

/// Edits of the files of a root as a `WorkspaceEdit`.
Json workspace_edit(const std::vector<diagnostics::Edit>& edits, const Root& root,
                    Documents& documents, const Client& client);

}  // namespace vramlint::lsp
