// SPDX-License-Identifier: MIT
#pragma once

#include "model/program.h"
#include "replay/objects.h"
#include "replay/timeline.h"

// Habits that keep memory alive longer than it seems, each seen where it happens.

namespace vramlint::knowledge {
struct MethodRow;
}

namespace vramlint::replay {

class Interpreter;

/// A statement is about to run.
void watch_statement(Interpreter& python, const model::Code& code, const model::Stmt& statement);
/// Whether `part` is written somewhere in `whole`, as the same name, attribute or item.
bool mentions(const model::Code& code, model::ExprId whole, model::ExprId part);
/// Whether the class is an operation of one's own for autograd, whose passes record no graph.
bool is_autograd_function(Interpreter& python, ObjectId class_object);
/// `whole[…] = value` of a tensor: what is written into a part of it belongs to its graph.
void write_part(Interpreter& python, const model::Code& code, model::ExprId whole, Value value,
                text::Span span);
/// A sum of lists: one with a tail of itself lets the rest go.
void note_tail(Interpreter& python, const model::Code& code, const model::Binary& sum, Value left,
               Value right, Value made);
/// A method that has a row was called.
void watch_method(Interpreter& python, const knowledge::MethodRow& row, Value object,
                  const Arguments& arguments, Place site);
/// A call, of whatever is called by this expression: whether it is the first in a round of a model
/// that was set to evaluate.
bool watch_call(Interpreter& python, const model::Code& code, const model::Call& call, Place site);
/// A context manager for gradients was made: nobody may enter it.
void watch_mode(Interpreter& python, Place site);
/// What a function gave back.
void watch_result(Interpreter& python, Value function, const Arguments& arguments, Value result);
/// A class, whoever makes instances of it.
void watch_class(Interpreter& python, Value class_value);

}  // namespace vramlint::replay
