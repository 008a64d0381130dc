// SPDX-License-Identifier: MIT
//
// What a script sets for others than the programs of its own shell: for the job that Slurm starts,
// for later steps of a workflow, and for nobody, since the shell ends.
#include <algorithm>
#include <optional>
#include <utility>

#include "frontends/launch/commands.h"
#include "frontends/launch/shell_words.h"
#include "knowledge/knowledge.h"

namespace vramlint::frontends {

using model::LaunchSetting;
using model::LaunchStep;
using model::LaunchStepKind;
using model::LaunchWord;
using model::Misstep;

void note_lost_with_shell(std::vector<LaunchStep>& steps, size_t first, Misstep way) {
  bool starts = false;
  for (size_t i = steps.size(); i-- > first;) {
    starts = starts || steps[i].kind == LaunchStepKind::start;
    const bool is_lost = steps[i].kind == LaunchStepKind::set && steps[i].exported && !starts;
    if (!is_lost || steps[i].for_later) continue;
    steps[i].kind = LaunchStepKind::misstep;
    steps[i].misstep = way;
  }
}

void read_directive(std::vector<LaunchWord> words, std::vector<LaunchStep>& into) {
  if (words.empty()) return;
  LaunchStep submit;
  words[0] = plain_word("sbatch", words[0].span.begin);
  submit.words = std::move(words);
  read_options(submit);
  const bool is_cut = std::ranges::any_of(submit.passed_on, is_option_text);
  for (LaunchSetting& setting : submit.own) {
    LaunchStep step;
    step.kind = is_cut && is_allocator_variable(setting.name) ? LaunchStepKind::misstep
                                                              : LaunchStepKind::set;
    step.misstep = step.kind == LaunchStepKind::set ? Misstep::none : Misstep::cut_value;
    step.span = setting.span;
    step.name = std::move(setting.name);
    step.value = std::move(setting.value);
    step.exported = true;
    into.push_back(std::move(step));
  }
}

void add_echoed(const std::vector<LaunchWord>& words, text::Span span, const ShellContext& context,
                std::vector<LaunchStep>& into) {
  if (words.size() != 2 || words[0].plain() == nullptr || *words[0].plain() != "echo") return;
  std::optional<LaunchSetting> setting = setting_in(words[1]);
  if (!setting) return;
  LaunchStep step;
  step.kind = LaunchStepKind::set;
  step.span = span;
  step.name = std::move(setting->name);
  step.value = std::move(setting->value);
  step.exported = step.for_later = true;
  step.conditional = context.conditional;
  step.in_function = context.in_function;
  into.push_back(std::move(step));
}

void note_piped(std::vector<LaunchStep>& steps, size_t first) {
  for (size_t i = first; i < steps.size(); ++i) {
    if (steps[i].kind != LaunchStepKind::set || !steps[i].exported || steps[i].for_later) continue;
    steps[i].kind = LaunchStepKind::misstep;
    steps[i].misstep = Misstep::pipeline;
  }
}

void withhold_from_srun(std::vector<LaunchStep>& steps, size_t first) {
  for (size_t i = first; i < steps.size(); ++i) {
    LaunchStep& step = steps[i];
    const bool is_srun = !step.words.empty() && step.words[0].beginning() == "srun";
    const bool says = std::ranges::any_of(step.words, [](const LaunchWord& word) {
      return word.beginning().starts_with("--export") || word.plain() == nullptr;
    });
    const knowledge::LauncherRow* row = knowledge::Knowledge::builtin().launcher("srun");
    if (is_srun && !says && row != nullptr) withhold_all(step, *row);
  }
}

bool names_startup_file(std::string_view written) {
  while (written.ends_with('"') || written.ends_with('\'')) written.remove_suffix(1);
  return written.ends_with("/.bashrc") || written.ends_with("/.bash_profile") ||
         written.ends_with("/.profile");
}

void add_startup(const std::vector<LaunchWord>& words, text::Span span, const ShellContext& context,
                 std::vector<LaunchStep>& into) {
  if (words.size() != 2 || words[0].beginning() != "echo") return;
  std::vector<LaunchStep> later;
  read_shell(text_of(words[1]), context, later);
  for (LaunchStep& step : later) {
    if (step.kind != LaunchStepKind::set || !step.exported) continue;
    step.kind = LaunchStepKind::misstep;
    step.misstep = Misstep::startup_file;
    step.span = span;
    into.push_back(std::move(step));
  }
}

}  // namespace vramlint::frontends
