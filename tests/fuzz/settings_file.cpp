// SPDX-License-Identifier: MIT
//
// A configuration file: `vramlint.toml`, `pyproject.toml` or one KEY=VALUE of the command line, as
// the first byte says. Any text is settings or an error at a place in it; settings over themselves
// are what they were, but for their lists; every pattern can be asked about a path.
#include <algorithm>
#include <string>

#include "config/glob.h"
#include "config/keys.h"
#include "config/settings.h"
#include "knowledge/knowledge.h"
#include "require.h"

namespace {

using vramlint::Result;
using vramlint::config::Settings;
using vramlint::fuzz::require;

void require_sound(const Settings& settings) {
  const Settings twice = vramlint::config::layered(settings, settings);
  for (const vramlint::config::Key& key : vramlint::config::all_keys()) {
    const bool is_said = !vramlint::config::value_text(key, settings).empty();
    require(is_said == !vramlint::config::value_text(key, twice).empty());
  }
  vramlint::config::check_rule_words(settings, vramlint::knowledge::Knowledge::builtin());
  for (const std::string& glob : settings.exclude) {
    vramlint::config::glob_matches(glob, "src/train/main.py");
  }
  for (const vramlint::config::FileRules& rules : settings.per_file_ignores) {
    vramlint::config::glob_matches(rules.glob, "src/train/main.py");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 3 == 2) {
    const Result<Settings> said = vramlint::config::read_assignment(text);
    if (said) require_sound(said.value());
    return 0;
  }
  const char* path = data[0] % 3 == 0 ? "vramlint.toml" : "pyproject.toml";
  const Result<std::optional<Settings>> read = vramlint::config::read_settings(path, text);
  if (!read) {
    const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
    require(read.error().path == path && !read.error().message.empty());
    require(read.error().line >= 0 && read.error().line <= lines);
  } else if (read.value()) {
    require_sound(*read.value());
  }
  return 0;
}
