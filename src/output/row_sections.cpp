// SPDX-License-Identifier: MIT
#include "output/row_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "knowledge/names.h"

namespace vramlint::output {

namespace {

using knowledge::AllocatorBound;
using knowledge::AllocatorKeyRow;
using knowledge::AllocatorPlatformLimit;
using knowledge::AllocatorValue;
using knowledge::CallRow;
using knowledge::LateWrite;
using knowledge::MethodRow;
using knowledge::PackageRow;
using knowledge::VariableRow;
using knowledge::VersionRange;

std::string range_text(VersionRange range) {
  const bool from_start = range.since == knowledge::first_version;
  const bool to_end = range.until == knowledge::last_version;
  if (from_start && to_end) return "every release";
  if (to_end) return "since torch " + to_string(range.since);
  if (from_start) return "up to torch " + to_string(range.until);
  if (range.since == range.until) return "torch " + to_string(range.since) + " only";
  return "torch " + to_string(range.since) + " to " + to_string(range.until);
}

std::string words_text(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    text += (text.empty() ? "" : ", ") + std::string(word.empty() ? "\"\"" : word);
  }
  return text;
}

std::string_view late_text(LateWrite late) {
  switch (late) {
    case LateWrite::lost: return "a later write is silently without effect";
    case LateWrite::fails: return "a later write stops the program with an error";
    case LateWrite::harmless: return "read at each use: no write is too late";
  }
  return "";
}

std::string_view value_text(AllocatorValue value) {
  switch (value) {
    case AllocatorValue::size_mb: return "a whole number of MiB";
    case AllocatorValue::count: return "a whole number";
    case AllocatorValue::fraction: return "a decimal number";
    case AllocatorValue::boolean: return "True or False";
    case AllocatorValue::backend: return "a backend's name";
    case AllocatorValue::rounding: return "a whole number, or a list `[size:count,…,>:count]`";
    case AllocatorValue::reserve: return "a fraction, or a size as in `40G`";
    case AllocatorValue::reserve_list: return "a list `[class:reserve,…]`";
  }
  return "";
}

std::string bound_text(const AllocatorBound& bound) {
  std::string text;
  const auto add = [&](std::string part) { text += (text.empty() ? "" : ", ") + std::move(part); };
  if (!bound.minimum_key.empty()) {
    add(fmt::format("at least what `{}` is, or {}", bound.minimum_key, bound.minimum));
  } else if (std::isfinite(bound.minimum)) {
    add(fmt::format("{} {}", bound.above_minimum ? "more than" : "at least", bound.minimum));
  }
  if (std::isfinite(bound.maximum)) {
    add(fmt::format("{} {}", bound.below_maximum ? "less than" : "at most", bound.maximum));
  }
  if (bound.power_of_two) add("a power of two");
  return text.empty() ? "any" : text;
}

/// Builds one section.
class Section {
 public:
  Section(std::string_view name, RowKind kind) {
    made_.name = name;
    made_.kind = kind;
  }

  void add_summary(std::string_view summary) { made_.summary = summary; }

  void add(std::string_view label, std::string_view text) {
    if (!text.empty()) made_.lines.emplace_back(label, text);
  }

  void add_releases(VersionRange range, std::optional<knowledge::Version> torch) {
    std::string text = range_text(range);
    if (torch) {
      text += fmt::format("; torch {} {}", to_string(*torch),
                          range.contains(*torch) ? "is among them" : "is not among them");
    }
    add("releases", text);
  }

  void add_sources(std::string_view source, std::string_view evidence) {
    add("source", source);
    if (!evidence.empty()) add("evidence", fmt::format("rules/evidence/{}.py", evidence));
  }

  RowSection take() && { return std::move(made_); }

 private:
  RowSection made_;
};

class Rows {
 public:
  Rows(const knowledge::Knowledge& knowledge, std::optional<knowledge::Version> torch)
      : knowledge_(knowledge), torch_(torch) {}

  void add(const VariableRow& row) {
    Section section(row.name, RowKind::variable);
    section.add_summary(row.summary);
    section.add_releases(row.torch, torch_);
    section.add("read", moment_text(row.read_at));
    section.add("late", late_text(row.late));
    if (row.allocator_string)
      section.add("value", "an allocator string; `vramlint conf` reads one");
    section.add("values", words_text(row.values));
    section.add("number", number_text(row));
    if (!row.replaced_by.empty()) {
      section.add("renamed", fmt::format("`{}` since torch {}", row.replaced_by,
                                         to_string(row.replaced_since)));
    }
    for (const knowledge::VariableValueRow& value : knowledge_.variable_values()) {
      if (value.variable != row.name) continue;
      section.add("note", fmt::format("{} ({}): {}", words_text(value.values),
                                      range_text(value.torch), value.message));
    }
    section.add_sources(row.source, row.evidence);
    sections_.push_back(std::move(section).take());
  }

  /// Which releases have a name of one of PyTorch's modules, and how its call goes wrong.
  void add_name(std::string_view dotted) {
    const size_t dot = dotted.rfind('.');
    if (dot == std::string_view::npos) return;
    const knowledge::NameStatus status =
        knowledge::name_status(dotted.substr(0, dot), dotted.substr(dot + 1), {});
    const knowledge::ReplacedNameRow* replaced = knowledge::replaced_name(dotted);
    const bool is_known = status.presence != knowledge::NamePresence::open || replaced != nullptr;
    if (!is_known) return;
    const bool is_never = status.presence == knowledge::NamePresence::never ||
                          (replaced != nullptr && replaced->never);
    Section section(dotted, RowKind::name);
    if (is_never) {
      section.add("releases", "none: no release of PyTorch has it");
    } else if (status.presence != knowledge::NamePresence::open) {
      section.add_releases(status.torch, torch_);
    }
    if (replaced != nullptr) {
      section.add("instead", replaced->by);
      section.add("note", replaced->summary);
      section.add_sources(replaced->source, replaced->evidence);
    }
    for (const knowledge::ArgumentFaultRow& row : knowledge_.argument_faults()) {
      if (std::ranges::find(row.calls, dotted) != row.calls.end())
        section.add("argument", fmt::format("{}: {}", row.argument, row.message));
    }
    for (const knowledge::SettingConflictRow& row : knowledge_.setting_conflicts()) {
      if (std::ranges::find(row.calls, dotted) == row.calls.end()) continue;
      const std::string_view setting = row.variable.empty() ? row.key : row.variable;
      section.add("conflict", fmt::format("{}={}: {}", setting, row.value, row.message));
    }
    sections_.push_back(std::move(section).take());
  }

  void add(const AllocatorKeyRow& row) {
    Section section(row.name, RowKind::key);
    section.add_summary(row.summary);
    section.add_releases(row.torch, torch_);
    section.add("read", moment_text(row.read_at));
    section.add("value", value_text(row.type));
    section.add("words", words_text(row.words));
    section.add("default", row.fallback);
    for (const AllocatorBound& bound : row.bounds) {
      section.add("range", range_text(bound.torch) + ": " + bound_text(bound));
    }
    section.add("aliases", words_text(row.aliases));
    if (row.native_only) section.add("backend", "only `native` looks at it");
    for (const AllocatorPlatformLimit& limit : row.platforms) {
      section.add("platform", fmt::format("{}, {}: torch {}", name_of(limit.platform),
                                          range_text(limit.torch), limit.message));
    }
    section.add_sources(row.source, row.evidence);
    sections_.push_back(std::move(section).take());
  }

  void add(const CallRow& row, std::string_view name) {
    Section section(name, RowKind::call);
    section.add_summary(row.summary);
    section.add_releases(row.torch, torch_);
    if (!row.when_argument.empty()) {
      section.add("when", fmt::format("{} is {}", row.when_argument, row.when_value));
    }
    section.add("starts", moments_text(row.brings));
    section.add_sources(row.source, row.evidence);
    sections_.push_back(std::move(section).take());
  }

  void add(const MethodRow& row, std::string_view name) {
    Section section(name, RowKind::method);
    section.add_summary(row.summary);
    section.add("starts", moments_text(row.brings));
    section.add_sources(row.source, row.evidence);
    sections_.push_back(std::move(section).take());
  }

  void add(const PackageRow& row, std::string_view name) {
    Section section(name, RowKind::package);
    section.add_summary(row.summary);
    section.add_releases(row.torch, torch_);
    section.add("starts", moments_text(row.brings));
    section.add("perhaps", moments_text(row.may_bring));
    section.add_sources(row.source, row.evidence);
    sections_.push_back(std::move(section).take());
  }

  std::vector<RowSection> take() && { return std::move(sections_); }

 private:
  static std::string number_text(const VariableRow& row) {
    constexpr int64_t lowest = std::numeric_limits<int64_t>::min();
    constexpr int64_t highest = std::numeric_limits<int64_t>::max();
    std::string text;
    if (row.number_min != lowest) text = fmt::format("at least {}", row.number_min);
    if (row.number_max == highest) return text;
    return text + fmt::format("{}at most {}", text.empty() ? "" : ", ", row.number_max);
  }

  std::string moment_text(knowledge::Moment moment) const {
    return fmt::format("when {}", knowledge_.moment(moment).phrase);
  }

  std::string moments_text(std::span<const knowledge::Moment> moments) const {
    std::string text;
    for (const knowledge::Moment moment : moments) {
      text += (text.empty() ? "" : ", ") + std::string(knowledge_.moment(moment).phrase);
    }
    return text;
  }

  const knowledge::Knowledge& knowledge_;
  std::optional<knowledge::Version> torch_;
  std::vector<RowSection> sections_;
};

bool holds(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

std::string_view name_of(RowKind kind) {
  switch (kind) {
    case RowKind::variable: return "environment variable";
    case RowKind::name: return "name";
    case RowKind::key: return "key of the allocator string";
    case RowKind::call: return "call";
    case RowKind::method: return "method of tensors and modules";
    case RowKind::package: return "package";
  }
  return "";
}

std::vector<RowSection> sections_about(std::string_view name, const knowledge::Knowledge& knowledge,
                                       std::optional<knowledge::Version> torch) {
  Rows rows(knowledge, torch);
  if (const VariableRow* row = knowledge.variable(name)) rows.add(*row);
  for (const AllocatorKeyRow& row : knowledge.allocator_keys()) {
    if (row.name == name || holds(row.aliases, name)) rows.add(row);
  }
  rows.add_name(name);
  const std::vector<const CallRow*> calls = knowledge.calls_named(name);
  for (const CallRow* row : calls) rows.add(*row, name);
  for (const MethodRow& row : knowledge.methods()) {
    if (holds(row.names, name)) rows.add(row, name);
  }
  for (const PackageRow& row : knowledge.packages()) {
    if (holds(row.names, name)) rows.add(row, name);
  }
  return std::move(rows).take();
}

}  // namespace vramlint::output
