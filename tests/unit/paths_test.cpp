// SPDX-License-Identifier: MIT
//
// What a replay says of the ways that a program can go. Each probe is a write of an environment
// variable; what is compared is its value and whether CUDA had been initialised before it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "memory_files.h"
#include "replay/replay.h"

namespace vramlint::replay {
namespace {

using Texts = std::vector<std::string>;

std::string shown(const KnownValue& value) {
  return value.kind == KnownValue::Kind::text ? std::string(value.text) : "?";
}

std::string shown(const Observation& seen) {
  static constexpr const char* words[] = {"no", "perhaps", "yes"};
  const auto init = static_cast<size_t>(knowledge::Moment::cuda_init);
  std::string text = words[static_cast<size_t>(seen.moments[init].certainty)];
  switch (seen.kind) {
    case ObservationKind::variable_write: text = shown(seen.value) + " " + text; break;
    case ObservationKind::variable_removal: text = "removed " + text; break;
    case ObservationKind::child_variable_write: text = "child's " + shown(seen.value); break;
    case ObservationKind::call: text = "call " + text; break;
    case ObservationKind::child_started: text = "started"; break;
    case ObservationKind::child_forked: text = "forked"; break;
    default: text = "other " + text; break;
  }
  if (seen.uncalled) return text + " uncalled";
  if (seen.process != 0) text += " in child";
  return text;
}

Texts shown(const Timeline& timeline) {
  Texts texts;
  for (const Observation& seen : timeline.observations) texts.push_back(shown(seen));
  return texts;
}

/// A project and the session that replays its entries.
class World {
 public:
  explicit World(MemoryFiles files)
      : files_(std::move(files)), project_(files_, names_), session_(make_session(project_)) {}

  Timeline replay(const std::string& entry) {
    return session_.replay({entry, [](std::string_view) { return true; }});
  }

 private:
  static Session make_session(frontends::Project& project) {
    const knowledge::Knowledge& knowledge = knowledge::Knowledge::builtin();
    ReplayOptions options;
    options.root = ".";
    options.torch = knowledge.newest_torch();
    return Session(project, knowledge, std::move(options));
  }

  MemoryFiles files_;
  model::Names names_;
  frontends::Project project_;
  Session session_;
};

/// What the programs here are written with.
const std::string tools =
    "import os\n"
    "import torch\n"
    "def probe(text): os.environ['A'] = text\n"
    "def init(): torch.cuda.init()\n";
const std::string head = "import os\nfrom tools import init, probe\nunknown = input()\n";

Texts run(const std::string& program) {
  World world({{"tools.py", tools}, {"main.py", head + program}});
  return shown(world.replay("main.py"));
}

bool comes_to_its_end(const std::string& program) {
  World world({{"tools.py", tools}, {"main.py", head + program}});
  return world.replay("main.py").complete;
}

TEST(Paths, StatementsRunInTheirOrder) {
  EXPECT_EQ(run("probe('1')\ninit()\nprobe('2')\n"), (Texts{"1 no", "2 yes"}));
  EXPECT_EQ(run(""), Texts());
}

TEST(Paths, UnknownConditionMakesPerhaps) {
  EXPECT_EQ(run("if unknown: init()\nprobe('1')\n"), (Texts{"1 perhaps"}));
  EXPECT_EQ(run("if unknown: init()\nelse: init()\nprobe('1')\n"), (Texts{"1 yes"}));
  EXPECT_EQ(run("if unknown: probe('1')\nelse: init()\n"), (Texts{"1 no"}));
}

TEST(Paths, KnownConditionTakesOneBranch) {
  EXPECT_EQ(run("if 1 + 1 == 2: init()\nelse: probe('never')\nprobe('1')\n"), (Texts{"1 yes"}));
  EXPECT_EQ(run("x = 'a'\nif x in ('b', 'a'): init()\nprobe('1')\n"), (Texts{"1 yes"}));
  EXPECT_EQ(run("if not []: init()\nprobe('1')\n"), (Texts{"1 yes"}));
}

TEST(Paths, OperandsMayStayUnevaluated) {
  EXPECT_EQ(run("unknown and init()\nprobe('1')\n"), (Texts{"1 perhaps"}));
  EXPECT_EQ(run("False and init()\nprobe('1')\n"), (Texts{"1 no"}));
  EXPECT_EQ(run("x = init() if unknown else 1\nprobe('1')\n"), (Texts{"1 perhaps"}));
}

TEST(Paths, AnyAndAllMayEndEarly) {
  const std::string tests = "def test():\n  init()\n  return True\n";
  const auto with = [&](const std::string& call) { return run(tests + call + "\nprobe('1')\n"); };
  EXPECT_EQ(with("any(f() for f in (unknown, test))"), (Texts{"1 perhaps"}));
  EXPECT_EQ(with("all(f() for f in (unknown, test))"), (Texts{"1 perhaps"}));
  EXPECT_EQ(with("any(f() for f in (test, unknown))"), (Texts{"1 yes"}));
  EXPECT_EQ(with("all(f() for f in (test, test))"), (Texts{"1 yes"}));
}

TEST(Paths, TasksRunWhenTheirMakerWaits) {
  const std::string program =
      "import asyncio\nasync def f(): init()\n"
      "async def main():\n  t = asyncio.create_task(f())\n  %\n  probe('1')\n"
      "asyncio.run(main())\nprobe('2')\n";
  const auto with = [&](const std::string& line) {
    std::string text = program;
    return run(text.replace(text.find('%'), 1, line));
  };
  EXPECT_EQ(with("pass"), (Texts{"1 no", "2 no"}));
  EXPECT_EQ(with("await t"), (Texts{"1 yes", "2 yes"}));
  EXPECT_EQ(with("await asyncio.sleep(0)"), (Texts{"1 yes", "2 yes"}));
}

TEST(Paths, MatchTakesTheArmsThatFit) {
  const std::string program = "match %:\n  case 'a': init()\n  case 'b': pass\nprobe('1')\n";
  const auto with = [&](const std::string& subject) {
    std::string text = program;
    return run(text.replace(text.find('%'), 1, subject));
  };
  EXPECT_EQ(with("'a'"), (Texts{"1 yes"}));
  EXPECT_EQ(with("'b'"), (Texts{"1 no"}));
  EXPECT_EQ(with("unknown"), (Texts{"1 perhaps"}));
}

TEST(Paths, LoopsOverKnownThingsRunOnceForEach) {
  EXPECT_EQ(run("for x in ('1', '2'):\n  probe(x)\n  init()\n"), (Texts{"1 no", "2 yes"}));
  EXPECT_EQ(run("for x in []: init()\nelse: probe('else')\n"), (Texts{"else no"}));
  EXPECT_EQ(run("for k, v in {'a': '1'}.items(): probe(v)\n"), (Texts{"1 no"}));
  EXPECT_EQ(run("for i in range(2): probe(str(i))\n"), (Texts{"0 no", "1 no"}));
}

TEST(Paths, LongLoopsLeaveSomethingUnknown) {
  EXPECT_EQ(run("x = ','.join('a' for i in range(30))\nprobe(x)\n"), (Texts{"? no"}));
  EXPECT_EQ(run("x = [i for i in range(100)]\nif len(x) > 50: init()\nprobe('1')\n"),
            (Texts{"1 perhaps"}));
  EXPECT_EQ(run("def g():\n  if unknown: yield 1\nif list(g()): init()\nprobe('1')\n"),
            (Texts{"1 perhaps"}));
  EXPECT_EQ(run("x = [i for i in range(10)]\nif len(x) == 10: init()\nprobe('1')\n"),
            (Texts{"1 yes"}));
}

TEST(Paths, LoopsOverUnknownThingsMayNotRun) {
  EXPECT_EQ(run("for x in unknown: init()\nprobe('1')\n"), (Texts{"1 perhaps"}));
  EXPECT_EQ(run("while unknown: init()\nprobe('1')\n"), (Texts{"1 perhaps"}));
}

TEST(Paths, BreakAndContinueLeave) {
  EXPECT_EQ(run("for x in ('1', '2'):\n  probe(x)\n  break\nelse: probe('else')\n"),
            (Texts{"1 no"}));
  EXPECT_EQ(run("for x in ('1', '2'):\n  if x == '1': continue\n  probe(x)\n"), (Texts{"2 no"}));
  EXPECT_EQ(run("while True:\n  init()\n  if unknown: break\nprobe('1')\n"), (Texts{"1 yes"}));
  EXPECT_EQ(run("while True: pass\nprobe('never')\n"), Texts());
}

TEST(Paths, ReturnEndsACall) {
  EXPECT_EQ(run("def f():\n  if unknown: return\n  init()\nf()\nprobe('1')\n"),
            (Texts{"1 perhaps"}));
  EXPECT_EQ(run("def f():\n  return init()\n  probe('never')\nf()\nprobe('1')\n"),
            (Texts{"1 yes"}));
}

TEST(Paths, WhatIsRaisedIsCaught) {
  EXPECT_EQ(run("try:\n  raise ValueError\nexcept KeyError: init()\nexcept ValueError: probe('1')\n"
                "probe('2')\n"),
            (Texts{"1 no", "2 no"}));
  EXPECT_EQ(run("try:\n  init()\n  raise ValueError\nexcept Exception: pass\nelse: probe('never')\n"
                "probe('1')\n"),
            (Texts{"1 yes"}));
  EXPECT_EQ(run("raise ValueError\nprobe('never')\n"), Texts());
}

TEST(Paths, FinallyRunsOnEveryWay) {
  EXPECT_EQ(run("def f():\n  try: return 1\n  finally: init()\nf()\nprobe('1')\n"),
            (Texts{"1 yes"}));
  EXPECT_EQ(
      run("try:\n  try: raise ValueError\n  finally: init()\nexcept ValueError: probe('1')\n"),
      (Texts{"1 yes"}));
}

TEST(Paths, AnImportMayFail) {
  EXPECT_EQ(run("try:\n  import nobody_knows\n  init()\nexcept ImportError: pass\nprobe('1')\n"),
            (Texts{"1 perhaps"}));
}

TEST(Paths, AHandlerThatNothingReachesIsLookedAt) {
  EXPECT_EQ(run("try: init()\nexcept OSError: probe('1')\nprobe('2')\n"),
            (Texts{"1 perhaps", "2 yes"}));
}

TEST(Paths, GeneratorsRunWhenIterated) {
  const std::string generator = "def g():\n  init()\n  yield '1'\n  probe('after')\n";
  EXPECT_EQ(run(generator + "x = g()\nprobe('0')\n"), (Texts{"0 no"}));
  EXPECT_EQ(run(generator + "for x in g(): probe(x)\n"), (Texts{"1 yes", "after yes"}));
  EXPECT_EQ(run(generator + "x = next(g())\nprobe(x)\n"), (Texts{"1 yes"}));
  EXPECT_EQ(run("x = (init() for i in [1])\nprobe('1')\nlist(x)\nprobe('2')\n"),
            (Texts{"1 no", "2 yes"}));
}

TEST(Paths, GeneratorsGoOnWhereTheyWereLeft) {
  EXPECT_EQ(run("def g():\n  probe('1')\n  yield\n  probe('2')\n  yield\nx = g()\nnext(x)\n"
                "probe('between')\nnext(x)\n"),
            (Texts{"1 no", "between no", "2 no"}));
}

TEST(Paths, CoroutinesRunWhenAwaited) {
  EXPECT_EQ(run("import asyncio\nasync def f(): init()\nx = f()\nprobe('1')\nasyncio.run(x)\n"
                "probe('2')\n"),
            (Texts{"1 no", "2 yes"}));
}

TEST(Paths, ContextManagersEnterAndLeave) {
  EXPECT_EQ(run("class C:\n  def __enter__(self): probe('in')\n"
                "  def __exit__(self, *a): init()\nwith C(): probe('1')\nprobe('2')\n"),
            (Texts{"in no", "1 no", "2 yes"}));
  EXPECT_EQ(
      run("import contextlib\n@contextlib.contextmanager\ndef c():\n  probe('in')\n  yield '1'\n"
          "  init()\nwith c() as x: probe(x)\nprobe('2')\n"),
      (Texts{"in no", "1 no", "2 yes"}));
}

TEST(Paths, ALeftBlockLeavesItsManager) {
  EXPECT_EQ(run("class C:\n  def __enter__(self): pass\n  def __exit__(self, *a): init()\n"
                "def f():\n  with C(): return\nf()\nprobe('1')\n"),
            (Texts{"1 yes"}));
}

TEST(Paths, ClassesAreFollowed) {
  EXPECT_EQ(run("class A:\n  def __init__(self): self.go()\nclass B(A):\n  def go(self): init()\n"
                "B()\nprobe('1')\n"),
            (Texts{"1 yes"}));
  EXPECT_EQ(run("class A:\n  @property\n  def p(self): init()\na = A()\nprobe('1')\na.p\n"
                "probe('2')\n"),
            (Texts{"1 no", "2 yes"}));
  EXPECT_EQ(run("class A:\n  x = init()\nprobe('1')\n"), (Texts{"1 yes"}));
}

TEST(Paths, FunctionsTravelAsValues) {
  EXPECT_EQ(run("d = {'a': init}\nd['a']()\nprobe('1')\n"), (Texts{"1 yes"}));
  EXPECT_EQ(run("import functools\nfunctools.partial(probe, '1')()\n"), (Texts{"1 no"}));
  EXPECT_EQ(run("def twice(f):\n  def w():\n    f()\n    f()\n  return w\n"
                "@twice\ndef f(): probe('1')\nf()\n"),
            (Texts{"1 no", "1 no"}));
}

TEST(Paths, WhatNobodyCallsIsLookedAtInTheEnd) {
  EXPECT_EQ(run("def g(): f()\ndef f(): probe('1')\ninit()\n"), (Texts{"1 yes uncalled"}));
  EXPECT_EQ(run("def f(): init()\nclass C:\n  def m(self): probe('1')\n"),
            (Texts{"1 no uncalled"}));
}

TEST(Paths, ExitsRunLast) {
  EXPECT_EQ(run("import atexit\natexit.register(probe, '2')\nprobe('1')\ninit()\n"),
            (Texts{"1 no", "2 yes"}));
  EXPECT_EQ(run("import sys\nsys.exit()\nprobe('never')\n"), Texts());
}

TEST(Paths, AnExitThatFailsKeepsNoOtherFromRunning) {
  EXPECT_EQ(run("import atexit\natexit.register(probe, '1')\ndef f(): raise ValueError\n"
                "atexit.register(f)\n"),
            (Texts{"1 no"}));
}

TEST(Paths, ForkedChildrenInherit) {
  EXPECT_EQ(run("import multiprocessing as mp\nmp.set_start_method('fork')\ninit()\n"
                "mp.Process(target=probe, args=('1',)).start()\nprobe('2')\n"),
            (Texts{"forked", "1 yes in child", "2 yes"}));
}

TEST(Paths, SpawnedChildrenStartAfresh) {
  EXPECT_EQ(run("import multiprocessing as mp\nif __name__ == '__main__':\n"
                "  mp.set_start_method('spawn')\n  init()\n"
                "  mp.Process(target=probe, args=('1',)).start()\n"),
            (Texts{"started", "1 no in child"}));
}

TEST(Paths, VariablesAreWrittenInManyWays) {
  EXPECT_EQ(run("os.environ.update(A='1', B='2')\nos.environ.setdefault('C', '3')\n"
                "os.putenv('D', '4')\nos.environ |= {'E': '5'}\nos.environ.pop('A')\n"),
            (Texts{"1 no", "2 no", "3 no", "4 no", "5 no", "removed no"}));
  EXPECT_EQ(run("e = os.environ.copy()\ne['CUDA_VISIBLE_DEVICES'] = '1'\n"), (Texts{"child's 1"}));
}

TEST(Paths, LongProgramsEnd) {
  std::string program = "def f40():\n  global seen\n  seen = unknown()\n";
  for (int i = 39; i >= 0; --i) {
    const std::string callee = "f" + std::to_string(i + 1) + "()";
    program += "def f" + std::to_string(i) + "():\n  " + callee + "\n  " + callee + "\n";
  }
  EXPECT_FALSE(comes_to_its_end(program + "f0()\n"));
  EXPECT_TRUE(comes_to_its_end("probe('1')\n"));
}

TEST(Paths, GrowingTextsAreLetGo) {
  std::string doubled = "x = 'ab'\n";
  for (int i = 0; i < 60; ++i) doubled += "x = x + x\n";
  EXPECT_EQ(run(doubled + "probe(x)\n"), (Texts{"? no"}));
  EXPECT_EQ(run("x = 'ab'\nfor i in range(24): x = f'{x}{x}'\nprobe(x)\n"), (Texts{"? no"}));
}

TEST(Paths, KeysAreNotMistakenForOthers) {
  EXPECT_EQ(run("d = {'\\x01': '1', '\\x0199\\x09': '2', 3: '4'}\n"
                "for k, v in d.items(): probe(v)\nfor k in d: k()\n")
                .size(),
            3u);
}

}  // namespace
}  // namespace vramlint::replay
