// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace vramlint::frontends {

/// A name as a number. Two names may share one: then something seems to be mentioned that is not.
uint32_t name_number(std::string_view name);

/// Which names the parts of a Python file mention, told from its bytes alone: what a function or
/// class outside all others mentions when it is used, and what the module mentions when it is
/// imported. Comments, texts that are statements and imports mention nothing.
struct Mentions {
  /// A function, a class, or a name that is given a value without calling anything.
  struct Definition {
    uint32_t name = 0;
    bool has_word = false;  ///< one of those that were looked for
    bool is_class = false;
    bool hooks = false;     ///< a class that is told of the classes made from it
    bool is_asked = false;  ///< `__getattr__` of a module: used by whoever reads an attribute
    std::vector<uint32_t> mentioned;
    std::vector<uint32_t> decorators;  ///< first names of those that stand above it or a method
  };
  std::vector<Definition> definitions;
  /// The functions directly in classes outside all others; what they mention the class does too.
  std::vector<Definition> methods;
  /// What runs at each import, and what runs besides when the file is the program itself.
  Definition at_import;
  Definition as_program;
};

/// `words`: where the words end that are looked for, in ascending order. Where `in_texts` is false,
/// those that stand in texts over several lines do not count.
Mentions mentions_in(std::string_view bytes, std::span<const uint32_t> words, bool in_texts = true);

}  // namespace vramlint::frontends
