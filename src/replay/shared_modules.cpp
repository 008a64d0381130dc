// SPDX-License-Identifier: MIT
//
// Hundreds of scripts import the same package, and what most modules do when they are imported is
// to define things. Such an import is run once, away from the entry that asked for it, and what it
// made is kept for the entries that follow; the moments that it brings about and the variables that
// it writes are done again for each. A module that changes something that was there before is run
// anew for each entry.
#include <algorithm>

#include "replay/interpreter.h"

namespace vramlint::replay {

void Interpreter::note_effect(ImportEffect effect, Certainty certainty, const Observation* seen) {
  effect.calls = calls_from(1);
  effect.module = sharing_.back().path;
  if (effect_ != nullptr) {
    effect.calls.insert(effect.calls.end(), effect_->calls.begin(), effect_->calls.end());
    effect.module = effect_->module;
  }
  for (SharedModule& import : sharing_) {
    const bool is_certain = certainty == Certainty::yes && branches_ == import.outside.branches;
    effect.certainty = is_certain ? Certainty::yes : Certainty::perhaps;
    const bool is_known = effect.moments.within(is_certain ? import.moments : import.possible);
    if (seen == nullptr && !effect.is_write() && is_known) continue;
    if (is_certain) import.moments.insert(effect.moments);
    import.possible.insert(effect.moments);
    if (seen != nullptr) {
      Observation inside = *seen;
      inside.at_import = effect.calls.empty();
      set_surroundings(inside, import.outside);
      effect.seen = std::make_shared<const Observation>(std::move(inside));
    }
    import.effects.push_back(effect);
  }
}

/// A module that imports one whose import is under way brings about whatever that one does.
void Interpreter::note_circle(model::NameId path) {
  size_t under_way = 0;
  while (under_way < sharing_.size() && sharing_[under_way].path != path) ++under_way;
  for (size_t i = under_way + 1; i < sharing_.size(); ++i) {
    if (sharing_[i].circle == 0) sharing_[i].circle = path;
  }
}

/// Gives each part of the import that was just shared the effects of the circle that it is in, so
/// that it makes no difference which of its modules an entry asked for first.
void Interpreter::close_circles(const std::vector<model::NameId>& together) {
  for (const model::NameId path : together) {
    SharedModule& part = shared_[path];
    const auto whole = shared_.find(part.circle);
    if (part.circle == 0 || whole == shared_.end()) continue;
    part.moments = whole->second.moments;
    part.possible = whole->second.possible;
    part.effects = whole->second.effects;
    part.parts = whole->second.parts;
    part.parts.emplace_back(whole->first, whole->second.module);
  }
}

/// The statement outside all modules of the project that led to an import. What is merely imported
/// is put down to it, since it stands in the reader's own file.
Place Interpreter::import_site(Place site) const {
  for (size_t i = frames_.size(); i-- > 0;) {
    const Frame& frame = frames_[i];
    const bool is_module = frame.definition == nullptr && frame.class_scope == 0 &&
                           objects_[frame.scope].home == frame.scope;
    if (!is_module) continue;
    if (frame.call_site.file == frame.file_index) break;  // the entry
    site = frame.call_site;
  }
  return site;
}

void Interpreter::do_effect(const ImportEffect& effect, Place import) {
  if (effect.is_write()) {
    const auto write = [&] {
      const bool removes = effect.value.is(Kind::absent);
      if (removes && effect.seen == nullptr)
        return forget_variable(effect.variable, effect.place, nullptr);
      if (removes) return remove_variable(effect.variable, effect.place);
      write_variable(effect.variable, effect.value, effect.form, effect.place, Certainty::yes);
    };
    if (effect.certainty == Certainty::yes) return write();
    return branch(write, [] {});
  }
  if (effect.seen != nullptr) {
    Observation seen = observation_at(effect.seen->kind, effect.place);
    seen.name = effect.seen->name;
    seen.value = effect.seen->value;
    seen.form = effect.seen->form;
    seen.arguments = effect.seen->arguments;
    seen.written = effect.seen->written;
    seen.unread = effect.seen->unread;
    return observe(std::move(seen));
  }
  const bool is_import =
      effect.moments.within(knowledge_.with_implied(knowledge::Moment::import_torch));
  bring(effect.moments, effect.certainty, is_import ? import : effect.place);
}

/// Does again what the import did, but for the parts that this entry has imported already.
void Interpreter::do_effects(const SharedModule& shared, Place import) {
  std::unordered_set<model::NameId> fresh = {shared.path};
  for (const auto& [path, module] : shared.parts) {
    if (get(moments_.modules, path).is(Kind::absent)) fresh.insert(path);
  }
  const ImportEffect* outer = effect_;
  for (const ImportEffect& effect : shared.effects) {
    if (stopped() || !fresh.contains(effect.module)) continue;
    effect_ = &effect;
    do_effect(effect, import);
  }
  effect_ = outer;
  for (const auto& part : shared.parts) {
    if (!fresh.contains(part.first)) continue;
    set(moments_.modules, part.first, part.second);
    if (!sharing_.empty()) parts_now_.push_back(part);
  }
  if (!sharing_.empty()) parts_now_.emplace_back(shared.path, shared.module);
  for (const Delta::Change& patch : shared.patches) {
    set(external_overlay_, static_cast<uint32_t>(patch.key), patch.value);
  }
  at_exit_.insert(at_exit_.end(), shared.exits.begin(), shared.exits.end());
}

/// Only modules that every entry finds under the same name: those in the entry's own folder may be
/// hidden from others.
bool Interpreter::may_be_shared(const std::string& path) {
  const std::string root = project_.home_of(path).root;
  return std::any_of(search_roots_.begin() + 1, search_roots_.end(),
                     [&](const std::string& known) { return known == root; }) ||
         root == options_.root;
}

/// Whether the changes make new things only. They have been taken back.
bool Interpreter::only_defines(const Delta& delta, ObjectId first_new) const {
  return std::all_of(delta.changes.begin(), delta.changes.end(), [&](const Delta::Change& change) {
    const auto object = static_cast<ObjectId>(change.key >> 32);
    if (object >= first_new) return true;
    // A module becomes an attribute of the package that it is in.
    if (objects_[object].home == object && change.value.is(Kind::module)) return true;
    const Value before = get(object, static_cast<uint32_t>(change.key));
    return before.same_as(change.value) && before.certainty == change.value.certainty;
  });
}

/// Does something that all entries have in common, as if the present one had not begun. What it
/// changed is taken back; what it observed stays to be looked at, and no longer counts.
DoneAside Interpreter::do_aside(const std::function<void()>& work) {
  DoneAside done;
  done.first_new = static_cast<ObjectId>(objects_.size());
  const Store::Mark mark = store_.mark();
  const size_t listed = listed_by_entry_.size();
  std::vector<SharedModule> sharing = std::exchange(sharing_, {});
  std::vector<model::NameId> shared_now = std::exchange(shared_now_, {});
  auto parts_now = std::exchange(parts_now_, {});
  const ImportEffect* effect = std::exchange(effect_, nullptr);
  const Abrupt abrupt = std::exchange(abrupt_, {});
  const uint64_t budget = budget_;
  std::vector<Region> regions = std::exchange(regions_, {});
  std::vector<Frame> frames = std::exchange(frames_, {frame()});
  std::vector<std::string> roots = search_roots_;
  if (search_roots_.front() != options_.root) search_roots_.erase(search_roots_.begin());
  const Moments moments = moments_;
  const int branches = std::exchange(branches_, 0);
  const int loop_branches = std::exchange(loop_branches_, 0);
  const int machine_branches = std::exchange(machine_branches_, 0);
  auto loops = std::exchange(loops_, {});
  auto handling = std::exchange(handling_, {});
  auto contexts = std::exchange(contexts_, {});
  auto conditions = std::exchange(conditions_, {});
  const int64_t rounds = std::exchange(counted_rounds_, 1);
  moments_ = fresh_moments(0);
  const ObjectId environment = std::exchange(environment_, new_object({}));
  const size_t observed = timeline_.observations.size();
  const size_t exits = at_exit_.size();
  const uint64_t steps = std::exchange(steps_, 0);
  const uint32_t process = next_process_;
  budget_ = import_budget;

  work();

  done.delta = store_.changes_since(mark);
  store_.undo_to(mark);
  done.ended = abrupt_.kind == Completion::normal && spend();
  done.observed = timeline_.observations.size() - observed;
  done.exits.assign(at_exit_.begin() + static_cast<std::ptrdiff_t>(exits), at_exit_.end());
  at_exit_.resize(exits);
  timeline_.observations.resize(observed);
  steps_ = steps;
  next_process_ = process;
  budget_ = budget;
  environment_ = environment;
  moments_ = moments;
  branches_ = branches;
  loop_branches_ = loop_branches;
  machine_branches_ = machine_branches;
  loops_ = std::move(loops);
  handling_ = std::move(handling);
  contexts_ = std::move(contexts);
  conditions_ = std::move(conditions);
  counted_rounds_ = rounds;
  search_roots_ = std::move(roots);
  frames_ = std::move(frames);
  regions_ = std::move(regions);
  abrupt_ = abrupt;
  effect_ = effect;
  parts_now_ = std::move(parts_now);
  shared_now_ = std::move(shared_now);
  sharing_ = std::move(sharing);
  done.listed = listed_by_entry_.size() - listed;
  return done;
}

/// Makes what was done aside part of what all entries find.
void Interpreter::keep(const DoneAside& done) {
  store_.commit(done.delta);
  shared_objects_ = static_cast<ObjectId>(objects_.size());
  // Nothing was listed since: the end of the list is what was listed aside.
  listed_by_entry_.resize(listed_by_entry_.size() - done.listed);
}

const SharedModule* Interpreter::shared_module(const frontends::ModuleFile& file,
                                               model::NameId path, std::string_view dotted) {
  if (const auto found = shared_.find(path); found != shared_.end()) return &found->second;
  if (file.is_namespace || unshared_ > 0 || not_shared_.contains(path)) return nullptr;
  if (!sharing_.empty()) {
    // Part of an import that is being shared: it is shared with it.
    sharing_.emplace_back().outside = surroundings();
    sharing_.back().path = path;
    const size_t before = parts_now_.size();
    const Value module = load_module(file, path, dotted, {});
    SharedModule made = std::move(sharing_.back());
    sharing_.pop_back();
    made.module = module;
    made.parts.assign(parts_now_.begin() + static_cast<std::ptrdiff_t>(before), parts_now_.end());
    parts_now_.emplace_back(path, module);
    shared_now_.push_back(path);
    return &(shared_[path] = std::move(made));
  }
  if (file.path == entry_ || !may_be_shared(file.path)) return nullptr;

  SharedModule made;
  std::vector<model::NameId> together;
  DoneAside done = do_aside([&] {
    if (search_roots_.front() != options_.root) search_roots_.erase(search_roots_.begin());
    sharing_.emplace_back().path = path;
    const Value module = load_module(file, path, dotted, {});
    made = std::move(sharing_.front());
    made.module = module;
    made.parts = parts_now_;
    together = std::move(shared_now_);
  });
  made.exits = std::move(done.exits);
  const auto is_patch = [&](const Delta::Change& change) {
    return static_cast<ObjectId>(change.key >> 32) == external_overlay_;
  };
  std::copy_if(done.delta.changes.begin(), done.delta.changes.end(),
               std::back_inserter(made.patches), is_patch);
  std::erase_if(done.delta.changes, is_patch);
  const auto noted =
      std::count_if(made.effects.begin(), made.effects.end(),
                    [](const ImportEffect& effect) { return effect.seen != nullptr; });
  const bool all_noted = done.observed == static_cast<size_t>(noted);
  if (!done.ended || !all_noted || !only_defines(done.delta, done.first_new)) {
    for (const model::NameId part : together) shared_.erase(part);
    not_shared_.insert(path);
    return nullptr;
  }
  // An entry that imports the package alone has no such attribute.
  std::erase_if(done.delta.changes, [&](const Delta::Change& change) {
    return static_cast<ObjectId>(change.key >> 32) < done.first_new;
  });
  keep(done);
  shared_[path] = std::move(made);
  close_circles(together);
  return &shared_[path];
}

/// What this entry had to find out about classes that outlive it, the next ones will know.
void Interpreter::force_for_later(frontends::LoadedProgram& entry) {
  if (forced_by_entry_.empty()) return;
  Frame neutral;
  neutral.file = &entry;
  neutral.file_index = file_index_of(entry);
  neutral.token = next_token_++;
  frames_.push_back(neutral);
  timeline_.events.push_back({});
  for (const Value class_value : std::exchange(forced_by_entry_, {})) {
    if (get(class_value.id, item_bit).is(Kind::absent)) force_for_all(class_value);
  }
  timeline_ = {};
  start_over();
}

/// Runs the body of a class that all entries know and none has looked into yet, for all of them.
/// Whether that can be.
bool Interpreter::force_for_all(Value class_value) {
  if (!not_forced_.insert(class_value.id).second) return false;
  bool has_effects = false;
  DoneAside done = do_aside([&] {
    sharing_.emplace_back();
    run_class_body(class_value);
    has_effects = !sharing_.front().effects.empty();
  });
  const bool is_own = std::all_of(done.delta.changes.begin(), done.delta.changes.end(),
                                  [&](const Delta::Change& change) {
                                    const auto object = static_cast<ObjectId>(change.key >> 32);
                                    return object >= done.first_new || object == class_value.id;
                                  });
  if (!done.ended || has_effects || done.observed > 0 || !done.exits.empty() || !is_own)
    return false;
  keep(done);
  return true;
}

}  // namespace vramlint::replay
