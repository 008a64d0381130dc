// SPDX-License-Identifier: MIT
#include "lsp/findings.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "diagnostics/suppressions.h"
#include "fix/edits.h"
#include "text/utf8.h"

namespace vramlint::lsp {

namespace {

using diagnostics::Diagnostic;
using diagnostics::Severity;

constexpr const char* source_name = "vramlint";

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
  const bool is_behind_mark = place.line == 1 && source.bytes().starts_with(text::byte_order_mark);
  const uint32_t column = place.column - 1 + (is_behind_mark ? 1 : 0);
  return offset_at(source, {place.line - 1, column}, Encoding::utf32);
}

Range range_in(const Places::Text& text, const diagnostics::Range& range, Encoding encoding) {
  if (text.source != nullptr) return range_of(*text.source, span_of(range, *text.source), encoding);
  // Without its text, characters are as good a guess as any.
  return {{range.start.line - 1, range.start.column - 1},
          {range.end.line - 1, range.end.column - 1}};
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

text::Span span_of(const diagnostics::Range& range, const text::Source& source) {
  const uint32_t begin = offset_of(source, range.start);
  return {begin, std::max(begin, offset_of(source, range.end))};
}

const Places::Text& Places::of(const std::string& file, std::optional<int> cell) {
  const auto [found, is_new] = known_.try_emplace({file, cell});
  Text& text = found->second;
  if (!is_new) return text;
  const std::string path = root_.absolute(file);
  const Document* document = documents_.at(path, cell);
  text.uri = document != nullptr ? document->uri : documents_.uri_of(path, cell);
  if (document != nullptr) text.source = document->source.get();
  const auto read = root_.report().sources.find(file);
  const bool is_read = read != root_.report().sources.end();
  if (text.source == nullptr && is_read) text.source = read->second.get();
  return text;
}

Json diagnostic_json(const Diagnostic& finding, Places& places, const Client& client) {
  const Places::Text& here = places.of(finding.file, finding.cell);
  Json made = {{"range", json_of(range_in(here, finding.range, client.encoding))},
               {"severity", severity_number(finding.severity)},
               {"code", finding.rule},
               {"source", source_name},
               {"message", message_of(finding, !client.shows_related)}};
  if (!finding.url.empty()) made["codeDescription"] = {{"href", finding.url}};
  if (finding.rule == diagnostics::unused_rule) made["tags"] = {1};  // unnecessary: shown faded
  if (!client.shows_related || finding.related.empty()) return made;
  Json related = Json::array();
  for (const diagnostics::Related& each : finding.related) {
    const Places::Text& there = places.of(each.file, each.cell);
    const Range range = range_in(there, each.range, client.encoding);
    related.push_back(
        {{"location", {{"uri", there.uri}, {"range", json_of(range)}}}, {"message", each.message}});
  }
  made["relatedInformation"] = std::move(related);
  return made;
}

std::map<std::string, Json> all_diagnostics(Documents& documents, const Client& client) {
  std::map<std::string, Json> by_uri;
  for (Root* root : documents.roots()) {
    Places places(*root, documents);
    for (const Diagnostic& finding : root->report().diagnostics) {
      const std::string& uri = places.of(finding.file, finding.cell).uri;
      by_uri.try_emplace(uri, Json::array())
          .first->second.push_back(diagnostic_json(finding, places, client));
    }
  }
  return by_uri;
}

std::string text_of(const Error& error) {
  return error.advice.empty() ? error.message : error.message + "; " + error.advice;
}

Json diagnostic_json(const Error& error) {
  const auto line = static_cast<uint32_t>(std::max(error.line, 1) - 1);
  const auto column = static_cast<uint32_t>(std::max(error.column, 1) - 1);
  return {{"range", json_of(Range{{line, column}, {line, column + 1}})},
          {"severity", 1},
          {"source", source_name},
          {"message", text_of(error)}};
}

Json workspace_edit(const std::vector<diagnostics::Edit>& edits, const Root& root,
                    Documents& documents, const Client& client) {
  std::map<std::string, Json> by_uri;
  for (const diagnostics::Edit& edit : edits) {
    const std::string path = root.absolute(edit.file);
    const Document* document = documents.at(path, edit.cell);
    std::shared_ptr<const text::Source> source = document == nullptr ? nullptr : document->source;
    if (source == nullptr && !edit.cell) {
      Result<std::shared_ptr<const text::Source>> opened = documents.texts().open(path);
      if (opened) source = std::move(opened).value();
    }
    if (source == nullptr) continue;
    const text::Span span = span_of(edit.range, *source);
    const std::string text = fix::with_line_ends_of(source->bytes(), span.begin, edit.text);
    by_uri.try_emplace(documents.uri_of(path, edit.cell), Json::array())
        .first->second.push_back(
            {{"range", json_of(range_of(*source, span, client.encoding))}, {"newText", text}});
  }
  return workspace_edit(std::move(by_uri), documents, client);
}

Json workspace_edit(std::map<std::string, Json> by_uri, const Documents& documents,
                    const Client& client) {
  Json changes = Json::object();
  Json versioned = Json::array();
  for (auto& [uri, of_text] : by_uri) {
    if (!client.versions_edits) {
      changes[uri] = std::move(of_text);
      continue;
    }
    const Document* document = documents.find(uri);
    const Json version = document == nullptr ? Json() : Json(document->version);
    versioned.push_back(
        {{"textDocument", {{"uri", uri}, {"version", version}}}, {"edits", std::move(of_text)}});
  }
  if (client.versions_edits) return {{"documentChanges", std::move(versioned)}};
  return {{"changes", std::move(changes)}};
}

}  // namespace vramlint::lsp
