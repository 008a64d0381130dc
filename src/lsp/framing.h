// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// How messages lie in a stream of bytes: `Content-Length: N`, a blank line, N bytes.

namespace vramlint::lsp {

/// Cuts a stream into messages, however its bytes arrive. What is no message is passed over up to
/// the next one, so that a client's slip costs one message and not the session.
class MessageReader {
 public:
  explicit MessageReader(uint64_t max_bytes) : max_bytes_(max_bytes) {}

  enum class Kind : uint8_t {
    message,
    too_large,  ///< left out, whatever it was
    broken,     ///< bytes that belong to no message; said once for all that stand together
  };
  struct Incoming {
    Kind kind = Kind::message;
    std::string body;
  };

  void feed(std::string_view bytes) { buffer_ += bytes; }
  /// The next one of those that are complete.
  std::optional<Incoming> next();

 private:
  std::optional<Incoming> read_header();
  std::optional<Incoming> lose(std::size_t bytes);
  void drop(std::size_t bytes);

  uint64_t max_bytes_;
  std::string buffer_;
  std::size_t begin_ = 0;  ///< of what has not been read
  std::optional<uint64_t> body_;
  uint64_t skipped_ = 0;  ///< bytes still to come of a body that is too large
  bool lost_ = false;     ///< among bytes that belong to no message
};

/// The message as it goes into the stream.
std::string framed(std::string_view body);

}  // namespace vramlint::lsp
