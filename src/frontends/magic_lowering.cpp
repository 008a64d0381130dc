// SPDX-License-Identifier: MIT
//
// What IPython does for a magic, as the Python that does the same: `%env NAME=VALUE` is
// `os.environ["NAME"] = "VALUE"`, whatever names the notebook has for `os`.
#include "frontends/notebook_magics.h"
#include "frontends/python_lowering.h"

namespace vramlint::frontends {

bool PythonLowering::stands_for_magic(TSNode node) const {
  const std::string_view written = text_.written;
  if (written.empty() || syntax::kind_of(node) != syntax::NodeKind::integer) return false;
  const uint32_t at = text_.condensed.original(ts_node_start_byte(node));
  return at < written.size() && text_of(node) == "0" && written[at] != '0';
}

/// `__import__("os")`
model::ExprId PythonLowering::imported(std::string_view module, text::Span span) {
  const model::ExprId callee = add_expression(model::Name{names_.intern("__import__")}, span);
  const model::ExprId name =
      add_expression(model::String{names_.intern(module), false, span}, span);
  const std::vector<model::Argument> arguments = {{0, model::Star::none, name}};
  return add_expression(model::Call{callee, append(code_->arguments, arguments)}, span);
}

model::ExprId PythonLowering::string_at(text::Span inner, bool is_known) {
  const text::Span there{inner.begin + text_.offset, inner.end + text_.offset};
  if (!is_known) return add_expression(model::Opaque{}, there);
  const model::NameId text = names_.intern(text_.written.substr(inner.begin, inner.size()));
  return add_expression(model::String{text, true, there}, there);
}

model::ExprId PythonLowering::call_of(model::ExprId object,
                                      std::initializer_list<std::string_view> path,
                                      const std::vector<model::ExprId>& values, text::Span span) {
  for (const std::string_view name : path)
    object = add_expression(model::Attribute{object, names_.intern(name)}, span);
  std::vector<model::Argument> arguments;
  for (const model::ExprId value : values) arguments.push_back({0, model::Star::none, value});
  return add_expression(model::Call{object, append(code_->arguments, arguments)}, span);
}

model::ExprId PythonLowering::lower_magic(TSNode node) {
  const std::string_view written = text_.written;
  const Magic magic = magic_at(written, text_.condensed.original(ts_node_start_byte(node)));
  const text::Span span{magic.span.begin + text_.offset, magic.span.end + text_.offset};
  switch (magic.kind) {
    case Magic::Kind::set_variable: {
      // What was hardly meant is reported as such; other rules would only see it as misspelt.
      const bool is_known = !magic.expands && !meant_by(written, magic);
      return call_of(imported("os", span), {"environ", "__setitem__"},
                     {string_at(magic.name, true), string_at(magic.value, is_known)}, span);
    }
    case Magic::Kind::command:
      return call_of(imported("IPython", span), {"system"}, {string_at(magic.value, true)}, span);
    case Magic::Kind::run_script:
    case Magic::Kind::other: return add_expression(model::Opaque{}, span);
  }
  return add_expression(model::Opaque{}, span);
}

}  // namespace vramlint::frontends
