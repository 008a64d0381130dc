// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/program.h"
#include "syntax/condense.h"
#include "syntax/tree.h"

namespace vramlint::frontends {

/// A function whose body is not in the text at hand.
struct LeftOut {
  uint32_t begin = 0;  ///< of `def` or `async`, in the text
  uint32_t block = 0;  ///< that holds the function
};

/// What is lowered, and where it stands.
struct PythonText {
  uint32_t offset = 0;  ///< of the definition in the file
  syntax::Condensed condensed;
  std::vector<LeftOut> left_out;  ///< in ascending order
  /// The definition as it stands in a notebook, with a magic in place of each `0` that stands for
  /// one; empty where there are none.
  std::string_view written = {};
};

/// Turns the tree of one block into nodes. Anything it does not know, and anything nested deeper
/// than `max_depth`, becomes `Opaque`; it never fails and never guesses a value.
class PythonLowering {
 public:
  PythonLowering(const PythonText& text, model::Names& names);

  std::unique_ptr<model::Code> lower(const syntax::Tree& tree);

 private:
  /// Code that people write stays below 30; what is deeper was generated, or is an attack.
  static constexpr int max_depth = 150;

  /// Names declared and things seen in the function being lowered.
  struct FunctionContext {
    std::vector<model::NameId> globals;
    std::vector<model::NameId> nonlocals;
    bool is_generator = false;
  };
  bool moves_splat_ = false;    ///< a `*` further inside is being taken out
  bool in_class_body_ = false;  ///< where an annotation alone declares a field

  // statements: python_statements.cpp
  model::Range lower_body(TSNode block);
  void lower_statement(TSNode node, std::vector<model::StmtId>& into);
  void lower_expression_statement(TSNode node, std::vector<model::StmtId>& into);
  void lower_assignment(TSNode node, std::vector<model::StmtId>& into);
  model::StmtNode lower_augmented(TSNode node);
  model::StmtNode lower_import(TSNode node);
  model::StmtNode lower_from_import(TSNode node);
  model::StmtNode lower_if(TSNode node);
  model::StmtNode lower_for(TSNode node);
  model::StmtNode lower_while(TSNode node);
  model::StmtNode lower_try(TSNode node);
  model::Handler lower_handler(TSNode node);
  model::StmtNode lower_with(TSNode node);
  model::StmtNode lower_match(TSNode node);
  void lower_pattern(TSNode pattern, model::Arm& arm);
  model::StmtNode lower_scope(TSNode node, bool global);
  model::StmtNode lower_delete(TSNode node);
  model::ImportedName lower_imported_name(TSNode node);
  model::StmtId add_statement(model::StmtNode node, TSNode at);
  model::Range otherwise_of(TSNode node);

  // definitions: python_definitions.cpp
  void lower_definition(TSNode node, TSNode whole, model::Range decorators,
                        std::vector<model::StmtId>& into);
  void lower_decorated(TSNode node, std::vector<model::StmtId>& into);
  model::FunctionId lower_function(TSNode node, TSNode whole, model::Range decorators);
  model::ClassId lower_class(TSNode node, TSNode whole, model::Range decorators);
  model::FunctionId lower_lambda(TSNode node);
  model::Range lower_parameters(TSNode node);
  void lower_parameter(TSNode node, bool& keyword_only, std::vector<model::Parameter>& into);

  // expressions: python_expressions.cpp
  model::ExprId lower_expression(TSNode node);
  model::ExprNode lower_expression_node(TSNode node);
  model::ExprNode lower_nested(TSNode node);
  model::ExprNode lower_call(TSNode node);
  model::Range lower_arguments(TSNode node);
  model::ExprNode lower_subscript(TSNode node);
  model::ExprNode lower_slice(TSNode node);
  model::ExprNode lower_sequence(TSNode node, model::SequenceKind kind);
  model::ExprNode lower_dictionary(TSNode node);
  model::ExprNode lower_comprehension(TSNode node, model::ComprehensionKind kind);
  model::ExprNode lower_unary(TSNode node);
  model::ExprNode lower_binary(TSNode node);
  model::ExprNode lower_logical(TSNode node);
  model::ExprNode lower_comparison(TSNode node);
  model::ExprNode lower_conditional(TSNode node);
  model::ExprNode lower_yield(TSNode node);
  model::ExprNode lower_named(TSNode node);
  model::ExprId add_expression(model::ExprNode node, text::Span span);

  // literals: python_literals.cpp
  model::ExprNode lower_integer(std::string_view text);
  model::ExprNode lower_real(std::string_view text);
  model::ExprNode lower_string(TSNode node);
  model::ExprNode lower_concatenation(TSNode node);
  bool append_string(TSNode node, std::string& text, std::vector<model::ExprId>& parts);

  // magics: magic_lowering.cpp
  bool stands_for_magic(TSNode node) const;
  model::ExprId lower_magic(TSNode node);
  model::ExprId imported(std::string_view module, text::Span span);
  model::ExprId string_at(text::Span inner, bool is_known);
  model::ExprId call_of(model::ExprId object, std::initializer_list<std::string_view> path,
                        const std::vector<model::ExprId>& values, text::Span span);

  std::string_view text_of(TSNode node) const;
  model::NameId name_of(TSNode node) const { return names_.intern(text_of(node)); }
  text::Span span_of(TSNode node) const;

  template <typename T>
  static model::Range append(std::vector<T>& pool, const std::vector<T>& values) {
    const auto begin = static_cast<uint32_t>(pool.size());
    pool.insert(pool.end(), values.begin(), values.end());
    return {begin, static_cast<uint32_t>(pool.size())};
  }

  const PythonText& text_;
  std::string_view bytes_;
  model::Names& names_;
  std::unique_ptr<model::Code> code_;
  std::vector<FunctionContext> functions_;
  int depth_ = 0;
};

}  // namespace vramlint::frontends
