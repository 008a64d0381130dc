// SPDX-License-Identifier: MIT
#include "validate/verdict.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>

#include "knowledge/knowledge.h"
#include "validate/plan.h"
#include "validate/timeline.h"

namespace vramlint::validate {
namespace {

using knowledge::CriterionRow;
using knowledge::Measure;
using knowledge::Wants;

CriterionRow less_memory() {
  CriterionRow row;
  row.name = "less";
  row.measure = Measure::device_memory;
  row.wants = Wants::lower;
  row.margin = 0.03;
  row.scatter = 0.03;
  return row;
}

CriterionRow in_force() {
  CriterionRow row;
  row.name = "force";
  row.measure = Measure::setting_in_force;
  return row;
}

/// Runs for a test, with addresses that stay.
class Runs {
 public:
  std::vector<const Run*> with_memory(const std::vector<uint64_t>& peaks, int status = 0) {
    std::vector<const Run*> made;
    for (const uint64_t peak : peaks) {
      Run& run = add(status);
      run.has_device = true;
      run.device_peak = peak;
      made.push_back(&run);
    }
    return made;
  }

  std::vector<const Run*> with_setting(const std::vector<bool>& holds, int status = 0) {
    std::vector<const Run*> made;
    for (const bool each : holds) {
      Run& run = add(status);
      TorchReport report;
      report.initialized = true;
      report.in_force["PYTORCH_CUDA_ALLOC_CONF"] = each;
      run.reports.push_back(report);
      made.push_back(&run);
    }
    return made;
  }

 private:
  Run& add(int status) {
    Run& run = runs_.emplace_back();
    run.ended.how = Ended::How::by_itself;
    run.ended.status = status;
    return run;
  }

  std::deque<Run> runs_;
};

Verdict verdict_on(const std::vector<const Run*>& before, const std::vector<const Run*>& after) {
  return judge(less_memory(), before, after, {}).verdict;
}

TEST(Verdict, lower_in_every_run_is_confirmed) {
  Runs runs;
  EXPECT_EQ(verdict_on(runs.with_memory({100, 101}), runs.with_memory({90, 91})),
            Verdict::confirmed);
}

TEST(Verdict, no_lower_is_refuted) {
  Runs runs;
  EXPECT_EQ(verdict_on(runs.with_memory({100, 101}), runs.with_memory({100, 100})),
            Verdict::refuted);
  EXPECT_EQ(verdict_on(runs.with_memory({100, 100}), runs.with_memory({140, 140})),
            Verdict::refuted);
  EXPECT_EQ(verdict_on(runs.with_memory({100, 100}), runs.with_memory({98, 98})), Verdict::refuted);
}

TEST(Verdict, runs_that_scatter_show_nothing) {
  Runs runs;
  EXPECT_EQ(verdict_on(runs.with_memory({90, 110}), runs.with_memory({80, 100})),
            Verdict::inconclusive);
  EXPECT_EQ(verdict_on(runs.with_memory({80, 120}), runs.with_memory({100, 100})),
            Verdict::inconclusive);
}

TEST(Verdict, runs_that_scatter_as_far_as_declared_refute) {
  Runs runs;
  const auto before = [&] { return runs.with_memory({100, 100}); };
  EXPECT_EQ(verdict_on(before(), runs.with_memory({99, 101})), Verdict::refuted);
  EXPECT_EQ(verdict_on(before(), runs.with_memory({98, 102})), Verdict::inconclusive);
  CriterionRow wider = less_memory();
  wider.scatter = 0.05;
  EXPECT_EQ(judge(wider, before(), runs.with_memory({98, 102}), {}).verdict, Verdict::refuted);
}

TEST(Verdict, what_is_promised_can_be_seen_beside_the_scatter) {
  for (const CriterionRow& row : knowledge::Knowledge::builtin().criteria()) {
    if (row.wants != Wants::lower) continue;
    EXPECT_GT(row.margin, 0) << row.name;
    EXPECT_GT(row.scatter, 0) << row.name;
    EXPECT_LE(row.scatter, row.margin) << row.name;
  }
}

TEST(Verdict, a_single_run_shows_nothing) {
  Runs runs;
  EXPECT_EQ(verdict_on(runs.with_memory({100}), runs.with_memory({50})), Verdict::inconclusive);
}

TEST(Verdict, a_fix_that_breaks_the_program_is_refuted) {
  Runs runs;
  EXPECT_EQ(verdict_on(runs.with_memory({100, 100}), runs.with_memory({50, 50}, 1)),
            Verdict::refuted);
  EXPECT_EQ(verdict_on(runs.with_memory({100, 100}, 1), runs.with_memory({50, 50})),
            Verdict::inconclusive);
}

TEST(Verdict, what_could_not_be_measured_is_inconclusive) {
  Runs runs;
  EXPECT_EQ(
      judge(less_memory(), runs.with_setting({true, true}), runs.with_setting({true, true}), {})
          .verdict,
      Verdict::inconclusive);
}

TEST(Verdict, a_setting_has_to_hold_with_the_fix_only) {
  Runs runs;
  const auto judged = [&](const std::vector<bool>& before, const std::vector<bool>& after) {
    return judge(in_force(), runs.with_setting(before), runs.with_setting(after), {}).verdict;
  };
  EXPECT_EQ(judged({false, false}, {true, true}), Verdict::confirmed);
  EXPECT_EQ(judged({false, false}, {false, false}), Verdict::refuted);
  EXPECT_EQ(judged({true, true}, {true, true}), Verdict::inconclusive);
  EXPECT_EQ(judged({false, false}, {true, false}), Verdict::inconclusive);
}

TEST(Verdict, only_the_variables_of_the_rule_are_asked_about) {
  Runs runs;
  const std::vector<std::string_view> others{"NCCL_*"};
  const std::vector<std::string_view> own{"PYTORCH_*"};
  const validate::Run& run = *runs.with_setting({true}).front();
  EXPECT_EQ(measured(Measure::setting_in_force, run, others), 0);
  EXPECT_EQ(measured(Measure::setting_in_force, run, own), 1);
}

TEST(Verdict, one_refuted_promise_refutes_all) {
  Judgement good;
  good.verdict = Verdict::confirmed;
  Judgement bad;
  bad.verdict = Verdict::refuted;
  EXPECT_EQ(overall(std::vector{good, bad}), Verdict::refuted);
  EXPECT_EQ(overall(std::vector{good, good}), Verdict::confirmed);
  EXPECT_EQ(overall(std::vector{good, Judgement()}), Verdict::inconclusive);
  EXPECT_EQ(overall({}), Verdict::inconclusive);
}

TEST(Timeline, is_drawn_with_its_peak) {
  Series series{"a<b", "#123456", false, 0, 2'000'000'000, {}};
  for (uint64_t i = 0; i < 100'000; ++i) {
    series.samples.push_back({i * 20'000, i == 50'000 ? uint64_t{1} << 33 : uint64_t{1} << 20});
  }
  const std::string svg = timeline_svg({series});
  EXPECT_LT(svg.size(), 40'000);
  EXPECT_NE(svg.find("a&lt;b"), std::string::npos);
  EXPECT_NE(svg.find("8000 MiB"), std::string::npos);
}

TEST(Timeline, may_be_empty) {
  EXPECT_NE(timeline_svg({Series{"none", "#000", true, 5, 5, {}}}).find("</svg>"),
            std::string::npos);
}

TEST(Letters, go_on_after_z) {
  EXPECT_EQ(letter_of(0), "A");
  EXPECT_EQ(letter_of(25), "Z");
  EXPECT_EQ(letter_of(26), "AA");
}

}  // namespace
}  // namespace vramlint::validate
