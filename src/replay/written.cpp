// SPDX-License-Identifier: MIT
//
// How calls are written: on what, into which name, under which conditions and in which loop. Rules
// about single calls ask for it; nothing here changes what a program does.
#include <algorithm>
#include <charconv>

#include "replay/interpreter.h"

namespace vramlint::replay {

using model::Code;
using model::ExprId;

namespace {

/// `for batch in enumerate(tqdm(loader))`: so many wrappers are looked through.
constexpr int max_wrappers = 4;

/// A tensor of more elements fits nowhere.
constexpr int64_t most_elements = int64_t{1} << 46;

/// Copies to the host, and what reads the result there.
constexpr std::string_view reading_methods[] = {"numpy", "item", "tolist"};
constexpr std::string_view reading_functions[] = {"float", "int",         "bool",
                                                  "print", "numpy.array", "numpy.asarray"};
/// These matter in loops over what a call made: batches of a loader.
constexpr std::string_view collecting_methods[] = {"append"};

std::optional<int64_t> index_of(std::string_view device) {
  const size_t colon = device.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  int64_t index = 0;
  const std::string_view digits = device.substr(colon + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return index;
}

/// Whether a name stands in a sum, a product or the like.
bool computed_from(const Code& code, ExprId value, model::NameId name) {
  std::vector<ExprId> open = {value};
  bool is_sum = false;
  while (!open.empty()) {
    const model::ExprNode& node = code.exprs[open.back()].node;
    open.pop_back();
    if (const auto* sum = std::get_if<model::Binary>(&node)) {
      is_sum = true;
      open.push_back(sum->left);
      open.push_back(sum->right);
    } else if (const auto* read = std::get_if<model::Name>(&node)) {
      if (is_sum && read->name == name) return true;
    }
  }
  return false;
}

}  // namespace

/// A value with what is known of where it comes from.
ObservedArgument Interpreter::described(Value value) {
  ObservedArgument made;
  made.value = known(value);
  if (value.is(Kind::tensor) || value.is(Kind::device)) made.device = value.as_device();
  if (value.is(Kind::unknown) && value.id != 0)
    made.made_by = text_of(names_.dotted(intern("os.environ"), value.id));
  std::vector<Value> items;
  if ((value.is(Kind::tuple) || value.is(Kind::list)) && items_of(value, items)) {
    made.product = items.empty() ? 0 : 1;
    for (const Value item : items) {
      const int64_t factor = item.is(Kind::integer) ? item.as_integer() : 0;
      made.largest = std::max(made.largest, item.is(Kind::integer) ? factor : -1);
      const bool fits = factor > 0 && made.product <= most_elements / factor;
      made.product = fits ? made.product * factor : 0;
    }
  }
  if (!value.is(Kind::instance)) return made;
  const Value device = get(value.id, intern(device_slot));
  if (device.is(Kind::device)) made.device = device.as_device();
  const Object& object = object_of(value);
  if (!object.target.is(Kind::external)) return made;
  made.made_by = text_of(object.target.id);
  made.made_at = object.made_at;
  return made;
}

/// Something external remembers the call that made it.
Value Interpreter::made_here(Value made, Place site) {
  if (!made.is(Kind::instance)) return made;
  Object& object = object_of(made);
  if (object.target.is(Kind::external) && !object.made_at) object.made_at = site;
  return made;
}

void Interpreter::describe_place(Observation& seen) const {
  const Frame& inner = frame();
  seen.written.scope = inner.scope;
  seen.written.rounds = counted_rounds_;
  if (inner.definition != nullptr) {
    seen.written.function =
        inner.definition->name == 0 ? std::string_view() : text_of(inner.definition->name);
    seen.written.body = {inner.file_index, inner.definition->span};
    return;
  }
  const auto size = static_cast<uint32_t>(inner.file->program.source->bytes().size());
  seen.written.body = {inner.file_index, {0, size}};
}

void Interpreter::describe_call(Observation& seen, const Arguments& arguments, Place site,
                                Value receiver) {
  for (const Value value : arguments.positional) seen.arguments.push_back(described(value));
  for (const Arguments::Keyword& keyword : arguments.keywords) {
    seen.arguments.push_back(described(keyword.value));
    seen.arguments.back().keyword = text_of(keyword.name);
  }
  seen.written.open_arguments = arguments.open;
  if (!receiver.is(Kind::absent)) seen.written.receiver = described(receiver);
  if (assigned_.value == site) seen.written.assigned_to = assigned_.target;
  if (written_call_.call == nullptr || written_call_.site != site) return;
  const Code& code = *written_call_.code;
  const auto place = [&](ExprId id) { return Place{site.file, code.exprs[id].span}; };
  const auto* method = std::get_if<model::Attribute>(&code.exprs[written_call_.call->callee].node);
  if (seen.written.receiver && method != nullptr)
    seen.written.receiver->written = place(method->object);
  const model::Range range = written_call_.call->arguments;
  size_t position = 0;
  for (uint32_t i = range.begin; i < range.end; ++i) {
    const model::Argument& argument = code.arguments[i];
    if (argument.star != model::Star::none) break;
    if (argument.keyword == 0) {
      if (position >= arguments.positional.size()) break;
      seen.arguments[position++].written = place(argument.value);
      continue;
    }
    for (ObservedArgument& given : seen.arguments) {
      if (given.keyword == text_of(argument.keyword)) given.written = place(argument.value);
    }
  }
}

Value Interpreter::evaluate_assigned(const Code& code, const model::Assign& statement) {
  const Assigned outer = std::exchange(assigned_, {});
  if (statement.targets.size() == 1) {
    const model::Expr* value = &code.exprs[statement.value];
    if (const auto* list = std::get_if<model::Comprehension>(&value->node))
      value = &code.exprs[list->element];
    const ExprId target = code.expr_lists[statement.targets.begin];
    assigned_ = {place_of(value->span), place_of(code.exprs[target].span)};
    observe_update(code, target, statement.value, ObservationKind::parameter_rebound,
                   place_of(value->span));
  }
  const Value made = evaluate(code, statement.value);
  assigned_ = outer;
  return made;
}

/// A method of a tensor, or of something unknown, is observed under its name with a dot before it;
/// with `(keyword)` after it, when that keyword is given and true.
void Interpreter::observe_method(Value receiver, model::NameId name, const Arguments& arguments,
                                 Place site) {
  const auto [found, fresh] = observed_methods_.try_emplace(name);
  if (fresh) {
    const std::string plain = "." + std::string(text_of(name));
    for (const std::string_view wanted : options_.observed_calls) {
      if (!wanted.starts_with(plain)) continue;
      const std::string_view rest = wanted.substr(plain.size());
      if (rest.empty() || rest == "()") found->second.emplace_back(intern(plain), 0);
      if (rest.size() > 2 && rest.starts_with('(') && rest.ends_with(')'))
        found->second.emplace_back(intern(plain), intern(rest.substr(1, rest.size() - 2)));
    }
  }
  if (found->second.empty() || stopped()) return;
  const bool reads = std::ranges::find(reading_methods, text_of(name)) != std::end(reading_methods);
  if (reads && !copies_async_) return;
  const bool collects =
      std::ranges::find(collecting_methods, text_of(name)) != std::end(collecting_methods);
  if (collects && (loops_.empty() || !loops_.back().over_made_at)) return;
  const std::vector<std::pair<model::NameId, model::NameId>> forms = found->second;
  for (const auto& [dotted, keyword] : forms) {
    if (keyword != 0) {
      const Value given = arguments.named(keyword, -1);
      if (!given.is(Kind::boolean) || given.payload == 0) continue;
      copies_async_ = true;
    }
    Observation seen = observation_at(ObservationKind::call, site);
    seen.name = text_of(dotted);
    describe_call(seen, arguments, site, receiver);
    return observe(std::move(seen));
  }
}

/// `float(copy)`, where a copy to the host may be under way.
void Interpreter::observe_reading(std::string_view function, const Arguments& arguments,
                                  Place site) {
  if (!copies_async_ || stopped() || arguments.positional.empty()) return;
  if (std::ranges::find(reading_functions, function) == std::end(reading_functions)) return;
  Observation seen = observation_at(ObservationKind::call, site);
  seen.name = function;
  describe_call(seen, arguments, site, {});
  observe(std::move(seen));
}

/// What the innermost loop goes through, and into which names.
void Interpreter::describe_loop(const Code& code, const model::For& statement, Value iterable) {
  LoopAround& loop = loops_.back();
  loop.target = place_of(code.exprs[statement.target].span);
  for (int i = 0; i < max_wrappers && iterable.is(Kind::iterator); ++i)
    iterable = object_of(iterable).receiver;
  if (!iterable.is(Kind::instance)) return;
  const Object& object = object_of(iterable);
  if (!object.target.is(Kind::external)) return;
  loop.over = text_of(object.target.id);
  loop.over_made_at = object.made_at;
}

/// A loop inside the `with` of something is observed as its `__for__`.
void Interpreter::observe_loop(Place statement) {
  if (stopped()) return;
  std::vector<std::string_view> around_it = contexts_;
  around_it.insert(around_it.end(), watched_.started.begin(), watched_.started.end());
  for (const std::string_view around : around_it) {
    const model::NameId name = names_.dotted(intern(around), intern("__for__"));
    if (!is_observed(name)) continue;
    Observation seen = observation_at(ObservationKind::call, statement);
    seen.name = text_of(name);
    return observe(std::move(seen));
  }
}

/// How many there are, when a `range` says so; else 1.
int64_t Interpreter::rounds_of(Value iterable) {
  if (!iterable.is(Kind::tuple)) return 1;
  const Arguments& bounds = object_of(iterable).arguments;
  const auto at = [&](size_t i) { return bounds.at(i).as_integer(); };
  constexpr int64_t most = int64_t{1} << 40;
  int64_t rounds = 1;
  if (bounds.positional.size() == 1) rounds = at(0);
  if (bounds.positional.size() == 2) rounds = at(1) - at(0);
  if (bounds.positional.size() == 3 && at(2) != 0) rounds = (at(1) - at(0)) / at(2);
  return counted_rounds_ > most / std::max<int64_t>(rounds, 1) ? 1 : std::max<int64_t>(rounds, 1);
}

/// A `try` of which no handler catches RuntimeError, by what its handlers do catch.
void Interpreter::observe_caught(const Code& code, const model::Try& statement,
                                 const Guards& guards) {
  if (guards.runtime_error || stopped()) return;
  for (uint32_t i = statement.handlers.begin; i < statement.handlers.end; ++i) {
    ExprId type = code.handlers[i].type;
    if (type == model::no_node) return;
    std::string rest;
    while (const auto* step = std::get_if<model::Attribute>(&code.exprs[type].node)) {
      rest = "." + std::string(text_of(step->name)) + rest;
      type = step->object;
    }
    const auto* name = std::get_if<model::Name>(&code.exprs[type].node);
    if (name == nullptr) continue;
    const Value base = lookup(name->name);
    if (!base.is(Kind::external)) continue;
    const model::NameId dotted = intern(std::string(text_of(base.id)) + rest + ".__except__");
    if (!is_observed(dotted)) continue;
    Observation seen =
        observation_at(ObservationKind::call, place_of(code.exprs[code.handlers[i].type].span));
    seen.name = text_of(dotted);
    observe(std::move(seen));
  }
}

/// What `torch.device(…)` gives.
Value Interpreter::made_device(const Arguments& arguments) {
  const Value type = arguments.named(intern("type"), 0);
  Value made = Value::device(device_of(arguments.named(intern("device"), 0)));
  std::optional<int64_t> index;
  if (type.is(Kind::integer)) index = type.as_integer();
  if (type.is(Kind::string)) index = index_of(text_of(type.id));
  const Value given = arguments.named(intern("index"), 1);
  if (given.is(Kind::integer)) index = given.as_integer();
  if (index && *index >= 0) made.id = static_cast<uint32_t>(*index) + 1;
  return made;
}

/// A device as a call names it: its index, -1 for the present one, unknown when nobody knows.
void Interpreter::observe_device(Device device, knowledge::DeviceFrom from,
                                 std::string_view keyword, int position,
                                 std::span<const knowledge::Moment> brings,
                                 const Arguments& arguments, Place site) {
  if (stopped() || (device != Device::cuda && device != Device::unknown)) return;
  if (from == knowledge::DeviceFrom::operand) return;
  const bool uses =
      std::ranges::find(brings, knowledge::Moment::device_allocation) != brings.end() ||
      std::ranges::find(brings, knowledge::Moment::context) != brings.end();
  if (from == knowledge::DeviceFrom::none && !uses) return;  // `index.fill_(rank)`
  Value value = keyword.empty() ? Value() : arguments.named(intern(keyword), position);
  const bool given = !value.is(Kind::absent) && !value.is(Kind::none);
  const bool is_made = value.is(Kind::device);
  if ((!uses && !given) || (is_made && value.id == 0)) return;
  const uint64_t key = uint64_t{site.file} << 32 | site.span.begin;
  if (sharing_.empty() && !named_devices_.insert(key).second) return;
  Observation seen = observation_at(ObservationKind::device_named, site);
  const Value index_given = keyword == "type" ? arguments.named(intern("index"), 1) : Value();
  if (!index_given.is(Kind::absent)) value = index_given;  // `torch.device("cuda", 1)`
  seen.arguments.push_back(described(value));
  if (keyword == "type") seen.name = "torch.device";  // only describes it
  if (is_made) value = Value::integer(int64_t{value.id} - 1);
  if (value.is(Kind::integer)) {
    seen.value = known(value);
  } else if (value.is(Kind::string)) {
    const std::optional<int64_t> index = index_of(text_of(value.id));
    seen.value = known(Value::integer(index.value_or(-1)));
  } else if (!given && device == Device::cuda) {
    seen.value = known(Value::integer(-1));
  }
  observe(std::move(seen));
}

/// A batch of a class that says nothing about pinning comes out of a pinning loader as it went in.
void Interpreter::observe_batch(const Arguments& loader, Value batch, Place site) {
  const Value pin = loader.named(intern("pin_memory"), 7);
  if (stopped() || !pin.is(Kind::boolean) || pin.payload == 0 || !batch.is(Kind::instance)) return;
  const Value class_value = object_of(batch).target;
  if (!class_value.is(Kind::class_) || has_unknown_base(class_value)) return;
  if (!find_in_class(class_value, intern("pin_memory")).is(Kind::absent)) return;
  for (const uint32_t method : {intern("__getitem__"), intern("__iter__")}) {
    if (!find_in_class(class_value, method).is(Kind::absent)) return;
  }
  const std::vector<Value> bases = object_of(class_value).values;
  const bool is_plain = std::ranges::all_of(
      bases, [&](Value base) { return base.is(Kind::external) && text_of(base.id) == "object"; });
  if (!is_plain) return;
  Observation seen = observation_at(ObservationKind::batch_made, site);
  seen.value = known(Value::string(object_of(class_value).name));
  const Value collate = loader.named(intern("collate_fn"), 6);
  if (collate.is(Kind::function) || collate.is(Kind::class_))
    seen.name = text_of(object_of(collate).name);
  observe(std::move(seen));
}

/// In a child: its function gives one of its parameters another value.
void Interpreter::observe_update(const Code& code, ExprId target, ExprId value,
                                 ObservationKind kind, Place site) {
  if (moments_.process == 0 || replaying_uncalled_ || stopped()) return;
  const auto* item = std::get_if<model::Subscript>(&code.exprs[target].node);
  const bool in_place = kind == ObservationKind::parameter_updated;
  if (item != nullptr && in_place) {
    // `counts[rank] += 1` is each process's own; `counts[0] += 1` is not.
    if (!std::holds_alternative<model::Integer>(code.exprs[item->index].node)) return;
    target = item->object;
  }
  const auto* name = std::get_if<model::Name>(&code.exprs[target].node);
  const model::Function* definition = frame().definition;
  if (name == nullptr || definition == nullptr) return;
  if (!in_place && !computed_from(code, value, name->name)) return;
  for (uint32_t i = definition->parameters.begin; i < definition->parameters.end; ++i) {
    if (frame().code->parameters[i].name != name->name) continue;
    const Value before = lookup(name->name);
    if (!before.is(Kind::tensor)) return;
    const std::vector<Observation>& all = timeline_.observations;
    const bool again = !all.empty() && all.back().kind == kind &&
                       all.back().process == moments_.process &&
                       timeline_.events[all.back().event].place == site;
    if (again) return;  // the next round of a loop
    Observation seen = observation_at(kind, site);
    seen.name = text_of(name->name);
    return observe(std::move(seen));
  }
}

/// An entry of a dictionary that is a dictionary itself is observed as a call of `{}.KEY` with its
/// entries: a configuration that some library reads.
void Interpreter::observe_entry(Value key, Value value, Place site) {
  if (stopped() || !key.is(Kind::string) || !value.is(Kind::dict)) return;
  const model::NameId name = names_.dotted(intern("{}"), key.id);
  if (!is_observed(name)) return;
  Arguments entries;
  for (const uint32_t entry : object_of(value).slot_names) {
    const Value held = get(value.id, entry);
    if ((entry & item_bit) == 0 && !held.is(Kind::absent))
      entries.keywords.push_back({entry, held});
  }
  entries.open = !dict_is_closed(value);
  observe_call(name, entries, site);
}

}  // namespace vramlint::replay
