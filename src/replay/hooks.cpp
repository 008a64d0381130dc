// SPDX-License-Identifier: MIT
//
// Hooks that nobody takes off: what they collect, and those that are registered again and again.
#include <algorithm>
#include <array>

#include "prefilter/words.h"
#include "replay/habits.h"
#include "replay/interpreter.h"

namespace vramlint::replay {

using model::Code;
using model::ExprId;

namespace {

/// How a container is emptied by its name.
constexpr std::array<std::string_view, 5> emptying = {".clear(", ".pop(", ".popleft(",
                                                      "[:] =", ".popitem("};

/// Whether the file takes out again what a hook puts into `outputs` or `self.outputs`.
bool is_emptied(std::string_view file, std::string_view container) {
  const std::string name(container.substr(container.rfind('.') + 1));
  size_t made = 0;
  for (size_t at = file.find(name); at != file.npos; at = file.find(name, at + 1)) {
    if (at > 0 && prefilter::is_word_byte(file[at - 1])) continue;
    const std::string_view rest = file.substr(at + name.size());
    if (std::ranges::any_of(emptying, [&](auto way) { return rest.starts_with(way); })) return true;
    std::string_view line = file.substr(0, at);
    line.remove_prefix(line.rfind('\n') + 1);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.starts_with("del ")) return true;
    // The second value that it is given is a fresh start.
    if (rest.starts_with(" = ") && ++made == 2) return true;
  }
  return false;
}

}  // namespace

/// A hook that collects the outputs of all passes.
void watch_hook(Interpreter& python, const Arguments& arguments, Place site) {
  const Value hook = arguments.at(0);
  const bool dropped = python.watched_.dropped == site.span;
  if (!hook.is(Kind::function) || !dropped || python.probing_ > 0) return;
  const Store::Mark mark = python.store_.mark();
  const size_t observed = python.timeline_.observations.size();
  const size_t kept = python.kept_.size();
  const size_t regions = python.regions_.size();
  LoopRounds loop = python.begin_loop(site);
  python.open_region({Completion::raised});
  python.run_round(loop, Value::unknown(), [&](Value) {
    Value output = Value::tensor(Device::unknown);
    loop.backward = true;
    output.graph = python.graphs_.begun(python.round_);
    Arguments given;
    given.positional = {Value::unknown(), Value::unknown(), output};
    python.call(hook, given, site);
  });
  python.regions_.resize(regions);
  python.abrupt_ = {};
  python.store_.undo_to(mark);
  python.timeline_.observations.resize(std::min(python.timeline_.observations.size(), observed));
  // `outputs[layer] = output` has an entry for each layer, and each pass replaces it.
  const std::string_view file = python.files_[site.file]->bytes();
  const auto replaces = [&](const Interpreter::KeptFinding& finding) {
    return finding.is_entry || is_emptied(file, finding.seen.name);
  };
  const auto first = static_cast<ptrdiff_t>(std::min(kept, python.kept_.size()));
  python.kept_.erase(std::remove_if(python.kept_.begin() + first, python.kept_.end(), replaces),
                     python.kept_.end());
  for (size_t i = kept; i < python.kept_.size(); ++i) python.kept_[i].seen.kept = KeptWay::hook;
}

namespace {

/// `model.layer4`, `self.blocks[0].weight`: names, attributes and fixed items, without a call.
/// Gives the name that it begins with.
const model::Name* root_of_chain(const Code& code, ExprId id, text::Span stretch) {
  for (;;) {
    if (const auto* name = node_at<model::Name>(code, id)) return name;
    if (const auto* part = node_at<model::Attribute>(code, id)) {
      id = part->object;
    } else if (const auto* item = node_at<model::Subscript>(code, id)) {
      const auto* index = node_at<model::Name>(code, item->index);
      const bool is_fixed = node_at<model::Integer>(code, item->index) != nullptr ||
                            node_at<model::String>(code, item->index) != nullptr ||
                            node_at<model::Unary>(code, item->index) != nullptr ||
                            (index != nullptr && !is_given_in(code, stretch, index->name));
      if (!is_fixed) return nullptr;
      id = item->object;
    } else {
      return nullptr;
    }
  }
}

/// `module._forward_hooks.clear()`: hooks can be taken off without a handle.
bool clears_hooks(std::string_view file) {
  for (size_t at = file.find("._"); at != std::string_view::npos; at = file.find("._", at + 2)) {
    const std::string_view rest = file.substr(at + 1, 40);
    const size_t end = rest.find("hooks");
    if (end != std::string_view::npos && rest.substr(0, end).find_first_of(" .()\n") == rest.npos)
      return true;
  }
  return false;
}

/// Whether a statement in this stretch gives what the receiver is on a new value.
bool is_made_in(Interpreter& python, const Code& code, text::Span stretch, ExprId receiver) {
  const std::string_view text = python.text_at(code.exprs[receiver].span);
  return std::any_of(code.stmts.begin(), code.stmts.end(), [&](const model::Stmt& statement) {
    const auto* assign = std::get_if<model::Assign>(&statement.node);
    if (assign == nullptr || !stretch.contains(statement.span)) return false;
    const ExprId target = code.expr_lists[assign->targets.begin];
    const std::string_view made = python.text_at(code.exprs[target].span);
    return text.starts_with(made) &&
           (text.size() == made.size() || text[made.size()] == '.' || text[made.size()] == '[');
  });
}

/// In each call of a method that runs for each batch, on a part of the module itself.
bool is_in_pass(Interpreter& python, const Code& code, const model::Name& root, ExprId receiver,
                Place site) {
  const Frame& frame = python.frame();
  if (frame.function == 0 || frame.definition->parameters.empty()) return false;
  const std::string_view name = python.text_of(frame.definition->name);
  const bool is_pass = name == "forward" || name == "training_step" || name == "validation_step";
  if (!is_pass || root.name != code.parameters[frame.definition->parameters.begin].name)
    return false;
  const ObjectId owner = python.objects_[frame.function].owner;
  if (owner == 0) return false;
  const Value class_value = Value::object(Kind::class_, owner);
  const bool is_module = python.derives_from(class_value, "torch.nn.Module") ||
                         is_lightning_module(python, class_value);
  if (!is_module || !std::ranges::none_of(python.conditions_, [&](Place condition) {
        return condition.file == site.file && frame.definition->span.contains(condition.span);
      }))
    return false;
  // Nothing before it may end the call.
  const bool may_end =
      std::any_of(code.stmts.begin(), code.stmts.end(), [&](const auto& statement) {
        return frame.definition->span.contains(statement.span) &&
               std::holds_alternative<model::Return>(statement.node) &&
               statement.span.end <= site.span.begin;
      });
  return !may_end && !is_made_in(python, code, frame.definition->span, receiver);
}

/// What the function that the loop stands in gives the present one for a parameter: a name, if
/// anything.
const model::Name* name_given(Interpreter& python, const LoopRounds& loop,
                              model::NameId parameter) {
  const Frame& frame = python.frame();
  if (python.frames_.size() < 2 || frame.definition == nullptr) return nullptr;
  const Frame& caller = python.frames_[python.frames_.size() - 2];
  if (caller.token != loop.frame || caller.code == nullptr) return nullptr;
  const Code& code = *caller.code;
  const auto found = std::find_if(code.exprs.begin(), code.exprs.end(), [&](const auto& each) {
    return each.span == frame.call_site.span && std::holds_alternative<model::Call>(each.node);
  });
  if (found == code.exprs.end()) return nullptr;
  const auto& call = std::get<model::Call>(found->node);
  const auto* method = node_at<model::Attribute>(code, call.callee);
  const bool is_method = method != nullptr && python.objects_[frame.function].owner != 0;
  uint32_t position = 0;
  const model::Range parameters = frame.definition->parameters;
  while (position < parameters.size() &&
         frame.code->parameters[parameters.begin + position].name != parameter)
    ++position;
  const auto fixed = [&](ExprId id) {
    const auto* name = node_at<model::Name>(code, id);
    return name != nullptr && !is_given_in(code, loop.statement.span, name->name) ? name : nullptr;
  };
  if (is_method && position == 0) return fixed(method->object);
  if (is_method) --position;
  if (position >= call.arguments.size()) return nullptr;
  const model::Argument& given = code.arguments[call.arguments.begin + position];
  if (given.keyword != 0 || given.star != model::Star::none) return nullptr;
  return fixed(given.value);
}

/// In a function that the loop calls: a name from outside of it, or a parameter for which each call
/// gets the same.
bool is_same_in_each_call(Interpreter& python, const Code& code, const LoopRounds& loop,
                          const model::Name& root, ExprId receiver) {
  const model::Function* function = python.frame().definition;
  if (function == nullptr || is_given_in(code, function->span, root.name) ||
      is_made_in(python, code, function->span, receiver))
    return false;
  const bool is_local = !python.get(python.frame().scope, root.name).is(Kind::absent);
  if (is_local) return name_given(python, loop, root.name) != nullptr;
  const std::string around(python.files_[loop.statement.file]->slice(loop.statement.span));
  return around.find(std::string(python.text_of(root.name)) + " = ") == std::string::npos;
}

}  // namespace

void watch_registered(Interpreter& python, bool of_module, Place site) {
  const bool dropped = python.watched_.dropped == site.span;
  const WrittenCall& written = python.written_call_;
  if (!dropped || python.probing_ > 0 || written.call == nullptr || written.site != site) return;
  const Code& code = *written.code;
  const auto* method = node_at<model::Attribute>(code, written.call->callee);
  if (method == nullptr || clears_hooks(searched_file(python))) return;
  const std::string_view receiver = python.text_at(code.exprs[method->object].span);
  const LoopRounds* loop = python.rounds_.empty() ? nullptr : python.rounds_.back();
  const bool is_here = loop != nullptr && loop->frame == python.frame().token;
  const text::Span stretch = is_here ? loop->statement.span : site.span;
  const model::Name* root = root_of_chain(code, method->object, stretch);
  if (root == nullptr) return;
  if (of_module && is_in_pass(python, code, *root, method->object, site)) {
    return observe_habit(python, KeptWay::registered, site, receiver,
                         {python.text_of(python.frame().definition->name), {}, {}});
  }
  if (loop == nullptr || loop->paths != python.branches_ - python.loop_branches_) return;
  const Value value = python.lookup(root->name);
  const bool is_known = value.is(Kind::instance) && value.payload != 0;
  if (!of_module && !is_known) return;
  if (is_here ? is_given_in(code, stretch, root->name) ||
                    is_made_in(python, code, stretch, method->object)
              : !is_same_in_each_call(python, code, *loop, *root, method->object))
    return;
  observe_habit(python, KeptWay::registered, site, receiver, {{}, {}, loop->statement});
  python.timeline_.observations.back().each_round = loop->statement;
}

}  // namespace vramlint::replay
