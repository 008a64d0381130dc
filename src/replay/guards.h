// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>

#include "model/program.h"
#include "replay/timeline.h"
#include "replay/value.h"

// Contexts that a failure ends without ending the program: `rules/knowledge/failure_contexts.toml`.

namespace vramlint::replay {

class Interpreter;

/// What such a context catches; nothing for any other.
std::optional<Guards> guards_of_context(Interpreter& python, Value manager);

/// The same for one that is made by a method of something that is not known.
std::optional<Guards> guards_of_method(const Interpreter& python, const model::Code& code,
                                       model::ExprId context);

/// Runs the body of such a context.
void run_guarded(Interpreter& python, const Guards& guards, const std::function<void()>& body);

}  // namespace vramlint::replay
