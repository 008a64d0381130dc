// SPDX-License-Identifier: MIT
#include "frontends/project.h"

#include <algorithm>
#include <functional>

#include "frontends/python.h"
#include "prefilter/imports.h"
#include "support/paths.h"

namespace vramlint::frontends {
namespace {

constexpr std::string_view hook = "__init_subclass__";

/// Far faster than `find` for a text that begins with what is frequent.
bool holds(std::string_view bytes, std::string_view text) {
  const std::boyer_moore_horspool_searcher searcher(text.begin(), text.end());
  return std::search(bytes.begin(), bytes.end(), searcher) != bytes.end();
}

}  // namespace

bool is_test_file(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.starts_with("test_") || name.ends_with("_test.py") || name == "conftest.py") return true;
  for (const std::string_view folder : {"tests/", "test/", "testing/"}) {
    if (path.starts_with(folder) || path.find("/" + std::string(folder)) != std::string_view::npos)
      return true;
  }
  return false;
}

Project::~Project() {
  if (kept_ == nullptr) return;
  for (const auto& [path, loaded] : programs_) {
    if (loaded) kept_->keep(loaded->program);
  }
}

LoadedProgram* Project::load(const std::string& path) {
  const auto [found, fresh] = programs_.try_emplace(path);
  if (!fresh) return found->second.get();
  Result<std::shared_ptr<const text::Source>> source = files_.open(path);
  if (!source || !text::holds_python(source.value()->language())) return nullptr;
  return add(path, std::move(source).value());
}

std::shared_ptr<const text::Source> Project::open(const std::string& path) {
  if (!files_.is_file(path)) return nullptr;
  const auto opened = files_.open(path);
  return opened ? opened.value() : nullptr;
}

LoadedProgram* Project::add(const std::string& path, std::shared_ptr<const text::Source> source) {
  auto loaded = std::make_unique<LoadedProgram>();
  loaded->path = path;
  loaded->kept = kept_;
  loaded->program = outline_python(std::move(source), names_);
  const std::string_view bytes = loaded->program.source->bytes();
  loaded->names_main = holds(bytes, "__main__");
  if (holds(bytes, hook)) {
    for (const model::Block& block : loaded->program.blocks) {
      if (block.kind == model::BlockKind::class_ &&
          holds(loaded->program.source->slice(block.span), hook))
        loaded->hooking.push_back(block.name);
    }
  }
  return (programs_[path] = std::move(loaded)).get();
}

const ModuleFile* Project::module_in(const std::string& folder, std::string_view name) {
  const std::string base = joined(folder, name);
  const auto [found, fresh] = modules_.try_emplace(base);
  if (!fresh) return found->second.get();
  std::unique_ptr<ModuleFile>& module = found->second;
  // Most names are those of installed packages: two questions are enough for them.
  const bool is_folder = files_.is_folder(base);
  if (is_folder && files_.is_file(base + "/__init__.py")) {
    module = std::make_unique<ModuleFile>(ModuleFile{base + "/__init__.py", false});
  } else if (files_.is_file(base + ".py")) {
    module = std::make_unique<ModuleFile>(ModuleFile{base + ".py", false});
  } else if (is_folder) {
    module = std::make_unique<ModuleFile>(ModuleFile{base, true});
  }
  return module.get();
}

bool Project::may_be_imported(const std::string& path) {
  const std::string_view name = base_name(path);
  const std::string_view module = name.substr(0, name.rfind('.'));
  const std::string folder = parent_of(path);
  const auto imports = [&](const std::string& other) {
    const std::shared_ptr<const text::Source> source = other == path ? nullptr : open(other);
    if (source == nullptr || !text::holds_python(source->language())) return false;
    return std::ranges::any_of(
        prefilter::named_imports(source->bytes()), [&](const prefilter::NamedImport& named) {
          const std::string_view last = named.module.substr(named.module.rfind('.') + 1);
          return last == module || named.name == module;
        });
  };
  for (const std::string& place : {folder, home_of(path).root}) {
    for (const std::string& other : files_.names_in(place)) {
      const bool is_program = other.ends_with(".py") || other.ends_with(".ipynb");
      if (is_program && imports(joined(place, other))) return true;
    }
  }
  return false;
}

const Project::Home& Project::home_of(const std::string& path) {
  const std::string folder = parent_of(path);
  const auto found = homes_.find(folder);
  return found != homes_.end() ? found->second
                               : homes_.emplace(folder, find_home(folder)).first->second;
}

Project::Home Project::find_home(const std::string& folder) {
  Home home{folder, ""};
  while (files_.is_file(joined(home.root, "__init__.py"))) {
    const size_t slash = home.root.rfind('/');
    const std::string name = slash == std::string::npos ? home.root : home.root.substr(slash + 1);
    if (name.empty() || name == "." || name == "..") break;
    home.package = home.package.empty() ? name : name + "." + home.package;
    home.root = parent_of(home.root);
  }
  return home;
}

}  // namespace vramlint::frontends
