// SPDX-License-Identifier: MIT
//
// Names that are deleted so that `empty_cache()` can give their memory back: it gives back what
// nothing holds any more.
#include <algorithm>

#include "replay/habits.h"
#include "replay/interpreter.h"

namespace vramlint::replay {

using model::Code;
using model::ExprId;

namespace {

constexpr int max_held_depth = 3;
constexpr size_t max_names = 400;

Device device_of_module(Interpreter& python, Value module) {
  return python.device_of(python.get(module.id, python.intern(device_slot)));
}

bool is_on_gpu(Interpreter& python, Value value) {
  if (value.is(Kind::instance)) return device_of_module(python, value) == Device::cuda;
  return value.is(Kind::tensor) && value.as_device() == Device::cuda;
}

/// What the present function, or the module, has behind this.
std::string_view text_behind(Interpreter& python, text::Span from) {
  const std::string_view file = searched_file(python);
  const model::Function* function = python.frame().definition;
  const size_t end =
      std::min<size_t>(function == nullptr ? file.size() : function->span.end, file.size());
  return file.substr(std::min<size_t>(from.end, end), end - std::min<size_t>(from.end, end));
}

/// `empty_cache()` right before the `del` that would have freed something.
void watch_early_emptying(Interpreter& python, const Code& code, const model::Delete& node,
                          text::Span span) {
  const Place place = python.place_of(python.watched_.dropped);
  if (place.span.end == 0 || place.span.end > span.begin) return;
  const std::string_view between = python.text_at({place.span.end, span.begin});
  if (between.find_first_not_of(" \t\r\n;") != std::string_view::npos) return;
  const std::vector<Observation>& all = python.timeline_.observations;
  const bool emptied = std::any_of(all.rbegin(), all.rend(), [&](const Observation& seen) {
    return seen.kind == ObservationKind::call && seen.name.ends_with(".empty_cache") &&
           python.timeline_.events[seen.event].place == place;
  });
  if (!emptied) return;
  // Then the cache is emptied once more, for what goes here.
  if (text_behind(python, span).find("empty_cache") != std::string_view::npos) return;
  for (uint32_t i = node.targets.begin; i < node.targets.end; ++i) {
    const auto* name = node_at<model::Name>(code, code.expr_lists[i]);
    if (name == nullptr) continue;
    if (is_on_gpu(python, python.lookup(name->name)))
      return observe_habit(python, KeptWay::referenced, place, python.text_of(name->name));
  }
}

/// A module is remembered when its name goes: is it held by something else?
void note_deleted(Interpreter& python, model::NameId name, text::Span span) {
  const Value value = python.lookup(name);
  const bool moved = value.is(Kind::instance) && python.probing_ == 0 &&
                     !python.get(value.id, python.intern(device_slot)).is(Kind::absent);
  if (!moved || device_of_module(python, value) == Device::cpu) return;
  python.watched_.deleted.push_back({name, value, python.frame().token, python.place_of(span)});
}

/// Whether it is the module's parameters, or has them somewhere in it.
bool has_parameters_of(Interpreter& python, Value given, Value module, int depth = 0) {
  if (given.certainty != Certainty::yes || depth > max_held_depth || !python.spend()) return false;
  std::vector<Value> parts;
  switch (given.kind) {
    case Kind::iterator: return python.object_of(given).arguments.at(0).same_as(module);
    case Kind::list:
    case Kind::tuple: python.items_of(given, parts); break;
    case Kind::dict: {
      const std::vector<uint32_t> names = python.object_of(given).slot_names;
      for (const uint32_t name : names) parts.push_back(python.get(given.id, name));
      break;
    }
    default: return false;
  }
  return std::any_of(parts.begin(), parts.end(), [&](Value part) {
    return has_parameters_of(python, part, module, depth + 1);
  });
}

/// An optimizer of the module's parameters. Other things that hold it may well be meant to.
bool holds(Interpreter& python, Value holder, Value module) {
  if (!holder.is(Kind::instance) || holder.certainty != Certainty::yes) return false;
  const Object object = python.object_of(holder);
  if (!object.target.is(Kind::external)) return false;
  const auto& rows = python.rows_named(object.target.id);
  const bool is_optimizer = std::any_of(rows.begin(), rows.end(), [](const auto* row) {
    return row->makes == knowledge::Makes::optimizer;
  });
  const Value given = object.arguments.named(python.intern("params"), 0);
  return is_optimizer && has_parameters_of(python, given, module);
}

/// The name behind `name.a().b()`; null for anything else.
const model::Name* root_of_calls(const Code& code, ExprId id) {
  while (true) {
    if (const auto* call = node_at<model::Call>(code, id)) {
      id = call->callee;
    } else if (const auto* part = node_at<model::Attribute>(code, id)) {
      id = part->object;
    } else {
      return node_at<model::Name>(code, id);
    }
  }
}

/// Whether it is a call of a class, or of something outside the project, that is given no module:
/// nothing but the name has what it makes.
bool makes_anew(Interpreter& python, const Code& code, ExprId id) {
  const model::Name* root = root_of_calls(code, id);
  if (root == nullptr || node_at<model::Call>(code, id) == nullptr) return false;
  const Value value = python.lookup(root->name);
  if (!value.is(Kind::class_) && !value.is(Kind::external) && !value.is(Kind::module)) return false;
  while (const auto* call = node_at<model::Call>(code, id)) {
    for (uint32_t i = call->arguments.begin; i < call->arguments.end; ++i) {
      const auto* given = node_at<model::Name>(code, code.arguments[i].value);
      if (given != nullptr && python.lookup(given->name).is(Kind::instance)) return false;
    }
    const auto* method = node_at<model::Attribute>(code, call->callee);
    if (method == nullptr) break;
    id = method->object;
  }
  return true;
}

/// What a stretch of code does with a name.
struct Uses {
  bool made = false;   ///< something new is made for it
  bool other = false;  ///< it may have something that others hold as well
  std::vector<const model::Name*> harmless;
};

void look_for_uses(Interpreter& python, const Code& code, model::NameId wanted, text::Span stretch,
                   Uses& uses) {
  python.charge((code.exprs.size() + code.stmts.size()) / 16);
  const auto is_wanted = [&](const model::Name* name) {
    return name != nullptr && name->name == wanted;
  };
  const auto accept = [&](const model::Name* name) {
    if (is_wanted(name)) uses.harmless.push_back(name);
  };
  for (const model::Stmt& statement : code.stmts) {
    if (!stretch.contains(statement.span)) continue;
    if (const auto* alone = std::get_if<model::Evaluate>(&statement.node)) {
      accept(root_of_calls(code, alone->value));
      // `train(model, optimizer)`: a function that gives nothing back.
      const auto* call = node_at<model::Call>(code, alone->value);
      if (call == nullptr || node_at<model::Name>(code, call->callee) == nullptr) continue;
      for (uint32_t i = call->arguments.begin; i < call->arguments.end; ++i)
        accept(node_at<model::Name>(code, code.arguments[i].value));
    } else if (const auto* gone = std::get_if<model::Delete>(&statement.node)) {
      for (uint32_t i = gone->targets.begin; i < gone->targets.end; ++i)
        accept(node_at<model::Name>(code, code.expr_lists[i]));
    } else if (const auto* assign = std::get_if<model::Assign>(&statement.node)) {
      const auto* target = node_at<model::Name>(code, code.expr_lists[assign->targets.begin]);
      if (!is_wanted(target) || assign->targets.end != assign->targets.begin + 1) continue;
      const model::Name* source = root_of_calls(code, assign->value);
      const bool is_kept =
          is_wanted(source) || node_at<model::NoneValue>(code, assign->value) != nullptr;
      const bool makes = !is_kept && makes_anew(python, code, assign->value);
      uses.other = uses.other || (!is_kept && !makes);
      uses.made = uses.made || makes;
      accept(target);
      accept(source);
    }
  }
  for (const model::Expr& expression : code.exprs) {
    const auto* call = std::get_if<model::Call>(&expression.node);
    if (call == nullptr || !stretch.contains(expression.span)) continue;
    accept(node_at<model::Name>(code, call->callee));
    const auto* method = node_at<model::Attribute>(code, call->callee);
    if (has_role(python, method, knowledge::MethodRole::parameters) ||
        has_role(python, method, knowledge::MethodRole::named_parameters))
      accept(node_at<model::Name>(code, method->object));
  }
  uses.other = uses.other || std::ranges::any_of(code.exprs, [&](const model::Expr& expression) {
                 const auto* name = std::get_if<model::Name>(&expression.node);
                 return is_wanted(name) && stretch.contains(expression.span) &&
                        std::ranges::find(uses.harmless, name) == uses.harmless.end();
               });
}

/// Whether each use of the name in this function, or in the body of the module, leaves what it has
/// to the name alone, but for its parameters. Another holder may be what is wanted.
bool is_only_holder(Interpreter& python, const Code& code, model::NameId wanted) {
  Uses uses;
  if (const model::Function* function = python.frame().definition) {
    look_for_uses(python, code, wanted, function->span, uses);
    return uses.made && !uses.other;
  }
  for (const model::Block& block : python.frame().file->program.blocks) {
    if (block.kind != model::BlockKind::statement) continue;
    // Lines that do nothing by themselves are left out of the code.
    size_t mentions = 0;
    text::any_word(python.text_at(block.span), python.text_of(wanted),
                   [&](size_t, size_t) { return ++mentions == 0; });
    if (mentions == 0) continue;
    if (block.code == nullptr) return false;
    Uses here;
    look_for_uses(python, *block.code, wanted, block.span, here);
    std::ranges::sort(here.harmless);
    here.harmless.erase(std::unique(here.harmless.begin(), here.harmless.end()),
                        here.harmless.end());
    if (here.other || here.harmless.size() != mentions) return false;
    uses.made = uses.made || here.made;
  }
  return uses.made;
}

/// The names of the present function or module.
std::vector<model::NameId> names_in_sight(Interpreter& python, const Code& code) {
  const Frame& frame = python.frame();
  if (frame.definition == nullptr) return python.objects_[frame.scope].slot_names;
  python.charge(code.exprs.size() / 16);
  std::vector<model::NameId> made;
  for (const model::Expr& expression : code.exprs) {
    const auto* name = std::get_if<model::Name>(&expression.node);
    const bool is_here = name != nullptr && frame.definition->span.contains(expression.span);
    if (is_here && std::find(made.begin(), made.end(), name->name) == made.end())
      made.push_back(name->name);
    if (made.size() > max_names) break;
  }
  return made;
}

/// Whether the holder goes further down, and the cache is emptied after it.
bool is_freed_later(Interpreter& python, text::Span from, std::string_view holder) {
  std::string_view rest = text_behind(python, from);
  const size_t last = rest.rfind("empty_cache()");
  if (last == std::string_view::npos) return false;
  rest = rest.substr(0, last);
  return rest.find("del ") != std::string_view::npos && has_word(rest, holder);
}

}  // namespace

void watch_delete(Interpreter& python, const Code& code, const model::Delete& node,
                  text::Span span) {
  watch_early_emptying(python, code, node, span);
  for (uint32_t i = node.targets.begin; i < node.targets.end; ++i) {
    if (const auto* name = node_at<model::Name>(code, code.expr_lists[i]))
      note_deleted(python, name->name, span);
  }
}

void watch_dropped_name(Interpreter& python, const Code& code, ExprId target, text::Span span) {
  if (const auto* name = node_at<model::Name>(code, target)) note_deleted(python, name->name, span);
}

void watch_emptied(Interpreter& python, const Code& code, ExprId call) {
  std::vector<Deleted>& all = python.watched_.deleted;
  if (all.empty() || python.probing_ > 0) return;
  const model::Attribute* method = method_called(code, call);
  if (method == nullptr || python.text_of(method->name) != "empty_cache") return;
  const text::Span span = code.exprs[call].span;
  const auto is_here = [&](const Deleted& gone) { return gone.frame == python.frame().token; };
  if (std::ranges::none_of(all, is_here)) return;
  const std::vector<model::NameId> names = names_in_sight(python, code);
  for (const Deleted& gone : all) {
    if (!is_here(gone)) continue;
    python.charge(names.size() / 16);
    for (const model::NameId name : names) {
      const std::string_view holder = python.text_of(name);
      const Value value = python.get(python.frame().scope, name);
      if (!holds(python, value, gone.value) || is_freed_later(python, span, holder)) continue;
      if (!is_only_holder(python, code, gone.name)) break;
      observe_habit(python, KeptWay::held, python.place_of(span), python.text_of(gone.name),
                    {holder, gone.place, {}});
      break;
    }
  }
  std::erase_if(all, is_here);
}

}  // namespace vramlint::replay
