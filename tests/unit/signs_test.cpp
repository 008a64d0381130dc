// SPDX-License-Identifier: MIT
//
// What has to stand around a word for it to tell.
#include "rules/signs.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace vramlint::rules {
namespace {

/// Whether the first `word` of the text has the sign.
bool has(std::string_view name, std::string_view word, std::string_view text) {
  const size_t begin = text.find(word);
  EXPECT_NE(begin, std::string_view::npos) << text;
  const Sign sign = sign_named(name);
  EXPECT_NE(sign, nullptr) << name;
  return sign != nullptr && sign(text, begin, begin + word.size());
}

TEST(Signs, AreFoundByName) {
  EXPECT_NE(sign_named("repeated"), nullptr);
  EXPECT_EQ(sign_named("no such sign"), nullptr);
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
  EXPECT_FALSE(repeated("def tear():\n    empty_cache()\ndef tear():\n    pass\n"));
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

TEST(Signs, LoadedAgain) {
  const std::string loads = "net.load_state_dict(best)\n";
  EXPECT_TRUE(has("loaded-again", ".state_dict()", "best = net.state_dict()\n" + loads));
  EXPECT_TRUE(has("loaded-again", ".state_dict()", "a, best = 1, net.state_dict()\n" + loads));
  EXPECT_FALSE(has("loaded-again", ".state_dict()", "last = net.state_dict()\n" + loads));
  EXPECT_FALSE(has("loaded-again", ".state_dict()", "torch.save(net.state_dict(), path)\n"));
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

}  // namespace
}  // namespace vramlint::rules
