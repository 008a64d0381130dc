// SPDX-License-Identifier: MIT
//
// Which values carry an autograd graph. A graph begins where something with parameters is called
// while gradients are on; it goes on in what is computed from it, and ends where the tables say
// that a call cuts it. What nothing is known about may carry one: `backward()` proves it.
#include "replay/graphs.h"

#include <algorithm>

#include "replay/habits.h"
#include "replay/interpreter.h"
#include "replay/keeping.h"

namespace vramlint::replay {

using model::Code;

namespace {

constexpr size_t max_records = 60'000;
/// Rounds remembered of a graph: the first and the last ones decide.
constexpr size_t max_rounds = 48;
constexpr int max_held_depth = 3;

uint64_t mixed(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
  return hash ^ hash >> 32;
}

}  // namespace

const Graphs::Record* Graphs::record_of(GraphId graph) const {
  return graph == 0 || graph > records_.size() ? nullptr : &records_[graph - 1];
}

GraphId Graphs::add(Record record) {
  if (record.rounds.size() > max_rounds) {
    record.rounds.erase(record.rounds.begin() + max_rounds / 2,
                        record.rounds.end() - max_rounds / 2);
  }
  uint64_t hash = mixed(record.origin, record.source);
  for (const Round round : record.rounds) hash = mixed(hash, round);
  const auto [found, fresh] = known_.try_emplace(hash, GraphId{0});
  if (!fresh) return found->second;
  if (records_.size() >= max_records) return 0;
  records_.push_back(std::move(record));
  return found->second = static_cast<GraphId>(records_.size());
}

void Graphs::merge(Record& into, std::span<const GraphId> operands, Round round) const {
  into.rounds.push_back(round);
  for (const GraphId operand : operands) {
    if (const Record* record = record_of(operand))
      into.rounds.insert(into.rounds.end(), record->rounds.begin(), record->rounds.end());
  }
  std::sort(into.rounds.begin(), into.rounds.end());
  into.rounds.erase(std::unique(into.rounds.begin(), into.rounds.end()), into.rounds.end());
}

GraphId Graphs::begun(Round round) { return add({{round}, 0, 0}); }

GraphId Graphs::supposed(uint64_t origin, GraphId source, std::span<const GraphId> operands,
                         Round round) {
  Record made;
  made.origin = origin;
  made.source = source;
  merge(made, operands, round);
  return add(std::move(made));
}

GraphId Graphs::of_part(uint64_t origin, GraphId whole, Round round) {
  Record made;
  made.origin = origin;
  made.source = whole;
  made.is_part = true;
  merge(made, {&whole, 1}, round);
  return add(std::move(made));
}

GraphId Graphs::computed(std::span<const GraphId> operands, Round round) {
  if (operands.empty()) return 0;
  Record made;
  merge(made, operands, round);
  bool first = true;
  for (const GraphId operand : operands) {
    const Record* record = record_of(operand);
    if (record == nullptr) continue;
    if (is_certain(operand)) {
      made.origin = 0;
      made.source = 0;
      made.is_part = false;
      break;
    }
    if (first) {
      made.origin = record->origin;
      made.source = record->source;
      made.is_part = record->is_part;
    } else if (made.origin != record->origin) {
      // One of them, nobody knows which.
      made.origin = mixed(made.origin, record->origin);
      made.source = 0;
      made.is_part = false;
    }
    first = false;
  }
  return add(std::move(made));
}

bool Graphs::is_certain(GraphId graph) const {
  const Record* record = record_of(graph);
  return record != nullptr && (record->origin == 0 || proven_.contains(record->origin));
}

void Graphs::prove(GraphId graph) {
  for (const Record* record = record_of(graph); record != nullptr && record->origin != 0;
       record = record_of(record->source)) {
    if (!proven_.insert(record->origin).second) return;
  }
}

uint64_t Graphs::origin_of(GraphId graph) const {
  const Record* record = record_of(graph);
  return record == nullptr ? 0 : record->origin;
}

bool Graphs::stems_from(GraphId graph, GraphId whole) const {
  const Record* of_whole = record_of(whole);
  const Record* record = record_of(graph);
  if (of_whole == nullptr || record == nullptr) return false;
  while (record->origin != of_whole->origin && record->is_part) {
    const Record* source = record_of(record->source);
    if (source == nullptr) return false;
    record = source;
  }
  return record->origin == of_whole->origin;
}

bool Graphs::reaches(GraphId graph, Round begin, Round end) const {
  const Record* record = record_of(graph);
  if (record == nullptr) return false;
  const auto found = std::lower_bound(record->rounds.begin(), record->rounds.end(), begin);
  return found != record->rounds.end() && *found < end;
}

void Graphs::clear() {
  records_.clear();
  known_.clear();
  proven_.clear();
}

// Whether gradients are on ------------------------------------------------------------------------

Interpreter::Gradients Interpreter::gradients() const {
  if (gradients_ == Gradients::inference) return Gradients::off;
  if (gradients_ != Gradients::inherited) return gradients_;
  const Value value = get(process_state_, gradients_name_);
  if (value.is(Kind::absent)) return Gradients::on;
  if (value.is(Kind::boolean) && value.certainty == Certainty::yes)
    return value.payload != 0 ? Gradients::on : Gradients::off;
  return Gradients::unknown;
}

/// What the rows of a context manager, decorator or call make of it; `inherited` when nothing.
Interpreter::Gradients Interpreter::gradients_by(model::NameId dotted, const Arguments& arguments) {
  for (const knowledge::CallRow* row : rows_named(dotted)) {
    switch (row->gradients) {
      case knowledge::GradientMode::unchanged: continue;
      case knowledge::GradientMode::on: return Gradients::on;
      case knowledge::GradientMode::off: return Gradients::off;
      case knowledge::GradientMode::inference: {
        // `inference_mode(False)` is none; a decorator's function is no mode.
        const Value mode = arguments.named(intern("mode"), 0);
        if (mode.is(Kind::absent) || mode.is(Kind::function)) return Gradients::inference;
        const Truth truth = truth_of(mode);
        if (truth == Truth::unknown) return Gradients::unknown;
        return truth == Truth::yes ? Gradients::inference : Gradients::inherited;
      }
      case knowledge::GradientMode::argument: {
        const Truth mode = truth_of(arguments.named(intern("mode"), 0));
        if (mode == Truth::unknown) return Gradients::unknown;
        return mode == Truth::yes ? Gradients::on : Gradients::off;
      }
    }
  }
  return Gradients::inherited;
}

/// Whether the call itself changes the mode, not the block that it begins.
bool Interpreter::sets_gradients(model::NameId dotted) {
  const auto& rows = rows_named(dotted);
  return std::any_of(rows.begin(), rows.end(), [](const knowledge::CallRow* row) {
    return row->gradients == knowledge::GradientMode::argument;
  });
}

/// `set_grad_enabled()` as a call.
void Interpreter::set_gradients(Gradients mode) {
  const bool is_nested = gradients_ != Gradients::inherited;
  if (is_nested && gradients_ != Gradients::inference) gradients_ = mode;
  set(process_state_, gradients_name_,
      mode == Gradients::unknown ? Value::unknown() : Value::boolean(mode == Gradients::on));
}

/// At the end of `with torch.set_grad_enabled(…)` the mode is what it was before the call.
void Interpreter::leave_gradients(Value manager) {
  const Value before = get(manager.id, gradients_name_);
  if (!before.is(Kind::absent)) set(process_state_, gradients_name_, before);
}

/// `@torch.no_grad()`: the function, with its own mode.
Value Interpreter::with_gradients(Value function, Gradients mode) {
  Object copy = object_of(function);
  const std::vector<uint32_t> names = copy.slot_names;
  copy.slot_names.clear();
  copy.gradients = static_cast<uint8_t>(mode);
  const ObjectId made = new_object(std::move(copy));
  for (const uint32_t name : names) set(made, name, get(function.id, name));
  return Value::object(Kind::function, made);
}

// What carries a graph ----------------------------------------------------------------------------

namespace {

/// `lambda loss=loss: …` holds what its defaults are; the graph of the first of them.
GraphId graph_of_presets(Interpreter& python, Value function, int depth) {
  const std::vector<uint32_t> names = python.object_of(function).slot_names;
  for (const uint32_t name : names) {
    const Value preset = python.get(function.id, name);
    if (preset.is(Kind::function)) continue;
    if (const GraphId graph = python.graph_of(preset, depth + 1); graph != 0) return graph;
  }
  return 0;
}

/// `partial(report, loss)` holds its arguments.
GraphId graph_of_arguments(Interpreter& python, Value partial, int depth) {
  const Object& object = python.object_of(partial);
  if (python.text_of(object.target.id) != "functools.partial") return 0;
  const Arguments arguments = object.arguments;
  for (const Value held : arguments.positional) {
    if (const GraphId graph = python.graph_of(held, depth + 1); graph != 0) return graph;
  }
  for (const Arguments::Keyword& held : arguments.keywords) {
    if (const GraphId graph = python.graph_of(held.value, depth + 1); graph != 0) return graph;
  }
  return 0;
}

}  // namespace

/// The graph of a value, or of what it holds.
GraphId Interpreter::graph_of(Value value, int depth) {
  if (value.has_graph()) return value.graph;
  if (value.is(Kind::function) && depth < max_held_depth)
    return graph_of_presets(*this, value, depth);
  const bool holds = value.is(Kind::list) || value.is(Kind::tuple) || value.is(Kind::set) ||
                     value.is(Kind::dict) || value.is(Kind::instance);
  if (!holds || depth >= max_held_depth || is_bounded(value)) return 0;
  std::vector<GraphId> found;
  const auto look = [&](Value held) {
    if (const GraphId graph = graph_of(held, depth + 1); graph != 0) found.push_back(graph);
  };
  if (value.is(Kind::dict) || value.is(Kind::instance)) {
    if (value.is(Kind::instance) && !object_of(value).target.is(Kind::class_))
      return graph_of_arguments(*this, value, depth);
    const std::vector<uint32_t> names = object_of(value).slot_names;
    for (const uint32_t name : names) look(get(value.id, name));
  } else {
    std::vector<Value> items;
    items_of(value, items);
    for (const Value item : items) look(item);
  }
  look(get(value.id, kept_slot));
  if (found.empty()) return 0;
  return found.size() == 1 ? found.front() : graphs_.computed(found, round_);
}

/// A function that another one made, and that has ended, holds the variables that it reads there.
GraphId graph_of_cells(Interpreter& python, Value function) {
  const ObjectId scope = python.object_of(function).scope;
  const bool is_running = std::any_of(python.frames_.begin(), python.frames_.end(),
                                      [&](const Frame& frame) { return frame.scope == scope; });
  const Object& object = python.object_of(function);
  if (is_running || scope == object.home || python.objects_[scope].lists_slots) return 0;
  const Code& code = *python.lowered(function);
  const uint32_t node = python.object_of(function).node;
  if (node >= code.functions.size()) return 0;
  python.charge(code.exprs.size() / 16);
  for (const model::Expr& expression : code.exprs) {
    const auto* name = std::get_if<model::Name>(&expression.node);
    if (name == nullptr || !code.functions[node].span.contains(expression.span)) continue;
    const GraphId graph = python.graph_of(python.get(scope, name->name), 1);
    if (graph != 0) return graph;
  }
  return 0;
}

void Interpreter::note_model_called() {
  for (LoopRounds* loop : rounds_) loop->begins = true;
}

/// The graphs of operands; a leaf among them begins one.
std::vector<GraphId> Interpreter::operand_graphs(std::span<const Value> operands) {
  std::vector<GraphId> found;
  for (const Value operand : operands) {
    if (operand.graph == Value::leaf_graph) {
      found.push_back(graphs_.begun(round_));
    } else if (const GraphId graph = graph_of(operand); graph != 0) {
      found.push_back(graph);
    }
  }
  return found;
}

Value Interpreter::computed(Value made, std::span<const Value> operands) {
  made.graph = 0;
  if (gradients() == Gradients::off) return made;
  made.graph = graphs_.computed(operand_graphs(operands), round_);
  return made;
}

Value Interpreter::computed(Value made, const Arguments& arguments, Value receiver) {
  std::vector<Value> operands = arguments.positional;
  for (const Arguments::Keyword& keyword : arguments.keywords) operands.push_back(keyword.value);
  operands.push_back(receiver);
  return computed(made, operands);
}

/// The result of a call that nothing is known about.
Value Interpreter::supposed(const Arguments& arguments, Value receiver, Place site) {
  Value made = Value::unknown();
  for (const Value given : arguments.positional) {
    if (given.is(Kind::list)) forget_kept(given, true);
  }
  if (gradients() == Gradients::off || stopped()) return made;
  std::vector<Value> operands = arguments.positional;
  for (const Arguments::Keyword& keyword : arguments.keywords) operands.push_back(keyword.value);
  operands.push_back(receiver);
  const std::vector<GraphId> graphs = operand_graphs(operands);
  const uint64_t origin =
      mixed(mixed(site.file + 1, site.span.begin), uint64_t{site.span.end} << 1 | 1) | 1;
  made.graph =
      graphs_.supposed(origin, graphs.size() == 1 ? graphs.front() : GraphId{0}, graphs, round_);
  return made;
}

/// A part of something unknown: an attribute, an item. If it carries a graph, so does the whole.
Value Interpreter::part_of(Value whole, uint64_t which) {
  Value made = Value::unknown();
  if (!whole.has_graph()) return made;
  const GraphId operand = whole.graph;
  const uint64_t origin = graphs_.origin_of(operand);
  made.graph = origin == 0 ? operand : graphs_.of_part(mixed(origin, which) | 1, operand, round_);
  return made;
}

/// The argument that says whether something takes gradients; absent when nothing says so.
Value Interpreter::wants_gradients(const Arguments& arguments) {
  const Value named = arguments.named(intern("requires_grad"), -1);
  if (!named.is(Kind::absent)) return named;
  return arguments.at(0).is(Kind::boolean) ? arguments.at(0) : Value();
}

namespace {

/// `torch.int64`, `torch.LongTensor`, `"torch.LongTensor"`: a tensor of that type has no graph.
bool takes_no_gradients(Interpreter& python, Value type) {
  if (!type.is(Kind::external) && !type.is(Kind::string)) return false;
  return std::ranges::any_of(python.rows_named(type.id), [](const knowledge::CallRow* row) {
    return row->on == knowledge::Trigger::read && row->graph == knowledge::GraphEffect::cuts;
  });
}

/// Whether one of the arguments is such a type, wherever it stands.
bool asks_for_whole_numbers(Interpreter& python, const Arguments& arguments) {
  const auto is_whole = [&](Value given) { return takes_no_gradients(python, given); };
  return std::ranges::any_of(arguments.positional, is_whole) ||
         std::ranges::any_of(arguments.keywords, is_whole, &Arguments::Keyword::value);
}

/// Whether nobody knows of which type the result is: `x.to(dtype=kind)`, `x.type_as(ids)`.
bool is_of_unknown_type(Interpreter& python, const Arguments& arguments,
                        knowledge::GraphEffect effect) {
  const int position = effect == knowledge::GraphEffect::by_type ? 0 : -1;
  const Value first = position == 0 ? arguments.at(0) : Value();
  const Value type = first.is(Kind::absent) ? arguments.named(python.intern("dtype"), -1) : first;
  if (type.is(Kind::tensor)) return !type.has_graph();
  return type.is(Kind::unknown) || (position == 0 && arguments.open);
}

}  // namespace

/// What a row says of the graph of the tensor that a call made.
Value Interpreter::with_effect(Value made, knowledge::GraphEffect effect,
                               const Arguments& arguments, Value receiver) {
  switch (effect) {
    case knowledge::GraphEffect::keeps:
    case knowledge::GraphEffect::by_type:
      made.graph = 0;
      return asks_for_whole_numbers(*this, arguments) ? made : computed(made, arguments, receiver);
    case knowledge::GraphEffect::cuts:
    case knowledge::GraphEffect::consumes: made.graph = 0; return made;
    case knowledge::GraphEffect::leaf: {
      const Value wanted = wants_gradients(arguments);
      for (LoopRounds* loop : rounds_) loop->takes_gradients = true;
      const bool is_off = wanted.is(Kind::boolean) && wanted.payload == 0;
      made.graph = receiver.has_graph() ? receiver.graph : Value::leaf_graph;
      if (is_off || gradients() == Gradients::off) made.graph = is_off ? GraphId{0} : made.graph;
      return made;
    }
  }
  return made;
}

namespace {

/// `nn.Sequential(first, second)` calls its arguments, each with what the one before gave.
void call_in_turn(Interpreter& python, Value module, const Arguments& arguments, Place site) {
  const Object object = python.object_of(module);
  const auto is_own = [&](Value part) {
    return part.is(Kind::instance) && python.object_of(part).target.is(Kind::class_);
  };
  const auto& rows = python.rows_named(object.target.id);
  const bool in_turn = std::any_of(rows.begin(), rows.end(),
                                   [](const knowledge::CallRow* row) { return row->in_turn; });
  const std::vector<Value>& parts = object.arguments.positional;
  if (!in_turn || std::none_of(parts.begin(), parts.end(), is_own)) return;
  Arguments given = arguments;
  for (const Value part : parts) {
    if (python.stopped() || !part.is(Kind::instance)) return;
    given.positional = {python.call_instance(part, given, site)};
    given.keywords.clear();
  }
}

/// A layer of PyTorch's own computes where its parameters are. One that holds layers of the project
/// may do anything.
Device device_of_output(Interpreter& python, Value module) {
  const Object& object = python.object_of(module);
  if (!object.target.is(Kind::external)) return Device::unknown;
  if (!python.text_of(object.target.id).starts_with("torch.nn.")) return Device::unknown;
  if (python.has_parameters(module) != Interpreter::Truth::yes) return Device::unknown;
  for (const Value part : object.arguments.positional) {
    const bool holds = part.is(Kind::instance) && python.object_of(part).target.is(Kind::class_);
    if (holds || part.is(Kind::unknown) || part.is(Kind::list)) return Device::unknown;
  }
  const Value device = python.get(module.id, python.intern(device_slot));
  return device.is(Kind::device) ? device.as_device() : Device::unknown;
}

}  // namespace

/// Calling a module: a graph begins if it has parameters.
Value Interpreter::called_module(Value module, const Arguments& arguments, Place site) {
  Value made = Value::tensor(device_of_output(*this, module));
  call_in_turn(*this, module, arguments, site);
  if (stopped()) return made;
  if (gradients() == Gradients::off) return made;
  made = computed(made, arguments, {});
  if (graphs_.is_certain(made.graph)) return made;
  const bool frozen = !get(module.id, intern(frozen_slot)).is(Kind::absent) ||
                      !get(process_state_, intern(frozen_slot)).is(Kind::absent);
  const Truth has = has_parameters(module);
  if (has == Truth::no) return made;
  if (has == Truth::unknown || frozen || gradients() == Gradients::unknown) {
    made.graph = supposed(arguments, {}, site).graph;
  } else {
    note_model_called();
    const GraphId begun = graphs_.begun(round_);
    const GraphId operands[] = {begun, made.graph};
    made.graph = graphs_.computed({operands, made.has_graph() ? 2u : 1u}, round_);
  }
  return made;
}

/// `requires_grad = False` of a tensor or parameter that is not followed. `receiver`: what is
/// frozen as it is written, empty where that says little.
void Interpreter::note_frozen(Value object, Value wanted, std::string_view receiver) {
  if (wanted.is(Kind::absent)) return;
  if (wanted.is(Kind::boolean) && wanted.payload != 0) return;
  while (receiver.ends_with("()")) receiver = receiver.substr(0, receiver.rfind('.'));
  watched_.frozen.push_back({receiver, frame().token, {}});
  const ObjectId whole = object.is(Kind::instance) ? object.id : process_state_;
  set(whole, intern(frozen_slot), Value::boolean(true));
}

namespace {

/// `self.register_buffer("mean", torch.zeros(n))`: an attribute, wherever the module goes.
void register_tensor(Interpreter& python, Value module, const Arguments& arguments) {
  const Value name = arguments.at(0);
  const Value given = arguments.at(1);
  if (!name.is(Kind::string) || !given.is(Kind::tensor)) return;
  Value made = Value::tensor(Device::unknown);
  made.graph = given.graph;
  python.set(module.id, name.id, made);
}

}  // namespace

/// The result of a method of a tensor or of something unknown.
Value Interpreter::with_method_effect(Value made, Value object, model::NameId name,
                                      const Arguments& arguments, bool known, Place site) {
  const knowledge::MethodRow* row = knowledge_.method(text_of(name));
  const bool is_module = object.is(Kind::instance);
  if (row != nullptr) watch_method(*this, *row, object, arguments, site);
  if (row != nullptr && row->role == knowledge::MethodRole::registers && is_module)
    register_tensor(*this, object, arguments);
  if (row != nullptr && row->graph == knowledge::GraphEffect::leaf)
    note_frozen(object, wants_gradients(arguments),
                text_before(site, "." + std::string(text_of(name)) + "("));
  if (row != nullptr && row->graph == knowledge::GraphEffect::consumes) {
    consume_graph(object, arguments, site);
    return made;
  }
  if (row != nullptr && (row->role == knowledge::MethodRole::parameters ||
                         row->role == knowledge::MethodRole::named_parameters)) {
    Object all;
    all.receiver = Value::tensor(Device::unknown);
    all.receiver.graph = Value::leaf_graph;
    all.arguments.positional = {object};
    if (row->role == knowledge::MethodRole::named_parameters)
      all.target = Value::external(intern("named_parameters()"));
    return Value::object(Kind::iterator, new_object(std::move(all)));
  }
  if (is_module || made.is(Kind::instance)) return made;
  if (row == nullptr || (!known && row->makes == knowledge::Makes::unknown))
    return supposed(arguments, object, site);
  if (row->makes == knowledge::Makes::nothing) return made;
  if (made.is(Kind::tensor) || made.is(Kind::unknown))
    made = with_effect(made, row->graph, arguments, object);
  if (graphs_.is_certain(made.graph) && is_of_unknown_type(*this, arguments, row->graph))
    made.graph = supposed(arguments, object, site).graph;
  return with_indices(made, row->makes, arguments.at(0), arguments);
}

/// `max(dim)` gives values and their positions; the positions have no graph.
Value Interpreter::with_indices(Value made, knowledge::Makes makes, Value first,
                                const Arguments& arguments) {
  const bool always = makes == knowledge::Makes::values_and_indices;
  const bool by_dimension =
      makes == knowledge::Makes::values_and_indices_by_dimension &&
      (first.is(Kind::integer) || !arguments.named(intern("dim"), -1).is(Kind::absent));
  if (!always && !by_dimension) return made;
  Value indices = made;
  indices.graph = 0;
  return make_list({made, indices}, Kind::tuple);
}

}  // namespace vramlint::replay
