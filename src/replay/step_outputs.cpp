// SPDX-License-Identifier: MIT
//
// What the steps of a Lightning module put into its containers, and no epoch takes out again. Such
// a class is read, not run: its trainer stands outside the project.
#include <algorithm>

#include "frontends/python.h"
#include "replay/habits.h"
#include "replay/interpreter.h"
#include "replay/keeping.h"

namespace vramlint::replay {

using model::Code;
using model::ExprId;

namespace {

/// A call that gives a number, which keeps nothing.
bool is_number(Interpreter& python, const Code& code, ExprId argument) {
  const auto* call = node_at<model::Call>(code, argument);
  if (call == nullptr) return false;
  if (const auto* method = node_at<model::Attribute>(code, call->callee)) {
    const knowledge::MethodRow* row = python.knowledge_.method(python.text_of(method->name));
    return row != nullptr && row->makes == knowledge::Makes::nothing;
  }
  const auto* name = node_at<model::Name>(code, call->callee);
  const std::string_view word = name == nullptr ? std::string_view() : python.text_of(name->name);
  return word == "float" || word == "int" || word == "len";
}

bool is_step(std::string_view name) {
  return name == "training_step" || name == "validation_step" || name == "test_step";
}

/// What the methods of one class put into its instances' containers in a step, and take out again.
class StepReader {
 public:
  StepReader(Interpreter& python, text::Span class_span)
      : python_(python), class_span_(class_span) {}

  /// The methods in one piece of code.
  void read(const Code& code) {
    code_ = &code;
    for (ExprId id = 0; id < code.exprs.size(); ++id) {
      if (class_span_.contains(code.exprs[id].span)) read_call(id);
    }
    for (const model::Stmt& statement : code.stmts) {
      if (class_span_.contains(statement.span)) read_statement(statement);
    }
  }

  struct Write {
    text::Span call;
    model::NameId name;
  };
  /// Into what nobody empties.
  std::vector<Write> kept() const {
    std::vector<Write> made;
    for (const Write& write : writes_) {
      if (std::find(emptied_.begin(), emptied_.end(), write.name) == emptied_.end())
        made.push_back(write);
    }
    return made;
  }

 private:
  /// Name of the innermost function around, empty without one.
  std::string_view function_at(text::Span span) const {
    std::string_view found;
    for (const model::Function& function : code_->functions) {
      const bool around =
          function.name != 0 && function.span.contains(span) && class_span_.contains(function.span);
      if (around) found = python_.text_of(function.name);
    }
    return found;
  }

  /// `name` of `self.name`.
  model::NameId member(ExprId id) const {
    const auto* attribute = node_at<model::Attribute>(*code_, id);
    const auto* self =
        attribute == nullptr ? nullptr : node_at<model::Name>(*code_, attribute->object);
    return self != nullptr && python_.text_of(self->name) == "self" ? attribute->name
                                                                    : model::NameId{0};
  }

  void read_call(ExprId id) {
    const model::Attribute* method = method_called(*code_, id);
    const model::NameId name = method == nullptr ? 0 : member(method->object);
    if (name == 0) return;
    const std::string_view word = python_.text_of(method->name);
    const model::Range arguments = node_at<model::Call>(*code_, id)->arguments;
    const text::Span span = code_->exprs[id].span;
    if (word == "append" && is_step(function_at(span)) && !arguments.empty() &&
        !is_number(python_, *code_, code_->arguments[arguments.begin].value)) {
      writes_.push_back({span, name});
    } else if (word == "clear" || word == "pop" || word == "popleft") {
      emptied_.push_back(name);
    }
  }

  void read_statement(const model::Stmt& statement) {
    const auto* assign = std::get_if<model::Assign>(&statement.node);
    const auto* gone = std::get_if<model::Delete>(&statement.node);
    if (assign == nullptr && gone == nullptr) return;
    const std::string_view within = function_at(statement.span);
    if (within.empty() || within == "__init__") return;
    const model::Range targets = assign != nullptr ? assign->targets : gone->targets;
    for (uint32_t i = targets.begin; i < targets.end; ++i) {
      const ExprId target = code_->expr_lists[i];
      const auto* part = node_at<model::Subscript>(*code_, target);
      emptied_.push_back(member(part == nullptr ? target : part->object));
    }
  }

  Interpreter& python_;
  text::Span class_span_;
  const Code* code_ = nullptr;
  std::vector<Write> writes_;
  std::vector<model::NameId> emptied_;
};

/// Right below Lightning's own class: no base of the project's empties what a step fills.
bool is_plain_module(Interpreter& python, Value class_value) {
  if (!class_value.is(Kind::class_)) return false;
  const std::vector<Value>& bases = python.object_of(class_value).values;
  return is_lightning_module(python, class_value) &&
         std::ranges::all_of(bases, [](Value base) { return base.is(Kind::external); });
}

}  // namespace

void watch_class(Interpreter& python, Value class_value) {
  if (python.stopped() || !is_plain_module(python, class_value)) return;
  const Object& object = python.object_of(class_value);
  if (object.code == nullptr || object.node >= object.code->classes.size()) return;
  const model::Class& definition = object.code->classes[object.node];
  StepReader reader(python, definition.span);
  reader.read(*object.code);
  for (const model::Function& method : object.code->functions) {
    if (method.elsewhere == model::no_node || !definition.span.contains(method.span)) continue;
    reader.read(frontends::code_of(object.file->program, method.elsewhere, python.names_,
                                   object.file->kept));
  }
  for (const StepReader::Write& write : reader.kept()) {
    observe_habit(python, KeptWay::epochs, {object.file_index, write.call},
                  python.text_of(write.name));
  }
}

}  // namespace vramlint::replay
