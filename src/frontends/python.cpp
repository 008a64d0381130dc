// SPDX-License-Identifier: MIT
#include "frontends/python.h"

#include "frontends/python_lowering.h"
#include "syntax/blocks.h"
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
  model::Block& wanted = program.blocks[block];
  if (wanted.code) return *wanted.code;
  std::string_view bytes = program.source->slice(wanted.span);
  std::string cleaned;
  if (wanted.crowded) bytes = cleaned = syntax::without_idle_lines(bytes);
  const syntax::Tree tree(bytes);
  wanted.code = PythonLowering(bytes, wanted.span.begin, names).lower(tree);
  return *wanted.code;
}

}  // namespace vramlint::frontends
