// SPDX-License-Identifier: MIT
#include "lsp/documents.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "config/layers.h"
#include "lsp/uri.h"
#include "support/paths.h"

namespace vramlint::lsp {

namespace {

/// `untitled:Untitled-1` is linted as if it were saved at the top of the workspace.
std::string made_up_path(const std::string& uri, const std::vector<std::string>& folders) {
  std::string name = uri;
  std::ranges::replace(name, '/', ' ');
  const std::string folder = folders.empty() || folders.front() == "/" ? "" : folders.front();
  return folder + "/" + name;
}

/// What a text that has no file yet is, by what the editor calls its language.
text::Language language_named(std::string_view id) {
  static constexpr std::array<std::pair<std::string_view, text::Language>, 7> named = {
      {{"shellscript", text::Language::shell},
       {"dockerfile", text::Language::dockerfile},
       {"yaml", text::Language::yaml},
       {"dockercompose", text::Language::yaml},
       {"dotenv", text::Language::dotenv},
       {"bat", text::Language::batch},
       {"powershell", text::Language::powershell}}};
  for (const auto& [name, language] : named) {
    if (name == id) return language;
  }
  return text::Language::other;
}

/// A file is what `check` takes it for, so that both say the same.
text::Language language_of(const Document& document, std::string_view text) {
  if (document.language_id == "python") return text::Language::python;
  if (!path_of_uri(document.uri)) return language_named(document.language_id);
  const text::Language language = text::language_of(document.path, text);
  // Somebody reads the file of a notebook as the text that it is.
  return language == text::Language::notebook ? text::Language::other : language;
}

}  // namespace

Documents::Documents(const knowledge::Knowledge& knowledge)
    : knowledge_(knowledge), texts_(lint::max_file_bytes) {}

void Documents::set_folders(std::vector<std::string> folders) {
  folders_ = std::move(folders);
  roots_.clear();
  for (auto& [uri, notebook] : notebooks_) join_root(notebook);
  for (auto& [uri, document] : documents_) join_root(document);
}

void Documents::set_settings(config::Settings settings) {
  settings_ = std::move(settings);
  for (const auto& [folder, root] : roots_) root->reload(settings_);
}

/// The innermost folder of the workspace that holds the path, else the one around the file.
std::string Documents::folder_of(const std::string& path) const {
  std::string best;
  for (const std::string& folder : folders_) {
    if (config::lies_in(path, folder) && folder.size() > best.size()) best = folder;
  }
  return best.empty() ? folder_around(path) : best;
}

std::vector<Root*> Documents::roots() {
  save_notebooks();
  std::vector<Root*> roots;
  for (const auto& [folder, root] : roots_) roots.push_back(root.get());
  return roots;
}

std::optional<std::string> Documents::path_of(const std::string& uri) const {
  if (const Document* document = find(uri)) return document->path;
  std::optional<std::string> path = path_of_uri(uri);
  if (path) path = config::absolute_path(*path, "/");
  return path;
}

void Documents::forget(const std::string& path) {
  for (const auto& [folder, root] : roots_) root->forget(path);
}

std::string Documents::path_for(const std::string& uri) const {
  const std::optional<std::string> path = path_of_uri(uri);
  return path ? config::absolute_path(*path, "/") : made_up_path(uri, folders_);
}

void Documents::open(OpenedText opened) {
  close(opened.uri);
  Document& document = documents_[opened.uri];
  document.uri = std::move(opened.uri);
  document.path = path_for(document.uri);
  document.version = opened.version;
  document.language_id = std::move(opened.language_id);
  document.language = language_of(document, opened.text);
  document.source = std::make_shared<const text::Source>(document.path, std::move(opened.text),
                                                         document.language);
  // What the cells of the same notebook are counts before its file.
  if (notebook_at(document.path) == nullptr) texts_.hold(document.source);
  forget(document.path);
  join_root(document);
}

Root& Documents::root_at(const std::string& folder) {
  std::unique_ptr<Root>& root = roots_[folder];
  if (root == nullptr) root = std::make_unique<Root>(folder, settings_, knowledge_, texts_);
  return *root;
}

void Documents::join_root(Document& document) {
  document.root = folder_of(document.path);
  Root& root = root_at(document.root);
  const bool is_program = document.notebook.empty() && document.language != text::Language::other;
  if (is_program) root.open(document.path);
}

void Documents::join_root(Notebook& notebook) {
  notebook.root = folder_of(notebook.path);
  root_at(notebook.root).open(notebook.path);
}

void Documents::change(const std::string& uri, int64_t version, const std::vector<Change>& changes,
                       Encoding encoding) {
  const auto found = documents_.find(uri);
  if (found == documents_.end()) return;
  Document& document = found->second;
  document.version = version;
  std::string text = changed(*document.source, changes, encoding);
  const text::Language before = document.language;
  // A `#!` line may have come or gone.
  if (document.notebook.empty()) document.language = language_of(document, text);
  document.source =
      std::make_shared<const text::Source>(document.path, std::move(text), document.language);
  if (document.notebook.empty()) {
    if (notebook_at(document.path) == nullptr) texts_.hold(document.source);
    forget(document.path);
    if (document.language == before) return;
    roots_.at(document.root)->close(document.path);
    return join_root(document);
  }
  Notebook& notebook = notebooks_.at(document.notebook);
  for (NotebookCell& cell : notebook.cells) {
    if (cell.uri == uri) cell.source = document.source;
  }
  unsaved_.insert(document.notebook);
}

bool Documents::close(const std::string& uri) {
  const auto found = documents_.find(uri);
  if (found == documents_.end()) return false;
  const Document document = std::move(found->second);
  documents_.erase(found);
  // Cells go when their notebook or its list of cells says so.
  if (!document.notebook.empty()) return true;
  if (notebook_at(document.path) != nullptr) return true;
  if (const Document* other = at(document.path, std::nullopt)) {
    // Its file is open under another name, too.
    texts_.hold(other->source);
    forget(document.path);
    return true;
  }
  leave_root(document.root, document.path);
  return true;
}

void Documents::leave_root(const std::string& folder, const std::string& path) {
  texts_.let_go(path);
  forget(path);
  const auto lies_there = [&](const auto& entry) { return entry.second.root == folder; };
  const bool is_needed = std::ranges::count(folders_, folder) > 0 ||
                         std::ranges::any_of(documents_, lies_there) ||
                         std::ranges::any_of(notebooks_, lies_there);
  roots_.at(folder)->close(path);
  if (!is_needed) roots_.erase(folder);
}

/// From here on notebooks are what their cells are now. A text is made of one when somebody asks,
/// not with each of its cells.
void Documents::save_notebooks() {
  for (const std::string& uri : std::exchange(unsaved_, {})) {
    const auto found = notebooks_.find(uri);
    if (found == notebooks_.end()) continue;
    texts_.hold(saved(found->second));
    forget(found->second.path);
  }
}

Root& Documents::root_of(const Document& document) {
  save_notebooks();
  return *roots_.at(document.root);
}

Texts& Documents::texts() {
  save_notebooks();
  return texts_;
}

void Documents::open_notebook(const std::string& uri, std::vector<NotebookCell> cells) {
  close_notebook(uri);
  Notebook& notebook = notebooks_[uri];
  notebook.uri = uri;
  notebook.path = path_for(uri);
  notebook.cells = std::move(cells);
  unsaved_.insert(uri);
  join_root(notebook);
}

bool Documents::replace_cells(const std::string& uri, std::size_t begin, std::size_t count,
                              std::vector<NotebookCell> cells) {
  const auto found = notebooks_.find(uri);
  if (found == notebooks_.end()) return false;
  std::vector<NotebookCell>& all = found->second.cells;
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(std::min(begin, all.size()));
  const auto last =
      first + std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(count), all.end() - first);
  for (NotebookCell& cell : cells) {
    // One that was moved has been sent before.
    const Document* known = find(cell.uri);
    if (known == nullptr) continue;
    cell.source = known->source;
    cell.is_python = known->language == text::Language::python;
  }
  all.insert(all.erase(first, last), cells.begin(), cells.end());
  unsaved_.insert(uri);
  return true;
}

void Documents::open_cell(const std::string& uri, OpenedText opened) {
  const auto found = notebooks_.find(uri);
  if (found == notebooks_.end()) return;
  Notebook& notebook = found->second;
  Document& document = documents_[opened.uri];
  document = {};
  document.uri = std::move(opened.uri);
  document.path = notebook.path;
  document.root = notebook.root;
  document.version = opened.version;
  document.notebook = uri;
  const bool is_python = opened.language_id == "python";
  document.language = is_python ? text::Language::python : text::Language::other;
  document.source = std::make_shared<const text::Source>(notebook.path, std::move(opened.text),
                                                         document.language);
  for (NotebookCell& cell : notebook.cells) {
    if (cell.uri != document.uri) continue;
    cell.is_python = is_python;
    cell.source = document.source;
  }
  unsaved_.insert(uri);
}

void Documents::set_cell_kind(const std::string& uri, const std::string& cell_uri, bool is_code) {
  const auto found = notebooks_.find(uri);
  if (found == notebooks_.end()) return;
  for (NotebookCell& cell : found->second.cells) {
    if (cell.uri == cell_uri) cell.is_code = is_code;
  }
  unsaved_.insert(uri);
}

void Documents::close_notebook(const std::string& uri) {
  const auto found = notebooks_.find(uri);
  if (found == notebooks_.end()) return;
  const Notebook notebook = std::move(found->second);
  notebooks_.erase(found);
  std::erase_if(documents_, [&](const auto& entry) { return entry.second.notebook == uri; });
  leave_root(notebook.root, notebook.path);
}

void Documents::note_on_disk(const std::string& path) {
  for (const auto& [folder, root] : roots_) {
    const bool is_near = config::lies_in(path, folder) || config::lies_in(folder, parent_of(path));
    if (is_near && root->is_configured_by(path)) root->reload();
    root->forget(path);
  }
}

void Documents::reload() {
  for (const auto& [folder, root] : roots_) root->reload();
}

const Document* Documents::find(const std::string& uri) const {
  const auto found = documents_.find(uri);
  return found == documents_.end() ? nullptr : &found->second;
}

const Notebook* Documents::notebook_at(const std::string& path) const {
  for (const auto& [uri, notebook] : notebooks_) {
    if (notebook.path == path) return &notebook;
  }
  return nullptr;
}

const Document* Documents::at(const std::string& path, std::optional<int> cell) const {
  if (cell) {
    const Notebook* notebook = notebook_at(path);
    const auto number = static_cast<std::size_t>(*cell);
    const bool is_there = notebook != nullptr && number >= 1 && number <= notebook->cells.size();
    return is_there ? find(notebook->cells[number - 1].uri) : nullptr;
  }
  for (const auto& [uri, document] : documents_) {
    if (document.path == path && document.notebook.empty()) return &document;
  }
  return nullptr;
}

std::optional<int> Documents::cell_of(const Document& document) const {
  const auto found = notebooks_.find(document.notebook);
  if (found == notebooks_.end()) return std::nullopt;
  const std::vector<NotebookCell>& cells = found->second.cells;
  const auto at = std::ranges::find(cells, document.uri, &NotebookCell::uri);
  if (at == cells.end()) return std::nullopt;
  return static_cast<int>(at - cells.begin()) + 1;
}

std::string Documents::uri_of(const std::string& path, std::optional<int> cell) const {
  const Document* document = at(path, cell);
  return document != nullptr ? document->uri : uri_of_path(path);
}

}  // namespace vramlint::lsp
