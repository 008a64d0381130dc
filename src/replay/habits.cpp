// SPDX-License-Identifier: MIT
#include "replay/habits.h"

#include <algorithm>
#include <array>

#include "replay/interpreter.h"

namespace vramlint::replay {

using knowledge::MethodRole;
using model::Code;
using model::ExprId;

void observe_habit(Interpreter& python, KeptWay way, Place place, std::string_view text,
                   const Remark& remark) {
  if (python.stopped() || python.probing_ > 0) return;
  Observation seen = python.observation_at(ObservationKind::graph_kept, place);
  seen.kept = way;
  seen.name = text;
  seen.value.text = remark.text;
  seen.value.literal = remark.place;
  seen.loop.reset();
  if (remark.loop) {
    seen.loop = LoopAround{};
    seen.loop->statement = *remark.loop;
  }
  python.observe(std::move(seen));
}

std::string_view searched_file(Interpreter& python) {
  constexpr size_t bytes_a_step = 1024;
  const std::string_view bytes = python.files_[python.frame().file_index]->bytes();
  python.charge(bytes.size() / bytes_a_step);
  return bytes;
}

const model::Attribute* method_called(const Code& code, ExprId id) {
  const auto* call = node_at<model::Call>(code, id);
  return call == nullptr ? nullptr : node_at<model::Attribute>(code, call->callee);
}

text::Span span_of(const Code& code, model::Range body) {
  if (body.empty()) return {};
  return {code.stmts[code.stmt_lists[body.begin]].span.begin,
          code.stmts[code.stmt_lists[body.end - 1]].span.end};
}

bool has_role(Interpreter& python, const model::Attribute* method, MethodRole role) {
  if (method == nullptr) return false;
  const knowledge::MethodRow* row = python.knowledge_.method(python.text_of(method->name));
  return row != nullptr && row->role == role;
}

namespace {

bool is_target(const Code& code, ExprId target, model::NameId name) {
  if (const auto* plain = node_at<model::Name>(code, target)) return plain->name == name;
  if (const auto* starred = node_at<model::Starred>(code, target))
    return is_target(code, starred->value, name);
  const auto* several = node_at<model::Sequence>(code, target);
  if (several == nullptr) return false;
  for (uint32_t i = several->items.begin; i < several->items.end; ++i) {
    if (is_target(code, code.expr_lists[i], name)) return true;
  }
  return false;
}

bool gives(const Code& code, const model::StmtNode& statement, model::NameId name) {
  if (const auto* assign = std::get_if<model::Assign>(&statement)) {
    for (uint32_t i = assign->targets.begin; i < assign->targets.end; ++i) {
      if (is_target(code, code.expr_lists[i], name)) return true;
    }
  } else if (const auto* loop = std::get_if<model::For>(&statement)) {
    return is_target(code, loop->target, name);
  } else if (const auto* with = std::get_if<model::With>(&statement)) {
    for (uint32_t i = with->items.begin; i < with->items.end; ++i) {
      if (is_target(code, code.with_items[i].target, name)) return true;
    }
  }
  return false;
}

}  // namespace

bool is_given_in(const Code& code, text::Span stretch, model::NameId name) {
  return std::any_of(code.stmts.begin(), code.stmts.end(), [&](const model::Stmt& statement) {
    return stretch.contains(statement.span) && gives(code, statement.node, name);
  });
}

bool is_own_name(Interpreter& python, model::NameId name) {
  const Frame& frame = python.frame();
  return frame.class_scope == 0 && !python.get(frame.scope, name).is(Kind::absent);
}

bool is_module(Interpreter& python, const Code& code, ExprId id) {
  const auto* name = node_at<model::Name>(code, id);
  if (name == nullptr) return false;
  const Value value = python.lookup(name->name);
  if (value.is(Kind::instance))
    return value.payload != 0 ||
           python.derives_from(python.object_of(value).target, "torch.nn.Module");
  if (!value.is(Kind::unknown) && !value.is(Kind::absent)) return false;
  const std::string_view text = python.text_of(name->name);
  const auto& modules = python.watched_.modules;
  return std::any_of(modules.begin(), modules.end(), [&](const Evaluated& known) {
    return known.frame == python.frame().token && known.text == text;
  });
}

bool is_lightning_module(Interpreter& python, Value class_value) {
  constexpr std::array<std::string_view, 3> modules = {"lightning.LightningModule",
                                                       "lightning.pytorch.LightningModule",
                                                       "pytorch_lightning.LightningModule"};
  return std::ranges::any_of(modules,
                             [&](auto name) { return python.derives_from(class_value, name); });
}

}  // namespace vramlint::replay
