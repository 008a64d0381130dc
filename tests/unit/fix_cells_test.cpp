// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "fix/cell_edits.h"
#include "frontends/notebook.h"

namespace vramlint::fix {
namespace {

constexpr std::string_view list_form = R"({"cells": [{"cell_type": "code", "outputs": [ ],
  "source": [
    "a = \"é\"\n",
    "b\n",
    "c"
  ]}, {"cell_type": "code", "source": ["d"]}]})";
constexpr std::string_view string_form =
    R"({"cells": [{"cell_type": "code", "source": "a = \"\u00e9\"\nb\nc"}, {"source":"d","cell_type":"code"}]})";

/// What the file holds after a stretch of the text has become another.
std::string after(std::string_view json, std::string_view old, std::string text) {
  const auto source = frontends::source_of("a.ipynb", std::string(json), text::Language::notebook);
  const auto begin = static_cast<uint32_t>(source->bytes().find(old));
  FileEdits edits;
  edits.add({"a.ipynb", {begin, begin + static_cast<uint32_t>(old.size())}, {}, std::move(text)});
  return stored_after(*source, edits);
}

std::string with(std::string_view json, std::string_view old, std::string_view text) {
  std::string made(json);
  return made.replace(made.find(old), old.size(), text);
}

TEST(fix_cells, a_word_in_a_line) {
  EXPECT_EQ(after(list_form, "b", "\"b\\\t"), with(list_form, "\"b", R"("\"b\\\t)"));
  EXPECT_EQ(after(string_form, "b", "bb"), with(string_form, R"(\nb)", R"(\nbb)"));
  EXPECT_EQ(after(string_form, "é", "e"), with(string_form, R"(\u00e9)", "e"));
}

TEST(fix_cells, new_lines_become_items) {
  EXPECT_EQ(after(list_form, "b\n", "x\ny\nb\n"),
            with(list_form, R"("b\n")", "\"x\\n\",\n    \"y\\n\",\n    \"b\\n\""));
  EXPECT_EQ(after(list_form, "c", "c\nx"), with(list_form, R"("c")", "\"c\\n\",\n    \"x\""));
  EXPECT_EQ(after(list_form, "d", "x\nd"), with(list_form, R"("d")", R"("x\n", "d")"));
  EXPECT_EQ(after(string_form, "b\n", "x\nb\n"), with(string_form, R"(\nb)", R"(\nx\nb)"));
}

TEST(fix_cells, lines_that_go_take_their_items_along) {
  EXPECT_EQ(after(list_form, "b\n", ""), with(list_form, "    \"b\\n\",\n", ""));
  EXPECT_EQ(after(list_form, "c\n", ""), with(list_form, "b\\n\",\n    \"c\"", "b\""));
  EXPECT_EQ(after(list_form, "d\n", ""), with(list_form, R"("d")", R"("")"));
  EXPECT_EQ(after(string_form, "c\n", ""), with(string_form, R"(\nc)", ""));
}

TEST(fix_cells, what_goes_over_the_end_of_a_cell_stays_in_each) {
  EXPECT_EQ(after(list_form, "c\nd", "x"),
            with(with(list_form, R"("c")", R"("x")"), R"("d")", R"("")"));
}

TEST(fix_cells, an_empty_cell_gets_its_first_line) {
  const std::string json = R"({"cells": [{"cell_type": "code", "source": []}]})";
  EXPECT_EQ(after(json, "", "x\ny"), with(json, "[]", R"(["x\n", "y"])"));
}

}  // namespace
}  // namespace vramlint::fix
