// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "model/program.h"

namespace vramlint::model {

/// Lowered nodes as text, short enough to be compared by eye: `a = f(1, k=2)`; a `?` is `Opaque`.
class LoweredText {
 public:
  LoweredText(const Code& code, const Names& names) : code_(code), names_(names) {}

  std::string body(Range range) const;
  std::string statement(StmtId id) const;
  std::string expression(ExprId id) const;

 private:
  std::string name(NameId id) const { return std::string(names_.text(id)); }
  std::string list(Range expressions) const;
  std::string arguments(Range range) const;
  std::string parameters(Range range) const;
  std::string decorators(Range range) const;
  std::string clauses(Range range) const;

  std::string of(const Opaque&) const { return "?"; }
  std::string of(const Name& node) const { return name(node.name); }
  std::string of(const Attribute& node) const;
  std::string of(const Subscript& node) const;
  std::string of(const Slice& node) const;
  std::string of(const Call& node) const;
  std::string of(const String& node) const { return '"' + name(node.text) + '"'; }
  std::string of(const Integer& node) const { return std::to_string(node.value); }
  std::string of(const Real& node) const { return "real " + std::to_string(node.value); }
  std::string of(const Boolean& node) const { return node.value ? "True" : "False"; }
  std::string of(const NoneValue&) const { return "None"; }
  std::string of(const Template& node) const { return "f(" + list(node.parts) + ")"; }
  std::string of(const Sequence& node) const;
  std::string of(const Dict& node) const;
  std::string of(const Lambda& node) const;
  std::string of(const Comprehension& node) const;
  std::string of(const Unary& node) const;
  std::string of(const Binary& node) const;
  std::string of(const Logical& node) const;
  std::string of(const Compare& node) const;
  std::string of(const Conditional& node) const;
  std::string of(const Await& node) const { return "await " + expression(node.value); }
  std::string of(const Yield& node) const;
  std::string of(const Starred& node) const { return "*" + expression(node.value); }
  std::string of(const Walrus& node) const;

  std::string of(const Evaluate& node) const { return expression(node.value); }
  std::string of(const Assign& node) const;
  std::string of(const AugmentedAssign& node) const;
  std::string of(const Import& node) const;
  std::string of(const FromImport& node) const;
  std::string of(const DefineFunction& node) const;
  std::string of(const DefineClass& node) const;
  std::string of(const If& node) const;
  std::string of(const For& node) const;
  std::string of(const While& node) const;
  std::string of(const Try& node) const;
  std::string of(const With& node) const;
  std::string of(const Return& node) const { return "return " + expression(node.value); }
  std::string of(const Raise& node) const { return "raise " + expression(node.exception); }
  std::string of(const Break&) const { return "break"; }
  std::string of(const Continue&) const { return "continue"; }
  std::string of(const Pass&) const { return "pass"; }
  std::string of(const Delete& node) const { return "del " + list(node.targets); }
  std::string of(const Scope& node) const;
  std::string of(const Assert& node) const { return "assert " + expression(node.condition); }
  std::string of(const Match& node) const;

  const Code& code_;
  const Names& names_;
};

}  // namespace vramlint::model
