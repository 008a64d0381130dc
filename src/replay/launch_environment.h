// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/launch.h"

namespace vramlint::replay {

/// A variable of a shell, as far as its file says what it holds.
struct LaunchVariable {
  const model::LaunchStep* step = nullptr;
  std::optional<std::string> value;
  bool exported = false;
  bool certain = true;
  text::Span inner;
  size_t level = 0;  ///< of the shells inside one another, in which it was set last
};

/// The variables of a shell, and of the shells inside it, which forget what they set.
class LaunchEnvironment {
 public:
  void enter();
  void leave();
  bool is_inner() const { return !entered_.empty(); }
  size_t level() const { return entered_.size(); }

  const LaunchVariable* find(std::string_view name) const;
  /// The variable, to be changed; a new one where there was none.
  LaunchVariable& change(const std::string& name);
  void remove(const std::string& name);

  /// `set -a`: whatever is set from now on is exported.
  bool publishes_all() const { return publishes_all_; }
  void publish_all(bool on) { publishes_all_ = on; }

  /// The text of a piece of a word; nothing where the file does not say.
  std::optional<std::string> text_of(const model::LaunchPart& part) const;

 private:
  /// What a variable was before it was changed in an inner shell.
  struct Change {
    std::string name;
    std::optional<LaunchVariable> before;
  };
  struct Entered {
    size_t changes;
    bool publishes_all;
  };

  void note_change(const std::string& name);

  std::map<std::string, LaunchVariable, std::less<>> variables_;
  bool publishes_all_ = false;
  std::vector<Change> changes_;
  std::vector<Entered> entered_;
};

}  // namespace vramlint::replay
