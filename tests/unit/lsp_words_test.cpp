// SPDX-License-Identifier: MIT
// What is said of the word at a place, and what is offered there: the place is `^` in the text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "lsp/completion.h"
#include "lsp/hover.h"

namespace vramlint::lsp {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const knowledge::Knowledge& tables() { return knowledge::Knowledge::builtin(); }

struct Marked {
  std::string text;
  uint32_t offset = 0;
};

Marked marked(std::string text) {
  const std::size_t at = text.find('^');
  text.erase(at, 1);
  return {text, static_cast<uint32_t>(at)};
}

std::string hover(const std::string& text, text::Language language = text::Language::python) {
  const auto [bytes, offset] = marked(text);
  const text::Source source("a", bytes, language);
  const auto found =
      hover_at(source, offset, knowledge::default_target(tables()), tables(), Markup::markdown);
  return found ? found->text : "";
}

struct Offered {
  std::vector<std::string> labels;
  std::string begun;  ///< what a proposal would replace
};

Offered offered(const std::string& text, text::Language language = text::Language::python,
                const char* torch = "") {
  const auto [bytes, offset] = marked(text);
  const text::Source source("a", bytes, language);
  knowledge::Target target = knowledge::default_target(tables());
  if (*torch != '\0') target.torch = knowledge::releases_named(torch, tables()).value();
  const Proposals proposals = proposals_at(source, offset, target, tables(), Markup::markdown);
  Offered made;
  for (const Proposal& each : proposals.list) made.labels.push_back(each.label);
  made.begun = source.slice(proposals.span);
  return made;
}

TEST(lsp_hover, keys_of_an_allocator_string) {
  const std::string in_python =
      R"(os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "backend:native,max_sp^lit_size_mb:1")";
  EXPECT_THAT(hover(in_python), HasSubstr("**`max_split_size_mb`**"));
  EXPECT_THAT(hover("export PYTORCH_CUDA_ALLOC_CONF=max_spl^it_size_mb:1", text::Language::other),
              HasSubstr("**`max_split_size_mb`**"));
  EXPECT_THAT(hover(R"(x = "max_spl^it_size_mb:1")"), IsEmpty());
}

TEST(lsp_hover, variables_wherever_they_stand) {
  for (const char* text :
       {R"(os.environ["CUDA_VISIBLE_^DEVICES"])", R"(dict(CUDA_VISIBLE_^DEVICES="0"))"}) {
    EXPECT_THAT(hover(text), HasSubstr("environment variable")) << text;
  }
  EXPECT_THAT(hover("CUDA_VISIBLE_^DEVICES=0 python a.py", text::Language::other),
              HasSubstr("environment variable"));
}

TEST(lsp_hover, calls_by_what_the_file_calls_its_modules) {
  EXPECT_THAT(hover("import torch as t\nt.cuda.empty_^cache()"),
              HasSubstr("`torch.cuda.empty_cache`"));
  EXPECT_THAT(hover("from torch import cuda\ncuda.empty_^cache()"),
              HasSubstr("`torch.cuda.empty_cache`"));
  EXPECT_THAT(hover("import torch.cuda\ntorch.cuda.empty_^cache()"),
              HasSubstr("`torch.cuda.empty_cache`"));
  EXPECT_THAT(hover("from torch.cuda import *\nx.cu^da()"), HasSubstr("method of tensors"));
  EXPECT_THAT(hover("cache.empty_^cache()"), IsEmpty());
  EXPECT_THAT(hover("import torch  # torch.cuda.empty_^cache()"), IsEmpty());
}

TEST(lsp_hover, rules_that_a_comment_names) {
  EXPECT_THAT(hover("x = 1  # vramlint: ignore[allocator-^setting-too-late]"), HasSubstr("VRL101"));
  EXPECT_THAT(hover("x = 1  # noqa: VRL^101"), HasSubstr("allocator-setting-too-late"));
}

TEST(lsp_completion, keys_that_the_release_knows_and_the_string_lacks) {
  const std::string text = R"(os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:1,exp^")";
  const Offered now = offered(text);
  EXPECT_EQ(now.begun, "exp");
  EXPECT_THAT(now.labels, Contains("expandable_segments"));
  EXPECT_THAT(now.labels, Not(Contains("max_split_size_mb")));
  EXPECT_THAT(offered(text, text::Language::python, "1.13").labels,
              Not(Contains("expandable_segments")));
}

TEST(lsp_completion, values_of_a_key) {
  const auto values = [](const std::string& string) {
    return offered("os.environ.setdefault('PYTORCH_CUDA_ALLOC_CONF', '" + string + "')").labels;
  };
  EXPECT_THAT(values("expandable_segments:^"), ElementsAre("True", "False"));
  EXPECT_THAT(values("backend:^,a:1"), Contains("cudaMallocAsync"));
  EXPECT_THAT(values("no_such_key:^"), IsEmpty());
  EXPECT_THAT(values("roundup_power2_divisions:[256:^"), IsEmpty());
}

TEST(lsp_completion, takes_the_place_of_the_whole_word) {
  const std::string in_python = "os.environ['PYTORCH_CUDA_ALLOC_CONF'] = ";
  const Offered value = offered(in_python + "'expandable_segments:T^rue,backend:native'");
  EXPECT_EQ(value.begun, "True");
  EXPECT_THAT(value.labels, Contains("False"));
  const Offered key = offered(in_python + "'expandable_^segments:True,backend:native'");
  EXPECT_EQ(key.begun, "expandable_segments");
  EXPECT_THAT(key.labels, Contains("expandable_segments"));
  EXPECT_THAT(key.labels, Not(Contains("backend")));
  EXPECT_EQ(offered("os.environ['CUDA_VIS^IBLE']").begun, "CUDA_VISIBLE");
}

TEST(lsp_completion, pieces_of_one_string) {
  for (const char* text :
       {"os.environ['PYTORCH_CUDA_ALLOC_CONF'] = 'backend:native,' '^'",
        "os.environ['PYTORCH_CUDA_ALLOC_CONF'] = (\n    'backend:native,'\n    '^'\n)",
        "os.environ['PYTORCH_CUDA_ALLOC_CONF'] = ('^')",
        "os.environ['PYTORCH_CUDA_ALLOC_CONF'] = 'backend:native,' \\\n    '^'",
        "env = {'PYTORCH_CUDA_ALLOC_CONF': 'backend:native,' '^'}"}) {
    EXPECT_THAT(offered(text).labels, Contains("expandable_segments")) << text;
  }
  EXPECT_THAT(offered("print('PYTORCH_CUDA_ALLOC_CONF' 'x' '^')").labels, IsEmpty());
}

TEST(lsp_completion, a_string_that_is_not_closed_yet) {
  EXPECT_THAT(offered("import os\nos.environ['PYTORCH_CUDA_ALLOC_CONF'] = '^\nx = 1\n").labels,
              Contains("expandable_segments"));
  EXPECT_THAT(offered("torch.cuda.memory._set_allocator_settings(\n    \"^").labels,
              Contains("expandable_segments"));
}

TEST(lsp_completion, variables_where_the_environment_is_used) {
  for (const char* text :
       {"os.environ[\"^", "os.getenv('^')", "os.environ.setdefault(\"CU^\", \"\")",
        "os.environ.update({\"A\": \"1\", \"^\"", "monkeypatch.setenv(\"^\")"}) {
    EXPECT_THAT(offered(text).labels, Contains("CUDA_VISIBLE_DEVICES")) << text;
  }
  EXPECT_EQ(offered("os.environ[\"CUDA_V^").begun, "CUDA_V");
  EXPECT_THAT(offered("print(\"^\")").labels, IsEmpty());
  EXPECT_THAT(offered("x = {\"^\": 1}").labels, IsEmpty());
  EXPECT_THAT(offered("export CUDA^", text::Language::other).labels,
              Contains("CUDA_VISIBLE_DEVICES"));
}

TEST(lsp_completion, rules_in_a_comment_that_silences) {
  EXPECT_THAT(offered("x = 1  # vramlint: ignore[alloc^").labels,
              Contains("allocator-setting-too-late"));
  EXPECT_THAT(offered("x = 1  # vramlint: ignore[a] alloc^").labels, IsEmpty());
  EXPECT_THAT(offered("x = 1  # ignore[alloc^").labels, IsEmpty());
}

}  // namespace
}  // namespace vramlint::lsp
