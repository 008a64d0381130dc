// SPDX-License-Identifier: MIT
//
// One release's reading of one allocator string: PyTorch's own verdict (`verdict.cpp`) and, beside
// it, the words for people (`explain_*.cpp`). The verdict is PyTorch's alone; the words may fail to
// find a reason, and then the place where PyTorch stops is named as it is.
#include "settings/allocator_string.h"

#include <algorithm>

#include "settings/explain.h"
#include "settings/tokens.h"

namespace vramlint::settings {

namespace {

using knowledge::AllocatorGrammarRow;
using knowledge::AllocatorTables;
using knowledge::AllocatorTokenizer;

/// The same quotes around the whole string, as `set NAME="…"` leaves them on Windows.
bool is_quoted(std::string_view text) {
  const bool long_enough = text.size() >= 2 && text.front() == text.back();
  return long_enough && (text.front() == '"' || text.front() == '\'');
}

/// Faults of the string as a whole, where going through its options would only confuse.
bool explain_whole(Explanation& out) {
  const std::string_view string = out.string();
  const text::Span all = trimmed(string, {0, static_cast<uint32_t>(string.size())});
  const std::string_view text = slice(string, all);
  if (is_quoted(text)) {
    Problem& problem =
        out.refuse("malformed-allocator-string", all,
                   out.structure_stops() + ": the quotes are part of the value, take them out");
    problem.replacement = std::string(text.substr(1, text.size() - 2));
    problem.safe = true;
    return !out.accepted();
  }
  const std::size_t name = text.find("ALLOC_CONF=");
  if (text.starts_with("PYTORCH_") && name != std::string_view::npos) {
    const uint32_t end = all.begin + static_cast<uint32_t>(name + 11);
    Problem& problem =
        out.refuse("malformed-allocator-string", {all.begin, end},
                   out.structure_stops() + ": the value repeats the variable's name, take it out");
    problem.replacement = "";
    problem.safe = true;
    return !out.accepted();
  }
  return false;
}

void explain_unread(Explanation& out) {
  const text::Span all = trimmed(out.string(), {0, static_cast<uint32_t>(out.string().size())});
  if (all.size() == 0) return;
  out.warn("allocator-key-ignored", all,
           "does not read this variable, which came with 1.10: leave it out");
}

/// The reason in PyTorch's own terms, for strings whose fault nothing else named.
void explain_failure(Explanation& out) {
  const Failure& failure = out.verdict().failure;
  const std::string token = code(slice(out.string(), failure.span));
  switch (failure.kind) {
    case FailureKind::none: return;
    case FailureKind::unknown_key:
      out.refuse("unknown-allocator-key", failure.span,
                 out.value_raises() + ": it takes " + token +
                     " for a key, and there is none of that name");
      return;
    case FailureKind::no_colon:
    case FailureKind::no_value:
    case FailureKind::no_comma:
      out.refuse("malformed-allocator-string", failure.span,
                 out.structure_stops() + ": the string is not `key:value,key:value` at " + token);
      return;
    case FailureKind::open_list:
      out.refuse("malformed-allocator-string", failure.span,
                 out.structure_stops() + ": the list has no `]`");
      return;
    case FailureKind::bad_value:
      out.refuse("malformed-allocator-string", failure.span,
                 out.value_raises() + ": it takes " + token + " for the value of " +
                     code(failure.key == nullptr ? "" : failure.key->name));
      return;
    case FailureKind::backend_differs:
      out.refuse(
          "unknown-allocator-backend", failure.span,
          "asserts at the first CUDA use: while `import torch` ran it found another backend than " +
              token + " in the string, write `backend:" +
              kept_text(slice(out.string(), failure.span), AllocatorTokenizer::tokens) +
              "` once and without spaces");
      return;
  }
}

void explain(Explanation& out, const std::vector<Piece>& pieces) {
  switch (out.context().grammar.tokenizer) {
    case AllocatorTokenizer::unread: explain_unread(out); return;
    case AllocatorTokenizer::options: explain_options(out); break;
    case AllocatorTokenizer::spaced_tokens:
    case AllocatorTokenizer::tokens:
      if (!explain_whole(out)) explain_pieces(out, pieces);
      break;
  }
  explain_interplay(out);
  if (!out.accepted() && !out.has_error()) explain_failure(out);
}

std::vector<Pair> pairs_of(const std::vector<Piece>& pieces, std::string_view string,
                           const AllocatorTables& tables, knowledge::Version torch) {
  std::vector<Pair> out;
  for (const Piece& piece : pieces) {
    if (piece.whole.size() == 0) continue;
    const knowledge::AllocatorKeyRow* row = find_key(tables.keys, slice(string, piece.key), torch);
    out.push_back({piece.key, piece.separator, piece.value, row});
  }
  return out;
}

/// No environment holds such a string: Python refuses to set it, and C would end it there.
AllocatorReading refuse_nul(std::string_view string) {
  const auto at = static_cast<uint32_t>(string.find('\0'));
  AllocatorReading out;
  out.accepted = false;
  out.problems.push_back(
      {"malformed-allocator-string",
       knowledge::ProblemSeverity::error,
       "never sees this string: no environment variable holds a NUL byte, take it out",
       {at, at + 1},
       {},
       false,
       {}});
  return out;
}

}  // namespace

/// Releases that no row knows are read as the nearest one.
const AllocatorGrammarRow& grammar_of(knowledge::Version torch, const AllocatorTables& tables) {
  static constexpr AllocatorGrammarRow none{};
  const AllocatorGrammarRow* found = &none;
  for (const AllocatorGrammarRow& row : tables.grammars) {
    if (row.torch.since <= torch) found = &row;
  }
  return *found;
}

knowledge::Platform platform_for(std::string_view variable, const AllocatorTables& tables,
                                 knowledge::Platform platform) {
  for (const AllocatorGrammarRow& row : tables.grammars) {
    const bool rocm = std::ranges::find(row.rocm_variables, variable) != row.rocm_variables.end();
    if (rocm) return knowledge::Platform::rocm;
  }
  return platform;
}

AllocatorReading read_allocator_string(std::string_view string, knowledge::Version torch,
                                       const AllocatorTables& tables,
                                       knowledge::Platform platform) {
  if (string.find('\0') != std::string_view::npos) return refuse_nul(string);
  const ReadingContext context{grammar_of(torch, tables), torch, platform};
  Verdict verdict = read_as_pytorch(string, tables, context);
  const std::vector<Piece> pieces = split_pieces(string, tables.keys);
  Explanation explanation(string, tables, context, verdict);
  explain(explanation, pieces);
  AllocatorReading out;
  out.pairs = pairs_of(pieces, string, tables, torch);
  out.accepted = verdict.accepted;
  out.fails_at = verdict.fails_at;
  out.problems = explanation.take();
  out.settings = std::move(verdict.settings);
  return out;
}

}  // namespace vramlint::settings
