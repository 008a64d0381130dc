// SPDX-License-Identifier: MIT
// The stable contract for programs, version 1. Fields are never renamed or dropped; bytes that are
// no UTF-8 become U+FFFD.
#include <nlohmann/json.hpp>

#include "output/format.h"

namespace vramlint::output {

using Json = nlohmann::ordered_json;
using diagnostics::Diagnostic;

namespace {

Json position(text::Position position) {
  return {{"line", position.line}, {"column", position.column}};
}

Json range(const diagnostics::Range& range) {
  return {{"start", position(range.start)}, {"end", position(range.end)}};
}

/// A file, and the cell if it is a notebook.
Json place(const std::string& file, std::optional<int> cell) {
  Json json = {{"file", file}};
  if (cell) json["cell"] = *cell;
  return json;
}

Json related(const Diagnostic& finding) {
  Json list = Json::array();
  for (const diagnostics::Related& other : finding.related) {
    list.push_back(place(other.file, other.cell));
    list.back().update({{"range", range(other.range)}, {"message", other.message}});
  }
  return list;
}

Json fix(const std::optional<diagnostics::Fix>& fix) {
  if (!fix) return nullptr;
  Json edits = Json::array();
  for (const diagnostics::Edit& edit : fix->edits) {
    edits.push_back(place(edit.file, edit.cell));
    edits.back().update({{"range", range(edit.range)}, {"text", edit.text}});
  }
  return {{"applicability", name_of(fix->applicability)}, {"title", fix->title}, {"edits", edits}};
}

Json finding(const Diagnostic& finding) {
  Json json;
  json["rule"] = finding.rule;
  json["code"] = finding.code;
  json["family"] = finding.family;
  json["severity"] = name_of(finding.severity);
  json["message"] = finding.message;
  json["file"] = finding.file;
  json["cell"] = finding.cell ? Json(*finding.cell) : Json(nullptr);
  json["range"] = range(finding.range);
  json["related"] = related(finding);
  json["torch"] = finding.torch;
  json["fix"] = fix(finding.fix);
  json["url"] = finding.url;
  return json;
}

}  // namespace

std::string write_json(const Report& report, Style) {
  Json json;
  json["version"] = 1;
  json["tool"] = {{"name", "vramlint"}, {"version", report.tool_version}};
  json["target"] = {{"torch", report.target.torch},
                    {"python", report.target.python},
                    {"platform", report.target.platform}};
  json["files"] = report.files;
  json["diagnostics"] = Json::array();
  for (const Diagnostic& diagnostic : report.diagnostics) {
    json["diagnostics"].push_back(finding(diagnostic));
  }
  json["errors"] = Json::array();
  for (const diagnostics::FileError& error : report.errors) {
    json["errors"].push_back({{"file", error.file}, {"message", error.message}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vramlint::output
