// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/source.h"
#include "text/span.h"

namespace vramlint::diagnostics {

/// `error`: fails, or the setting is certainly lost. `warning`: very probably not what was meant,
/// or costs much. `note`: advice.
enum class Severity : uint8_t { note, warning, error };

std::string_view name_of(Severity severity);

/// A stretch of a file as the JSON contract counts it; `end` is exclusive.
struct Range {
  text::Position start;
  text::Position end;

  auto operator<=>(const Range&) const = default;
};

/// A range, and the cell in which it counts.
struct CellRange {
  std::optional<int> cell;
  Range range;
};

/// A stretch of a text as people count it. In a notebook both ends count in the cell of the first.
CellRange range_in(const text::Source& source, text::Span span);

/// A second place that explains the first: the event that came too early, say.
struct Related {
  std::string file;
  Range range;
  std::string message;
  std::optional<int> cell = std::nullopt;
};

/// `safe`: the meaning after it is what was plainly meant. `unsafe`: probably meant.
/// `suggestion`: shown, never applied.
enum class Applicability : uint8_t { safe, unsafe, suggestion };

std::string_view name_of(Applicability applicability);

struct Edit {
  std::string file;
  text::Span span;  ///< bytes replaced
  Range range;      ///< the same, as people count
  std::string text;
  std::optional<int> cell = std::nullopt;
};

struct Fix {
  Applicability applicability = Applicability::suggestion;
  std::string title;
  std::vector<Edit> edits;
};

/// One finding as every output shows it.
struct Diagnostic {
  std::string rule;  ///< name, `allocator-setting-too-late`
  std::string code;  ///< `VRL101`
  std::string family;
  Severity severity = Severity::warning;
  std::string message;
  std::string help;         ///< the remedy in one line; empty when the message says it
  std::string file;         ///< relative to the working directory, with `/`
  std::optional<int> cell;  ///< of a notebook, from 1; the range counts in it
  Range range;
  text::Span span;  ///< the same in bytes, for frames
  std::vector<Related> related;
  std::string torch = "all";  ///< versions for which it holds
  std::optional<Fix> fix;
  std::string url;
  std::string fingerprint;  ///< by which other tools know it again; see fingerprint.h
};

/// Path, position, code, message: the order in which findings are shown.
bool shown_before(const Diagnostic& left, const Diagnostic& right);

/// A file that could not be read or analyzed; the others go on.
struct FileError {
  std::string file;
  std::string message;
};

}  // namespace vramlint::diagnostics
