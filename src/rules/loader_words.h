// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "rules/check.h"

// What the words of a program that a launch file starts tell of its loaders.

namespace vramlint::rules {

/// A word of the command; empty where it is not known.
std::string_view word_of(const replay::ObservedArgument& argument);

/// The number that the word is; 0 for any other.
int number_in(std::string_view word);

/// `--num-workers 8`, `--num_workers=8`, `data.workers=8`.
bool asks_for_workers(const replay::Observation& started);

/// A Python program among the words, and no server whose workers are processes of their own.
bool runs_training(const CheckContext& context, const replay::Observation& started);

}  // namespace vramlint::rules
