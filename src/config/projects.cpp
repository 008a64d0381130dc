// SPDX-License-Identifier: MIT
// Going up from a file: the nearest `vramlint.toml` or `[tool.vramlint]` configures it; the nearest
// statement about torch, up to the top of the repository, sets its target. A lock beats a
// range stated nearer, since it is what that range was resolved to.
#include "config/projects.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "config/glob.h"
#include "config/requirements.h"
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
  bool uv_lock = false;
  std::vector<std::string> requirements;
};

bool is_requirements(std::string_view name) {
  return name.starts_with("requirements") && name.ends_with(".txt");
}

Names names_in(const std::string& folder) {
  Names names;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    names.git |= name == ".git";
    names.own_settings |= name == "vramlint.toml";
    names.pyproject |= name == "pyproject.toml";
    names.setup |= name == "setup.py" || name == "setup.cfg";
    names.uv_lock |= name == "uv.lock";
    if (is_requirements(name)) names.requirements.push_back(name);
  }
  // `requirements.txt` itself first, then by name.
  std::ranges::sort(names.requirements, [](const std::string& left, const std::string& right) {
    return std::pair(left.size() != 16, left) < std::pair(right.size() != 16, right);
  });
  return names;
}

/// Empty for a file that can't be read: then it says nothing.
std::string text_of(const std::string& path) {
  Result<std::string> bytes = text::read_file(path, max_file_bytes);
  return bytes ? std::move(bytes).value() : std::string();
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
  if (parent != nullptr && !is_top) {
    folder.pin = parent->pin;
    folder.lock = parent->lock;
    folder.root = parent->root;
  }
  if (names.git || names.pyproject || names.setup) folder.root = shown_of(absolute);
  if (names.pyproject) read_own_settings(inside(absolute, "pyproject.toml"), folder);
  if (names.own_settings) read_own_settings(inside(absolute, "vramlint.toml"), folder);
  if (names.uv_lock) {
    folder.lock = pin_of(torch_in_uv_lock(text_of(inside(absolute, "uv.lock"))), knowledge_);
  }
  std::optional<TorchPin> pin = pin_in_requirements(absolute, names.requirements);
  if (!pin && names.pyproject) {
    pin = pin_of(torch_in_pyproject(text_of(inside(absolute, "pyproject.toml"))), knowledge_);
    if (pin && folder.lock) pin = folder.lock;
  }
  if (names.uv_lock && folder.lock) pin = folder.lock;
  if (pin) folder.pin = std::move(pin);
  return folder;
}

void Projects::read_own_settings(const std::string& file, Folder& folder) {
  if (options_.isolated || options_.instead_of_files) return;
  const Result<std::string> text = text::read_file(file, max_file_bytes);
  if (!text) return note_error(text.error());
  Result<std::optional<Settings>> settings = read_settings(shown_of(file), text.value());
  if (!settings) return note_error(settings.error());
  if (!settings.value()) return;
  folder.settings = std::move(settings).value();
  folder.settings_folder = parent_of_absolute(file);
}

std::optional<TorchPin> Projects::pin_in_requirements(const std::string& absolute,
                                                      const std::vector<std::string>& names) {
  std::vector<std::string> specifiers;
  for (const std::string& name : names) {
    for (std::string& specifier : torch_in_requirements(text_of(inside(absolute, name)))) {
      if (std::ranges::find(specifiers, specifier) == specifiers.end()) {
        specifiers.push_back(std::move(specifier));
      }
    }
    if (name == "requirements.txt" && !specifiers.empty()) break;
  }
  return pin_of(specifiers, knowledge_);
}

void Projects::make_project(const std::string& absolute, Folder& folder) {
  Project& project = folder.project.emplace();
  Settings settings = folder.settings.value_or(Settings());
  project.settings_folder = folder.settings ? folder.settings_folder : options_.working_directory;
  if (options_.instead_of_files) settings = *options_.instead_of_files;
  const std::vector<std::string> own_exclude = settings.exclude;
  project.settings = layered(std::move(settings), options_.command_line);
  project.settings.exclude = own_exclude;  // those of the command line count from another folder
  const bool is_here = lies_in(absolute, options_.working_directory);
  project.root = folder.root.value_or(is_here ? "." : shown_of(absolute));
  project.level = project.settings.level.value_or(project.level);

  const auto note_mistake = [&](Error error) {
    error.path = project.settings.path;
    note_error(error);
  };
  Result<knowledge::Target> target = resolve_target(project.settings, folder.pin, knowledge_);
  if (!target) note_mistake(target.error());
  project.target = target ? std::move(target).value() : knowledge::default_target(knowledge_);
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
