// SPDX-License-Identifier: MIT
//
// Comes before all else in what zig 0.17 compiles for macOS. Apple's <math.h> asks for the part of
// <float.h> that has INFINITY, and a guard then keeps the rest of it out; whoever includes <cfloat>
// first gets the rest, and no INFINITY.
#pragma once

#include <cfloat>

#ifndef INFINITY
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#endif
