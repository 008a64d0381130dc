// SPDX-License-Identifier: MIT
//
// The weights of the best round, kept as a reference: what the training goes on changing.
#include <algorithm>
#include <array>

#include "replay/habits.h"
#include "replay/interpreter.h"

namespace vramlint::replay {

using knowledge::MethodRole;
using model::Code;
using model::ExprId;

namespace {

/// Python's own ways to another container with the same things in it.
constexpr std::array<std::string_view, 3> shallow_copies = {"copy.copy", "dict",
                                                            "collections.OrderedDict"};
constexpr int max_depth = 6;

/// `v`, `v.detach()` and `v.data` are the same memory.
bool is_same_memory(Interpreter& python, const Code& code, ExprId id, model::NameId name) {
  const model::Attribute* part = method_called(code, id);
  if (part != nullptr && !has_role(python, part, MethodRole::detaches)) return false;
  if (part == nullptr) part = node_at<model::Attribute>(code, id);
  if (part != nullptr) {
    const knowledge::MethodRow* row = python.knowledge_.method(python.text_of(part->name));
    const bool cuts = row != nullptr && row->graph == knowledge::GraphEffect::cuts &&
                      row->makes == knowledge::Makes::tensor_like;
    return cuts && is_same_memory(python, code, part->object, name);
  }
  const auto* plain = node_at<model::Name>(code, id);
  return plain != nullptr && plain->name == name;
}

bool is_live(Interpreter& python, const Code& code, ExprId id, int depth = 0);

/// `{k: v for k, v in model.state_dict().items()}`
bool goes_through_live(Interpreter& python, const Code& code, const model::Comprehension& made,
                       int depth) {
  if (made.kind != model::ComprehensionKind::dict || made.clauses.size() != 1) return false;
  const model::Clause& clause = code.clauses[made.clauses.begin];
  const auto* pair = node_at<model::Sequence>(code, clause.target);
  const model::Attribute* items = method_called(code, clause.iterable);
  if (pair == nullptr || pair->items.size() != 2 || items == nullptr) return false;
  const auto* value = node_at<model::Name>(code, code.expr_lists[pair->items.begin + 1]);
  return value != nullptr && python.text_of(items->name) == "items" &&
         is_same_memory(python, code, made.value, value->name) &&
         is_live(python, code, items->object, depth + 1);
}

/// An expression that gives the parameters themselves, in whatever container.
bool is_live(Interpreter& python, const Code& code, ExprId id, int depth) {
  if (depth > max_depth) return false;
  const model::Attribute* method = method_called(code, id);
  if (has_role(python, method, MethodRole::live_state)) return true;
  if (const auto* made = node_at<model::Comprehension>(code, id))
    return goes_through_live(python, code, *made, depth);
  if (const auto* dict = node_at<model::Dict>(code, id)) {
    for (uint32_t i = dict->entries.begin + 1; i < dict->entries.end; i += 2) {
      if (is_live(python, code, code.expr_lists[i], depth + 1)) return true;
    }
    return false;
  }
  const auto* call = node_at<model::Call>(code, id);
  if (call == nullptr) return false;
  const bool copies = method != nullptr && python.text_of(method->name) == "copy";
  if (copies && call->arguments.empty() && is_live(python, code, method->object, depth + 1))
    return true;
  if (call->arguments.size() != 1) return false;
  const ExprId given = code.arguments[call->arguments.begin].value;
  if (!is_live(python, code, given, depth + 1)) return false;
  const Value callee = python.evaluate(code, call->callee);
  return callee.is(Kind::external) &&
         std::ranges::find(shallow_copies, python.text_of(callee.id)) != shallow_copies.end();
}

/// Whether the path that an assignment stands on leaves the loop: nothing changes afterwards.
bool leaves_loop(const Code& code, text::Span assignment) {
  const model::If* innermost = nullptr;
  text::Span around;
  for (const model::Stmt& statement : code.stmts) {
    const auto* choice = std::get_if<model::If>(&statement.node);
    if (choice == nullptr || !statement.span.contains(assignment)) continue;
    if (innermost != nullptr && statement.span.contains(around)) continue;
    innermost = choice;
    around = statement.span;
  }
  return std::any_of(code.stmts.begin(), code.stmts.end(), [&](const model::Stmt& statement) {
    const bool leaves = std::holds_alternative<model::Break>(statement.node) ||
                        std::holds_alternative<model::Return>(statement.node) ||
                        std::holds_alternative<model::Raise>(statement.node);
    return leaves && around.contains(statement.span) && statement.span.begin >= assignment.end;
  });
}

/// A name that means a copy of what was best so far, unlike `unwrapped = model`.
bool is_best(std::string_view name) {
  return name.find("best") != std::string_view::npos || name.find("BEST") != std::string_view::npos;
}

/// Under a condition in a loop of the same function.
const LoopRounds* conditional_loop(const Interpreter& python) {
  if (python.rounds_.empty() || python.probing_ > 0) return nullptr;
  const LoopRounds* loop = python.rounds_.back();
  const bool conditional = python.branches_ - python.loop_branches_ > loop->paths;
  return conditional && loop->frame == python.frame().token ? loop : nullptr;
}

/// Whether the condition under which the state was taken is still under way: no training is
/// between.
bool is_on_path(const Interpreter& python, const Snapshot& snapshot) {
  return snapshot.condition &&
         std::ranges::find(python.conditions_, *snapshot.condition) != python.conditions_.end();
}

}  // namespace

/// `best = model.state_dict()` is looked at when it is loaded, `best = model` when the loop ends.
void watch_snapshot(Interpreter& python, const Code& code, const model::Assign& node,
                    text::Span span) {
  const LoopRounds* loop = conditional_loop(python);
  if (loop == nullptr) return;
  const auto note = [&](ExprId target, ExprId value) {
    const auto* name = node_at<model::Name>(code, target);
    if (name == nullptr) return;
    Snapshot made{name->name, python.place_of(span), python.frame().token, {}, {}};
    if (!python.conditions_.empty()) made.condition = python.conditions_.back();
    if (const auto* alias = node_at<model::Name>(code, value)) {
      if (!is_best(python.text_of(name->name))) return;
      python.charge(code.stmts.size() / 16);
      const bool is_own = !is_given_in(code, loop->statement.span, alias->name) &&
                          is_module(python, code, value) && !leaves_loop(code, span);
      if (!is_own) return;
      made.alias_in = loop->statement;
    } else if (!is_live(python, code, value)) {
      // `state = copied(state)` on the same path
      std::erase_if(python.watched_.snapshots, [&](const Snapshot& known) {
        return known.name == name->name && known.frame == made.frame && is_on_path(python, known);
      });
      return;
    }
    python.watched_.snapshots.push_back(made);
  };
  const ExprId target = code.expr_lists[node.targets.begin];
  const auto* targets = node_at<model::Sequence>(code, target);
  const auto* values = node_at<model::Sequence>(code, node.value);
  if (targets == nullptr || values == nullptr) return note(target, node.value);
  if (targets->items.size() != values->items.size()) return;
  for (uint32_t i = 0; i < targets->items.size(); ++i)
    note(code.expr_lists[targets->items.begin + i], code.expr_lists[values->items.begin + i]);
}

void watch_loaded(Interpreter& python, Place site) {
  const WrittenCall& written = python.written_call_;
  if (written.call == nullptr || written.site != site || written.call->arguments.empty()) return;
  const Code& code = *written.code;
  ExprId given = code.arguments[written.call->arguments.begin].value;
  while (const auto* part = node_at<model::Subscript>(code, given)) given = part->object;
  const auto* name = node_at<model::Name>(code, given);
  if (name == nullptr) return;
  for (const Snapshot& snapshot : python.watched_.snapshots) {
    const bool is_loaded = snapshot.name == name->name && !snapshot.alias_in &&
                           snapshot.frame == python.frame().token && !is_on_path(python, snapshot);
    if (is_loaded)
      observe_habit(python, KeptWay::live_state, snapshot.place, python.text_of(snapshot.name));
  }
}

/// Only where the loop trains in sight, and what it left is read after it.
void watch_aliases(Interpreter& python, const LoopRounds& loop) {
  if (!loop.backward && !loop.backward_inside) return;
  const model::Function* function = python.frame().definition;
  for (const Snapshot& snapshot : python.watched_.snapshots) {
    const bool ends = snapshot.alias_in == loop.statement && snapshot.frame == python.frame().token;
    if (!ends) continue;
    const std::string_view file = searched_file(python);
    const size_t end = function == nullptr ? file.size() : function->span.end;
    const size_t begin = std::min<size_t>(loop.statement.span.end, end);
    const std::string_view name = python.text_of(snapshot.name);
    if (has_word(file.substr(begin, end - begin), name))
      observe_habit(python, KeptWay::live_state, snapshot.place, name);
  }
}

}  // namespace vramlint::replay
