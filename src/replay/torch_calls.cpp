// SPDX-License-Identifier: MIT
//
// The tables at work: what a call, by its dotted name, brings about and gives back. Nothing about
// PyTorch is known here; `rules/knowledge/calls.toml`, `methods.toml` and `moments.toml` say it.
#include <algorithm>
#include <charconv>

#include "replay/interpreter.h"

namespace vramlint::replay {

using knowledge::CallRow;
using knowledge::DeviceFrom;
using knowledge::Makes;
using knowledge::Moment;

namespace {

// How an external module says in its payload whether it has parameters.
constexpr uint64_t with_parameters = 1;
constexpr uint64_t without_parameters = 2;

constexpr int max_module_depth = 4;

}  // namespace

const std::vector<const CallRow*>& Interpreter::rows_named(model::NameId dotted) {
  const auto [found, fresh] = rows_.try_emplace(dotted);
  if (fresh) found->second = knowledge_.calls_named(text_of(dotted));
  return found->second;
}

Device Interpreter::device_of(Value value) {
  switch (value.kind) {
    case Kind::device:
    case Kind::tensor: return value.as_device();
    case Kind::integer: return Device::cuda;
    case Kind::string: {
      const std::string_view text = text_of(value.id);
      const std::string_view type = text.substr(0, text.find(':'));
      if (type == "cuda") return Device::cuda;
      if (type == "cpu") return Device::cpu;
      return type == "mps" ? Device::mps : Device::other;
    }
    // A dtype names no device; what another module has under a name may be one.
    case Kind::external:
      return text_of(value.id).starts_with("torch.") ? Device::other : Device::unknown;
    case Kind::none:
    case Kind::boolean:
    case Kind::absent: return Device::other;
    default: return Device::unknown;
  }
}

Device Interpreter::default_device() {
  const Value value = get(process_state_, intern("default device"));
  return value.is(Kind::absent) ? Device::cpu : device_of(value);
}

bool Interpreter::matches_text(Value value, std::string_view wanted, Certainty& certainty) {
  const auto uncertain = [&] {
    certainty = Certainty::perhaps;
    return true;
  };
  if (wanted.starts_with('!')) {
    Certainty inner = Certainty::yes;
    const bool matched = matches_text(value, wanted.substr(1), inner);
    if (matched && inner == Certainty::perhaps) return uncertain();
    return !matched;
  }
  if (value.certainty == Certainty::perhaps || value.is(Kind::unknown) ||
      value.is(Kind::any_string)) {
    return uncertain();
  }
  if (wanted.starts_with('>')) {
    int64_t bound = 0;
    std::from_chars(wanted.data() + 1, wanted.data() + wanted.size(), bound);
    if (value.is(Kind::integer)) return value.as_integer() > bound;
    return value.is(Kind::absent) || value.is(Kind::none) ? false : uncertain();
  }
  if (value.is(Kind::absent) || value.is(Kind::none)) return wanted == "None";
  if (wanted.starts_with('"')) {
    if (value.is(Kind::instance)) return uncertain();
    return value.is(Kind::string) && text_of(value.id) == wanted.substr(1, wanted.size() - 2);
  }
  if (value.is(Kind::external)) return text_of(value.id) == wanted;
  if (value.is(Kind::list)) {
    std::vector<Value> items;
    return wanted == "[]" && items_of(value, items) && items.empty();
  }
  std::string text;
  if (text_form(value, text)) return text == wanted;
  return value.is(Kind::instance) ? uncertain() : false;
}

bool Interpreter::conditions_hold(const CallRow& row, const Arguments& arguments,
                                  Certainty& certainty) {
  if (!row.torch.contains(options_.torch)) return false;
  const auto holds = [&](std::string_view name, int position, std::string_view wanted) {
    if (name.empty()) return true;
    const Value value = arguments.named(intern(name), position);
    if (value.is(Kind::absent) && arguments.open) {
      certainty = Certainty::perhaps;
      return true;
    }
    return matches_text(value, wanted, certainty);
  };
  return holds(row.when_argument, row.when_position, row.when_value) &&
         holds(row.and_argument, row.and_position, row.and_value);
}

/// Whether the environment holds `NAME=value` for certain, or perhaps.
Certainty Interpreter::environment_has(std::string_view assignment) {
  const size_t equals = assignment.find('=');
  const Value value = get(environment_, intern(assignment.substr(0, equals)));
  if (value.is(Kind::absent)) return Certainty::no;
  if (!value.is(Kind::string)) return Certainty::perhaps;
  if (text_of(value.id) != assignment.substr(equals + 1)) return Certainty::no;
  return value.certainty;
}

/// The device that decides about what a row brings.
Device Interpreter::device_for(DeviceFrom from, std::string_view keyword, int position,
                               const Arguments& arguments, Value receiver) {
  switch (from) {
    case DeviceFrom::none: return Device::cuda;
    case DeviceFrom::operand: {
      Value operand = receiver.is(Kind::tensor) ? receiver : arguments.at(0);
      if (operand.is(Kind::instance)) operand = get(operand.id, intern(device_slot));
      return operand.is(Kind::tensor) || operand.is(Kind::device) ? operand.as_device()
                                                                  : Device::other;
    }
    case DeviceFrom::argument:
    case DeviceFrom::argument_or_default: break;
  }
  Value value = keyword.empty() ? Value() : arguments.named(intern(keyword), position);
  if (value.is(Kind::absent) && arguments.open) return Device::unknown;
  const bool left_out = value.is(Kind::absent) || value.is(Kind::none);
  if (left_out && from == DeviceFrom::argument_or_default) return default_device();
  return device_of(value);
}

bool Interpreter::apply_rows(model::NameId dotted, knowledge::Trigger trigger,
                             const Arguments& arguments, Place site, Value receiver, Value& made) {
  bool spoke = false;
  const std::vector<const CallRow*> rows = rows_named(dotted);
  for (const CallRow* row : rows) {
    if (row->on != trigger) continue;
    Certainty certainty = Certainty::yes;
    if (!conditions_hold(*row, arguments, certainty)) continue;
    spoke = true;
    const Device device =
        device_for(row->device, row->device_keyword, row->device_position, arguments, receiver);
    observe_device(device, row->device, row->device_keyword, row->device_position, row->brings,
                   arguments, site);
    bring_on(device, row->brings, row->brings_on_mps, unless_held_back(*row, certainty), site);
    if (row->makes == Makes::whether_reached) {
      made = whether_reached(*row);
    } else if (row->makes == Makes::whether_elsewhere) {
      made = whether_elsewhere(site);
    } else if (row->makes != Makes::unknown) {
      const bool allocates = std::find(row->brings.begin(), row->brings.end(),
                                       Moment::device_allocation) != row->brings.end();
      const bool anywhere = row->device == DeviceFrom::none && !allocates;
      made = made_by(row->makes, dotted, anywhere ? Device::cpu : device, arguments);
      if (row->makes == Makes::distribution) made = computed(made, arguments, receiver);
      if (made.is(Kind::tensor)) {
        const Value pin = arguments.named(intern("pin_memory"), -1);
        const bool pins = pin.is(Kind::boolean) && pin.payload != 0;
        if (pins && row->device != DeviceFrom::none) observe_pinned(made, site);
        made = with_effect(made, row->graph, arguments, receiver);
        if (certainty == Certainty::perhaps && graphs_.is_certain(made.graph))
          made.graph = supposed(arguments, receiver, site).graph;
        made = with_indices(made, row->makes, arguments.at(1), arguments);
      }
    }
    if (row->graph == knowledge::GraphEffect::consumes) consume_graph(receiver, arguments, site);
  }
  return spoke;
}

/// The answer to a question about a moment. An unknown one names the moment, so that the path on
/// which it is true knows it.
Value Interpreter::whether_reached(const CallRow& row) {
  const Value state = get(moments_.states, static_cast<uint32_t>(row.asks) + 1);
  if (!state.is(Kind::moment)) return row.asks_more ? Value::unknown() : Value::boolean(false);
  if (row.asks == Moment::cuda_init && is_cuda_inherited(state.id)) return Value::boolean(false);
  if (state.certainty == Certainty::yes) return Value::boolean(true);
  Value value = Value::unknown();
  value.payload = static_cast<uint64_t>(row.asks) + 1;
  return value;
}

/// The answer to whether there is another kind of device, which makes it perhaps so.
Value Interpreter::whether_elsewhere(Place site) {
  Value state = get(moments_.states, elsewhere_slot);
  if (!state.is(Kind::moment)) {
    state = {Kind::moment, Certainty::perhaps, event_at(site)};
    set(moments_.states, elsewhere_slot, state);
  }
  if (state.certainty != Certainty::perhaps)
    return Value::boolean(state.certainty == Certainty::yes);
  Value answer = Value::unknown();
  answer.payload = elsewhere_slot;
  return answer;
}

/// Takes the path on which an answer of `whether_reached` holds, or does not.
void Interpreter::assume(Value answer, bool holds) {
  if (!answer.is_answer()) return;
  const bool reached = holds != (answer.payload >> 32 != 0);
  const auto slot = static_cast<uint32_t>(answer.payload);
  Value state = get(moments_.states, slot);
  state.certainty = reached ? Certainty::yes : Certainty::no;
  set(moments_.states, slot, state);
}

/// How certain it is that a row brings anything, given what must have happened and what must not be
/// set.
Certainty Interpreter::unless_held_back(const CallRow& row, Certainty certainty) {
  for (const Moment moment : row.needs) {
    const Value state = get(moments_.states, static_cast<uint32_t>(moment) + 1);
    const Certainty reached = state.is(Kind::moment) ? state.certainty : Certainty::no;
    certainty = std::min(certainty, reached);
  }
  if (row.unless_set.empty()) return certainty;
  switch (environment_has(row.unless_set)) {
    case Certainty::no: return certainty;
    case Certainty::perhaps: return std::min(certainty, Certainty::perhaps);
    case Certainty::yes: return Certainty::no;
  }
  return certainty;
}

void Interpreter::bring_on(Device device, std::span<const Moment> on_cuda,
                           std::span<const Moment> on_mps, Certainty certainty, Place site) {
  switch (device) {
    case Device::cuda: return bring(on_cuda, certainty, site);
    case Device::mps: return bring(on_mps, certainty, site);
    case Device::unknown: return bring(on_cuda, std::min(certainty, Certainty::perhaps), site);
    case Device::cpu:
    case Device::other: return;
  }
}

Value Interpreter::made_by(Makes makes, model::NameId dotted, Device device,
                           const Arguments& arguments) {
  const auto module = [&](uint64_t parameters) {
    Value made = external_instance(text_of(dotted), arguments);
    made.payload = parameters;
    return made;
  };
  switch (makes) {
    case Makes::unknown:
    case Makes::context_manager:
    case Makes::distribution:
    case Makes::loader:
    case Makes::process:
    case Makes::optimizer: return external_instance(text_of(dotted), arguments);
    case Makes::nothing: return Value::unknown();
    case Makes::tensor: return Value::tensor(device == Device::other ? Device::cpu : device);
    case Makes::tensor_like: {
      const Value like = arguments.at(0);
      if (device == Device::cuda || device == Device::mps) return Value::tensor(device);
      return like.is(Kind::tensor) ? like.own() : Value::tensor(Device::unknown);
    }
    case Makes::module: return module(with_parameters);
    case Makes::module_without_parameters: return module(without_parameters);
    case Makes::module_of_arguments: {
      uint64_t parameters = without_parameters;
      for (const Value argument : arguments.positional) {
        const Truth has = has_parameters(argument);
        if (has == Truth::yes) parameters = with_parameters;
        if (has == Truth::unknown && parameters != with_parameters) parameters = 0;
      }
      return module(arguments.open ? 0 : parameters);
    }
    case Makes::device: return made_device(arguments);
    case Makes::boolean_true: {
      Value answer = Value::boolean(true);
      answer.id = 1;
      return answer;
    }
    case Makes::values_and_indices:
    case Makes::values_and_indices_by_dimension:
      return made_by(Makes::tensor_like, dotted, device, arguments);
    case Makes::whether_reached:
    case Makes::whether_elsewhere: return Value::unknown();  // answered by `apply_rows`
    case Makes::environment_copy: return environment_copy();
    case Makes::loaded: {
      const Value made = external_instance(text_of(dotted), arguments);
      if (device == Device::cuda) set(made.id, intern(loaded_slot), Value::device(device));
      return made;
    }
    case Makes::cuda_by_default:
      set(process_state_, intern("default device"), Value::device(Device::cuda));
      return Value::none();
    case Makes::default_device: {
      const Value value = arguments.named(intern("device"), 0);
      set(process_state_, intern("default device"), value);
      return Value::none();
    }
  }
  return Value::unknown();
}

/// Whether moving a module moves anything.
Interpreter::Truth Interpreter::has_parameters(Value module, int depth) {
  if (!spend()) return Truth::unknown;  // modules may hold each other, and themselves
  if (module.is(Kind::tensor)) return Truth::yes;
  if (module.is(Kind::list) || module.is(Kind::tuple)) {
    std::vector<Value> items;
    if (!items_of(module, items) || depth > max_module_depth) return Truth::unknown;
    Truth any = Truth::no;
    for (const Value item : items) {
      const Truth has = has_parameters(item, depth + 1);
      if (has != Truth::no) any = any == Truth::yes ? any : has;
    }
    return any;
  }
  if (!module.is(Kind::instance) || depth > max_module_depth) return Truth::unknown;
  const Object object = object_of(module);
  if (object.target.is(Kind::external)) {
    if (module.payload == with_parameters) return Truth::yes;
    return module.payload == without_parameters ? Truth::no : Truth::unknown;
  }
  if (!derives_from(object.target, "torch.nn.Module")) return Truth::unknown;
  Truth any = has_unknown_base(object.target) ? Truth::unknown : Truth::no;
  for (const uint32_t name : object.slot_names) {
    const Value value = get(module.id, name);
    const bool may_hold = value.is(Kind::instance) || value.is(Kind::unknown);
    if (!may_hold) continue;
    const Truth has = has_parameters(value, depth + 1);
    if (has == Truth::yes) return has;
    if (has == Truth::unknown) any = has;
  }
  return any;
}

Value Interpreter::apply_method_row(Value object, model::NameId name, const Arguments& arguments,
                                    Place site, bool& known) {
  const Value made = method_row_result(object, name, arguments, site, known);
  return stopped() ? made : with_method_effect(made, object, name, arguments, known, site);
}

Value Interpreter::method_row_result(Value object, model::NameId name, const Arguments& arguments,
                                     Place site, bool& known) {
  const knowledge::MethodRow* row = knowledge_.method(text_of(name));
  known = row != nullptr;
  if (row == nullptr) return Value::unknown();
  const bool is_tensor = object.is(Kind::tensor);
  const bool is_module =
      object.is(Kind::instance) &&
      (object.payload != 0 || derives_from(object_of(object).target, "torch.nn.Module"));
  const bool is_unknown = !is_tensor && !is_module;
  switch (row->receiver) {
    case knowledge::Receiver::tensor:
      if (!is_tensor) return Value::unknown();
      break;
    case knowledge::Receiver::module:
      if (!is_module) return Value::unknown();
      break;
    case knowledge::Receiver::tensor_or_module:
      if (is_unknown) return Value::unknown();
      break;
    case knowledge::Receiver::unknown_too: break;
  }
  const Device device =
      device_for(row->device, row->device_keyword, row->device_position, arguments, object);
  observe_device(device, row->device, row->device_keyword, row->device_position, row->brings,
                 arguments, site);
  Certainty certainty = Certainty::yes;
  if (is_module) {
    const Truth has = has_parameters(object);
    if (has == Truth::no) certainty = Certainty::no;
    if (has == Truth::unknown && object.payload == 0 &&
        !has_unknown_base(object_of(object).target)) {
      certainty = Certainty::perhaps;
    }
  }
  bring_on(device, row->brings, row->brings_on_mps, certainty, site);
  const bool pins = std::ranges::find(row->brings, Moment::pinned_allocation) != row->brings.end();
  // What is told apart by a condition may be told apart by its device.
  if (pins && is_tensor && branches_ == loop_branches_) observe_pinned(object, site);
  if (row->reads_receiver) observe_read_on_device(object, site);
  const bool moves = std::find(row->brings.begin(), row->brings.end(), Moment::device_allocation) !=
                     row->brings.end();
  if (is_module && moves && device != Device::other)
    set(object.id, intern(device_slot), Value::device(device));
  switch (row->makes) {
    case Makes::values_and_indices:
    case Makes::values_and_indices_by_dimension:
    case Makes::tensor_like:
      return is_tensor && moves && device != Device::other ? Value::tensor(device) : object.own();
    case Makes::tensor:
      if (is_module) return object;
      if (row->device == DeviceFrom::none) return Value::tensor(Device::cpu);
      return Value::tensor(device == Device::other && is_tensor ? object.as_device() : device);
    case Makes::nothing: return Value::none();
    default: return Value::unknown();
  }
}

}  // namespace vramlint::replay
