// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"
#include "text/span.h"

namespace vramlint::text {

enum class Language { python, other };

/// The bytes of one file or editor buffer. Never looks inside them, but for line ends.
/// Everything that refers to text holds `string_view`s or `Span`s into a `Source` that outlives it.
/// Several threads may share one.
class Source {
 public:
  Source(std::string path, std::string bytes, Language language);

  const std::string& path() const { return path_; }
  std::string_view bytes() const { return bytes_; }
  std::string_view slice(Span span) const;
  Language language() const { return language_; }

  /// Position of a byte; a byte past the end counts as the end. The line index is made on first
  /// use.
  Position position_of(uint32_t offset) const;
  /// Byte at which a line begins; the end of the text for a line past the last.
  uint32_t line_begin(uint32_t line) const;
  /// Bytes of a line without its line end.
  std::string_view line(uint32_t line) const;
  uint32_t line_count() const;

 private:
  struct Index {
    std::vector<uint32_t> line_starts;
    std::vector<uint32_t> code_points;  ///< in front of every 4096th byte: long lines stay cheap
  };

  const Index& index() const;
  uint32_t code_points_before(uint32_t offset) const;

  std::string path_;
  std::string bytes_;
  Language language_;
  mutable std::once_flag index_made_;
  mutable Index index_;
};

/// What kind of file this is, by its name and, where the name says nothing, by its `#!` line.
Language language_of(std::string_view path, std::string_view bytes);

/// Reads a regular file. FIFOs, devices and files over `max_bytes` are refused with a reason.
Result<std::string> read_file(const std::string& path, uint64_t max_bytes);

}  // namespace vramlint::text
