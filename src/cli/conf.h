// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <string>

#include "knowledge/knowledge.h"

namespace vramlint::cli {

/// The command line of `vramlint conf`.
struct ConfOptions {
  std::string string;    ///< the allocator string; unused with `batch`
  bool batch = false;    ///< one JSON string a line on standard input, one answer a line
  std::string torch;     ///< a release or a range; empty for the newest
  std::string variable;  ///< the environment variable that holds it; empty for the CUDA name
  bool json = false;
  bool color = false;
};

/// Reads allocator strings as PyTorch would. 0: accepted, or all lines of a batch answered; 1:
/// refused; 2: the options or a line of the batch make no sense.
int run_conf(const ConfOptions& options, const knowledge::Knowledge& knowledge, std::istream& in,
             std::ostream& out, std::ostream& err);

}  // namespace vramlint::cli
