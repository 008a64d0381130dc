// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/client.h"
#include "lsp/documents.h"
#include "lsp/findings.h"

namespace vramlint::lsp {

inline constexpr std::string_view quick_fix_kind = "quickfix";
inline constexpr std::string_view fix_all_kind = "source.fixAll.vramlint";
/// The same from the notebook that a cell is in; editors ask for that by another name.
inline constexpr std::string_view fix_notebook_kind = "notebook.source.fixAll.vramlint";

/// What can be done about the findings that a range touches: each fix with its safety, a comment
/// that silences the finding, and all safe fixes of the file or notebook at once.
class Actions {
 public:
  Actions(Documents& documents, const knowledge::Knowledge& knowledge, const Client& client)
      : documents_(documents), knowledge_(knowledge), client_(client) {}

  /// `only` lists the kinds that the client wants; null for all.
  Json in_range(const Document& document, Range range, const Json& only);

  /// The same action with its edit.
  Json resolved(Json action);

 private:
  void add_fix(const diagnostics::Diagnostic& finding, Root& root, Places& places, Json& actions);
  void add_silences(const std::vector<const diagnostics::Diagnostic*>& findings,
                    const Document& document, Root& root, Places& places, Json& actions);
  void add_fix_all(const Document& document, Root& root, std::string_view kind, bool asked,
                   Json& actions);
  std::map<std::string, Json> edits_to(const Document& document, const std::string& stored);
  Json fix_all_edit(const Document& document, Root& root);

  Documents& documents_;
  const knowledge::Knowledge& knowledge_;
  const Client& client_;
};

}  // namespace vramlint::lsp
