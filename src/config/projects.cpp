// SPDX-License-Identifier: MIT
// Going up from a file: the nearest `vramlint.toml` or `[tool.vramlint]` configures it; what the
// files say about torch, Python and the hardware, up to the top of the repository, sets its target.
#include "config/projects.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "config/glob.h"
#include "config/project_files.h"
#include "support/paths.h"
#include "text/source.h"

namespace vramlint::config {

namespace {

namespace fs = std::filesystem;

constexpr uint64_t max_file_bytes = 64 << 20;

/// The names in a folder that mean something here.
struct Names {
  bool git = false;
  bool own_settings = false;
  bool pyproject = false;
  bool setup = false;
  std::vector<std::string> about_target;  ///< of the kinds in project_files.h
};

Names names_in(const std::string& folder) {
  Names names;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    std::string name = at->path().filename().string();
    names.git |= name == ".git";
    names.own_settings |= name == "vramlint.toml";
    names.pyproject |= name == "pyproject.toml";
    names.setup |= name == "setup.py" || name == "setup.cfg";
    if (kind_of(name) >= 0) names.about_target.push_back(std::move(name));
  }
  return names;
}

std::string parent_of_absolute(const std::string& folder) {
  return fs::path(folder).parent_path().string();
}

/// Whether an absolute path is the folder or something below it.
bool lies_in(std::string_view path, std::string_view folder) {
  if (folder == "/" || path == folder) return true;
  return path.starts_with(folder) && path.substr(folder.size(), 1) == "/";
}

std::string inside(const std::string& folder, std::string_view name) {
  return folder == "/" ? "/" + std::string(name) : folder + "/" + std::string(name);
}

}  // namespace

const Project& Projects::of(const std::string& folder) {
  const std::string absolute = absolute_of(folder);
  Folder& found = folder_at(absolute);
  if (!found.project) make_project(absolute, found);
  return *found.project;
}

bool Projects::excludes(const std::string& path) {
  const Project& project = of(parent_of(path));
  const auto any_matches = [](const std::vector<std::string>& patterns, std::string_view name) {
    return std::ranges::any_of(
        patterns, [&](const std::string& pattern) { return glob_matches(pattern, name); });
  };
  if (any_matches(options_.command_line.exclude, path)) return true;
  if (project.settings.exclude.empty()) return false;
  const std::string absolute = absolute_of(path);
  const std::string& folder = project.settings_folder;
  return lies_in(absolute, folder) &&
         any_matches(project.settings.exclude, std::string_view(absolute).substr(folder.size()));
}

Projects::Folder& Projects::folder_at(const std::string& absolute) {
  // Up to a folder that is known, then down again.
  std::vector<std::string> unknown;
  std::string at = absolute;
  while (!folders_.contains(at)) {
    unknown.push_back(at);
    const std::string parent = parent_of_absolute(at);
    if (parent == at || parent.empty()) break;
    at = parent;
  }
  while (!unknown.empty()) {
    const std::string folder = std::move(unknown.back());
    unknown.pop_back();
    const auto parent = folders_.find(parent_of_absolute(folder));
    const Folder* above = parent == folders_.end() ? nullptr : &parent->second;
    folders_.emplace(folder, look_at(folder, above));
  }
  return folders_.at(absolute);
}

Projects::Folder Projects::look_at(const std::string& absolute, const Folder* parent) {
  const Names names = names_in(absolute);
  Folder folder;
  const bool in_upper_repository = parent != nullptr && parent->in_repository;
  folder.in_repository = names.git || in_upper_repository;
  if (parent != nullptr) {
    folder.settings = parent->settings;
    folder.settings_folder = parent->settings_folder;
  }
  // What lies above the repository, or without one above the working directory, is not this
  // project.
  const bool is_top = names.git || (absolute == options_.working_directory && !in_upper_repository);
  const bool goes_on = parent != nullptr && !is_top;
  if (goes_on) folder.root = parent->root;
  const bool has_top = folder.in_repository || lies_in(absolute, options_.working_directory);
  folder.top = goes_on && has_top ? parent->top : absolute;
  if (names.git || names.pyproject || names.setup) folder.root = shown_of(absolute);
  Result<std::string> pyproject = std::string();
  if (names.pyproject) {
    const std::string file = inside(absolute, "pyproject.toml");
    pyproject = text::read_file(file, max_file_bytes);
    read_own_settings(file, pyproject, folder);
  }
  if (names.own_settings) {
    const std::string file = inside(absolute, "vramlint.toml");
    read_own_settings(file, text::read_file(file, max_file_bytes), folder);
  }
  folder.inferred = infer(absolute, names.about_target, folder.top, pyproject);
  if (goes_on) folder.inferred = inherited(std::move(folder.inferred), parent->inferred);
  return folder;
}

void Projects::read_own_settings(const std::string& file, const Result<std::string>& text,
                                 Folder& folder) {
  if (options_.isolated || options_.instead_of_files) return;
  if (!text) return note_error(text.error());
  Result<std::optional<Settings>> settings = read_settings(shown_of(file), text.value());
  if (!settings) return note_error(settings.error());
  if (!settings.value()) return;
  folder.settings = std::move(settings).value();
  folder.settings_folder = parent_of_absolute(file);
}

Inferred Projects::infer(const std::string& absolute, std::vector<std::string> names,
                         const std::string& top, const Result<std::string>& pyproject) const {
  Surroundings surroundings;
  surroundings.read = [&](const std::string& path,
                          uint64_t max_bytes) -> std::optional<std::string> {
    if (path == inside(absolute, "pyproject.toml")) {
      const bool is_usable = pyproject && pyproject.value().size() <= max_bytes;
      return is_usable ? std::optional(pyproject.value()) : std::nullopt;
    }
    Result<std::string> bytes = text::read_file(path, max_bytes);
    return bytes ? std::optional(std::move(bytes).value()) : std::nullopt;
  };
  surroundings.may_include = [&](const std::string& path) {
    if (!lies_in(path, top)) return false;
    std::error_code failed;
    const std::string real = fs::canonical(path, failed).string();
    return !failed && lies_in(real, fs::canonical(top, failed).string());
  };
  surroundings.shown = [this](const std::string& path) { return shown_of(path); };
  return infer_from_folder(absolute, std::move(names), surroundings, knowledge_);
}

void Projects::make_project(const std::string& absolute, Folder& folder) {
  Project& project = folder.project.emplace();
  Settings settings = folder.settings.value_or(Settings());
  project.settings_folder = folder.settings ? folder.settings_folder : options_.working_directory;
  if (options_.instead_of_files) settings = *options_.instead_of_files;
  const std::vector<std::string> own_exclude = settings.exclude;
  Result<ResolvedTarget> target =
      resolve_target(options_.command_line, settings, folder.inferred, knowledge_);
  project.settings = layered(std::move(settings), options_.command_line);
  project.settings.exclude = own_exclude;  // those of the command line count from another folder
  const bool is_here = lies_in(absolute, options_.working_directory);
  project.root = folder.root.value_or(is_here ? "." : shown_of(absolute));
  project.level = project.settings.level.value_or(project.level);

  const auto note_mistake = [&](Error error) {
    error.path = project.settings.path;
    note_error(error);
  };
  if (!target) note_mistake(target.error());
  project.target = knowledge::default_target(knowledge_);
  if (target) {
    project.target = std::move(target.value().target);
    project.origins = std::move(target.value().origins);
  }
  std::vector<std::string> select = project.settings.select.value_or(std::vector<std::string>());
  if (select.empty()) select.push_back("ALL");
  const std::vector<std::string>& more = project.settings.extend_select;
  select.insert(select.end(), more.begin(), more.end());
  Result<diagnostics::Selection> selection =
      diagnostics::Selection::make(select, project.settings.ignore, knowledge_);
  if (!selection) return note_mistake(selection.error());
  project.selection = std::move(selection).value();
}

std::string Projects::absolute_of(const std::string& shown) const {
  fs::path path = fs::path(options_.working_directory) / shown;
  std::string text = path.lexically_normal().string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

std::string Projects::shown_of(const std::string& absolute) const {
  return shown_path(absolute, options_.working_directory);
}

void Projects::note_error(const Error& error) {
  if (!error_) error_ = error;
}

}  // namespace vramlint::config
