// SPDX-License-Identifier: MIT
//
// Only what the file names in full is followed, and nothing behind a `cd`: where that leads only
// the replay knows. A `.env` is left out, since other programs read it by rules of their own.
#include "frontends/launch/sourced.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "frontends/launch/launch.h"

namespace vramlint::frontends {
namespace {

using model::LaunchStep;
using model::LaunchStepKind;

/// Files that one script sources; no person writes more.
constexpr size_t most_sourced = 16;

std::string_view first_word(const LaunchStep& step) {
  const bool starts = step.kind == LaunchStepKind::start && !step.words.empty();
  return starts ? step.words[0].beginning() : std::string_view();
}

/// What `source FILE` names; empty for any other step.
std::string sourced_by(const LaunchStep& step) {
  const std::string_view name = first_word(step);
  if ((name != "source" && name != ".") || step.words.size() < 2) return {};
  const std::string* path = step.words[1].plain();
  return path == nullptr || path->starts_with('/') ? std::string() : *path;
}

bool changes_folder(const LaunchStep& step) {
  constexpr std::array<std::string_view, 3> names = {"cd", "pushd", "popd"};
  return std::ranges::find(names, first_word(step)) != names.end();
}

bool is_known(const model::Launch& launch, const std::string& path) {
  return launch.source->path() == path ||
         std::ranges::any_of(launch.sourced,
                             [&](const auto& source) { return source->path() == path; });
}

}  // namespace

void add_sourced(model::Launch& launch, const FindFile& find) {
  bool knows_folder = true;
  for (size_t i = 0; i < launch.steps.size() && launch.sourced.size() < most_sourced; ++i) {
    const LaunchStep& step = launch.steps[i];
    knows_folder = knows_folder && !changes_folder(step);
    const std::string written = knows_folder ? sourced_by(step) : std::string();
    const auto source = written.empty() ? nullptr : find(written);
    if (!source || source->language() != text::Language::shell) continue;
    if (is_known(launch, source->path())) continue;
    launch.sourced.push_back(source);
    std::vector<LaunchStep> steps = read_launch(source).steps;
    for (LaunchStep& inner : steps) {
      inner.file = static_cast<uint32_t>(launch.sourced.size());
      inner.conditional |= step.conditional;
      inner.in_function |= step.in_function;
    }
    // The loop comes by these steps next, and by what they source.
    launch.steps.insert(launch.steps.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                        std::make_move_iterator(steps.begin()),
                        std::make_move_iterator(steps.end()));
  }
}

}  // namespace vramlint::frontends
