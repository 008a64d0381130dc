// SPDX-License-Identifier: MIT
// Scripts that a script sources.
#include "frontends/launch/sourced.h"

#include <gtest/gtest.h>

#include "frontends/launch/launch.h"
#include "memory_files.h"

namespace vramlint {
namespace {

/// The names of the variables that are set, in order, each with its file's number.
std::string set_in(MemoryFiles files) {
  model::Launch launch = frontends::read_launch(files.open("run.sh").value());
  frontends::add_sourced(launch, [&](const std::string& path) {
    const auto opened = files.open(path);
    return opened ? opened.value() : nullptr;
  });
  std::string names;
  for (const model::LaunchStep& step : launch.steps) {
    if (step.kind != model::LaunchStepKind::set) continue;
    names += (names.empty() ? "" : " ") + step.name + std::to_string(step.file);
    if (step.conditional) names += "?";
  }
  return names;
}

TEST(Sourced, StepsStandBehindTheCommand) {
  EXPECT_EQ(set_in({{"run.sh", "A=1\nsource a.sh\nB=1\n"},
                    {"a.sh", "C=1\n. b.sh\nD=1\n"},
                    {"b.sh", "E=1\n"}}),
            "A0 C1 E2 D1 B0");
  EXPECT_EQ(set_in({{"run.sh", "if x; then . a.sh; fi\n"}, {"a.sh", "A=1\n"}}), "A1?");
}

TEST(Sourced, EachOnceAndOnlyWhatIsNamedInFull) {
  EXPECT_EQ(set_in({{"run.sh", ". a.sh\n. a.sh\n. run.sh\nB=1\n"}, {"a.sh", "A=1\n. a.sh\n"}}),
            "A1 B0");
  EXPECT_EQ(set_in({{"run.sh", "source $X/a.sh\nsource a.py\nsource none.sh\ncd x\n. a.sh\n"},
                    {"a.sh", "A=1\n"},
                    {"a.py", "A=1\n"}}),
            "");
}

}  // namespace
}  // namespace vramlint
