// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

#include "prefilter/words.h"

namespace vramlint::rules {

/// Whether what stands at `[begin, end)` of a file is more than the word alone: what a page asks
/// for with `word ? sign`. Told from the bytes around it; says no only where no finding can come of
/// it. `known` is what signs remember of these bytes.
using Sign = bool (*)(std::string_view bytes, size_t begin, size_t end, prefilter::Answers& known);

/// Null for a name that is none.
Sign sign_named(std::string_view name);

/// Whether the sign is one of the whole file: no need to ask again at another place.
bool is_same_everywhere(Sign sign);

}  // namespace vramlint::rules
