// SPDX-License-Identifier: MIT
//
// Hundreds of scripts import the same package, and what most modules do when they are imported is to
// define things. Such an import is run once, away from the entry that asked for it, and what it made
// is kept for the entries that follow. A module that touches the environment, brings about more than
// the import of torch, or changes something that was there before is run anew for each entry.
#include <algorithm>

#include "replay/interpreter.h"

namespace vramlint::replay {

using knowledge::Moment;

void Interpreter::note_moments(knowledge::MomentSet moments) {
  for (auto& [path, noted] : sharing_) noted.insert(moments);
}

/// Only modules that every entry finds under the same name: those in the entry's own folder may be
/// hidden from others.
bool Interpreter::may_be_shared(const std::string& path) {
  const std::string root = project_.home_of(path).root;
  return std::any_of(search_roots_.begin() + 1, search_roots_.end(),
                     [&](const std::string& known) { return known == root; }) ||
         root == options_.root;
}

bool Interpreter::only_defines(const Delta& delta, ObjectId first_new) const {
  return std::all_of(delta.changes.begin(), delta.changes.end(), [&](const Delta::Change& change) {
    const auto object = static_cast<ObjectId>(change.key >> 32);
    // A module becomes an attribute of the package that it is in.
    const bool is_package = objects_[object].home == object && change.value.is(Kind::module);
    return object >= first_new || is_package;
  });
}

const Interpreter::SharedModule* Interpreter::shared_module(const frontends::ModuleFile& file,
                                                            model::NameId path, std::string_view dotted) {
  if (const auto found = shared_.find(path); found != shared_.end()) return &found->second;
  if (file.is_namespace || not_shared_.contains(path) || file.path == entry_) return nullptr;
  if (!sharing_.empty()) {
    // Part of an import that is being shared: it is shared with it.
    sharing_.emplace_back(path, knowledge::MomentSet());
    const Value module = load_module(file, path, dotted, {});
    const knowledge::MomentSet moments = sharing_.back().second;
    sharing_.pop_back();
    shared_now_.push_back(path);
    return &(shared_[path] = {module, moments});
  }
  if (!may_be_shared(file.path)) return nullptr;

  const auto first_new = static_cast<ObjectId>(objects_.size());
  const Store::Mark mark = store_.mark();
  std::vector<Region> regions = std::exchange(regions_, {});
  std::vector<Frame> frames = std::exchange(frames_, {frame()});
  std::vector<std::string> roots = search_roots_;
  search_roots_.erase(search_roots_.begin());
  Moments moments = moments_;
  moments_ = fresh_moments(0);
  const ObjectId environment = std::exchange(environment_, new_object({}));
  const size_t observed = timeline_.observations.size();
  const size_t exits = at_exit_.size();
  const uint64_t steps = std::exchange(steps_, 0);
  shared_now_.clear();

  sharing_.emplace_back(path, knowledge::MomentSet());
  const Value module = load_module(file, path, dotted, {});
  const knowledge::MomentSet brought = sharing_.back().second;
  sharing_.clear();

  const Delta delta = store_.changes_since(mark);
  store_.undo_to(mark);
  knowledge::MomentSet harmless = knowledge_.with_implied(Moment::import_torch);
  const bool defines = only_defines(delta, first_new) && brought.within(harmless) &&
                       timeline_.observations.size() == observed && at_exit_.size() == exits &&
                       objects_[environment_].slot_names.empty() && abrupt_.kind == Completion::normal &&
                       spend();
  abrupt_ = {};
  steps_ = steps;
  environment_ = environment;
  moments_ = moments;
  search_roots_ = std::move(roots);
  frames_ = std::move(frames);
  regions_ = std::move(regions);
  if (!defines) {
    timeline_.observations.resize(observed);
    at_exit_.resize(exits);
    for (const model::NameId part : shared_now_) shared_.erase(part);
    not_shared_.insert(path);
    return nullptr;
  }
  store_.commit(delta);
  shared_objects_ = static_cast<ObjectId>(objects_.size());
  return &(shared_[path] = {module, brought});
}

}  // namespace vramlint::replay
