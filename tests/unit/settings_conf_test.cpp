// SPDX-License-Identifier: MIT
//
// The command `vramlint conf` from options to text: the JSON contract, batches, exit statuses. What
// the answers say about strings is tested where it is decided.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/conf.h"

namespace vramlint::cli {
namespace {

using Json = nlohmann::json;

struct Outcome {
  int status = 0;
  std::string out;
  std::string err;
};

Outcome conf(ConfOptions options, const std::string& input = {}) {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  Outcome run;
  run.status = run_conf(options, knowledge::Knowledge::builtin(), in, out, err);
  run.out = out.str();
  run.err = err.str();
  return run;
}

ConfOptions json_for(const std::string& string, const std::string& torch) {
  ConfOptions options;
  options.string = string;
  options.torch = torch;
  options.json = true;
  return options;
}

TEST(Conf, AnswersInTheContract) {
  const Outcome run = conf(json_for("max_split_size_mb:128,expandable_segments:False", "2.11.0"));
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(
      Json::parse(run.out),
      Json::parse(R"({"string": "max_split_size_mb:128,expandable_segments:False", "torch": "2.11",
                            "accepted": true, "fails_at": null, "problems": [],
                            "settings": {"max_split_size_mb": 128, "expandable_segments": false}})"));
}

TEST(Conf, AReleaseBeyondTheKnownOnesIsTold) {
  EXPECT_EQ(conf(json_for("max_split_size_mb:128", "2.11")).err, "");
  const Outcome run = conf(json_for("max_split_size_mb:128", "2.99"));
  EXPECT_EQ(run.status, 0);
  EXPECT_NE(run.err.find("PyTorch 2.99 is newer than what is known here"), std::string::npos);
}

TEST(Conf, ARefusedStringIsStatusOne) {
  const Outcome run = conf(json_for("max_split_size_mb=128", "2.11"));
  const Json answer = Json::parse(run.out);
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(answer["fails_at"], "import");
  EXPECT_EQ(answer["problems"][0]["rule"], "allocator-separator");
  EXPECT_EQ(answer["problems"][0]["fix"]["text"], ":");
  EXPECT_TRUE(answer["settings"].empty());
}

TEST(Conf, PlacesCountCodePoints) {
  const Json answer = Json::parse(conf(json_for("\u00e4\u00f6:1", "2.11")).out);
  EXPECT_EQ(answer["problems"][0]["start"], 0);
  EXPECT_EQ(answer["problems"][0]["end"], 2);
}

TEST(Conf, AllSixteenIntervalsAreShown) {
  const Json answer =
      Json::parse(conf(json_for("roundup_power2_divisions:[256:1,>:4]", "2.11")).out);
  const Json& divisions = answer["settings"]["roundup_power2_divisions"];
  EXPECT_EQ(divisions.size(), 16u);
  EXPECT_EQ(divisions["1"], 1);
  EXPECT_EQ(divisions["256"], 1);
  EXPECT_EQ(divisions["32768"], 4);
}

TEST(Conf, ABatchIsAnsweredLineByLine) {
  ConfOptions options = json_for("", "2.11");
  options.batch = true;
  const Outcome run = conf(options, "\"expandable_segments:True\"\nnot json\n\"x\"\n\"\\u0000\"\n");
  std::istringstream lines(run.out);
  std::vector<Json> answers;
  for (std::string line; std::getline(lines, line);) answers.push_back(Json::parse(line));
  ASSERT_EQ(answers.size(), 4u);
  EXPECT_EQ(answers[0]["accepted"], true);
  EXPECT_TRUE(answers[1]["string"].is_null());
  EXPECT_EQ(answers[2]["accepted"], false);
  EXPECT_EQ(answers[3]["accepted"], false);
  EXPECT_EQ(run.status, 2);
}

TEST(Conf, ARangeIsRefusedWhereOneReleaseRefuses) {
  const Json answer = Json::parse(conf(json_for("expandable_segments:True", ">=2.0,<2.3")).out);
  EXPECT_EQ(answer["accepted"], false);
  EXPECT_EQ(answer["fails_at"], "init");
  EXPECT_EQ(answer["problems"][0]["severity"], "warning");
}

TEST(Conf, AVariableThatIsNotReadSetsNothing) {
  ConfOptions options = json_for("expandable_segments:true", "2.9");
  options.variable = "PYTORCH_ALLOC_CONF";
  const Outcome run = conf(options);
  const Json answer = Json::parse(run.out);
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(answer["settings"].empty());
  EXPECT_EQ(answer["problems"][0]["rule"], "allocator-variable-unread");
}

TEST(Conf, AdvisesNoVariableThatIsNotReadEither) {
  const Json answer = Json::parse(conf(json_for("backend:native", "1.9")).out);
  EXPECT_TRUE(std::string(answer["problems"][0]["message"]).ends_with("leave it out"));
}

TEST(Conf, OptionsThatMakeNoSenseAreStatusTwo) {
  ConfOptions options = json_for("x", "two");
  EXPECT_EQ(conf(options).status, 2);
  options.torch = "2.11";
  options.variable = "PYTORCH_CUDA_ALOC_CONF";
  const Outcome run = conf(options);
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.err.find("did you mean `PYTORCH_CUDA_ALLOC_CONF`?"), std::string::npos) << run.err;
}

TEST(Conf, TextForPeoplePointsAtThePlace) {
  ConfOptions options;
  options.string = "max_split_size_mb=128";
  options.torch = "2.11";
  const Outcome run = conf(options);
  EXPECT_NE(run.out.find("\n  max_split_size_mb=128\n                   ^\n"), std::string::npos)
      << run.out;
  EXPECT_EQ(run.out.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace vramlint::cli
