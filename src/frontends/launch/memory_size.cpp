// SPDX-License-Identifier: MIT
#include "frontends/launch/memory_size.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "text/letter_case.h"

namespace vramlint::frontends {
namespace {

constexpr double default_size = 64 << 20;

/// What a unit stands for; 0 for none that we know. Docker takes `64m`, `64mb` and `64MiB` for the
/// same, and a number alone for bytes.
double factor_of(std::string unit, SizeUnits units) {
  if (unit.empty()) return 1;
  const bool is_binary = units == SizeUnits::docker || unit.ends_with('i');
  if (units == SizeUnits::docker) {
    unit = text::upper(unit);
    if (unit == "B") return 1;
    if (unit.ends_with("IB")) unit.resize(1);
    if (unit.ends_with('B')) unit.resize(unit.size() - 1);
  } else {
    if (unit == "k") unit = "K";
    if (unit.ends_with('i')) unit.resize(unit.size() - 1);
  }
  constexpr std::string_view letters = "KMGT";
  const size_t power = unit.size() == 1 ? letters.find(unit[0]) : std::string_view::npos;
  if (power == std::string_view::npos) return 0;
  return std::pow(is_binary ? 1024.0 : 1000.0, static_cast<double>(power + 1));
}

}  // namespace

bool is_small_shared_memory(std::string_view size, SizeUnits units) {
  const size_t end = std::min(size.find_first_not_of("0123456789."), size.size());
  if (end == 0) return false;
  std::string unit(size.substr(end));
  unit.erase(0, unit.find_first_not_of(' '));
  const double number = std::strtod(std::string(size.substr(0, end)).c_str(), nullptr);
  const double factor = factor_of(std::move(unit), units);
  // For docker 0 is no size at all, and for a volume in memory no limit.
  if (number == 0) return units == SizeUnits::docker && factor > 0;
  return factor > 0 && number * factor <= default_size;
}

}  // namespace vramlint::frontends
