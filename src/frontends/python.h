// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "frontends/kept_code.h"
#include "model/program.h"

namespace vramlint::frontends {

/// The blocks of a Python file, none of them lowered yet: one light pass over the bytes.
model::Program outline_python(std::shared_ptr<const text::Source> source, model::Names& names);

/// The nodes of one block, parsed and lowered on the first call. Broken code gives what can be
/// understood of it. The long bodies of a class's methods, and of a function with decorators,
/// become blocks of their own: see `model::Function::elsewhere`. With `kept`, texts that were
/// lowered before are not lowered again.
const model::Code& code_of(model::Program& program, uint32_t block, model::Names& names,
                           KeptCode* kept = nullptr);

}  // namespace vramlint::frontends
