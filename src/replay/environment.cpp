// SPDX-License-Identifier: MIT
//
// `os.environ`, in all the forms in which people write it. A copy of it, or a dictionary handed to
// a child, is not this process's environment; what is written there is observed as the child's.
#include <algorithm>

#include "replay/interpreter.h"

namespace vramlint::replay {

void Interpreter::write_variable(Value name, Value value, WriteForm form, Place place,
                                 Certainty certainty) {
  if (stopped()) return;
  if (!name.is(Kind::string)) return;
  if (value.is(Kind::unknown) && value.id == name.id) {
    // What the variable held before is put back: nothing is set, except by `get(name, preset)`.
    if (value.payload == 0) return forget_variable(name, place, nullptr);
    value = Value::string(static_cast<model::NameId>(value.payload - 1));
    form = WriteForm::set_default;
  }
  if (get(process_state_, intern("environment replaced")).is(Kind::boolean) &&
      form != WriteForm::putenv) {
    return;
  }
  Observation seen = observation_at(ObservationKind::variable_write, place);
  seen.name = text_of(name.id);
  seen.value = known(value);
  seen.form = form;
  const Value before = get(environment_, name.id);
  if (!before.is(Kind::absent)) {
    seen.before = before.certainty;
    seen.value_before = known(before);
  }
  for (size_t moment = 0; moment < knowledge::moment_count; ++moment) {
    seen.in_force[moment] = known(get(moments_.in_force + static_cast<ObjectId>(moment), name.id));
  }
  if (!sharing_.empty()) {
    ImportEffect effect;
    effect.variable = name;
    effect.value = value;
    effect.form = form;
    effect.place = place;
    note_effect(std::move(effect), certainty, &seen);
  }
  timeline_.observations.push_back(std::move(seen));
  Value written = value;
  if (!value.is(Kind::string)) written = {Kind::any_string};
  written.certainty = certainty;
  set(environment_, name.id, written);
}

/// A variable that the process has from what starts it is its first write.
void Interpreter::start_with(const StartingVariable& variable) {
  auto file = std::ranges::find(files_, variable.file);
  if (file == files_.end()) file = files_.insert(files_.end(), variable.file);
  const auto index = static_cast<uint32_t>(file - files_.begin());
  Observation seen;
  seen.kind = ObservationKind::variable_write;
  seen.event = static_cast<EventId>(timeline_.events.size());
  timeline_.events.push_back({{index, variable.span}, {}});
  const model::NameId name = intern(variable.name);
  Value value{Kind::any_string};
  if (variable.known) {
    value = Value::string(intern(variable.value));
    seen.value.kind = KnownValue::Kind::text;
    seen.value.text = text_of(value.id);
    seen.value.literal = Place{index, variable.inner};
    seen.value.plain = true;
  }
  seen.name = text_of(name);
  seen.form = WriteForm::other;
  seen.process = moments_.process;
  seen.in_test = variable.in_test;
  timeline_.observations.push_back(std::move(seen));
  value.certainty = Certainty::yes;
  set(environment_, name, value);
}

void Interpreter::remove_variable(Value name, Place place) {
  if (stopped() || !name.is(Kind::string)) return;
  Observation seen = observation_at(ObservationKind::variable_removal, place);
  seen.name = text_of(name.id);
  forget_variable(name, place, &seen);
  timeline_.observations.push_back(std::move(seen));
}

/// As if this program had not written it. Every entry that imports this does so too.
void Interpreter::forget_variable(Value name, Place place, const Observation* seen) {
  if (!sharing_.empty()) {
    ImportEffect effect;
    effect.variable = name;
    effect.place = place;
    note_effect(std::move(effect), Certainty::yes, seen);
  }
  set(environment_, name.id, {});
}

/// What the program did not write may be there all the same, from outside: a value that only its
/// variable is known of, and the text that stands for it when the variable is not set.
Value Interpreter::inherited_value(Value name, Value preset) {
  Value value = Value::unknown();
  if (name.is(Kind::string)) value.id = name.id;
  if (preset.is(Kind::string) && preset.certainty == Certainty::yes)
    value.payload = uint64_t{preset.id} + 1;
  return value;
}

/// `absent` when the program did not write it.
Value Interpreter::read_variable(Value name) {
  return name.is(Kind::string) ? get(environment_, name.id) : Value::unknown();
}

void Interpreter::update_environment(const Arguments& arguments, WriteForm form, Place site) {
  for (const Value other : arguments.positional) {
    if (other.is(Kind::dict)) {
      if (object_of(other).child_environment) continue;  // an earlier state is put back
      const std::vector<uint32_t> names = object_of(other).slot_names;
      for (const uint32_t name : names) {
        const Value value = get(other.id, name);
        if ((name & item_bit) != 0 || value.is(Kind::absent)) continue;
        write_variable(Value::string(name), value, form, site, Certainty::yes);
      }
      continue;
    }
    std::vector<Value> pairs;
    if (!collect(other, pairs, site)) continue;
    for (const Value pair : pairs) {
      std::vector<Value> parts;
      if (!items_of(pair, parts) || parts.size() != 2) continue;
      write_variable(parts[0], parts[1], form, site, Certainty::yes);
    }
  }
  for (const Arguments::Keyword& keyword : arguments.keywords) {
    write_variable(Value::string(keyword.name), keyword.value, form, site, Certainty::yes);
  }
}

Value Interpreter::environment_copy() {
  const Value copy = make_dict();
  object_of(copy).child_environment = true;
  const std::vector<uint32_t> names = objects_[environment_].slot_names;
  charge(2 * names.size());
  for (const uint32_t name : names) set(copy.id, name, get(environment_, name));
  open_dict(copy);
  return copy;
}

Value Interpreter::environment_method(std::string_view name, const Arguments& arguments, Place site,
                                      bool& known) {
  known = true;
  const Value first = arguments.at(0);
  const Value second = arguments.at(1);
  if (name == "update") {
    update_environment(arguments, WriteForm::update, site);
    return Value::none();
  }
  if (name == "__setitem__") {
    write_variable(first, second, WriteForm::subscript, site, Certainty::yes);
    return Value::none();
  }
  if (name == "get" || name == "setdefault" || name == "__contains__") observe_asked(first, site);
  if (name == "setdefault") {
    const Value before = read_variable(first);
    if (before.is(Kind::absent) || before.certainty != Certainty::yes) {
      write_variable(first, second, WriteForm::set_default, site, Certainty::yes);
      return {Kind::any_string};
    }
    return before;
  }
  if (name == "get" || name == "__getitem__") {
    const Value value = read_variable(first);
    return value.is(Kind::absent) || value.certainty != Certainty::yes
               ? inherited_value(first, second)
               : value;
  }
  if (name == "pop" || name == "__delitem__") {
    const Value value = read_variable(first);
    remove_variable(first, site);
    return value.is(Kind::absent) ? inherited_value(first, second) : value;
  }
  if (name == "copy") return environment_copy();
  if (name == "__contains__") return truth_value(contains({Kind::environment}, first));
  known = false;
  return Value::unknown();
}

/// A mapping with the name of a variable as a key is meant for some process's environment.
void Interpreter::observe_child_variable(Value name, Value value, WriteForm form, Place place) {
  if (stopped() || !name.is(Kind::string)) return;
  if (knowledge_.variable(text_of(name.id)) == nullptr) return;
  Observation seen = observation_at(ObservationKind::child_variable_write, place);
  seen.name = text_of(name.id);
  seen.value = known(value);
  seen.form = form;
  observe(std::move(seen));
}

/// `env={…}` of a new process takes the place of everything that this one has set.
void Interpreter::observe_left_out(const Arguments& arguments, Place site) {
  const Value given = arguments.named(intern("env"), -1);
  if (stopped() || !given.is(Kind::dict) || !dict_is_closed(given)) return;
  if (object_of(given).child_environment) return;
  const std::vector<uint32_t> names = objects_[environment_].slot_names;
  for (const uint32_t name : names) {
    const Value own = get(environment_, name);
    if (own.is(Kind::absent) || own.certainty != Certainty::yes) continue;
    if (!get(given.id, name).is(Kind::absent)) continue;
    if (knowledge_.variable(text_of(name)) == nullptr) continue;
    Observation seen = observation_at(ObservationKind::child_variable_left_out, site);
    seen.name = text_of(name);
    std::vector<Value> command;
    if (!items_of(arguments.named(intern("args"), 0), command)) command = {arguments.at(0)};
    for (const Value word : command) seen.arguments.push_back({{}, known(word)});
    timeline_.observations.push_back(std::move(seen));
  }
}

void Interpreter::observe_asked(Value name, Place place) {
  if (stopped() || !name.is(Kind::string)) return;
  const knowledge::VariableRow* row = knowledge_.variable(text_of(name.id));
  if (row == nullptr || !row->allocator_string) return;
  Observation seen = observation_at(ObservationKind::variable_asked, place);
  seen.name = text_of(name.id);
  observe(std::move(seen));
}

void Interpreter::observe_split(Value inherited, std::string_view method,
                                const Arguments& arguments, Place site) {
  const bool splits = method == "split" || method == "rsplit" || method == "partition";
  if (stopped() || !splits || !arguments.at(0).is(Kind::string)) return;
  if (knowledge_.variable(text_of(inherited.id)) == nullptr) return;
  Observation seen = observation_at(ObservationKind::variable_split, site);
  seen.name = text_of(inherited.id);
  seen.value = known(arguments.at(0));
  observe(std::move(seen));
}

namespace {

/// Whether what is called may have a parameter of that name: a function of the project that says
/// so, and one of another package for what is not PyTorch's alone (`LocalCUDACluster` has
/// `CUDA_VISIBLE_DEVICES`).
bool may_take(Interpreter& python, Value callee, std::string_view name) {
  if (!callee.is(Kind::function)) {
    return !python.text_of(callee.id).starts_with("torch.") && !name.starts_with("PYTORCH_") &&
           !name.starts_with("TORCH_");
  }
  const model::Code& code = *python.lowered(callee);
  const model::FunctionId node = python.object_of(callee).node;
  if (node >= code.functions.size()) return true;
  const model::Range parameters = code.functions[node].parameters;
  for (uint32_t i = parameters.begin; i < parameters.end; ++i) {
    if (python.text_of(code.parameters[i].name) == name) return true;
  }
  return false;
}

}  // namespace

/// `build(PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0)`.
void Interpreter::observe_keywords(Value callee, const Arguments& arguments, Place site) {
  for (const Arguments::Keyword& keyword : arguments.keywords) {
    const std::string_view name = text_of(keyword.name);
    const bool is_upper = !name.empty() && name.front() >= 'A' && name.front() <= 'Z';
    if (!is_upper || stopped() || knowledge_.variable(name) == nullptr) continue;
    if (may_take(*this, callee, name)) continue;
    Observation seen = observation_at(ObservationKind::variable_keyword, site);
    seen.name = name;
    seen.value = known(callee);
    if (callee.is(Kind::function)) seen.value.text = text_of(object_of(callee).name);
    observe(std::move(seen));
  }
}

}  // namespace vramlint::replay
