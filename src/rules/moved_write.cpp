// SPDX-License-Identifier: MIT
// A late write is moved above what came too early. Only where nothing can go wrong: the write
// stands at the top level of its module with a literal value, is the first of its variable, and
// nothing in between speaks of the variable.
#include <algorithm>

#include "rules/source_edits.h"
#include "rules/written_text.h"
#include "text/utf8.h"

namespace vramlint::rules {

namespace {

using replay::Place;
using text::Source;
using text::Span;

bool begins_statement(std::string_view line) {
  if (line.empty()) return false;
  const char first = line.front();
  return first == '@' || first == '_' || (first >= 'a' && first <= 'z') ||
         (first >= 'A' && first <= 'Z');
}

bool begins_with_any(std::string_view line, std::initializer_list<std::string_view> words) {
  const std::string_view word = root_of(line);
  return std::ranges::find(words, word) != words.end();
}

/// The first line of the statement of the module's own level that holds this one; 0 for one in a
/// function or class, which runs at another time.
uint32_t top_level_line(const Source& source, uint32_t line) {
  for (; line > 0; --line) {
    std::string_view text = source.line(line);
    if (line == 1 && text.starts_with(text::byte_order_mark))
      text.remove_prefix(text::byte_order_mark.size());
    if (!begins_statement(text)) continue;
    if (begins_with_any(text, {"else", "elif", "except", "finally", "case"})) continue;
    const bool defines = text.front() == '@' || begins_with_any(text, {"def", "class", "async"});
    return defines ? 0 : line;
  }
  return 0;
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\f") == std::string_view::npos;
}

/// The move of a few lines of one module.
class Move {
 public:
  Move(const CheckContext& context, const replay::Observation& write)
      : context_(context),
        write_(write),
        place_(context.event(write.event).place),
        source_(*context.timeline.files[place_.file]),
        line_(source_.position_of(place_.span.begin).line),
        last_(source_.position_of(place_.span.end).line) {}

  std::optional<RawFix> before(replay::EventId early) {
    if (!is_movable() || is_written_before()) return std::nullopt;
    target_ = line_of(early);
    if (target_ == 0) return std::nullopt;
    // Some releases read settings while `import torch` runs.
    const replay::MomentState& import =
        write_.moments[static_cast<size_t>(knowledge::Moment::import_torch)];
    if (import.certainty == replay::Certainty::yes) {
      const uint32_t imported = line_of(import.event);
      if (imported > 0) target_ = std::min(target_, imported);
    }
    if (target_ >= line_ || speaks_of_it(target_, line_)) return std::nullopt;
    return made();
  }

 private:
  bool is_movable() const {
    const bool simple = write_.form == replay::WriteForm::subscript ||
                        write_.form == replay::WriteForm::set_default;
    const std::optional<Place>& literal = write_.value.literal;
    const bool stands_there = literal && write_.value.plain && literal->file == place_.file &&
                              place_.span.contains(literal->span);
    return simple && stands_there && place_.span.begin == source_.line_begin(line_) &&
           own_lines(context_, place_);
  }

  /// Whether the program has written the variable already: which of the two values was meant to
  /// count, only the author knows.
  bool is_written_before() const {
    for (const replay::Observation& seen : context_.timeline.observations) {
      if (&seen == &write_) return false;
      if (seen.kind == replay::ObservationKind::variable_write && seen.name == write_.name &&
          seen.process == write_.process && seen.event != write_.event)
        return true;
    }
    return false;
  }

  /// What the write is made on: `os`.
  std::string_view own_root() const { return root_of(context_.text(place_)); }

  /// Where this module leads to the event; 0 when it does so inside a function.
  uint32_t line_of(replay::EventId early) const {
    const replay::Event& event = context_.event(early);
    std::vector<Place> way = event.calls;
    way.push_back(event.place);
    const auto here =
        std::ranges::find_if(way, [&](const Place& place) { return place.file == place_.file; });
    if (here == way.end()) return 0;
    const uint32_t line = top_level_line(source_, source_.position_of(here->span.begin).line);
    // The import of what is used there may do it as well.
    const std::string_view root = root_of(context_.text(*here));
    const bool imports = root == "import" || root == "from" || root == own_root();
    const uint32_t bound = imports ? 0 : import_of(root, line);
    return bound > 0 ? bound : line;
  }

  std::string_view lines(uint32_t first, uint32_t behind) const {
    return source_.slice({source_.line_begin(first), source_.line_begin(behind)});
  }

  bool speaks_of_it(uint32_t first, uint32_t behind) const {
    return has_word(lines(first, behind), write_.name);
  }

  std::optional<RawFix> made() const {
    const uint32_t first = with_comment();
    std::string text(lines(first, last_ + 1));
    if (has_odd_line_end(text)) return std::nullopt;
    if (!text.ends_with('\n') && !text.ends_with('\r')) text += '\n';
    RawFix fix;
    fix.applicability = Applicability::safe;
    fix.title = "move it above " + shown_target();
    // `%env` of a notebook needs no module.
    const bool is_magic = context_.text(place_).starts_with('%');
    const std::string_view root = own_root();
    const uint32_t bound = is_magic ? 0 : import_of(root, line_);
    if (bound == 0 && !is_magic) return std::nullopt;
    if (bound == target_) return std::nullopt;
    if (bound > target_) {
      if (speaks_of(root, target_, bound) || !is_plain_import(source_.line(bound), root))
        return std::nullopt;
      text.insert(0, lines(bound, bound + 1));
      fix.edits.push_back({{place_.file, gap(bound, bound + 1)}, ""});
    }
    const uint32_t at = source_.line_begin(target_);
    fix.edits.push_back({{place_.file, {at, at}}, without_returns(text)});
    fix.edits.push_back({{place_.file, gap(first, last_ + 1)}, ""});
    return fix;
  }

  std::string shown_target() const {
    const auto [cell, position] = source_.cell_position_of(source_.line_begin(target_));
    const std::string line = "line " + std::to_string(position.line);
    return cell ? line + " of cell " + std::to_string(*cell) : line;
  }

  /// A comment that stands right above the write and speaks of nothing else goes with it.
  uint32_t with_comment() const {
    const text::LineRange all = source_.lines_around(line_);
    const bool is_last = last_ + 1 > all.last || is_blank(source_.line(last_ + 1));
    uint32_t first = line_;
    if (!is_last) return first;
    while (first - 1 > target_ && first > all.first && source_.line(first - 1).starts_with('#'))
      --first;
    return first;
  }

  bool speaks_of(std::string_view word, uint32_t first, uint32_t behind) const {
    return has_word(lines(first, behind), word);
  }

  /// The last line before another one that imports the name; 0 when none does.
  uint32_t import_of(std::string_view name, uint32_t behind) const {
    for (uint32_t line = behind; line-- > 1;) {
      const std::string_view text = source_.line(line);
      if (begins_with_any(text, {"import", "from"}) && has_word(text, name)) return line;
    }
    return 0;
  }

  static bool is_plain_import(std::string_view line, std::string_view name) {
    line = line.substr(0, line.find('#'));
    while (line.ends_with(' ')) line.remove_suffix(1);
    if (line.find_first_of(",;(\\") != std::string_view::npos) return false;
    return line == "import " + std::string(name) ||
           line.ends_with(" import " + std::string(name)) ||
           line.ends_with(" as " + std::string(name));
  }

  Span gap(uint32_t first, uint32_t behind) const {
    return lines_without_gap(source_, first, behind);
  }

  /// A lone `\r` in a file whose lines end otherwise.
  bool has_odd_line_end(std::string_view text) const {
    if (source_.bytes().find('\n') == std::string_view::npos) return false;
    for (size_t at = text.find('\r'); at != std::string_view::npos; at = text.find('\r', at + 1)) {
      if (text.substr(at, 2) != "\r\n") return true;
    }
    return false;
  }

  static std::string without_returns(std::string text) {
    std::string made;
    for (size_t i = 0; i < text.size(); ++i) {
      const bool pair = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
      if (!pair) made += text[i] == '\r' ? '\n' : text[i];
    }
    return made;
  }

  const CheckContext& context_;
  const replay::Observation& write_;
  Place place_;
  const Source& source_;
  uint32_t line_;
  uint32_t last_;
  uint32_t target_ = 0;
};

}  // namespace

std::optional<RawFix> moved_before(const CheckContext& context, const replay::Observation& write,
                                   replay::EventId early) {
  return Move(context, write).before(early);
}

}  // namespace vramlint::rules
