// SPDX-License-Identifier: MIT
// What the shell front end and the replay of launch files make of shell text.
#include <gtest/gtest.h>

#include "launched.h"

namespace vramlint {
namespace {

std::string shell(const std::string& text) { return launched("run.sh", text); }

TEST(Shell, ExportsInAllForms) {
  EXPECT_EQ(shell("export A=1 B='x y' C=\"z\"\n"), "A=1; B=x y; C=z");
  EXPECT_EQ(shell("A=1\nexport A\n"), "A=1");
  EXPECT_EQ(shell("declare -x A=1\n"), "A=1");
  EXPECT_EQ(shell("set -a\nA=1\nset +a\nB=2\n"), "A=1");
  EXPECT_EQ(shell("export A=1\nA=2\n"), "A=1; A=2");
  EXPECT_EQ(shell("export A=1; unset A\n"), "A=1; -A");
  EXPECT_EQ(shell("export A=1\nexport A+=,2\n"), "A=1; A=…,2");
}

TEST(Shell, InFrontOfAProgram) {
  EXPECT_EQ(shell("A=1 B=2 \\\n  python x.py\n"), "(A=1); (B=2); !python");
  EXPECT_EQ(shell("env -u C A=1 python x.py\n"), "(A=1); !python");
  EXPECT_EQ(shell("nohup env A=1 python x.py > log 2>&1 &\n"), "(A=1); !python");
  EXPECT_EQ(shell("srun --export=ALL,A=1,B=2 python x.py\n"), "(A=1); (B=2); !python");
  EXPECT_EQ(shell("mpirun -np 2 -x A=1 -x B python x.py\n"), "(A=1); !python");
  EXPECT_EQ(shell("docker run -e A=1 --env B=2 --env=C=3 i python x.py\n"),
            "(A=1); (B=2); (C=3); !python");
}

TEST(Shell, ValuesAsFarAsTheFileSaysThem) {
  EXPECT_EQ(shell("X=1\nexport A=$X,2\n"), "A=1,2");
  EXPECT_EQ(shell("export A=${A:-1}\n"), "A=1 by default");
  EXPECT_EQ(shell("export A=$A,1\n"), "A=…,1");
  EXPECT_EQ(shell("export A=a:${X:-1},b:${Y:-2}\nX=3\nB=a:${X:-1} python x.py\n"),
            "A=a:1,b:2 by default; (B=a:3); !python");
  EXPECT_EQ(shell("export A=0\nexport A=$A,1\n"), "A=0; A=0,1");
  EXPECT_EQ(shell("export A=$(date)\n"), "A=?");
  EXPECT_EQ(shell("export A={{ x }}\n"), "A=?");
  EXPECT_EQ(shell("export A=a\\ b\n"), "A=a b (elsewhere)");
}

TEST(Shell, BranchesLoopsAndFunctions) {
  EXPECT_EQ(shell("if [ $X ]; then export A=1; else export A=2; fi\n"),
            "![; A=1 perhaps; A=2 perhaps");
  EXPECT_EQ(shell("for i in 1 2; do\n export A=1\ndone\nexport B=1\n"), "A=1 perhaps; B=1");
  EXPECT_EQ(shell("case $X in\n a|b) export A=1 ;;\n *) export A=2 ;;\nesac\nexport B=1\n"),
            "A=1 perhaps; A=2 perhaps; B=1");
  EXPECT_EQ(shell("[[ $X && -z $Y ]] && export A=1\nexport B=1\n"), "A=1 perhaps; B=1");
  EXPECT_EQ(shell("f() {\n export A=1\n}\nfunction g {\n export B=1\n}\n"), "A=1; B=1");
  EXPECT_EQ(shell("(export A=1; python x.py)\n"), "A=1; !python");
}

TEST(Shell, WhatIsForTheScheduler) {
  EXPECT_EQ(shell("#SBATCH --export=ALL,A=1,B\n#SBATCH -N 1 --export C=2\n# SBATCH --export=D=1\n"),
            "A=1; C=2");
}

TEST(Shell, TextInText) {
  EXPECT_EQ(shell("bash -c 'export A=1; python x.py'\n"), "A=1; !python");
  EXPECT_EQ(shell("A=1 bash -lc \"python x.py\"\n"), "A=1; !python");
  EXPECT_EQ(shell("sbatch <<EOF\nexport A=1\nsrun python x.py\nEOF\nexport B=1\n"),
            "!sbatch; A=1; !python; B=1");
  EXPECT_EQ(shell("cat > x.sh <<'EOF'\nexport A=1\nEOF\nexport B=1\n"), "!cat; B=1");
  EXPECT_EQ(shell("python - <<EOF\nimport os\nEOF\n"), "!python");
  EXPECT_EQ(shell("eval \"export A=1\"\n"), "A=1");
  EXPECT_EQ(shell("tmux send-keys -t x \"A=1 python x.py\" C-m\n"), "(A=1); !python");
  EXPECT_EQ(shell("ssh host 'export A=1; python x.py'\n"), "A=1; !python");
}

TEST(CShell, HasWordsOfItsOwn) {
  const auto csh = [](const std::string& text) { return shell("#!/bin/tcsh -f\n" + text); };
  EXPECT_EQ(csh("setenv NCCL_DEBUG INFO\nset A = (1 2)\nset OMP_NUM_THREADS=4\npython x.py\n"),
            "NCCL_DEBUG=INFO; !python");
  EXPECT_EQ(csh("setenv A 1\nunsetenv A\n"), "A=1; -A");
  EXPECT_EQ(csh("if ($x == 1) then\n setenv A 1\nelse\n setenv A 2\nendif\nsetenv B 1\n"),
            "A=1 perhaps; A=2 perhaps; B=1");
  EXPECT_EQ(csh("if ($?A) setenv A 1\nforeach i (1 2)\n setenv B $i\nend\nsetenv C 1\n"),
            "A=1 perhaps; B=? perhaps; C=1");
  EXPECT_EQ(csh("export NCCL_DEBUG=INFO\nNCCL_DEBUG=INFO python x.py\n"),
            "NCCL_DEBUG?; NCCL_DEBUG?");
  EXPECT_EQ(csh("bash -c 'export A=1; B=2 python x.py'\n"), "A=1; (B=2); !python");
  EXPECT_EQ(shell("#!/bin/bash\n# csh\nsetenv NCCL_DEBUG INFO\n"), "NCCL_DEBUG?");
}

TEST(Shell, MapsInText) {
  const std::string variable = "\\\"CUDA_VISIBLE_DEVICES\\\": \\\"0\\\"";
  EXPECT_EQ(shell("X=\"{\\\"env_vars\\\": {" + variable + "}}\"\n"), "(CUDA_VISIBLE_DEVICES=0)");
  EXPECT_EQ(shell("ray job submit --runtime-env-json='{\"CUDA_VISIBLE_DEVICES\": \"0\"}' -- x\n"),
            "(CUDA_VISIBLE_DEVICES=0); !ray");
}

TEST(Shell, CommentsAndTextAreNoSettings) {
  EXPECT_EQ(shell("# export A=1\necho x # export A=1\n"), "!echo");
  EXPECT_EQ(shell("echo export A=1\necho 'export A=1'\n"), "!echo; !echo");
  EXPECT_EQ(shell("echo \"x\nexport A=1\n\"\n"), "!echo");
}

TEST(Shell, WhatNobodyGets) {
  EXPECT_EQ(shell("CUDA_VISIBLE_DEVICES=0\npython x.py\n"), "CUDA_VISIBLE_DEVICES?; !python");
  EXPECT_EQ(shell("CUDA_VISIBLE_DEVICES=0\necho $CUDA_VISIBLE_DEVICES\npython x.py\n"),
            "!echo; !python");
  EXPECT_EQ(shell("CUDA_VISIBLE_DEVICES=0\npkill -9 python\n"), "!pkill");
  EXPECT_EQ(shell("CUDA_VISIBLE_DEVICES=0\napt-get install python3\n"), "!apt-get");
  EXPECT_EQ(shell("OWN=0\npython x.py\n"), "!python");
  EXPECT_EQ(shell("python x.py\nexport CUDA_VISIBLE_DEVICES=0\n"),
            "!python; CUDA_VISIBLE_DEVICES=0; CUDA_VISIBLE_DEVICES?");
}

TEST(Shell, BrokenTextIsReadAsFarAsItGoes) {
  EXPECT_EQ(shell("export A=1\nexport B='never closed\n"), "A=1; B=never closed\n");
  EXPECT_EQ(shell("fi\ndone\n}\n)\nesac\nexport A=1\n"), "A=1");
  EXPECT_EQ(shell("export A=${never\n"), "A=?");
  EXPECT_EQ(shell("cat <<EOF\nexport A=1\n"), "!cat");
  EXPECT_EQ(shell("export A=1\r\nexport B=2\r\n"), "A=1; B=2");
}

}  // namespace
}  // namespace vramlint
