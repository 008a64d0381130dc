// SPDX-License-Identifier: MIT
//
// What a table may not say. Shape and spelling of fields are left to the C++ compiler, which sees
// the structs; here is what it cannot see.

#include <algorithm>

#include "tables.h"

namespace vramlint::knowledge_compiler {
namespace {

using VersionPair = std::pair<int, int>;

struct Claim {
  VersionPair since{0, 0};
  VersionPair until{65535, 65535};
  uint32_t line = 0;

  bool overlaps(const Claim& other) const { return since <= other.until && other.since <= until; }
};

Claim claim_of(const toml::table& row) {
  Claim claim;
  read_version(string_of(row, "since"), claim.since);
  read_version(string_of(row, "until"), claim.until);
  claim.line = row.source().begin.line;
  return claim;
}

/// Fields that say for which uses of its names a row speaks; by the word in front of the first `_`.
bool narrows(std::string_view field) {
  static const std::set<std::string, std::less<>> words = {
      "on", "receiver", "device", "when", "and", "needs", "unless", "too", "module"};
  return words.contains(field.substr(0, field.find('_')));
}

/// What a row speaks about: its names, each with whatever narrows the row down.
std::vector<std::string> subjects_of(const toml::table& row) {
  std::vector<std::string> subjects = strings_of(row.get("name"));
  for (std::string& name : strings_of(row.get("names"))) subjects.push_back(std::move(name));
  for (const auto& [key, node] : row) {
    if (!narrows(key)) continue;
    for (const std::string& word : strings_of(&node)) {
      for (std::string& subject : subjects) subject += ", " + std::string(key) + " " + word;
    }
  }
  return subjects;
}

void check_evidence(const toml::table& row, const Inputs& inputs, Complaints& complaints) {
  for (const std::string& name : strings_of(row.get("evidence"))) {
    if (name.empty() || inputs.evidence.contains(name)) continue;
    complaints.error(*row.get("evidence"),
                     "no evidence `" + name + "`; write rules/evidence/" + name + ".py");
  }
}

void check_one_of(const toml::table& page, std::string_view field,
                  const std::vector<std::string>& words, Complaints& complaints) {
  const std::string word = string_of(page, field);
  if (word.empty() || std::find(words.begin(), words.end(), word) != words.end()) return;
  std::string choice;
  for (const std::string& each : words) choice += " " + each;
  complaints.error(*page.get(field), "`" + std::string(field) + "` is one of" + choice);
}

void check_check(const toml::table& page, const Inputs& inputs, bool strict,
                 Complaints& complaints) {
  const std::string check = string_of(page, "check");
  // Rules about suppressing comments are the stage diagnostics' own: no check can see a comment.
  if (check.empty() || check == "diagnostics" || inputs.checks.contains(check)) return;
  const std::string what = "no check `" + check + "`; write src/rules/checks/" + check + ".cpp";
  if (strict) {
    complaints.error(*page.get("check"), what);
  } else {
    complaints.warning(*page.get("check"), what);
  }
}

/// A fix says beforehand what has to be seen for it to hold, or why that can't be seen.
void check_confirms(const toml::table& page, const Inputs& inputs, Complaints& complaints) {
  const std::vector<std::string> names = strings_of(page.get("confirms"));
  for (const std::string& name : names) {
    if (inputs.criteria.contains(name)) continue;
    complaints.error(*page.get("confirms"),
                     "no criterion `" + name + "`; rules/knowledge/criteria.toml lists them");
  }
  const bool is_excused = !string_of(page, "unconfirmed").empty();
  const bool has_fix = !string_of(page, "fix").empty();
  if (has_fix && names.empty() && !is_excused) {
    complaints.error(
        *page.get("fix"),
        "a rule with a fix needs `confirms`, criteria that show that the fix holds, or "
        "`unconfirmed`, why none can");
  }
  if (!names.empty() && is_excused) {
    complaints.error(*page.get("unconfirmed"),
                     "`confirms` and `unconfirmed` contradict each other");
  }
}

}  // namespace

void check_table(const Table& table, const Inputs& inputs, Complaints& complaints) {
  std::map<std::string, std::vector<Claim>> claims;
  for (const toml::table& row : table.rows) {
    if (string_of(row, "source").empty()) {
      complaints.error(row, "row without `source`; say where the fact can be looked up");
    }
    check_evidence(row, inputs, complaints);
    const Claim claim = claim_of(row);
    if (claim.until < claim.since) complaints.error(row, "`until` lies before `since`; swap them");
    for (const std::string& subject : subjects_of(row)) {
      for (const Claim& other : claims[subject]) {
        if (!claim.overlaps(other)) continue;
        complaints.error(row, "`" + subject + "` stands in the row of line " +
                                  std::to_string(other.line) + " already; merge them");
      }
      claims[subject].push_back(claim);
    }
  }
}

void check_pages(const Table& pages, const Inputs& inputs, bool strict, Complaints& complaints) {
  std::map<std::string, std::string> owners;
  for (const toml::table& page : pages.rows) {
    for (const char* field : {"code", "severity", "check", "summary", "message"}) {
      if (string_of(page, field).empty()) {
        complaints.error(page, std::string("the rule block has no `") + field + "`");
      }
    }
    check_one_of(page, "severity", {"error", "warning", "note"}, complaints);
    check_one_of(page, "fix", {"safe", "unsafe", "suggestion"}, complaints);
    check_evidence(page, inputs, complaints);
    check_confirms(page, inputs, complaints);
    check_check(page, inputs, strict, complaints);
    for (const char* field : {"code", "name"}) {
      const std::string word = string_of(page, field);
      const auto [owner, is_new] = owners.emplace(word, *page.source().path);
      if (!is_new) {
        complaints.error(page, std::string(field) + " `" + word + "` belongs to " + owner->second);
      }
    }
  }
}

}  // namespace vramlint::knowledge_compiler
