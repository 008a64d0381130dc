// SPDX-License-Identifier: MIT
// SARIF 2.1.0, for code scanning. Paths are URIs below `%SRCROOT%`, the folder of the run, and name
// no machine: the same input gives the same bytes anywhere. Only rules that have findings are
// described.
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "output/format.h"
#include "output/rule_help.h"

namespace vramlint::output {

using Json = nlohmann::ordered_json;
using diagnostics::Diagnostic;

namespace {

constexpr std::string_view schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
constexpr std::string_view root = "%SRCROOT%";
/// The number goes up when other findings would get the same fingerprint.
constexpr std::string_view fingerprint_kind = "vramlint/v1";

bool is_unreserved(char byte) {
  return ('a' <= byte && byte <= 'z') || ('A' <= byte && byte <= 'Z') ||
         ('0' <= byte && byte <= '9') || std::string_view("-._~/").find(byte) != std::string::npos;
}

/// A path as a relative reference of RFC 3986.
std::string uri_of(std::string_view path) {
  static constexpr std::string_view digits = "0123456789ABCDEF";
  std::string uri;
  for (const char byte : path) {
    if (is_unreserved(byte)) {
      uri += byte;
      continue;
    }
    const auto value = static_cast<unsigned char>(byte);
    uri += {'%', digits[value >> 4], digits[value & 0xf]};
  }
  return uri;
}

Json artifact(const std::string& file) {
  if (file.starts_with('/')) return {{"uri", "file://" + uri_of(file)}};
  return {{"uri", uri_of(file)}, {"uriBaseId", root}};
}

/// SARIF counts as we do: from 1, code points by `columnKind`, the end exclusive.
Json region(const diagnostics::Range& range) {
  return {{"startLine", range.start.line},
          {"startColumn", range.start.column},
          {"endLine", range.end.line},
          {"endColumn", range.end.column}};
}

Json location(const std::string& file, const diagnostics::Range& range) {
  Json physical = {{"artifactLocation", artifact(file)}, {"region", region(range)}};
  return {{"physicalLocation", std::move(physical)}};
}

/// Lines of a cell are not lines of the notebook's file.
Json location_in(const std::string& file, std::optional<int> cell,
                 const diagnostics::Range& range) {
  if (!cell) return location(file, range);
  const std::string name = "cell " + std::to_string(*cell);
  const std::string line = "line " + std::to_string(range.start.line);
  Json logical = {{"name", name}, {"fullyQualifiedName", name + ", " + line}};
  return {{"physicalLocation", {{"artifactLocation", artifact(file)}}},
          {"logicalLocations", Json::array({std::move(logical)})}};
}

Json related(const Diagnostic& finding) {
  Json list = Json::array();
  for (const diagnostics::Related& place : finding.related) {
    Json made = {{"id", list.size()}};
    made.update(location_in(place.file, place.cell, place.range));
    made["message"] = {{"text", place.message}};
    list.push_back(std::move(made));
  }
  return list;
}

Json fix(const diagnostics::Fix& fix) {
  std::map<std::string, Json> by_file;
  for (const diagnostics::Edit& edit : fix.edits) {
    Json& replacements = by_file.try_emplace(edit.file, Json::array()).first->second;
    replacements.push_back(
        {{"deletedRegion", region(edit.range)}, {"insertedContent", {{"text", edit.text}}}});
  }
  Json changes = Json::array();
  for (auto& [file, replacements] : by_file) {
    changes.push_back(
        {{"artifactLocation", artifact(file)}, {"replacements", std::move(replacements)}});
  }
  return {{"description", {{"text", fix.title}}},
          {"artifactChanges", std::move(changes)},
          {"properties", {{"applicability", name_of(fix.applicability)}}}};
}

Json result(const Diagnostic& finding, const std::map<std::string_view, std::size_t>& rules) {
  Json json = {{"ruleId", finding.code}};
  const auto rule = rules.find(finding.code);
  if (rule != rules.end()) json["ruleIndex"] = rule->second;
  json["level"] = name_of(finding.severity);
  const std::string help = finding.help.empty() ? "" : "\nHelp: " + finding.help;
  json["message"] = {{"text", finding.message + help}};
  json["locations"] = Json::array({location_in(finding.file, finding.cell, finding.range)});
  if (!finding.related.empty()) json["relatedLocations"] = related(finding);
  if (!finding.fingerprint.empty()) {
    json["partialFingerprints"] = {{fingerprint_kind, finding.fingerprint}};
  }
  if (finding.fix && !finding.fix->edits.empty() && !finding.cell) {
    json["fixes"] = Json::array({fix(*finding.fix)});
  }
  json["properties"] = {{"torch", finding.torch}};
  return json;
}

/// Code scanning's own word for a note.
std::string_view problem_severity(const knowledge::RulePage& page) {
  return page.severity == "note" ? "recommendation" : page.severity;
}

Json rule(const knowledge::RulePage& page) {
  return {{"id", page.code},
          {"name", page.name},
          {"shortDescription", {{"text", page.summary}}},
          {"fullDescription", {{"text", page.summary}}},
          {"help", {{"text", rule_help(page)}, {"markdown", rule_help(page)}}},
          {"defaultConfiguration", {{"level", page.severity}}},
          {"properties",
           {{"tags", Json::array({page.family, "pytorch", "memory"})},
            {"problem.severity", problem_severity(page)}}}};
}

Json notification(const diagnostics::FileError& error) {
  return {{"level", "error"},
          {"message", {{"text", error.message}}},
          {"locations",
           Json::array({{{"physicalLocation", {{"artifactLocation", artifact(error.file)}}}}})}};
}

}  // namespace

std::string write_sarif(const Report& report, Style) {
  std::map<std::string_view, std::size_t> indices;
  Json rules = Json::array();
  for (const knowledge::RulePage* page : report.rules) {
    indices.emplace(page->code, rules.size());
    rules.push_back(rule(*page));
  }
  Json results = Json::array();
  for (const Diagnostic& finding : report.diagnostics) results.push_back(result(finding, indices));
  Json notifications = Json::array();
  for (const diagnostics::FileError& error : report.errors) {
    notifications.push_back(notification(error));
  }
  Json run;
  run["tool"]["driver"] = {{"name", "vramlint"},
                           {"version", report.tool_version},
                           {"semanticVersion", report.tool_version},
                           {"rules", std::move(rules)}};
  run["invocations"] = Json::array({{{"executionSuccessful", report.errors.empty()},
                                     {"toolExecutionNotifications", std::move(notifications)}}});
  run["originalUriBaseIds"][root] = {
      {"description", {{"text", "The folder in which vramlint was run"}}}};
  run["columnKind"] = "unicodeCodePoints";
  run["newlineSequences"] = Json::array({"\r\n", "\n", "\r"});
  run["results"] = std::move(results);
  run["properties"] = {{"torch", report.target.torch},
                       {"python", report.target.python},
                       {"platform", report.target.platform}};
  Json log = {{"$schema", schema}, {"version", "2.1.0"}, {"runs", Json::array({std::move(run)})}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vramlint::output
