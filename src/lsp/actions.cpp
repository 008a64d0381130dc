// SPDX-License-Identifier: MIT
#include "lsp/actions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diagnostics/suppressions.h"
#include "fix/fixer.h"
#include "frontends/notebook.h"
#include "lsp/findings.h"

namespace vramlint::lsp {

namespace {

using diagnostics::Applicability;
using diagnostics::Diagnostic;

/// What is open in a root, for the fixer; only one file may change.
class OpenFile final : public fix::Subject {
 public:
  OpenFile(Documents& documents, Root& root, std::string file)
      : documents_(documents), root_(root), file_(std::move(file)) {}

  std::vector<Diagnostic> findings(const fix::Texts& changed) override {
    return root_.findings_with(changed);
  }
  std::shared_ptr<const text::Source> original(const std::string& file) override {
    Result<std::shared_ptr<const text::Source>> opened =
        documents_.texts().open(root_.absolute(file));
    return opened ? std::move(opened).value() : nullptr;
  }
  bool may_change(const std::string& file) override { return file == file_; }

 private:
  Documents& documents_;
  Root& root_;
  std::string file_;
};

/// Whether the client wants actions of the kind: a kind stands for those below it.
bool wants(const Json& only, std::string_view kind) {
  if (!only.is_array()) return true;
  return std::ranges::any_of(only, [&](const Json& each) {
    if (!each.is_string()) return false;
    const std::string& wanted = each.get_ref<const std::string&>();
    return wanted.empty() || kind == wanted || kind.starts_with(wanted + ".");
  });
}

std::string title_of(const diagnostics::Fix& fix) {
  if (fix.applicability == Applicability::safe) return fix.title;
  return fix.title + " (" + std::string(name_of(fix.applicability)) + ")";
}

fix::Options options_for(const config::Settings& settings) {
  fix::Options options;
  options.with_unsafe = settings.unsafe_fixes.value_or(false);
  return options;
}

/// The lines that differ as a `TextEdit` of the text; nothing where none do.
std::optional<Json> edit_between(const text::Source& source, std::string_view after,
                                 Encoding encoding) {
  const std::string_view before = source.bytes();
  if (before == after) return std::nullopt;
  const std::size_t most = std::min(before.size(), after.size());
  std::size_t begin = 0;
  while (begin < most && before[begin] == after[begin]) ++begin;
  // Whole lines: an edit must not begin inside of a character.
  while (begin > 0 && before[begin - 1] != '\n') --begin;
  std::size_t end = 0;
  while (end < most - begin && before[before.size() - 1 - end] == after[after.size() - 1 - end]) {
    ++end;
  }
  while (end > 0 && before[before.size() - end - 1] != '\n') --end;
  const text::Span span{static_cast<uint32_t>(begin), static_cast<uint32_t>(before.size() - end)};
  return Json{{"range", json_of(range_of(source, span, encoding))},
              {"newText", std::string(after.substr(begin, after.size() - end - begin))}};
}

}  // namespace

Json Actions::in_range(const Document& document, Range range, const Json& only) {
  Json actions = Json::array();
  if (!client_.takes_actions) return actions;
  Root& root = documents_.root_of(document);
  const std::string file = root.shown(document.path);
  const std::optional<int> cell = documents_.cell_of(document);
  const text::Span asked = span_at(*document.source, range, client_.encoding);
  if (wants(only, quick_fix_kind)) {
    std::vector<const Diagnostic*> here;
    for (const Diagnostic& finding : root.report().diagnostics) {
      if (finding.file != file || finding.cell != cell) continue;
      const text::Span span = span_of(finding.range, *document.source);
      if (span.begin <= asked.end && asked.begin <= span.end) here.push_back(&finding);
    }
    Places places(root, documents_);
    for (const Diagnostic* finding : here) add_fix(*finding, root, places, actions);
    add_silences(here, document, root, places, actions);
  }
  for (const std::string_view kind : {fix_all_kind, fix_notebook_kind}) {
    if (kind == fix_notebook_kind && (!cell || !only.is_array())) continue;
    if (wants(only, kind)) add_fix_all(document, root, kind, only.is_array(), actions);
  }
  return actions;
}

void Actions::add_fix(const Diagnostic& finding, Root& root, Places& places, Json& actions) {
  if (!finding.fix || finding.fix->edits.empty()) return;
  Json action = {{"title", title_of(*finding.fix)},
                 {"kind", quick_fix_kind},
                 {"diagnostics", {diagnostic_json(finding, places, client_)}},
                 {"edit", workspace_edit(finding.fix->edits, root, documents_, client_)}};
  if (finding.fix->applicability == Applicability::safe) action["isPreferred"] = true;
  actions.push_back(std::move(action));
}

void Actions::add_silences(const std::vector<const Diagnostic*>& findings, const Document& document,
                           Root& root, Places& places, Json& actions) {
  if (findings.empty()) return;
  const Result<std::shared_ptr<const text::Source>> opened = documents_.texts().open(document.path);
  if (!opened) return;
  const std::shared_ptr<const text::Source> source = frontends::source_of(
      root.shown(document.path), std::string(opened.value()->stored()), opened.value()->language());
  const auto suppressions = diagnostics::Suppressions::read(*source, knowledge_);
  for (const Diagnostic* finding : findings) {
    const diagnostics::AddedSuppressions added = suppressions.add({finding});
    if (added.edits.empty()) continue;
    actions.push_back({{"title", "Silence " + finding->rule + " on this line"},
                       {"kind", quick_fix_kind},
                       {"diagnostics", {diagnostic_json(*finding, places, client_)}},
                       {"edit", workspace_edit(added.edits, root, documents_, client_)}});
  }
}

void Actions::add_fix_all(const Document& document, Root& root, std::string_view kind, bool asked,
                          Json& actions) {
  const std::string file = root.shown(document.path);
  const fix::Options options = options_for(root.project_of(document.path).settings);
  const auto fixable =
      std::ranges::count_if(root.report().diagnostics, [&](const Diagnostic& finding) {
        return finding.file == file && finding.fix && fix::is_wanted(*finding.fix, options);
      });
  if (fixable == 0) return;
  const std::string what =
      options.with_unsafe ? "Make all fixes in this " : "Make all safe fixes in this ";
  Json action = {{"title", what + (document.notebook.empty() ? "file" : "notebook")},
                 {"kind", kind}};
  if (client_.resolves_edits) {
    action["data"] = {{"uri", document.uri}};
  } else if (asked || fixable > 1) {
    // It has to be worked out at once, which is worth it only when it may be chosen.
    action["edit"] = fix_all_edit(document, root);
  } else {
    return;
  }
  actions.push_back(std::move(action));
}

Json Actions::fix_all_edit(const Document& document, Root& root) {
  const std::string file = root.shown(document.path);
  OpenFile subject(documents_, root, file);
  const fix::Outcome outcome =
      fix::make_fixes(subject, options_for(root.project_of(document.path).settings));
  std::map<std::string, Json> edits;
  const auto made = outcome.texts.find(file);
  if (made != outcome.texts.end()) edits = edits_to(document, made->second);
  return workspace_edit(std::move(edits), documents_, client_);
}

/// What makes the file, or the cells of the notebook, what `stored` says.
std::map<std::string, Json> Actions::edits_to(const Document& document, const std::string& stored) {
  std::map<std::string, Json> edits;
  const auto add = [&](const std::string& uri, const text::Source& source,
                       const std::string& after) {
    std::optional<Json> edit = edit_between(source, after, client_.encoding);
    if (edit) edits.emplace(uri, Json::array({std::move(*edit)}));
  };
  const Notebook* notebook =
      document.notebook.empty() ? nullptr : documents_.notebook_at(document.path);
  if (notebook == nullptr) {
    add(document.uri, *document.source, stored);
    return edits;
  }
  const auto after = frontends::source_of(document.path, stored, text::Language::notebook);
  const std::vector<std::string> texts = cell_texts(*after, notebook->cells.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const NotebookCell& cell = notebook->cells[i];
    if (cell.source == nullptr || !cell.is_code || !cell.is_python) continue;
    add(cell.uri, *cell.source, texts[i]);
  }
  return edits;
}

Json Actions::resolved(Json action) {
  const Document* document = documents_.find(string_at(action, "data.uri"));
  if (document != nullptr && string_at(action, "kind").ends_with(fix_all_kind)) {
    action["edit"] = fix_all_edit(*document, documents_.root_of(*document));
  }
  return action;
}

}  // namespace vramlint::lsp
