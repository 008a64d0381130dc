// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "rules/check.h"
#include "text/whole_words.h"

// What a check can tell from how a call is written: on what it is made, into which name its result
// goes, and whether a name occurs in a stretch of program.

namespace vramlint::rules {

using text::has_any;
using text::has_word;

bool is_identifier(std::string_view text);
/// `name` at the beginning of `name.x[0].y`.
std::string_view root_of(std::string_view expression);
/// What a method is called on, as it is written; empty when that is not known.
std::string_view receiver_text(const CheckContext& context, const replay::Observation& seen);
/// The name that the result is assigned to; empty when there is none.
std::string_view assigned_text(const CheckContext& context, const replay::Observation& seen);
/// A name that this stretch of program gives a new value: `name = …`, but not `name == …`.
bool assigns(std::string_view text, std::string_view name);
/// The call of the timeline that stands there; null when it was not observed.
const replay::Observation* call_at(const CheckContext& context, replay::Place place);
bool is_true(const replay::KnownValue* value);
/// The integer; 0 for anything else.
int64_t integer_of(const replay::KnownValue* value);
bool is_text(const replay::KnownValue* value, std::string_view text);
/// Whether a condition around it speaks of the rank of the process: not all of them come here.
bool depends_on_rank(const CheckContext& context, const replay::Observation& seen);
/// Whether a condition around it is that of the main module.
bool is_under_main_guard(const CheckContext& context, const replay::Observation& seen);
bool is_call(const replay::Observation& seen, std::string_view name);
/// Whether the expression is a whole statement, and no part of a tuple: `x.cuda(), y.cuda()`.
bool is_whole_statement(const CheckContext& context, replay::Place place);
/// Whether a file of the program imports something of which nobody sees here what it does: neither
/// a module of the project, nor Python's own, PyTorch, or a library of numbers for the host.
bool uses_other_libraries(const CheckContext& context);
/// Whether a block around it selects a device: `with torch.cuda.device(1):`.
bool is_in_device_block(const replay::Observation& seen);

}  // namespace vramlint::rules
