// SPDX-License-Identifier: MIT
//
// From a version specifier, as PEP 440 defines them, to the release lines that it admits. A line is
// admitted when some patch release of it is: `!=2.5.0` leaves 2.5 in. Which patches were published
// plays no part.
#include "knowledge/target.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "knowledge/knowledge.h"

namespace vramlint::knowledge {
namespace {

constexpr std::array<std::string_view, 6> platform_names = {"linux", "windows", "macos",
                                                            "wsl",   "jetson",  "rocm"};

using Release = std::array<uint16_t, 3>;

/// One comparison of a specifier.
struct Clause {
  std::string_view operation;
  Release release{};
  std::size_t segments = 0;  ///< how many numbers were written
  bool any_rest = false;     ///< written with `.*`
};

bool is_release_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
         c == '*' || c == '+' || c == '-' || c == '_';
}

void skip_separators(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t,"), text.size()));
}

std::string_view take_operation(std::string_view& text) {
  for (const std::string_view each : {"===", "==", "~=", "!=", "<=", ">=", "<", ">"}) {
    if (!text.starts_with(each)) continue;
    text.remove_prefix(each.size());
    return each;
  }
  return {};
}

/// The numbers in front; what else a version may carry (`rc1`, `+cu130`) decides nothing here.
bool read_release(std::string_view text, Clause& clause) {
  if (text.starts_with('v')) text.remove_prefix(1);
  if (text.ends_with(".*")) {
    clause.any_rest = true;
    text.remove_suffix(2);
  }
  while (clause.segments < clause.release.size()) {
    uint16_t& number = clause.release[clause.segments];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return false;
    ++clause.segments;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.size() < 2 || text[0] != '.' || text[1] < '0' || text[1] > '9') break;
    text.remove_prefix(1);
  }
  return text.find('*') == std::string_view::npos && (text.empty() || !clause.any_rest);
}

bool fits_operation(const Clause& clause) {
  if (clause.operation == "~=") return clause.segments >= 2 && !clause.any_rest;
  return !clause.any_rest || clause.operation == "==" || clause.operation == "!=";
}

Error unreadable(std::string_view specifier) {
  return {"", 0, "`" + std::string(specifier) + "` is not a version or a range of versions",
          "write it as `2.11` or `>=2.4,<2.10`"};
}

/// Empty when some part is not a comparison.
std::vector<Clause> read_clauses(std::string_view text) {
  std::vector<Clause> clauses;
  for (skip_separators(text); !text.empty(); skip_separators(text)) {
    Clause clause;
    clause.operation = take_operation(text);
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    const auto* end = std::find_if_not(text.begin(), text.end(), is_release_character);
    const std::string_view release(text.begin(), static_cast<std::size_t>(end - text.begin()));
    text.remove_prefix(release.size());
    if (clause.operation.empty()) clause.operation = "==";
    if (!read_release(release, clause) || !fits_operation(clause)) return {};
    clauses.push_back(clause);
  }
  return clauses;
}

bool same_front(const Release& left, const Release& right, std::size_t segments) {
  return std::equal(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(segments),
                    right.begin());
}

bool admits(const Clause& clause, const Release& release) {
  const std::string_view operation = clause.operation;
  const std::size_t compared = clause.any_rest ? clause.segments : release.size();
  if (operation == "==" || operation == "===") return same_front(release, clause.release, compared);
  if (operation == "!=") return !same_front(release, clause.release, compared);
  if (operation == "<") return release < clause.release;
  if (operation == "<=") return release <= clause.release;
  if (operation == ">") return release > clause.release;
  if (operation == ">=") return release >= clause.release;
  return release >= clause.release && same_front(release, clause.release, clause.segments - 1);
}

/// Only patches that a clause names, and their neighbours, can differ from the others.
bool admits_line(const std::vector<Clause>& clauses, Version version) {
  std::vector<uint16_t> patches = {0};
  for (const Clause& clause : clauses) {
    const uint16_t patch = clause.release[2];
    if (patch > 0) patches.push_back(static_cast<uint16_t>(patch - 1));
    patches.push_back(patch);
    patches.push_back(static_cast<uint16_t>(patch + 1));
  }
  return std::any_of(patches.begin(), patches.end(), [&](uint16_t patch) {
    return std::all_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
      return admits(clause, {version.major, version.minor, patch});
    });
  });
}

/// The known lines that a specifier admits, or the one that a single version names, known or not.
/// Nothing for text that is no specifier.
std::optional<std::vector<Version>> lines_named(std::string_view specifier,
                                                const std::vector<Version>& known) {
  const std::vector<Clause> clauses = read_clauses(specifier);
  if (clauses.empty()) return std::nullopt;
  const Clause& first = clauses.front();
  if (clauses.size() == 1 && first.operation.starts_with("==") && !first.any_rest) {
    return {{{first.release[0], first.release[1]}}};
  }
  std::vector<Version> versions;
  for (const Version version : known) {
    if (admits_line(clauses, version)) versions.push_back(version);
  }
  return versions;
}

template <typename Row>
std::vector<Version> lines_of(std::span<const Row> rows) {
  std::vector<Version> versions;
  for (const Row& row : rows) versions.push_back(row.version);
  return versions;
}

Error admits_nothing(std::string_view specifier, std::string_view of,
                     const std::vector<Version>& known) {
  return {"", 0, "`" + std::string(specifier) + "` admits no release of " + std::string(of),
          "known are " + to_string(known.front()) + " to " + to_string(known.back())};
}

}  // namespace

std::string_view name_of(Platform platform) {
  return platform_names[static_cast<std::size_t>(platform)];
}

std::optional<Platform> parse_platform(std::string_view word) {
  const auto* found = std::find(platform_names.begin(), platform_names.end(), word);
  if (found == platform_names.end()) return std::nullopt;
  return static_cast<Platform>(found - platform_names.begin());
}

std::span<const std::string_view> all_platform_names() { return platform_names; }

Result<std::vector<Version>> releases_named(std::string_view specifier,
                                            const Knowledge& knowledge) {
  const std::vector<Version> known = lines_of(knowledge.torch_versions());
  std::optional<std::vector<Version>> versions = lines_named(specifier, known);
  if (!versions) return unreadable(specifier);
  if (versions->empty()) return admits_nothing(specifier, "PyTorch", known);
  return *std::move(versions);
}

Result<std::vector<Version>> pythons_named(std::string_view specifier, const Knowledge& knowledge) {
  const std::vector<Version> known = lines_of(knowledge.python_versions());
  std::optional<std::vector<Version>> versions = lines_named(specifier, known);
  if (!versions) {
    return Error{"", 0, "`" + std::string(specifier) + "` is no version of Python",
                 "write one such as `3.12`, or a range such as `>=3.10`"};
  }
  if (versions->empty()) return admits_nothing(specifier, "Python", known);
  return *std::move(versions);
}

bool Target::python_may_be(VersionRange range) const {
  return python.empty() || std::any_of(python.begin(), python.end(), [range](Version version) {
           return range.contains(version);
         });
}

bool Target::forks_by_default() const {
  if (platform == Platform::windows || platform == Platform::macos) return false;
  return python_may_be({first_version, {3, 13}});
}

bool Target::python_is(VersionRange range) const {
  return !python.empty() && std::all_of(python.begin(), python.end(), [range](Version version) {
    return range.contains(version);
  });
}

Target default_target(const Knowledge& knowledge) {
  Target target;
  target.torch = {knowledge.newest_torch()};
  target.torch_text = "any";
  return target;
}

}  // namespace vramlint::knowledge
