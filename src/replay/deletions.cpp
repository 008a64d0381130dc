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

/// Whether the cache is emptied on the next line as well: `gc.collect()` may come before.
bool is_emptied_next(Interpreter& python, text::Span statement) {
  std::string_view rest = python.files_[python.frame().file_index]->bytes();
  constexpr std::string_view blanks = " \t\r\n;";
  constexpr std::string_view collects = "gc.collect()";
  const auto skip_blanks = [&] {
    rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
  };
  rest.remove_prefix(std::min<size_t>(statement.end, rest.size()));
  skip_blanks();
  if (rest.starts_with(collects)) rest.remove_prefix(collects.size());
  skip_blanks();
  return rest.substr(0, rest.find_first_of(" \t\r\n;#")).ends_with("empty_cache()");
}

/// `empty_cache()` right before the `del` that would have freed something.
void watch_early_emptying(Interpreter& python, const Code& code, const model::Delete& node,
                          text::Span span) {
  const Place place = python.place_of(python.watched_.dropped);
  if (place.span.end == 0 || place.span.end > span.begin) return;
  const std::string_view between = python.text_at({place.span.end, span.begin});
  if (between.find_first_not_of(" \t\r\n;") != std::string_view::npos) return;
  if (is_emptied_next(python, span)) return;
  const std::vector<Observation>& all = python.timeline_.observations;
  const bool emptied = std::any_of(all.rbegin(), all.rend(), [&](const Observation& seen) {
    return seen.kind == ObservationKind::call && seen.name.ends_with(".empty_cache") &&
           python.timeline_.events[seen.event].place == place;
  });
  if (!emptied) return;
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
  const std::string_view file = searched_file(python);
  const model::Function* function = python.frame().definition;
  const size_t end = function == nullptr ? file.size() : function->span.end;
  std::string_view rest = file.substr(from.end, end - std::min<size_t>(from.end, end));
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
      observe_habit(python, KeptWay::held, python.place_of(span), python.text_of(gone.name),
                    {holder, gone.place, {}});
      break;
    }
  }
  std::erase_if(all, is_here);
}

}  // namespace vramlint::replay
