// SPDX-License-Identifier: MIT
#include "replay/interpreter.h"

#include <algorithm>

#include "frontends/python.h"
#include "replay/keeping.h"
#include "replay/library.h"
#include "replay/uses.h"
#include "support/paths.h"

namespace vramlint::replay {
namespace {

/// Nested statements, expressions and calls; bounds the stack, whatever the program looks like.
constexpr int max_depth = 900;

}  // namespace

Interpreter::Interpreter(frontends::Project& project, const knowledge::Knowledge& knowledge,
                         ReplayOptions options)
    : project_(project),
      knowledge_(knowledge),
      options_(std::move(options)),
      names_(project.names()),
      used_words_(used_words(names_, options_.observed_calls)) {
  objects_.emplace_back();  // object 0 is none
  environment_ = new_object({});
  external_overlay_ = new_object({});
  process_state_ = new_object({});
  gradients_name_ = intern("gradients");
  moments_ = fresh_moments(0);
  shared_objects_ = static_cast<ObjectId>(objects_.size());
}

Moments Interpreter::fresh_moments(uint32_t process) {
  Moments made{};
  made.process = process;
  made.states = new_object({});
  made.modules = new_object({});
  made.in_force = new_object({});
  for (size_t i = 1; i < knowledge::moment_count; ++i) new_object({});
  Value started{Kind::moment};
  set(made.states, static_cast<uint32_t>(knowledge::Moment::process_start) + 1, started);
  return made;
}

Timeline Interpreter::run(const ReplayRequest& request) {
  frontends::LoadedProgram* entry = project_.load(request.entry);
  if (entry == nullptr) return {};
  entry_ = request.entry;
  only_imports_ = request.only_imports;
  search_roots_ = {parent_of(entry_)};
  for (const std::string& root : {project_.home_of(entry_).root, options_.root,
                                  joined(options_.root, "src"), joined(options_.root, "python")}) {
    if (std::find(search_roots_.begin(), search_roots_.end(), root) == search_roots_.end()) {
      search_roots_.push_back(root);
    }
  }
  timeline_.events.push_back({});  // event 0: the start of the process
  file_index_of(*entry);
  const Store::Mark mark = store_.mark();
  for (const StartingVariable& variable : request.environment) start_with(variable);
  run_all(*entry, request);
  report_kept();
  store_.undo_to(mark);
  timeline_.complete &= steps_ <= budget_;
  timeline_.files = files_;
  timeline_.entry = entry_file_;
  Timeline made = std::exchange(timeline_, {});
  start_over();
  force_for_later(*entry);
  return made;
}

/// As a script first; then, where that makes a difference, as another module would import it, and
/// what nobody called after that.
void Interpreter::run_all(frontends::LoadedProgram& entry, const ReplayRequest& request) {
  entry_file_ = file_index_of(entry);
  const bool is_script = entry.names_main && !frontends::is_notebook(entry);
  const Store::Mark mark = store_.mark();
  ObjectId scope = run_entry(entry, true);
  run_at_exit();
  run_tasks();
  timeline_.at_end = moment_states();
  if (!request.runs_uncalled) return;
  if (is_script && !has_uncalled(entry, scope, request)) return;
  // However much the program itself has used up.
  const auto begin_anew = [&] {
    timeline_.complete &= steps_ <= budget_;
    budget_ = steps_ + entry_budget;
  };
  if (is_script) {
    store_.undo_to(mark);
    memo_.clear();
    looked_.clear();
    moments_.process = next_process_++;
    begin_anew();
    scope = run_entry(entry, false);
  }
  // A function whose module was cut short lacks names that it uses.
  if (steps_ > budget_) return;
  begin_anew();
  replay_uncalled(entry, scope, request);
}

/// Forgets the entry; what it shares with others stays.
void Interpreter::start_over() {
  for (const uint64_t key : listed_by_entry_) {
    listed_.erase(key);
    const auto object = static_cast<ObjectId>(key >> 32);
    if (object < shared_objects_)
      std::erase(objects_[object].slot_names, static_cast<uint32_t>(key));
  }
  listed_by_entry_.clear();
  objects_.resize(shared_objects_);
  frames_.clear();
  regions_.clear();
  abrupt_ = {};
  called_.clear();
  memo_.clear();
  looked_.clear();
  std::erase_if(keys_, [&](const auto& key) {
    const bool has_object = key.second.is(Kind::function) || key.second.is(Kind::class_);
    return has_object && key.second.id >= shared_objects_;
  });
  at_exit_.clear();
  graphs_.clear();
  rounds_.clear();
  writes_.clear();
  kept_.clear();
  watched_ = {};
  round_ = 1;
  gradients_ = Gradients::inherited;
  forks_.clear();
  reported_forks_.clear();
  crossing_ = {};
  main_scope_ = child_scope_ = 0;
  workers_.clear();
  child_import_.reset();
  tasks_.clear();
  written_call_ = {};
  assigned_ = {};
  conditions_.clear();
  counted_rounds_ = 1;
  copies_async_ = false;
  named_devices_.clear();
  only_imports_ = false;
  budget_ = entry_budget;
  steps_ = 0;
  depth_ = 0;
  next_process_ = 1;
  moments_.process = 0;
}

ObjectId Interpreter::run_entry(frontends::LoadedProgram& entry, bool as_main) {
  const frontends::Project::Home& home = project_.home_of(entry.path);
  Frame start;
  start.file = &entry;
  start.file_index = file_index_of(entry);
  start.call_site = {start.file_index, {}};
  start.token = next_token_++;
  const ObjectId scope = new_object({});
  objects_[scope].home = scope;
  start.scope = scope;
  if (as_main) main_scope_ = scope;
  frames_.push_back(start);
  const Place place{start.file_index, {0, 0}};
  const bool is_package = entry.path.ends_with("/__init__.py");
  if (!home.package.empty() && !frontends::is_notebook(entry)) {
    // A module of a package: its packages are imported before it.
    const size_t dot = home.package.rfind('.');
    const bool outermost = dot == std::string::npos;
    if (!is_package) import_module(home.package, place);
    if (is_package && !outermost) import_module(home.package.substr(0, dot), place);
  }
  const std::string stem = module_name_of(entry.path, home);
  objects_[scope].name = intern(stem);
  if (is_package) {
    objects_[scope].is_package = true;
    objects_[scope].path = parent_of(entry.path);
  }
  const model::NameId name = intern(child_import_            ? "__mp_main__"
                                    : as_main && !is_package ? "__main__"
                                                             : std::string_view(stem));
  set(scope, intern("__name__"), Value::string(name));
  const model::NameId path = intern(entry.path);
  const Value imported = get(moments_.modules, path);
  set(moments_.modules, path, Value::object(Kind::module, scope));
  if (!stopped() && (imported.is(Kind::absent) || as_main)) run_module(entry, scope, place);
  frames_.pop_back();
  return scope;
}

std::string Interpreter::module_name_of(const std::string& path,
                                        const frontends::Project::Home& home) const {
  const size_t slash = path.rfind('/');
  std::string stem = slash == std::string::npos ? path : path.substr(slash + 1);
  if (const size_t dot = stem.rfind('.'); dot != std::string::npos) stem.resize(dot);
  if (stem == "__init__") return home.package;
  return home.package.empty() ? stem : home.package + "." + stem;
}

/// The functions and classes of the entry that are run when nobody calls them.
std::vector<Value> Interpreter::own_definitions(frontends::LoadedProgram& entry, ObjectId scope,
                                                const ReplayRequest& request) {
  std::vector<Value> own;
  for (const uint32_t name : objects_[scope].slot_names) {
    const Value value = get(scope, name);
    const bool is_own = (value.is(Kind::function) || value.is(Kind::class_)) &&
                        object_of(value).file == &entry && object_of(value).home == scope;
    if (is_own && request.runs_uncalled(text_of(name))) own.push_back(value);
  }
  return own;
}

/// Whether the program as it ran has left some of them uncalled.
bool Interpreter::has_uncalled(frontends::LoadedProgram& entry, ObjectId scope,
                               const ReplayRequest& request) {
  const auto is_uncalled = [&](Value function) {
    const Object& object = object_of(function);
    if (object.code == nullptr || object.node >= object.code->functions.size()) return true;
    return !called_.contains(&object.code->functions[object.node]);
  };
  const std::vector<Value> own = own_definitions(entry, scope, request);
  return std::any_of(own.begin(), own.end(), [&](Value value) {
    if (value.is(Kind::function)) return is_uncalled(value);
    const std::vector<uint32_t>& names = object_of(value).slot_names;
    return names.empty() || std::any_of(names.begin(), names.end(), [&](uint32_t name) {
             const Value method = get(value.id, name);
             return method.is(Kind::function) && request.runs_method(text_of(name)) &&
                    is_uncalled(method);
           });
  });
}

/// Functions and methods that nobody in sight called may be called by anyone: each is run once,
/// with unknown arguments, after the module's body.
void Interpreter::replay_uncalled(frontends::LoadedProgram& entry, ObjectId scope,
                                  const ReplayRequest& request) {
  abrupt_ = {};
  replaying_uncalled_ = true;
  Frame frame;
  frame.file = &entry;
  frame.file_index = file_index_of(entry);
  frame.call_site = {frame.file_index, {}};
  frame.scope = scope;
  frame.token = next_token_++;
  frames_.push_back(frame);
  for (const Value value : own_definitions(entry, scope, request)) {
    const Store::Mark mark = store_.mark();
    if (value.is(Kind::class_)) {
      replay_uncalled_class(value, request);
    } else {
      replay_uncalled_function(value, {});
    }
    abrupt_ = {};
    store_.undo_to(mark);
  }
  frames_.pop_back();
  replaying_uncalled_ = false;
}

void Interpreter::replay_uncalled_function(Value function, Value receiver) {
  const model::Code& code = *lowered(function);
  const Object object = object_of(function);
  if (object.node >= code.functions.size()) return;
  const model::Function& definition = code.functions[object.node];
  if (called_.contains(&definition)) return;
  Arguments arguments;
  arguments.open = true;
  if (!receiver.is(Kind::absent) && object.role != FunctionRole::static_method) {
    arguments.positional.push_back(receiver);
  }
  const Place site{object.file_index, definition.name_span};
  const std::function<void(Value)> drop = [](Value) {};
  called_.insert(&definition);
  moments_.process = next_process_++;  // a run of its own
  run_function(function, arguments, site, definition.is_generator ? &drop : nullptr);
}

void Interpreter::replay_uncalled_class(Value class_value, const ReplayRequest& request) {
  force_class(class_value);
  if (stopped()) return;
  watch_class(*this, class_value);
  Object made;
  made.target = class_value;
  const Value instance = Value::object(Kind::instance, new_object(std::move(made)));
  const std::vector<uint32_t> names = object_of(class_value).slot_names;
  for (const uint32_t name : names) {
    const Value value = get(class_value.id, name);
    if (!value.is(Kind::function) || !request.runs_method(text_of(name))) continue;
    const Store::Mark mark = store_.mark();
    replay_uncalled_function(value, instance);
    abrupt_ = {};
    store_.undo_to(mark);
  }
}

/// Task queues fork their workers once the module is imported, unless they are told otherwise.
void Interpreter::run_tasks() {
  if (abrupt_.kind == Completion::raised || abrupt_.kind == Completion::dead) abrupt_ = {};
  const std::vector<std::pair<Value, Place>> tasks = std::exchange(tasks_, {});
  if (tasks.empty()) return;
  Frame frame;
  frame.file = project_.load(entry_);
  frame.file_index = file_index_of(*frame.file);
  frame.call_site = {frame.file_index, {}};
  frame.scope = new_object({});
  frame.token = next_token_++;
  frames_.push_back(frame);
  for (const auto& [task, site] : tasks) {
    Start start;
    start.certainty = Certainty::perhaps;
    Arguments unknown;
    unknown.open = true;
    run_child(start, task, unknown, site);
  }
  frames_.pop_back();
}

void Interpreter::run_at_exit() {
  abrupt_ = {};
  std::vector<std::pair<Value, Arguments>> calls = std::exchange(at_exit_, {});
  if (calls.empty()) return;
  Frame frame;
  frame.file = project_.load(entry_);
  frame.file_index = file_index_of(*frame.file);
  frame.scope = new_object({});
  frame.token = next_token_++;
  frames_.push_back(frame);
  for (size_t i = calls.size(); i-- > 0;) {
    call(calls[i].first, calls[i].second, {frame.file_index, {}});
    abrupt_ = {};  // what one of them raises does not keep the others from running
  }
  frames_.pop_back();
}

ObjectId Interpreter::new_object(Object object) {
  objects_.push_back(std::move(object));
  return static_cast<ObjectId>(objects_.size() - 1);
}

ObjectId Interpreter::new_scope(ObjectId parent) {
  Object scope;
  scope.scope = parent;
  scope.lists_slots = false;
  return new_object(std::move(scope));
}

uint32_t Interpreter::file_index_of(frontends::LoadedProgram& file) {
  const auto [found, fresh] =
      file_indices_.try_emplace(&file, static_cast<uint32_t>(files_.size()));
  if (fresh) {
    files_.push_back(file.program.source);
    hooking_.insert(file.hooking.begin(), file.hooking.end());
  }
  return found->second;
}

void Interpreter::set(ObjectId object, uint32_t name, Value value) {
  const Slot slot{object, name};
  const bool may_be_new = objects_[object].lists_slots && (name & item_bit) == 0;
  if (may_be_new && !value.is(Kind::absent) && listed_.insert(slot.key()).second) {
    objects_[object].slot_names.push_back(name);
    listed_by_entry_.push_back(slot.key());
  }
  const bool repeats = probing_ > 0 || !rounds_.empty();
  if (repeats && value.graph == 0 && !value.is(Kind::absent) && store_.get(slot).has_graph())
    value.graph = Value::cut_graph;
  store_.set(slot, value);
}

Value Interpreter::lookup(model::NameId name) {
  for (ObjectId scope = frame().scope; scope != 0; scope = objects_[scope].scope) {
    const Value value = get(scope, name);
    if (!value.is(Kind::absent)) return value;
    const bool is_module = objects_[scope].home == scope;
    if (!is_module) continue;
    const std::vector<Value>& starred = objects_[scope].values;
    if (!starred.empty() && !is_builtin_name(text_of(name))) {
      return Value::external(names_.dotted(starred.back().id, name));
    }
    break;
  }
  return is_builtin_name(text_of(name)) ? Value::external(name) : Value::unknown();
}

void Interpreter::bind(model::NameId name, Value value) {
  const Frame& current = frame();
  ObjectId scope = current.scope;
  if (current.definition != nullptr && current.definition->expression == model::no_node) {
    charge((current.definition->globals.size() + current.definition->nonlocals.size()) / 16);
    const auto declared = [&](model::Range range) {
      const auto names = model::Code::slice(current.code->name_lists, range);
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (declared(current.definition->globals)) {
      scope = objects_[scope].home;
    } else if (declared(current.definition->nonlocals)) {
      scope = objects_[scope].scope;
      while (scope != 0 && get(scope, name).is(Kind::absent)) scope = objects_[scope].scope;
      if (scope == 0) scope = current.scope;
    }
  }
  set(scope, name, value);
}

bool Interpreter::spend() {
  if (stopped()) return false;
  return ++steps_ <= budget_;
}

bool Interpreter::Nested::bounded() const { return python_.depth_ <= max_depth; }

Session::Session(frontends::Project& project, const knowledge::Knowledge& knowledge,
                 ReplayOptions options)
    : interpreter_(std::make_unique<Interpreter>(project, knowledge, std::move(options))) {}

Session::~Session() = default;

Timeline Session::replay(const ReplayRequest& request) { return interpreter_->run(request); }

}  // namespace vramlint::replay
