// SPDX-License-Identifier: MIT
#include "frontends/kept_code.h"

#include <iterator>
#include <utility>

namespace vramlint::frontends {

namespace {

/// Texts of this many bytes are kept in any case; their code takes about ten times as much.
constexpr std::size_t always_kept = 1 << 17;
/// Names are never forgotten one by one: when so many came on top of twice the first ones, all
/// begins anew.
constexpr std::size_t most_new_names = 1 << 16;

/// All that decides what a block is lowered to.
std::string key_of(const model::Program& program, const model::Block& block, bool is_outer) {
  const text::Source& source = *program.source;
  const std::string_view text = source.program_slice(block.span);
  const std::string_view written = source.slice(block.span);
  std::string key(text);
  if (written.data() != text.data()) (key += '\0') += written;
  key += static_cast<char>('0' + static_cast<int>(block.kind));
  key += static_cast<char>('0' + 4 * is_outer + 2 * block.decorated + block.crowded);
  return key;
}

/// Differences are taken and added without a sign: they wrap around. What stands nowhere stays
/// there.
void move(text::Span& span, uint32_t by) {
  if (span != text::Span{}) span = {span.begin + by, span.end + by};
}

/// What stands in the code about places in the file.
void move(model::Code& code, uint32_t by) {
  for (model::Expr& expr : code.exprs) {
    move(expr.span, by);
    if (auto* string = std::get_if<model::String>(&expr.node)) move(string->inner, by);
  }
  for (model::Stmt& statement : code.stmts) move(statement.span, by);
  for (model::Class& made : code.classes) move(made.span, by);
  for (model::Function& function : code.functions) {
    move(function.span, by);
    move(function.name_span, by);
  }
}

void renumber(model::Code& code, uint32_t by) {
  for (model::Function& function : code.functions) {
    if (function.elsewhere != model::no_node) function.elsewhere += by;
  }
}

}  // namespace

bool KeptCode::restore(model::Program& program, uint32_t block) {
  const bool is_outer = block < program.blocks.size();
  const auto found = parts_.find(key_of(program, program.block(block), is_outer));
  if (found == parts_.end() || found->second.empty()) return false;
  Part part = std::move(found->second.back());
  found->second.pop_back();
  bytes_ -= found->first.size();
  model::Block& wanted = program.block(block);
  const uint32_t by = wanted.span.begin - part.begin;
  if (by != 0) move(*part.code, by);
  wanted.code = std::move(part.code);
  wanted.left_out = {};
  for (text::Span& function : part.left_out) {
    move(function, by);
    program.leave_out(block, function);
  }
  const uint32_t first = program.block(block).left_out.begin;
  if (first != part.first_left_out)
    renumber(*program.block(block).code, first - part.first_left_out);
  return true;
}

void KeptCode::keep(model::Program& program) {
  const auto outer = static_cast<uint32_t>(program.blocks.size());
  const uint32_t all = outer + static_cast<uint32_t>(program.left_out.size());
  for (uint32_t i = 0; i < all; ++i) {
    model::Block& block = program.block(i);
    if (!block.code) continue;
    std::string key = key_of(program, block, i < outer);
    bytes_ += key.size();
    used_ += key.size();
    Part& part = parts_[std::move(key)].emplace_back();
    part.code = std::move(block.code);
    part.begin = block.span.begin;
    part.first_left_out = block.left_out.begin;
    part.round = round_;
    for (uint32_t k = block.left_out.begin; k < block.left_out.end; ++k)
      part.left_out.push_back(program.block(k).span);
  }
}

void KeptCode::forget_old() {
  if (first_names_ == 0) first_names_ = names_->size();
  if (names_->size() > 2 * first_names_ + most_new_names) {
    parts_.clear();
    bytes_ = 0;
    names_ = std::make_unique<model::Names>();
    first_names_ = 0;
  } else if (bytes_ > always_kept + 2 * used_) {
    for (auto entry = parts_.begin(); entry != parts_.end();) {
      auto& [text, parts] = *entry;
      bytes_ -= text.size() *
                std::erase_if(parts, [this](const Part& part) { return part.round != round_; });
      entry = parts.empty() ? parts_.erase(entry) : std::next(entry);
    }
  }
  used_ = 0;
  ++round_;
}

}  // namespace vramlint::frontends
