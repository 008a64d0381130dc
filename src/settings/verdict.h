// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "knowledge/allocator_rows.h"
#include "settings/values.h"
#include "text/span.h"

namespace vramlint::settings {

/// When a refused string stops the process.
enum class FailsAt : uint8_t {
  import_torch,  ///< aborts inside `import torch`; no exception to catch
  init,          ///< raises at the first CUDA use
};

enum class FailureKind : uint8_t {
  none,
  unknown_key,
  no_colon,  ///< another token, or the end, where `:` has to stand
  no_value,
  no_comma,
  open_list,
  bad_value,
  backend_differs,  ///< from the one that was read while `import torch` ran
};

/// Where PyTorch's parser stops, as far as it says.
struct Failure {
  FailureKind kind = FailureKind::none;
  text::Span span;  ///< the token concerned; empty at the end
  const knowledge::AllocatorKeyRow* key = nullptr;
  ValueTrouble trouble = ValueTrouble::none;
  bool undefined = false;  ///< the release reads past the end here
};

/// One key that the string sets, with the value in force at the end.
struct Setting {
  const knowledge::AllocatorKeyRow* key = nullptr;
  SettingValue value;
  text::Span span;  ///< the key's last occurrence
};

/// What PyTorch does with a string. Nothing here is meant for people; `problems.h` explains it.
struct Verdict {
  bool accepted = true;
  std::optional<FailsAt> fails_at;
  Failure failure;
  std::vector<Setting> settings;  ///< in the order of the string; empty when refused

  const Setting* setting(std::string_view name) const;
};

/// Runs the release's own steps: load-time scan, passes, bounds.
Verdict read_as_pytorch(std::string_view string, const knowledge::AllocatorTables& tables,
                        const ReadingContext& context);

/// The key of that name, or alias, in the release; null when it knows none.
const knowledge::AllocatorKeyRow* find_key(std::span<const knowledge::AllocatorKeyRow> keys,
                                           std::string_view name, knowledge::Version torch);

}  // namespace vramlint::settings
