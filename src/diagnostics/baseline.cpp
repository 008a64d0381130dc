// SPDX-License-Identifier: MIT
#include "diagnostics/baseline.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace vramlint::diagnostics {

namespace {

using Json = nlohmann::ordered_json;

constexpr int version = 1;

std::string quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Error unusable(const std::string& path, std::string message, int line = 0) {
  return {path, line, std::move(message), "remove it and write it anew with `--write-baseline`"};
}

std::string text_field(const Json& entry, const char* name) {
  const auto field = entry.find(name);
  const bool is_text = field != entry.end() && field->is_string();
  return is_text ? field->get<std::string>() : std::string();
}

/// False for what is no entry.
bool read_entry(const std::string& file, const Json& entry, Baseline& baseline) {
  if (!entry.is_object()) return false;
  const std::string code = text_field(entry, "code");
  const auto count = entry.find("count");
  if (code.empty() || count == entry.end() || !count->is_number_unsigned()) return false;
  static constexpr uint64_t most = 1000000;  // more is no finding's count
  if (count->get<uint64_t>() > most) return false;
  baseline.add({file, code, text_field(entry, "line")}, text_field(entry, "rule"),
               count->get<unsigned>());
  return true;
}

using Left = std::map<KnownFinding, unsigned>;

/// What is left of files that are gone, by what stays the same when a file gets another name.
class Departed {
 public:
  void add(Left::iterator entry) {
    entries_[{entry->first.code, entry->first.line}].push_back(entry);
  }

  /// The file that the finding was in before; nothing when there is none.
  std::optional<std::string> take(const KnownFinding& finding) {
    const auto found = entries_.find({finding.code, finding.line});
    if (found == entries_.end()) return std::nullopt;
    for (const Left::iterator entry : found->second) {
      if (entry->second == 0) continue;
      --entry->second;
      return entry->first.file;
    }
    return std::nullopt;
  }

 private:
  std::map<std::pair<std::string, std::string>, std::vector<Left::iterator>> entries_;
};

}  // namespace

Result<Baseline> Baseline::parse(const std::string& path, const std::string& text) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& problem) {
    const auto end = static_cast<std::ptrdiff_t>(std::min(problem.byte, text.size()));
    const auto line = std::count(text.begin(), text.begin() + end, '\n') + 1;
    return unusable(path, "no valid JSON", static_cast<int>(line));
  } catch (const Json::exception&) {  // a number that is too large
    return unusable(path, "no valid JSON");
  }
  if (!json.is_object() || !json.contains("files") || !json["files"].is_object()) {
    return unusable(path, "is no baseline of vramlint");
  }
  if (json.value("version", Json()) != version) {
    return unusable(path, "is a baseline of another version of vramlint");
  }
  Baseline baseline;
  for (const auto& [file, list] : json["files"].items()) {
    const bool is_list = list.is_array();
    for (const Json& entry : list) {
      if (is_list && read_entry(file, entry, baseline)) continue;
      return unusable(path, "has an entry of `" + file + "` that is none");
    }
  }
  return baseline;
}

std::string Baseline::text() const {
  std::string made = "{\n  \"version\": " + std::to_string(version) + ",\n";
  made += "  \"tool\": \"vramlint\",\n  \"files\": {";
  const std::string* file = nullptr;
  for (const auto& [finding, entry] : entries_) {
    const bool goes_on = file != nullptr && *file == finding.file;
    if (goes_on) {
      made += ",\n";
    } else {
      if (file != nullptr) made += "\n    ],";
      made += "\n    " + quoted(finding.file) + ": [\n";
    }
    file = &finding.file;
    made += "      {\"code\": " + quoted(finding.code) + ", \"rule\": " + quoted(entry.rule) +
            ", \"line\": " + quoted(finding.line) + ", \"count\": " + std::to_string(entry.count) +
            "}";
  }
  if (file != nullptr) made += "\n    ]\n  ";
  return made + "}\n}\n";
}

void Baseline::add(const KnownFinding& finding, const std::string& rule, unsigned count) {
  if (count == 0) return;
  Entry& entry = entries_[finding];
  entry.rule = rule;
  entry.count += count;
}

BaselineMatch match_baseline(const Baseline& baseline, const std::vector<KnownFinding>& findings,
                             const BaselineQuestions& questions) {
  BaselineMatch match;
  match.known.resize(findings.size());
  Left left;
  std::set<std::string_view> files;
  for (const auto& [finding, entry] : baseline.entries()) {
    left.emplace(finding, entry.count);
    files.insert(finding.file);
  }
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const auto entry = left.find(findings[i]);
    if (entry == left.end() || entry->second == 0) continue;
    --entry->second;
    match.known[i] = true;
  }

  const Left under_old_names = left;  // before renamed files take their share

  std::map<std::string_view, BaselineFile> states;
  for (const std::string_view file : files) {
    states[file] = questions.state_of(std::string(file));
    match.complete &= states[file] != BaselineFile::elsewhere;
  }
  Departed departed;
  for (auto entry = left.begin(); entry != left.end(); ++entry) {
    if (states[entry->first.file] == BaselineFile::gone) departed.add(entry);
  }
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (match.known[i] || files.contains(findings[i].file)) continue;
    const std::optional<std::string> before = departed.take(findings[i]);
    if (!before) continue;
    match.known[i] = true;
    match.renamed.emplace(*before, findings[i].file);
    const auto entry = baseline.entries().find({*before, findings[i].code, findings[i].line});
    match.pruned.add(findings[i], entry->second.rule);
  }

  for (const auto& [finding, entry] : baseline.entries()) {
    const unsigned unused = left.at(finding);
    const bool looked_for = questions.was_looked_for(finding);
    const bool is_elsewhere = states[finding.file] == BaselineFile::elsewhere;
    if (is_elsewhere || !looked_for) match.unjudged.add(finding, entry.rule, entry.count);
    const bool is_stale = match.complete && looked_for;
    if (is_stale) match.stale.add(finding, entry.rule, unused);
    const unsigned used = entry.count - under_old_names.at(finding);
    match.pruned.add(finding, entry.rule, used + (is_stale ? 0 : unused));
  }
  return match;
}

}  // namespace vramlint::diagnostics
