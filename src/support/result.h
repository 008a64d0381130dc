// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace vramlint {

/// Trouble with the surroundings (a file, a configuration, a table), never with the linted code and
/// never our own bug. Turned into a sentence for people in one place, `cli/`.
struct Error {
  std::string path;     ///< file concerned, as the user wrote it; empty when there is none
  int line = 0;         ///< counts from 1; 0 when the whole file is meant
  std::string message;  ///< what happened, one line without a full stop
  std::string advice;   ///< what to do about it; empty when the message says enough
  int column = 0;       ///< counts from 1; 0 when the whole line is meant
};

/// A value, or why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  const T& value() const& { return std::get<0>(state_); }
  T& value() & { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

}  // namespace vramlint
