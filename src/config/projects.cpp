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
  bool begins_project = false;
  std::vector<std::string> about_target;  ///< of the kinds in project_files.h
};

Names names_in(const std::string& folder) {
  Names names;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    std::string name = at->path().filename().string();
    names.git |= name == ".git";
    names.own_settings |= name == settings_file;
    names.pyproject |= name == "pyproject.toml";
    names.begins_project |= begins_project(name);
    if (kind_of(name) >= 0) names.about_target.push_back(std::move(name));
  }
  return names;
}

/// Where the part of the target stands that can't be understood; nowhere when the command line or
/// the project said it.
Error target_mistake(Error error, const Settings& settings) {
  error.path = settings.path;
  for (const auto& [key, value] :
       {std::pair("torch", &settings.torch), std::pair("python", &settings.python)}) {
    const auto place = settings.places.find(key);
    if (place == settings.places.end() || !*value) continue;
    if (error.message.find("`" + **value + "`") == std::string::npos) continue;
    error.path = place->second.path;
    error.line = place->second.line;
    error.column = place->second.column;
    return error;
  }
  return error;
}

std::string parent_of_absolute(const std::string& folder) {
  return fs::path(folder).parent_path().generic_string();
}

}  // namespace

Projects::Projects(ProjectsOptions options, const knowledge::Knowledge& knowledge)
    : options_(std::move(options)), knowledge_(knowledge) {
  if (!options_.instead_of_files) return;
  Settings own = *options_.instead_of_files;
  // What it extends counts from its own folder, its patterns from here, as on the command line.
  if (own.extend) {
    const std::string folder = parent_of_absolute(absolute_of(own.path));
    own.extend = absolute_path(*own.extend, folder);
  }
  if (own.baseline) {
    own.baseline = absolute_path(*own.baseline, parent_of_absolute(absolute_of(own.path)));
  }
  Result<Layers> layers = with_extended({std::move(own), options_.working_directory},
                                        [this](const std::string& path) { return shown_of(path); });
  if (!layers) {
    note_error(layers.error());
    return;
  }
  check_words(layers.value());
  instead_of_files_ = std::make_shared<const Layers>(std::move(layers).value());
}

const Projects::Folder& Projects::project_folder(const std::string& folder) {
  const std::string absolute = absolute_of(folder);
  Folder& found = folder_at(absolute);
  if (!found.project) make_project(absolute, found);
  return found;
}

const Project& Projects::of(const std::string& folder) { return *project_folder(folder).project; }

bool Projects::excludes(const std::string& path) {
  const Folder& folder = project_folder(parent_of(path));
  const bool by_option =
      std::ranges::any_of(options_.command_line.exclude,
                          [&](const std::string& pattern) { return glob_matches(pattern, path); });
  if (by_option) return true;
  if (folder.layers == nullptr || folder.project->settings.exclude.empty()) return false;
  return config::excludes(*folder.layers, absolute_of(path));
}

bool Projects::ignores(const diagnostics::Diagnostic& finding) {
  const Folder& folder = project_folder(parent_of(finding.file));
  if (folder.project->settings.per_file_ignores.empty()) return false;
  auto known = ignored_.find(finding.file);
  if (known == ignored_.end()) {
    const std::string absolute = absolute_of(finding.file);
    std::vector<std::string> rules =
        ignored_in({{options_.command_line, options_.working_directory}}, absolute);
    if (folder.layers != nullptr) {
      const std::vector<std::string> more = ignored_in(*folder.layers, absolute);
      rules.insert(rules.end(), more.begin(), more.end());
    }
    known = ignored_.emplace(finding.file, std::move(rules)).first;
  }
  return std::ranges::any_of(known->second, [&](const std::string& rule) {
    return diagnostics::selector_rank(rule, finding) > 0;
  });
}

diagnostics::Severity severity_in(const Settings& settings,
                                  const diagnostics::Diagnostic& finding) {
  diagnostics::Severity severity = finding.severity;
  int best = 1;  // later rows win among equals
  for (const RuleSeverity& each : settings.severity) {
    const int rank = diagnostics::selector_rank(each.rule, finding);
    if (rank < best) continue;
    best = rank;
    severity = each.severity;
  }
  return severity;
}

diagnostics::Severity Projects::severity_of(const diagnostics::Diagnostic& finding) {
  return severity_in(of(parent_of(finding.file)).settings, finding);
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
  folder.layers = parent != nullptr ? parent->layers : instead_of_files_;
  // What lies above the repository, or without one above the working directory, is not this
  // project.
  const bool is_top = names.git || (absolute == options_.working_directory && !in_upper_repository);
  const bool goes_on = parent != nullptr && !is_top;
  if (goes_on) folder.root = parent->root;
  const bool has_top = folder.in_repository || lies_in(absolute, options_.working_directory);
  folder.top = goes_on && has_top ? parent->top : absolute;
  if (names.begins_project) folder.root = shown_of(absolute);
  Result<std::string> pyproject = std::string();
  if (names.pyproject) {
    const std::string file = joined(absolute, "pyproject.toml");
    pyproject = text::read_file(file, max_file_bytes);
    read_own_settings(file, pyproject, folder);
  }
  if (names.own_settings) {
    const std::string file = joined(absolute, settings_file);
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
  Result<Layers> layers = with_extended({std::move(*settings.value()), parent_of_absolute(file)},
                                        [this](const std::string& path) { return shown_of(path); });
  if (!layers) return note_error(layers.error());
  check_words(layers.value());
  folder.layers = std::make_shared<const Layers>(std::move(layers).value());
}

Inferred Projects::infer(const std::string& absolute, std::vector<std::string> names,
                         const std::string& top, const Result<std::string>& pyproject) const {
  Surroundings surroundings;
  surroundings.read = [&](const std::string& path,
                          uint64_t max_bytes) -> std::optional<std::string> {
    if (path == joined(absolute, "pyproject.toml")) {
      const bool is_usable = pyproject && pyproject.value().size() <= max_bytes;
      return is_usable ? std::optional(pyproject.value()) : std::nullopt;
    }
    Result<std::string> bytes = text::read_file(path, max_bytes);
    return bytes ? std::optional(std::move(bytes).value()) : std::nullopt;
  };
  surroundings.may_include = [&](const std::string& path) {
    if (!lies_in(path, top)) return false;
    std::error_code failed;
    const std::string real = fs::canonical(path, failed).generic_string();
    return !failed && lies_in(real, fs::canonical(top, failed).generic_string());
  };
  surroundings.shown = [this](const std::string& path) { return shown_of(path); };
  return infer_from_folder(absolute, std::move(names), surroundings, knowledge_);
}

void Projects::make_project(const std::string& absolute, Folder& folder) {
  Project& project = folder.project.emplace();
  Settings settings = folder.layers != nullptr ? merged(*folder.layers) : Settings();
  const std::vector<std::string> own_exclude = settings.exclude;
  Result<ResolvedTarget> target =
      resolve_target(options_.command_line, settings, folder.inferred, knowledge_);
  project.settings = layered(std::move(settings), options_.command_line);
  project.settings.exclude = own_exclude;  // those of the command line count from another folder
  const bool is_here = lies_in(absolute, options_.working_directory);
  project.root = folder.root.value_or(is_here ? "." : shown_of(absolute));
  project.level = project.settings.level.value_or(project.level);

  if (!target) note_error(target_mistake(target.error(), project.settings));
  project.target = knowledge::default_target(knowledge_);
  if (target) {
    project.target = std::move(target.value().target);
    project.origins = std::move(target.value().origins);
  }
  std::vector<std::string> select = project.settings.select.value_or(std::vector<std::string>());
  if (select.empty()) select.emplace_back(diagnostics::default_rules);
  const std::vector<std::string>& more = project.settings.extend_select;
  select.insert(select.end(), more.begin(), more.end());
  Result<diagnostics::Selection> selection =
      diagnostics::Selection::make(select, project.settings.ignore, knowledge_);
  if (!selection) return note_error(selection.error());
  project.selection = std::move(selection).value();
}

std::string Projects::absolute_of(const std::string& shown) const {
  return absolute_path(shown, options_.working_directory);
}

std::string Projects::shown_of(const std::string& absolute) const {
  return shown_path(absolute, options_.working_directory);
}

void Projects::check_words(const Layers& layers) {
  for (const Layer& layer : layers) {
    if (const std::optional<Error> error = check_rule_words(layer.settings, knowledge_)) {
      note_error(*error);
    }
  }
}

void Projects::note_error(const Error& error) {
  if (!error_) error_ = error;
}

}  // namespace vramlint::config
