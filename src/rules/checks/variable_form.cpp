// SPDX-License-Identifier: MIT
//
// A value that its reader does not know, as `rules/knowledge/variables.toml` has the legal ones.
#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "rules/check.h"
#include "rules/source_edits.h"

namespace vramlint::rules {
namespace {

using knowledge::ValueForm;
using knowledge::VariableRow;
using replay::KnownValue;
using replay::Observation;
using replay::ObservationKind;

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// `:4096:8`, `:4096:2:16:8`.
bool is_workspace(std::string_view text) {
  size_t numbers = 0;
  while (text.starts_with(':')) {
    text.remove_prefix(1);
    const size_t end = std::min(text.find(':'), text.size());
    if (!is_digits(text.substr(0, end))) return false;
    text.remove_prefix(end);
    ++numbers;
  }
  return text.empty() && numbers > 0 && numbers % 2 == 0;
}

/// What is wrong with a decimal number; empty when nothing is.
std::string fraction_fault(const VariableRow& row, std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return "a decimal number is expected";
  if (value < static_cast<double>(row.number_min))
    return "the least is " + std::to_string(row.number_min);
  if (value > static_cast<double>(row.number_max))
    return "the most is " + std::to_string(row.number_max);
  return {};
}

/// `4`, or `4,2` for each of the nested levels.
bool is_thread_counts(std::string_view text) {
  while (true) {
    const size_t end = std::min(text.find(','), text.size());
    std::string_view entry = text.substr(0, end);
    entry.remove_prefix(std::min(entry.find_first_not_of(' '), entry.size()));
    entry = entry.substr(0, entry.find_last_not_of(' ') + 1);
    if (!is_digits(entry) || entry.find_first_not_of('0') == std::string_view::npos) return false;
    if (end == text.size()) return true;
    text.remove_prefix(end + 1);
  }
}

/// What is wrong with a whole number; empty when nothing is.
std::string number_fault(const VariableRow& row, std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return "a whole number is expected";
  if (value < row.number_min) return "the least is " + std::to_string(row.number_min);
  if (value > row.number_max) return "the most is " + std::to_string(row.number_max);
  if (value % row.multiple_of != 0)
    return "a multiple of " + std::to_string(row.multiple_of) + " is expected";
  return {};
}

std::string listed(std::span<const std::string_view> values) {
  std::string text;
  for (const std::string_view value : values) {
    if (value.empty()) continue;
    text += (text.empty() ? "`" : ", `") + std::string(value) + "`";
  }
  return "it knows " + text;
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

/// CUDA takes the devices up to the first entry that is none. `-1` alone, or in front, is how
/// people ask for no device at all.
std::string device_fault(std::string_view text) {
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    const std::string_view entry = trimmed(text.substr(at, end - at));
    const bool is_first = at == 0;
    const bool is_name = entry.starts_with("GPU-") || entry.starts_with("MIG-");
    if (!is_first && entry.starts_with('-') && end < text.size())
      return "the list ends at `" + std::string(entry) + "`, and what follows is not seen";
    const bool is_joined = !is_name && !entry.empty() && is_digits(entry.substr(0, 1)) &&
                           entry.find_first_of("; :|-") != std::string_view::npos;
    if (is_joined) return "devices stand between commas";
    at = end + 1;
  }
  return {};
}

/// A word that plainly asks for devices. Others may well be there to hide all of them, which is
/// what any word does: `none`, `cpu`.
bool asks_for_devices(std::string_view entry) {
  constexpr std::array<std::string_view, 4> words = {"cuda", "gpu", "all", "auto"};
  std::string front(entry.substr(0, entry.find_first_of(":0123456789")));
  std::ranges::transform(front, front.begin(), [](unsigned char byte) {
    return static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte);
  });
  return std::ranges::find(words, front) != words.end();
}

/// CUDA sees nothing behind an entry that it can't read, and nothing at all where one comes twice.
std::string cuda_device_fault(std::string_view text) {
  std::string fault = device_fault(text);
  std::vector<std::string_view> seen;
  for (size_t at = 0; at <= text.size() && fault.empty();) {
    const size_t end = std::min(text.find(',', at), text.size());
    const std::string_view entry = trimmed(text.substr(at, end - at));
    if (asks_for_devices(entry)) {
      fault = seen.empty() ? "no device has such a name, and the program sees none"
                           : "the list ends in front of `" + std::string(entry) + "`";
    } else if (is_digits(entry) && std::ranges::find(seen, entry) != seen.end()) {
      fault = "a device that is named twice leaves none";
    }
    seen.push_back(entry);
    at = end + 1;
  }
  return fault;
}

/// `0=4G,1=512M`.
bool is_device_limits(std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    const std::string_view entry = trimmed(text.substr(0, end));
    const size_t equals = entry.find('=');
    if (equals == std::string_view::npos || !is_digits(entry.substr(0, equals))) return false;
    const std::string_view size = entry.substr(equals + 1);
    const size_t unit = size.find_first_not_of("0123456789");
    constexpr std::string_view units = " K M G T KB MB GB TB ";
    if (unit == 0 || unit == std::string_view::npos) return false;
    std::string word(size.substr(unit));
    std::ranges::transform(word, word.begin(), [](unsigned char byte) {
      return static_cast<char>(byte >= 'a' && byte <= 'z' ? byte - 32 : byte);
    });
    if (units.find(" " + word + " ") == std::string_view::npos) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

std::string fault_of(const VariableRow& row, std::string_view text) {
  if (std::ranges::find(row.values, text) != row.values.end()) return {};
  switch (row.pattern) {
    case ValueForm::boolean_words: {
      constexpr std::string_view words = " y yes 1 t true n no 0 f false ";
      std::string lower(text);
      std::ranges::transform(lower, lower.begin(), [](unsigned char byte) {
        return static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte);
      });
      const bool is_word = words.find(" " + lower + " ") != std::string_view::npos;
      return is_word ? std::string() : "it knows `1`, `true`, `yes`, `0`, `false`, `no`";
    }
    case ValueForm::cublas_workspace:
      return is_workspace(text) ? std::string() : "it has the form `:4096:8`, colon first";
    case ValueForm::integer:
      if (row.values.empty()) return number_fault(row, text);
      break;
    case ValueForm::fraction: return fraction_fault(row, text);
    case ValueForm::thread_counts:
      return is_thread_counts(text) ? std::string() : "a number from 1 on is expected";
    case ValueForm::device_list: return device_fault(text);
    case ValueForm::cuda_device_list: return cuda_device_fault(text);
    case ValueForm::device_limits:
      return is_device_limits(text) ? std::string() : "it has the form `0=4G,1=512M`";
    case ValueForm::any:
    case ValueForm::boolean01: break;
  }
  return row.values.empty() ? std::string() : listed(row.values);
}

std::string lowered(std::string_view text) {
  std::string made(text);
  std::ranges::transform(made, made.begin(), [](unsigned char byte) {
    return static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte);
  });
  return made;
}

/// What the value was plainly meant to be: a legal one in other case or with blanks around it, a
/// workspace without its first colon. Empty when that is not plain.
std::string value_meant_by(const VariableRow& row, std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  const std::string_view bare = text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
  if (bare != text && fault_of(row, bare).empty()) return std::string(bare);
  for (const std::string_view value : row.values) {
    if (lowered(value) == lowered(bare)) return std::string(value);
  }
  const std::string with_colon = ":" + std::string(bare);
  const bool lacks_colon = row.pattern == ValueForm::cublas_workspace && is_workspace(with_colon);
  return lacks_colon ? with_colon : std::string();
}

/// Whether the reader stops the program: it reads a number as far as there is one.
bool is_refused(const VariableRow& row, std::string_view text) {
  if (row.refusal.empty()) return false;
  if (row.pattern != ValueForm::integer) return true;
  const size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  return !is_digits(text.substr(std::min(sign, text.size()), 1));
}

/// An error needs releases that all read the variable, and a write that is made for certain.
diagnostics::Severity severity_for(const CheckContext& context, const Observation& seen,
                                   const VariableRow& row) {
  const bool is_certain = is_refused(row, seen.value.text) && !seen.conditional &&
                          seen.kind == ObservationKind::variable_write && !context.is_lost(seen) &&
                          context.releases_in(row.torch).all;
  return is_certain ? context.severity_of(seen, replay::Certainty::yes)
                    : std::min(context.severity(), diagnostics::Severity::warning);
}

}  // namespace

void check_variable_form(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    const bool write = seen.kind == ObservationKind::variable_write ||
                       seen.kind == ObservationKind::child_variable_write;
    const bool is_text = seen.value.kind == KnownValue::Kind::text && !seen.value.text.empty();
    if (!write || !is_text || seen.in_test) continue;
    const VariableRow* row = context.knowledge.variable(seen.name);
    if (row == nullptr || row->name != seen.name || row->allocator_string) continue;
    // What a value is taken for by mistake has a rule with better words.
    const bool has_own_words = std::ranges::any_of(
        context.knowledge.variable_values(), [&](const knowledge::VariableValueRow& value) {
          return value.variable == seen.name &&
                 std::ranges::find(value.values, seen.value.text) != value.values.end();
        });
    std::string fault = has_own_words ? std::string() : fault_of(*row, seen.value.text);
    if (fault.empty()) continue;
    if (is_refused(*row, seen.value.text)) fault += "; " + std::string(row->refusal);
    RawFinding finding =
        context.finding_at(context.event(seen.event).place, severity_for(context, seen, *row),
                           {{"variable", std::string(seen.name)},
                            {"value", std::string(seen.value.text)},
                            {"fault", fault}});
    context.explain_calls(finding, seen.event);
    const std::string meant = value_meant_by(*row, seen.value.text);
    if (!meant.empty()) finding.fix = with_value(context, seen, meant, Applicability::safe);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
