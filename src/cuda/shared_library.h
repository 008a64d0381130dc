// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace vramlint::cuda {

/// A library that is looked for when it is needed: the program itself links to nothing of CUDA, and
/// runs where there is none.
class SharedLibrary {
 public:
  SharedLibrary() = default;
  /// The first of these that can be loaded.
  static SharedLibrary open(const std::vector<std::string>& names);

  explicit operator bool() const { return handle_ != nullptr; }
  const std::string& path() const { return path_; }  ///< where it was found, as far as is known
  const std::string& problem() const { return problem_; }  ///< why there is none

  /// Null for a function that this release does not have.
  template <typename Function>
  void find(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(address_of(name));
  }

 private:
  void* address_of(const char* name) const;

  void* handle_ = nullptr;  ///< never closed: drivers do not survive it
  std::string path_;
  std::string problem_;
};

}  // namespace vramlint::cuda
