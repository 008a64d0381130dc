// SPDX-License-Identifier: MIT
#pragma once

#include "settings/tokens.h"
#include "settings/verdict.h"

namespace vramlint::settings {

/// The parser of 2.0 and later: walks the tokens key by key. One object reads one string once.
class TokenReader {
 public:
  TokenReader(const Tokens& tokens, std::span<const knowledge::AllocatorKeyRow> keys,
              const ReadingContext& context, std::string_view loaded_backend);

  /// Stops at the first thing that PyTorch refuses.
  bool run();

  const Failure& failure() const { return failure_; }
  std::vector<Setting> take_settings();

 private:
  enum class Pass : uint8_t { all, neutral, device };

  bool read_early_keys();
  bool run_pass(Pass pass);
  bool read_pair(Pass pass, std::size_t& at);
  bool read_setting(const knowledge::AllocatorKeyRow& key, std::size_t& at);
  bool read_plain(const knowledge::AllocatorKeyRow& key, std::size_t& at);
  bool read_rounding(const knowledge::AllocatorKeyRow& key, std::size_t& at);
  bool read_rounding_entry(const knowledge::AllocatorKeyRow& key, std::size_t& at);
  bool read_reserve_list(const knowledge::AllocatorKeyRow& key, std::size_t& at);
  bool skip_pair(std::size_t& at);
  bool agrees_with_loaded(std::string_view backend) const;

  bool consume(std::size_t& at, std::string_view mark, FailureKind otherwise);
  bool fail(FailureKind kind, std::size_t at, const knowledge::AllocatorKeyRow* key = nullptr,
            ValueTrouble trouble = ValueTrouble::none);
  void set(const knowledge::AllocatorKeyRow& key, SettingValue value, std::size_t at);
  uint64_t minimum_mb(const knowledge::AllocatorKeyRow& key) const;

  /// The list that is being read.
  struct RoundingState {
    RoundingDivisions divisions;
    std::size_t last = 0;
    bool first = true;
  };

  const Tokens& tokens_;
  std::span<const knowledge::AllocatorKeyRow> keys_;
  const ReadingContext& context_;
  std::string_view loaded_backend_;
  RoundingState rounding_;
  std::vector<Setting> settings_;
  std::vector<std::pair<const knowledge::AllocatorKeyRow*, uint64_t>> early_sizes_;
  Failure failure_;
};

}  // namespace vramlint::settings
