// SPDX-License-Identifier: MIT
//
// What a loop leaves behind. A loop over something unknown has run its body once; what the later
// rounds would do is found out by running it twice more, on values of which those that change from
// round to round are no longer known, and taking that back. A graph that then belongs to all three
// rounds is one that grows.
#include <algorithm>

#include "replay/habits.h"
#include "replay/interpreter.h"
#include "replay/keeping.h"

namespace vramlint::replay {

using model::Code;
using model::ExprId;

namespace {

/// Whether `part` is written somewhere in `whole`, as the same name or attribute.
bool same_expression(const Code& code, ExprId left, ExprId right) {
  const model::Expr& a = code.exprs[left];
  const model::Expr& b = code.exprs[right];
  if (const auto* name = std::get_if<model::Name>(&a.node)) {
    const auto* other = std::get_if<model::Name>(&b.node);
    return other != nullptr && other->name == name->name;
  }
  if (const auto* attribute = std::get_if<model::Attribute>(&a.node)) {
    const auto* other = std::get_if<model::Attribute>(&b.node);
    return other != nullptr && other->name == attribute->name &&
           same_expression(code, attribute->object, other->object);
  }
  if (const auto* item = std::get_if<model::Subscript>(&a.node)) {
    const auto* other = std::get_if<model::Subscript>(&b.node);
    return other != nullptr && same_expression(code, item->object, other->object) &&
           same_expression(code, item->index, other->index);
  }
  if (const auto* text = std::get_if<model::String>(&a.node)) {
    const auto* other = std::get_if<model::String>(&b.node);
    return other != nullptr && other->text == text->text;
  }
  if (const auto* number = std::get_if<model::Integer>(&a.node)) {
    const auto* other = std::get_if<model::Integer>(&b.node);
    return other != nullptr && other->value == number->value;
  }
  return false;
}

/// `total = 0` in the loop itself: what is added up does not grow from round to round.
bool is_reset(const Code& code, text::Span loop, const model::Name& name) {
  return std::any_of(code.stmts.begin(), code.stmts.end(), [&](const model::Stmt& statement) {
    const auto* assign = std::get_if<model::Assign>(&statement.node);
    if (assign == nullptr || !loop.contains(statement.span)) return false;
    const ExprId target = code.expr_lists[assign->targets.begin];
    const auto* same = std::get_if<model::Name>(&code.exprs[target].node);
    return same != nullptr && same->name == name.name && !mentions(code, assign->value, target);
  });
}

bool lies_in(text::Span inner, text::Span outer) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

}  // namespace

/// The expressions of a block lie one after the other: those inside another are found by place.
bool mentions(const Code& code, ExprId whole, ExprId part) {
  const text::Span span = code.exprs[whole].span;
  for (ExprId id = 0; id < code.exprs.size(); ++id) {
    if (lies_in(code.exprs[id].span, span) && same_expression(code, part, id)) return true;
  }
  return false;
}

/// Runs one round; after the first one, what those after it would leave behind is looked at.
void Interpreter::run_round(LoopRounds& loop, Value element,
                            const std::function<void(Value)>& body) {
  const Round begin = ++round_;
  const Store::Mark mark = store_.mark();
  const auto first_object = static_cast<ObjectId>(objects_.size());
  rounds_.push_back(&loop);
  loop.paths = branches_ - loop_branches_;
  body(element);
  const bool looks = ++loop.count == 1 && loop.repeats && probing_ == 0 && sharing_.empty() &&
                     effect_ == nullptr && !stopped() && steps_ < budget_ / 2;
  if (looks) look_ahead(loop, mark, begin, first_object, element, body);
  rounds_.pop_back();
}

LoopRounds Interpreter::begin_loop(Place statement) {
  LoopRounds made;
  made.statement = statement;
  made.observed = timeline_.observations.size();
  made.frame = frame().token;
  made.first_object = static_cast<ObjectId>(objects_.size());
  return made;
}

/// What was done in each round of a loop over batches was done for each batch.
void Interpreter::end_loop(const LoopRounds& loop) {
  if (!rounds_.empty()) rounds_.back()->has_inner = true;
  watch_aliases(*this, loop);
  const bool is_evaluation = loop.evaluated && !loop.leaves && !loop.backward &&
                             !loop.backward_inside && !loop.takes_gradients && probing_ == 0 &&
                             !stopped() &&
                             std::none_of(kept_.begin(), kept_.end(), [&](const KeptFinding& kept) {
                               return kept.seen.loop->statement == loop.statement;
                             });
  if (is_evaluation) observe_evaluation(loop);
  const bool each_batch = (loop.backward || loop.over_batches) && !loop.leaves;
  for (size_t i = loop.observed; i < timeline_.observations.size(); ++i) {
    Observation& seen = timeline_.observations[i];
    // A loop that has no other one inside it is one over steps, when it takes batch after batch.
    const bool restarts = seen.kept == KeptWay::restart && !loop.has_inner && loop.repeats;
    if (seen.each_round == loop.statement) seen.each_batch |= each_batch || restarts;
  }
}

void Interpreter::observe_evaluation(const LoopRounds& loop) {
  Remark remark{loop.keeper, {}, loop.statement};
  for (const Evaluated& mode : watched_.modes) {
    if (mode.frame == loop.frame) remark.place = mode.place;
  }
  observe_habit(*this, KeptWay::evaluation, *loop.evaluated, text_before(*loop.evaluated, "("),
                remark);
}

/// By the names that people give to what holds batches.
bool says_batches(std::string_view text) {
  return text.find("loader") != text.npos || text.find("batches") != text.npos;
}

/// A loader, by what it is or how it is called, or a range that goes on by a batch's size.
bool Interpreter::goes_through_batches(const Code& code, ExprId iterable, Value value) {
  const auto is_loader = [&](Value given) {
    return given.is(Kind::instance) && object_of(given).target.is(Kind::external) &&
           text_of(object_of(given).target.id).ends_with("DataLoader");
  };
  if (is_loader(value) || (value.is(Kind::iterator) && is_loader(object_of(value).receiver)))
    return true;
  std::string text(text_at(code.exprs[iterable].span));
  for (char& byte : text) byte = byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte;
  const size_t range = text.find("range(");
  if (range == std::string::npos) return says_batches(text);
  return std::count(text.begin(), text.end(), ',') >= 2 &&
         text.find("batch", range) != std::string::npos;
}

void Interpreter::look_ahead(LoopRounds& loop, Store::Mark mark, Round first, ObjectId first_object,
                             Value element, const std::function<void(Value)>& body) {
  const Delta changed = store_.changes_since(mark);
  const bool keeps =
      std::any_of(changed.changes.begin(), changed.changes.end(), [&](const Delta::Change& change) {
        return change.value.has_graph() && graphs_.is_certain(change.value.graph);
      });
  if (!keeps) return;
  const Store::Mark start = store_.mark();
  const size_t observed = timeline_.observations.size();
  const size_t exits = at_exit_.size();
  const size_t regions = regions_.size();
  ++probing_;
  forget_counts(changed, first_object);
  Round begins[3] = {first, 0, 0};
  for (int i = 1; i <= 2 && !stopped(); ++i) {
    begins[i] = ++round_;
    probed_ = begins;
    writes_.clear();
    last_round_ = i == 2;
    open_region({Completion::returned, Completion::raised, Completion::broken,
                 Completion::continued, Completion::suspended});
    body(any_of(element));
    regions_.resize(regions);
  }
  if (!stopped()) judge_writes(loop, begins);
  abrupt_ = {};
  last_round_ = false;
  writes_.clear();
  --probing_;
  store_.undo_to(start);
  at_exit_.resize(std::min(at_exit_.size(), exits));
  timeline_.observations.resize(std::min(timeline_.observations.size(), observed));
}

/// Numbers that a round changed are other ones in later rounds; so are the lengths of lists.
void Interpreter::forget_counts(const Delta& changed, ObjectId first_object) {
  for (const Delta::Change& change : changed.changes) {
    const auto object = static_cast<ObjectId>(change.key >> 32);
    const auto name = static_cast<uint32_t>(change.key);
    const bool is_state = object == process_state_ || object == environment_ ||
                          object == external_overlay_ || object == moments_.modules;
    if (object >= first_object || is_state || !change.value.is(Kind::integer)) continue;
    Value unknown = Value::unknown();
    unknown.graph = Value::counting;
    store_.set({object, name}, unknown);
  }
}

/// The element of a later round: the same kind of thing, and other numbers.
Value Interpreter::any_of(Value element) {
  if (element.is(Kind::integer)) {
    Value unknown = Value::unknown();
    unknown.graph = Value::counting;
    return unknown;
  }
  std::vector<Value> items;
  if (!element.is(Kind::tuple) || !items_of(element, items)) return element;
  for (Value& item : items) item = any_of(item);
  return make_list(items, Kind::tuple);
}

/// Whether a loop over it may have more rounds than two.
bool Interpreter::may_repeat(Value iterable) {
  std::vector<Value> items;
  return !items_of(iterable, items) || items.size() > 2;
}

/// Whether a graph belongs to all rounds that were looked at.
bool Interpreter::is_of_all_rounds(GraphId graph, const Round* begins) const {
  return graphs_.is_certain(graph) && graphs_.reaches(graph, begins[0], begins[1]) &&
         graphs_.reaches(graph, begins[1], begins[2]) &&
         graphs_.reaches(graph, begins[2], UINT32_MAX);
}

void Interpreter::judge_writes(LoopRounds& loop, const Round* begins) {
  for (const KeptWrite& write : writes_) {
    const bool is_told = !write.adds && std::ranges::any_of(writes_, [&](const KeptWrite& other) {
      return other.adds && other.object == write.object && other.name == write.name;
    });
    if (is_told) continue;
    if (write.way != KeptWay::backward) {
      const Value now = get(write.object, write.name);
      const bool in_container = write.name == kept_slot;
      const GraphId graph = in_container ? now.graph : graph_of(now);
      // A container takes more and more when it took something in two rounds.
      const bool grows = in_container && graphs_.is_certain(graph) &&
                         graphs_.reaches(graph, begins[1], begins[2]) &&
                         graphs_.reaches(graph, begins[2], UINT32_MAX);
      if (!grows && !is_of_all_rounds(graph, begins)) continue;
    }
    keep_finding(loop, write, begins);
  }
}

/// A finding that stands unless `backward()` turns out to need what was kept.
void Interpreter::keep_finding(LoopRounds& loop, const KeptWrite& write, const Round* begins) {
  const bool steps = loop.backward || loop.backward_inside;
  if (!steps && loop.is_expression && !loop.over_batches) return;
  if (!steps && !(loop.begins && is_evaluation(write))) return;
  const Place place = timeline_.events[write.event].place;
  for (const KeptFinding& known : kept_) {
    if (timeline_.events[known.seen.event].place == place) return;
  }
  KeptFinding made;
  made.seen = observation_at(ObservationKind::graph_kept, place);
  made.seen.event = write.event;
  made.seen.name = write.text;
  made.seen.kept = write.way;
  made.seen.each_step = (loop.backward || !loop.backward_inside) && !is_within_batch(loop);
  made.seen.loop = LoopAround{};
  made.seen.loop->statement = loop.statement;
  made.begin = begins[0];
  made.end = begins[1];
  made.is_entry = write.is_entry;
  made.without_step = !steps;
  made.container = write.object;
  kept_.push_back(std::move(made));
}

/// A loop inside the round of one that goes through batches: what it keeps does not live long.
bool Interpreter::is_within_batch(const LoopRounds& loop) const {
  return !loop.over_batches &&
         std::any_of(rounds_.begin(), rounds_.end(), [&](const LoopRounds* outer) {
           // A generator that the loop goes through is called later than the loop's own frame.
           return outer != &loop && outer->over_batches && outer->frame <= loop.frame;
         });
}

/// A loop without `backward()`: only the program's own steps count, and no layer that goes through
/// its parts, whose caller may still need the graph.
bool Interpreter::is_evaluation(const KeptWrite& write) {
  if (replaying_uncalled_) return false;
  if (write.way == KeptWay::call && !write.by_one_cell) return false;
  return std::none_of(frames_.begin(), frames_.end(), [&](const Frame& frame) {
    const ObjectId owner = frame.function == 0 ? 0 : objects_[frame.function].owner;
    return owner != 0 && derives_from(Value::object(Kind::class_, owner), "torch.nn.Module");
  });
}

/// At the end of the entry: what nobody needed.
void Interpreter::report_kept() {
  for (KeptFinding& finding : kept_) timeline_.observations.push_back(std::move(finding.seen));
  kept_.clear();
}

/// `backward()` on a value: it has a graph, and what was kept for it was no leftover.
void Interpreter::consume_graph(Value value, const Arguments& arguments, Place site) {
  if (stopped()) return;
  GraphId graph = graph_of(value);
  if (graph == 0) graph = graph_of(arguments.at(0));
  if (graph == 0) return;
  graphs_.prove(graph);
  // `grad(value, y, create_graph=True)` belongs to what is computed: no step ends with it.
  const Value creates = arguments.named(intern("create_graph"), -1);
  const bool is_step =
      !value.is(Kind::absent) || !creates.is(Kind::boolean) || creates.payload == 0;
  for (size_t i = rounds_.size(); is_step && i-- > 0;) {
    (i + 1 == rounds_.size() ? rounds_[i]->backward : rounds_[i]->backward_inside) = true;
  }
  std::erase_if(kept_, [&](const KeptFinding& finding) {
    // That it goes back through earlier rounds once more is what such a finding is about.
    const bool goes_back = finding.seen.kept == KeptWay::backward;
    return !goes_back && graphs_.reaches(graph, finding.begin, finding.end);
  });
  const Value retains = arguments.named(intern("retain_graph"), -1);
  const bool is_retained = retains.is(Kind::boolean) && retains.payload != 0;
  if (!last_round_ || !is_retained || !is_of_all_rounds(graph, probed_)) return;
  // It goes no further than what it is asked about, which was computed in this round or the last.
  const GraphId asked = graph_of(arguments.named(intern("inputs"), 1));
  if (asked != 0 && asked != Value::leaf_graph) return;
  KeptWrite write;
  write.way = KeptWay::backward;
  write.event = event_at(site);
  writes_.push_back(write);
}

/// Where the slot of a name, attribute or item is.
std::optional<Slot> Interpreter::slot_of(const Code& code, ExprId target) {
  const model::ExprNode& node = code.exprs[target].node;
  if (const auto* name = std::get_if<model::Name>(&node)) {
    for (ObjectId scope = frame().scope; scope != 0; scope = objects_[scope].scope) {
      if (!get(scope, name->name).is(Kind::absent)) return Slot{scope, name->name};
    }
  } else if (const auto* attribute = std::get_if<model::Attribute>(&node)) {
    const Value object = evaluate(code, attribute->object);
    if (object.is(Kind::instance) || object.is(Kind::module) || object.is(Kind::class_))
      return Slot{object.id, attribute->name};
  } else if (const auto* item = std::get_if<model::Subscript>(&node)) {
    const Value object = evaluate(code, item->object);
    uint32_t name = 0;
    const Value key = evaluate(code, item->index);
    if (object.is(Kind::dict) && key_of(key, name)) return Slot{object.id, name};
    if (object.is(Kind::list) && key.is(Kind::integer) && key.as_integer() >= 0)
      return Slot{object.id, item_bit | static_cast<uint32_t>(key.as_integer())};
  }
  return std::nullopt;
}

namespace {

/// Whether an operand may carry a graph; a number and a name that holds none do not.
bool brings_graph(Interpreter& python, const Code& code, ExprId value) {
  const bool is_plain = node_at<model::Name>(code, value) != nullptr ||
                        node_at<model::Attribute>(code, value) != nullptr ||
                        node_at<model::Integer>(code, value) != nullptr;
  return !is_plain || python.graph_of(python.evaluate(code, value)) != 0;
}

}  // namespace

/// `target = value` in the round that stands for the later ones. `again`: `target += value`.
void Interpreter::note_written(const Code& code, ExprId target, ExprId value, bool again,
                               text::Span span) {
  if (stopped()) return;
  if (!again && same_expression(code, target, value)) return;  // `layers = layers`
  const bool is_evaluated = !rounds_.empty() && rounds_.back()->evaluated && probing_ == 0;
  if (is_evaluated && (again || mentions(code, value, target))) {
    const auto* plain = std::get_if<model::Name>(&code.exprs[target].node);
    const std::optional<Slot> slot = slot_of(code, target);
    const bool is_new = plain != nullptr && is_reset(code, rounds_.back()->statement.span, *plain);
    if (slot && !is_new)
      note_evaluated(get(slot->object, slot->name), 0, text_at(code.exprs[target].span));
  }
  if (!last_round_) return;
  const auto* targets = std::get_if<model::Sequence>(&code.exprs[target].node);
  const auto* values = std::get_if<model::Sequence>(&code.exprs[value].node);
  if (targets != nullptr && values != nullptr && targets->items.size() == values->items.size()) {
    for (uint32_t i = 0; i < targets->items.size(); ++i) {
      note_written(code, code.expr_lists[targets->items.begin + i],
                   code.expr_lists[values->items.begin + i], again, span);
    }
    return;
  }
  if (targets != nullptr && values == nullptr) {
    // `output, state = cell(x, state)`
    for (uint32_t i = 0; i < targets->items.size(); ++i)
      note_written(code, code.expr_lists[targets->items.begin + i], value, again, span);
    return;
  }
  const bool is_name = std::holds_alternative<model::Name>(code.exprs[value].node);
  if (!again && !is_name && !mentions(code, value, target)) return;
  const std::optional<Slot> slot = slot_of(code, target);
  if (!slot || stopped()) return;
  const Value now = get(slot->object, slot->name);
  if (graph_of(now) == 0) return;
  KeptWrite write;
  const bool is_container = now.is(Kind::list) || now.is(Kind::tuple) || now.is(Kind::set);
  write.way = is_container ? KeptWay::container : KeptWay::sum;
  const auto* call = std::get_if<model::Call>(&code.exprs[value].node);
  if (!again && call != nullptr && !is_container) {
    const auto* callee = std::get_if<model::Attribute>(&code.exprs[call->callee].node);
    const bool by_torch = callee != nullptr && evaluate(code, callee->object).is(Kind::external);
    if (!by_torch) write.way = KeptWay::call;
    write.by_one_cell = is_one_cell(*this, *rounds_.back(), code, call->callee);
  }
  write.event = event_at(place_of(span));
  write.object = slot->object;
  write.name = slot->name;
  write.text = text_at(code.exprs[target].span);
  write.adds = !again || (value != target && brings_graph(*this, code, value));
  write.is_entry = std::holds_alternative<model::Subscript>(code.exprs[target].node);
  writes_.push_back(write);
}

std::string_view Interpreter::text_at(text::Span span) {
  return frame().file->program.source->bytes().substr(span.begin, span.end - span.begin);
}

/// What is written at a place before some mark: `losses` of `losses.append(loss)`.
std::string_view Interpreter::text_before(Place place, std::string_view mark) {
  const std::string_view text = text_at(place.span);
  return text.substr(0, text.find(mark));
}

/// Something is put into a container: it holds the graph as long as nobody takes it out.
void Interpreter::note_kept(Value container, Value item, Place site, std::string_view text,
                            bool is_entry) {
  const Value before = get(container.id, kept_slot);
  if (before.is(Kind::none)) return;  // a container that lets go by itself
  const bool in_evaluation = !rounds_.empty() && rounds_.back()->evaluated && probing_ == 0;
  if (in_evaluation && !text.empty() && !has_limit(*this, text))
    note_evaluated(item, container.id, text);
  GraphId graph = graph_of(item);
  if (graph == 0 && item.is(Kind::function)) graph = graph_of_cells(*this, item);
  if (graph == 0) return;
  Value kept = Value::unknown();
  const GraphId both[] = {graph, before.graph};
  kept.graph = before.has_graph() ? graphs_.computed(both, round_) : graph;
  store_.set({container.id, kept_slot}, kept);
  if (!last_round_ || text.empty() || has_limit(*this, text)) return;
  KeptWrite write;
  write.way = KeptWay::container;
  write.event = event_at(site);
  write.object = container.id;
  write.name = kept_slot;
  write.text = text;
  write.is_entry = is_entry;
  writes_.push_back(write);
}

/// What a model that was set to evaluate gave is put into something older than the loop.
void Interpreter::note_evaluated(Value value, ObjectId container, std::string_view text) {
  if (rounds_.empty() || probing_ > 0) return;
  LoopRounds& loop = *rounds_.back();
  const bool is_older = container < loop.first_object || loop.is_expression;
  if (!loop.evaluated || !is_older || loop.evaluated_graph == 0) return;
  if (graphs_.stems_from(graph_of(value), loop.evaluated_graph)) loop.keeper = text;
}

/// What a loop without `backward()` has collected is emptied later, or, in a loop around it, handed
/// to something unknown that may go back through it.
void Interpreter::forget_kept(Value container, bool in_loop) {
  if (probing_ > 0 || kept_.empty()) return;
  std::erase_if(kept_, [&](const KeptFinding& finding) {
    return finding.without_step && finding.container == container.id &&
           (!in_loop || !rounds_.empty());
  });
}

/// `clear()`, `pop()`, `del items[…]`: what is put in is taken out again.
void Interpreter::note_let_go(Value container) {
  forget_kept(container, false);
  Value gone = Value::unknown();
  const Value before = get(container.id, kept_slot);
  if (before.is(Kind::absent) || before.is(Kind::none)) return;
  gone.graph = probing_ > 0 ? Value::cut_graph : GraphId{0};
  if (!rounds_.empty()) rounds_.back()->keeper = {};
  store_.set({container.id, kept_slot}, gone);
}

/// `window[-4:] + [loss]`: a part of something, and what is written beside it, does not grow.
void note_tail(Interpreter& python, const Code& code, const model::Binary& sum, Value left,
               Value right, Value made) {
  const auto is_short = [&](ExprId id, Value value) {
    return python.is_bounded(value) || std::holds_alternative<model::Sequence>(code.exprs[id].node);
  };
  const bool cut = python.is_bounded(left) || python.is_bounded(right);
  if (cut && is_short(sum.left, left) && is_short(sum.right, right))
    python.set(made.id, Interpreter::kept_slot, Value::none());
}

bool Interpreter::is_bounded(Value container) const {
  return get(container.id, kept_slot).is(Kind::none);
}

}  // namespace vramlint::replay
