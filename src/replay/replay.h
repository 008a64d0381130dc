// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/project.h"
#include "knowledge/knowledge.h"
#include "knowledge/target.h"
#include "replay/timeline.h"

namespace vramlint::replay {

/// What holds for all entries of one project.
struct ReplayOptions {
  std::string root;  ///< folder of the project, for imports
  /// Dotted names of the calls that are to be observed; a trailing `*` stands for any rest.
  std::vector<std::string_view> observed_calls;
  /// Whether reading this name of a module outside the project is to be observed.
  std::function<bool(std::string_view dotted)> observes_name;
  knowledge::Version torch;  ///< whose calls bring what
  /// Whether a process started by `multiprocessing` without further words is a fork.
  bool forks_by_default = true;
};

/// A variable that the process has from the launch file that starts it.
struct StartingVariable {
  std::string name;
  std::string value;
  bool known = true;  ///< the value is
  std::shared_ptr<const text::Source> file;
  text::Span span;   ///< the statement
  text::Span inner;  ///< its value
  bool in_test = false;
};

struct ReplayRequest {
  std::string entry;
  /// Whether the function or class, by its name, is run as well when nobody in sight calls it.
  std::function<bool(std::string_view name)> runs_uncalled = {};
  /// The same for the methods of such a class.
  std::function<bool(std::string_view name)> runs_method = [](std::string_view) { return true; };
  /// Nothing matters after the last import, unless a function imports something as well.
  bool only_imports = false;
  std::vector<StartingVariable> environment = {};
};

class Interpreter;

/// Replays the entries of one project, one after the other. Modules of the project whose import
/// does nothing but define things are run once for all entries.
class Session {
 public:
  Session(frontends::Project& project, const knowledge::Knowledge& knowledge,
          ReplayOptions options);
  ~Session();

  /// What happens when the entry runs, in the order in which it happens.
  Timeline replay(const ReplayRequest& request);

 private:
  std::unique_ptr<Interpreter> interpreter_;
};

}  // namespace vramlint::replay
