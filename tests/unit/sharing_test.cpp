// SPDX-License-Identifier: MIT
//
// Imports that a session keeps for the entries after the first: each entry must see what it would
// see alone.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "memory_files.h"
#include "replay/replay.h"

namespace vramlint::replay {
namespace {

const knowledge::Knowledge& tables() { return knowledge::Knowledge::builtin(); }

std::string shown(const Timeline& timeline, Place place) {
  return fmt::format("{}:{}-{}", timeline.files.at(place.file)->path(), place.span.begin,
                     place.span.end);
}

std::string shown(const Timeline& timeline, EventId id) {
  const Event& event = timeline.events.at(id);
  std::string text = id == 0 ? "start" : shown(timeline, event.place);
  for (const Place& call : event.calls) text += " by " + shown(timeline, call);
  return text;
}

std::string shown(const KnownValue& value) {
  return fmt::format("{} {} {}", static_cast<int>(value.kind), value.text, value.integer);
}

/// All that an observation says, with places instead of the numbers of a timeline.
std::string shown(const Timeline& timeline, const Observation& seen) {
  std::string text =
      fmt::format("{} {} = {} at {} before {} {} in {}{}", static_cast<int>(seen.kind), seen.name,
                  shown(seen.value), shown(timeline, seen.event), static_cast<int>(seen.before),
                  shown(seen.value_before), seen.process, seen.uncalled ? " uncalled" : "");
  for (const std::string_view name : seen.unread) text += fmt::format(" unread {}", name);
  for (size_t i = 1; i < knowledge::moment_count; ++i) {
    const MomentState& state = seen.moments[i];
    if (state.certainty == Certainty::no) continue;
    text += fmt::format("\n  {} {} {}", i, static_cast<int>(state.certainty),
                        shown(timeline, state.event));
    text += " with " + shown(seen.in_force[i]);
  }
  return text;
}

std::vector<std::string> shown(const Timeline& timeline) {
  std::vector<std::string> texts;
  for (const Observation& seen : timeline.observations) texts.push_back(shown(timeline, seen));
  return texts;
}

class World {
 public:
  explicit World(MemoryFiles& files)
      : project_(files, names_), session_(project_, tables(), options()) {}

  std::vector<std::string> replay(const std::string& entry) {
    return shown(session_.replay({entry, [](std::string_view) { return true; }}));
  }

 private:
  static ReplayOptions options() {
    ReplayOptions made;
    made.root = ".";
    made.torch = tables().newest_torch();
    made.observed_calls = {"torch.cuda.memory_allocated"};
    return made;
  }

  model::Names names_;
  frontends::Project project_;
  Session session_;
};

/// Replays `entries` one after the other and compares each with a session of its own.
void expect_same(MemoryFiles files, const std::vector<std::string>& entries) {
  World together(files);
  for (int round = 0; round < 2; ++round) {
    for (const std::string& entry : entries) {
      EXPECT_EQ(together.replay(entry), World(files).replay(entry)) << entry << ' ' << round;
    }
  }
}

const std::string probe = "import os\nos.environ['CUDA_VISIBLE_DEVICES'] = '0'\n";
const std::vector<std::string> scripts = {"jobs/a.py", "jobs/b.py", "other/c.py"};

/// Three scripts that import `lib`, whose parts are given.
MemoryFiles project_with(const std::string& lib, const std::string& part = "") {
  return {{"lib/__init__.py", lib},
          {"lib/part.py", part},
          {"jobs/a.py", "import lib.part\n" + probe},
          {"jobs/b.py", probe + "from lib import *\nfrom lib import part\n" + probe},
          {"other/c.py", "import torch\ntorch.cuda.init()\nimport lib\n" + probe + "lib.use()\n"}};
}

TEST(Sharing, ModulesThatDefine) {
  expect_same(project_with("def use(): pass\nclass A:\n  x = 1\nDEVICE = 'cuda'\n", "y = 2\n"),
              scripts);
}

TEST(Sharing, ModulesThatBringMoments) {
  expect_same(project_with("import torch\ntorch.cuda.init()\nfrom . import part\n",
                           "import torch\nx = torch.ones(1, device='cuda')\n"),
              scripts);
}

TEST(Sharing, ModulesThatWriteVariables) {
  expect_same(project_with("import os\nos.environ['PYTORCH_CUDA_ALLOC_CONF'] = 'a:1'\n"
                           "os.environ.setdefault('CUDA_VISIBLE_DEVICES', '1')\n",
                           probe),
              scripts);
}

TEST(Sharing, ModulesThatRemoveVariables) {
  expect_same(
      project_with("import os\nos.environ.pop('CUDA_VISIBLE_DEVICES', None)\n"
                   "os.environ['OMP_NUM_THREADS'] = '1'\ndel os.environ['OMP_NUM_THREADS']\n"
                   "if input(): os.environ.pop('CUDA_VISIBLE_DEVICES')\n",
                   "import os\nbefore = os.environ.get('NCCL_DEBUG')\n"
                   "os.environ['NCCL_DEBUG'] = 'INFO'\n"
                   "os.environ['NCCL_DEBUG'] = before\n"),
      scripts);
}

TEST(Sharing, ModulesThatDoSoPerhaps) {
  expect_same(project_with("import os, torch\nif input(): torch.cuda.init()\n"
                           "if input(): os.environ['CUDA_VISIBLE_DEVICES'] = '2'\n",
                           "try:\n  import nobody\nexcept ImportError:\n  import torch\n"),
              scripts);
}

TEST(Sharing, ModulesThatPatchOthers) {
  expect_same(project_with("import torch\ndef nothing(): pass\ntorch.cuda.init = nothing\n"),
              scripts);
}

TEST(Sharing, ModulesThatStartPrograms) {
  expect_same(project_with("import os, subprocess\nsubprocess.run(['python', 'a.py'])\n"
                           "subprocess.run(['git', 'log'])\nos.environ['OMP_NUM_THREADS'] = '1'\n",
                           "import os\nos.system('CUDA_VISIBLE_DEVICES=0 ./train')\n"
                           "def run():\n  os.popen('nvidia-smi')\nrun()\n"),
              scripts);
}

TEST(Sharing, ModulesThatStartProgramsElsewhere) {
  expect_same(project_with("import subprocess\n"
                           "subprocess.run(['python', 'a.py'], env={'PATH': '/bin'})\n"),
              scripts);
}

TEST(Sharing, ModulesThatRegisterExits) {
  expect_same(
      project_with("import atexit, os\ndef bye(): os.environ['CUDA_VISIBLE_DEVICES'] = '3'\n"
                   "atexit.register(bye)\n"),
      scripts);
}

TEST(Sharing, ModulesWithAState) {
  expect_same(project_with("seen = []\nstate = {}\ndef use():\n  import os\n"
                           "  if seen: os.environ['CUDA_VISIBLE_DEVICES'] = '4'\n"
                           "  seen.append(1)\n  state['a'] = 1\nuse()\n",
                           "from . import seen, use\nuse()\n"),
              scripts);
}

TEST(Sharing, ModulesThatStopOrFail) {
  expect_same(project_with("import sys\nif input(): sys.exit()\n", "raise ValueError\n"), scripts);
  expect_same(project_with("import sys\nsys.exit()\n"), scripts);
}

TEST(Sharing, ModulesInCircles) {
  expect_same({{"lib/__init__.py", "from .a import *\nfrom .b import *\n"},
               {"lib/a.py", "from .b import *\nfrom lib import b\nimport torch\nx = 1\n"},
               {"lib/b.py",
                "from .a import *\nfrom . import a\ntry: torch.cuda.init()\nexcept "
                "NameError: pass\n"},
               {"s/a.py", "import lib\n" + probe},
               {"s/b.py", "from lib.b import *\n" + probe}},
              {"s/a.py", "s/b.py", "lib/a.py", "lib/b.py", "lib/__init__.py"});
}

TEST(Sharing, EntriesThatAreModulesThemselves) {
  expect_same(project_with("from . import part\n" + probe, "import torch\ntorch.cuda.init()\n"),
              {"lib/part.py", "jobs/a.py", "lib/__init__.py", "jobs/b.py", "lib/part.py"});
}

TEST(Sharing, ModulesOfTheSameNameInOtherFolders) {
  expect_same({{"util.py", "import torch\ntorch.cuda.init()\n"},
               {"jobs/util.py", "x = 1\n"},
               {"lib.py", "import util\n"},
               {"jobs/a.py", "import lib\n" + probe},
               {"other/c.py", "import lib\n" + probe}},
              {"jobs/a.py", "other/c.py"});
}

/// Lines that define, import, bring moments about, write variables, change what others see, or
/// fail.
const std::vector<std::string> lines = {
    "import os",
    "import torch",
    "from lib import *",
    "from lib import a, b",
    "import lib.a as other",
    "from . import c",
    "from .b import *",
    "import nobody_knows",
    "torch.cuda.init()",
    "x = torch.ones(1, device='cuda')",
    "torch.cuda.memory_allocated()",
    "os.environ['CUDA_VISIBLE_DEVICES'] = '0'",
    "os.environ.setdefault('CUDA_VISIBLE_DEVICES', '1')",
    "os.environ.pop('CUDA_VISIBLE_DEVICES', None)",
    "if unknown: torch.cuda.init()",
    "if unknown: os.environ['CUDA_VISIBLE_DEVICES'] = '2'",
    "if os.environ.get('CUDA_VISIBLE_DEVICES') == '0': torch.cuda.init()",
    "def use(): torch.cuda.init()",
    "def use(): state.append(1)",
    "def use(x=[]): x.append(len(x)); os.environ['CUDA_VISIBLE_DEVICES'] = str(len(x))",
    "use()",
    "state = []",
    "state.append(1)",
    "if state: torch.cuda.init()",
    "class A:\n  def m(self): torch.cuda.init()",
    "A().m()",
    "A.m = lambda self: None",
    "torch.cuda.init = print",
    "import lib.a; lib.a.state = [1]",
    "import lib.a; lib.a.use()",
    "try: import lib.b\nexcept ImportError: pass",
    "try: use()\nfinally: state = [2]",
    "import atexit; atexit.register(use)",
    "import sys; sys.exit()",
    "raise ValueError",
    "with torch.device('cuda'): y = torch.ones(1)",
    "torch.set_default_device('cuda')",
    "import multiprocessing as mp; mp.set_start_method('spawn')",
    "import multiprocessing as mp; mp.Process(target=use).start()",
    "for i in range(3): state.append(i)",
    "z = {use: 1, 2: 3}",
    "for k in z: k()",
};

/// Modules at random in `lib`, and two scripts beside it.
MemoryFiles random_project(std::mt19937& random, std::string& all) {
  MemoryFiles files = {};
  for (const std::string path :
       {"lib/__init__.py", "lib/a.py", "lib/b.py", "lib/c.py", "s.py", "t.py"}) {
    std::string text;
    for (size_t i = random() % 7; i-- > 0;) text += lines[random() % lines.size()] + "\n";
    if (!path.starts_with("lib")) text += probe;
    files.add(path, text);
    all += "# " + path + "\n" + text;
  }
  return files;
}

TEST(Sharing, AnyProjectTellsEachEntryTheSame) {
  std::mt19937 random(5);
  for (int round = 0; round < 400; ++round) {
    std::string all;
    MemoryFiles files = random_project(random, all);
    World together(files);
    for (const std::string entry : {"s.py", "t.py", "lib/c.py", "lib/a.py", "s.py"}) {
      ASSERT_EQ(together.replay(entry), World(files).replay(entry)) << entry << "\n" << all;
    }
  }
}

TEST(Sharing, CallsKeepTheirPlaces) {
  expect_same(project_with("import torch\ndef use():\n  torch.cuda.memory_allocated()\n",
                           "from . import use\nuse()\n"),
              scripts);
}

}  // namespace
}  // namespace vramlint::replay
