// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "model/names.h"
#include "text/source.h"

// The program as the replay runs it: a closed set of expressions and statements with the spans they
// came from. It has the shape of Python, since everything that Python can do before CUDA starts has
// to be said with it; other input languages use the few nodes that they need. Nodes live in the
// arrays of their `Program` and name each other by index. A block of the file is lowered when the
// replay first reaches it, so most of a file never becomes nodes at all.

namespace vramlint::model {

using ExprId = uint32_t;
using StmtId = uint32_t;
using FunctionId = uint32_t;
using ClassId = uint32_t;
inline constexpr uint32_t no_node = 0xffffffff;

/// A run of entries in one of the pools of the program.
struct Range {
  uint32_t begin = 0;
  uint32_t end = 0;

  bool empty() const { return begin == end; }
  uint32_t size() const { return end - begin; }
};

// Expressions ------------------------------------------------------------------------------------

/// Something that the front end does not follow: a broken stretch, or one nested too deeply.
struct Opaque {};
struct Name {
  NameId name;
};
struct Attribute {
  ExprId object;
  NameId name;
};
struct Subscript {
  ExprId object;
  ExprId index;
};
/// `begin:end:step`, each `no_node` where it is left out.
struct Slice {
  ExprId begin;
  ExprId end;
  ExprId step;
};
struct Call {
  ExprId callee;
  Range arguments;  ///< in `arguments`
};
struct String {
  NameId text;
  bool plain;        ///< one literal without escapes: its bytes are its value
  text::Span inner;  ///< between the quotes when `plain`
};
struct Integer {
  int64_t value;
};
struct Real {
  double value;
};
struct Boolean {
  bool value;
};
struct NoneValue {};
/// An f-string; the parts are strings and embedded expressions in order.
struct Template {
  Range parts;  ///< in `expr_lists`
};
enum class SequenceKind : uint8_t { list, tuple, set };
struct Sequence {
  SequenceKind kind;
  Range items;  ///< in `expr_lists`
};
/// Keys and values in turn; the key is `no_node` for `**other`.
struct Dict {
  Range entries;  ///< in `expr_lists`
};
struct Lambda {
  FunctionId function;
};
enum class ComprehensionKind : uint8_t { list, set, dict, generator };
struct Comprehension {
  ComprehensionKind kind;
  ExprId element;  ///< the key of a dict
  ExprId value;    ///< of a dict, else `no_node`
  Range clauses;   ///< in `clauses`
};
enum class UnaryOp : uint8_t { negate, plus, invert, logical_not };
struct Unary {
  UnaryOp op;
  ExprId operand;
};
enum class BinaryOp : uint8_t {
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  modulo,
  power,
  bit_or,
  matrix_multiply,
  other
};
struct Binary {
  BinaryOp op;
  ExprId left;
  ExprId right;
};
enum class LogicalOp : uint8_t { logical_and, logical_or };
struct Logical {
  LogicalOp op;
  ExprId left;
  ExprId right;
};
enum class CompareOp : uint8_t {
  equal,
  unequal,
  less,
  less_equal,
  greater,
  greater_equal,
  in,
  not_in,
  is,
  is_not
};
/// One comparison; a chain `a < b < c` is a `Logical` of two.
struct Compare {
  CompareOp op;
  ExprId left;
  ExprId right;
};
struct Conditional {
  ExprId condition;
  ExprId then;
  ExprId otherwise;
};
struct Await {
  ExprId value;
};
struct Yield {
  ExprId value;  ///< `no_node` for a bare yield
  bool from;
};
struct Starred {
  ExprId value;
};
struct Walrus {
  NameId name;
  ExprId value;
};

using ExprNode =
    std::variant<Opaque, Name, Attribute, Subscript, Slice, Call, String, Integer, Real, Boolean,
                 NoneValue, Template, Sequence, Dict, Lambda, Comprehension, Unary, Binary, Logical,
                 Compare, Conditional, Await, Yield, Starred, Walrus>;

struct Expr {
  ExprNode node;
  text::Span span;
};

enum class Star : uint8_t { none, sequence, mapping };

struct Argument {
  NameId keyword = 0;  ///< 0 for a positional one
  Star star = Star::none;
  ExprId value = no_node;
};

/// `for target in iterable if condition …` of a comprehension.
struct Clause {
  ExprId target;
  ExprId iterable;
  Range conditions;  ///< in `expr_lists`
};

// Statements -------------------------------------------------------------------------------------

struct Evaluate {
  ExprId value;
};
struct Assign {
  Range targets;  ///< in `expr_lists`
  ExprId value;
};
struct AugmentedAssign {
  ExprId target;
  BinaryOp op;
  ExprId value;
};
struct ImportedName {
  NameId name;   ///< dotted for `import a.b`
  NameId alias;  ///< 0 without `as`
};
struct Import {
  Range names;  ///< in `imported_names`
};
struct FromImport {
  NameId module;   ///< empty for `from . import x`
  uint32_t level;  ///< leading dots
  bool star;
  Range names;  ///< in `imported_names`
};
struct DefineFunction {
  FunctionId function;
};
struct DefineClass {
  ClassId id;
};
struct If {
  ExprId condition;
  Range then;  ///< in `stmt_lists`, as all bodies
  Range otherwise;
};
struct For {
  ExprId target;
  ExprId iterable;
  Range body;
  Range otherwise;
};
struct While {
  ExprId condition;
  Range body;
  Range otherwise;
};
struct Handler {
  ExprId type;  ///< `no_node` for a bare `except:`
  NameId alias;
  Range body;
};
struct Try {
  Range body;
  Range handlers;  ///< in `handlers`
  Range otherwise;
  Range finally;
};
struct WithItem {
  ExprId context;
  ExprId target;  ///< `no_node` without `as`
};
struct With {
  Range items;  ///< in `with_items`
  Range body;
};
struct Return {
  ExprId value;
};
struct Raise {
  ExprId exception;
};
struct Break {};
struct Continue {};
struct Pass {};
struct Delete {
  Range targets;
};
struct Scope {
  bool global;  ///< else nonlocal
  Range names;  ///< in `name_lists`
};
struct Assert {
  ExprId condition;
};
/// A pattern is a literal or dotted name to compare with, or `no_node` when it has any other shape.
struct Arm {
  ExprId literal;
  NameId capture;  ///< a bare name or `_` matches everything
  bool irrefutable;
  ExprId guard;
  Range body;
};
struct Match {
  ExprId subject;
  Range arms;  ///< in `arms`
};

using StmtNode = std::variant<Evaluate, Assign, AugmentedAssign, Import, FromImport, DefineFunction,
                              DefineClass, If, For, While, Try, With, Return, Raise, Break,
                              Continue, Pass, Delete, Scope, Assert, Match>;

struct Stmt {
  StmtNode node;
  text::Span span;
};

// Definitions ------------------------------------------------------------------------------------

enum class ParameterKind : uint8_t { positional, keyword_only, star, double_star };

struct Parameter {
  NameId name;
  ParameterKind kind;
  ExprId preset;  ///< default value, `no_node` without
};

struct Function {
  NameId name = 0;  ///< 0 for a lambda
  text::Span span;
  text::Span name_span;
  Range parameters;             ///< in `parameters`
  Range decorators;             ///< in `expr_lists`, outermost first
  Range body;                   ///< in `stmt_lists`
  ExprId expression = no_node;  ///< of a lambda
  /// Number of the block that holds the whole function, when its body was left out here.
  uint32_t elsewhere = no_node;
  Range globals;  ///< names declared global, in `name_lists`
  Range nonlocals;
  bool is_async = false;
  bool is_generator = false;
};

struct Class {
  NameId name = 0;
  text::Span span;
  Range bases;       ///< in `arguments`
  Range decorators;  ///< in `expr_lists`
  Range body;        ///< in `stmt_lists`
};

/// The nodes of one block. Written by a front end and not changed while the program is run, so that
/// the replay may hold references while other blocks are still being lowered.
struct Code {
  std::vector<Expr> exprs;
  std::vector<Stmt> stmts;
  std::vector<Function> functions;
  std::vector<Class> classes;
  std::vector<ExprId> expr_lists;
  std::vector<StmtId> stmt_lists;
  std::vector<NameId> name_lists;
  std::vector<Argument> arguments;
  std::vector<Clause> clauses;
  std::vector<ImportedName> imported_names;
  std::vector<Handler> handlers;
  std::vector<WithItem> with_items;
  std::vector<Parameter> parameters;
  std::vector<Arm> arms;
  Range statements;         ///< of the block itself, in `stmt_lists`
  bool has_errors = false;  ///< a stretch could not be parsed; it became `Opaque` or was left out

  template <typename T>
  static std::span<const T> slice(const std::vector<T>& pool, Range range) {
    return std::span<const T>(pool).subspan(range.begin, range.size());
  }
};

/// A stretch of the file that begins in column 0: what is parsed at a time.
enum class BlockKind : uint8_t { statement, import, function, class_ };

/// Whether executing a definition does more than to bind its name.
enum class Effect : uint8_t { not_looked_at, none, possible };

struct Block {
  text::Span span;
  BlockKind kind = BlockKind::statement;
  bool decorated = false;
  Effect effect = Effect::not_looked_at;
  bool crowded = false;        ///< with idle lines: see `syntax/blocks.h`
  NameId name = 0;             ///< of the function or class
  std::unique_ptr<Code> code;  ///< null until the block is lowered
  Range left_out;              ///< numbers of the blocks that were left out of the code
};

/// One source file, block by block.
struct Program {
  std::shared_ptr<const text::Source> source;
  std::vector<Block> blocks;
  /// Functions that were left out of their block when it was lowered, numbered on from `blocks`.
  std::vector<Block> left_out;

  Block& block(uint32_t number) {
    return number < blocks.size() ? blocks[number] : left_out[number - blocks.size()];
  }
  /// Makes a block of a function that is not in the code of the block `outer`; its number.
  uint32_t leave_out(uint32_t outer, text::Span function) {
    const auto number = static_cast<uint32_t>(blocks.size() + left_out.size());
    Range& numbers = blocks[outer].left_out;
    numbers = {numbers.empty() ? number : numbers.begin, number + 1};
    Block& made = left_out.emplace_back();
    made.span = function;
    made.kind = BlockKind::function;
    made.crowded = blocks[outer].crowded;
    return number;
  }
};

}  // namespace vramlint::model
