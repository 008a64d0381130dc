// SPDX-License-Identifier: MIT
//
// One test a case of every rule page, and one for the form of each page. The pages are those that
// are compiled in, so that the tests need no disk and their names fit the pages of the same build.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "case_runner.h"
#include "knowledge/knowledge.h"
#include "page_reader.h"

namespace vramlint::pages {
namespace {

using Faults = std::vector<std::string>;

class PageTest : public testing::Test {
 public:
  explicit PageTest(std::function<Faults()> run) : run_(std::move(run)) {}

  void TestBody() override {
    for (const std::string& fault : run_()) ADD_FAILURE() << fault;
  }

 private:
  std::function<Faults()> run_;
};

void add_test(const std::string& suite, const std::string& name, const std::string& file,
              uint32_t line, const std::function<Faults()>& run) {
  testing::RegisterTest(suite.c_str(), name.c_str(), nullptr, nullptr, file.c_str(),
                        static_cast<int>(line), [run]() -> PageTest* { return new PageTest(run); });
}

/// GoogleTest's names have no dashes.
std::string suite_of(const knowledge::RulePage& rule) {
  std::string suite = std::string(rule.family) + "/" + std::string(rule.name);
  std::replace(suite.begin(), suite.end(), '-', '_');
  return suite;
}

void add_page(const knowledge::RulePage& rule, const knowledge::Knowledge& knowledge) {
  const Page page = read_page(rule.text);
  const std::string suite = suite_of(rule);
  const std::string file =
      "rules/" + std::string(rule.family) + "/" + std::string(rule.name) + ".md";
  add_test(suite, "form", file, 1, [page, &rule] { return check_form(page, rule); });
  for (const PageCase& each : page.cases) {
    const std::string name =
        "case" + std::to_string(each.number) + "_line" + std::to_string(each.line);
    add_test(suite, name, file, each.line,
             [each, &knowledge] { return run_case(each, knowledge); });
    if (each.fixed.empty()) continue;
    add_test(suite, name + "_fixed", file, each.line,
             [each, &knowledge] { return run_fix(each, knowledge); });
  }
}

}  // namespace
}  // namespace vramlint::pages

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const vramlint::knowledge::Knowledge& knowledge = vramlint::knowledge::Knowledge::builtin();
  for (const vramlint::knowledge::RulePage& rule : knowledge.pages()) {
    vramlint::pages::add_page(rule, knowledge);
  }
  return RUN_ALL_TESTS();
}
