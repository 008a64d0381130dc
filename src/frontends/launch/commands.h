// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "frontends/launch/shell.h"
#include "knowledge/launcher_rows.h"
#include "model/launch.h"

namespace vramlint::frontends {

/// The steps of one command of a shell, with what it does itself to the environment.
void read_words(std::vector<model::LaunchWord> words, text::Span span, const ShellContext& context,
                std::vector<model::LaunchStep>& into);

/// What is exported in these steps and reaches nothing, since their shell starts nothing after it:
/// it becomes a misstep.
void note_lost_with_shell(std::vector<model::LaunchStep>& steps, size_t first, model::Misstep way);

/// What these steps export on one side of a `|`, `export NAME=value | tee log`: a misstep.
void note_piped(std::vector<model::LaunchStep>& steps, size_t first);

/// Slurm hands `#SBATCH --export=NONE` on to each `srun` that does not say otherwise, by the
/// variable `SLURM_EXPORT_ENV`.
void withhold_from_srun(std::vector<model::LaunchStep>& steps, size_t first);

/// Whether what is written names a file that shells read to which somebody talks: `~/.bashrc`.
bool names_startup_file(std::string_view written);

/// `echo "export NAME=value" >> ~/.bashrc`: missteps.
void add_startup(const std::vector<model::LaunchWord>& words, text::Span span,
                 const ShellContext& context, std::vector<model::LaunchStep>& into);

/// `#SBATCH --export=ALL,NAME=value`, without the `#`.
void read_directive(std::vector<model::LaunchWord> words, std::vector<model::LaunchStep>& into);

/// `echo NAME=value` whose output is what a workflow sets for its later steps.
void add_echoed(const std::vector<model::LaunchWord>& words, text::Span span,
                const ShellContext& context, std::vector<model::LaunchStep>& into);

/// Whether the program runs what it is given as shell text.
bool is_shell_program(std::string_view name);

/// `0` or `0,` with `1` behind a blank: a list of devices that ends too early.
bool is_cut_list(const model::LaunchWord& value, std::string_view rest);

/// `key:value`, as in an allocator string.
bool is_option_text(std::string_view text);

/// A variable that holds allocator settings.
bool is_allocator_variable(std::string_view name);

/// `"NAME": "value"` of variables that we know, in a text that holds a JSON map.
std::vector<model::LaunchSetting> settings_in_json(const MappedText& text);

/// Takes the whole environment away from a start.
void withhold_all(model::LaunchStep& start, const knowledge::LauncherRow& row);

/// The beginning of the shell that a step starts, with what it keeps from that shell.
model::LaunchStep entered_by(const model::LaunchStep& starter);

/// `K=V` behind `-e`, `-x` and the like, and what a container is given. What stands too far behind
/// to be an option is given back.
std::vector<model::LaunchSetting> read_options(model::LaunchStep& start);

}  // namespace vramlint::frontends
