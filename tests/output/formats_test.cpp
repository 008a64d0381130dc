// SPDX-License-Identifier: MIT
// Each output format against its expected file, `<format>.expected`: what it makes of every sample.
// `VRAMLINT_BLESS=1` writes the files anew; the difference is then for `git diff` to show.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "output/format.h"
#include "samples.h"

namespace vramlint::output {

namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(VRAMLINT_SOURCE_DIR) / "tests" / "output";

std::string what_it_makes(const Format& format) {
  std::string text;
  for (const Sample& sample : all_samples()) {
    text += "=== " + sample.name + "\n" + format.write(sample.report, {});
  }
  return text;
}

std::string bytes_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool blessing() { return std::getenv("VRAMLINT_BLESS") != nullptr; }

/// Takes the format's name, so that a failure names it.
class Formats : public testing::TestWithParam<std::string> {
 protected:
  const Format& format() const { return *find_format(GetParam()); }
};

TEST_P(Formats, WriteWhatIsExpected) {
  const fs::path path = folder / (GetParam() + ".expected");
  const std::string made = what_it_makes(format());
  if (blessing()) std::ofstream(path, std::ios::binary) << made;
  ASSERT_TRUE(fs::exists(path)) << "run with VRAMLINT_BLESS=1 to write " << path;
  EXPECT_EQ(bytes_of(path), made);
}

TEST_P(Formats, EndWithALineEnd) {
  for (const Sample& sample : all_samples()) {
    const std::string text = format().write(sample.report, {});
    EXPECT_TRUE(text.empty() || text.back() == '\n') << sample.name;
  }
}

TEST_P(Formats, LetNoSourceSteerTheTerminal) {
  EXPECT_EQ(what_it_makes(format()).find('\x1b'), std::string::npos);
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const Format& format : all_formats()) names.emplace_back(format.name);
  return names;
}

std::string as_it_is(const testing::TestParamInfo<std::string>& info) { return info.param; }

INSTANTIATE_TEST_SUITE_P(All, Formats, testing::ValuesIn(format_names()), as_it_is);

TEST(ExpectedFiles, BelongToAFormat) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".expected") continue;
    EXPECT_NE(find_format(entry.path().stem().string()), nullptr) << entry.path();
  }
}

TEST(Colour, IsOnlyThereWhenAsked) {
  for (const Sample& sample : all_samples()) {
    if (sample.name != "ordinary") continue;
    const Format* full = find_format("full");
    ASSERT_NE(full, nullptr);
    EXPECT_NE(full->write(sample.report, {true}).find("\x1b[1;31m"), std::string::npos);
  }
}

using Json = nlohmann::json;

std::set<std::string> keys_of(const Json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

using Keys = std::set<std::string>;

TEST(JsonContract, HasExactlyTheseFields) {
  const Format* json = find_format("json");
  ASSERT_NE(json, nullptr);
  for (const Sample& sample : all_samples()) {
    const Json report = Json::parse(json->write(sample.report, {}));
    EXPECT_EQ(keys_of(report),
              (Keys{"version", "tool", "target", "files", "diagnostics", "errors"}));
    EXPECT_EQ(keys_of(report["tool"]), (Keys{"name", "version"}));
    EXPECT_EQ(keys_of(report["target"]), (Keys{"torch", "python", "platform"}));
    for (const Json& finding : report["diagnostics"]) {
      EXPECT_EQ(keys_of(finding), (Keys{"rule", "code", "family", "severity", "message", "file",
                                        "cell", "range", "related", "torch", "fix", "url"}));
      EXPECT_EQ(keys_of(finding["range"]), (Keys{"start", "end"}));
      EXPECT_EQ(keys_of(finding["range"]["start"]), (Keys{"line", "column"}));
      for (const Json& place : finding["related"]) {
        EXPECT_EQ(keys_of(place), (Keys{"file", "range", "message"}));
      }
      if (finding["fix"].is_null()) continue;
      EXPECT_EQ(keys_of(finding["fix"]), (Keys{"applicability", "title", "edits"}));
      EXPECT_EQ(keys_of(finding["fix"]["edits"][0]), (Keys{"file", "range", "text"}));
    }
    for (const Json& error : report["errors"]) EXPECT_EQ(keys_of(error), (Keys{"file", "message"}));
  }
}

Json written_as(const char* format, const Report& report) {
  return Json::parse(find_format(format)->write(report, {}));
}

bool is_subset(const Keys& keys, const Keys& allowed) {
  return std::includes(allowed.begin(), allowed.end(), keys.begin(), keys.end());
}

/// What SARIF's schema asks of a region, and that it doesn't end before it begins.
void expect_region(const Json& region) {
  ASSERT_EQ(keys_of(region), (Keys{"startLine", "startColumn", "endLine", "endColumn"}));
  for (const auto& [key, value] : region.items()) EXPECT_GE(value.get<uint64_t>(), 1u) << key;
  EXPECT_LE(region["startLine"], region["endLine"]);
}

void expect_artifact(const Json& artifact) {
  EXPECT_TRUE(is_subset(keys_of(artifact), {"uri", "uriBaseId"}));
  const std::string uri = artifact["uri"];
  static constexpr const char* allowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%-._~/";
  EXPECT_EQ(uri.find_first_not_of(allowed), std::string::npos) << uri;
}

void expect_places(const Json& locations) {
  for (const Json& location : locations) {
    const Json& place = location["physicalLocation"];
    expect_artifact(place["artifactLocation"]);
    if (place.contains("region")) expect_region(place["region"]);
  }
}

void expect_sarif_result(const Json& result, std::size_t rules) {
  EXPECT_TRUE(is_subset(keys_of(result),
                        {"ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations",
                         "partialFingerprints", "fixes", "properties"}));
  EXPECT_EQ(keys_of(result["message"]), Keys{"text"});
  if (result.contains("ruleIndex")) {
    EXPECT_LT(result["ruleIndex"].get<std::size_t>(), rules);
  }
  EXPECT_TRUE((Keys{"error", "warning", "note"}).contains(result["level"]));
  expect_places(result["locations"]);
  if (result.contains("relatedLocations")) expect_places(result["relatedLocations"]);
  if (!result.contains("fixes")) return;
  for (const Json& change : result["fixes"][0]["artifactChanges"]) {
    expect_artifact(change["artifactLocation"]);
    for (const Json& each : change["replacements"]) expect_region(each["deletedRegion"]);
  }
}

TEST(SarifContract, HasOnlyWhatTheSchemaKnows) {
  for (const Sample& sample : all_samples()) {
    const Json log = written_as("sarif", sample.report);
    EXPECT_EQ(keys_of(log), (Keys{"$schema", "version", "runs"}));
    EXPECT_EQ(log["version"], "2.1.0");
    const Json& run = log["runs"][0];
    EXPECT_EQ(keys_of(run), (Keys{"tool", "invocations", "originalUriBaseIds", "columnKind",
                                  "newlineSequences", "results", "properties"}));
    const Json& rules = run["tool"]["driver"]["rules"];
    for (const Json& rule : rules) {
      EXPECT_EQ(keys_of(rule), (Keys{"id", "name", "shortDescription", "fullDescription", "help",
                                     "defaultConfiguration", "properties"}));
    }
    EXPECT_EQ(run["results"].size(), sample.report.diagnostics.size());
    for (const Json& result : run["results"]) expect_sarif_result(result, rules.size());
    const Json& invocation = run["invocations"][0];
    EXPECT_EQ(invocation["executionSuccessful"], sample.report.errors.empty());
    EXPECT_EQ(invocation["toolExecutionNotifications"].size(), sample.report.errors.size());
  }
}

TEST(GitlabContract, HasWhatGitlabAsksFor) {
  for (const Sample& sample : all_samples()) {
    Keys fingerprints;
    for (const Json& issue : written_as("gitlab", sample.report)) {
      EXPECT_EQ(keys_of(issue), (Keys{"type", "check_name", "description", "categories",
                                      "fingerprint", "severity", "location"}));
      EXPECT_TRUE(issue["location"].contains("lines") || issue["location"].contains("positions"));
      fingerprints.insert(issue["fingerprint"]);
    }
    EXPECT_EQ(fingerprints.size(), sample.report.diagnostics.size());
  }
}

TEST(RdjsonContract, HasOnlyWhatEveryReleaseOfReviewdogKnows) {
  for (const Sample& sample : all_samples()) {
    const Json json = written_as("rdjson", sample.report);
    EXPECT_EQ(keys_of(json), (Keys{"source", "diagnostics"}));
    EXPECT_EQ(json["diagnostics"].size(),
              sample.report.diagnostics.size() + sample.report.errors.size());
    for (const Json& each : json["diagnostics"]) {
      EXPECT_TRUE(
          is_subset(keys_of(each), {"message", "location", "severity", "code", "suggestions"}));
      EXPECT_TRUE(is_subset(keys_of(each["location"]), {"path", "range"}));
    }
  }
}

TEST(GithubContract, IsOneLineACommand) {
  for (const Sample& sample : all_samples()) {
    const std::string text = find_format("github")->write(sample.report, {});
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    EXPECT_EQ(lines, sample.report.diagnostics.size() + sample.report.errors.size());
    EXPECT_EQ(text.find('\r'), std::string::npos);
  }
}

}  // namespace

}  // namespace vramlint::output
