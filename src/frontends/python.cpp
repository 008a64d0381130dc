// SPDX-License-Identifier: MIT
#include "frontends/python.h"

#include "frontends/python_lowering.h"
#include "syntax/blocks.h"
#include "syntax/bodies.h"
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

model::Block& block_at(model::Program& program, uint32_t block) {
  const size_t outer = program.blocks.size();
  return block < outer ? program.blocks[block] : program.left_out[block - outer];
}

/// Makes blocks of functions whose bodies are not in the text of `outer`.
std::vector<LeftOut> leave_out(model::Program& program, const model::Block& outer,
                               const std::vector<text::Span>& functions) {
  std::vector<LeftOut> made;
  for (const text::Span function : functions) {
    made.push_back(
        {function.begin, static_cast<uint32_t>(program.blocks.size() + program.left_out.size())});
    model::Block& block = program.left_out.emplace_back();
    block.span = {outer.span.begin + function.begin, outer.span.begin + function.end};
    block.kind = model::BlockKind::function;
    block.crowded = outer.crowded;
  }
  return made;
}

}  // namespace

model::Program outline_python(std::shared_ptr<const text::Source> source, model::Names& names) {
  model::Program program;
  for (const syntax::TopLevelBlock& found : syntax::top_level_blocks(source->bytes())) {
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

const model::Code& code_of(model::Program& program, uint32_t block, model::Names& names) {
  model::Block& wanted = block_at(program, block);
  if (wanted.code) return *wanted.code;
  std::string_view bytes = program.source->slice(wanted.span);
  const uint32_t offset = wanted.span.begin;
  std::string cleaned;
  if (wanted.crowded) bytes = cleaned = syntax::without_idle_lines(bytes);
  syntax::Shortened shortened;
  std::vector<LeftOut> left_out;
  const bool is_outer = block < program.blocks.size();
  if (is_outer && (wanted.kind == model::BlockKind::class_ || wanted.decorated)) {
    shortened = syntax::without_bodies(bytes);
    bytes = shortened.text;
    left_out = leave_out(program, wanted, shortened.functions);
  }
  const syntax::Tree tree(bytes);
  wanted.code = PythonLowering(bytes, offset, names, left_out).lower(tree);
  return *wanted.code;
}

}  // namespace vramlint::frontends
