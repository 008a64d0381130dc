// SPDX-License-Identifier: MIT
// Python that stands in a heredoc of a launch file.
#include "frontends/launch/inner_program.h"

#include <gtest/gtest.h>

#include "frontends/launch/launch.h"
#include "replay/launch.h"

namespace vramlint {
namespace {

/// The program in the last heredoc that Python reads, or behind its `-c`, without the blanks around
/// it; `-` for none.
std::string program_in(const std::string& path, const std::string& text) {
  model::Names names;
  const auto source =
      std::make_shared<const text::Source>(path, text, text::language_of(path, text));
  const replay::LaunchReplay made =
      replay::replay_launch(frontends::read_launch(source), knowledge::Knowledge::builtin(), names);
  if (made.scripts.empty() || made.scripts.back().input.empty()) return "-";
  const replay::LaunchedScript& script = made.scripts.back();
  const auto inner = frontends::inner_program(*source, script.input, script.filled_in);
  if (!inner) return "-";
  EXPECT_EQ(inner->bytes(), text);
  EXPECT_EQ(inner->program().size(), text.size());
  const std::string program(inner->program());
  const size_t first = program.find_first_not_of(" \n");
  const size_t line = program.rfind('\n', first) + 1;
  return program.substr(line, program.find_last_not_of(" \n") + 1 - line);
}

TEST(InnerProgram, IsWhatPythonReads) {
  EXPECT_EQ(program_in("a.sh", "python - <<'EOF'\nimport os\nx = \"$A\"\nEOF\n"),
            "import os\nx = \"$A\"");
  EXPECT_EQ(program_in("a.sh", "A=1 srun python3.11 -u -W error <<EOF >log\nx\nEOF\n"), "x");
  EXPECT_EQ(program_in("a.sh", "python - <<EOF 2>&1 | tee log\nx\nEOF\n"), "x");
  EXPECT_EQ(program_in("a.sh", "if a; then python - b <<\\EOF\nx\nEOF\nfi\n"), "x");
}

TEST(InnerProgram, IsNotWhatOthersReadOrTheShellChanges) {
  EXPECT_EQ(program_in("a.sh", "python x.py <<EOF\nx\nEOF\n"), "-");
  EXPECT_EQ(program_in("a.sh", "python -m x <<EOF\nx\nEOF\n"), "-");
  EXPECT_EQ(program_in("a.sh", "python -c x <<EOF\nx\nEOF\n"), "-");
  EXPECT_EQ(program_in("a.sh", "cat <<EOF | python -\nx\nEOF\n"), "-");
  EXPECT_EQ(program_in("a.sh", "docker run -i x python - <<EOF\nx\nEOF\n"), "-");
  EXPECT_EQ(program_in("a.sh", "python - <<EOF\nx = \"\\$A\"\nEOF\n"), "-");
}

TEST(InnerProgram, HasNamesThatNobodyKnowsForWhatTheShellFillsIn) {
  EXPECT_EQ(program_in("a.sh", "python - <<EOF\nx = \"$A\"\nEOF\n"), "x = ____");
  EXPECT_EQ(program_in("a.sh", "python - <<EOF\nx = rb'a`date`' + '$'\nEOF\n"),
            "x = ___________ + '$'");
  EXPECT_EQ(program_in("a.sh", "python - <<EOF\nx = $A + ${B:-1}1  # $C\nEOF\n"),
            "x = __ + _______1  # $C");
  EXPECT_EQ(program_in("a.sh", "python - <<EOF\nx = $(f \"(a)\")\nEOF\n"), "x = __________");
  EXPECT_EQ(program_in("a.sh", "python - <<'EOF'\nx = \"$A\"\nEOF\n"), "x = \"$A\"");
}

TEST(InnerProgram, IsNotReadWhereAnythingMayBeFilledIn) {
  for (const char* line : {"$A", "  ${A}", "x = '''$A'''", "x = \"$A", "x = $(f", "x = `f"})
    EXPECT_EQ(program_in("a.sh", "python - <<EOF\n" + std::string(line) + "\nEOF\n"), "-") << line;
}

TEST(InnerProgram, StandsBehindAnOption) {
  EXPECT_EQ(program_in("a.sh", "python -u -c 'x; y' z.py\n"), "x; y");
  EXPECT_EQ(program_in("a.sh", "A=1 python3 -c \"\nx\n  y\n\"\n"), "x\n  y");
  EXPECT_EQ(program_in("a.yml", "- run: |\n    python -c 'if x:\n      y'\n"), "if x:    \n  y");
  EXPECT_EQ(program_in("a.sh", "python -c \"x \\\"a\\\"\"\n"), "-");
  EXPECT_EQ(program_in("a.sh", "python -c \"x $A\"\n"), "-");
  EXPECT_EQ(program_in("a.sh", "python a.py -c 'x'\n"), "-");
  EXPECT_EQ(program_in("a.sh", "bash -c 'x'\ngrep -c 'python' y\n"), "-");
}

TEST(InnerProgram, LosesTheIndentationThatPythonDoesNotGet) {
  const std::string tabs = "python - <<-EOF\n\tif x:\n\t  y\n\n\tz\n\tEOF\n";
  EXPECT_EQ(program_in("a.sh", tabs), "if x: \n  y\n \nz");
  EXPECT_EQ(program_in("a.sh", "python - <<-EOF\r\n\tx\r\n\ty\r\n\tEOF\r\n"), "x  \ny\r");
  EXPECT_EQ(program_in("a.sh", "python - <<-'EOF'\n\tx = \\\n\t y\n\tEOF\n"), "x = \\\n  y");
  EXPECT_EQ(program_in("a.yml", "- run: |\n    python - <<EOF\n    x\n    y\n    EOF\n"),
            "x    \ny");
}

TEST(InnerProgram, StandsInTheFileAsItIs) {
  EXPECT_EQ(program_in("a.sh", "bash -c $'python - <<EOF\\nx\\nEOF\\n'\n"), "-");
  EXPECT_EQ(program_in("a.yml", "- run: \"python - <<EOF\\nx\\nEOF\\n\"\n"), "-");
  EXPECT_EQ(program_in("a.sh", "bash -c \"python - <<'EOF'\nx = \\\"a\\\"\nEOF\n\"\n"), "-");
}

}  // namespace
}  // namespace vramlint
