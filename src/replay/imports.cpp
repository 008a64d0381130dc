// SPDX-License-Identifier: MIT
//
// Modules of the project run when they are first imported, as Python runs them; what other packages
// do at import is a row of `rules/knowledge/packages.toml`.
#include <algorithm>

#include "frontends/python.h"
#include "prefilter/imports.h"
#include "replay/interpreter.h"
#include "support/paths.h"
#include "text/name_bytes.h"

namespace vramlint::replay {

using model::Code;

void Interpreter::execute_import(const Code& code, const model::Import& statement,
                                 text::Span span) {
  for (uint32_t i = statement.names.begin; i < statement.names.end && !stopped(); ++i) {
    const model::ImportedName imported = code.imported_names[i];
    const std::string_view dotted = text_of(imported.name);
    const Value module = import_module(dotted, place_of(span));
    if (stopped()) return;
    if (imported.alias != 0) {
      bind(imported.alias, module);
      continue;
    }
    const std::string_view top = dotted.substr(0, dotted.find('.'));
    bind(intern(top), top == dotted ? module : top_level_value(top));
  }
}

void Interpreter::execute_from_import(const Code& code, const model::FromImport& statement,
                                      text::Span span) {
  const Place place = place_of(span);
  const Value module = statement.level > 0
                           ? import_relative(statement.level, text_of(statement.module), place)
                           : import_module(text_of(statement.module), place);
  if (stopped()) return;
  if (statement.star) return import_star(module);
  for (uint32_t i = statement.names.begin; i < statement.names.end && !stopped(); ++i) {
    const model::ImportedName imported = code.imported_names[i];
    const model::NameId bound_name = imported.alias != 0 ? imported.alias : imported.name;
    if (module.is(Kind::external)) {
      // `from torch import nn` imports a module when `nn` is one.
      import_external(text_of(names_.dotted(module.id, imported.name)), place);
      if (stopped()) return;
    }
    const Value value = attribute(module, imported.name, place);
    if (!stopped()) bind(bound_name, value);
  }
}

void Interpreter::import_star(Value module) {
  if (!module.is(Kind::module)) {
    if (module.is(Kind::external)) objects_[frame().scope].values.push_back(module);
    return;
  }
  const std::vector<uint32_t> names = object_of(module).slot_names;
  for (const uint32_t name : names) {
    const Value value = get(module.id, name);
    if (value.is(Kind::absent) || text_of(name).starts_with('_')) continue;
    bind(name, value);
  }
}

const frontends::ModuleFile* Interpreter::find_top_level(std::string_view name) {
  if (name == "os" || name == "sys") return nullptr;  // there before the program begins
  const frontends::ModuleFile* folder = nullptr;
  for (const std::string& root : search_roots_) {
    const frontends::ModuleFile* found = project_.module_in(root, name);
    if (found == nullptr) continue;
    if (!found->is_namespace) return found;
    if (folder == nullptr) folder = found;
  }
  // A folder without `__init__.py` gives way to any installed package of that name.
  return folder != nullptr && knowledge_.package(name) == nullptr ? folder : nullptr;
}

Value Interpreter::top_level_value(std::string_view name) {
  const frontends::ModuleFile* file = find_top_level(name);
  const Value module = file == nullptr ? Value() : get(moments_.modules, intern(file->path));
  return module.is(Kind::absent) ? Value::external(intern(name)) : module;
}

Value Interpreter::import_module(std::string_view dotted, Place place) {
  const std::string_view top = dotted.substr(0, dotted.find('.'));
  const frontends::ModuleFile* file = find_top_level(top);
  if (file == nullptr) {
    import_external(dotted, place);
    return Value::external(intern(dotted));
  }
  Value module = import_local(*file, top, place);
  size_t end = top.size();
  while (end < dotted.size() && !stopped()) {
    const size_t next = std::min(dotted.find('.', end + 1), dotted.size());
    module = submodule(module, intern(dotted.substr(end + 1, next - end - 1)), place);
    end = next;
  }
  return module;
}

Value Interpreter::import_local(const frontends::ModuleFile& file, std::string_view dotted,
                                Place place) {
  const Nested nested(*this);
  const model::NameId path = intern(file.path);
  const Value imported = get(moments_.modules, path);
  if (!imported.is(Kind::absent)) note_circle(path);
  if (!imported.is(Kind::absent) || !nested.bounded()) return imported;
  const bool known = shared_.contains(path);
  if (const SharedModule* shared = shared_module(file, path, dotted)) {
    const Value module = shared->module;
    set(moments_.modules, path, module);
    // A part of the import that is being shared has just done its effects itself.
    if (known || sharing_.empty()) do_effects(*shared, place);
    return module;
  }
  // What a module imports that can't be shared is most often part of why it can't.
  const int apart = not_shared_.contains(path) ? 1 : 0;
  unshared_ += apart;
  const Value module = load_module(file, path, dotted, place);
  unshared_ -= apart;
  return module;
}

Value Interpreter::load_module(const frontends::ModuleFile& file, model::NameId path,
                               std::string_view dotted, Place place) {
  const ObjectId scope = new_object({});
  objects_[scope].home = scope;
  objects_[scope].name = intern(dotted);
  const Value module = Value::object(Kind::module, scope);
  set(moments_.modules, path, module);
  objects_[scope].path = file.path;
  if (file.is_namespace) return module;
  frontends::LoadedProgram* program = project_.load(file.path);
  if (program == nullptr) return module;
  objects_[scope].path = parent_of(file.path);
  objects_[scope].is_package = file.path.ends_with("/__init__.py") || file.path == "__init__.py";
  set(scope, intern("__name__"), Value::string(intern(dotted)));
  run_module(*program, scope, place);
  return module;
}

void Interpreter::run_module(frontends::LoadedProgram& file, ObjectId scope, Place place) {
  if (frames_.size() > 64) return;
  objects_[scope].file = &file;
  objects_[scope].file_index = file_index_of(file);
  Frame body;
  body.scope = scope;
  body.file = &file;
  body.file_index = objects_[scope].file_index;
  body.call_site = place;
  body.token = next_token_++;
  frames_.push_back(body);
  run_blocks(file);
  frames_.pop_back();
}

void Interpreter::run_blocks(frontends::LoadedProgram& file) {
  const size_t end = blocks_that_matter(file);
  for (uint32_t i = 0; i < end && !stopped(); ++i) run_block(file, i);
}

/// Those of the entry that come after its last import may not.
size_t Interpreter::blocks_that_matter(const frontends::LoadedProgram& file) const {
  const std::vector<model::Block>& blocks = file.program.blocks;
  if (!only_imports_ || file.path != entry_) return blocks.size();
  size_t end = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const std::string_view bytes = file.program.source->slice(blocks[i].span);
    if (blocks[i].kind != model::BlockKind::import && prefilter::named_imports(bytes).empty())
      continue;
    if (blocks[i].kind == model::BlockKind::function || blocks[i].kind == model::BlockKind::class_)
      return blocks.size();
    end = i + 1;
  }
  return end;
}

namespace {

/// `name = …`, `name: type`, or one word such as `pass` or the bracket that closes a value.
bool gives_name(std::string_view statement) {
  size_t end = 0;
  while (end < statement.size() && text::is_name_byte(statement[end])) ++end;
  const size_t next = statement.find_first_not_of(" \t\r", end);
  if (next == std::string_view::npos) return true;
  if (end == 0)
    return statement.front() == ')' || statement.front() == ']' || statement.front() == '}' ||
           statement.front() == '@' || statement.starts_with("...");
  if (statement[next] != ':') return statement[next] == '=' || statement[next] == '#';
  const size_t type = statement.find_first_not_of(" \t\r", next + 1);
  return type != std::string_view::npos && statement[type] != '#';  // unlike `try:`
}

/// Parameters without defaults that call something: defining the function does nothing.
bool seems_effectless(std::string_view definition) {
  const size_t open = definition.find('(');
  if (open == std::string_view::npos) return false;
  int depth = 0;
  for (size_t i = open; i < definition.size(); ++i) {
    const char byte = definition[i];
    if (byte == '(' && ++depth > 1) return false;
    if (byte == ')' && --depth == 0) return true;
    if (byte == '#' || byte == '"' || byte == '\'') {
      // Texts and comments may hold brackets; such headers are rare enough to be parsed.
      return definition.substr(open, definition.find(':', i) - open).find('(', 1) ==
             std::string_view::npos;
    }
  }
  return false;
}

/// Whether a statement directly in the body of the class does more than to give a name a value that
/// is written there, or the bases call something.
bool class_body_may_act(std::string_view block) {
  size_t begin = block.find('\n');
  const std::string_view head = block.substr(0, std::min(begin, block.size()));
  const auto brackets = std::count(head.begin(), head.end(), '(');
  if (brackets > 1 || head.find(':') == std::string_view::npos) return true;
  size_t indent = 0;
  std::string_view text_end;  // of a text over several lines
  while (begin != std::string_view::npos && begin + 1 < block.size()) {
    const size_t start = begin + 1;
    begin = block.find('\n', start);
    const std::string_view line =
        block.substr(start, begin == std::string_view::npos ? begin : begin - start);
    if (!text_end.empty()) {
      if (line.find(text_end) != std::string_view::npos) text_end = {};
      continue;
    }
    const size_t width = line.find_first_not_of(" \t");
    if (width == std::string_view::npos || line[width] == '\r' || line[width] == '#') continue;
    if (indent == 0) indent = width;
    if (width != indent) continue;
    const std::string_view rest = line.substr(width);
    if (rest.starts_with("def ") || rest.starts_with("async def ")) continue;
    for (const std::string_view quotes : {"\"\"\"", "'''"}) {
      if (rest.starts_with(quotes) && rest.find(quotes, quotes.size()) == std::string_view::npos)
        text_end = quotes;
    }
    if (!text_end.empty() || rest.front() == '"' || rest.front() == '\'') continue;
    if (rest.find('(') != std::string_view::npos || !gives_name(rest)) return true;
  }
  return false;
}

/// Whether executing the block may do more than to bind a name.
bool may_act(const model::Block& block, std::string_view bytes) {
  if (block.decorated) return true;
  switch (block.kind) {
    case model::BlockKind::function: return !seems_effectless(bytes);
    case model::BlockKind::class_: return class_body_may_act(bytes);
    case model::BlockKind::statement:
    case model::BlockKind::import: break;
  }
  return true;
}

}  // namespace

/// A definition that plainly does nothing when it is executed is bound by its name and stays
/// unparsed until something uses it.
void Interpreter::run_block(frontends::LoadedProgram& file, uint32_t index) {
  model::Block& block = file.program.blocks[index];
  const std::string_view bytes = file.program.source->slice(block.span);
  if (block.effect == model::Effect::not_looked_at)
    block.effect = may_act(block, bytes) ? model::Effect::possible : model::Effect::none;
  const bool hooks =
      block.kind == model::BlockKind::class_ && derives_from_hooking(bytes, block.name);
  if (block.effect == model::Effect::possible || hooks) {
    const Code& code = frontends::code_of(file.program, index, names_, file.kept);
    frame().code = &code;
    return execute(code, code.statements);
  }
  Object made;
  made.file = &file;
  made.file_index = frame().file_index;
  made.node = index;
  made.scope = frame().scope;
  made.home = frame().scope;
  made.name = block.name;
  const Kind kind = block.kind == model::BlockKind::function ? Kind::function : Kind::class_;
  bind(block.name, Value::object(kind, new_object(std::move(made))));
}

Value Interpreter::submodule(Value module, model::NameId name, Place place) {
  if (!module.is(Kind::module)) return attribute(module, name, place);
  const Value found = get(module.id, name);
  if (!found.is(Kind::absent)) return found;
  const Object& object = object_of(module);
  const bool may_hold_modules = object.is_package || object.file == nullptr;
  if (may_hold_modules && !object.path.empty()) {
    const frontends::ModuleFile* file = project_.module_in(object.path, text_of(name));
    if (file != nullptr) {
      const std::string dotted =
          std::string(text_of(object.name)) + "." + std::string(text_of(name));
      const Value made = import_local(*file, dotted, place);
      set(module.id, name, made);
      return made;
    }
  }
  // A package may give its names when they are asked for.
  if (const Value giver = get(module.id, intern("__getattr__")); giver.is(Kind::function)) {
    Arguments arguments;
    arguments.positional.push_back(Value::string(name));
    return call_function(giver, arguments, place);
  }
  // `from package import *` of something external may have brought the name.
  const std::vector<Value>& starred = object_of(module).values;
  if (!starred.empty()) return Value::external(names_.dotted(starred.back().id, name));
  return Value::unknown();
}

Value Interpreter::import_relative(uint32_t level, std::string_view dotted, Place place) {
  const frontends::Project::Home& home = project_.home_of(frame().file->path);
  std::string package = home.package;
  for (uint32_t i = 1; i < level; ++i) {
    const size_t dot = package.rfind('.');
    package = dot == std::string::npos ? "" : package.substr(0, dot);
  }
  if (package.empty()) {
    // A file that is no part of a package, run by itself: the import fails. It is followed all the
    // same, from the file's own folder, since it may well be run otherwise.
    if (dotted.empty()) return Value::unknown();
    return import_module(dotted, place);
  }
  std::string full = package;
  if (!dotted.empty()) (full += '.') += dotted;
  const bool listed =
      std::find(search_roots_.begin(), search_roots_.end(), home.root) != search_roots_.end();
  if (!listed) search_roots_.push_back(home.root);
  return import_module(full, place);
}

void Interpreter::import_external(std::string_view dotted, Place place) {
  const knowledge::PackageRow* row = knowledge_.package(dotted);
  if (row == nullptr) {
    stash_raise("ModuleNotFoundError");  // it may not be installed
    return;
  }
  if (!row->torch.contains(options_.torch)) return;
  bring(row->brings, Certainty::yes, place);
  // What a package may do is worth a word to the one who imports it, not to those far behind.
  const bool in_sight = branches_ == 0 && sharing_.empty() && frame().file->path == entry_;
  if (in_sight) bring(row->may_bring, Certainty::perhaps, place);
  if (!row->imports_torch) return;
  const knowledge::Moment torch = knowledge::Moment::import_torch;
  bring({&torch, 1}, Certainty::yes, place);
}

/// Whether one of the bases is told of the class, which is then told of those made from it.
bool Interpreter::derives_from_hooking(std::string_view block, model::NameId name) {
  if (hooking_.empty()) return false;
  const std::string_view start = "class ";
  size_t at = block.starts_with(start) ? 0 : block.find("\nclass ");
  at = std::min(block.find('(', at), block.size());
  const std::string_view bases = block.substr(at, block.find(')', at) - at);
  for (size_t i = 0; i < bases.size();) {
    size_t end = i;
    while (end < bases.size() && text::is_name_byte(bases[end])) ++end;
    if (end > i && hooking_.contains(intern(bases.substr(i, end - i)))) {
      hooking_.insert(name);
      return true;
    }
    i = std::max(end, i + 1);
  }
  return false;
}

}  // namespace vramlint::replay
