// SPDX-License-Identifier: MIT
// What the settings of the VS Code extension offer is what the program knows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "knowledge/target.h"
#include "lsp/editor_settings.h"

namespace vramlint {
namespace {

using nlohmann::json;
using ::testing::UnorderedElementsAreArray;

json properties() {
  std::ifstream file(VRAMLINT_SOURCE_DIR "/vscode-extension/package.json");
  return json::parse(file)["contributes"]["configuration"]["properties"];
}

/// The words of a setting; an empty one leaves the choice to the project.
std::vector<std::string> words_of(const char* setting) {
  std::vector<std::string> words = properties()[setting]["enum"];
  EXPECT_EQ(std::erase(words, ""), 1u) << setting;
  return words;
}

TEST(ExtensionManifest, OffersAllPlatforms) {
  const auto names = knowledge::all_platform_names();
  EXPECT_THAT(words_of("vramlint.platform"),
              UnorderedElementsAreArray(std::vector<std::string>(names.begin(), names.end())));
}

TEST(ExtensionManifest, OffersAllSeverities) {
  using diagnostics::Severity;
  std::vector<std::string> names;
  for (const Severity each : {Severity::note, Severity::warning, Severity::error}) {
    names.emplace_back(name_of(each));
  }
  EXPECT_THAT(words_of("vramlint.level"), UnorderedElementsAreArray(names));
}

TEST(ExtensionManifest, HasOnlySettingsThatTheServerOrTheExtensionReads) {
  const json all = properties();
  for (const auto& [name, property] : all.items()) {
    const std::string own = name.substr(sizeof("vramlint.") - 1);
    if (own == "path" || own == "trace.server") continue;
    // No key takes a list of numbers: the one that reads it says so.
    json settings = json::object();
    settings[own] = json::array({7});
    EXPECT_FALSE(lsp::settings_in(settings)) << name;
  }
}

}  // namespace
}  // namespace vramlint
