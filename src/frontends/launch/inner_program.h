// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include "text/source.h"

namespace vramlint::frontends {

/// The Python program whose lines stand in a launch file, as a source of the same text: places in
/// it are places in the file. What is filled in when it runs becomes a name that nobody knows.
/// Null where some line does not stand there as a line of its own.
std::shared_ptr<const text::Source> inner_program(const text::Source& file,
                                                  std::span<const text::Span> lines,
                                                  std::span<const text::Span> filled_in = {});

}  // namespace vramlint::frontends
