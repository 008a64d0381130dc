// SPDX-License-Identifier: MIT
//
// Each stage of the way alone, in bytes a second, on a program that this file writes: a training
// script of the given number of functions, one in ten of which matters.
#include <benchmark/benchmark.h>

#include <string>

#include "analyze.h"
#include "frontends/python.h"
#include "prefilter/words.h"
#include "settings/allocator_string.h"
#include "syntax/blocks.h"
#include "syntax/tree.h"

namespace {

using namespace vramlint;

std::string script(int functions) {
  std::string text = "import os\nimport torch\n\n";
  for (int i = 0; i < functions; ++i) {
    const std::string name = "step" + std::to_string(i);
    text += "def " + name + "(batch, scale=1.0):\n    total = 0\n";
    text += "    for item in batch:\n        total = total + item * scale\n";
    if (i % 10 == 0) text += "    os.environ[\"NCCL_DEBUG\"] = \"WARN\"\n";
    text += "    return total\n\n\n";
  }
  text += "model = torch.nn.Linear(8, 8).cuda()\n";
  text += "os.environ[\"PYTORCH_CUDA_ALLOC_CONF\"] = \"expandable_segments:True\"\n";
  return text;
}

class OneFile : public text::Files {
 public:
  explicit OneFile(std::string bytes)
      : source_(
            std::make_shared<text::Source>("main.py", std::move(bytes), text::Language::python)) {}

  bool is_file(const std::string& path) const override { return path == "main.py"; }
  bool is_folder(const std::string&) const override { return false; }
  Result<std::shared_ptr<const text::Source>> open(const std::string& path) override {
    if (path == "main.py") return {source_};
    return {Error{path, 0, "no such file", ""}};
  }

 private:
  std::shared_ptr<const text::Source> source_;
};

void count_bytes(benchmark::State& state, const std::string& text) {
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}

void find_words(benchmark::State& state) {
  const std::string text = script(static_cast<int>(state.range(0)));
  const std::string_view words[] = {"PYTORCH_HIP_ALLOC_CONF", "OMP_NUM_THREADS",
                                    "set_start_method"};
  const prefilter::WordSet set(words);
  for (auto _ : state) benchmark::DoNotOptimize(set.any_in(text));
  count_bytes(state, text);
}

void cut_into_blocks(benchmark::State& state) {
  const std::string text = script(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(syntax::top_level_blocks(text));
  count_bytes(state, text);
}

void parse(benchmark::State& state) {
  const std::string text = script(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(syntax::Tree(text).root());
  count_bytes(state, text);
}

void analyze_file(benchmark::State& state) {
  const std::string text = script(static_cast<int>(state.range(0)));
  const knowledge::Knowledge& knowledge = knowledge::Knowledge::builtin();
  AnalyzeOptions options;
  options.target = knowledge::default_target(knowledge);
  for (auto _ : state) {
    OneFile files(text);
    Workspace workspace(knowledge, files);
    benchmark::DoNotOptimize(analyze("main.py", workspace, options));
  }
  count_bytes(state, text);
}

void read_string(benchmark::State& state) {
  const knowledge::Knowledge& knowledge = knowledge::Knowledge::builtin();
  const std::string text = "expandable_segments:True,roundup_power2_divisions:[256:1,512:2,>:8]";
  for (auto _ : state) {
    benchmark::DoNotOptimize(settings::read_allocator_string(text, knowledge.newest_torch(),
                                                             knowledge.allocator_tables()));
  }
  count_bytes(state, text);
}

BENCHMARK(find_words)->Arg(1000);
BENCHMARK(cut_into_blocks)->Arg(1000);
BENCHMARK(parse)->Arg(1000);
BENCHMARK(analyze_file)->Arg(10)->Arg(100)->Arg(1000);
BENCHMARK(read_string);

}  // namespace
