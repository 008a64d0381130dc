// SPDX-License-Identifier: MIT
#include "lsp/documents.h"

#include <algorithm>
#include <utility>

#include "config/layers.h"
#include "lsp/uri.h"
#include "support/paths.h"

namespace vramlint::lsp {

Documents::Documents(const knowledge::Knowledge& knowledge)
    : knowledge_(knowledge), texts_(lint::max_file_bytes) {}

void Documents::set_folders(std::vector<std::string> folders) {
  folders_ = std::move(folders);
  roots_.clear();
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
  std::vector<Root*> roots;
  for (const auto& [folder, root] : roots_) roots.push_back(root.get());
  return roots;
}

/// `untitled:Untitled-1` is linted as if it were saved at the top of the workspace.
std::string Documents::made_up_path(const std::string& uri) const {
  std::string name = uri;
  std::ranges::replace(name, '/', ' ');
  const std::string folder = folders_.empty() || folders_.front() == "/" ? "" : folders_.front();
  return folder + "/" + name;
}

std::optional<std::string> Documents::path_of(const std::string& uri) const {
  if (const Document* document = find(uri)) return document->path;
  std::optional<std::string> path = path_of_uri(uri);
  if (path) path = config::absolute_path(*path, "/");
  return path;
}

std::string Documents::uri_of(const std::string& path) const {
  const Document* document = at_path(path);
  return document != nullptr ? document->uri : uri_of_path(path);
}

void Documents::forget(const std::string& path) {
  for (const auto& [folder, root] : roots_) root->forget(path);
}

void Documents::open(const std::string& uri, std::string_view language_id, int64_t version,
                     std::string text) {
  const std::optional<std::string> path = path_of(uri);
  close(uri);
  Document& document = documents_[uri];
  document.uri = uri;
  document.path = path ? *path : made_up_path(uri);
  document.version = version;
  document.language =
      language_id == "python" ? text::Language::python : text::language_of(document.path, text);
  document.source =
      std::make_shared<const text::Source>(document.path, std::move(text), document.language);
  texts_.hold(document.source);
  forget(document.path);
  join_root(document);
}

void Documents::join_root(Document& document) {
  document.root = folder_of(document.path);
  std::unique_ptr<Root>& root = roots_[document.root];
  if (root == nullptr) root = std::make_unique<Root>(document.root, settings_, knowledge_, texts_);
  if (document.language != text::Language::other) root->open(document.path);
}

bool Documents::change(const std::string& uri, int64_t version, const std::vector<Change>& changes,
                       Encoding encoding) {
  const auto found = documents_.find(uri);
  if (found == documents_.end()) return false;
  Document& document = found->second;
  document.version = version;
  for (const Change& change : changes) {
    std::string text = change.text;
    if (change.range) {
      const text::Span span = span_at(*document.source, *change.range, encoding);
      const std::string_view before = document.source->bytes();
      text = std::string(before.substr(0, span.begin)) + change.text;
      text += before.substr(span.end);
    }
    // Each range counts in the text that the one before it has left.
    document.source =
        std::make_shared<const text::Source>(document.path, std::move(text), document.language);
  }
  texts_.hold(document.source);
  forget(document.path);
  return true;
}

bool Documents::close(const std::string& uri) {
  const auto found = documents_.find(uri);
  if (found == documents_.end()) return false;
  const Document document = std::move(found->second);
  documents_.erase(found);
  texts_.let_go(document.path);
  forget(document.path);
  const auto root = roots_.find(document.root);
  root->second->close(document.path);
  const bool is_workspace = std::ranges::count(folders_, document.root) > 0;
  if (!is_workspace && !root->second->has_entries()) roots_.erase(root);
  return true;
}

void Documents::note_on_disk(const std::string& path) {
  for (const auto& [folder, root] : roots_) {
    const bool is_near = config::lies_in(path, folder) || config::lies_in(folder, parent_of(path));
    if (is_near && root->is_configured_by(path)) root->reload();
    root->forget(path);
  }
}

const Document* Documents::find(const std::string& uri) const {
  const auto found = documents_.find(uri);
  return found == documents_.end() ? nullptr : &found->second;
}

const Document* Documents::at_path(const std::string& path) const {
  for (const auto& [uri, document] : documents_) {
    if (document.path == path) return &document;
  }
  return nullptr;
}

std::vector<const Document*> Documents::all() const {
  std::vector<const Document*> all;
  for (const auto& [uri, document] : documents_) all.push_back(&document);
  return all;
}

}  // namespace vramlint::lsp
