// SPDX-License-Identifier: MIT
#include "frontends/python.h"

#include "frontends/python_lowering.h"
#include "syntax/blocks.h"
#include "syntax/condense.h"
#include "syntax/tree.h"

namespace vramlint::frontends {
namespace {

model::BlockKind kind_of(syntax::BlockShape shape) {
  switch (shape) {
    case syntax::BlockShape::statement: return model::BlockKind::statement;
    case syntax::BlockShape::import: return model::BlockKind::import;
    case syntax::BlockShape::function: return model::BlockKind::function;
    case syntax::BlockShape::class_: return model::BlockKind::class_;
  }
  return model::BlockKind::statement;
}

/// Makes blocks of the functions whose bodies are not in the text of `outer`.
std::vector<LeftOut> leave_out(model::Program& program, uint32_t outer,
                               const std::vector<syntax::Condensed::Function>& functions) {
  std::vector<LeftOut> made;
  const uint32_t begin = program.block(outer).span.begin;
  for (const syntax::Condensed::Function& function : functions) {
    const text::Span within = function.original;
    const text::Span span = {begin + within.begin, begin + within.end};
    made.push_back({function.begin, program.leave_out(outer, span)});
  }
  return made;
}

}  // namespace

model::Program outline_python(std::shared_ptr<const text::Source> source, model::Names& names) {
  model::Program program;
  for (const syntax::TopLevelBlock& found : syntax::top_level_blocks(source->program())) {
    model::Block& block = program.blocks.emplace_back();
    block.span = found.span;
    block.kind = kind_of(found.shape);
    block.decorated = found.decorated;
    block.crowded = found.crowded;
    block.name = names.intern(source->slice(found.name));
  }
  program.source = std::move(source);
  return program;
}

const model::Code& code_of(model::Program& program, uint32_t block, model::Names& names,
                           KeptCode* kept) {
  const model::Block& wanted = program.block(block);
  if (wanted.code || (kept != nullptr && kept->restore(program, block)))
    return *program.block(block).code;
  std::string_view bytes = program.source->program_slice(wanted.span);
  const bool has_magics = program.source->program().data() != program.source->bytes().data();
  const std::string_view written = has_magics ? program.source->slice(wanted.span) : "";
  std::string cleaned;
  if (wanted.crowded) bytes = cleaned = syntax::without_idle_lines(bytes);
  const bool is_outer = block < program.blocks.size();
  const bool is_class = wanted.kind == model::BlockKind::class_;
  PythonText text{wanted.span.begin, {}, {}, written};
  if (is_class || wanted.kind == model::BlockKind::function) {
    const bool leaves_out = is_outer && (is_class || wanted.decorated);
    text.condensed =
        syntax::condense(bytes, leaves_out ? syntax::Bodies::left_out : syntax::Bodies::kept);
  } else {
    text.condensed.text = bytes;
  }
  text.left_out = leave_out(program, block, text.condensed.functions);
  const syntax::Tree tree(text.condensed.text);
  return *(program.block(block).code = PythonLowering(text, names).lower(tree));
}

}  // namespace vramlint::frontends
