// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>
#include <unordered_set>

#include "model/program.h"
#include "replay/timeline.h"
#include "replay/value.h"

// How things from outside the project are used where they stand: added, compared, asked whether
// they are true, dropped. Observed like a call of what Python itself calls it, behind the name of
// the thing: `torch.cuda.memory_allocated.__truediv__`. Only names that some rule asks for.

namespace vramlint::replay {

class Interpreter;

/// The last words of the things whose use some rule asks about.
std::unordered_set<model::NameId> used_words(model::Names& names,
                                             std::span<const std::string_view> observed_calls);

/// A statement that is nothing but an expression: a function without its call, or a call whose
/// result nobody takes.
void observe_statement(Interpreter& python, const model::Code& code, model::ExprId id);
/// `PYTORCH_CUDA_ALLOC_CONF = "…"` in the body of a module: a variable's name for a text.
void observe_setting_name(Interpreter& python, const model::Code& code, model::ExprId target,
                          Value value, text::Span span);
/// Each function without its call that a condition is made of.
void observe_condition(Interpreter& python, const model::Code& code, model::ExprId id,
                       int depth = 0);
/// What stands in braces in an f-string.
void observe_in_text(Interpreter& python, const model::Code& code, model::ExprId id);
/// What is given to a function that only takes numbers, or that shows what it is given.
void observe_given(Interpreter& python, const model::Code& code, const model::Call& call,
                   Value function);
/// An operand of an operator, by the name of its method, and the other one. Whether it is a
/// function without its call.
bool observe_operand(Interpreter& python, const model::Code& code, std::string_view method,
                     model::ExprId id, const Value (&values)[2]);
void observe_operands(Interpreter& python, const model::Code& code, const model::Binary& sum,
                      Value left, Value right);
void observe_comparison(Interpreter& python, const model::Code& code, const model::Compare& node,
                        Value left, Value right);
/// A part of what a call gave: `torch.cuda.memory_stats.__getitem__`.
void observe_part(Interpreter& python, Value whole, Value index, Place place);

}  // namespace vramlint::replay
