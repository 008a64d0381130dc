// SPDX-License-Identifier: MIT
#include "replay/keeping.h"

#include <algorithm>
#include <array>

#include "prefilter/words.h"
#include "replay/habits.h"
#include "replay/interpreter.h"

namespace vramlint::replay {
namespace {

using knowledge::MethodRole;
using model::Code;
using model::ExprId;

/// By these a program may read any of its names.
constexpr std::array<std::string_view, 4> name_readers = {"globals(", "locals(", "vars(", "exec("};

/// Gradients that are cleared hold no graph.
void forget_gradients(Interpreter& python) {
  std::erase_if(python.kept_, [](const Interpreter::KeptFinding& finding) {
    return finding.seen.kept == KeptWay::gradients;
  });
}

/// `ctx.result = result` in the `forward` of an autograd function that gives `result` back: what
/// comes out holds the context, which holds what comes out.
void watch_context(Interpreter& python, const Code& code, const model::Assign& node,
                   text::Span span) {
  const model::Function* definition = python.frame().definition;
  if (python.frame().function == 0 || definition == nullptr || definition->parameters.empty())
    return;
  const auto* value = node_at<model::Name>(code, node.value);
  const auto* target = node_at<model::Attribute>(code, code.expr_lists[node.targets.begin]);
  const auto* object = target == nullptr ? nullptr : node_at<model::Name>(code, target->object);
  if (value == nullptr || object == nullptr) return;
  if (object->name != code.parameters[definition->parameters.begin].name) return;
  if (!is_autograd_function(python, python.objects_[python.frame().function].owner)) return;
  const text::Span body = span_of(code, definition->body);
  const bool is_result = std::any_of(code.stmts.begin(), code.stmts.end(), [&](const auto& other) {
    const auto* result = std::get_if<model::Return>(&other.node);
    if (result == nullptr || !body.contains(other.span)) return false;
    const auto* given = node_at<model::Name>(code, result->value);
    return given != nullptr && given->name == value->name;
  });
  if (is_result)
    observe_habit(python, KeptWay::context, python.place_of(span), python.text_of(value->name));
}

/// A parameter that takes gradients, as an operand.
bool adds_parameter(Interpreter& python, const Code& code, ExprId id, int depth = 0) {
  if (const auto* name = node_at<model::Name>(code, id))
    return python.lookup(name->name).graph == Value::leaf_graph;
  const auto* binary = node_at<model::Binary>(code, id);
  return binary != nullptr && depth < 8 &&
         (adds_parameter(python, code, binary->left, depth + 1) ||
          adds_parameter(python, code, binary->right, depth + 1));
}

/// `average[name] = decay * average[name] + (1 - decay) * parameter` with gradients on.
void watch_average(Interpreter& python, const Code& code, const model::Assign& node,
                   text::Span span) {
  if (node_at<model::Binary>(code, node.value) == nullptr) return;
  const ExprId target = code.expr_lists[node.targets.begin];
  const bool outlives = node_at<model::Subscript>(code, target) != nullptr ||
                        node_at<model::Attribute>(code, target) != nullptr;
  if (!outlives || python.gradients() != Interpreter::Gradients::on) return;
  if (adds_parameter(python, code, node.value) && mentions(code, node.value, target))
    observe_habit(python, KeptWay::average, python.place_of(span),
                  python.text_at(code.exprs[target].span));
}

/// `average.mul_(decay).add_(parameter)` and `average.lerp_(parameter, …)` with gradients on, where
/// both are parameters.
void watch_combined(Interpreter& python, const Code& code, ExprId statement) {
  if (python.gradients() != Interpreter::Gradients::on) return;
  bool adds = false;
  ExprId object = statement;
  for (const model::Attribute* method = method_called(code, object); method != nullptr;
       method = method_called(code, object)) {
    if (!has_role(python, method, MethodRole::combines)) return;
    const model::Range given = node_at<model::Call>(code, object)->arguments;
    for (uint32_t i = given.begin; i < given.end; ++i)
      adds = adds || adds_parameter(python, code, code.arguments[i].value);
    object = method->object;
  }
  const auto* average = node_at<model::Name>(code, object);
  if (adds && average != nullptr && adds_parameter(python, code, object))
    observe_habit(python, KeptWay::average, python.place_of(code.exprs[statement].span),
                  python.text_of(average->name));
}

/// `model.requires_grad = False` of a module, and `p.require_grad = False`.
void watch_flag(Interpreter& python, const Code& code, const model::Assign& node, text::Span span) {
  const auto* target = node_at<model::Attribute>(code, code.expr_lists[node.targets.begin]);
  if (target == nullptr || node_at<model::Boolean>(code, node.value) == nullptr) return;
  const knowledge::MethodRow* row = python.knowledge_.method(python.text_of(target->name));
  const bool is_mistaken = row != nullptr && row->role == MethodRole::mistaken_flag;
  const std::string_view flag = python.text_of(target->name);
  if (!is_mistaken && flag != "requires_grad") return;
  const Value object = python.evaluate(code, target->object);
  // A class of the project may read an attribute of that name, or do something when it is set.
  const auto has = [&](model::NameId name) {
    const Value type = python.object_of(object).target;
    return type.is(Kind::class_) && !python.find_in_class(type, name).is(Kind::absent);
  };
  const bool is_own =
      object.is(Kind::instance) &&
      (has(target->name) || has(python.intern("__setattr__")) ||
       searched_file(python).find("self." + std::string(flag)) != std::string_view::npos);
  const bool of_module =
      !is_own && (object.is(Kind::instance)
                      ? object.payload != 0 ||
                            python.derives_from(python.object_of(object).target, "torch.nn.Module")
                      : is_module(python, code, target->object));
  const bool of_parameter = is_mistaken && object.graph == Value::leaf_graph;
  if (!of_module && !of_parameter) return;
  const std::string receiver(python.text_at(code.exprs[target->object].span));
  const std::string value(python.text_at(code.exprs[node.value].span));
  const std::string instead = of_module ? receiver + ".requires_grad_(" + value + ")"
                                        : receiver + ".requires_grad = " + value;
  observe_habit(python, KeptWay::flag, python.place_of(span),
                python.text_at(code.exprs[code.expr_lists[node.targets.begin]].span),
                {python.text_of(python.intern(instead)), {}, {}});
}

/// `p.grad = None` and `del p.grad` do what `zero_grad()` does.
void watch_gradient_dropped(Interpreter& python, const Code& code, ExprId target) {
  const auto* part = node_at<model::Attribute>(code, target);
  if (part != nullptr && python.text_of(part->name) == "grad") forget_gradients(python);
}

/// The receiver as it is written: that of `model.eval()`.
std::string_view receiver_text(Interpreter& python, const knowledge::MethodRow& row, Place site) {
  return python.text_before(site, "." + std::string(row.names[0]) + "(");
}

/// What has such a method is a module.
void note_module(Interpreter& python, const knowledge::MethodRow& row, Place site) {
  std::vector<Evaluated>& modules = python.watched_.modules;
  python.charge(modules.size() / 16);
  const Evaluated made{receiver_text(python, row, site), python.frame().token, site};
  const bool is_known = std::any_of(modules.begin(), modules.end(), [&](const Evaluated& known) {
    return known.frame == made.frame && known.text == made.text;
  });
  if (!is_known) modules.push_back(made);
}

/// `h.detach()` on a line of its own, of what certainly is a tensor.
void watch_detached(Interpreter& python, Value object, const knowledge::MethodRow& row,
                    Place site) {
  const bool is_certain = object.is(Kind::tensor) || python.graphs_.is_certain(object.graph);
  if (python.watched_.dropped != site.span || !is_certain) return;
  const std::string_view receiver = receiver_text(python, row, site);
  const bool is_plain = !receiver.empty() && std::ranges::all_of(receiver, [](char byte) {
    return prefilter::is_word_byte(byte) || byte == '.';
  });
  const bool is_part = receiver.find('.') != std::string_view::npos;
  const bool may_take = is_plain && (is_part || is_own_name(python, python.intern(receiver)));
  observe_habit(python, KeptWay::detached, site, receiver,
                {may_take ? receiver : std::string_view{}, {}, {}});
}

/// `guard = torch.no_grad()`, and `guard` stands nowhere else in the file.
bool is_never_named(Interpreter& python, Place site) {
  if (python.assigned_.value != site) return false;
  // Other files may import the names of a module, and enter what they mean.
  if (python.frame().definition == nullptr && !python.frame().file->names_main) return false;
  const std::string_view name = python.text_at(python.assigned_.target.span);
  if (!std::all_of(name.begin(), name.end(), prefilter::is_word_byte)) return false;
  const std::string_view file = searched_file(python);
  if (text::has_any(file, name_readers)) return false;
  const uint32_t begin = python.assigned_.target.span.begin;
  return !has_word(file.substr(0, begin), name) &&
         !has_word(file.substr(begin + name.size()), name);
}

}  // namespace

bool is_autograd_function(Interpreter& python, ObjectId class_object) {
  if (class_object == 0) return false;
  const Value class_value = Value::object(Kind::class_, class_object);
  return python.derives_from(class_value, "torch.autograd.Function") ||
         python.derives_from(class_value, "torch.autograd.function.Function");
}

void watch_statement(Interpreter& python, const Code& code, const model::Stmt& statement) {
  if (const auto* node = std::get_if<model::Assign>(&statement.node)) {
    watch_context(python, code, *node, statement.span);
    watch_average(python, code, *node, statement.span);
    watch_snapshot(python, code, *node, statement.span);
    watch_flag(python, code, *node, statement.span);
    if (node_at<model::NoneValue>(code, node->value) != nullptr) {
      watch_gradient_dropped(python, code, code.expr_lists[node->targets.begin]);
      watch_dropped_name(python, code, code.expr_lists[node->targets.begin], statement.span);
    }
  } else if (const auto* tried = std::get_if<model::Try>(&statement.node)) {
    watch_retry(python, code, *tried);
  } else if (const auto* gone = std::get_if<model::Delete>(&statement.node)) {
    watch_delete(python, code, *gone, statement.span);
    for (uint32_t i = gone->targets.begin; i < gone->targets.end; ++i)
      watch_gradient_dropped(python, code, code.expr_lists[i]);
  } else if (const auto* alone = std::get_if<model::Evaluate>(&statement.node)) {
    python.watched_.dropped = code.exprs[alone->value].span;
    watch_emptied(python, code, alone->value);
    watch_combined(python, code, alone->value);
  }
}

void write_part(Interpreter& python, const Code& code, ExprId whole, Value value, text::Span span) {
  const std::optional<Slot> slot = python.slot_of(code, whole);
  if (!slot || python.stopped()) return;
  const Value before = python.get(slot->object, slot->name);
  const Value operands[] = {before, value};
  if (!before.is(Kind::tensor) || before.graph == Value::leaf_graph) return;
  const Value made = python.computed(before, operands);
  if (!made.has_graph()) return;
  python.set(slot->object, slot->name, made);
  const size_t written = python.writes_.size();
  python.note_written(code, whole, whole, true, span);
  if (python.writes_.size() > written) python.writes_.back().way = KeptWay::container;
}

void watch_method(Interpreter& python, const knowledge::MethodRow& row, Value object,
                  const Arguments& arguments, Place site) {
  const auto says = [&](std::string_view keyword, bool wanted) {
    const Value value = arguments.named(python.intern(keyword), -1);
    return value.is(Kind::boolean) && (value.payload != 0) == wanted;
  };
  switch (row.role) {
    case MethodRole::none: return;
    case MethodRole::hooks:
      watch_registered(python, true, site);
      return watch_hook(python, arguments, site);
    case MethodRole::other_hooks: return watch_registered(python, true, site);
    case MethodRole::tensor_hooks: return watch_registered(python, false, site);
    case MethodRole::mistaken_flag:
    case MethodRole::registers:
    case MethodRole::combines: return;
    case MethodRole::detaches: return watch_detached(python, object, row, site);
    case MethodRole::clears_gradients:
      if (says("set_to_none", false)) observe_habit(python, KeptWay::zeroed, site, {});
      return forget_gradients(python);
    case MethodRole::goes_back: {
      if (!says("create_graph", true) || python.probing_ > 0 || python.stopped()) return;
      Interpreter::KeptFinding made;
      made.seen = python.observation_at(ObservationKind::graph_kept, site);
      made.seen.kept = KeptWay::gradients;
      made.seen.loop = LoopAround{};
      python.kept_.push_back(std::move(made));
      return;
    }
    case MethodRole::parameters:
    case MethodRole::named_parameters:
    case MethodRole::live_state: return note_module(python, row, site);
    case MethodRole::loads_state: return watch_loaded(python, site);
    case MethodRole::evaluates:
    case MethodRole::trains: {
      note_module(python, row, site);
      python.charge(python.watched_.evaluated.size() / 16);
      const std::string_view text = receiver_text(python, row, site);
      std::erase_if(python.watched_.evaluated, [&](const Evaluated& known) {
        return known.frame == python.frame().token && known.text == text;
      });
      if (row.role == MethodRole::evaluates)
        python.watched_.evaluated.push_back({text, python.frame().token, site});
      return;
    }
  }
}

/// Whether a module takes no gradients, perhaps: in this function by its name, elsewhere by any.
bool is_frozen(const Interpreter& python, std::string_view module, uint32_t frame) {
  return std::ranges::any_of(python.watched_.frozen, [&](const Evaluated& known) {
    return known.frame != frame || known.text.empty() || known.text == module;
  });
}

bool watch_call(Interpreter& python, const Code& code, const model::Call& call, Place site) {
  const std::vector<Evaluated>& evaluated = python.watched_.evaluated;
  if (python.rounds_.empty() || evaluated.empty() || python.probing_ > 0) return false;
  LoopRounds& loop = *python.rounds_.back();
  if (loop.frame != python.frame().token || !loop.over_batches || loop.evaluated) return false;
  if (python.gradients() != Interpreter::Gradients::on || python.stopped()) return false;
  python.charge(evaluated.size() / 16);
  const std::string_view callee = python.text_at(code.exprs[call.callee].span);
  const bool known = std::any_of(evaluated.begin(), evaluated.end(), [&](const Evaluated& each) {
    return each.frame == python.frame().token && each.text == callee;
  });
  if (!known || is_frozen(python, callee, python.frame().token)) return false;
  loop.evaluated = site;
  return true;
}

void watch_mode(Interpreter& python, Place site) {
  const bool dropped = python.watched_.dropped == site.span;
  if ((!dropped && !is_never_named(python, site)) || python.probing_ > 0) return;
  observe_habit(python, KeptWay::not_entered, site, python.text_at(site.span));
  python.watched_.modes.push_back({{}, python.frame().token, site});
}

void watch_result(Interpreter& python, Value function, const Arguments& arguments, Value result) {
  if (!python.object_of(function).remembers || python.stopped()) return;
  const auto is_on_gpu = [](Value value) {
    return value.is(Kind::tensor) && value.as_device() == Device::cuda;
  };
  const Object& object = python.object_of(function);
  const model::Function& definition = object.code->functions[object.node];
  // Without parameters there is one result, kept on purpose; and a cache may be cleared.
  if (definition.parameters.empty()) return;
  const std::string clear = std::string(python.text_of(definition.name)) + ".cache_clear";
  if (python.files_[object.file_index]->bytes().find(clear) != std::string_view::npos) return;
  const Place place{object.file_index, definition.name_span};
  for (const Value argument : arguments.positional)
    python.note_kept(function, argument, place, python.text_of(definition.name));
  const bool takes =
      std::any_of(arguments.positional.begin(), arguments.positional.end(), is_on_gpu);
  if (!takes && !is_on_gpu(result)) return;
  observe_habit(python, KeptWay::cached, place, python.text_of(definition.name));
}

}  // namespace vramlint::replay
