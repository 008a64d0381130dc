// SPDX-License-Identifier: MIT
#include "replay/launch_environment.h"

#include <utility>

namespace vramlint::replay {

void LaunchEnvironment::enter() { entered_.push_back({changes_.size(), publishes_all_}); }

void LaunchEnvironment::leave() {
  if (entered_.empty()) return;
  for (; changes_.size() > entered_.back().changes; changes_.pop_back()) {
    Change& change = changes_.back();
    if (change.before) {
      variables_[change.name] = std::move(*change.before);
    } else {
      variables_.erase(change.name);
    }
  }
  publishes_all_ = entered_.back().publishes_all;
  entered_.pop_back();
}

void LaunchEnvironment::note_change(const std::string& name) {
  if (entered_.empty()) return;
  const auto found = variables_.find(name);
  const bool is_there = found != variables_.end();
  changes_.push_back({name, is_there ? std::optional(found->second) : std::nullopt});
}

const LaunchVariable* LaunchEnvironment::find(std::string_view name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? nullptr : &found->second;
}

LaunchVariable& LaunchEnvironment::change(const std::string& name) {
  note_change(name);
  return variables_[name];
}

void LaunchEnvironment::remove(const std::string& name) {
  note_change(name);
  variables_.erase(name);
}

std::optional<std::string> LaunchEnvironment::text_of(const model::LaunchPart& part) const {
  if (part.kind == model::LaunchPart::Kind::text) return part.text;
  if (part.kind != model::LaunchPart::Kind::variable) return std::nullopt;
  const LaunchVariable* variable = find(part.text);
  if (variable == nullptr || !variable->certain) return std::nullopt;
  return variable->value;
}

}  // namespace vramlint::replay
