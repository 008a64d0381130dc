// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"
#include "text/cells.h"
#include "text/span.h"

namespace vramlint::text {

enum class Language {
  python,
  notebook,
  shell,
  dockerfile,
  yaml,
  dotenv,   ///< `NAME=value` lines
  systemd,  ///< a unit
  batch,    ///< of Windows
  powershell,
  deepspeed,  ///< a configuration of DeepSpeed in JSON
  other
};

/// Whether files of this kind launch programs.
bool launches(Language language);
/// Whether they do so on Windows.
bool is_of_windows(Language language);

/// Whether files of that language hold a Python program.
inline bool holds_python(Language language) {
  return language == Language::python || language == Language::notebook;
}

/// The text of one file or editor buffer. Never looks inside, but for line ends.
/// Everything that refers to text holds `string_view`s or `Span`s into a `Source` that outlives it.
/// Several threads may share one.
class Source {
 public:
  Source(std::string path, std::string bytes, Language language);
  /// A file that has its text in cells, taken apart when somebody first asks for it.
  Source(std::string path, std::string stored, Language language, Unpack unpack);
  /// A Python program that stands in a file of another language: of the size of that file's bytes,
  /// with blanks for what is none of it.
  Source(std::string path, std::string bytes, std::string program);

  const std::string& path() const { return path_; }
  /// What the file holds.
  std::string_view stored() const { return bytes_; }
  /// The text: the same, or all cells one below the other. Spans count in it.
  std::string_view bytes() const {
    if (unpack_ == nullptr) return bytes_;
    return cells().text;
  }
  /// The text as Python: of the same size, without the lines of a notebook or a launch file that
  /// are none.
  std::string_view program() const;
  std::string_view slice(Span span) const;
  std::string_view program_slice(Span span) const;
  Language language() const { return language_; }

  /// Null for a file without cells.
  const Cells* cells_or_null() const { return unpack_ == nullptr ? nullptr : &cells(); }
  /// Why the file could not be taken apart; empty when it could.
  std::string_view fault() const;

  /// Position of a byte; a byte past the end counts as the end. The line index is made on first
  /// use.
  Position position_of(uint32_t offset) const;
  /// The cell that a byte stands in, by its number, and where it is there. Without cells, no number
  /// and `position_of`.
  CellPosition cell_position_of(uint32_t offset) const;
  /// The line of the text that is a line of a cell; the line itself without a cell.
  uint32_t line_in(std::optional<int> cell, uint32_t line) const;
  /// The lines of the cell that a line belongs to; all lines without cells.
  LineRange lines_around(uint32_t line) const;
  /// The line of the file, as other programs count it, that holds a byte of the text.
  uint32_t stored_line_of(uint32_t offset) const;
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
  const Cells& cells() const;
  uint32_t code_points_before(uint32_t offset) const;

  std::string path_;
  std::string bytes_;
  std::string program_;  ///< empty when the text is the program
  Language language_;
  Unpack unpack_ = nullptr;
  mutable std::once_flag unpacked_;
  mutable Cells cells_;
  mutable std::once_flag index_made_;
  mutable Index index_;
};

/// What kind of file this is, by its name and, where the name says nothing, by its `#!` line or by
/// what stands in it.
Language language_of(std::string_view path, std::string_view bytes);

/// How many bytes of a file `language_of` has to see where the name says nothing; 0 where the name
/// says that it is of no use.
size_t telling_bytes(std::string_view path);

/// Reads a regular file. FIFOs, devices and files over `max_bytes` are refused with a reason.
Result<std::string> read_file(const std::string& path, uint64_t max_bytes);

}  // namespace vramlint::text
