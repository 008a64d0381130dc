// SPDX-License-Identifier: MIT
#include "frontends/closure.h"

#include <algorithm>
#include <array>

#include "support/paths.h"

namespace vramlint::frontends {
namespace {

bool contains(const std::vector<uint32_t>& list, uint32_t wanted) {
  return std::find(list.begin(), list.end(), wanted) != list.end();
}

/// Words that stand in the magics of a notebook run with its cells.
Mentions mentions_of(const text::Source& source, std::span<const uint32_t> words,
                     bool in_texts = true) {
  const std::string_view program = source.program();
  const std::string_view bytes = source.bytes();
  Mentions found = mentions_in(program, words, in_texts);
  if (program.data() == bytes.data()) return found;
  found.at_import.has_word |= std::any_of(words.begin(), words.end(), [&](uint32_t end) {
    return end > 0 && program[end - 1] != bytes[end - 1];
  });
  return found;
}

}  // namespace

/// Each package on the way and the module itself, as far as they are files of the project.
void Closure::add_modules(const std::string& base, std::string_view dotted, std::string_view name,
                          std::vector<std::string>& into) {
  std::string folder = base;
  size_t begin = 0;
  while (begin < dotted.size()) {
    const size_t end = std::min(dotted.find('.', begin), dotted.size());
    const ModuleFile* module = project_.module_in(folder, dotted.substr(begin, end - begin));
    if (module == nullptr) return;
    if (!module->is_namespace) into.push_back(module->path);
    folder = joined(folder, dotted.substr(begin, end - begin));
    begin = end + 1;
  }
  if (name.empty()) return;
  const ModuleFile* module = project_.module_in(folder, name);
  if (module != nullptr && !module->is_namespace) into.push_back(module->path);
}

bool Closure::add_import(const std::string& path, const std::string& root,
                         const FileScan::Import& named, std::vector<std::string>& into) {
  const size_t before = into.size();
  if (named.level > 0) {
    std::string folder = parent_of(path);
    for (uint32_t i = 1; i < named.level; ++i) folder = parent_of(folder);
    const ModuleFile* package =
        project_.module_in(parent_of(folder), folder.substr(folder.rfind('/') + 1));
    if (package != nullptr && !package->is_namespace) into.push_back(package->path);
    add_modules(folder, named.module, named.name, into);
    return true;
  }
  const Project::Home& home = project_.home_of(path);
  for (const std::string& base :
       {parent_of(path), home.root, root, joined(root, "src"), joined(root, "python")}) {
    add_modules(base, named.module, named.name, into);
  }
  return into.size() > before;
}

uint32_t Closure::file_at(const std::string& path, const std::string& root) {
  const auto [found, fresh] =
      by_path_.try_emplace(root + '\n' + path, static_cast<uint32_t>(known_.size()));
  if (fresh) known_.emplace_back().path = path;
  return found->second;
}

void Closure::scan(const std::string& path) {
  const Result<std::shared_ptr<const text::Source>> source = files_.open(path);
  if (!source || !text::holds_python(source.value()->language())) return;
  FileScan made = scan_file(path, *source.value(), words_, needs_);
  const std::lock_guard<std::mutex> guard(scans_lock_);
  scans_.try_emplace(path, std::move(made));
}

/// What was seen of the file before, or is seen now; nothing if it is no Python.
std::optional<FileScan> Closure::scanned(const std::string& path) {
  {
    const std::lock_guard<std::mutex> guard(scans_lock_);
    if (auto known = scans_.extract(path)) return std::move(known.mapped());
  }
  const Result<std::shared_ptr<const text::Source>> source = files_.open(path);
  if (!source || !text::holds_python(source.value()->language())) return std::nullopt;
  return scan_file(path, *source.value(), words_, needs_);
}

void Closure::read(uint32_t id, const std::string& root) {
  const std::string path = known_[id].path;
  std::optional<FileScan> scan = scanned(path);
  if (!scan) return;
  std::vector<std::string> paths;
  std::vector<uint32_t> foreign;
  std::vector<uint32_t> local;
  for (const FileScan::Import& named : scan->imports) {
    const bool inside = add_import(path, root, named, paths);
    if (named.bound != 0) (inside ? local : foreign).push_back(named.bound);
  }
  std::erase_if(foreign, [&](uint32_t name) { return contains(local, name); });
  std::sort(foreign.begin(), foreign.end());
  foreign.erase(std::unique(foreign.begin(), foreign.end()), foreign.end());
  std::vector<uint32_t> imports;
  for (const std::string& imported : paths) imports.push_back(file_at(imported, root));
  std::sort(imports.begin(), imports.end());
  imports.erase(std::unique(imports.begin(), imports.end()), imports.end());
  File& file = known_[id];
  file.has_word = !scan->words.empty();
  file.own = scan->own;
  file.computes = scan->computes_imports;
  file.words = std::move(scan->words);
  file.imports = std::move(imports);
  file.foreign = std::move(foreign);
}

/// Tarjan's algorithm, without recursion: a part is settled when all that it imports is.
void Closure::settle(uint32_t entry, const std::string& root) {
  if (known_[entry].part != none) return;
  struct Step {
    uint32_t file;
    size_t next = 0;
  };
  struct Order {
    uint32_t index = 0;
    uint32_t low = 0;
    bool open = false;
  };
  std::unordered_map<uint32_t, Order> order;
  std::vector<Step> path;
  std::vector<uint32_t> open;
  const auto enter = [&](uint32_t file) {
    read(file, root);
    const auto index = static_cast<uint32_t>(order.size());
    order[file] = {index, index, true};
    open.push_back(file);
    path.push_back({file});
  };
  enter(entry);
  while (!path.empty()) {
    const uint32_t file = path.back().file;
    if (path.back().next < known_[file].imports.size()) {
      const uint32_t next = known_[file].imports[path.back().next++];
      if (known_[next].part != none) continue;
      const auto seen = order.find(next);
      if (seen == order.end()) {
        enter(next);
      } else if (seen->second.open) {
        order[file].low = std::min(order[file].low, seen->second.index);
      }
      continue;
    }
    path.pop_back();
    const Order own = order[file];
    if (!path.empty()) {
      Order& outer = order[path.back().file];
      outer.low = std::min(outer.low, own.low);
    }
    if (own.low != own.index) continue;
    std::vector<uint32_t> members;
    do {
      members.push_back(open.back());
      order[open.back()].open = false;
      open.pop_back();
    } while (members.back() != file);
    settle_part(members);
  }
}

struct Closure::Member {
  File& file;
  Mentions mentions;
  std::vector<uint8_t> tells = {};  ///< by definition
  std::vector<uint8_t> hooks = {};
};

void Closure::settle_part(const std::vector<uint32_t>& members) {
  const auto id = static_cast<uint32_t>(parts_.size());
  Part part;
  ++round_;
  bool has_word = false;
  for (const uint32_t member : members) {
    known_[member].part = id;
    known_[member].marked = round_;
    has_word |= known_[member].has_word;
  }
  for (const uint32_t member : members) {
    for (const uint32_t imported : known_[member].imports) {
      if (known_[imported].part == id) continue;
      const Part& other = parts_[known_[imported].part];
      part.acts |= other.acts;
      for (const uint32_t file : other.telling) {
        if (known_[file].marked == round_) continue;
        known_[file].marked = round_;
        part.telling.push_back(file);
      }
    }
  }
  if (has_word || !part.telling.empty()) collect(members, part);
  parts_.push_back(std::move(part));
}

/// Whether the definition mentions one of this kind that can be seen from the part at hand.
bool Closure::mentions(const Mentions::Definition& definition,
                       std::vector<uint32_t> Name::*kind) const {
  return std::any_of(
      definition.mentioned.begin(), definition.mentioned.end(), [&](uint32_t number) {
        if (!may_be_name_[number % may_be_name_.size()]) return false;
        const auto found = names_.find(number);
        if (found == names_.end()) return false;
        const std::vector<uint32_t>& files = found->second.*kind;
        return std::any_of(files.begin(), files.end(),
                           [&](uint32_t file) { return known_[file].marked == round_; });
      });
}

/// One more round over the definitions of a file; whether it found one that tells.
bool Closure::spread(Member& member) {
  bool changed = false;
  const auto file = static_cast<uint32_t>(&member.file - known_.data());
  const auto note = [&](uint32_t name, std::vector<uint32_t> Name::*kind) {
    may_be_name_.set(name % may_be_name_.size());
    (names_[name].*kind).push_back(file);
    changed = true;
  };
  for (size_t i = 0; i < member.mentions.definitions.size(); ++i) {
    const Mentions::Definition& definition = member.mentions.definitions[i];
    if (!member.tells[i] && (definition.has_word || mentions(definition, &Name::telling))) {
      member.tells[i] = 1;
      note(definition.name, &Name::telling);
    }
    const bool may_hook = definition.hooks || definition.is_class;
    if (may_hook && !member.hooks[i] &&
        (definition.hooks || mentions(definition, &Name::hooking))) {
      member.hooks[i] = 1;
      note(definition.name, &Name::hooking);
    }
  }
  return changed;
}

/// Whether the decorator may call what it is given, which a decorator from outside is not known to
/// do.
bool Closure::may_call(const Member& member, uint32_t decorator) const {
  static const std::array<uint32_t, 3> harmless = {
      name_number("property"), name_number("staticmethod"), name_number("classmethod")};
  if (std::find(harmless.begin(), harmless.end(), decorator) != harmless.end()) return false;
  if (decorator == name_number("atexit")) return true;
  const bool is_own = std::any_of(
      member.mentions.definitions.begin(), member.mentions.definitions.end(),
      [&](const Mentions::Definition& definition) { return definition.name == decorator; });
  return is_own ||
         !std::binary_search(member.file.foreign.begin(), member.file.foreign.end(), decorator);
}

/// Whether something that tells is mentioned when the file is imported.
bool Closure::acts(const Member& member) const {
  const Mentions& mentioned = member.mentions;
  if (mentioned.at_import.has_word || mentions(mentioned.at_import, &Name::telling)) return true;
  for (size_t i = 0; i < mentioned.definitions.size(); ++i) {
    if (!member.tells[i]) continue;
    const Mentions::Definition& definition = mentioned.definitions[i];
    const bool decorated =
        std::any_of(definition.decorators.begin(), definition.decorators.end(),
                    [&](uint32_t decorator) { return may_call(member, decorator); });
    if (definition.is_asked || member.hooks[i] || decorated) return true;
  }
  return false;
}

void Closure::collect(const std::vector<uint32_t>& files, Part& part) {
  std::vector<Member> members;
  for (const uint32_t id : files) {
    const Result<std::shared_ptr<const text::Source>> source = files_.open(known_[id].path);
    if (!source) continue;
    Member& member =
        members.emplace_back(Member{known_[id], mentions_of(*source.value(), known_[id].words)});
    member.tells.assign(member.mentions.definitions.size(), 0);
    member.hooks.assign(member.mentions.definitions.size(), 0);
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (Member& member : members) changed |= spread(member);
  }
  for (Member& member : members) {
    const Mentions::Definition& program = member.mentions.as_program;
    member.file.uses = std::count(member.tells.begin(), member.tells.end(), 1) > 0;
    member.file.acts_as_program = program.has_word || mentions(program, &Name::telling);
    const bool hooks = std::count(member.hooks.begin(), member.hooks.end(), 1) > 0;
    if (member.file.uses || hooks)
      part.telling.push_back(static_cast<uint32_t>(&member.file - known_.data()));
    // What stands in comments and descriptions does not count.
    const auto has_word = [](const Mentions::Definition& definition) {
      return definition.has_word;
    };
    member.file.has_word = program.has_word || member.mentions.at_import.has_word ||
                           std::any_of(member.mentions.definitions.begin(),
                                       member.mentions.definitions.end(), has_word);
    member.file.acts = acts(member);
    part.acts |= member.file.acts;
  }
}

namespace {

/// Adds the names of what mentions one that tells, until nothing is added.
void spread_names(const std::vector<Mentions::Definition>& definitions, std::vector<uint8_t>& tells,
                  std::vector<uint32_t>& telling) {
  std::sort(telling.begin(), telling.end());
  const auto is_told = [&](uint32_t name) {
    return std::binary_search(telling.begin(), telling.end(), name);
  };
  for (bool changed = true; changed;) {
    std::vector<uint32_t> more;
    for (size_t i = 0; i < definitions.size(); ++i) {
      if (tells[i] || !std::ranges::any_of(definitions[i].mentioned, is_told)) continue;
      tells[i] = 1;
      more.push_back(definitions[i].name);
    }
    changed = !more.empty();
    telling.insert(telling.end(), more.begin(), more.end());
    std::sort(telling.begin(), telling.end());
  }
}

}  // namespace

/// The definitions of the entry that tell; whether something in it does so by a word of its own.
bool Closure::tell(uint32_t entry, Answer& answer) {
  const Result<std::shared_ptr<const text::Source>> source = files_.open(known_[entry].path);
  if (!source) return false;
  const std::string_view bytes = source.value()->bytes();
  prefilter::Marks listed = known_[entry].own;
  listed |= needs_.anywhere;
  std::vector<prefilter::Occurrence> occurrences;
  words_.find_all(bytes, listed, occurrences, listed & words_.stem_marks());
  std::vector<uint32_t> ends;
  for (const prefilter::Occurrence& occurrence : occurrences) ends.push_back(occurrence.end);
  const Mentions mentioned = mentions_of(*source.value(), ends, false);

  ++round_;
  const Part& part = parts_[known_[entry].part];
  for (const uint32_t file : part.telling) known_[file].marked = round_;
  const auto begin = [&](const std::vector<Mentions::Definition>& definitions,
                         std::vector<uint32_t>& names) {
    std::vector<uint8_t> tells(definitions.size(), 0);
    for (size_t i = 0; i < definitions.size(); ++i) {
      tells[i] = definitions[i].has_word || mentions(definitions[i], &Name::telling);
      if (tells[i]) names.push_back(definitions[i].name);
    }
    return tells;
  };
  std::vector<uint8_t> tells = begin(mentioned.definitions, answer.telling);
  spread_names(mentioned.definitions, tells, answer.telling);
  // A method tells by those of the file too, whatever they are called on.
  tells = begin(mentioned.methods, answer.telling_methods);
  std::vector<uint32_t>& names = answer.telling_methods;
  names.insert(names.end(), answer.telling.begin(), answer.telling.end());
  spread_names(mentioned.methods, tells, names);
  return mentioned.at_import.has_word || mentioned.as_program.has_word ||
         std::ranges::any_of(mentioned.definitions, &Mentions::Definition::has_word);
}

Closure::Answer Closure::ask(const std::string& entry, const std::string& root) {
  const uint32_t id = file_at(entry, root);
  settle(id, root);
  bool acts = parts_[known_[id].part].acts;
  // The packages that a module stands in are imported before it.
  std::string folder = parent_of(entry);
  while (!acts && files_.is_file(joined(folder, "__init__.py"))) {
    const uint32_t package = file_at(joined(folder, "__init__.py"), root);
    settle(package, root);
    acts = parts_[known_[package].part].acts;
    if (folder == "." || folder == "/") break;
    folder = parent_of(folder);
  }
  const File& file = known_[id];
  Answer answer;
  bool has_own = file.own.any();
  if (has_own || file.has_word) has_own = tell(id, answer) && has_own;
  // Asked of the entry alone: somewhere below it, almost every program can import anything.
  const bool does_more = file.acts || file.acts_as_program || file.computes;
  answer.only_imports = !does_more;
  acts |= does_more;
  if (file.has_word) {
    answer.reach = Reach::entry;
  } else if (has_own) {
    answer.reach = acts || file.uses ? Reach::entry : Reach::alone;
  } else if (acts) {
    answer.reach = Reach::imported;
  }
  return answer;
}

}  // namespace vramlint::frontends
