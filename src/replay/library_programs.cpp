// SPDX-License-Identifier: MIT
//
// Programs that are started by command: what the command says decides which variables they read.
#include <algorithm>

#include "replay/child_programs.h"
#include "replay/holes.h"
#include "replay/interpreter.h"
#include "replay/library.h"

namespace vramlint::replay {
namespace {

using Words = std::vector<std::string>;

/// A word of a command; `sys.executable` is Python, whatever its path.
std::string word_of(const Interpreter& python, Value value) {
  const bool is_python = value.is(Kind::external) && python.text_of(value.id) == "sys.executable";
  std::string word;
  if (is_python) {
    word = "python";
  } else {
    add_with_holes(python, value, word);
  }
  return word;
}

/// The items of a list of words; whether they are all of them.
bool add_words(Interpreter& python, Value list, size_t from, Words& words) {
  std::vector<Value> items;
  if (!python.items_of(list, items)) return false;
  for (size_t i = from; i < items.size(); ++i) words.push_back(word_of(python, items[i]));
  return true;
}

bool is_text(Value value) { return value.is(Kind::string) || value.is(Kind::any_string); }

/// `env={…}` without a variable that this process has set, or with another value for it.
void add_left_out(Interpreter& python, Value given, std::vector<std::string>& unread) {
  if (!given.is(Kind::dict) || !python.dict_is_closed(given)) return;
  if (python.object_of(given).child_environment) return;
  const std::vector<uint32_t> names = python.objects_[python.environment_].slot_names;
  for (const uint32_t name : names) {
    const Value own = python.get(python.environment_, name);
    const Value other = python.get(given.id, name);
    const bool is_other = other.is(Kind::absent) ||
                          (other.is(Kind::string) && own.is(Kind::string) && !other.same_as(own));
    if (is_other && other.certainty == Certainty::yes) unread.emplace_back(python.text_of(name));
  }
}

/// Whether a value is one that no environment takes.
bool is_no_text(Value value) {
  return value.is(Kind::integer) || value.is(Kind::boolean) || value.is(Kind::real) ||
         value.is(Kind::none);
}

/// Numbers in `env={…}`.
void observe_numbers(Interpreter& python, Value given, Place site) {
  if (python.stopped() || !given.is(Kind::dict)) return;
  const std::vector<uint32_t> names = python.objects_[given.id].slot_names;
  for (const uint32_t name : names) {
    const Value value = python.get(given.id, name);
    const bool is_wrong = is_no_text(value) && value.certainty == Certainty::yes &&
                          python.knowledge_.variable(python.text_of(name)) != nullptr;
    if (!is_wrong) continue;
    Observation seen = python.observation_at(ObservationKind::child_variable_passed, site);
    seen.name = python.text_of(name);
    seen.value = python.known(value);
    python.observe(std::move(seen));
  }
}

/// What a command holds as if it set a variable: `["NAME=value", "python"]`.
void observe_missteps(Interpreter& python, const std::vector<model::LaunchStep>& steps,
                      Place site) {
  for (const model::LaunchStep& step : steps) {
    const bool is_misstep = step.kind == model::LaunchStepKind::misstep &&
                            (step.misstep == model::Misstep::no_shell ||
                             step.misstep == model::Misstep::taken_for_program);
    if (!is_misstep || python.stopped()) continue;
    Observation seen = python.observation_at(ObservationKind::variable_unseen, site);
    seen.name = python.text_of(python.intern(step.name));
    seen.misstep = step.misstep;
    python.observe(std::move(seen));
  }
}

Value start(Interpreter& python, std::vector<std::string> unread, Value environment, Place site) {
  python.charge(16);
  observe_numbers(python, environment, site);
  add_left_out(python, environment, unread);
  python.observe_program(unread, site, environment.is(Kind::absent));
  return Value::unknown();
}

Value start_text(Interpreter& python, Value text, Value environment, Place site) {
  if (!is_text(text)) return start(python, {}, environment, site);
  const std::vector<model::LaunchStep> steps = steps_of_text(word_of(python, text));
  observe_missteps(python, steps, site);
  return start(python, unread_by(steps, python.knowledge_), environment, site);
}

Value start_words(Interpreter& python, const Words& words, Value environment, Place site) {
  const std::vector<model::LaunchStep> steps = steps_of_words(words);
  observe_missteps(python, steps, site);
  return start(python, unread_by(steps, python.knowledge_), environment, site);
}

/// `subprocess.run(…)`. A list is for no shell, and a text alone names a program or is for one.
Value run_command(Interpreter& python, const Arguments& arguments, Place site) {
  python.observe_left_out(arguments, site);
  const Value command = arguments.named(python.intern("args"), 0);
  const Value environment = arguments.named(python.intern("env"), -1);
  const Value shell = arguments.named(python.intern("shell"), -1);
  const bool is_replaced = !arguments.named(python.intern("executable"), -1).is(Kind::absent);
  Words words;
  if (is_replaced) {
    start(python, {}, environment, site);
  } else if (is_text(command)) {
    const bool is_off = shell.is(Kind::absent) || (shell.is(Kind::boolean) && shell.payload == 0);
    const bool has_shell = !is_off || arguments.open;
    if (!has_shell) observe_missteps(python, steps_of_words({word_of(python, command)}), site);
    start_text(python, command, environment, site);
  } else if (!add_words(python, command, 0, words) || words.empty()) {
    start(python, {}, environment, site);
  } else if (shell.is(Kind::boolean) && shell.payload != 0) {
    // The shell reads the first item; the others are its parameters.
    start(python, unread_by(steps_of_text(words[0]), python.knowledge_), environment, site);
  } else {
    start_words(python, words, environment, site);
  }
  return python.external_instance("subprocess.Popen", arguments);
}

/// `os.system(text)`
Value run_text(Interpreter& python, const Arguments& arguments, Place site) {
  start_text(python, arguments.at(0), {}, site);
  return python.external_instance("subprocess.Popen", arguments);
}

/// `!command` in a notebook, where `{…}` stands for a value.
Value run_magic(Interpreter& python, const Arguments& arguments, Place site) {
  const Value command = arguments.at(0);
  if (!command.is(Kind::string)) return start(python, {}, {}, site);
  std::string text(python.text_of(command.id));
  constexpr std::string_view executable = "{sys.executable}";
  for (size_t at = text.find(executable); at != std::string::npos; at = text.find(executable, at))
    text.replace(at, executable.size(), "python");
  return start(python, unread_by(steps_of_text(text), python.knowledge_), {}, site);
}

/// `os.execv(path, [name, …])` at 0, `os.spawnv(mode, path, [name, …])` at 1; the environment last.
template <size_t path_at, bool has_environment>
Value run_listed(Interpreter& python, const Arguments& arguments, Place site) {
  const Value environment = has_environment ? arguments.at(path_at + 2) : Value();
  Words words = {word_of(python, arguments.at(path_at))};
  if (!add_words(python, arguments.at(path_at + 1), 1, words)) words.emplace_back(1, hole);
  start_words(python, words, environment, site);
  return python.external_instance("subprocess.Popen", arguments);
}

/// `os.execl(path, name, …)`, and an environment behind all of them.
template <size_t path_at, bool has_environment>
Value run_spread(Interpreter& python, const Arguments& arguments, Place site) {
  const std::vector<Value>& given = arguments.positional;
  const size_t end = given.size() - (has_environment && !given.empty() ? 1 : 0);
  Words words = {word_of(python, arguments.at(path_at))};
  for (size_t i = path_at + 2; i < end; ++i) words.push_back(word_of(python, given[i]));
  start_words(python, words, has_environment && !given.empty() ? given.back() : Value(), site);
  return python.external_instance("subprocess.Popen", arguments);
}

/// `asyncio.create_subprocess_exec(program, …)`
Value run_arguments(Interpreter& python, const Arguments& arguments, Place site) {
  const Value environment = arguments.named(python.intern("env"), -1);
  Words words;
  for (const Value word : arguments.positional) words.push_back(word_of(python, word));
  if (words.empty()) words.emplace_back(1, hole);
  start_words(python, words, environment, site);
  return python.external_instance("subprocess.Popen", arguments);
}

Value run_shell_text(Interpreter& python, const Arguments& arguments, Place site) {
  start_text(python, arguments.named(python.intern("cmd"), 0),
             arguments.named(python.intern("env"), -1), site);
  return python.external_instance("subprocess.Popen", arguments);
}

/// `ray.init(runtime_env={"env_vars": {…}})`
Value start_ray(Interpreter& python, const Arguments& arguments, Place site) {
  const Value runtime = arguments.named(python.intern("runtime_env"), -1);
  if (runtime.is(Kind::dict))
    observe_numbers(python, python.get(runtime.id, python.intern("env_vars")), site);
  start(python, {}, {}, site);
  return python.external_instance("subprocess.Popen", arguments);
}

/// What starts processes of Python whatever it is given.
Value start_python(Interpreter& python, const Arguments& arguments, Place site) {
  start(python, {}, {}, site);
  return python.external_instance("subprocess.Popen", arguments);
}

/// `shlex.split(text)` of a text without quotes is `text.split()`.
Value split_command(Interpreter& python, const Arguments& arguments, Place site) {
  const Value text = arguments.at(0);
  if (!is_text(text)) return Value::unknown();
  const bool is_quoted = word_of(python, text).find_first_of("'\"\\#") != std::string::npos;
  if (is_quoted) return Value::unknown();
  return python.call_method(text, python.intern("split"), {}, site);
}

constexpr LibraryFunction functions[] = {
    {"shlex.split", split_command},
    {"os.system", run_text},
    {"os.popen", run_text},
    {"subprocess.getoutput", run_shell_text},
    {"subprocess.getstatusoutput", run_shell_text},
    {"asyncio.create_subprocess_shell", run_shell_text},
    {"IPython.system", run_magic},
    {"subprocess.run", run_command},
    {"subprocess.call", run_command},
    {"subprocess.check_call", run_command},
    {"subprocess.check_output", run_command},
    {"subprocess.Popen", run_command},
    {"asyncio.create_subprocess_exec", run_arguments},
    {"os.execv", run_listed<0, false>},
    {"os.execvp", run_listed<0, false>},
    {"os.execve", run_listed<0, true>},
    {"os.execvpe", run_listed<0, true>},
    {"os.posix_spawn", run_listed<0, true>},
    {"os.posix_spawnp", run_listed<0, true>},
    {"os.spawnv", run_listed<1, false>},
    {"os.spawnvp", run_listed<1, false>},
    {"os.spawnve", run_listed<1, true>},
    {"os.spawnvpe", run_listed<1, true>},
    {"os.execl", run_spread<0, false>},
    {"os.execlp", run_spread<0, false>},
    {"os.execle", run_spread<0, true>},
    {"os.execlpe", run_spread<0, true>},
    {"os.spawnl", run_spread<1, false>},
    {"os.spawnlp", run_spread<1, false>},
    {"os.spawnle", run_spread<1, true>},
    {"os.spawnlpe", run_spread<1, true>},
    {"torch.distributed.run.main", start_python},
    {"torch.distributed.run.run", start_python},
    {"torch.distributed.launch.main", start_python},
    {"ray.init", start_ray},
    {"accelerate.notebook_launcher", start_python},
};

}  // namespace

std::span<const LibraryFunction> program_functions() { return functions; }

}  // namespace vramlint::replay
