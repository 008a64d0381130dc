// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontends/kept_code.h"
#include "model/program.h"
#include "text/files.h"

namespace vramlint::frontends {

/// A file of the linted project, cut into blocks.
struct LoadedProgram {
  std::string path;
  model::Program program;
  KeptCode* kept = nullptr;  ///< lowered before; null where nothing is lowered twice
  bool names_main = false;   ///< `__main__` stands in it
  /// Classes outside all others that are told of the classes made from them.
  std::vector<model::NameId> hooking;
};

/// Whether it is one that nobody can import.
inline bool is_notebook(const LoadedProgram& loaded) {
  return loaded.program.source->language() == text::Language::notebook;
}

/// A module or package of the project: its file, or the folder of a package without `__init__.py`.
struct ModuleFile {
  std::string path;
  bool is_namespace = false;
};

/// Finds the modules that an entry imports and keeps them, outlined, for the entries after it.
class Project {
 public:
  Project(text::Files& files, model::Names& names) : files_(files), names_(names) {}
  /// For one who runs nearly the same programs over and over: gives what they were lowered to back
  /// at its end.
  Project(text::Files& files, KeptCode& kept) : files_(files), names_(kept.names()), kept_(&kept) {}
  Project(const Project&) = delete;
  Project& operator=(const Project&) = delete;
  ~Project();

  model::Names& names() { return names_; }

  /// Null when the file can't be read or is no Python.
  LoadedProgram* load(const std::string& path);
  /// A file that is no Python; null when it can't be read.
  std::shared_ptr<const text::Source> open(const std::string& path);
  /// A program that stands in another file, under a path that no file has. It takes the place of
  /// the one that was there before.
  LoadedProgram* add(const std::string& path, std::shared_ptr<const text::Source> source);
  /// The module `name` directly inside `folder`; null when there is none.
  const ModuleFile* module_in(const std::string& folder, std::string_view name);
  /// Whether a file beside it, or beside the package that it is in, may import the file.
  bool may_be_imported(const std::string& path);
  /// Folder of the outermost package that holds the file, and the dotted name of the package that
  /// the file belongs to.
  struct Home {
    std::string root;
    std::string package;
  };
  const Home& home_of(const std::string& path);

 private:
  Home find_home(const std::string& folder);

  text::Files& files_;
  model::Names& names_;
  KeptCode* kept_ = nullptr;
  std::unordered_map<std::string, std::unique_ptr<LoadedProgram>> programs_;
  std::unordered_map<std::string, std::unique_ptr<ModuleFile>> modules_;
  std::unordered_map<std::string, Home> homes_;  ///< by folder
};

/// Whether a file holds tests, by its name or the folders that it is in.
bool is_test_file(std::string_view path);

}  // namespace vramlint::frontends
