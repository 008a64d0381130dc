// SPDX-License-Identifier: MIT
//
// A variable that a launch file sets in a way that no program gets to see, or not as it is meant:
// each page has the ways that it speaks of.
#include <algorithm>
#include <array>
#include <utility>

#include "rules/check.h"
#include "rules/source_edits.h"
#include "settings/allocator_string.h"

namespace vramlint::rules {
namespace {

using model::Misstep;
using replay::Observation;
using replay::ObservationKind;

struct Way {
  Misstep misstep;
  std::string_view page;
  std::string_view problem;
};

constexpr std::array<Way, 26> ways = {{
    {Misstep::not_exported, "setting-not-exported", ""},
    {Misstep::after_start, "setting-after-start", ""},
    {Misstep::foreign_words, "setting-in-foreign-words", "these are the words of another shell"},
    {Misstep::no_shell, "setting-in-foreign-words",
     "no shell reads this list, and its first word is the program"},
    {Misstep::program_option, "setting-in-foreign-words",
     "what stands behind the image is for the program in it"},
    {Misstep::taken_for_program, "setting-in-foreign-words", ""},
    {Misstep::spaces, "setting-cut-short", "the blanks around `=` make it something else"},
    {Misstep::cut_value, "setting-cut-short",
     "the value ends at the blank, comma or `;` inside it"},
    {Misstep::no_equals, "setting-cut-short", "without an `=` it is the name of a variable"},
    {Misstep::unquoted, "setting-cut-short",
     "without quotes PowerShell takes it for a command or a list"},
    {Misstep::comment_kept, "setting-cut-short", "a `#` begins no comment behind an instruction"},
    {Misstep::withheld, "setting-withheld", ""},
    {Misstep::subshell, "setting-lost-with-shell", "the subshell in these brackets"},
    {Misstep::own_shell, "setting-lost-with-shell", ""},
    {Misstep::build_argument, "setting-as-build-argument", "`ARG` is there for the build alone"},
    {Misstep::quotes_kept, "quotes-in-setting", ""},
    {Misstep::next_session, "setting-for-later-sessions", "the sessions to come"},
    {Misstep::later_steps, "setting-for-later-sessions", "the steps below"},
    {Misstep::child_shell, "setting-lost-with-shell", "the shell that runs this script"},
    {Misstep::pipeline, "setting-lost-with-shell", "the subshell on this side of the `|`"},
    {Misstep::startup_file, "setting-for-later-sessions", "shells that somebody sits before"},
    {Misstep::named_by_value, "setting-in-foreign-words",
     "the shell puts the value of the variable in place of its name"},
    {Misstep::second_set, "setting-cut-short",
     "`set` takes all of its line for the value of the first variable"},
    {Misstep::other_stage, "setting-as-build-argument",
     "this stage is for the build alone, and the image is made from another"},
    {Misstep::mapping_for_list, "setting-cut-short",
     "Kubernetes refuses a mapping for the list of variables"},
    {Misstep::mapping_entry, "setting-cut-short", "compose refuses a mapping in this list"},
}};

const Way* way_of(const CheckContext& context, const Observation& seen) {
  const auto found = std::ranges::find_if(ways, [&](const Way& way) {
    return way.misstep == seen.misstep && way.page == context.page.name;
  });
  return found == ways.end() ? nullptr : &*found;
}

bool is_allocator_string(const CheckContext& context, std::string_view name) {
  const knowledge::VariableRow* row = context.knowledge.variable(name);
  return row != nullptr && row->allocator_string;
}

/// Whether the assignment is all that its line does: behind `declare`, beside another one or with
/// the output of a command, whose failure `export` would hide, it takes more than a word.
bool stands_alone(const CheckContext& context, replay::Place place) {
  const text::Source& source = *context.timeline.files[place.file];
  const std::string_view line = source.line(source.position_of(place.span.begin).line);
  const size_t begin = line.find_first_not_of(" \t");
  const std::string_view assignment = context.text(place);
  if (begin == line.npos || !line.substr(begin).starts_with(assignment)) return false;
  std::string_view rest = line.substr(begin + assignment.size());
  rest = rest.substr(0, rest.find_last_not_of(" \t\r;") + 1);
  const bool ends = rest.empty() || rest.find_first_not_of(" \t") == rest.find('#');
  return ends && assignment.find('=') < assignment.find_first_of(" \t") &&
         assignment.find_first_of("`") == assignment.npos &&
         assignment.find("$(") == assignment.npos;
}

/// Whether the program would fail once it gets the value: that some release of the target refuses
/// the allocator string.
bool is_refused(const CheckContext& context, const Observation& seen) {
  if (!is_allocator_string(context, seen.name)) return false;
  const knowledge::AllocatorTables tables = context.knowledge.allocator_tables();
  const knowledge::Platform platform =
      settings::platform_for(seen.name, tables, context.target.platform);
  return std::ranges::any_of(context.target.torch, [&](knowledge::Version release) {
    return !settings::read_allocator_string(seen.value.text, release, tables, platform).accepted;
  });
}

/// `export ` in front of the assignment; in PowerShell `$env:NAME` for `$NAME`.
std::optional<RawFix> exported(const CheckContext& context, const Observation& seen) {
  if (is_refused(context, seen)) return std::nullopt;
  replay::Place place = context.event(seen.event).place;
  const bool is_powershell =
      context.timeline.files[place.file]->language() == text::Language::powershell;
  if (!is_powershell && !stands_alone(context, place)) return std::nullopt;
  if (is_powershell) ++place.span.begin;
  place.span.end = place.span.begin;
  return fix_of(Applicability::safe, "export it", place, is_powershell ? "env:" : "export ");
}

/// The value without the quotes around it.
std::optional<RawFix> without_quotes(const CheckContext& context, const Observation& seen) {
  const std::optional<replay::Place>& literal = seen.value.literal;
  if (!literal || literal->span.begin == 0) return std::nullopt;
  const replay::Place whole{literal->file, {literal->span.begin - 1, literal->span.end + 1}};
  const std::string_view text = context.text(whole);
  const bool fits = text.size() == seen.value.text.size() + 2 && text.front() == text.back() &&
                    (text.front() == '"' || text.front() == '\'');
  const bool has_blank = seen.value.text.find_first_of(" &|<>^#") != std::string_view::npos;
  if (!fits || has_blank) return std::nullopt;
  return fix_of(Applicability::safe, "leave out the quotes", whole, std::string(seen.value.text));
}

text::Language language_of(const CheckContext& context, const Observation& seen) {
  return context.timeline.files[context.event(seen.event).place.file]->language();
}

/// Whose shell it is that ends too early.
std::string own_shell_of(text::Language language) {
  using text::Language;
  if (language == Language::dockerfile) return "the shell of this `RUN`";
  if (language == Language::notebook) return "the shell of this cell";
  return language == Language::systemd ? "this command" : "the shell of this step";
}

/// What helps wherever it stands.
constexpr std::array<std::pair<Misstep, std::string_view>, 6> remedies = {{
    {Misstep::subshell, "export it outside of the brackets"},
    {Misstep::pipeline, "export it in a command of its own"},
    {Misstep::child_shell, "source it: `. FILE`"},
    {Misstep::named_by_value, "leave out the `$`"},
    {Misstep::later_steps, "set it in `env` of the step, or export it as well"},
    {Misstep::next_session, "write `set NAME=value` or `$env:NAME = \"value\"` as well"},
}};

/// `nohup NAME=value python x.py`: what helps depends on who reads the word.
std::string remedy_for_word(const CheckContext& context, const Observation& seen) {
  using knowledge::LauncherRole;
  const knowledge::LauncherRow* row =
      seen.cause ? context.knowledge.launcher(context.text(context.event(seen.cause->event).place))
                 : nullptr;
  const std::string front = "write it in front of the whole command";
  if (row != nullptr && row->role == LauncherRole::container)
    return "begin what the container runs with `env`";
  return row != nullptr && row->role == LauncherRole::program ? front : front + ", or behind `env`";
}

/// What helps, where that is another thing in another file.
std::string remedy_for(const CheckContext& context, const Observation& seen) {
  using text::Language;
  const std::string name(seen.name);
  const Language language = language_of(context, seen);
  const auto known =
      std::ranges::find(remedies, seen.misstep, [](const auto& each) { return each.first; });
  if (known != remedies.end()) return std::string(known->second);
  if (seen.misstep == Misstep::withheld) {
    const knowledge::LauncherRow* row = context.knowledge.launcher(seen.value.text);
    return row == nullptr ? "name it in the command" : std::string(row->remedy);
  }
  if (language == Language::python)
    return "give it in the child's environment: `env={**os.environ, \"" + name + "\": \"…\"}`";
  if (seen.misstep == Misstep::taken_for_program) return remedy_for_word(context, seen);
  if (seen.misstep == Misstep::program_option)
    return "write `-e " + name + "=…` in front of the image";
  if (language == Language::dockerfile) return "write `ENV " + name + "=…`";
  if (language == Language::systemd) return "write `Environment=" + name + "=…`";
  if (language == Language::notebook)
    return "`%env " + name + "=…` sets it for the kernel and for all that it starts";
  if (seen.misstep == Misstep::no_shell)
    return "set it in `environment` or `env`, or begin the list with `env`";
  if (seen.misstep == Misstep::own_shell)
    return "set it in `env` of the job, or write `" + name + "=…` to `$GITHUB_ENV`";
  return "bash: `export NAME=value`; csh: `setenv NAME value`; cmd: `set NAME=value`; PowerShell: "
         "`$env:NAME = \"value\"`";
}

void report(CheckContext& context, const Observation& seen, const Way& way) {
  diagnostics::Severity severity = context.severity();
  const bool is_lax =
      way.misstep == Misstep::quotes_kept && !is_allocator_string(context, seen.name);
  // Whether a program reads such a file by itself is seen of its own script only.
  const bool is_dotenv = language_of(context, seen) == text::Language::dotenv;
  const bool is_python = language_of(context, seen) == text::Language::python;
  if (is_lax || is_dotenv || seen.conditional || (is_python && seen.uncalled))
    severity = std::min(severity, diagnostics::Severity::warning);
  std::string problem(way.problem);
  if (way.misstep == Misstep::own_shell) problem = own_shell_of(language_of(context, seen));
  if (way.misstep == Misstep::no_shell && language_of(context, seen) == text::Language::systemd)
    problem = "no shell reads this line";
  if (way.misstep == Misstep::no_shell && is_python)
    problem = "no shell reads this command, and its first word is the program";
  if (way.misstep == Misstep::taken_for_program) {
    const std::string who =
        seen.cause ? "`" + std::string(context.text(context.event(seen.cause->event).place)) + "`"
                   : "the command";
    problem = who + " takes this word for the program to start";
  }
  RawFinding finding = context.finding_at(context.event(seen.event).place, severity,
                                          {{"variable", std::string(seen.name)},
                                           {"problem", std::move(problem)},
                                           {"remedy", remedy_for(context, seen)}});
  if (seen.cause && way.misstep != Misstep::taken_for_program)
    finding.related.push_back(
        {context.event(seen.cause->event).place, "the program is started here"});
  if (way.misstep == Misstep::not_exported && is_dotenv)
    finding.help = "write `set -a` above the line that sources this file";
  if (way.misstep == Misstep::not_exported && !is_dotenv) finding.fix = exported(context, seen);
  if (way.misstep == Misstep::quotes_kept) finding.fix = without_quotes(context, seen);
  context.report(std::move(finding));
}

/// Whether the file sets the variable for its own session as well.
bool is_set_here_too(const CheckContext& context, const Observation& lost) {
  return std::ranges::any_of(context.timeline.observations, [&](const Observation& seen) {
    return seen.kind == ObservationKind::variable_write && seen.name == lost.name &&
           context.event(seen.event).place.file == context.event(lost.event).place.file;
  });
}

}  // namespace

void check_unseen_setting(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    if (seen.kind != ObservationKind::variable_unseen) continue;
    if (seen.in_test && language_of(context, seen) == text::Language::python) continue;
    if (seen.misstep == Misstep::next_session && is_set_here_too(context, seen)) continue;
    if (const Way* way = way_of(context, seen)) report(context, seen, *way);
  }
}

}  // namespace vramlint::rules
