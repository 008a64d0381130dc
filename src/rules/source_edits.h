// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rules/call_text.h"
#include "rules/check.h"

// Edits that several checks make. Each is given a place and says nothing when the text there is not
// written in a way that it can change well.

namespace vramlint::rules {

using diagnostics::Applicability;

/// One edit as a fix; unset when there is nothing to write.
RawFix fix_of(Applicability applicability, std::string title, replay::Place place,
              std::string text);

/// A stretch of the text at a place.
replay::Place part_of(replay::Place place, TextSpan part);

/// The statement goes, with its lines; `pass` takes its place where a function would be left empty.
/// Only a statement that has its lines for itself, and not all that a loop, a condition or a `try`
/// is there for.
std::optional<RawFix> without_statement(const CheckContext& context, replay::Place place,
                                        Applicability applicability, std::string title);

/// The argument goes, and a comma with it.
std::optional<RawFix> without_argument(const CheckContext& context, replay::Place call,
                                       std::string_view keyword, int position,
                                       Applicability applicability);

/// Another value for an argument.
std::optional<RawFix> with_argument_value(const CheckContext& context, replay::Place call,
                                          std::string_view keyword, int position,
                                          const std::string& value, Applicability applicability);

/// One more argument, `name=value`, behind the others.
std::optional<RawFix> with_argument(const CheckContext& context, replay::Place call,
                                    const std::string& argument, Applicability applicability);

/// Another name for the variable that is written there.
std::optional<RawFix> with_variable(const CheckContext& context, const replay::Observation& write,
                                    std::string_view name, Applicability applicability);

/// Another value for the variable: the literal stands by itself somewhere.
std::optional<RawFix> with_value(const CheckContext& context, const replay::Observation& write,
                                 std::string_view value, Applicability applicability);

/// What an expression at this place gives, without its autograd graph: `.detach()` behind it, in
/// brackets where it needs them.
RawEdit detached(const CheckContext& context, replay::Place expression);

/// The lines of a statement that has them for itself, with their line end.
std::optional<replay::Place> own_lines(const CheckContext& context, replay::Place place);

/// Lines up to `behind`, to be taken out: with them goes one of the blank lines between which they
/// stand, or all that would be left at the end of the file.
text::Span lines_without_gap(const text::Source& source, uint32_t first, uint32_t behind);

/// The write goes above the first statement of its module that leads to the event. Only a literal
/// value, written at the top level, that nothing in between reads or depends on and no write of the
/// same variable comes before.
std::optional<RawFix> moved_before(const CheckContext& context, const replay::Observation& write,
                                   replay::EventId early);

}  // namespace vramlint::rules
