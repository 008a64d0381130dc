// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "settings/allocator_string.h"
#include "settings/pieces.h"

namespace vramlint::settings {

/// Gathers the problems of one reading. Which words fit depends on the verdict: the same slip is an
/// error where PyTorch stops at it, and a note where it lets it pass.
class Explanation {
 public:
  Explanation(std::string_view string, const knowledge::AllocatorTables& tables,
              const ReadingContext& context, const Verdict& verdict)
      : string_(string), tables_(tables), context_(context), verdict_(verdict) {}

  std::string_view string() const { return string_; }
  const knowledge::AllocatorTables& tables() const { return tables_; }
  const ReadingContext& context() const { return context_; }
  const Verdict& verdict() const { return verdict_; }
  bool accepted() const { return verdict_.accepted; }

  /// What PyTorch stops at. Dropped when the string is accepted after all. The problem is returned
  /// for a replacement to be added.
  Problem& refuse(std::string_view rule, text::Span span, std::string predicate);
  Problem& warn(std::string_view rule, text::Span span, std::string predicate);
  Problem& note(std::string_view rule, text::Span span, std::string predicate);

  /// "raises `ValueError` at the first CUDA use", for a value or key that PyTorch refuses.
  std::string value_raises() const;
  /// "stops with a bare `stoi` error at the first CUDA use".
  std::string number_raises() const;
  /// What happens at a fault of structure: an abort inside `import torch`, or an error later.
  std::string structure_stops() const;

  /// Sizes that other keys take for their minimum, as the string has them.
  void remember_size(std::string_view key, uint64_t size_mb) { sizes_.emplace_back(key, size_mb); }
  /// What `read_value` wants to know about the other keys; 0 when they say nothing.
  uint64_t minimum_mb_of(const knowledge::AllocatorKeyRow& key) const;

  bool has_error() const;
  /// No more problems are taken; going on explaining is a waste.
  bool full() const;
  /// In the order of the string, each said once.
  std::vector<Problem> take();

 private:
  Problem& add(Problem problem);

  std::string_view string_;
  const knowledge::AllocatorTables& tables_;
  const ReadingContext& context_;
  const Verdict& verdict_;
  std::vector<std::pair<std::string_view, uint64_t>> sizes_;
  std::vector<Problem> problems_;
  Problem dropped_;
};

/// A text between backticks: short, on one line, with what cannot be printed written out.
std::string code(std::string_view text);

// The parts, each in a file of its own name.

/// Marks, missing halves and stray text, then the keys and values of each option.
void explain_pieces(Explanation& out, const std::vector<Piece>& pieces);
/// The same for 1.10 to 1.13, which pass over much in silence.
void explain_options(Explanation& out);
/// A name that the release does not know.
void explain_unknown_key(Explanation& out, std::string_view name, text::Span span);
/// A value that is one token.
void explain_value(Explanation& out, const knowledge::AllocatorKeyRow& key, text::Span span);
/// A value in brackets.
void explain_list(Explanation& out, const knowledge::AllocatorKeyRow& key, text::Span span);
/// Keys that do nothing, or harm, beside the others or on the platform.
void explain_interplay(Explanation& out);

}  // namespace vramlint::settings
