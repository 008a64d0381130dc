// SPDX-License-Identifier: MIT
//
// An image is made from the last stage of its Dockerfile and those that it is built `FROM`. Another
// stage leaves nothing behind but the files that are copied out of it; what `ENV` sets there is
// gone. A stage may also be built for itself (`docker build --target`), so that only those count
// that are copied from, start nothing of their own and run no Python.
#include "frontends/launch/docker_stages.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "frontends/launch/shell_words.h"
#include "knowledge/knowledge.h"
#include "text/letter_case.h"

namespace vramlint::frontends {

using model::LaunchStep;
using model::LaunchStepKind;
using model::LaunchWord;

namespace {

/// The stages of a file by what others call them.
class StageNames {
 public:
  explicit StageNames(const std::vector<DockerStage>& stages) : stages_(stages) {
    for (size_t i = 0; i < stages.size(); ++i) {
      if (!stages[i].name.empty()) places_[text::lower(stages[i].name)].push_back(i);
      places_[std::to_string(i)].push_back(i);
    }
  }

  /// The stage above one that a name or number means; nothing for an image.
  const DockerStage* meant(size_t before, std::string_view name) const {
    const auto found = places_.find(text::lower(name));
    if (found == places_.end()) return nullptr;
    const auto above = std::ranges::lower_bound(found->second, before);
    return above == found->second.begin() ? nullptr : &stages_[*std::prev(above)];
  }

 private:
  const std::vector<DockerStage>& stages_;
  std::map<std::string, std::vector<size_t>> places_;
};

/// What compilers and tools have a use for as well is not PyTorch's alone.
bool is_for_torch(std::string_view name) {
  const knowledge::VariableRow* row = knowledge::Knowledge::builtin().variable(name);
  return row != nullptr && row->name == name && row->read_at != knowledge::Moment::process_start &&
         row->read_at != knowledge::Moment::openmp_load;
}

}  // namespace

DockerStage stage_of(const MappedText& from) {
  DockerStage made;
  ShellWords words(from);
  std::vector<std::string> plain;
  for (words.skip_blanks(); !words.ended(); words.skip_blanks()) {
    const size_t before = words.at();
    const LaunchWord word = words.read();
    if (words.at() == before) break;
    const bool is_option = word.beginning().starts_with("--");
    if (!is_option) plain.push_back(word.plain() == nullptr ? "$" : *word.plain());
  }
  if (!plain.empty()) made.base = plain[0];
  if (plain.size() == 3 && text::is_same_but_for_case(plain[1], "as")) made.name = plain[2];
  return made;
}

std::string stage_named_in(std::string_view instruction) {
  constexpr std::string_view option = "from=";
  const size_t at = instruction.find(option);
  const bool is_option = at != std::string_view::npos && at > 0 &&
                         (instruction[at - 1] == '-' || instruction[at - 1] == ',');
  if (!is_option) return {};
  instruction.remove_prefix(at + option.size());
  return std::string(instruction.substr(0, instruction.find_first_of(" \t,\n")));
}

void add_lost_with_stages(const std::vector<DockerStage>& stages, std::vector<LaunchStep>& into) {
  if (stages.size() < 2 || !stages.back().runs_python) return;
  const StageNames names(stages);
  std::set<const DockerStage*> used;
  std::set<const DockerStage*> copied;
  for (size_t at = stages.size() - 1;;) {
    const DockerStage& stage = stages[at];
    used.insert(&stage);
    for (const std::string& name : stage.taken_from) copied.insert(names.meant(at, name));
    // `FROM $BASE` may be any of them.
    if (stage.base.find('$') != std::string::npos) return;
    const DockerStage* base = names.meant(at, stage.base);
    if (base == nullptr) break;
    at = static_cast<size_t>(base - stages.data());
  }
  // A stage that is built on another one has what that sets.
  std::set<const DockerStage*> bases;
  for (size_t i = 0; i < stages.size(); ++i) {
    if (stages[i].base.find('$') != std::string::npos) return;
    bases.insert(names.meant(i, stages[i].base));
  }
  std::set<std::string, std::less<>> set_in_image;
  for (const DockerStage* stage : used) {
    for (size_t i = stage->first; i < stage->end; ++i) {
      if (into[i].kind != LaunchStepKind::start) set_in_image.insert(into[i].name);
    }
  }
  std::vector<LaunchStep> lost;
  for (const DockerStage& stage : stages) {
    const bool hands_files =
        copied.contains(&stage) && !used.contains(&stage) && !bases.contains(&stage);
    if (!hands_files || stage.has_command || stage.builds_with_python) continue;
    for (size_t i = stage.first; i < stage.end; ++i) {
      const LaunchStep& step = into[i];
      const bool is_set = step.kind == LaunchStepKind::set && step.exported;
      if (!is_set || !is_for_torch(step.name) || set_in_image.contains(step.name)) continue;
      LaunchStep made = step;
      made.kind = LaunchStepKind::misstep;
      made.misstep = model::Misstep::other_stage;
      lost.push_back(std::move(made));
    }
  }
  into.insert(into.end(), lost.begin(), lost.end());
}

}  // namespace vramlint::frontends
