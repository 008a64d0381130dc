// SPDX-License-Identifier: MIT
//
// Code that outlives its program has to fit wherever its text stands the next time.
#include "frontends/kept_code.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "frontends/python.h"

namespace vramlint::frontends {
namespace {

/// Long enough for the methods of a class to be left out of its code.
std::string class_named(const std::string& name) {
  std::string made = "class " + name + ":\n    def step(self, batch):\n";
  for (int i = 0; i < 20; ++i) made += "        self.model(batch, key='a text')\n";
  return made + "    def other(self): return lambda: 1\n";
}

std::shared_ptr<const text::Source> source_of(const std::string& bytes) {
  return std::make_shared<const text::Source>("a.py", bytes, text::Language::python);
}

void lower_all(model::Program& program, model::Names& names, KeptCode* kept) {
  for (uint32_t i = 0; i < program.blocks.size() + program.left_out.size(); ++i)
    code_of(program, i, names, kept);
}

/// All that is said about places in the file, as the bytes there, and where left out functions are.
std::vector<std::string> places_in(model::Program& program) {
  std::vector<std::string> found;
  const auto add = [&](text::Span span) {
    found.push_back(std::to_string(span.begin) + ": " + std::string(program.source->slice(span)));
  };
  for (uint32_t i = 0; i < program.blocks.size() + program.left_out.size(); ++i) {
    const model::Block& block = program.block(i);
    add(block.span);
    for (const model::Expr& expr : block.code->exprs) {
      add(expr.span);
      if (const auto* string = std::get_if<model::String>(&expr.node)) add(string->inner);
    }
    for (const model::Stmt& statement : block.code->stmts) add(statement.span);
    for (const model::Class& made : block.code->classes) add(made.span);
    for (const model::Function& function : block.code->functions) {
      add(function.span);
      add(function.name_span);
      found.push_back(std::to_string(function.elsewhere));
    }
  }
  return found;
}

TEST(KeptCode, FitsWhereItsTextStandsNow) {
  KeptCode kept;
  const std::string text =
      "import os\n" + class_named("Trainer") + "def f(x):\n    return f'{x} and {os}'\n";
  model::Program before = outline_python(source_of(text), kept.names());
  lower_all(before, kept.names(), &kept);
  ASSERT_FALSE(before.left_out.empty());
  const model::Code* code = before.blocks[1].code.get();
  kept.keep(before);
  EXPECT_EQ(before.blocks[1].code, nullptr);

  const std::string moved = "# a comment, and a class besides\n" + class_named("Model") + text;
  model::Program again = outline_python(source_of(moved), kept.names());
  lower_all(again, kept.names(), &kept);
  EXPECT_EQ(again.blocks[2].code.get(), code) << "was lowered once more";

  model::Names names;
  model::Program fresh = outline_python(source_of(moved), names);
  lower_all(fresh, names, nullptr);
  const std::vector<std::string> expected = places_in(fresh);
  const std::vector<std::string> found = places_in(again);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], expected[i]) << i;
}

TEST(KeptCode, IsGivenToOneBlockAtATime) {
  KeptCode kept;
  model::Program once = outline_python(source_of("f(1)\n"), kept.names());
  lower_all(once, kept.names(), &kept);
  kept.keep(once);
  model::Program twice = outline_python(source_of("f(1)\nf(1)\n"), kept.names());
  lower_all(twice, kept.names(), &kept);
  ASSERT_EQ(twice.blocks.size(), 2u);
  EXPECT_NE(twice.blocks[0].code, twice.blocks[1].code);
  EXPECT_NE(twice.blocks[0].code->exprs.back().span, twice.blocks[1].code->exprs.back().span);
}

TEST(KeptCode, GoesWhenNobodyWantsItAnyMore) {
  KeptCode kept;
  std::string text(1 << 18, 'x');
  model::Program large = outline_python(source_of(text), kept.names());
  lower_all(large, kept.names(), &kept);
  kept.keep(large);
  kept.forget_old();
  model::Program small = outline_python(source_of("y\n"), kept.names());
  lower_all(small, kept.names(), &kept);
  kept.keep(small);
  kept.forget_old();
  EXPECT_FALSE(kept.restore(large, 0));
  EXPECT_TRUE(kept.restore(small, 0));
}

}  // namespace
}  // namespace vramlint::frontends
