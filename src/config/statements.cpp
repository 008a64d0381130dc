// SPDX-License-Identifier: MIT
// The three ways in which files write versions, made one.
#include "config/statements.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <utility>

#include "config/lines.h"

namespace vramlint::config {

namespace {

constexpr std::string_view operators = "<>=!~^";

/// `2.4` of `2.4.1`, for the end of a range: the number at `kept` goes up by one.
std::string bumped(std::string_view version, std::size_t kept) {
  std::string made;
  for (std::size_t i = 0; i <= kept; ++i) {
    unsigned number = 0;
    const auto [end, error] =
        std::from_chars(version.data(), version.data() + version.size(), number);
    if (error != std::errc() || number > 60'000) return {};
    version.remove_prefix(static_cast<std::size_t>(end - version.data()));
    if (version.starts_with('.')) version.remove_prefix(1);
    made += (i == 0 ? "" : ".") + std::to_string(i == kept ? number + 1 : number);
  }
  return made;
}

/// `>=2.4,<3` for `^2.4`, `>=2.4,<2.5` for `~2.4`.
std::string clause_up_to(std::string_view version, std::size_t kept) {
  const std::size_t dots = static_cast<std::size_t>(std::ranges::count(version, '.'));
  const std::string end = bumped(version, std::min(kept, dots));
  return end.empty() ? "" : ">=" + std::string(version) + ",<" + end;
}

std::string without_local_part(std::string_view version) {
  return std::string(version.substr(0, version.find('+')));
}

/// One comparison as PEP 440 writes it; empty for `*` and for what is none.
std::string clause_of(std::string_view clause, Dialect dialect) {
  const std::size_t begin = std::min(clause.find_first_not_of(operators), clause.size());
  const std::string_view operation = clause.substr(0, begin);
  std::string version = without_local_part(trimmed(clause.substr(begin)));
  if (dialect == Dialect::conda) version = version.substr(0, version.find('='));  // the build
  const bool is_number = !version.empty() && version.front() >= '0' && version.front() <= '9';
  if (!is_number) return {};  // `*`, a variable, or the build behind a version
  if (dialect == Dialect::pip) return std::string(operation) + version;
  if (operation == "^") return clause_up_to(version, version.starts_with("0.") ? 1 : 0);
  if (operation == "~") return clause_up_to(version, 1);
  const bool any_rest = version.ends_with(".*");
  if (operation.empty()) return "==" + version;
  if (operation == "=" && dialect == Dialect::conda && !any_rest) return "==" + version + ".*";
  if (operation == "=") return "==" + version;
  const bool is_order = operation != "==" && operation != "!=";
  if (any_rest && is_order) version.resize(version.size() - 2);
  return std::string(operation) + version;
}

/// The comparisons of one alternative, which stand apart by commas or blanks.
std::string specifier_of(std::string_view text, Dialect dialect) {
  std::string specifier;
  std::string clause;
  const auto finish = [&] {
    const std::string made = clause_of(clause, dialect);
    if (!made.empty()) specifier += (specifier.empty() ? "" : ",") + made;
    clause.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char byte = text[i];
    if (byte == '\\' || byte == '\r' || byte == '\n') continue;
    const bool is_blank = byte == ' ' || byte == '\t';
    // A blank behind an operator belongs to the comparison.
    const bool ends =
        byte == ',' || (is_blank && clause.find_first_not_of(operators) != std::string::npos);
    if (ends) {
      finish();
    } else if (!is_blank) {
      clause += byte;
    }
  }
  finish();
  return specifier;
}

/// A specifier that names one release, or one release line.
bool is_pin(std::string_view specifier) {
  return specifier.starts_with("==") && specifier.find(',') == std::string_view::npos;
}

}  // namespace

std::vector<Statement> statements_of(std::string_view written, Dialect dialect, int line) {
  std::vector<Statement> statements;
  std::string_view rest = written;
  while (!rest.empty()) {
    const std::size_t bar =
        dialect == Dialect::pip ? rest.size() : std::min(rest.find('|'), rest.size());
    const std::string_view part = trimmed(rest.substr(0, bar));
    rest.remove_prefix(std::min(bar + 1, rest.size()));
    const std::string specifier = specifier_of(part, dialect);
    if (specifier.empty()) continue;
    const bool keeps_its_words = dialect == Dialect::pip || is_pin(specifier);
    std::string shown = keeps_its_words ? specifier : std::string(part);
    while (shown.starts_with('=')) shown.erase(0, 1);
    statements.push_back(
        {specifier, std::move(shown), line, is_pin(specifier) ? Exactness::pin : Exactness::range});
  }
  return statements;
}

Statement locked(std::string_view version, int line) {
  const std::string bare = without_local_part(version);
  return {"==" + bare, bare, line, Exactness::lock};
}

knowledge::ImagePlatform platform_of_wheel(std::string_view text,
                                           const knowledge::Knowledge& knowledge) {
  for (const knowledge::WheelSourceRow& row : knowledge.wheel_sources()) {
    if (text.find(row.name) != std::string_view::npos) return row.platform;
  }
  return knowledge::ImagePlatform::any;
}

}  // namespace vramlint::config
