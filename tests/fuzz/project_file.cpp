// SPDX-License-Identifier: MIT
//
// The files that say which torch a project runs with: requirements, locks, manifests, Dockerfiles.
// The first byte picks the kind. No text of theirs is an error; what they state stands on one of
// their lines; a folder of them, that name one another in a circle too, comes to an answer.
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "config/inference.h"
#include "config/project_files.h"
#include "knowledge/knowledge.h"
#include "require.h"

namespace {

using namespace vramlint::config;
using vramlint::fuzz::require;
using vramlint::knowledge::Knowledge;

/// One of each kind.
constexpr std::array<const char*, 15> names = {
    ".python-version", "uv.lock",      "poetry.lock",    "pixi.lock",        "pylock.toml",
    "pdm.lock",        "Pipfile.lock", "conda-lock.yml", "requirements.txt", "pyproject.toml",
    "pixi.toml",       "setup.cfg",    "Pipfile",        "environment.yml",  "Dockerfile"};

/// Line 0 is the file as a whole.
template <typename Statements>
void require_lines(const Statements& statements, int lines) {
  for (const auto& each : statements) require(each.line >= 0 && each.line <= lines);
}

void require_ascending(const std::optional<StatedVersions>& stated) {
  if (!stated) return;
  require(!stated->versions.empty() && std::ranges::is_sorted(stated->versions));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const Knowledge& tables = Knowledge::builtin();
  const std::string name = names[data[0] % names.size()];
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const int kind = kind_of(name);
  require(kind >= 0);
  const FileStatements said = file_kinds()[static_cast<size_t>(kind)].read(text, tables);
  const int lines = static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1;
  require_lines(said.torch, lines);
  require_lines(said.python, lines);
  require_lines(said.platforms, lines);
  torch_stated_by(said.torch, tables);

  Surroundings surroundings;
  surroundings.read = [&](const std::string&, uint64_t) { return std::optional(text); };
  surroundings.may_include = [](const std::string& path) { return path.starts_with("/p/"); };
  surroundings.shown = [](const std::string& path) { return path; };
  const Inferred inferred =
      infer_from_folder("/p", {name, "requirements.txt"}, surroundings, tables);
  require_ascending(inferred.torch);
  require_ascending(inferred.torch_lock);
  require_ascending(inferred.python);
  inherited(inferred, inferred);
  return 0;
}
