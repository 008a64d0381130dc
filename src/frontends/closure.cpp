// SPDX-License-Identifier: MIT
#include "frontends/closure.h"

#include <algorithm>
#include <unordered_set>

#include "prefilter/imports.h"

namespace vramlint::frontends {

/// Each package on the way and the module itself, as far as they are files of the project.
void Closure::add_modules(const std::string& base, std::string_view dotted, std::string_view name,
                          File& file) {
  std::string folder = base;
  size_t begin = 0;
  while (begin < dotted.size()) {
    const size_t end = std::min(dotted.find('.', begin), dotted.size());
    const ModuleFile* module = project_.module_in(folder, dotted.substr(begin, end - begin));
    if (module == nullptr) return;
    if (!module->is_namespace) file.imports.push_back(module->path);
    folder = joined(folder, dotted.substr(begin, end - begin));
    begin = end + 1;
  }
  if (name.empty()) return;
  const ModuleFile* module = project_.module_in(folder, name);
  if (module != nullptr && !module->is_namespace) file.imports.push_back(module->path);
}

void Closure::add_import(const std::string& path, const std::string& root, uint32_t level,
                         std::string_view module, std::string_view name, File& file) {
  if (level > 0) {
    std::string folder = folder_of(path);
    for (uint32_t i = 1; i < level; ++i) folder = folder_of(folder);
    const ModuleFile* package =
        project_.module_in(folder_of(folder), folder.substr(folder.rfind('/') + 1));
    if (package != nullptr && !package->is_namespace) file.imports.push_back(package->path);
    return add_modules(folder, module, name, file);
  }
  const Project::Home home = project_.home_of(path);
  for (const std::string& base :
       {folder_of(path), home.root, root, joined(root, "src"), joined(root, "python")}) {
    add_modules(base, module, name, file);
  }
}

Closure::File& Closure::file_at(const std::string& path, const std::string& root) {
  const auto [found, fresh] = known_.try_emplace(path);
  File& file = found->second;
  if (!fresh) return file;
  const Result<std::shared_ptr<const text::Source>> source = files_.open(path);
  if (!source || source.value()->language() != text::Language::python) return file;
  const std::string_view bytes = source.value()->bytes();
  const prefilter::Found words = words_.find_in(bytes);
  file.has_word = words.anywhere;
  file.has_own = words.own;
  if (file.has_word) return file;  // what it imports makes no difference
  for (const prefilter::NamedImport& named : prefilter::named_imports(bytes)) {
    add_import(path, root, named.level, named.module, named.name, file);
  }
  std::sort(file.imports.begin(), file.imports.end());
  file.imports.erase(std::unique(file.imports.begin(), file.imports.end()), file.imports.end());
  return file;
}

Closure::Reach Closure::reach_of(const std::string& entry, const std::string& root) {
  if (const File& file = file_at(entry, root); file.has_word || file.has_own) return Reach::entry;
  // Asked of the entry alone: somewhere below it, almost every program can import anything.
  const Result<std::shared_ptr<const text::Source>> source = files_.open(entry);
  if (source && prefilter::imports_by_computed_name(source.value()->bytes()))
    return Reach::imported;
  // Depth first with the path in hand: when a word is found, all files on the path reach it; when
  // none is, no file that was seen does.
  struct Step {
    std::string path;
    size_t next = 0;
  };
  std::vector<Step> path = {{entry}};
  std::unordered_set<std::string> seen = {entry};
  // The packages that a module stands in are imported before it.
  std::string folder = folder_of(entry);
  while (files_.is_file(joined(folder, "__init__.py"))) {
    const std::string package = joined(folder, "__init__.py");
    if (seen.insert(package).second) path.push_back({package});
    if (folder == "." || folder == "/") break;
    folder = folder_of(folder);
  }
  while (!path.empty()) {
    File& file = file_at(path.back().path, root);
    if (file.has_word || file.known == Known::found) {
      for (const Step& step : path) file_at(step.path, root).known = Known::found;
      return Reach::imported;
    }
    if (file.known == Known::clean || path.back().next == file.imports.size()) {
      path.pop_back();
      continue;
    }
    const std::string& next = file.imports[path.back().next++];
    if (seen.insert(next).second) path.push_back({next});
  }
  for (const std::string& clean : seen) file_at(clean, root).known = Known::clean;
  return Reach::nothing;
}

}  // namespace vramlint::frontends
