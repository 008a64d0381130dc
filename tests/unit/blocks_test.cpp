// SPDX-License-Identifier: MIT
//
// Cutting a file into blocks: what begins in column 0 begins a block, unless it stands in a string,
// in brackets, or belongs to the statement before.
#include "syntax/blocks.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace vramlint::syntax {
namespace {

using Texts = std::vector<std::string>;

/// The blocks as text, without the line ends behind them.
Texts blocks_of(const std::string& bytes) {
  Texts texts;
  for (const TopLevelBlock& block : top_level_blocks(bytes)) {
    std::string text = bytes.substr(block.span.begin, block.span.size());
    text.erase(text.find_last_not_of("\r\n") + 1);
    texts.push_back(text);
  }
  return texts;
}

TopLevelBlock first_block(const std::string& bytes) { return top_level_blocks(bytes).at(0); }

std::string name_in(const std::string& bytes) {
  const TopLevelBlock block = first_block(bytes);
  return bytes.substr(block.name.begin, block.name.size());
}

TEST(Blocks, LinesInColumnZeroBeginBlocks) {
  EXPECT_EQ(blocks_of("a = 1\nb = 2\n\nc = 3"), (Texts{"a = 1", "b = 2", "c = 3"}));
  EXPECT_EQ(blocks_of("if x:\n  y\n\n  z\nw"), (Texts{"if x:\n  y\n\n  z", "w"}));
  EXPECT_EQ(blocks_of(""), Texts());
  EXPECT_EQ(blocks_of("\n\n   \n# only this\n"), Texts());
}

TEST(Blocks, CommentsAndIndentedLinesBelongToTheBlockBefore) {
  EXPECT_EQ(blocks_of("a\n# b\nc"), (Texts{"a\n# b", "c"}));
  EXPECT_EQ(blocks_of("def f():\n# low\n    pass\n"), (Texts{"def f():\n# low\n    pass"}));
  EXPECT_EQ(blocks_of("a\n\tb\n c\n\fd\ne"), (Texts{"a\n\tb\n c\n\fd", "e"}));
}

TEST(Blocks, CoverTheFileFromTheFirstOnWithoutGaps) {
  const std::string bytes = "# head\na\n\n# b\nc\nd\n\n";
  const std::vector<TopLevelBlock> blocks = top_level_blocks(bytes);
  ASSERT_EQ(blocks.size(), 3u);
  for (size_t i = 1; i < blocks.size(); ++i) {
    EXPECT_EQ(blocks[i].span.begin, blocks[i - 1].span.end);
  }
  EXPECT_EQ(blocks.back().span.end, bytes.size());
}

TEST(Blocks, StringsHoldLines) {
  EXPECT_EQ(blocks_of("a = '''\nb\n'''\nc"), (Texts{"a = '''\nb\n'''", "c"}));
  EXPECT_EQ(blocks_of("a = \"\"\"x\ny\"\" ''' \"\"\"\nc"),
            (Texts{"a = \"\"\"x\ny\"\" ''' \"\"\"", "c"}));
  EXPECT_EQ(blocks_of("a = r'''\\'''\nb'''\nc"), (Texts{"a = r'''\\'''\nb'''", "c"}));
  EXPECT_EQ(blocks_of("a = 'x\\\ny'\nc"), (Texts{"a = 'x\\\ny'", "c"}));
  EXPECT_EQ(blocks_of("a = ''\nb = '#'\nc"), (Texts{"a = ''", "b = '#'", "c"}));
}

TEST(Blocks, BracketsHoldLines) {
  EXPECT_EQ(blocks_of("f(\na,\nb)\nc"), (Texts{"f(\na,\nb)", "c"}));
  EXPECT_EQ(blocks_of("x = [\n{\n(\n)\n}\n]\nc"), (Texts{"x = [\n{\n(\n)\n}\n]", "c"}));
  EXPECT_EQ(blocks_of("f(  # )\na)\nc"), (Texts{"f(  # )\na)", "c"}));
  EXPECT_EQ(blocks_of("f(')',\na)\nc"), (Texts{"f(')',\na)", "c"}));
}

TEST(Blocks, BackslashContinuesALine) {
  EXPECT_EQ(blocks_of("a = \\\nb\nc"), (Texts{"a = \\\nb", "c"}));
  EXPECT_EQ(blocks_of("a = \\\r\nb\r\nc"), (Texts{"a = \\\r\nb", "c"}));
  EXPECT_EQ(blocks_of("a  # \\\nc"), (Texts{"a  # \\", "c"}));
}

TEST(Blocks, ClausesStayWithTheirStatement) {
  EXPECT_EQ(blocks_of("if a:\n b\nelif c:\n d\nelse:\n e\nf").size(), 2u);
  EXPECT_EQ(blocks_of("try:\n b\nexcept E:\n d\nfinally:\n e\nf").size(), 2u);
  EXPECT_EQ(blocks_of("elsewhere = 1\nexceptional = 2\n").size(), 2u);
  EXPECT_EQ(blocks_of("else:\n a\n"), (Texts{"else:\n a"}));
}

TEST(Blocks, DecoratorsStayWithTheirDefinition) {
  const std::string bytes = "@a\n@b(\n1)\n# why\n\ndef f():\n  pass\ng = 1\n";
  EXPECT_EQ(blocks_of(bytes).size(), 2u);
  EXPECT_TRUE(first_block(bytes).decorated);
  EXPECT_EQ(first_block(bytes).shape, BlockShape::function);
  EXPECT_EQ(name_in(bytes), "f");
  EXPECT_FALSE(top_level_blocks(bytes)[1].decorated);
}

TEST(Blocks, TellShapeAndName) {
  EXPECT_EQ(first_block("import a").shape, BlockShape::import);
  EXPECT_EQ(first_block("from a import b").shape, BlockShape::import);
  EXPECT_EQ(first_block("imports = 1").shape, BlockShape::statement);
  EXPECT_EQ(first_block("class  C(B):\n  pass").shape, BlockShape::class_);
  EXPECT_EQ(name_in("class  C(B):\n  pass"), "C");
  EXPECT_EQ(name_in("async  def\tf (x): pass"), "f");
  EXPECT_EQ(name_in("def naïve(): pass"), "naïve");
  EXPECT_EQ(first_block("async with a: pass").shape, BlockShape::statement);
  EXPECT_EQ(name_in("x = 1"), "");
}

TEST(Blocks, EveryLineEndCounts) {
  EXPECT_EQ(blocks_of("a\r\nb\rc\nd"), (Texts{"a", "b", "c", "d"}));
  EXPECT_EQ(blocks_of("f(\r\na)\r\nb"), (Texts{"f(\r\na)", "b"}));
}

TEST(Blocks, ByteOrderMarkIsNoText) {
  const std::string bytes = "\xef\xbb\xbfimport a\nb";
  EXPECT_EQ(first_block(bytes).span.begin, 3u);
  EXPECT_EQ(first_block(bytes).shape, BlockShape::import);
  EXPECT_TRUE(top_level_blocks("\xef\xbb\xbf").empty());
}

TEST(Blocks, UnterminatedStringEndsWithItsLine) {
  EXPECT_EQ(blocks_of("a = 'x\nb\n"), (Texts{"a = 'x", "b"}));
  EXPECT_EQ(blocks_of("a = '''x\nb\n"), (Texts{"a = '''x\nb"}));
  EXPECT_EQ(blocks_of("a = '\\"), (Texts{"a = '\\"}));
}

TEST(Blocks, DefinitionEndsBracketsThatNobodyClosed) {
  EXPECT_EQ(blocks_of("f(a,\nb\ndef g():\n  pass\n"), (Texts{"f(a,\nb", "def g():\n  pass"}));
  EXPECT_EQ(blocks_of("x = [\nclass C:\n  pass\n"), (Texts{"x = [", "class C:\n  pass"}));
  EXPECT_EQ(blocks_of("a)\nb]\nc"), (Texts{"a)", "b]", "c"}));
}

TEST(Blocks, NulBytesAreTextAsAnyOther) {
  EXPECT_EQ(blocks_of(std::string("a\0\nb\n\0c", 7)).size(), 3u);
}

TEST(Blocks, ManyIdleLinesMakeABlockCrowded) {
  std::string comments;
  for (int i = 0; i < 1000; ++i) comments += "  # old\n";
  const std::vector<TopLevelBlock> blocks =
      top_level_blocks("class A:\n" + comments + "  a = 1\nclass B:\n  # one\n  b = 1\n");
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_TRUE(blocks[0].crowded);
  EXPECT_FALSE(blocks[1].crowded);
}

TEST(WithoutIdleLines, KeepsEveryByteElseWhereItIs) {
  EXPECT_EQ(without_idle_lines("# a\nb  # c\n\t# d\ne"), "   \nb  # c\n\t   \ne");
  EXPECT_EQ(without_idle_lines("a = \\\n  1"), "a =     1");
  EXPECT_EQ(without_idle_lines("'''\n# text\n\\\n'''"), "'''\n# text\n\\\n'''");
}

TEST(Blocks, AnyBytesGiveBlocksInOrder) {
  std::mt19937 random(7);
  const std::string alphabet("a \n\r\t\f\\#'\"()[]{}:@\0\xff def class else", 36);
  for (int round = 0; round < 3000; ++round) {
    std::string bytes;
    for (size_t i = random() % 60; i-- > 0;) bytes += alphabet[random() % alphabet.size()];
    uint32_t end = 0;
    for (const TopLevelBlock& block : top_level_blocks(bytes)) {
      ASSERT_GE(block.span.begin, end);
      ASSERT_LT(block.span.begin, block.span.end);
      ASSERT_TRUE(block.span.contains(block.name) || block.name.size() == 0);
      end = block.span.end;
    }
    ASSERT_LE(end, bytes.size());
    ASSERT_EQ(without_idle_lines(bytes).size(), bytes.size());
  }
}

}  // namespace
}  // namespace vramlint::syntax
