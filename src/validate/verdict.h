// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/criterion_rows.h"
#include "validate/run.h"

namespace vramlint::validate {

/// What the runs say of a promise.
enum class Verdict : uint8_t { confirmed, refuted, inconclusive };

/// As reports write it: `confirmed` …
std::string_view name_of(Verdict verdict);

/// The numbers of one variant: the middle one, and how far they lie apart.
struct Figures {
  double median = 0;
  double least = 0;
  double most = 0;
  std::size_t count = 0;

  /// The distance of the outermost as a share of the median.
  double spread() const;
};

/// Nothing for no values.
std::optional<Figures> figures_of(std::vector<double> values);

/// A promise, and what became of it.
struct Judgement {
  const knowledge::CriterionRow* criterion = nullptr;
  Verdict verdict = Verdict::inconclusive;
  std::optional<Figures> before;
  std::optional<Figures> after;
  std::string reason;  ///< one line
};

/// The number that a criterion looks at, or 1 and 0 for yes and no; nothing where a run does not
/// tell. `variables` are those that a rule is about (`*` at the end stands for any rest); all of
/// them when there are none.
std::optional<double> measured(knowledge::Measure measure, const Run& run,
                               std::span<const std::string_view> variables);

/// Judges one promise by the runs without and with the fix. Two of each are needed.
Judgement judge(const knowledge::CriterionRow& criterion, const std::vector<const Run*>& before,
                const std::vector<const Run*>& after, std::span<const std::string_view> variables);

/// Refuted when one promise is, confirmed when all are.
Verdict overall(std::span<const Judgement> judgements);

}  // namespace vramlint::validate
