// SPDX-License-Identifier: MIT
#include "lsp/findings.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "diagnostics/suppressions.h"
#include "fix/edits.h"

namespace vramlint::lsp {

namespace {

using diagnostics::Diagnostic;
using diagnostics::Severity;

constexpr const char* source_name = "vramlint";
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

int severity_number(Severity severity) {
  switch (severity) {
    case Severity::error: return 1;
    case Severity::warning: return 2;
    case Severity::note: return 3;
  }
  return 3;
}

/// Where a place for people is, which counts no byte order mark.
uint32_t offset_of(const text::Source& source, text::Position place) {
  const bool is_behind_mark = place.line == 1 && source.bytes().starts_with(byte_order_mark);
  const uint32_t column = place.column - 1 + (is_behind_mark ? 1 : 0);
  return offset_at(source, {place.line - 1, column}, Encoding::utf32);
}

Range range_for(const diagnostics::Range& range, const std::shared_ptr<const text::Source>& source,
                Encoding encoding) {
  // Without its text, characters are as good a guess as any.
  if (source == nullptr) {
    return {{range.start.line - 1, range.start.column - 1},
            {range.end.line - 1, range.end.column - 1}};
  }
  return range_of(*source, {offset_of(*source, range.start), offset_of(*source, range.end)},
                  encoding);
}

std::shared_ptr<const text::Source> source_in(const output::Report& report,
                                              const std::string& file) {
  const auto found = report.sources.find(file);
  return found == report.sources.end() ? nullptr : found->second;
}

std::string message_of(const Diagnostic& finding, bool with_related) {
  std::string message = finding.message;
  if (!finding.help.empty()) message += "\n" + finding.help;
  if (!with_related) return message;
  for (const diagnostics::Related& related : finding.related) {
    message += "\n" + related.file + ":" + std::to_string(related.range.start.line) + ": " +
               related.message;
  }
  return message;
}

}  // namespace

Json diagnostic_json(const Diagnostic& finding, Root& root, const Documents& documents,
                     const Client& client) {
  const output::Report& report = root.report();
  const std::shared_ptr<const text::Source> source = source_in(report, finding.file);
  Json made = {{"range", json_of(range_for(finding.range, source, client.encoding))},
               {"severity", severity_number(finding.severity)},
               {"code", finding.rule},
               {"source", source_name},
               {"message", message_of(finding, !client.shows_related)}};
  if (!finding.url.empty()) made["codeDescription"] = {{"href", finding.url}};
  if (finding.rule == diagnostics::unused_rule) made["tags"] = {1};  // unnecessary: shown faded
  if (!client.shows_related || finding.related.empty()) return made;
  Json related = Json::array();
  for (const diagnostics::Related& each : finding.related) {
    const Range range = range_for(each.range, source_in(report, each.file), client.encoding);
    const std::string uri = documents.uri_of(root.absolute(each.file));
    related.push_back(
        {{"location", {{"uri", uri}, {"range", json_of(range)}}}, {"message", each.message}});
  }
  made["relatedInformation"] = std::move(related);
  return made;
}

std::map<std::string, Json> all_diagnostics(Documents& documents, const Client& client) {
  std::map<std::string, Json> by_path;
  for (Root* root : documents.roots()) {
    for (const Diagnostic& finding : root->report().diagnostics) {
      Json& of_file =
          by_path.try_emplace(root->absolute(finding.file), Json::array()).first->second;
      of_file.push_back(diagnostic_json(finding, *root, documents, client));
    }
  }
  return by_path;
}

Json diagnostic_json(const Error& error) {
  const auto line = static_cast<uint32_t>(std::max(error.line, 1) - 1);
  const auto column = static_cast<uint32_t>(std::max(error.column, 1) - 1);
  const std::string advice = error.advice.empty() ? "" : "; " + error.advice;
  return {{"range", json_of(Range{{line, column}, {line, column + 1}})},
          {"severity", 1},
          {"source", source_name},
          {"message", error.message + advice}};
}

Json workspace_edit(const std::vector<diagnostics::Edit>& edits, const Root& root,
                    Documents& documents, const Client& client) {
  std::map<std::string, Json> by_path;
  for (const diagnostics::Edit& edit : edits) {
    const std::string path = root.absolute(edit.file);
    const Result<std::shared_ptr<const text::Source>> source = documents.texts().open(path);
    if (!source) continue;
    const Range range = range_of(*source.value(), edit.span, client.encoding);
    const std::string text =
        fix::with_line_ends_of(source.value()->bytes(), edit.span.begin, edit.text);
    by_path.try_emplace(path, Json::array())
        .first->second.push_back({{"range", json_of(range)}, {"newText", text}});
  }
  Json changes = Json::object();
  Json versioned = Json::array();
  for (auto& [path, of_file] : by_path) {
    const std::string uri = documents.uri_of(path);
    if (!client.versions_edits) {
      changes[uri] = std::move(of_file);
      continue;
    }
    const Document* document = documents.at_path(path);
    const Json version = document == nullptr ? Json() : Json(document->version);
    versioned.push_back(
        {{"textDocument", {{"uri", uri}, {"version", version}}}, {"edits", std::move(of_file)}});
  }
  if (client.versions_edits) return {{"documentChanges", std::move(versioned)}};
  return {{"changes", std::move(changes)}};
}

}  // namespace vramlint::lsp
