// SPDX-License-Identifier: MIT
//
// From Python to nodes. Expectations are written in the notation of `lowered_text.h`.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "frontends/python.h"
#include "frontends/python_lowering.h"
#include "lowered_text.h"

namespace vramlint::frontends {
namespace {

/// One file, all of whose blocks are lowered.
class File {
 public:
  explicit File(const std::string& bytes)
      : program_(outline_python(
            std::make_shared<const text::Source>("a.py", bytes, text::Language::python), names_)) {
    for (uint32_t i = 0; i < program_.blocks.size(); ++i) code_of(program_, i, names_);
  }

  const model::Code& code(size_t block = 0) const { return *program_.blocks.at(block).code; }

  std::string text() const {
    std::string all;
    for (const model::Block& block : program_.blocks) {
      const model::LoweredText shown(*block.code, names_);
      all += (all.empty() ? "" : "\n") + shown.body(block.code->statements);
    }
    return all;
  }

  std::string bytes_at(text::Span span) const { return std::string(program_.source->slice(span)); }

  /// The bytes of the first expression that is a `Node`.
  template <typename Node>
  std::string bytes_of(size_t block = 0) const {
    for (const model::Expr& expr : code(block).exprs) {
      if (std::holds_alternative<Node>(expr.node)) return bytes_at(expr.span);
    }
    return "nothing";
  }

 private:
  model::Names names_;
  model::Program program_;
};

std::string lowered(const std::string& bytes) { return File(bytes).text(); }

TEST(Lowering, NamesAndLiterals) {
  EXPECT_EQ(lowered("a; 1; 1.5; True; False; None; 'b'"),
            "a; 1; real 1.500000; True; False; None; \"b\"");
  EXPECT_EQ(lowered("0x1F; 0b11; 0o17; 1_000; 007"), "31; 3; 15; 1000; 7");
  EXPECT_EQ(lowered("1e3; 1_0.5; .5; 2.; 1j; 1.5J"),
            "real 1000.000000; real 10.500000; real 0.500000; real 2.000000; ?; ?");
  EXPECT_EQ(lowered("9223372036854775807; 9223372036854775808"), "9223372036854775807; ?");
}

TEST(Lowering, Operators) {
  EXPECT_EQ(lowered("-a; +a; ~a; not a"), "-a; +a; ~a; not a");
  EXPECT_EQ(lowered("a + b - c * d / e"), "((a + b) - ((c * d) / e))");
  EXPECT_EQ(lowered("a // b % c ** d | e @ f"), "(((a // b) % (c ** d)) | (e @ f))");
  EXPECT_EQ(lowered("a & b; a << b"), "(a other b); (a other b)");
  EXPECT_EQ(lowered("a and b or c"), "((a and b) or c)");
  EXPECT_EQ(lowered("a if b else c"), "(a if b else c)");
  EXPECT_EQ(lowered("(a := 1)"), "(a := 1)");
}

TEST(Lowering, Comparisons) {
  EXPECT_EQ(lowered("a == b; a != b; a < b; a <= b; a > b; a >= b"),
            "(a == b); (a != b); (a < b); (a <= b); (a > b); (a >= b)");
  EXPECT_EQ(lowered("a in b; a not in b; a is b; a is not b"),
            "(a in b); (a not in b); (a is b); (a is not b)");
  EXPECT_EQ(lowered("a < b < c"), "((a < b) and (b < c))");
  EXPECT_EQ(lowered("(a) == (b)"), "(a == b)");
}

TEST(Lowering, CallsAttributesSubscripts) {
  EXPECT_EQ(lowered("a.b.c(1, *d, k=2, **e)"), "a.b.c(1, *d, k=2, **e)");
  EXPECT_EQ(lowered("a(b for b in c)"), "a((b for b in c))");
  EXPECT_EQ(lowered("a[1]; a[1, 2]; a[:]; a[1:2:3]; a[:2]; a[::3]"),
            "a[1]; a[(1, 2)]; a[_:_:_]; a[1:2:3]; a[_:2:_]; a[_:_:3]");
  EXPECT_EQ(lowered("f(*a.b())"), "f(*a.b())");
  EXPECT_EQ(lowered("[*a.b(), c]"), "[*a.b(), c]");
}

TEST(Lowering, Collections) {
  EXPECT_EQ(lowered("[]; [1, a]; (); (1,); x = 1, 2"), "[]; [1, a]; (); (1); x = (1, 2)");
  EXPECT_EQ(lowered("{1, 2}"), "{1, 2}");
  EXPECT_EQ(lowered("{}; {1: 2, **a, 'b': c}"), "{}; {1: 2, _: a, \"b\": c}");
  EXPECT_EQ(lowered("[a for a in b if c if d for e in a]"), "[a for a in b if c if d for e in a]");
  EXPECT_EQ(lowered("{a for a in b}; {a: b for a, b in c}"),
            "{a for a in b}; {a: b for (a, b) in c}");
}

TEST(Lowering, FunctionsAsValues) {
  EXPECT_EQ(lowered("lambda: 1"), "lambda() 1");
  EXPECT_EQ(lowered("lambda a, *b, c=1, **d: a"), "lambda(a, *b, key c=1, **d) a");
  EXPECT_EQ(lowered("async def f():\n  await g()"), "async def f() {await g()}");
}

TEST(Lowering, Strings) {
  EXPECT_EQ(lowered("'a' \"b\" '''c'''"), "\"abc\"");
  EXPECT_EQ(lowered("r'\\n'; b'a'; u'a'; R\"\\x\""), "\"\\n\"; \"a\"; \"a\"; \"\\x\"");
  EXPECT_EQ(lowered(R"('\t\\\'\x41\101\u00e9\U0001F525')"), "\"\t\\'AAé🔥\"");
  EXPECT_EQ(lowered("'a\\\nb'"), "\"ab\"");
  EXPECT_EQ(lowered(R"('\q\N{DASH}')"), "\"\\q\\N{DASH}\"");
}

TEST(Lowering, Templates) {
  EXPECT_EQ(lowered("f'a{b}c'"), "f(\"a\", b, \"c\")");
  EXPECT_EQ(lowered("f'a'"), "\"a\"");
  EXPECT_EQ(lowered("f'{a}' 'b' f'{c!r:>{d}}'"), "f(a, \"b\", c)");
}

TEST(Lowering, PlainStringsKnowWhereTheyStand) {
  const File file("x = 1\ny = r'''a:b'''\n");
  for (const model::Expr& expr : file.code(1).exprs) {
    const auto* string = std::get_if<model::String>(&expr.node);
    if (string == nullptr) continue;
    EXPECT_TRUE(string->plain);
    EXPECT_EQ(file.bytes_at(string->inner), "a:b");
    EXPECT_EQ(file.bytes_at(expr.span), "r'''a:b'''");
  }
}

TEST(Lowering, StringsWithEscapesAreNotPlain) {
  for (const std::string bytes : {"'a\\n'", "'a' 'b'", "f'a{b}'", "'\\\n'"}) {
    const File file(bytes);
    for (const model::Expr& expr : file.code().exprs) {
      const auto* string = std::get_if<model::String>(&expr.node);
      EXPECT_FALSE(string != nullptr && string->plain) << bytes;
    }
  }
}

TEST(Lowering, Assignments) {
  EXPECT_EQ(lowered("a = 1"), "a = 1");
  EXPECT_EQ(lowered("a = b.c = d[0] = 1"), "a = b.c = d[0] = 1");
  EXPECT_EQ(lowered("a, (b, *c) = d"), "(a, (b, *c)) = d");
  EXPECT_EQ(lowered("a: int = 1"), "a = 1");
  EXPECT_EQ(lowered("a: int"), "");
  EXPECT_EQ(lowered("a += 1; a -= 1; a *= 1; a |= b"), "a += 1; a -= 1; a *= 1; a |= b");
  EXPECT_EQ(lowered("a &= b"), "a other= b");
}

TEST(Lowering, Imports) {
  EXPECT_EQ(lowered("import a.b, c as d"), "import a.b c as d");
  EXPECT_EQ(lowered("from a.b import c as d, e"), "from a.b import c as d e");
  EXPECT_EQ(lowered("from . import a\nfrom ..b import (c,\n d)"),
            "from . import a\nfrom ..b import c d");
  EXPECT_EQ(lowered("from a import *"), "from a import *");
}

TEST(Lowering, Branches) {
  EXPECT_EQ(lowered("if a: b\nelif c: d\nelse: e"), "if a {b} else {if c {d} else {e}}");
  EXPECT_EQ(lowered("for a, b in c:\n  d\nelse:\n  e"), "for (a, b) in c {d} else {e}");
  EXPECT_EQ(lowered("while a:\n  break\nelse:\n  continue"), "while a {break} else {continue}");
  EXPECT_EQ(lowered("async def f():\n  async for a in b: pass\n  async with c: pass"),
            "async def f() {for a in b {pass}; with c {pass}}");
}

TEST(Lowering, Try) {
  EXPECT_EQ(lowered("try:\n  a\nexcept B as c:\n  d\nexcept (E, F):\n  g\nexcept:\n  h\n"
                    "else:\n  i\nfinally:\n  j"),
            "try {a} except B as c {d} except (E, F) {g} except _ {h} else {i} finally {j}");
  EXPECT_EQ(lowered("try:\n  a\nexcept* B:\n  c"), "try {a} except B {c}");
}

TEST(Lowering, With) {
  EXPECT_EQ(lowered("with a, b() as c: d"), "with a b() as c {d}");
  EXPECT_EQ(lowered("with (a as b, c):\n  d"), "with a as b c {d}");
}

TEST(Lowering, Match) {
  EXPECT_EQ(lowered("match a:\n  case 1: b\n  case 'c' if d: e\n  case f: g\n  case _: h"),
            "match a case 1 {b} case \"c\" if d {e} case f! {g} case ! {h}");
  EXPECT_EQ(lowered("match a:\n  case b.c: d\n  case 1 | 2: e\n  case [f]: g"),
            "match a case  {d} case  {e} case  {g}");
}

TEST(Lowering, OtherStatements) {
  EXPECT_EQ(lowered("del a, b[0]; assert a, b; pass"), "del a, b[0]; assert a; pass");
  EXPECT_EQ(lowered("def f():\n  return\n  return 1\n  raise\n  raise A from b"),
            "def f() {return _; return 1; raise _; raise A}");
  EXPECT_EQ(lowered("def f():\n  global a, b\n  nonlocal c"), "def f() {global a b; nonlocal c}");
}

TEST(Lowering, Functions) {
  EXPECT_EQ(lowered("@a\n@b(1)\ndef f(c, d: int = 1, /, *, e, **g) -> h:\n  pass"),
            "@a @b(1) def f(c, d=1, key e, **g) {pass}");
  EXPECT_EQ(lowered("def f(*args: int): yield 1"), "generator def f(*args) {yield 1}");
  EXPECT_EQ(lowered("def f():\n  yield from a\n  return lambda: (yield)"),
            "generator def f() {yield from a; return lambda() yield _}");
}

TEST(Lowering, Classes) {
  EXPECT_EQ(lowered("@a\nclass C(B, metaclass=M):\n  x: int\n  y = 1\n  def f(self): z: int"),
            "@a class C(B, metaclass=M) {x = ?; y = 1; def f(self) {}}");
}

TEST(Lowering, SpansCountFromTheFile) {
  const File file("\xef\xbb\xbfimport a\n\nif a:\n  b = call(1)\n");
  EXPECT_EQ(file.bytes_of<model::Call>(1), "call(1)");
  EXPECT_EQ(file.bytes_of<model::Integer>(1), "1");
  EXPECT_EQ(file.bytes_at(file.code(0).stmts.at(0).span), "import a");
  EXPECT_EQ(file.bytes_at(file.code(1).stmts.back().span).substr(0, 5), "if a:");
}

TEST(Lowering, SpansCountFromTheFileInCrowdedBlocks) {
  std::string bytes = "x = 1\ndef f():\n";
  for (int i = 0; i < 500; ++i) bytes += "    # é old\n";
  const File file(bytes + "    call('a#b')  # c\n");
  EXPECT_EQ(file.bytes_of<model::Call>(1), "call('a#b')");
  EXPECT_EQ(file.text(), "x = 1\ndef f() {call(\"a#b\")}");
}

TEST(Lowering, BrokenCodeGivesWhatCanBeUnderstood) {
  EXPECT_NE(lowered("def f():\n  a = 1\n  )\n  b = 2\n").find("a = 1"), std::string::npos);
  EXPECT_NE(lowered("x = (1,\ny = 2\ndef f():\n  return 3\n").find("return 3"), std::string::npos);
  EXPECT_NE(lowered("a = 1\nb = = 2\nc = 3\n").find("c = 3"), std::string::npos);
  EXPECT_TRUE(File("b = = 2").code().has_errors);
  EXPECT_FALSE(File("b = 2").code().has_errors);
}

TEST(Lowering, NestingHasABound) {
  for (const std::string open : {"[", "(", "f(", "a[", "{1: ", "not ", "lambda: ", "-"}) {
    std::string bytes = "x = ";
    for (int i = 0; i < 20'000; ++i) bytes += open;
    EXPECT_LT(lowered(bytes + "1").size(), 20'000u) << open;
  }
  std::string chain = "x = a";
  for (int i = 0; i < 20'000; ++i) chain += ".b";
  EXPECT_NE(lowered(chain).find('?'), std::string::npos);
}

TEST(Lowering, ParenthesesAreNoNesting) {
  EXPECT_EQ(lowered("x = " + std::string(20'000, '(') + "1" + std::string(20'000, ')')), "x = 1");
  EXPECT_EQ(lowered("del " + std::string(20'000, '(') + "x" + std::string(20'000, ')')), "del x");
}

TEST(Lowering, AThousandArmsAreNoNesting) {
  std::string bytes = "if a: pass\n";
  for (int i = 0; i < 1000; ++i) bytes += "elif a == 1: pass\n";
  EXPECT_EQ(lowered(bytes + "else: last").find('?'), std::string::npos);
  EXPECT_NE(lowered(bytes + "else: last").find("last"), std::string::npos);
}

}  // namespace
}  // namespace vramlint::frontends
