// SPDX-License-Identifier: MIT
#include "frontends/notebook.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "diagnostics/diagnostic.h"
#include "frontends/notebook_magics.h"

namespace vramlint::frontends {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using text::Cells;
using Json = nlohmann::ordered_json;

Json code(const Json& source) { return {{"cell_type", "code"}, {"source", source}}; }

std::string notebook(const Json& cells) { return Json{{"cells", cells}}.dump(1); }

/// The program of a notebook with one cell of code.
std::string program_of(const std::string& source) {
  const auto made =
      source_of("a.ipynb", notebook(Json::array({code(source)})), text::Language::notebook);
  return std::string(made->program());
}

std::vector<std::string> texts(const std::string& json) {
  const Cells cells = unpack_notebook(json);
  EXPECT_EQ(cells.fault, "");
  std::vector<std::string> found;
  for (const text::Cell& cell : cells.all)
    found.push_back(cells.text.substr(cell.span.begin, cell.span.size()));
  return found;
}

TEST(notebook, code_cells_are_one_text_in_their_order) {
  const Json markdown = {{"cell_type", "markdown"}, {"source", "import os"}};
  const Cells cells = unpack_notebook(
      notebook({code({"a = 1\n", "b = 2"}), markdown, code("c = 3\n"), code(Json::array())}));
  EXPECT_EQ(cells.text, "a = 1\nb = 2\nc = 3\n\n\n");
  ASSERT_EQ(cells.all.size(), 3u);
  EXPECT_EQ(cells.all[1].number, 3);
  EXPECT_EQ(cells.all[2].number, 4);
}

TEST(notebook, positions_count_in_the_cell) {
  const auto source = source_of("a.ipynb", notebook({code("x\n"), code({"é = 1\n", "  y"})}),
                                text::Language::notebook);
  const auto at = static_cast<uint32_t>(source->bytes().find('y'));
  const diagnostics::CellRange there = diagnostics::range_in(*source, {at, at + 1});
  EXPECT_EQ(there.cell, 2);
  EXPECT_EQ(there.range.start, (text::Position{2, 3}));
  EXPECT_EQ(there.range.end, (text::Position{2, 4}));
  EXPECT_EQ(source->line(source->line_in(2, 1)), "é = 1");
  EXPECT_EQ(source->lines_around(source->line_in(2, 1)).first, 3u);
}

TEST(notebook, each_byte_knows_its_place_in_the_file) {
  const std::string json =
      "{\"cells\": [{\"cell_type\": \"code\", \"source\": "
      "[\"s = \\\"\\u00e9\\ud83d\\ude00\\\"\\n\", \"t\"]}]}";
  const Cells cells = unpack_notebook(json);
  EXPECT_EQ(cells.text, "s = \"é😀\"\nt\n");
  EXPECT_EQ(text::stored_at(cells, 0), json.find("s = "));
  EXPECT_EQ(text::stored_at(cells, 5), json.find("\\u00e9"));
  EXPECT_EQ(text::stored_at(cells, 7), json.find("\\ud83d"));
  EXPECT_EQ(text::stored_at(cells, 11), json.find("\\\"\\n"));
  EXPECT_EQ(text::stored_at(cells, 13), json.find("t\"]"));
}

TEST(notebook, older_formats_have_worksheets) {
  const Json first = {{"cell_type", "code"}, {"input", "a"}, {"language", "python"}};
  const Json second = {{"cell_type", "code"}, {"input", {"b\n", "c"}}};
  const Json other = {{"cell_type", "code"}, {"input", "d"}, {"language", "julia"}};
  const Json sheets = {{{"cells", Json::array({first})}}, {{"cells", {second, other}}}};
  EXPECT_THAT(texts(Json{{"worksheets", sheets}, {"nbformat", 3}}.dump()),
              ElementsAre("a", "b\nc"));
}

TEST(notebook, other_languages_are_left_out) {
  Json shell = code("x = 1");
  shell["metadata"] = {{"vscode", {{"languageId", "shellscript"}}}};
  EXPECT_THAT(texts(notebook({code("a"), shell})), ElementsAre("a"));
  Json julia = {{"cells", Json::array({code("a")})},
                {"metadata", {{"language_info", {{"name", "julia"}}}}}};
  EXPECT_THAT(texts(julia.dump()), ElementsAre());
  julia["metadata"] = {{"kernelspec", {{"language", "R"}}}};
  EXPECT_THAT(texts(julia.dump()), ElementsAre());
  julia["metadata"] = {{"kernelspec", {{"language", "python"}, {"name", "x"}}}};
  EXPECT_THAT(texts(julia.dump()), ElementsAre("a"));
}

TEST(notebook, the_last_of_two_members_counts) {
  EXPECT_THAT(texts(R"({"cells": [], "cells": [{"source": "a", "cell_type": "markdown",
                                                "source": ["b"], "cell_type": "code"}]})"),
              ElementsAre("b"));
}

TEST(notebook, what_is_odd_is_read_as_well_as_possible) {
  EXPECT_THAT(texts(R"({"cells": [{"cell_type": "coDe", "source": "a"}]})"), ElementsAre());
  EXPECT_THAT(texts("\xef\xbb\xbf{\"cells\": [{\"cell_type\": \"code\", \"source\": \"a\"}]}\n"),
              ElementsAre("a"));
  EXPECT_THAT(texts(R"({"cells": [{"cell_type": "code", "source": ["a\ud800", 1, null, "\ufffdb"]},
                        3, {"cell_type": "code", "source": {"x": 1}}, {"cell_type": ["code"]},
                        {"outputs": [NaN, "\ud800", {"a": [[]]}], "cell_type": "code", "source": "c"}]})"),
              ElementsAre("a\xef\xbf\xbd\xef\xbf\xbd"
                          "b",
                          "c"));
  EXPECT_THAT(texts("{\"cells\": [{\"cell_type\": \"code\", \"source\": \"a\\u0000\xff\"}]}"),
              ElementsAre(std::string("a\0\xff", 3)));
}

TEST(notebook, faults_say_where_and_what) {
  const auto fault = [](std::string_view json) { return unpack_notebook(json).fault; };
  EXPECT_EQ(fault(""), "is no notebook: it holds no JSON object");
  EXPECT_EQ(fault("[]"), "is no notebook: it holds no JSON object");
  EXPECT_EQ(fault("import torch"), "is no notebook: it holds no JSON object");
  EXPECT_EQ(fault("{}"), "is no notebook: it has no list `cells`");
  EXPECT_EQ(fault(R"({"cells": 3})"), "is no notebook: it has no list `cells`");
  EXPECT_EQ(fault("{\n\"cells\": [}"), "is no notebook: line 2: expected a value");
  EXPECT_EQ(fault("{\"cells\": [],\n}"), "is no notebook: line 2: expected a name in quotes");
  EXPECT_EQ(fault("{\"cells\": []\n\"a\""), "is no notebook: line 2: expected `,` or `}`");
  EXPECT_EQ(fault("{\"cells\" []}"), "is no notebook: line 1: expected `:`");
  EXPECT_EQ(fault("{\"cells\": [{\"a\": [}]}]}"),
            "is no notebook: line 1: expected another closing bracket");
  EXPECT_EQ(fault("{\"cells\": [{\"a"), "is no notebook: line 1: a string without an end");
  EXPECT_EQ(fault("{\"cells\": [\n{"), "is no notebook: line 2: the file ends in the middle");
  EXPECT_EQ(fault("{\"cells\": []} <<<<"),
            "is no notebook: line 1: the file goes on behind its end");
  EXPECT_EQ(fault({"{\"cells\": []}\n\0\0", 16}),
            "is no notebook: line 2: the file goes on behind its end");
  EXPECT_THAT(fault("{\"a\": " + std::string(100000, '[')), StartsWith("is no notebook: line 1"));
}

TEST(magics, leave_their_place_and_nothing_else) {
  EXPECT_EQ(program_of("%matplotlib inline\nx = 1\n"), "0                 \nx = 1\n\n");
  EXPECT_EQ(program_of("if x:\n    !ls\ny"), "if x:\n    0  \ny\n");
  EXPECT_EQ(program_of("a = !ls\nb = %env HOME"), "a = 0  \nb = 0        \n");
  EXPECT_EQ(program_of("!ls \\\n -l\nx"), "0    \n   \nx\n");
  EXPECT_EQ(program_of("torch.rand?\n?x\nx"), "0          \n0 \nx\n");
}

TEST(magics, python_with_the_same_signs_stays) {
  for (const std::string text :
       {"x = a % b\ny = a != b", "s = \"\"\"\n%env A=1\n!ls\nwhat?\n\"\"\"", "f(\n  a\n  % b\n)",
        "# why?\nx = '?'", "x = a \\\n  % b", "x = {a: '!'}\n", "assert x == 1, 'a?'"}) {
    EXPECT_EQ(program_of(text), text + "\n");
  }
}

TEST(magics, a_cell_is_python_or_not) {
  EXPECT_EQ(program_of("%%time\nx"), "      \nx\n");
  EXPECT_EQ(program_of("\n%%capture out\n%%time\nx"), "\n             \n      \nx\n");
  EXPECT_EQ(program_of("%%bash\nls"), "0     \n  \n");
  EXPECT_EQ(program_of("%%html\n<a>"), "      \n   \n");
  EXPECT_EQ(program_of("%%writefile a.py\nimport torch"), "                \n            \n");
  EXPECT_EQ(program_of("%sql\nselect 1"), "    \n        \n");
  EXPECT_EQ(program_of("x\n%%bash\nls"), "x\n      \n  \n");
}

TEST(magics, a_statement_behind_a_magic_is_python) {
  EXPECT_EQ(program_of("%time f()"), "if 1: f()\n");
  EXPECT_EQ(program_of("  %timeit -n 10 -r3 f()"), "  if             1: f()\n");
  EXPECT_EQ(program_of("%time f(\nx"), "0       \nx\n");
  EXPECT_EQ(program_of("%time\nx"), "0    \nx\n");
  EXPECT_EQ(program_of("%time %env A=1"), "0             \n");
}

TEST(magics, a_cell_that_does_not_end_runs_nothing) {
  EXPECT_EQ(program_of("import os\nf("), "         \n  \n");
  EXPECT_EQ(program_of("x = '''a"), "        \n");
  EXPECT_EQ(program_of("x = 1 \\"), "       \n");
  EXPECT_EQ(program_of("x = 'a"), "x = 'a\n");
}

TEST(magics, variables_are_taken_apart_as_ipython_does) {
  const auto taken = [](const std::string& text) {
    const Magic magic = magic_at(text, 0);
    if (magic.kind != Magic::Kind::set_variable) return std::string("no variable");
    return text.substr(magic.name.begin, magic.name.size()) + "|" +
           text.substr(magic.value.begin, magic.value.size());
  };
  EXPECT_EQ(taken("%env A=1"), "A|1");
  EXPECT_EQ(taken("%env A = 1  "), "A|1");
  EXPECT_EQ(taken("%set_env A 1 2"), "A|1 2");
  EXPECT_EQ(taken("%env A=x=y # z"), "A|x=y # z");
  EXPECT_EQ(taken("%env A B=1"), "no variable");
  EXPECT_EQ(taken("%env A"), "no variable");
  EXPECT_EQ(taken("%env"), "no variable");
  EXPECT_TRUE(magic_at("%env A={b}", 0).expands);
}

TEST(magics, what_env_keeps_was_hardly_meant) {
  const auto meant = [](const std::string& text) -> std::string {
    const std::optional<MeantValue> found = meant_by(text, magic_at(text, 0));
    return found ? text.substr(found->value.begin, found->value.size()) : "as it is";
  };
  EXPECT_EQ(meant("%env A=\"1\""), "1");
  EXPECT_EQ(meant("%env A='1' # one"), "1");
  EXPECT_EQ(meant("%env A=1 # one"), "1");
  EXPECT_EQ(meant("%env A=1#2"), "as it is");
  EXPECT_EQ(meant("%env A=\""), "as it is");
}

}  // namespace
}  // namespace vramlint::frontends
