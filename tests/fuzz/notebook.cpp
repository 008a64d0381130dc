// SPDX-License-Identifier: MIT
//
// Notebooks, and what is none: each byte of the text knows its place in the file, what a JSON
// library reads in the cells is what stands in the text, and fixes leave a notebook that has the
// same outputs, metadata and other cells as before.
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze.h"
#include "fix/faults.h"
#include "fix/fixer.h"
#include "frontends/notebook.h"
#include "require.h"

namespace {

using vramlint::Result;
using vramlint::diagnostics::Diagnostic;
using vramlint::fix::Texts;
using vramlint::text::Cells;
using vramlint::text::Source;
using Json = nlohmann::json;

constexpr const char* path = "main.ipynb";

const vramlint::knowledge::Knowledge& tables() { return vramlint::knowledge::Knowledge::builtin(); }

std::shared_ptr<const Source> source_of(std::string bytes) {
  return vramlint::frontends::source_of(path, std::move(bytes), vramlint::text::Language::notebook);
}

class Input final : public vramlint::text::Files {
 public:
  explicit Input(std::string bytes) : source_(source_of(std::move(bytes))) {}

  bool is_file(const std::string& file) const override { return file == path; }
  bool is_folder(const std::string& file) const override { return file == "."; }
  Result<std::shared_ptr<const Source>> open(const std::string& file) override {
    if (file == path) return source_;
    return vramlint::Error{file, 0, "there is no such file", ""};
  }

 private:
  std::shared_ptr<const Source> source_;
};

void require_places(const Source& source) {
  const Cells& cells = *source.cells_or_null();
  vramlint::fuzz::require(source.program().size() == cells.text.size());
  uint32_t at = 0;
  uint32_t stored = 0;
  for (const vramlint::text::StoredPiece& piece : cells.pieces) {
    vramlint::fuzz::require(piece.begin == at && piece.size > 0 && piece.stored >= stored);
    at += piece.size;
    stored = piece.stored + piece.stored_size;
    vramlint::fuzz::require(stored <= source.stored().size());
    if (piece.size != piece.stored_size) continue;
    const bool same = source.stored().substr(piece.stored, piece.size) ==
                      source.bytes().substr(piece.begin, piece.size);
    vramlint::fuzz::require(same);
  }
  vramlint::fuzz::require(at == cells.text.size());
}

std::optional<std::string> joined(const Json& source) {
  if (source.is_string()) return source.get<std::string>();
  if (!source.is_array()) return std::nullopt;
  std::string text;
  for (const Json& item : source) {
    if (item.is_string()) text += item.get<std::string>();
  }
  return text;
}

/// Cells that can be told without knowing more than their type and source.
void require_same_text(const Source& source, const Json& json) {
  const Cells& cells = *source.cells_or_null();
  for (const vramlint::text::Cell& cell : cells.all) {
    const auto number = static_cast<std::size_t>(cell.number) - 1;
    if (!json.is_object() || json.contains("worksheets") || !json.contains("cells")) return;
    vramlint::fuzz::require(number < json["cells"].size());
    const Json& found = json["cells"][number];
    if (!found.contains("source")) continue;
    const std::optional<std::string> text = joined(found["source"]);
    vramlint::fuzz::require(text && *text == source.slice(cell.span));
  }
}

class Program final : public vramlint::fix::Subject {
 public:
  explicit Program(std::string bytes) : bytes_(std::move(bytes)) {}

  std::vector<Diagnostic> findings(const Texts& changed) override {
    const auto text = changed.find(path);
    Input files(text == changed.end() ? bytes_ : text->second);
    vramlint::Workspace workspace(tables(), files);
    vramlint::AnalyzeOptions options;
    options.target = vramlint::knowledge::default_target(tables());
    return vramlint::analyze(path, workspace, options).diagnostics;
  }

  std::shared_ptr<const Source> original(const std::string& file) override {
    return file == path ? source_of(bytes_) : nullptr;
  }

 private:
  std::string bytes_;
};

/// The library takes a NUL for the end of the text; for Jupyter, as in any JSON, it is a fault.
Json parsed(const std::string& bytes) {
  const bool has_nul = bytes.find('\0') != std::string::npos;
  return has_nul ? Json(Json::value_t::discarded) : Json::parse(bytes, nullptr, false);
}

/// All that is no source of a code cell.
Json without_code(Json json) {
  if (!json.is_object() || !json.contains("cells") || !json["cells"].is_array()) return json;
  for (Json& cell : json["cells"]) {
    if (cell.is_object() && cell.value("cell_type", Json()) == "code") cell.erase("source");
  }
  return json;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::shared_ptr<const Source> source = source_of(bytes);
  const Json json = parsed(bytes);
  if (!source->fault().empty()) {
    const bool is_notebook = json.is_object() && json.contains("cells") && json["cells"].is_array();
    vramlint::fuzz::require(!is_notebook);
    return 0;
  }
  require_places(*source);
  if (!json.is_discarded()) require_same_text(*source, json);
  vramlint::fix::Options options;
  options.with_unsafe = size % 2 == 0;
  Program program(bytes);
  const vramlint::fix::Outcome outcome = vramlint::fix::make_fixes(program, options);
  const auto fixed = outcome.texts.find(path);
  if (fixed == outcome.texts.end()) return 0;
  const std::shared_ptr<const Source> made = source_of(fixed->second);
  vramlint::fuzz::require(made->fault().empty());
  require_places(*made);
  if (json.is_discarded() || json.contains("worksheets")) return 0;
  const Json after = parsed(fixed->second);
  vramlint::fuzz::require(!after.is_discarded());
  vramlint::fuzz::require(without_code(after) == without_code(json));
  return 0;
}
