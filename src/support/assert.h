// SPDX-License-Identifier: MIT
#pragma once

#include <cassert>

/// An invariant of ours: stops debug builds, costs nothing in release builds.
#define VRAMLINT_ASSERT(condition) assert(condition)
