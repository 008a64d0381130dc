// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.h"
#include "knowledge/knowledge.h"
#include "lsp/positions.h"
#include "lsp/root.h"
#include "lsp/texts.h"

namespace vramlint::lsp {

/// A text that the editor has open.
struct Document {
  std::string uri;   ///< as the editor spells it
  std::string path;  ///< absolute; made up for what is no file yet
  std::string root;  ///< folder that it is linted in
  int64_t version = 0;
  text::Language language{};
  std::shared_ptr<const text::Source> source;  ///< under the path
};

/// One change of a text; without a range all of it.
struct Change {
  std::optional<Range> range;
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

  void open(const std::string& uri, std::string_view language_id, int64_t version,
            std::string text);
  /// False when no such text is open.
  bool change(const std::string& uri, int64_t version, const std::vector<Change>& changes,
              Encoding encoding);
  bool close(const std::string& uri);
  /// Something outside of the editor has written, made or removed the file.
  void note_on_disk(const std::string& path);

  const Document* find(const std::string& uri) const;
  /// The open text of an absolute path; null for one that is closed.
  const Document* at_path(const std::string& path) const;
  std::vector<const Document*> all() const;
  /// The path that a URI stands for, open or not; nothing for what is no file and not open.
  std::optional<std::string> path_of(const std::string& uri) const;
  /// How the editor calls an absolute path.
  std::string uri_of(const std::string& path) const;

  Root& root_of(const Document& document) { return *roots_.at(document.root); }
  /// Those in which something is open, by folder.
  std::vector<Root*> roots();
  Texts& texts() { return texts_; }

 private:
  std::string folder_of(const std::string& path) const;
  std::string made_up_path(const std::string& uri) const;
  void join_root(Document& document);
  void forget(const std::string& path);

  const knowledge::Knowledge& knowledge_;
  config::Settings settings_;
  Texts texts_;
  std::vector<std::string> folders_;
  std::map<std::string, std::unique_ptr<Root>> roots_;  ///< by folder
  std::map<std::string, Document> documents_;           ///< by URI
};

}  // namespace vramlint::lsp
