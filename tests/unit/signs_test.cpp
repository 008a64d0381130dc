// SPDX-License-Identifier: MIT
//
// What has to stand around a word for it to tell.
#include "rules/signs.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "knowledge/knowledge.h"
#include "rules/telling.h"

namespace vramlint::rules {
namespace {

/// Whether the first `word` of the text has the sign.
bool has(std::string_view name, std::string_view word, std::string_view text) {
  const size_t begin = text.find(word);
  EXPECT_NE(begin, std::string_view::npos) << text;
  const Sign sign = sign_named(name);
  EXPECT_NE(sign, nullptr) << name;
  prefilter::Answers known;
  return sign != nullptr && sign(text, begin, begin + word.size(), known);
}

TEST(Signs, AreFoundByName) {
  EXPECT_NE(sign_named("repeated"), nullptr);
  EXPECT_EQ(sign_named("no such sign"), nullptr);
}

TEST(Signs, ThoseOfThePagesAreThere) {
  const knowledge::Knowledge& knowledge = knowledge::Knowledge::builtin();
  const auto look = [](std::string_view together) {
    constexpr std::string_view mark = " ? ";
    for (size_t at = together.find(mark); at != std::string_view::npos;
         at = together.find(mark, at + 1)) {
      const std::string_view rest = together.substr(at + mark.size());
      EXPECT_NE(sign_named(rest.substr(0, rest.find(" & "))), nullptr) << together;
    }
  };
  for (const knowledge::RulePage& page : knowledge.pages()) {
    for (const std::string_view together : page.words) look(together);
  }
  for (const knowledge::ArgumentFaultRow& row : knowledge.argument_faults()) {
    for (const std::string_view together : row.telling) look(together);
  }
}

TEST(Signs, Repeated) {
  const auto repeated = [](std::string_view text) { return has("repeated", "empty_cache", text); };
  EXPECT_TRUE(repeated("for x in y:\n    empty_cache()\n"));
  EXPECT_TRUE(repeated("while True:\n    if a:\n        # no\n\n        empty_cache()\n"));
  EXPECT_TRUE(repeated("[empty_cache() for x in y]\n"));
  EXPECT_TRUE(repeated("def flush():\n    empty_cache()\nfor x in y:\n    flush()\n"));
  EXPECT_TRUE(repeated("class A:\n    def forward(self):\n        empty_cache()\n"));
  EXPECT_FALSE(repeated("empty_cache()\nfor x in y:\n    pass\n"));
  EXPECT_FALSE(repeated("for x in y:\n    pass\nif a:\n    empty_cache()\n"));
  EXPECT_FALSE(repeated("def flush():\n    empty_cache()\n"));
  EXPECT_TRUE(repeated("def flush(\n    a,\n) -> None:\n    empty_cache()\nflush(1)\n"));
  EXPECT_FALSE(repeated("def tear():\n    empty_cache()\ndef tear():\n    pass\n"));
}

TEST(Signs, Loops) {
  const auto outer = [](std::string_view text) { return has("outer-loop", "for", text); };
  EXPECT_TRUE(outer("for x in y:\n    pass\n"));
  EXPECT_TRUE(outer("if a:\n    for x in y:\n        pass\n"));
  EXPECT_FALSE(outer("def f():\n    for x in y:\n        pass\nf()\n"));
  EXPECT_FALSE(outer("z = [x for x in y]\n"));
  EXPECT_FALSE(outer("def f(\n    a,\n):\n    for x in y:\n        pass\n"));
  const auto called = [](std::string_view text) { return has("called-loop", "for", text); };
  EXPECT_TRUE(called("def f():\n    for x in y:\n        pass\nf()\n"));
  EXPECT_FALSE(called("def f():\n    for x in y:\n        pass\n"));
  EXPECT_FALSE(called("for x in y:\n    pass\n"));
  EXPECT_FALSE(called("class A(nn.Module):\n    def f(self):\n        for x in y: self.f()\n"));
}

TEST(Signs, Program) {
  const auto program = [](std::string_view text) { return has("program", "nn", text); };
  EXPECT_TRUE(program("import nn\ndef f(): pass\nf()\n"));
  EXPECT_TRUE(program("import nn\nclass A: pass\na = A(1)\n"));
  EXPECT_TRUE(program("import nn\nif __name__ == '__main__': pass\n"));
  EXPECT_FALSE(program("import nn\ndef f(): pass\ng()\n"));
  EXPECT_FALSE(program("import nn\ndef f():\n    f()\n"));
}

TEST(Signs, BeforeDelete) {
  EXPECT_TRUE(has("before-delete", "empty_cache", "empty_cache()\n\n    del x\n"));
  EXPECT_TRUE(has("before-delete", "empty_cache", "empty_cache(); del x\n"));
  EXPECT_FALSE(has("before-delete", "empty_cache", "empty_cache()\ny = 1\ndel x\n"));
  EXPECT_FALSE(has("before-delete", "empty_cache", "empty_cache()"));
}

TEST(Signs, Called) {
  EXPECT_TRUE(has("called", ".eval()", "net.eval()\nfor x in y:\n    net(x)\n"));
  EXPECT_TRUE(has("called", ".eval()", "models[0].eval()\n"));
  EXPECT_FALSE(has("called", ".eval()", "self.vae.eval()\nself.vae.encode(x)\n"));
}

TEST(Signs, Uncalled) {
  const auto uncalled = [](std::string_view text) { return has("uncalled", "empty_cache", text); };
  EXPECT_TRUE(uncalled("    torch.cuda.empty_cache\n"));
  EXPECT_TRUE(uncalled("x = cuda.empty_cache / 2\n"));
  EXPECT_TRUE(uncalled("empty_cache\n"));
  EXPECT_FALSE(uncalled("torch.cuda.empty_cache ()\n"));
  EXPECT_FALSE(uncalled("torch.cuda.empty_cache = f\n"));
  EXPECT_FALSE(uncalled("from torch.cuda import empty_cache\n"));
  EXPECT_FALSE(uncalled("torch.cuda.empty_caches\n"));
  const auto stated = [](std::string_view text) { return has("stated", "step", text); };
  EXPECT_TRUE(stated("    self.optimizer.step  # update\n"));
  EXPECT_FALSE(stated("x = optimizer.step\n"));
  EXPECT_FALSE(stated("optimizer.step()\n"));
  EXPECT_FALSE(stated("step\n"));
}

TEST(Signs, Dropped) {
  const auto dropped = [](std::string_view text) { return has("dropped", ".cuda()", text); };
  EXPECT_TRUE(dropped("if a:\n    x.cuda()\nx = torch.zeros(3)\n"));
  EXPECT_FALSE(dropped("x.cuda()\nx = load()\n"));
  EXPECT_FALSE(dropped("y = x.cuda()\nx = torch.zeros(3)\n"));
  EXPECT_FALSE(dropped("self.x.cuda()\nx = torch.zeros(3)\n"));
}

TEST(Signs, Negative) {
  const auto negative = [](std::string_view text) { return has("negative", "num_workers", text); };
  EXPECT_TRUE(negative("DataLoader(d, num_workers=-1)\n"));
  EXPECT_TRUE(negative("{\"num_workers\": -2}\n"));
  EXPECT_FALSE(negative("DataLoader(d, num_workers=n - 1)\nx = -1\n"));
}

TEST(Signs, LoadedAgain) {
  const std::string loads = "net.load_state_dict(best)\n";
  EXPECT_TRUE(has("loaded-again", ".state_dict()", "best = net.state_dict()\n" + loads));
  EXPECT_TRUE(has("loaded-again", ".state_dict()", "a, best = 1, net.state_dict()\n" + loads));
  EXPECT_FALSE(has("loaded-again", ".state_dict()", "last = net.state_dict()\n" + loads));
  EXPECT_FALSE(has("loaded-again", ".state_dict()", "torch.save(net.state_dict(), path)\n"));
}

TEST(Signs, LoadedAgainOverLines) {
  const std::string made = "best = {\n    k: v\n    for k, v in net.state_dict().items()\n}\n";
  EXPECT_TRUE(has("loaded-again", ".state_dict()", made + "net.load_state_dict(best)\n"));
  EXPECT_FALSE(has("loaded-again", ".state_dict()", made + "net.load_state_dict(other)\n"));
}

TEST(Signs, Alone) {
  EXPECT_TRUE(has("alone", "no_grad()", "    torch.no_grad()  # fast\n"));
  EXPECT_TRUE(has("alone", "no_grad()", "guard = torch.no_grad()\n"));
  EXPECT_FALSE(has("alone", "no_grad()", "with torch.no_grad():\n"));
  EXPECT_FALSE(has("alone", "no_grad()", "@torch.no_grad()\n"));
}

TEST(Signs, Renamed) {
  EXPECT_TRUE(has("renamed", "best", "    best = model\n"));
  EXPECT_FALSE(has("renamed", "best", "    best = score(model)\n"));
  EXPECT_FALSE(has("renamed", "best", "best = None\n"));
}

TEST(Signs, OfModule) {
  EXPECT_TRUE(has("of-module", "requires_grad", "net.requires_grad = False\nnet(x)\n"));
  EXPECT_FALSE(has("of-module", "requires_grad", "p.requires_grad = False\nexp(x)\n"));
  EXPECT_FALSE(has("of-module", "requires_grad", "net(p.requires_grad)\n"));
}

TEST(Signs, Averaged) {
  const auto averaged = [](std::string_view body) {
    return has("averaged", "arameters(", "for n, p in net.parameters():\n    " + std::string(body));
  };
  EXPECT_TRUE(averaged("mean[n] = 0.9 * mean[n] + 0.1 * p\n"));
  EXPECT_TRUE(averaged("self.mean = 0.9 * self.mean + p\n"));
  EXPECT_FALSE(averaged("mean = 0.9 * mean + p\n"));
  EXPECT_FALSE(averaged("mean[n] = p\n"));
}

TEST(Signs, Loader) {
  EXPECT_TRUE(has("loader", "next(iter(", "batch = next(iter(loader))\n"));
  EXPECT_FALSE(has("loader", "next(iter(", "kind = next(iter(net.parameters())).dtype\n"));
}

TEST(Signs, OtherDevice) {
  EXPECT_TRUE(has("other-device", "empty_cache", "x.to('cuda:1')\nempty_cache()\n"));
  EXPECT_TRUE(has("other-device", "empty_cache", "x.cuda(rank)\nempty_cache()\n"));
  EXPECT_FALSE(has("other-device", "empty_cache", "x.to('cuda:0').cuda()\nempty_cache()\n"));
}

TEST(TellingWords, OfAllRulesHaveNumbersOfTheirOwn) {
  EXPECT_GT(telling_words().count(), 0u);
  EXPECT_LE(telling_words().count(), prefilter::Marks::most);
  RecordProperty("count", static_cast<int>(telling_words().count()));
}

}  // namespace
}  // namespace vramlint::rules
