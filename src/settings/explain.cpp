// SPDX-License-Identifier: MIT
//
// The list of problems that the explaining files fill, and the phrases that they share. Holds no
// rule of its own but one: nobody reads that PyTorch stops at something when it does not.
#include "settings/explain.h"

#include <algorithm>
#include <cstdio>

namespace vramlint::settings {

namespace {

/// Hostile strings have a fault at every byte; nobody reads more than this.
constexpr std::size_t most_problems = 50;
constexpr std::size_t longest_quote = 60;

/// Length of the well-formed UTF-8 sequence of two bytes or more at `at`; 0 when there is none.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  const std::size_t length = first >= 0xf0 && first < 0xf5   ? 4
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xc2 && first < 0xe0 ? 2
                                                             : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t i = at + 1; i < at + length; ++i) {
    if ((byte(i) & 0xc0u) != 0x80u) return 0;
  }
  const bool overlong =
      (first == 0xe0 && byte(at + 1) < 0xa0) || (first == 0xf0 && byte(at + 1) < 0x90);
  const bool beyond =
      (first == 0xed && byte(at + 1) > 0x9f) || (first == 0xf4 && byte(at + 1) > 0x8f);
  return overlong || beyond ? 0 : length;
}

std::string printable(char letter) {
  switch (letter) {
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    case '`': return "'";
    default: break;
  }
  const auto byte = static_cast<unsigned>(static_cast<unsigned char>(letter));
  if (byte >= 0x20 && byte < 0x7f) return std::string(1, letter);
  char out[5];
  std::snprintf(out, sizeof out, "\\x%02x", byte);
  return out;
}

}  // namespace

std::string code(std::string_view text) {
  std::string out = "`";
  std::size_t at = 0;
  while (at < text.size() && at < longest_quote) {
    const std::size_t length = utf8_length(text, at);
    out += length == 0 ? printable(text[at]) : std::string(text.substr(at, length));
    at += std::max<std::size_t>(length, 1);
  }
  return out + (at < text.size() ? "…`" : "`");
}

std::string message_of(const Problem& problem, std::string_view releases) {
  return "PyTorch " + std::string(releases) + " " + problem.predicate;
}

Problem& Explanation::add(Problem problem) {
  // A refused string has an error, however much else there is to say about it.
  const bool first_error = problem.severity == knowledge::ProblemSeverity::error && !has_error();
  if (full() && !first_error) return dropped_ = std::move(problem);
  return problems_.emplace_back(std::move(problem));
}

Problem& Explanation::refuse(std::string_view rule, text::Span span, std::string predicate) {
  Problem problem{rule, knowledge::ProblemSeverity::error, std::move(predicate), span, {}, false,
                  {}};
  return accepted() ? dropped_ = std::move(problem) : add(std::move(problem));
}

Problem& Explanation::warn(std::string_view rule, text::Span span, std::string predicate) {
  return add(
      {rule, knowledge::ProblemSeverity::warning, std::move(predicate), span, {}, false, {}});
}

Problem& Explanation::note(std::string_view rule, text::Span span, std::string predicate) {
  return add({rule, knowledge::ProblemSeverity::note, std::move(predicate), span, {}, false, {}});
}

std::string Explanation::value_raises() const {
  return "raises " + code(context_.grammar.value_error) + " at the first CUDA use";
}

std::string Explanation::number_raises() const {
  const bool small = context_.grammar.integer == knowledge::AllocatorInteger::stoi;
  return "stops with a bare `" + std::string(small ? "stoi" : "stoull") +
         "` error at the first CUDA use";
}

std::string Explanation::structure_stops() const {
  return verdict_.fails_at == FailsAt::import_torch
             ? "aborts inside `import torch`, where no `try` can catch it"
             : "stops with an error at the first CUDA use";
}

uint64_t Explanation::minimum_mb_of(const knowledge::AllocatorKeyRow& key) const {
  const knowledge::AllocatorBound* bound = bound_of(key, context_.torch);
  uint64_t size = 0;
  for (const auto& [name, size_mb] : sizes_) {
    if (bound != nullptr && name == bound->minimum_key) size = size_mb;
  }
  return size;
}

bool Explanation::full() const { return problems_.size() >= most_problems; }

bool Explanation::has_error() const {
  return std::ranges::any_of(problems_, [](const Problem& problem) {
    return problem.severity == knowledge::ProblemSeverity::error;
  });
}

std::vector<Problem> Explanation::take() {
  std::ranges::stable_sort(problems_, {}, [](const Problem& problem) { return problem.span; });
  const auto same = [](const Problem& left, const Problem& right) {
    return left.span == right.span && left.rule == right.rule;
  };
  problems_.erase(std::unique(problems_.begin(), problems_.end(), same), problems_.end());
  return std::move(problems_);
}

}  // namespace vramlint::settings
