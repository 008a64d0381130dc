// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/program.h"

namespace vramlint::frontends {

/// What blocks were lowered to in analyses before, and the names that it is made of. While somebody
/// types, a file is analyzed again and again, and all of its blocks but one are what they were;
/// parsing and lowering them is most of the work. For one thread.
class KeptCode {
 public:
  model::Names& names() const { return *names_; }

  /// Gives the block the code that its text was lowered to before; whether there was any. Each code
  /// is given to one block at a time.
  bool restore(model::Program& program, uint32_t block);
  /// Takes the code of a program that nobody is going to run any more.
  void keep(model::Program& program);
  /// To be called between analyses. What the last ones had no use for goes, as soon as it is by far
  /// the larger part.
  void forget_old();

 private:
  struct Part {
    std::unique_ptr<model::Code> code;
    uint32_t begin = 0;           ///< of the block that it was made for, in its file
    uint32_t first_left_out = 0;  ///< number of the block of the first function that it lacks
    std::vector<text::Span> left_out;
    uint64_t round = 0;  ///< in which it was last used
  };

  std::unique_ptr<model::Names> names_ = std::make_unique<model::Names>();
  std::size_t first_names_ = 0;                               ///< how many the first analysis had
  std::unordered_map<std::string, std::vector<Part>> parts_;  ///< by text and what is made of it
  std::size_t bytes_ = 0;                                     ///< of the texts of all parts, …
  std::size_t used_ = 0;  ///< … and of those that were kept in this round
  uint64_t round_ = 1;
};

}  // namespace vramlint::frontends
