// SPDX-License-Identifier: MIT
#include "replay/guards.h"
#include "replay/interpreter.h"
#include "replay/keeping.h"
#include "replay/library.h"
#include "replay/uses.h"
#include "support/overloaded.h"

namespace vramlint::replay {

using model::Code;

namespace {

/// While the branches of an `if` run.
class UnderCondition {
 public:
  UnderCondition(std::vector<Place>& conditions, Place condition) : conditions_(conditions) {
    conditions_.push_back(condition);
  }
  ~UnderCondition() { conditions_.pop_back(); }
  UnderCondition(const UnderCondition&) = delete;
  UnderCondition& operator=(const UnderCondition&) = delete;

 private:
  std::vector<Place>& conditions_;
};

}  // namespace

void Interpreter::execute(const Code& code, model::Range body) {
  for (uint32_t i = body.begin; i < body.end && !stopped(); ++i) {
    watch_statement(*this, code, code.stmts[code.stmt_lists[i]]);
    execute(code, code.stmts[code.stmt_lists[i]]);
  }
}

void Interpreter::execute(const Code& code, const model::Stmt& statement) {
  if (!spend()) return;
  const Nested nested(*this);
  if (!nested.bounded()) return;
  const text::Span span = statement.span;
  const Overloaded visitor{
      [&](const model::Evaluate& node) {
        evaluate(code, node.value);
        observe_statement(*this, code, node.value);
      },
      [&](const model::Assign& node) {
        const Value value = evaluate_assigned(code, node);
        for (uint32_t i = node.targets.begin; i < node.targets.end && !stopped(); ++i) {
          assign(code, code.expr_lists[i], value, span);
          observe_setting_name(*this, code, code.expr_lists[i], value, span);
          note_written(code, code.expr_lists[i], node.value, false, span);
        }
      },
      [&](const model::AugmentedAssign& node) { execute_augmented(code, node, span); },
      [&](const model::Import& node) { execute_import(code, node, span); },
      [&](const model::FromImport& node) { execute_from_import(code, node, span); },
      [&](const model::DefineFunction& node) { define_function(code, node.function); },
      [&](const model::DefineClass& node) { define_class(code, node.id); },
      [&](const model::If& node) { execute_if(code, node); },
      [&](const model::For& node) { execute_for(code, node, span); },
      [&](const model::While& node) { execute_while(code, node, span); },
      [&](const model::Try& node) { execute_try(code, node); },
      [&](const model::With& node) { execute_with(code, node, node.items.begin); },
      [&](const model::Return& node) {
        const Value value =
            node.value == model::no_node ? Value::none() : evaluate(code, node.value);
        if (!stopped()) abrupt_ = {Completion::returned, value};
      },
      [&](const model::Raise& node) { execute_raise(code, node); },
      [&](const model::Break&) {
        abrupt_ = {Completion::broken, {}};
      },
      [&](const model::Continue&) {
        abrupt_ = {Completion::continued, {}};
      },
      [&](const model::Pass&) {},
      [&](const model::Delete& node) { execute_delete(code, node); },
      [&](const model::Scope&) {},  // known from the definition of the function
      [&](const model::Assert& node) {
        if (node.condition == model::no_node) return;
        const Truth truth = truth_of(evaluate(code, node.condition));
        observe_condition(*this, code, node.condition);
        if (truth == Truth::no && !stopped()) {
          abrupt_ = {Completion::raised, Value::external(intern("AssertionError"))};
        }
      },
      [&](const model::Match& node) {
        const Value subject = evaluate(code, node.subject);
        if (!stopped()) execute_match(code, node, node.arms.begin, subject);
      },
  };
  std::visit(visitor, statement.node);
}

/// `if TYPE_CHECKING or SOME_SWITCH:` in front of imports that are otherwise made when they are
/// needed: what stands there is for type checkers.
bool Interpreter::is_for_type_checkers(const Code& code, const model::If& statement) {
  const auto* either = std::get_if<model::Logical>(&code.exprs[statement.condition].node);
  if (either == nullptr || either->op != model::LogicalOp::logical_or) return false;
  const auto* name = std::get_if<model::Name>(&code.exprs[either->left].node);
  return name != nullptr && text_of(name->name) == "TYPE_CHECKING";
}

void Interpreter::execute_if(const Code& code, const model::If& statement) {
  if (is_for_type_checkers(code, statement)) return execute(code, statement.otherwise);
  const Value condition = evaluate(code, statement.condition);
  if (stopped()) return;
  observe_condition(*this, code, statement.condition);
  const UnderCondition under(conditions_, place_of(code.exprs[statement.condition].span));
  switch (truth_of(condition)) {
    case Truth::yes: {
      const int machine = condition.is(Kind::boolean) && condition.id != 0 ? 1 : 0;
      machine_branches_ += machine;
      execute(code, statement.then);
      machine_branches_ -= machine;
      return;
    }
    case Truth::no: return execute(code, statement.otherwise);
    case Truth::unknown:
      // Both processes of a fork go on, each its own way: that is no condition.
      loop_branches_ += is_fork_result(condition) ? 1 : 0;
      branch(
          [&] {
            assume(condition, true);
            execute(code, statement.then);
          },
          [&] {
            assume(condition, false);
            execute(code, statement.otherwise);
          });
      loop_branches_ -= is_fork_result(condition) ? 1 : 0;
  }
}

void Interpreter::execute_match(const Code& code, const model::Match& statement, uint32_t arm_index,
                                Value subject) {
  const Nested nested(*this);
  if (arm_index == statement.arms.end || !nested.bounded()) return;
  const model::Arm& arm = code.arms[arm_index];
  Truth fits = Truth::unknown;
  if (arm.literal != model::no_node) {
    fits = compare(model::CompareOp::equal, subject, evaluate(code, arm.literal));
  } else if (arm.irrefutable) {
    fits = Truth::yes;
    if (arm.capture != 0) bind(arm.capture, subject);
  }
  if (fits != Truth::no && arm.guard != model::no_node) {
    const Truth guard = truth_of(evaluate(code, arm.guard));
    if (guard != Truth::yes) fits = guard;
  }
  if (stopped()) return;
  const auto next = [&] { execute_match(code, statement, arm_index + 1, subject); };
  switch (fits) {
    case Truth::yes: return execute(code, arm.body);
    case Truth::no: return next();
    case Truth::unknown: branch([&] { execute(code, arm.body); }, next);
  }
}

void Interpreter::execute_with(const Code& code, const model::With& statement, uint32_t item) {
  const Nested nested(*this);
  if (item == statement.items.end || !nested.bounded()) return execute(code, statement.body);
  const model::WithItem& entered = code.with_items[item];
  const Value manager = evaluate(code, entered.context);
  if (stopped()) return;
  const text::Span span = code.exprs[entered.context].span;
  const auto body = [&](Value value) {
    if (entered.target != model::no_node) assign(code, entered.target, value, span);
    if (!stopped()) execute_with(code, statement, item + 1);
  };
  const std::optional<Guards> guards =
      manager.is(Kind::unknown) ? guards_of_method(*this, code, entered.context) : std::nullopt;
  if (guards) return run_guarded(*this, *guards, [&] { body(Value::unknown()); });
  enter_context(manager, place_of(span), body);
}

void Interpreter::execute_raise(const Code& code, const model::Raise& statement) {
  Value raised = Value::unknown();
  if (statement.exception != model::no_node) {
    raised = evaluate(code, statement.exception);
    if (stopped()) return;
    if (raised.is(Kind::instance)) raised = object_of(raised).target;
  }
  abrupt_ = {Completion::raised, raised};
}

void Interpreter::execute_delete(const Code& code, const model::Delete& statement) {
  for (uint32_t i = statement.targets.begin; i < statement.targets.end && !stopped(); ++i) {
    const model::Expr& target = code.exprs[code.expr_lists[i]];
    if (const auto* name = std::get_if<model::Name>(&target.node)) {
      set(frame().scope, name->name, {});
    } else if (const auto* item = std::get_if<model::Subscript>(&target.node)) {
      const Value object = evaluate(code, item->object);
      const Value key = evaluate(code, item->index);
      if (object.is(Kind::environment)) remove_variable(key, place_of(target.span));
      uint32_t name = 0;
      note_let_go(object);
      if (object.is(Kind::dict) && key_of(key, name)) set(object.id, name, {});
      if (object.is(Kind::list) && key.is(Kind::integer)) {
        Arguments arguments;
        arguments.positional.push_back(key);
        call_method(object, intern("pop"), arguments, place_of(target.span));
      }
    }
  }
}

void Interpreter::execute_augmented(const Code& code, const model::AugmentedAssign& statement,
                                    text::Span span) {
  const Value before = evaluate(code, statement.target);
  Value operand = evaluate(code, statement.value);
  if (stopped()) return;
  const std::string method = in_place_name(statement.op);
  if (!method.empty() && observe_operand(*this, code, method, statement.value, {operand, before}))
    operand = Value::unknown();  // a function, which has no graph
  observe_update(code, statement.target, model::no_node, ObservationKind::parameter_updated,
                 place_of(span));
  if (statement.op == model::BinaryOp::bit_or) {
    Arguments arguments;
    arguments.positional.push_back(operand);
    if (before.is(Kind::environment))
      return update_environment(arguments, WriteForm::merge, place_of(span));
    if (before.is(Kind::dict)) {
      if (operand.is(Kind::dict) && get(operand.id, kept_slot).has_graph())
        note_kept(before, operand, place_of(span), text_at(code.exprs[statement.target].span));
      return dict_update(before, arguments);
    }
  }
  if (before.is(Kind::list) && statement.op == model::BinaryOp::add) {
    std::vector<Value> items;
    if (items_of(operand, items)) {
      for (const Value item : items) append_item(before, item);
      return note_kept(before, operand, place_of(span), text_at(code.exprs[statement.target].span));
    }
  }
  if (before.is(Kind::instance)) {
    // A class that says itself what `+=` does.
    if (find_in_class(object_of(before).target, intern(method)).is(Kind::function)) {
      Arguments arguments;
      arguments.positional.push_back(operand);
      return assign(code, statement.target, call_special(before, method, arguments, place_of(span)),
                    span);
    }
  }
  assign(code, statement.target, apply_binary(statement.op, before, operand, place_of(span)), span);
  note_written(code, statement.target, statement.value, true, span);
}

void Interpreter::assign(const Code& code, model::ExprId target, Value value, text::Span span) {
  const model::Expr& expr = code.exprs[target];
  std::visit(
      Overloaded{
          [&](const model::Name& node) { bind(node.name, value); },
          [&](const model::Attribute& node) {
            const Value object = evaluate(code, node.object);
            if (!stopped()) assign_attribute(object, node.name, value, place_of(span));
          },
          [&](const model::Subscript& node) {
            const Value object = evaluate(code, node.object);
            const Value key = evaluate(code, node.index);
            if (object.is(Kind::tensor)) return write_part(*this, code, node.object, value, span);
            if (!stopped()) assign_item(object, key, value, span);
          },
          [&](const model::Sequence& node) { assign_sequence(code, node, value, span); },
          [&](const model::Starred& node) { assign(code, node.value, Value::unknown(), span); },
          [](const auto&) {},
      },
      expr.node);
}

void Interpreter::assign_sequence(const Code& code, const model::Sequence& target, Value value,
                                  text::Span span) {
  std::vector<Value> items;
  const bool known = items_of(value, items) && items.size() == target.items.size();
  for (uint32_t i = target.items.begin; i < target.items.end && !stopped(); ++i) {
    const Value item = known                    ? items[i - target.items.begin]
                       : value.is(Kind::tensor) ? value.own()
                                                : part_of(value, i - target.items.begin + 1);
    assign(code, code.expr_lists[i], item, span);
  }
}

void Interpreter::assign_item(Value object, Value key, Value value, text::Span span) {
  const Place place = place_of(span);
  if (object.is(Kind::environment) || object.is(Kind::environment_bytes)) {
    return write_variable(key, value, WriteForm::subscript, place, Certainty::yes);
  }
  if (object.is(Kind::dict)) {
    observe_child_variable(key, value, WriteForm::subscript, place);
    // A number that is known in a later round is the same in each.
    const bool is_fresh = key.is(Kind::integer) && probing_ == 0;
    if (is_fresh || key.graph == Value::counting)
      note_kept(object, value, place, text_before(place, "["), true);
    return dict_set(object, key, value);
  }
  if (object.is(Kind::list) && key.graph == Value::counting)
    note_kept(object, value, place, text_before(place, "["), true);
  if (object.is(Kind::list) && graph_of(value) == 0) note_let_go(object);
  if (object.is(Kind::list) && key.is(Kind::integer) && key.as_integer() >= 0) {
    return set(object.id, item_bit | static_cast<uint32_t>(key.as_integer()), value);
  }
  if (object.is(Kind::instance)) {
    Arguments arguments;
    arguments.positional = {key, value};
    call_method(object, intern("__setitem__"), arguments, place);
    return;
  }
  if (object.is(Kind::unknown)) observe_child_variable(key, value, WriteForm::subscript, place);
}

void Interpreter::assign_attribute(Value object, model::NameId name, Value value, Place place) {
  // Of a module it is a name like any other, and freezes nothing.
  const bool followed = object.is(Kind::instance) &&
                        (object_of(object).target.is(Kind::class_) || object.payload != 0);
  if (text_of(name) == "requires_grad" && !followed) note_frozen(object, value, {});
  switch (object.kind) {
    case Kind::external:
      observe_assignment(names_.dotted(object.id, name), value, place);
      return set(external_overlay_, names_.dotted(object.id, name), value);
    case Kind::instance: {
      const Value declared = find_in_class(object_of(object).target, name);
      const Value setter =
          declared.is(Kind::function) ? get(declared.id, intern("setter()")) : Value();
      if (!setter.is(Kind::function)) return set(object.id, name, value);
      Arguments arguments;
      arguments.positional = {object, value};
      call_function(setter, arguments, place);
      return;
    }
    case Kind::class_: force_class(object); [[fallthrough]];
    case Kind::module:
    case Kind::function: return set(object.id, name, value);
    default: return;
  }
}

}  // namespace vramlint::replay
