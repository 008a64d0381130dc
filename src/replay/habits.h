// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "knowledge/rows.h"
#include "model/program.h"
#include "replay/graphs.h"
#include "replay/objects.h"
#include "text/whole_words.h"

// What the files that watch for habits have in common, and what each of them watches for.

namespace vramlint::replay {

class Interpreter;

using text::has_word;

/// More about a habit than where it is seen: a second name, and a second place.
struct Remark {
  std::string_view text{};
  std::optional<Place> place{};
  std::optional<Place> loop{};
};

/// The whole file that runs, for a question that its text answers: counted as work.
std::string_view searched_file(Interpreter& python);
/// Something for the rules to see, unless the round under way is taken back.
void observe_habit(Interpreter& python, KeptWay way, Place place, std::string_view text,
                   const Remark& remark = {});

template <typename T>
const T* node_at(const model::Code& code, model::ExprId id) {
  return id == model::no_node ? nullptr : std::get_if<T>(&code.exprs[id].node);
}

/// The method that is called, when the expression is such a call.
const model::Attribute* method_called(const model::Code& code, model::ExprId id);
text::Span span_of(const model::Code& code, model::Range body);
bool has_role(Interpreter& python, const model::Attribute* method, knowledge::MethodRole role);
/// Whether a statement in this stretch gives the name a value.
bool is_given_in(const model::Code& code, text::Span stretch, model::NameId name);
/// `if len(pool) < size:` around what is put in, or `if len(pool) >= size: return` before it: there
/// is room for so many. In limits.cpp.
bool has_limit(Interpreter& python, std::string_view container);
/// `output, state = cell(x, state)`: one cell in each round, and no layer of those that the loop
/// goes through, or takes from somewhere. In limits.cpp.
bool is_one_cell(const Interpreter& python, const LoopRounds& loop, const model::Code& code,
                 model::ExprId callee);
/// By the names that people give to what holds batches. In rounds.cpp.
bool says_batches(std::string_view text);
/// The graph of a variable that a function keeps from the one that made it. In graphs.cpp.
GraphId graph_of_cells(Interpreter& python, Value function);
/// What is given a value here is a name of the present function, or of the module in its own body:
/// no other one becomes a local by it.
bool is_own_name(Interpreter& python, model::NameId name);
/// An instance of a class of modules, or something that is treated as a module in this function.
bool is_module(Interpreter& python, const model::Code& code, model::ExprId id);

/// A class of Lightning's modules, whose steps its trainer calls.
bool is_lightning_module(Interpreter& python, Value class_value);

// failures.cpp
void watch_retry(Interpreter& python, const model::Code& code, const model::Try& statement);

// live_state.cpp
void watch_snapshot(Interpreter& python, const model::Code& code, const model::Assign& node,
                    text::Span span);
/// A state is loaded.
void watch_loaded(Interpreter& python, Place site);
/// At the end of a loop: `best = model` in it.
void watch_aliases(Interpreter& python, const LoopRounds& loop);

// deletions.cpp
void watch_delete(Interpreter& python, const model::Code& code, const model::Delete& node,
                  text::Span span);
/// `name = None`
void watch_dropped_name(Interpreter& python, const model::Code& code, model::ExprId target,
                        text::Span span);
/// A call that stands by itself: perhaps the one that empties the cache.
void watch_emptied(Interpreter& python, const model::Code& code, model::ExprId call);

// hooks.cpp
void watch_hook(Interpreter& python, const Arguments& arguments, Place site);
/// A hook is registered, of any kind.
void watch_registered(Interpreter& python, bool of_module, Place site);

}  // namespace vramlint::replay
