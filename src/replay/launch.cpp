// SPDX-License-Identifier: MIT
//
// Runs the steps of a launch file in their order: what a variable holds, whether programs get it,
// and which they are. A write that reaches a program is the same observation as a write by a Python
// program before anything has happened, so that the same checks speak of it. Nothing is expanded
// that the file itself does not say.
#include "replay/launch.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "frontends/project.h"
#include "replay/launch_environment.h"
#include "replay/launch_outlook.h"
#include "replay/written_reads.h"

namespace vramlint::replay {
namespace {

using model::LaunchPart;
using model::LaunchSetting;
using model::LaunchStep;
using model::LaunchStepKind;
using model::LaunchWord;
using model::Misstep;

/// What is beyond was written by no person.
constexpr size_t most_observations = 10'000;

/// No variable holds more: what doubles itself line by line is not followed.
constexpr size_t longest_value = 64 << 10;

/// Files whose names say that what they start is tested, measured or looked into.
bool is_for_tests(std::string_view path) {
  constexpr std::array<std::string_view, 9> words = {".github/",   "workflows/",      ".gitlab-ci",
                                                     ".buildkite", "azure-pipelines", "test",
                                                     "debug",      "profil",          "sanitiz"};
  return std::ranges::any_of(
      words, [&](std::string_view word) { return path.find(word) != std::string_view::npos; });
}

class LaunchRun {
 public:
  LaunchRun(const model::Launch& launch, const knowledge::Knowledge& knowledge, model::Names& names)
      : launch_(launch),
        knowledge_(knowledge),
        names_(names),
        outlook_(outlook_of(launch, knowledge)) {
    made_.timeline.files.push_back(launch.source);
    for (const auto& source : launch.sourced) made_.timeline.files.push_back(source);
    made_.timeline.events.emplace_back();
    for (const LaunchStep& step : launch.steps) {
      if (step.kind == LaunchStepKind::set) set_somewhere_.insert(step.name);
    }
    std::ranges::copy_if(
        set_somewhere_, std::back_inserter(known_names_),
        [&](const std::string& name) { return knowledge.variable(name) != nullptr; });
    // Which calls the programs make is not known here.
    made_.timeline.complete = false;
    in_test_ = frontends::is_test_file(launch.source->path());
    is_for_tests_ = is_for_tests(launch.source->path());
  }

  LaunchReplay run() {
    debugs_ = outlook_.after.front().debugged;
    const std::vector<Observation>& seen = made_.timeline.observations;
    for (at_ = 0; at_ < launch_.steps.size() && seen.size() < most_observations; ++at_)
      take(launch_.steps[at_]);
    return std::move(made_);
  }

 private:
  /// A shell that was started without the environment.
  struct Keeper {
    const LaunchStep* step;
    size_t level;
    bool sources = false;  ///< it has read a file that may set anything
  };

  void take(const LaunchStep& step) {
    file_ = step.file;
    switch (step.kind) {
      case LaunchStepKind::enter: enter(step); break;
      case LaunchStepKind::leave: leave(); break;
      case LaunchStepKind::set: set(step); break;
      case LaunchStepKind::publish: publish(step); break;
      case LaunchStepKind::remove: remove(step); break;
      case LaunchStepKind::start: start(step); break;
      case LaunchStepKind::misstep: miss(step); break;
    }
  }

  EventId event_at(Place place) {
    made_.timeline.events.push_back({place, {}});
    return static_cast<EventId>(made_.timeline.events.size() - 1);
  }

  Observation observation(ObservationKind kind, const LaunchStep& step, Place place,
                          std::string_view name) {
    Observation seen;
    seen.kind = kind;
    seen.event = event_at(place);
    seen.name = kept(name);
    seen.form = WriteForm::other;
    seen.conditional = step.conditional;
    seen.uncalled = step.in_function;
    seen.in_test = in_test_;
    return seen;
  }

  std::string_view kept(std::string_view text) { return names_.text(names_.intern(text)); }

  /// What a word amounts to, as far as the file says so.
  KnownValue value_of(const LaunchWord& word, std::string_view own_name, bool& preset) {
    KnownValue value;
    preset = false;
    if (const std::string* plain = word.plain()) return text_value(*plain, word.inner, true);
    const bool only_preset = word.parts.size() == 1 && word.parts[0].has_preset;
    std::string text;
    bool known = true;
    size_t known_from = 0;
    for (const LaunchPart& part : word.parts) {
      const std::optional<std::string> piece = environment_.text_of(part);
      if (piece) {
        text += *piece;
        if (text.size() > longest_value) return value;
        continue;
      }
      if (only_preset) {
        preset = true;
        return text_value(part.preset, part.preset_span, true);
      }
      if (part.has_preset) {
        preset = true;
        text += part.preset;
        continue;
      }
      known = false;
      text.clear();
      ++known_from;
    }
    if (known) return text_value(text, word.inner, false);
    const LaunchPart& first = word.parts.front();
    const bool ends_known = known_from == 1 && first.kind == LaunchPart::Kind::variable;
    if (!ends_known || text.empty()) return value;
    value.kind = KnownValue::Kind::ending;
    value.text = kept(text);
    const bool is_set = environment_.find(first.text) != nullptr;
    value.perhaps_all = first.text == own_name && !first.has_preset && !is_set;
    return value;
  }

  KnownValue text_value(std::string_view text, text::Span inner, bool plain) {
    KnownValue value;
    value.kind = KnownValue::Kind::text;
    value.text = kept(text);
    value.plain = plain;
    if (plain && inner.end > inner.begin) value.literal = Place{file_, inner};
    return value;
  }

  void set(const LaunchStep& step) {
    read_json(step);
    if (outlook_.read_below[at_]) read_in_place_.insert({step.file, step.span.begin});
    bool preset = false;
    KnownValue value = value_of(step.value, step.name, preset);
    if (step.appends) {
      value.kind = value.kind == KnownValue::Kind::text ? KnownValue::Kind::ending
                                                        : KnownValue::Kind::unknown;
      value.perhaps_all = true;
    }
    if (step.for_later) return write(step, step, value, preset, {});
    LaunchVariable& variable = environment_.change(step.name);
    const bool was_exported = variable.exported;
    const LaunchVariable before = variable;
    variable.step = &step;
    const bool is_text = value.kind == KnownValue::Kind::text && !preset;
    variable.value = is_text ? std::optional(std::string(value.text)) : std::nullopt;
    variable.exported = was_exported || step.exported || environment_.publishes_all();
    variable.certain = !step.conditional && !step.in_function && !step.only_unset;
    variable.inner = value.literal ? value.literal->span : step.span;
    variable.level = environment_.level();
    if (variable.exported) return write(step, step, value, preset || step.only_unset, before);
    note_unexported(step);
  }

  void write(const LaunchStep& step, const LaunchStep& source, const KnownValue& value,
             bool only_unset, const LaunchVariable& before) {
    Observation seen =
        observation(ObservationKind::variable_write, step, {source.file, source.span}, step.name);
    seen.value = value;
    if (only_unset) seen.form = WriteForm::set_default;
    // A run for a fault or a test is one that somebody has chosen.
    seen.conditional |= is_for_tests_ || outlook_.after[at_].debugged;
    if (before.step != nullptr) seen.before = Certainty::yes;
    made_.timeline.observations.push_back(std::move(seen));
    const bool may_be_late = step.exported && !step.for_later;
    if (may_be_late && !outlook_.after[at_].anything) note_late(step, value);
  }

  /// `export NAME` of a variable that has a value already.
  void publish(const LaunchStep& step) {
    if (step.publishes_all) return environment_.publish_all(true);
    LaunchVariable& variable = environment_.change(step.name);
    if (std::exchange(variable.exported, true) || variable.step == nullptr) return;
    bool preset = false;
    file_ = variable.step->file;
    const KnownValue value = value_of(variable.step->value, step.name, preset);
    write(step, *variable.step, value, preset || variable.step->only_unset, {});
  }

  void remove(const LaunchStep& step) {
    if (step.publishes_all) return environment_.publish_all(false);
    environment_.remove(step.name);
    made_.timeline.observations.push_back(
        observation(ObservationKind::variable_removal, step, {step.file, step.span}, step.name));
  }

  const knowledge::VariableRow* row_of(std::string_view name) const {
    const knowledge::VariableRow* row = knowledge_.variable(name);
    return row != nullptr && row->name == name ? row : nullptr;
  }

  /// `$NAME` somewhere else: then it may well be a variable of the script alone.
  bool is_used_as_text(const LaunchStep& step) {
    const auto [known, fresh] = used_.try_emplace(step.name, false);
    if (!fresh) return known->second;
    for (uint32_t file = 0; file <= launch_.sourced.size() && !known->second; ++file) {
      const std::string_view bytes = launch_.file(file)->bytes();
      for (size_t at = bytes.find(step.name); at != npos && !known->second;
           at = bytes.find(step.name, at + 1)) {
        const std::string_view front = bytes.substr(0, at);
        const bool is_own = file == step.file && at - step.span.begin <= 1;
        known->second = !is_own && (front.ends_with('$') || front.ends_with("${"));
      }
    }
    return known->second;
  }

  void note_unexported(const LaunchStep& step) {
    if (row_of(step.name) == nullptr || !outlook_.after[at_].program) return;
    if (outlook_.handed_on.contains(step.name) || is_used_as_text(step)) return;
    Observation seen =
        observation(ObservationKind::variable_unseen, step, {step.file, step.span}, step.name);
    seen.misstep = Misstep::not_exported;
    bool preset = false;
    seen.value = value_of(step.value, step.name, preset);
    const LaunchStep& program = launch_.steps[outlook_.after[at_].next_program];
    seen.cause = MomentState{Certainty::yes, event_at({program.file, program.span})};
    made_.timeline.observations.push_back(std::move(seen));
  }

  void note_late(const LaunchStep& step, const KnownValue& value) {
    const knowledge::VariableRow* row = row_of(step.name);
    if (row == nullptr || step.conditional || step.in_function ||
        last_program_ == LaunchOutlook::no_step)
      return;
    if (environment_.is_inner() || (!row->off_value.empty() && row->off_value == value.text))
      return;
    Observation seen =
        observation(ObservationKind::variable_unseen, step, {step.file, step.span}, step.name);
    seen.misstep = Misstep::after_start;
    seen.cause = MomentState{Certainty::yes, event_at({launch_.steps[last_program_].file,
                                                       launch_.steps[last_program_].span})};
    made_.timeline.observations.push_back(std::move(seen));
  }

  /// Variables in a JSON map that some later command takes.
  void read_json(const LaunchStep& step) {
    for (const LaunchSetting& setting : step.own) write_own(step, setting, next_process_++, false);
  }

  void write_own(const LaunchStep& step, const LaunchSetting& setting, uint32_t process,
                 bool debugged) {
    bool preset = false;
    Observation seen =
        observation(ObservationKind::variable_write, step, {step.file, setting.span}, setting.name);
    seen.value = value_of(setting.value, setting.name, preset);
    if (preset) seen.form = WriteForm::set_default;
    seen.process = process;
    seen.conditional |= is_for_tests_ || debugged;
    made_.timeline.observations.push_back(std::move(seen));
  }

  void start(const LaunchStep& step) {
    const LaunchedProgram& program = outlook_.programs[at_];
    const uint32_t process = step.own.empty() ? 0 : next_process_++;
    for (const LaunchSetting& setting : step.own)
      write_own(step, setting, process, program.debugged);
    if (step.words.empty()) return;
    Observation seen =
        observation(ObservationKind::program_started, step, {step.file, step.span}, program.name);
    seen.process = process;
    seen.small_shared_memory = step.small_shared_memory;
    for (const LaunchWord& word : step.words) {
      bool preset = false;
      seen.arguments.push_back({{}, value_of(word, {}, preset), Place{step.file, word.span}});
    }
    made_.timeline.observations.push_back(std::move(seen));
    change_folder(step);
    const bool certain = !step.conditional && !step.in_function;
    const bool sources = step.words[0].beginning() == "source" || step.words[0].beginning() == ".";
    if (sources && !keepers_.empty()) keepers_.back().sources = true;
    if (program.runs_python && !program.debugged && !step.in_function) note_withheld(step);
    if (program.runs_python && !step.contained && certain) last_program_ = at_;
    if (!step.contained) add_configuration(step);
    if (program.script != nullptr && !step.contained) add_script(step, program);
    if (program.runs_input && !step.contained) add_input(step, program);
  }

  void enter(const LaunchStep& step) {
    environment_.enter();
    if (withholds_environment(step)) keepers_.push_back({&step, environment_.level()});
  }

  void leave() {
    environment_.leave();
    while (!keepers_.empty() && keepers_.back().level > environment_.level()) keepers_.pop_back();
  }

  /// Whether the program gets nothing of what the shells around it have exported.
  bool is_kept_from(const LaunchStep& step, const LaunchVariable& variable) const {
    return withholds_environment(step) ||
           (!keepers_.empty() && variable.level < keepers_.back().level);
  }

  /// What is exported here, for a program that is started without it.
  void note_withheld(const LaunchStep& step) {
    const bool is_own = withholds_environment(step);
    if (!is_own && (keepers_.empty() || keepers_.back().sources || !names_all(step))) return;
    const LaunchStep& keeper = is_own ? step : *keepers_.back().step;
    for (const std::string& name : known_names_) {
      const LaunchVariable* found = environment_.find(name);
      if (found == nullptr || row_of(name) == nullptr) continue;
      const LaunchVariable& variable = *found;
      if (!variable.exported || !variable.certain || variable.step == nullptr) continue;
      if (!is_kept_from(step, variable)) continue;
      const auto set_at = static_cast<size_t>(variable.step - launch_.steps.data());
      if (is_handed_over(name, keeper) || outlook_.read_below[set_at]) continue;
      if (reads_.is_read_beside(*variable.step)) continue;
      if (!noted_withheld_.insert(variable.step).second) continue;
      Observation seen = observation(ObservationKind::variable_unseen, step,
                                     {variable.step->file, variable.step->span}, name);
      seen.misstep = Misstep::withheld;
      seen.conditional |= keeper.may_keep;
      seen.value.text = kept(keeper.withheld_by);
      seen.cause = MomentState{Certainty::yes, event_at({step.file, step.span})};
      made_.timeline.observations.push_back(std::move(seen));
    }
  }

  /// Whether all words are known up to the program: `$ENVIRONMENT python x.py` may set anything.
  bool names_all(const LaunchStep& step) const {
    for (const LaunchWord& word : step.words) {
      const std::string* plain = word.plain();
      if (plain == nullptr) return false;
      const knowledge::LauncherRow* row = knowledge_.launcher(*plain);
      if (row != nullptr && row->role == knowledge::LauncherRole::program) return true;
    }
    return true;
  }

  /// Given to some program by its name, or under the name that its launcher asks for.
  bool is_handed_over(const std::string& name, const LaunchStep& keeper) const {
    if (outlook_.named.contains(name)) return true;
    const knowledge::LauncherRow* row = knowledge_.launcher(keeper.withheld_by);
    return row != nullptr &&
           std::ranges::any_of(row->handing_prefixes, [&](std::string_view prefix) {
             const std::string other = std::string(prefix) + name;
             return environment_.find(other) != nullptr || outlook_.named.contains(other);
           });
  }

  /// `cd src`; nothing is known of the folder behind `cd $DIR`. `cd "$(dirname "$0")"` is the
  /// folder of the file itself.
  void change_folder(const LaunchStep& step) {
    const std::string* name = step.words[0].plain();
    if (name == nullptr || (*name != "cd" && *name != "pushd" && *name != "popd")) return;
    const LaunchWord* to = step.words.size() > 1 ? &step.words[1] : nullptr;
    const std::string* plain = to != nullptr ? to->plain() : nullptr;
    const bool is_below = plain != nullptr && *name != "popd" && !plain->starts_with('/') &&
                          plain->find("..") == std::string::npos && !step.in_function;
    if (is_below) {
      folder_ += *plain == "." ? "" : *plain + (plain->ends_with('/') ? "" : "/");
    } else if (const auto own = to == nullptr ? std::nullopt : from_own_folder(*to, step.file)) {
      folder_ = *own;
    } else {
      knows_folder_ = false;
    }
  }

  /// `"$(dirname "$0")/../src"` as `../src/`; nothing for other words.
  std::optional<std::string> from_own_folder(const LaunchWord& word, uint32_t file) const {
    constexpr std::string_view call = "dirname";
    constexpr std::string_view up = "../";
    const std::string_view written = launch_.file(file)->slice(word.span);
    if (written.find(call) == npos || word.parts.empty()) return std::nullopt;
    const bool has_tail = word.parts.size() == 2 && word.parts[1].kind == LaunchPart::Kind::text;
    const bool is_known =
        word.parts[0].kind == LaunchPart::Kind::unknown && (word.parts.size() == 1 || has_tail);
    if (!is_known) return std::nullopt;
    std::string_view tail = has_tail ? std::string_view(word.parts[1].text) : std::string_view();
    const std::string_view inside = written.substr(0, written.rfind(')'));
    std::string folder;
    // Each call beyond the first goes up by one, as `..` does.
    for (size_t at = inside.find(call); at != npos; at = inside.find(call, at + 1)) folder += up;
    folder.erase(0, up.size());
    for (size_t at = inside.find("/.."); at != npos; at = inside.find("/..", at + 1)) folder += up;
    tail.remove_prefix(std::min(tail.find_first_not_of('/'), tail.size()));
    if (!tail.empty()) folder += std::string(tail) + (tail.ends_with('/') ? "" : "/");
    return folder;
  }

  /// A file that is named in the folder that programs are started in.
  std::string found_at(const std::string& written) const {
    return written.starts_with('/') ? written : folder_ + written;
  }

  void add_configuration(const LaunchStep& step) {
    const std::string written = configuration_of(step, knowledge_);
    if (!written.empty() && knows_folder_) made_.configurations.push_back(found_at(written));
  }

  void add_script(const LaunchStep& step, const LaunchedProgram& program) {
    if (!knows_folder_) return;
    LaunchedScript script{found_at(*program.script), environment_of(step, program), {}};
    if (!script.environment.empty()) made_.scripts.push_back(std::move(script));
  }

  /// `python - <<EOF`
  void add_input(const LaunchStep& step, const LaunchedProgram& program) {
    // What a sourced file holds is read with that file.
    if (step.input.empty() || step.file != 0) return;
    made_.scripts.push_back(
        {knows_folder_ ? folder_ : "", environment_of(step, program), step.input, step.filled_in});
  }

  /// The variables that we know, as the program gets them.
  std::vector<StartingVariable> environment_of(const LaunchStep& step,
                                               const LaunchedProgram& program) {
    std::vector<StartingVariable> made;
    const bool in_test = in_test_ || is_for_tests_ || program.debugged || debugs_;
    for (const std::string& name : known_names_) {
      const LaunchVariable* found = environment_.find(name);
      if (found == nullptr) continue;
      const LaunchVariable& variable = *found;
      if (!variable.exported || variable.step == nullptr || !variable.certain) continue;
      const bool withheld = std::ranges::find(step.withheld, name) != step.withheld.end() ||
                            is_kept_from(step, variable);
      const bool replaced = std::ranges::any_of(
          step.own, [&](const LaunchSetting& setting) { return setting.name == name; });
      if (withheld || replaced) continue;
      made.push_back({name, variable.value.value_or(""), variable.value.has_value(),
                      launch_.file(variable.step->file), variable.step->span, variable.inner,
                      in_test});
    }
    for (const LaunchSetting& setting : step.own) {
      if (knowledge_.variable(setting.name) == nullptr) continue;
      bool preset = false;
      const KnownValue value = value_of(setting.value, setting.name, preset);
      const bool known = value.kind == KnownValue::Kind::text && !preset;
      made.push_back({setting.name, known ? std::string(value.text) : "", known,
                      launch_.file(step.file), setting.span, setting.value.inner, in_test});
    }
    return made;
  }

  void miss(const LaunchStep& step) {
    if (row_of(step.name) == nullptr) return;
    const bool is_of_no_use = step.misstep == Misstep::child_shell &&
                              (!outlook_.after[at_].program || set_somewhere_.contains(step.name));
    if (is_of_no_use) return;
    const bool is_made_up_for = step.misstep == Misstep::build_argument &&
                                (is_used_as_text(step) || set_somewhere_.contains(step.name));
    if (is_made_up_for) return;
    // What the stage itself starts has a use for it.
    const bool is_for_stage = step.misstep == Misstep::other_stage &&
                              read_in_place_.contains({step.file, step.span.begin});
    if (is_for_stage) return;
    bool preset = false;
    Observation seen =
        observation(ObservationKind::variable_unseen, step, {step.file, step.span}, step.name);
    seen.misstep = step.misstep;
    seen.value = value_of(step.value, step.name, preset);
    if (step.misstep == Misstep::taken_for_program)
      seen.cause = MomentState{Certainty::yes, event_at({step.file, step.words[0].span})};
    made_.timeline.observations.push_back(std::move(seen));
  }

  static constexpr size_t npos = std::string_view::npos;

  const model::Launch& launch_;
  const knowledge::Knowledge& knowledge_;
  model::Names& names_;
  const LaunchOutlook outlook_;
  LaunchReplay made_;
  LaunchEnvironment environment_;
  std::map<std::string, bool, std::less<>> used_;
  std::set<std::string, std::less<>> set_somewhere_;  ///< names that some step sets
  std::vector<std::string> known_names_;              ///< … those among them that we know
  WrittenReads reads_{launch_};
  std::set<const LaunchStep*> noted_withheld_;
  /// Where variables are set that something in the same shell or stage may use: file and place.
  std::set<std::pair<uint32_t, uint32_t>> read_in_place_;
  std::vector<Keeper> keepers_;  ///< of the shells around, from the outermost
  size_t at_ = 0;
  uint32_t file_ = 0;  ///< in which the words stand that are looked at
  size_t last_program_ = LaunchOutlook::no_step;
  uint32_t next_process_ = 1;
  bool in_test_ = false;
  bool is_for_tests_ = false;
  std::string folder_;  ///< in which programs are started, as far as `cd` says
  bool knows_folder_ = true;
  bool debugs_ = false;  ///< some program of the file is run by a debugger or for tests
};

}  // namespace

LaunchReplay replay_launch(const model::Launch& launch, const knowledge::Knowledge& knowledge,
                           model::Names& names) {
  return LaunchRun(launch, knowledge, names).run();
}

}  // namespace vramlint::replay
