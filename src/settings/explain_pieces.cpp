// SPDX-License-Identifier: MIT
//
// Goes through the options of a string for 2.0 and later: marks between them, missing halves, stray
// text, then key and value of each. What PyTorch stops at is an error; what it lets pass although
// it is odd is a note, since a release that looks at it again will refuse it.
#include <algorithm>
#include <map>
#include <utility>

#include "settings/explain.h"
#include "settings/tokens.h"

namespace vramlint::settings {

namespace {

using knowledge::AllocatorKeyRow;
using knowledge::AllocatorValue;

class PieceExplainer {
 public:
  PieceExplainer(Explanation& out, const std::vector<Piece>& pieces) : out_(out), pieces_(pieces) {}

  void run() {
    remember_sizes();
    for (std::size_t i = 0; i < pieces_.size(); ++i) explain(pieces_[i], i);
  }

 private:
  std::string_view text(text::Span span) const { return slice(out_.string(), span); }
  std::string kept(text::Span span) const {
    return kept_text(text(span), out_.context().grammar.tokenizer);
  }
  const AllocatorKeyRow* row(const Piece& piece) const {
    return find_key(out_.tables().keys,
                    kept_text(text(piece.key), knowledge::AllocatorTokenizer::tokens),
                    out_.context().torch);
  }

  void remember_sizes() {
    for (const Piece& piece : pieces_) {
      const AllocatorKeyRow* key = row(piece);
      if (key == nullptr || !key->read_first) continue;
      const ValueReading size = read_value(*key, kept(piece.value), out_.context());
      if (size.trouble == ValueTrouble::none) out_.remember_size(key->name, kept_size_mb(size.raw));
    }
  }

  void explain(const Piece& piece, std::size_t index) {
    if (piece.whole.size() == 0) {
      explain_empty(piece, index);
      return;
    }
    explain_joint(piece);
    const AllocatorKeyRow* key = row(piece);
    if (piece.separator.size() == 0) {
      explain_single(piece, key);
      return;
    }
    explain_separator(piece, key);
    if (key == nullptr) {
      explain_name(piece);
      return;
    }
    explain_whitespace(piece, *key);
    explain_duplicate(piece, *key);
    explain_piece_value(piece, *key);
  }

  /// A comma at the end is fine; any other empty option is read as a key named `,`.
  void explain_empty(const Piece& piece, std::size_t index) {
    const bool last = index + 1 == pieces_.size();
    if (last && (index == 0 || text(piece.joint) == ",")) return;
    const text::Span comma = last ? piece.joint : pieces_[index + 1].joint;
    Problem& problem = out_.refuse("malformed-allocator-string", comma,
                                   out_.structure_stops() + ": there is an empty option at " +
                                       code(text(comma)) + ", take it out");
    problem.replacement = "";
    problem.safe = true;
  }

  void explain_joint(const Piece& piece) {
    if (piece.joint.size() == 0 || text(piece.joint) == ",") return;
    const std::string_view mark = text(trimmed(out_.string(), piece.joint));
    const std::string what = mark.empty() ? "whitespace" : code(mark);
    explain_mark(piece.joint, ",", "part options by `,`, not by " + what,
                 "takes " + what + " for `,` between options");
  }

  void explain_separator(const Piece& piece, const AllocatorKeyRow* key) {
    const std::string_view mark = text(piece.separator);
    if (mark == ":" || (key == nullptr && mark != "=")) return;
    explain_mark(piece.separator, ":", "join key and value by `:`, not by " + code(mark),
                 "takes " + code(mark) + " for `:` after a key");
  }

  void explain_mark(text::Span span, std::string_view right, const std::string& remedy,
                    const std::string& lenient) {
    Problem& problem =
        out_.accepted()
            ? out_.note("allocator-separator", span,
                        lenient + " without looking, 2.9 and older refuse it: write " + code(right))
            : out_.refuse("allocator-separator", span, out_.structure_stops() + ": " + remedy);
    problem.replacement = std::string(right);
    problem.safe = true;
  }

  /// An option without a separator.
  void explain_single(const Piece& piece, const AllocatorKeyRow* key) {
    const bool known =
        key != nullptr || find_key_of_any_release(out_.tables().keys, text(piece.key));
    const std::string what = known ? " has no value" : " is not `key:value`";
    Problem& problem = out_.refuse("malformed-allocator-string", piece.whole,
                                   out_.structure_stops() + ": " + code(text(piece.whole)) + what);
    if (key == nullptr || key->type != AllocatorValue::boolean) return;
    problem.predicate += ", write " + code(std::string(text(piece.whole)) + ":True");
    problem.replacement = std::string(text(piece.whole)) + ":True";
  }

  void explain_name(const Piece& piece) {
    const std::string name = kept(piece.key);
    const std::string_view value = text(piece.value);
    const bool path = value.starts_with('/') || value.starts_with('\\');
    const bool nameless =
        path || name.empty() || name.find_first_of("]/\\<>{}$") != std::string::npos;
    if (!nameless) {
      explain_unknown_key(out_, name, piece.key);
      return;
    }
    out_.refuse("malformed-allocator-string", piece.whole,
                out_.structure_stops() + ": " + code(text(piece.whole)) +
                    " is not an allocator option such as `max_split_size_mb:128`");
  }

  /// Up to 2.9 a tab or a line break stays part of the key or value that it touches.
  void explain_whitespace(const Piece& piece, const AllocatorKeyRow& key) {
    const text::Span name = {piece.around.begin,
                             std::max(piece.around.begin, piece.separator.begin)};
    explain_kept_whitespace(name, piece.key, "key");
    const bool number = key.type == AllocatorValue::size_mb || key.type == AllocatorValue::count ||
                        key.type == AllocatorValue::fraction;
    const text::Span value = {piece.separator.end, std::max(piece.separator.end, piece.around.end)};
    if (!number) explain_kept_whitespace(value, piece.value, "value");
  }

  void explain_kept_whitespace(text::Span around, text::Span inner, const std::string& part) {
    if (inner.size() == 0 || kept(around) == kept(inner)) return;
    Problem& problem =
        out_.refuse("malformed-allocator-string", around,
                    out_.value_raises() + ": the whitespace in " + code(kept(around)) +
                        " stays part of the " + part + ", take it out");
    problem.replacement = std::string(text(inner));
    problem.safe = true;
  }

  void explain_duplicate(const Piece& piece, const AllocatorKeyRow& key) {
    const auto [place, first] = seen_.try_emplace(key.name, &piece);
    if (first) return;
    const Piece& before = *std::exchange(place->second, &piece);
    const std::string name = code(text(piece.key));
    if (key.type == AllocatorValue::backend && kept(before.value) != kept(piece.value)) {
      out_.refuse(
          "conflicting-allocator-keys", piece.whole,
          "asserts at the first CUDA use: the string names two allocator backends, keep one");
    } else if (kept(before.value) == kept(piece.value)) {
      take_out(
          before, true,
          out_.note("duplicate-allocator-key", before.whole, "reads " + name + " twice: keep one"));
    } else {
      take_out(before, false,
               out_.warn("duplicate-allocator-key", before.whole,
                         "reads " + name + " more than once and keeps the last value, " +
                             code(text(piece.value)) + ": keep one"));
    }
  }

  /// The option and the comma behind it.
  void take_out(const Piece& piece, bool safe, Problem& problem) const {
    const Piece& next = *(&piece + 1);
    if (text(next.joint) != ",") return;
    problem.replacement = "";
    problem.replaced = {piece.around.begin, next.joint.end};
    problem.safe = safe;
  }

  void explain_piece_value(const Piece& piece, const AllocatorKeyRow& key) {
    if (piece.value.size() == 0) {
      out_.refuse("malformed-allocator-string", piece.whole,
                  out_.structure_stops() + ": " + code(key.name) + " has no value");
    } else if (text(piece.value).starts_with('[')) {
      explain_list(out_, key, piece.value);
    } else if (key.type == AllocatorValue::reserve_list) {
      out_.refuse(
          "malformed-allocator-string", piece.value,
          out_.structure_stops() + ": " + code(key.name) + " takes a list such as `[name:0.25]`");
    } else {
      explain_value(out_, key, piece.value);
    }
  }

  Explanation& out_;
  const std::vector<Piece>& pieces_;
  std::map<std::string_view, const Piece*> seen_;
};

}  // namespace

void explain_pieces(Explanation& out, const std::vector<Piece>& pieces) {
  PieceExplainer(out, pieces).run();
}

}  // namespace vramlint::settings
