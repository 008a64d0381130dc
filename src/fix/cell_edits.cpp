// SPDX-License-Identifier: MIT
//
// From edits of a text to edits of the notebook that holds it. Jupyter writes a cell as a list with
// a string for each line, others write one string: a line that comes in becomes an item where the
// others are items, and one that goes takes its item along.
#include "fix/cell_edits.h"

#include <fmt/format.h>

#include <algorithm>

namespace vramlint::fix {

namespace {

using diagnostics::Edit;
using text::Cell;
using text::Cells;
using text::Span;

/// The text as it stands inside quotes. After each line end comes `separator`, for what is to be an
/// item of its own, unless nothing comes behind it in the cell.
std::string as_json(std::string_view text, std::string_view separator, bool ends_cell) {
  std::string made;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char byte = text[at];
    switch (byte) {
      case '"': made += "\\\""; break;
      case '\\': made += "\\\\"; break;
      case '\n': made += "\\n"; break;
      case '\r': made += "\\r"; break;
      case '\t': made += "\\t"; break;
      case '\b': made += "\\b"; break;
      case '\f': made += "\\f"; break;
      default:
        if (static_cast<unsigned char>(byte) < 0x20) {
          made += fmt::format("\\u{:04x}", static_cast<unsigned char>(byte));
        } else {
          made += byte;
        }
    }
    const bool is_last = at + 1 == text.size() && ends_cell;
    if (byte == '\n' && !separator.empty() && !is_last) {
      made += '"';
      made += separator;
      made += '"';
    }
  }
  return made;
}

/// The file on its way to what it will be.
class StoredText {
 public:
  StoredText(const text::Source& source, const Cells& cells)
      : stored_(source.stored()), text_(source.bytes()), cells_(cells) {}

  /// Edits come in their order.
  void make(const Edit& edit, const std::string& text) {
    std::string_view rest = text;
    Span span = edit.span;
    while (true) {
      const Cell* cell = text::cell_at(cells_, span.begin);
      if (cell == nullptr) return;
      const auto next = static_cast<std::size_t>(cell - cells_.all.data()) + 1;
      const uint32_t behind = next < cells_.all.size() ? cells_.all[next].span.begin : span.end;
      replace(*cell, {span.begin, std::min({span.end, behind, cell->span.end})}, rest,
              span.end > cell->span.end);
      rest = {};
      if (span.end <= behind) return;
      span.begin = behind;
    }
  }

  std::string finish() && { return made_.append(stored_.substr(at_)); }

 private:
  /// A stretch of one cell. `with_end`: what ends the cell's last line goes as well.
  void replace(const Cell& cell, Span span, std::string_view text, bool with_end) {
    if (with_end && (text.empty() || text.ends_with('\n'))) {
      // The line before becomes the last, which has no line end of its own.
      if (text.ends_with('\n')) {
        text.remove_suffix(text.ends_with("\r\n") ? 2 : 1);
      } else {
        span.begin = without_line_end(cell, span.begin);
      }
    }
    if (span.size() == 0 && text.empty()) return;
    const bool ends_cell = span.end == cell.span.end;
    const std::string separator = cell.is_list ? cell.separator : "";
    std::string json = as_json(text, separator, ends_cell);
    Span there{text::stored_at(cells_, span.begin), text::stored_at(cells_, span.end)};
    if (cell.is_list && cell.span.size() == 0 && stored_[there.begin - 1] != '"') {
      json = "\"" + json + "\"";  // the list was empty
      there = {cell.stored.begin + 1, cell.stored.begin + 1};
    }
    there.begin = std::max(there.begin, at_);
    made_ += stored_.substr(at_, there.begin - at_);
    made_ += json;
    at_ = there.end;
  }

  uint32_t without_line_end(const Cell& cell, uint32_t begin) const {
    if (begin > cell.span.begin && text_[begin - 1] == '\n') --begin;
    if (begin > cell.span.begin && text_[begin - 1] == '\r') --begin;
    return begin;
  }

  std::string_view stored_;
  std::string_view text_;
  const Cells& cells_;
  std::string made_;
  uint32_t at_ = 0;  ///< of the file, up to where it is done
};

}  // namespace

std::string stored_after(const text::Source& source, const FileEdits& edits) {
  const Cells* cells = source.cells_or_null();
  if (cells == nullptr) return edits.made_of(source.bytes());
  StoredText made(source, *cells);
  for (const Edit& edit : edits.all()) {
    made.make(edit, with_line_ends_of(source.bytes(), edit.span.begin, edit.text));
  }
  return std::move(made).finish();
}

}  // namespace vramlint::fix
