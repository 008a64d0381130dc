// SPDX-License-Identifier: MIT
//
// The prefilter: words in bytes, and the imports that a file names.
#include "prefilter/words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace vramlint::prefilter {
namespace {

bool finds(const std::vector<std::string_view>& words, std::string_view bytes) {
  std::vector<std::string> open;
  for (const std::string_view word : words)
    open.push_back(word.empty() ? "" : "*" + std::string(word) + "*");
  const std::vector<std::string_view> views(open.begin(), open.end());
  return WordSet(views).any_in(bytes);
}

TEST(WordSet, EndsOfWordsAreEndsOfWordsInTheBytes) {
  const std::vector<std::string_view> words = {"load", "*oader:", "OMP_*", ".eval()"};
  const WordSet set(words);
  const auto found = [&](std::string_view bytes) {
    std::string numbers;
    const Marks marks = set.find_in(bytes);
    for (size_t i = 0; i < words.size(); ++i) numbers += marks.test(i) ? '1' : '0';
    return numbers;
  };
  EXPECT_EQ(found("torch.load(x)"), "1000");
  EXPECT_EQ(found("reload(x); load_state_dict; loads"), "0000");
  EXPECT_EQ(found("for x in loader:"), "0100");
  EXPECT_EQ(found("OMP_NUM_THREADS"), "0010");
  EXPECT_EQ(found("KOMP_NUM_THREADS"), "0000");
  EXPECT_EQ(found("model.eval()load"), "1001");
  EXPECT_EQ(found("load"), "1000");
}

TEST(WordSet, AsksATestSoOftenAndThenTakesTheWord) {
  int asked = 0;
  const Stem stems[] = {
      {"a", [&](std::string_view, size_t, size_t, Answers&) { return ++asked, false; }}};
  const WordSet set(Wanted{{}, stems});
  EXPECT_FALSE(set.any_in(std::string(most_questions, 'a')));
  EXPECT_EQ(asked, most_questions);
  EXPECT_TRUE(set.any_in(std::string(most_questions + 1, 'a')));
  EXPECT_EQ(asked, 2 * most_questions);
}

TEST(WordSet, AsksOnceWhatHoldsForAllBytes) {
  int asked = 0;
  const auto refuses = [&](std::string_view, size_t, size_t, Answers&) { return ++asked, false; };
  const Stem stems[] = {{"a", refuses, true}};
  EXPECT_FALSE(WordSet(Wanted{{}, stems}).any_in(std::string(1000, 'a')));
  EXPECT_EQ(asked, 1);
}

TEST(WordSet, ListsWhereWordsStand) {
  const std::vector<std::string_view> words = {"a", "b"};
  const WordSet set(words);
  Marks listed;
  listed.set(0);
  std::vector<Occurrence> into;
  EXPECT_TRUE(set.find_all("a b a", listed, into).test(1));
  ASSERT_EQ(into.size(), 2u);
  EXPECT_EQ(into[0].end, 1u);
  EXPECT_EQ(into[1].end, 5u);
}

TEST(WordSet, FindsAWordWhereverItStands) {
  EXPECT_TRUE(finds({"cuda", "env"}, "import torch.cuda"));
  EXPECT_TRUE(finds({"cuda"}, "mycudathing"));
  EXPECT_FALSE(finds({"cuda"}, "cud a"));
  EXPECT_FALSE(finds({"cuda"}, "CUDA"));
  EXPECT_FALSE(finds({"cuda"}, ""));
}

TEST(WordSet, WithoutWordsFindsNothing) {
  EXPECT_FALSE(finds({}, "anything"));
  EXPECT_FALSE(finds({""}, "anything"));
}

TEST(WordSet, FindsAWordInsideTheBeginningOfAnother) {
  EXPECT_TRUE(finds({"abcd", "bc"}, "xabcx"));
  EXPECT_TRUE(finds({"aab"}, "aaaab"));
  EXPECT_TRUE(finds({"ab", "abc"}, "ab"));
}

TEST(WordSet, ReadsNulAndHighBytes) {
  EXPECT_TRUE(finds({std::string_view("\0\xff", 2)}, std::string_view("a\0\xff", 3)));
  EXPECT_FALSE(finds({std::string_view("\0\xff", 2)}, std::string_view("a\0a\xff", 4)));
}

std::string random_text(std::mt19937& random, size_t longest, const std::string& alphabet) {
  std::string text;
  for (size_t i = random() % (longest + 1); i-- > 0;) text += alphabet[random() % alphabet.size()];
  return text;
}

TEST(WordSet, AgreesWithLookingForEachWord) {
  std::mt19937 random(11);
  for (int round = 0; round < 4000; ++round) {
    const std::string alphabet = round % 2 == 0 ? "ab" : std::string("abc\0\x80\xff", 6);
    std::vector<std::string> words(random() % 8);
    for (std::string& word : words) word = random_text(random, 6, alphabet);
    const std::string bytes = random_text(random, 40, alphabet);
    const bool expected = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
      return !word.empty() && bytes.find(word) != std::string::npos;
    });
    const std::vector<std::string_view> views(words.begin(), words.end());
    ASSERT_EQ(finds(views, bytes), expected) << round;
  }
}

TEST(WordSet, TakesWordsWithAllBytes) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_TRUE(finds({all}, "x" + all));
  EXPECT_FALSE(finds({all}, all.substr(1) + all.substr(0, 255)));
}

}  // namespace
}  // namespace vramlint::prefilter
