// SPDX-License-Identifier: MIT
// Reviewdog's diagnostic format as one JSON object. Its columns count bytes, not code points. Old
// releases of reviewdog refuse fields that they don't know, so related places are part of the
// message.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "output/format.h"
#include "output/summary.h"
#include "text/utf8.h"

namespace vramlint::output {

using Json = nlohmann::ordered_json;
using diagnostics::Diagnostic;
using diagnostics::Severity;

namespace {

std::string_view word_of(Severity severity) {
  switch (severity) {
    case Severity::note: return "INFO";
    case Severity::warning: return "WARNING";
    case Severity::error: return "ERROR";
  }
  return "";
}

/// The bytes in front of a column that counts code points. A byte that continues one counts for
/// nothing, as where columns are made.
std::size_t bytes_before(std::string_view line, uint32_t column) {
  std::size_t at = 0;
  for (uint32_t passed = 1; passed < column && at < line.size(); ++passed) {
    ++at;
    while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xc0) == 0x80) ++at;
  }
  return at;
}

class Writer {
 public:
  explicit Writer(const Report& report) : report_(report) {}

  Json diagnostic(const Diagnostic& finding) const {
    Json json = {{"message", text_of(finding)}};
    json["location"] = {{"path", finding.file}};
    if (!finding.cell) json["location"]["range"] = range(finding.file, finding.range);
    json["severity"] = word_of(finding.severity);
    json["code"] = {{"value", finding.code}};
    if (!finding.url.empty()) json["code"]["url"] = finding.url;
    const Json made = suggestions(finding);
    if (!made.empty()) json["suggestions"] = made;
    return json;
  }

 private:
  static std::string text_of(const Diagnostic& finding) {
    const std::string cell = finding.cell ? fmt::format("cell {}: ", *finding.cell) : "";
    std::string text = fmt::format("{}{}: {}", cell, finding.rule, finding.message);
    if (!finding.help.empty()) text += "\nhelp: " + finding.help;
    for (const diagnostics::Related& place : finding.related) {
      text += fmt::format("\n{}:{}{}:{}: {}", place.file, cell_text(place.cell),
                          place.range.start.line, place.range.start.column, place.message);
    }
    return text;
  }

  Json position(const std::string& file, text::Position position) const {
    const auto source = report_.sources.find(file);
    uint32_t column = position.column;
    if (source != report_.sources.end() && source->second != nullptr) {
      const std::string_view line = source->second->line(position.line);
      const bool has_mark = position.line == 1 && line.starts_with(text::byte_order_mark);
      column = static_cast<uint32_t>(bytes_before(line, position.column + (has_mark ? 1 : 0))) + 1;
    }
    return {{"line", position.line}, {"column", column}};
  }

  Json range(const std::string& file, const diagnostics::Range& range) const {
    return {{"start", position(file, range.start)}, {"end", position(file, range.end)}};
  }

  /// A suggestion names no file and each can be taken alone: a fix that needs more is none here.
  Json suggestions(const Diagnostic& finding) const {
    Json list = Json::array();
    if (!finding.fix || finding.cell || finding.fix->edits.size() != 1) return list;
    const diagnostics::Edit& edit = finding.fix->edits.front();
    if (edit.file != finding.file) return list;
    list.push_back({{"range", range(edit.file, edit.range)}, {"text", edit.text}});
    return list;
  }

  const Report& report_;
};

}  // namespace

std::string write_rdjson(const Report& report, Style) {
  const Writer writer(report);
  Json list = Json::array();
  for (const Diagnostic& finding : report.diagnostics) list.push_back(writer.diagnostic(finding));
  for (const diagnostics::FileError& error : report.errors) {
    list.push_back({{"message", error.message},
                    {"location", {{"path", error.file}}},
                    {"severity", word_of(Severity::error)}});
  }
  const Json json = {{"source", {{"name", "vramlint"}}}, {"diagnostics", std::move(list)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vramlint::output
