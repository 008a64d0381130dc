// SPDX-License-Identifier: MIT
//
// What the way a loop is written says of how much it keeps.
#include <algorithm>

#include "replay/habits.h"
#include "replay/interpreter.h"

namespace vramlint::replay {

using model::Code;
using model::ExprId;

namespace {

/// `len(container)` somewhere in the stretch.
bool asks_length(const Interpreter& python, const Frame& frame, text::Span stretch,
                 std::string_view container) {
  const Code& code = *frame.code;
  const std::string_view file = python.files_[frame.file_index]->bytes();
  return std::any_of(code.exprs.begin(), code.exprs.end(), [&](const model::Expr& each) {
    const auto* call = std::get_if<model::Call>(&each.node);
    if (call == nullptr || call->arguments.size() != 1 || !stretch.contains(each.span))
      return false;
    const auto* callee = node_at<model::Name>(code, call->callee);
    const text::Span given = code.exprs[code.arguments[call->arguments.begin].value].span;
    return callee != nullptr && python.text_of(callee->name) == "len" &&
           file.substr(given.begin, given.end - given.begin) == container;
  });
}

bool returns(const Code& code, model::Range body) {
  for (uint32_t i = body.begin; i < body.end; ++i) {
    if (std::holds_alternative<model::Return>(code.stmts[code.stmt_lists[i]].node)) return true;
  }
  return false;
}

/// Whether the name stands in what decides about the rounds: the head of a `for`, the condition of
/// a `while`. All of a comprehension does.
bool is_in_head(const Code& code, text::Span loop, model::NameId name) {
  text::Span head = loop;
  for (const model::Stmt& statement : code.stmts) {
    if (statement.span != loop) continue;
    if (const auto* through = std::get_if<model::For>(&statement.node))
      head = {code.exprs[through->target].span.begin, code.exprs[through->iterable].span.end};
    if (const auto* until = std::get_if<model::While>(&statement.node))
      head = code.exprs[until->condition].span;
  }
  return std::any_of(code.exprs.begin(), code.exprs.end(), [&](const model::Expr& each) {
    const auto* plain = std::get_if<model::Name>(&each.node);
    return plain != nullptr && plain->name == name && head.contains(each.span);
  });
}

}  // namespace

bool has_limit(Interpreter& python, std::string_view container) {
  python.charge(python.frame().code == nullptr ? 0 : python.frame().code->exprs.size() / 16);
  const auto is_under = [&](Place condition) {
    return std::any_of(python.frames_.begin(), python.frames_.end(), [&](const Frame& frame) {
      return frame.code != nullptr && frame.file_index == condition.file &&
             asks_length(python, frame, condition.span, container);
    });
  };
  if (std::any_of(python.conditions_.begin(), python.conditions_.end(), is_under)) return true;
  const Frame& frame = python.frame();
  if (frame.definition == nullptr || frame.code == nullptr) return false;
  const Code& code = *frame.code;
  return std::any_of(code.stmts.begin(), code.stmts.end(), [&](const model::Stmt& statement) {
    const auto* choice = std::get_if<model::If>(&statement.node);
    return choice != nullptr && frame.definition->span.contains(statement.span) &&
           returns(code, choice->then) &&
           asks_length(python, frame, code.exprs[choice->condition].span, container);
  });
}

bool is_one_cell(const Interpreter& python, const LoopRounds& loop, const Code& code,
                 ExprId callee) {
  const model::Name* root = nullptr;
  while (root == nullptr) {
    root = node_at<model::Name>(code, callee);
    if (const auto* part = node_at<model::Attribute>(code, callee)) {
      callee = part->object;
    } else if (const auto* call = node_at<model::Call>(code, callee)) {
      callee = call->callee;
    } else if (root == nullptr) {
      return false;
    }
  }
  const auto around = std::find_if(python.frames_.begin(), python.frames_.end(),
                                   [&](const Frame& frame) { return frame.token == loop.frame; });
  if (around == python.frames_.end() || around->code == nullptr) return false;
  return !is_in_head(*around->code, loop.statement.span, root->name) &&
         !is_given_in(*around->code, loop.statement.span, root->name);
}

}  // namespace vramlint::replay
