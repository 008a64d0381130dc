// SPDX-License-Identifier: MIT
//
// Bytes and how people count them. A source is never decoded: a column is the number of bytes in
// front that begin a code point, which is right for UTF-8 and defined for anything else.
#include "text/source.h"

#include "text/configuration.h"
#include "text/launch_language.h"
#include "text/utf8.h"

#include <algorithm>

namespace vramlint::text {
namespace {

constexpr uint32_t checkpoint_distance = 4096;

bool begins_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

uint32_t count_code_points(std::string_view bytes) {
  return static_cast<uint32_t>(std::count_if(bytes.begin(), bytes.end(), begins_code_point));
}

/// Python ends lines at `\n`, `\r\n` and a lone `\r`.
std::vector<uint32_t> find_line_starts(std::string_view bytes) {
  std::vector<uint32_t> starts = {0};
  for (std::size_t at = bytes.find_first_of("\r\n"); at != std::string_view::npos;
       at = bytes.find_first_of("\r\n", at)) {
    at += bytes.substr(at).starts_with("\r\n") ? 2 : 1;
    starts.push_back(static_cast<uint32_t>(at));
  }
  return starts;
}

std::string_view part_of(std::string_view text, Span span) {
  const std::size_t begin = std::min<std::size_t>(span.begin, text.size());
  const std::size_t end = std::clamp<std::size_t>(span.end, begin, text.size());
  return text.substr(begin, end - begin);
}

std::string_view last_component(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(" \t"));
  text.remove_prefix(word.size());
  return word;
}

/// `#!/usr/bin/python3`, `#!/usr/bin/env -S NAME=value python3 -u`.
bool runs_python(std::string_view bytes) {
  if (!bytes.starts_with("#!")) return false;
  std::string_view line = bytes.substr(2, bytes.find_first_of("\r\n") - 2);
  std::string_view program = last_component(next_word(line));
  if (program == "env") {
    do {
      program = next_word(line);
    } while (program.starts_with('-') || program.find('=') != std::string_view::npos);
    program = last_component(program);
  }
  return program.starts_with("python") || program.starts_with("pypy");
}

}  // namespace

Source::Source(std::string path, std::string bytes, Language language)
    : path_(std::move(path)), bytes_(std::move(bytes)), language_(language) {}

Source::Source(std::string path, std::string stored, Language language, Unpack unpack)
    : path_(std::move(path)), bytes_(std::move(stored)), language_(language), unpack_(unpack) {}

Source::Source(std::string path, std::string bytes, std::string program)
    : path_(std::move(path)),
      bytes_(std::move(bytes)),
      program_(std::move(program)),
      language_(Language::python) {}

const Cells& Source::cells() const {
  std::call_once(unpacked_, [this] { cells_ = unpack_(bytes_); });
  return cells_;
}

std::string_view Source::fault() const {
  if (unpack_ == nullptr) return {};
  return cells().fault;
}

std::string_view Source::program() const {
  if (unpack_ == nullptr) return program_.empty() ? bytes_ : program_;
  return cells().program.empty() ? cells().text : cells().program;
}

std::string_view Source::slice(Span span) const { return part_of(bytes(), span); }

std::string_view Source::program_slice(Span span) const { return part_of(program(), span); }

const Source::Index& Source::index() const {
  std::call_once(index_made_, [this] {
    const std::string_view all = bytes();
    index_.line_starts = find_line_starts(all);
    uint32_t code_points = 0;
    for (std::size_t at = 0; at < all.size(); at += checkpoint_distance) {
      index_.code_points.push_back(code_points);
      code_points += count_code_points(all.substr(at, checkpoint_distance));
    }
    index_.code_points.push_back(code_points);
  });
  return index_;
}

uint32_t Source::code_points_before(uint32_t offset) const {
  const uint32_t checkpoint = offset / checkpoint_distance;
  const Span rest{checkpoint * checkpoint_distance, offset};
  return index().code_points[checkpoint] + count_code_points(slice(rest));
}

Position Source::position_of(uint32_t offset) const {
  offset = std::min(offset, static_cast<uint32_t>(bytes().size()));
  const std::vector<uint32_t>& starts = index().line_starts;
  const auto next = std::upper_bound(starts.begin(), starts.end(), offset);
  const auto line = static_cast<uint32_t>(next - starts.begin());
  uint32_t begin = *(next - 1);
  if (line == 1 && bytes().starts_with(byte_order_mark)) {
    begin = std::min<uint32_t>(offset, byte_order_mark.size());
  }
  return {line, code_points_before(offset) - code_points_before(begin) + 1};
}

CellPosition Source::cell_position_of(uint32_t offset) const {
  Position position = position_of(offset);
  const Cell* cell = unpack_ == nullptr ? nullptr : cell_at(cells(), offset);
  if (cell == nullptr) return {std::nullopt, position};
  position.line -= position_of(cell->span.begin).line - 1;
  return {cell->number, position};
}

uint32_t Source::line_in(std::optional<int> cell, uint32_t line) const {
  if (!cell || unpack_ == nullptr) return line;
  const auto found = std::ranges::lower_bound(cells().all, *cell, {}, &Cell::number);
  if (found == cells().all.end()) return line;
  return position_of(found->span.begin).line - 1 + line;
}

LineRange Source::lines_around(uint32_t line) const {
  const Cell* cell = unpack_ == nullptr ? nullptr : cell_at(cells(), line_begin(line));
  if (cell == nullptr) return {1, line_count()};
  return {position_of(cell->span.begin).line, position_of(cell->span.end).line};
}

uint32_t Source::stored_line_of(uint32_t offset) const {
  if (unpack_ == nullptr) return position_of(offset).line;
  const std::string_view before = std::string_view(bytes_).substr(0, stored_at(cells(), offset));
  return static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n')) + 1;
}

uint32_t Source::line_begin(uint32_t line) const {
  const std::vector<uint32_t>& starts = index().line_starts;
  if (line == 0) return 0;
  return line <= starts.size() ? starts[line - 1] : static_cast<uint32_t>(bytes().size());
}

std::string_view Source::line(uint32_t line) const {
  if (line == 0) return {};
  std::string_view text = slice({line_begin(line), line_begin(line + 1)});
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

uint32_t Source::line_count() const { return static_cast<uint32_t>(index().line_starts.size()); }

Language language_of(std::string_view path, std::string_view bytes) {
  const std::string_view name = last_component(path);
  const std::size_t dot = name.find_last_of('.');
  const bool has_extension = dot != std::string_view::npos && dot > 0;
  const Language launching = launch_language_of(name, bytes);
  if (launching != Language::other) return launching;
  if (!has_extension) return runs_python(bytes) ? Language::python : Language::other;
  const std::string_view extension = name.substr(dot);
  if (extension == ".ipynb") return Language::notebook;
  if (extension == ".json")
    return configures_deepspeed(bytes) ? Language::deepspeed : Language::other;
  const bool python = extension == ".py" || extension == ".pyi" || extension == ".pyw";
  return python ? Language::python : Language::other;
}

size_t telling_bytes(std::string_view path) {
  constexpr size_t longest_first_line = 256;
  const std::string_view name = last_component(path);
  if (name.ends_with(".json")) return configuration_limit;
  return name.find('.') == std::string_view::npos ? longest_first_line : 0;
}

}  // namespace vramlint::text
