// SPDX-License-Identifier: MIT
//
// The functions of `os`, `sys`, `copy` and `importlib` that a replay has to follow.
#include "frontends/launch/launch.h"
#include "replay/interpreter.h"
#include "replay/library.h"
#include "support/paths.h"

namespace vramlint::replay {
namespace {

/// Folders above a program; nobody nests deeper.
constexpr int most_levels = 32;

Value put_variable(Interpreter& python, const Arguments& arguments, Place site) {
  python.write_variable(arguments.at(0), arguments.at(1), WriteForm::putenv, site, Certainty::yes);
  return Value::none();
}

/// The `.env` file nearest to a program, from its folder up.
std::shared_ptr<const text::Source> nearest_dotenv(Interpreter& python) {
  std::string folder = parent_of(python.frame().file->path);
  for (int levels = 0; levels < most_levels; ++levels) {
    if (auto found = python.project_.open(joined(folder, ".env"))) return found;
    if (folder == "." || folder.empty() || folder == parent_of(folder)) break;
    folder = parent_of(folder);
  }
  return nullptr;
}

/// `load_dotenv()` sets what its file has and the environment has not; with `override=True` all.
Value load_dotenv(Interpreter& python, const Arguments& arguments, Place site) {
  const Value path = arguments.named(python.intern("dotenv_path"), 0);
  const bool names_other = !path.is(Kind::absent) || arguments.open ||
                           !arguments.named(python.intern("stream"), 1).is(Kind::absent);
  const auto source = names_other ? nullptr : nearest_dotenv(python);
  if (source == nullptr) return Value::unknown();
  const Value override_ = arguments.named(python.intern("override"), 3);
  const bool overrides = override_.is(Kind::boolean) && override_.payload != 0;
  for (const model::LaunchStep& step : frontends::read_launch(source).steps) {
    const std::string* text = step.value.plain();
    const bool sets = step.kind == model::LaunchStepKind::set && text != nullptr && !text->empty();
    if (!sets || python.knowledge_.variable(step.name) == nullptr) continue;
    const Value name = Value::string(python.intern(step.name));
    const Value before = python.read_variable(name);
    const bool has = before.certainty == Certainty::yes && !before.is(Kind::absent);
    if (has && !overrides) continue;
    python.write_variable(name, Value::string(python.intern(*text)),
                          overrides ? WriteForm::update : WriteForm::set_default, site,
                          Certainty::yes);
  }
  return Value::unknown();
}

Value unset_variable(Interpreter& python, const Arguments& arguments, Place site) {
  python.remove_variable(arguments.at(0), site);
  return Value::none();
}

Value get_variable(Interpreter& python, const Arguments& arguments, Place site) {
  python.observe_asked(arguments.at(0), site);
  const Value value = python.read_variable(arguments.at(0));
  return value.is(Kind::absent) || value.certainty != Certainty::yes
             ? python.inherited_value(arguments.at(0), arguments.at(1))
             : value;
}

Value copy(Interpreter& python, const Arguments& arguments, Place site) {
  const Value value = arguments.at(0);
  switch (value.kind) {
    case Kind::environment: return python.environment_copy();
    case Kind::dict:
    case Kind::list: return python.call_method(value, python.intern("copy"), {}, site);
    default: return value;
  }
}

Value import_by_name(Interpreter& python, const Arguments& arguments, Place site) {
  const Value name = arguments.at(0);
  if (!name.is(Kind::string)) return Value::unknown();
  const std::string_view dotted = python.text_of(name.id);
  if (!dotted.starts_with('.')) return python.import_module(dotted, site);
  const size_t dots = dotted.find_first_not_of('.');
  if (dots == std::string_view::npos) return Value::unknown();
  return python.import_relative(static_cast<uint32_t>(dots), dotted.substr(dots), site);
}

/// `__import__("a.b")` gives `a`.
Value import_builtin(Interpreter& python, const Arguments& arguments, Place site) {
  const Value module = import_by_name(python, arguments, site);
  const Value name = arguments.at(0);
  if (python.stopped() || !name.is(Kind::string)) return module;
  const std::string_view dotted = python.text_of(name.id);
  const size_t dot = dotted.find('.');
  return dot == std::string_view::npos ? module : python.top_level_value(dotted.substr(0, dot));
}

/// `find_spec("a.b")` imports `a`, to ask it where `b` is.
Value find_spec(Interpreter& python, const Arguments& arguments, Place site) {
  const Value name = arguments.at(0);
  const std::string_view dotted = name.is(Kind::string) ? python.text_of(name.id) : "";
  const size_t dot = dotted.rfind('.');
  if (dot != std::string_view::npos && dot != 0) python.import_module(dotted.substr(0, dot), site);
  if (python.stopped()) return Value::unknown();
  return python.external_instance("importlib.util.find_spec", arguments);
}

/// `runpy.run_module("a")` runs the body of `a`, and gives its names.
Value run_module(Interpreter& python, const Arguments& arguments, Place site) {
  import_by_name(python, arguments, site);
  return Value::unknown();
}

Value at_exit(Interpreter& python, const Arguments& arguments, Place site) {
  if (arguments.positional.empty()) return Value::unknown();
  Arguments rest = arguments;
  rest.positional.erase(rest.positional.begin());
  python.at_exit_.emplace_back(arguments.at(0), rest);
  const Value held = Value::object(Kind::list, python.process_state_);
  python.note_kept(held, python.make_list(arguments.positional), site, "atexit");
  return arguments.at(0);
}

constexpr LibraryFunction table[] = {
    {"os.putenv", put_variable},
    {"dotenv.load_dotenv", load_dotenv},
    {"dotenv.main.load_dotenv", load_dotenv},
    {"os.unsetenv", unset_variable},
    {"os.getenv", get_variable},
    {"copy.copy", copy},
    {"copy.deepcopy", copy},
    {"importlib.import_module", import_by_name},
    {"__import__", import_builtin},
    {"atexit.register", at_exit},
    {"importlib.util.find_spec", find_spec},
    {"runpy.run_module", run_module},
};

}  // namespace

std::span<const LibraryFunction> system_functions() { return table; }

}  // namespace vramlint::replay
