// SPDX-License-Identifier: MIT
//
// PyTorch's parsers of 2.0 and later, step for step, with the rows deciding where they differ:
// which separators are looked at, how many passes there are, what a list may hold. Kept close to
// the original on purpose, down to which token is skipped unseen: the verdict on an odd string is
// in those details. Stops at the first refusal and explains nothing.
#include "settings/token_reader.h"

#include <algorithm>
#include <bit>

namespace vramlint::settings {

using knowledge::AllocatorKeyRow;
using knowledge::AllocatorValue;

TokenReader::TokenReader(const Tokens& tokens, std::span<const AllocatorKeyRow> keys,
                         const ReadingContext& context, std::string_view loaded_backend)
    : tokens_(tokens), keys_(keys), context_(context), loaded_backend_(loaded_backend) {}

bool TokenReader::run() {
  if (!context_.grammar.two_passes) return run_pass(Pass::all);
  return read_early_keys() && run_pass(Pass::neutral) && run_pass(Pass::device);
}

std::vector<Setting> TokenReader::take_settings() {
  std::ranges::stable_sort(settings_, {}, [](const Setting& one) { return one.span.begin; });
  return std::move(settings_);
}

/// Looks at every token for such a key, those inside lists included.
bool TokenReader::read_early_keys() {
  for (std::size_t at = 0; at < tokens_.size(); ++at) {
    const AllocatorKeyRow* key = find_key(keys_, tokens_[at].text, context_.torch);
    if (key == nullptr || !key->read_first) continue;
    if (!read_plain(*key, at)) return false;
  }
  return true;
}

bool TokenReader::run_pass(Pass pass) {
  for (std::size_t at = 0; at < tokens_.size(); ++at) {
    if (!read_pair(pass, at)) return false;
    const bool more = at + 1 < tokens_.size();
    if (more && !consume(at, ",", FailureKind::no_comma)) return false;
  }
  return true;
}

bool TokenReader::read_pair(Pass pass, std::size_t& at) {
  const AllocatorKeyRow* key = find_key(keys_, tokens_[at].text, context_.torch);
  if (key == nullptr) return fail(FailureKind::unknown_key, at);
  const bool neutral = key->parser == knowledge::AllocatorParser::neutral;
  const bool mine = pass == Pass::all || neutral == (pass == Pass::neutral);
  return mine && !key->read_first ? read_setting(*key, at) : skip_pair(at);
}

bool TokenReader::read_setting(const AllocatorKeyRow& key, std::size_t& at) {
  switch (key.type) {
    case AllocatorValue::rounding: return read_rounding(key, at);
    case AllocatorValue::reserve_list: return read_reserve_list(key, at);
    case AllocatorValue::size_mb:
    case AllocatorValue::count:
    case AllocatorValue::fraction:
    case AllocatorValue::boolean:
    case AllocatorValue::backend:
    case AllocatorValue::reserve: break;
  }
  return read_plain(key, at);
}

bool TokenReader::read_plain(const AllocatorKeyRow& key, std::size_t& at) {
  const std::size_t name = at;
  if (!consume(at, ":", FailureKind::no_colon)) return false;
  if (++at >= tokens_.size()) return fail(FailureKind::no_value, name, &key);
  const std::string_view text = tokens_[at].text;
  ValueReading reading = read_value(key, text, context_, minimum_mb(key));
  if (reading.trouble == ValueTrouble::ignored) return true;
  if (reading.trouble != ValueTrouble::none) {
    return fail(FailureKind::bad_value, at, &key, reading.trouble);
  }
  if (key.type == AllocatorValue::backend && !agrees_with_loaded(text)) {
    return fail(FailureKind::backend_differs, at, &key);
  }
  if (key.read_first) early_sizes_.emplace_back(&key, kept_size_mb(reading.raw));
  set(key, std::move(reading.value), name);
  return true;
}

/// ROCm builds take CUDA's name for their own asynchronous backend.
bool TokenReader::agrees_with_loaded(std::string_view backend) const {
  const auto plain = [](std::string_view word) { return word == "native"; };
  if (context_.platform != knowledge::Platform::rocm) return backend == loaded_backend_;
  return plain(backend) == plain(loaded_backend_);
}

bool TokenReader::read_rounding(const AllocatorKeyRow& key, std::size_t& at) {
  const std::size_t name = at;
  if (!consume(at, ":", FailureKind::no_colon)) return false;
  if (++at >= tokens_.size()) return fail(FailureKind::no_value, name, &key);
  if (!context_.grammar.lists || tokens_[at].text != "[") {
    ValueReading reading = read_value(key, tokens_[at].text, context_);
    if (reading.trouble != ValueTrouble::none) {
      return fail(FailureKind::bad_value, at, &key, reading.trouble);
    }
    set(key, std::move(reading.value), name);
    return true;
  }
  const std::size_t open = at;
  rounding_ = {};
  while (++at < tokens_.size() && tokens_[at].text != "]") {
    if (!read_rounding_entry(key, at)) return false;
    if (at + 1 >= tokens_.size()) {
      fail(FailureKind::open_list, open, &key);
      failure_.undefined = !context_.grammar.open_list_checked;
      return false;
    }
    const bool last = tokens_[at + 1].text == "]";
    if (!last && !consume(at, ",", FailureKind::no_comma)) return false;
  }
  const bool open_ended = at >= tokens_.size() && context_.grammar.open_list_checked;
  if (open_ended) return fail(FailureKind::open_list, open, &key);
  set(key, rounding_.divisions, name);
  return true;
}

/// `SIZE:COUNT` or `>:COUNT`. The count is judged first.
bool TokenReader::read_rounding_entry(const AllocatorKeyRow& key, std::size_t& at) {
  const std::size_t size_at = at;
  if (!consume(at, ":", FailureKind::no_colon)) return false;
  if (++at >= tokens_.size()) return fail(FailureKind::no_value, size_at, &key);
  const IntegerReading count = read_integer(tokens_[at].text, context_.grammar.integer);
  if (count.trouble != NumberTrouble::none) {
    return fail(FailureKind::bad_value, at, &key, ValueTrouble::no_number);
  }
  const bool off = count.value == 0 && context_.grammar.list_zero;
  if (!off && !is_power_of_two(count.value)) {
    return fail(FailureKind::bad_value, at, &key, ValueTrouble::not_power_of_two);
  }
  auto& divisions = rounding_.divisions.divisions;
  if (tokens_[size_at].text == ">") {
    const std::size_t begin = rounding_.last + (context_.grammar.rest_overwrites ? 0 : 1);
    std::fill(divisions.begin() + static_cast<std::ptrdiff_t>(begin), divisions.end(), count.value);
    return true;
  }
  const IntegerReading size =
      read_integer(tokens_[size_at].text, knowledge::AllocatorInteger::stoull);
  if (size.trouble != NumberTrouble::none) {
    return fail(FailureKind::bad_value, size_at, &key, ValueTrouble::no_number);
  }
  if (!is_power_of_two(size.value)) {
    return fail(FailureKind::bad_value, size_at, &key, ValueTrouble::not_power_of_two);
  }
  const auto log_size = static_cast<std::size_t>(std::bit_width(size.value)) - 1;
  const std::size_t index = std::min(log_size, divisions.size() - 1);
  if (rounding_.first) std::fill_n(divisions.begin(), index, count.value);
  rounding_.first = false;
  divisions[index] = count.value;
  rounding_.last = index;
  return true;
}

/// `[NAME:RESERVE,…]`; no mark in it is looked at but the closing one.
bool TokenReader::read_reserve_list(const AllocatorKeyRow& key, std::size_t& at) {
  const std::size_t name = at;
  ReserveClasses classes;
  at += 2;
  while (at < tokens_.size() && !tokens_.is(at + 1, "]")) {
    if (at + 3 >= tokens_.size()) return fail(FailureKind::open_list, name, &key);
    const std::string_view label = tokens_[at + 1].text;
    const std::string_view reserve = tokens_[at + 3].text;
    at += 3;
    if (read_reserve(reserve)) {
      const auto same = [&](const auto& one) { return one.first == label; };
      std::erase_if(classes, same);
      classes.emplace_back(label, reserve);
    }
    if (tokens_.is(at + 1, ",")) ++at;
  }
  if (at >= tokens_.size()) return fail(FailureKind::no_value, name, &key);
  ++at;
  set(key, std::move(classes), name);
  return true;
}

bool TokenReader::skip_pair(std::size_t& at) {
  const std::size_t name = at;
  at += 2;
  if (at >= tokens_.size()) return fail(FailureKind::no_value, name);
  if (tokens_[at].text != "[") return true;
  while (++at < tokens_.size() && tokens_[at].text != "]") {
  }
  return at < tokens_.size() || fail(FailureKind::open_list, name);
}

bool TokenReader::consume(std::size_t& at, std::string_view mark, FailureKind otherwise) {
  ++at;
  const bool there = at < tokens_.size();
  if (there && (!context_.grammar.separators_checked || tokens_[at].text == mark)) return true;
  return fail(there ? otherwise : FailureKind::no_value, there ? at : at - 1);
}

bool TokenReader::fail(FailureKind kind, std::size_t at, const AllocatorKeyRow* key,
                       ValueTrouble trouble) {
  failure_ = {kind, tokens_[at].span, key, trouble, false};
  return false;
}

void TokenReader::set(const AllocatorKeyRow& key, SettingValue value, std::size_t at) {
  const text::Span span = tokens_[at].span;
  for (Setting& setting : settings_) {
    if (setting.key != &key) continue;
    setting = {&key, std::move(value), span};
    return;
  }
  settings_.push_back({&key, std::move(value), span});
}

uint64_t TokenReader::minimum_mb(const AllocatorKeyRow& key) const {
  const knowledge::AllocatorBound* bound = bound_of(key, context_.torch);
  if (bound == nullptr || bound->minimum_key.empty()) return 0;
  uint64_t size = 0;
  for (const auto& [early, size_mb] : early_sizes_) {
    if (early->name == bound->minimum_key) size = size_mb;
  }
  return size;
}

}  // namespace vramlint::settings
