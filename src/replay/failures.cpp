// SPDX-License-Identifier: MIT
//
// What is done about memory that ran out, while the error still holds the frames of what failed.
#include <algorithm>
#include <vector>

#include "replay/habits.h"
#include "replay/interpreter.h"

namespace vramlint::replay {

using model::Code;
using model::ExprId;

namespace {

bool is_text(const Code& code, ExprId id) {
  return node_at<model::String>(code, id) != nullptr ||
         node_at<model::Template>(code, id) != nullptr;
}

/// A call that begins with a text of its own, unlike the other: somebody's `log`.
bool speaks(Interpreter& python, const Code& code, ExprId id, ExprId other) {
  const auto first_of = [&](ExprId call) {
    const model::Range given = std::get<model::Call>(code.exprs[call].node).arguments;
    return given.empty() ? model::no_node : code.arguments[given.begin].value;
  };
  const ExprId text = first_of(id);
  const ExprId first = first_of(other);
  return is_text(code, text) &&
         (first == model::no_node ||
          python.text_at(code.exprs[text].span) != python.text_at(code.exprs[first].span));
}

/// A call without arguments beside other statements, whose result nobody takes: what it does needs
/// nothing of what failed.
bool stands_beside(const Code& code, const model::Try& statement, ExprId id) {
  if (statement.body.size() < 2 || !std::get<model::Call>(code.exprs[id].node).arguments.empty())
    return false;
  return std::ranges::any_of(code.stmts, [&](const model::Stmt& other) {
    const auto* alone = std::get_if<model::Evaluate>(&other.node);
    return alone != nullptr && alone->value == id;
  });
}

/// Whether a handler lets go of the frames that the error holds.
bool lets_go(std::string_view body) {
  return body.find("__traceback__") != body.npos || body.find("with_traceback") != body.npos ||
         body.find("clear_frames") != body.npos;
}

/// `failed.append(error)`, `self.error = error`, or in a loop `last = error`.
void watch_kept_error(Interpreter& python, const Code& code, const model::Handler& handler) {
  const text::Span body = span_of(code, handler.body);
  if (handler.alias == 0 || lets_go(python.text_at(body))) return;
  const auto is_error = [&](ExprId id) {
    const auto* name = node_at<model::Name>(code, id);
    return name != nullptr && name->name == handler.alias;
  };
  const bool in_loop =
      !python.rounds_.empty() && python.rounds_.back()->frame == python.frame().token;
  for (const model::Stmt& statement : code.stmts) {
    if (!body.contains(statement.span)) continue;
    ExprId keeper = model::no_node;
    if (const auto* assign = std::get_if<model::Assign>(&statement.node)) {
      const ExprId target = code.expr_lists[assign->targets.begin];
      const bool outlives = in_loop || node_at<model::Name>(code, target) == nullptr;
      if (outlives && is_error(assign->value)) keeper = target;
    } else if (const auto* alone = std::get_if<model::Evaluate>(&statement.node)) {
      const model::Attribute* method = method_called(code, alone->value);
      if (method == nullptr || python.text_of(method->name) != "append") continue;
      const model::Range given = node_at<model::Call>(code, alone->value)->arguments;
      if (given.size() == 1 && is_error(code.arguments[given.begin].value)) keeper = method->object;
    }
    if (keeper == model::no_node) continue;
    return observe_habit(python, KeptWay::failure, python.place_of(statement.span),
                         python.text_at(code.exprs[keeper].span));
  }
}

bool is_out_of_memory(Interpreter& python, const Code& code, const model::Handler& handler) {
  if (handler.type == model::no_node || handler.body.empty()) return false;
  const std::string_view type = python.text_at(code.exprs[handler.type].span);
  const std::string_view body = python.text_at(span_of(code, handler.body));
  return type.ends_with("OutOfMemoryError") ||
         (type == "RuntimeError" && body.find("out of memory") != std::string_view::npos);
}

/// The calls of names in a stretch.
std::vector<ExprId> named_calls_in(Interpreter& python, const Code& code, text::Span stretch) {
  python.charge(code.exprs.size() / 16);
  std::vector<ExprId> found;
  for (ExprId id = 0; id < code.exprs.size(); ++id) {
    const auto* call = std::get_if<model::Call>(&code.exprs[id].node);
    const bool is_named = call != nullptr && node_at<model::Name>(code, call->callee) != nullptr;
    if (is_named && stretch.contains(code.exprs[id].span)) found.push_back(id);
  }
  return found;
}

model::NameId callee_of(const Code& code, ExprId call) {
  return node_at<model::Name>(code, std::get<model::Call>(code.exprs[call].node).callee)->name;
}

/// Whether a call in the handler does again what failed.
bool is_retry(Interpreter& python, const Code& code, const model::Try& statement, ExprId call,
              const std::vector<ExprId>& tried) {
  const model::Function* definition = python.frame().definition;
  const model::NameId name = callee_of(code, call);
  if (definition != nullptr && definition->name == name) return true;
  python.charge(tried.size() / 16);
  return std::ranges::any_of(tried, [&](ExprId first) {
    return callee_of(code, first) == name && !python.lookup(name).is(Kind::external) &&
           !speaks(python, code, call, first) && !stands_beside(code, statement, first);
  });
}

}  // namespace

/// A call in the handler of an out-of-memory error of what failed, or of the function itself.
void watch_retry(Interpreter& python, const Code& code, const model::Try& statement) {
  for (uint32_t i = statement.handlers.begin; i < statement.handlers.end; ++i) {
    const model::Handler& handler = code.handlers[i];
    if (!is_out_of_memory(python, code, handler)) continue;
    if (python.text_at(code.exprs[handler.type].span).ends_with("OutOfMemoryError"))
      watch_kept_error(python, code, handler);
    const std::vector<ExprId> tried = named_calls_in(python, code, span_of(code, statement.body));
    for (const ExprId call : named_calls_in(python, code, span_of(code, handler.body))) {
      if (!is_retry(python, code, statement, call, tried)) continue;
      const ExprId callee = std::get<model::Call>(code.exprs[call].node).callee;
      return observe_habit(python, KeptWay::retry, python.place_of(code.exprs[call].span),
                           python.text_at(code.exprs[callee].span));
    }
  }
}

}  // namespace vramlint::replay
