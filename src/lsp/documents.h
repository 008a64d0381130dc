// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/settings.h"
#include "knowledge/knowledge.h"
#include "lsp/changes.h"
#include "lsp/notebooks.h"
#include "lsp/positions.h"
#include "lsp/root.h"
#include "lsp/texts.h"

namespace vramlint::lsp {

/// A text that the editor has open: a file, or a cell of a notebook.
struct Document {
  std::string uri;   ///< as the editor spells it
  std::string path;  ///< absolute; of a cell, that of its notebook; made up for what is no file yet
  std::string root;  ///< folder that it is linted in
  int64_t version = 0;
  std::string language_id;  ///< what the editor calls it
  text::Language language{};
  std::shared_ptr<const text::Source> source;
  std::string notebook;  ///< URI of the one that it is a cell of; empty for a file
};

/// What an editor says when it opens a text.
struct OpenedText {
  std::string uri;
  std::string language_id;
  int64_t version = 0;
  std::string text;
};

/// The open texts, the folders that they are linted in, and which of them a change concerns.
class Documents {
 public:
  explicit Documents(const knowledge::Knowledge& knowledge);

  /// The folders of the workspace, as absolute paths. Texts move to the root that is theirs now.
  void set_folders(std::vector<std::string> folders);
  const std::vector<std::string>& folders() const { return folders_; }
  /// What the editor's own settings say, for all roots.
  void set_settings(config::Settings settings);

  void open(OpenedText opened);
  /// Nothing where no such text is open.
  void change(const std::string& uri, int64_t version, const std::vector<Change>& changes,
              Encoding encoding);
  /// False when no such text is open.
  bool close(const std::string& uri);
  /// Something outside of the editor has written, made or removed the file.
  void note_on_disk(const std::string& path);
  /// Anything may have changed there.
  void reload();

  /// Cells come and go while a notebook is open; what comes has no text until `open_cell`.
  void open_notebook(const std::string& uri, std::vector<NotebookCell> cells);
  bool replace_cells(const std::string& uri, std::size_t begin, std::size_t count,
                     std::vector<NotebookCell> cells);
  void open_cell(const std::string& notebook, OpenedText opened);
  void set_cell_kind(const std::string& notebook, const std::string& cell, bool is_code);
  void close_notebook(const std::string& uri);

  const Document* find(const std::string& uri) const;
  /// The text that a place in a file, or in a cell of it, is a place in; null when it is not open.
  const Document* at(const std::string& path, std::optional<int> cell) const;
  const Notebook* notebook_at(const std::string& path) const;
  /// The number of a cell in its notebook; nothing for a file.
  std::optional<int> cell_of(const Document& document) const;
  /// The path that a URI stands for, open or not; nothing for what is no file and not open.
  std::optional<std::string> path_of(const std::string& uri) const;
  /// How the editor calls a file, or a cell of it.
  std::string uri_of(const std::string& path, std::optional<int> cell = std::nullopt) const;

  Root& root_of(const Document& document);
  /// Those in which something is open, by folder.
  std::vector<Root*> roots();
  Texts& texts();

 private:
  std::string folder_of(const std::string& path) const;
  std::string path_for(const std::string& uri) const;
  Root& root_at(const std::string& folder);
  void join_root(Document& document);
  void join_root(Notebook& notebook);
  void leave_root(const std::string& root, const std::string& path);
  void save_notebooks();
  void forget(const std::string& path);

  const knowledge::Knowledge& knowledge_;
  config::Settings settings_;
  Texts texts_;
  std::vector<std::string> folders_;
  std::map<std::string, std::unique_ptr<Root>> roots_;  ///< by folder
  std::map<std::string, Document> documents_;           ///< by URI, cells among them
  std::map<std::string, Notebook> notebooks_;           ///< by URI
  /// URIs of notebooks whose cells have changed since they were last made one text.
  std::set<std::string> unsaved_;
};

}  // namespace vramlint::lsp
