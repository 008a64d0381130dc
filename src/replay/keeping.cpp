// SPDX-License-Identifier: MIT
#include "replay/keeping.h"

#include <algorithm>

#include "frontends/python.h"
#include "replay/interpreter.h"

namespace vramlint::replay {
namespace {

using knowledge::MethodRole;
using model::Code;
using model::ExprId;

void observe(Interpreter& python, KeptWay way, Place place, std::string_view text,
             std::optional<Place> loop = std::nullopt) {
  if (python.stopped() || python.probing_ > 0) return;
  Observation seen = python.observation_at(ObservationKind::graph_kept, place);
  seen.kept = way;
  seen.name = text;
  seen.loop.reset();
  if (loop) {
    seen.loop = LoopAround{};
    seen.loop->statement = *loop;
  }
  python.observe(std::move(seen));
}

template <typename T>
const T* node_at(const Code& code, ExprId id) {
  return id == model::no_node ? nullptr : std::get_if<T>(&code.exprs[id].node);
}

/// The call of a method by this name, when the expression is one.
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

/// Gradients that are cleared hold no graph.
void forget_gradients(Interpreter& python) {
  std::erase_if(python.kept_, [](const Interpreter::KeptFinding& finding) {
    return finding.seen.kept == KeptWay::gradients;
  });
}

bool is_text(const Code& code, ExprId id) {
  return node_at<model::String>(code, id) != nullptr ||
         node_at<model::Template>(code, id) != nullptr;
}

/// A call that begins with a text of its own, unlike the other: somebody's `log`.
bool speaks(Interpreter& python, const Code& code, ExprId id, ExprId other) {
  const auto first_of = [&](ExprId call) {
    const model::Range given = std::get<model::Call>(code.exprs[call].node).arguments;
    return given.empty() ? model::no_node : code.arguments[given.begin].value;
  };
  const ExprId text = first_of(id);
  const ExprId first = first_of(other);
  return is_text(code, text) &&
         (first == model::no_node ||
          python.text_at(code.exprs[text].span) != python.text_at(code.exprs[first].span));
}

/// A call in the handler of an out-of-memory error of what failed, or of the function itself.
void watch_retry(Interpreter& python, const Code& code, const model::Try& statement) {
  const text::Span tried = span_of(code, statement.body);
  for (uint32_t i = statement.handlers.begin; i < statement.handlers.end; ++i) {
    const model::Handler& handler = code.handlers[i];
    if (handler.type == model::no_node || handler.body.empty()) continue;
    const std::string_view type = python.text_at(code.exprs[handler.type].span);
    const text::Span body = span_of(code, handler.body);
    const bool is_memory = type.ends_with("OutOfMemoryError") ||
                           (type == "RuntimeError" &&
                            python.text_at(body).find("out of memory") != std::string_view::npos);
    if (!is_memory) continue;
    for (ExprId id = 0; id < code.exprs.size(); ++id) {
      const auto* call = std::get_if<model::Call>(&code.exprs[id].node);
      if (call == nullptr || !body.contains(code.exprs[id].span)) continue;
      const std::string_view callee = python.text_at(code.exprs[call->callee].span);
      const model::Function* definition = python.frame().definition;
      const auto* name = node_at<model::Name>(code, call->callee);
      bool again = name != nullptr && definition != nullptr && definition->name == name->name;
      for (ExprId other = 0; other < code.exprs.size() && !again; ++other) {
        const auto* first = std::get_if<model::Call>(&code.exprs[other].node);
        again = first != nullptr && tried.contains(code.exprs[other].span) && name != nullptr &&
                python.text_at(code.exprs[first->callee].span) == callee &&
                !python.lookup(name->name).is(Kind::external) && !speaks(python, code, id, other);
      }
      if (again)
        return observe(python, KeptWay::retry, python.place_of(code.exprs[id].span), callee);
    }
  }
}

/// `ctx.result = result` in the `forward` of an autograd function that gives `result` back: what
/// comes out holds the context, which holds what comes out.
void watch_context(Interpreter& python, const Code& code, const model::Assign& node,
                   text::Span span) {
  const model::Function* definition = python.frame().definition;
  if (python.frame().function == 0 || definition == nullptr || definition->parameters.empty())
    return;
  const auto* value = node_at<model::Name>(code, node.value);
  const auto* target = node_at<model::Attribute>(code, code.expr_lists[node.targets.begin]);
  const auto* object = target == nullptr ? nullptr : node_at<model::Name>(code, target->object);
  if (value == nullptr || object == nullptr) return;
  if (object->name != code.parameters[definition->parameters.begin].name) return;
  const ObjectId owner = python.objects_[python.frame().function].owner;
  if (owner == 0) return;
  const Value class_value = Value::object(Kind::class_, owner);
  if (!python.derives_from(class_value, "torch.autograd.Function") &&
      !python.derives_from(class_value, "torch.autograd.function.Function")) {
    return;
  }
  const text::Span body = span_of(code, definition->body);
  const bool is_result = std::any_of(code.stmts.begin(), code.stmts.end(), [&](const auto& other) {
    const auto* result = std::get_if<model::Return>(&other.node);
    if (result == nullptr || !body.contains(other.span)) return false;
    const auto* given = node_at<model::Name>(code, result->value);
    return given != nullptr && given->name == value->name;
  });
  if (is_result)
    observe(python, KeptWay::context, python.place_of(span), python.text_of(value->name));
}

/// A parameter that takes gradients, as an operand.
bool adds_parameter(Interpreter& python, const Code& code, ExprId id, int depth = 0) {
  if (const auto* name = node_at<model::Name>(code, id))
    return python.lookup(name->name).graph == Value::leaf_graph;
  const auto* binary = node_at<model::Binary>(code, id);
  return binary != nullptr && depth < 8 &&
         (adds_parameter(python, code, binary->left, depth + 1) ||
          adds_parameter(python, code, binary->right, depth + 1));
}

/// `average[name] = decay * average[name] + (1 - decay) * parameter` with gradients on.
void watch_average(Interpreter& python, const Code& code, const model::Assign& node,
                   text::Span span) {
  if (node_at<model::Binary>(code, node.value) == nullptr) return;
  const ExprId target = code.expr_lists[node.targets.begin];
  const bool outlives = node_at<model::Subscript>(code, target) != nullptr ||
                        node_at<model::Attribute>(code, target) != nullptr;
  if (!outlives || python.gradients() != Interpreter::Gradients::on) return;
  if (adds_parameter(python, code, node.value) && mentions(code, node.value, target))
    observe(python, KeptWay::average, python.place_of(span),
            python.text_at(code.exprs[target].span));
}

/// `best = model.state_dict()` under a condition in a loop: it is looked at when it is loaded.
void watch_snapshot(Interpreter& python, const Code& code, const model::Assign& node,
                    text::Span span) {
  if (python.rounds_.empty() || python.probing_ > 0) return;
  const LoopRounds& loop = *python.rounds_.back();
  const bool conditional = python.branches_ - python.loop_branches_ > loop.paths;
  if (!conditional || loop.frame != python.frame().token) return;
  const auto note = [&](ExprId target, ExprId value) {
    const auto* name = node_at<model::Name>(code, target);
    if (name == nullptr || !has_role(python, method_called(code, value), MethodRole::live_state))
      return;
    python.snapshots_.push_back({name->name, python.place_of(span), python.frame().token});
  };
  const ExprId target = code.expr_lists[node.targets.begin];
  const auto* targets = node_at<model::Sequence>(code, target);
  const auto* values = node_at<model::Sequence>(code, node.value);
  if (targets == nullptr || values == nullptr) return note(target, node.value);
  if (targets->items.size() != values->items.size()) return;
  for (uint32_t i = 0; i < targets->items.size(); ++i)
    note(code.expr_lists[targets->items.begin + i], code.expr_lists[values->items.begin + i]);
}

/// Whether the cache is emptied on the next line as well: `gc.collect()` may come before.
bool is_emptied_next(Interpreter& python, text::Span statement) {
  std::string_view rest = python.files_[python.frame().file_index]->bytes();
  constexpr std::string_view blanks = " \t\r\n;";
  constexpr std::string_view collects = "gc.collect()";
  const auto skip_blanks = [&] {
    rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
  };
  rest.remove_prefix(std::min<size_t>(statement.end, rest.size()));
  skip_blanks();
  if (rest.starts_with(collects)) rest.remove_prefix(collects.size());
  skip_blanks();
  return rest.substr(0, rest.find_first_of(" \t\r\n;#")).ends_with("empty_cache()");
}

/// `empty_cache()` right before the `del` that would have freed something.
void watch_delete(Interpreter& python, const Code& code, const model::Delete& node,
                  text::Span span) {
  const Place place = python.place_of(python.dropped_);
  if (place.span.end == 0 || place.span.end > span.begin) return;
  const std::string_view between = python.text_at({place.span.end, span.begin});
  if (between.find_first_not_of(" \t\r\n;") != std::string_view::npos) return;
  if (is_emptied_next(python, span)) return;
  const std::vector<Observation>& all = python.timeline_.observations;
  const bool emptied = std::any_of(all.rbegin(), all.rend(), [&](const Observation& seen) {
    return seen.kind == ObservationKind::call && seen.name.ends_with(".empty_cache") &&
           python.timeline_.events[seen.event].place == place;
  });
  if (!emptied) return;
  for (uint32_t i = node.targets.begin; i < node.targets.end; ++i) {
    const auto* name = node_at<model::Name>(code, code.expr_lists[i]);
    if (name == nullptr) continue;
    const Value value = python.lookup(name->name);
    if (value.is(Kind::tensor) && value.as_device() == Device::cuda)
      return observe(python, KeptWay::referenced, place, python.text_of(name->name));
  }
}

/// A hook that collects the outputs of all passes.
void watch_hook(Interpreter& python, const Arguments& arguments, Place site) {
  const Value hook = arguments.at(0);
  const bool dropped = python.dropped_ == site.span;
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
  const auto replaces = [&](const Interpreter::KeptFinding& finding) {
    const Place place = python.timeline_.events[finding.seen.event].place;
    return python.files_[place.file]->slice(place.span).find("] = ") != std::string_view::npos;
  };
  const auto first = static_cast<ptrdiff_t>(std::min(kept, python.kept_.size()));
  python.kept_.erase(std::remove_if(python.kept_.begin() + first, python.kept_.end(), replaces),
                     python.kept_.end());
  for (size_t i = kept; i < python.kept_.size(); ++i) python.kept_[i].seen.kept = KeptWay::hook;
}

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

/// `p.grad = None` and `del p.grad` do what `zero_grad()` does.
void watch_gradient_dropped(Interpreter& python, const Code& code, ExprId target) {
  const auto* part = node_at<model::Attribute>(code, target);
  if (part != nullptr && python.text_of(part->name) == "grad") forget_gradients(python);
}

}  // namespace

void watch_statement(Interpreter& python, const Code& code, const model::Stmt& statement) {
  if (const auto* node = std::get_if<model::Assign>(&statement.node)) {
    watch_context(python, code, *node, statement.span);
    watch_average(python, code, *node, statement.span);
    watch_snapshot(python, code, *node, statement.span);
    if (node_at<model::NoneValue>(code, node->value) != nullptr)
      watch_gradient_dropped(python, code, code.expr_lists[node->targets.begin]);
  } else if (const auto* tried = std::get_if<model::Try>(&statement.node)) {
    watch_retry(python, code, *tried);
  } else if (const auto* gone = std::get_if<model::Delete>(&statement.node)) {
    watch_delete(python, code, *gone, statement.span);
    for (uint32_t i = gone->targets.begin; i < gone->targets.end; ++i)
      watch_gradient_dropped(python, code, code.expr_lists[i]);
  } else if (const auto* alone = std::get_if<model::Evaluate>(&statement.node)) {
    python.dropped_ = code.exprs[alone->value].span;
  }
}

void write_part(Interpreter& python, const Code& code, ExprId whole, Value value, text::Span span) {
  const std::optional<Slot> slot = python.slot_of(code, whole);
  if (!slot || python.stopped()) return;
  const Value before = python.get(slot->object, slot->name);
  const Value operands[] = {before, value};
  if (!before.is(Kind::tensor) || before.graph == Value::leaf_graph) return;
  const Value made = python.computed(before, operands);
  if (!made.has_graph()) return;
  python.set(slot->object, slot->name, made);
  const size_t written = python.writes_.size();
  python.note_written(code, whole, whole, true, span);
  if (python.writes_.size() > written) python.writes_.back().way = KeptWay::container;
}

void watch_method(Interpreter& python, const knowledge::MethodRow& row, Value,
                  const Arguments& arguments, Place site) {
  const auto says = [&](std::string_view keyword, bool wanted) {
    const Value value = arguments.named(python.intern(keyword), -1);
    return value.is(Kind::boolean) && (value.payload != 0) == wanted;
  };
  switch (row.role) {
    case MethodRole::none: return;
    case MethodRole::hooks: return watch_hook(python, arguments, site);
    case MethodRole::clears_gradients:
      if (says("set_to_none", false)) observe(python, KeptWay::zeroed, site, {});
      return forget_gradients(python);
    case MethodRole::goes_back: {
      if (!says("create_graph", true) || python.probing_ > 0 || python.stopped()) return;
      Interpreter::KeptFinding made;
      made.seen = python.observation_at(ObservationKind::graph_kept, site);
      made.seen.kept = KeptWay::gradients;
      made.seen.loop = LoopAround{};
      python.kept_.push_back(std::move(made));
      return;
    }
    case MethodRole::parameters:
    case MethodRole::named_parameters:
    case MethodRole::live_state: return;
    case MethodRole::loads_state:
      for (const Interpreter::Snapshot& snapshot : python.snapshots_) {
        const std::string_view text = python.text_at(site.span);
        const std::string given = "(" + std::string(python.text_of(snapshot.name)) + ")";
        if (snapshot.frame == python.frame().token && text.ends_with(given))
          observe(python, KeptWay::live_state, snapshot.place, python.text_of(snapshot.name));
      }
      return;
    case MethodRole::evaluates:
    case MethodRole::trains: {
      python.charge(python.evaluated_.size() / 16);
      // The receiver as it is written: that of `model.eval()`.
      const std::string_view text = python.text_before(site, "." + std::string(row.names[0]) + "(");
      std::erase_if(python.evaluated_, [&](const Interpreter::Evaluated& known) {
        return known.frame == python.frame().token && known.text == text;
      });
      if (row.role == MethodRole::evaluates)
        python.evaluated_.push_back({text, python.frame().token, site});
      return;
    }
  }
}

void watch_call(Interpreter& python, const Code& code, const model::Call& call, Place site) {
  if (python.rounds_.empty() || python.evaluated_.empty() || python.probing_ > 0) return;
  LoopRounds& loop = *python.rounds_.back();
  if (loop.frame != python.frame().token || !loop.over_batches || loop.evaluated) return;
  if (python.gradients() != Interpreter::Gradients::on || python.stopped()) return;
  python.charge(python.evaluated_.size() / 16);
  const std::string_view callee = python.text_at(code.exprs[call.callee].span);
  const bool known = std::any_of(python.evaluated_.begin(), python.evaluated_.end(),
                                 [&](const Interpreter::Evaluated& each) {
                                   return each.frame == python.frame().token && each.text == callee;
                                 });
  if (known) loop.evaluated = site;
}

void watch_result(Interpreter& python, Value function, const Arguments& arguments, Value result) {
  if (!python.object_of(function).remembers || python.probing_ > 0 || python.stopped()) return;
  const auto is_on_gpu = [](Value value) {
    return value.is(Kind::tensor) && value.as_device() == Device::cuda;
  };
  const bool takes =
      std::any_of(arguments.positional.begin(), arguments.positional.end(), is_on_gpu);
  if (!takes && !is_on_gpu(result)) return;
  const Object& object = python.object_of(function);
  const model::Function& definition = object.code->functions[object.node];
  // Without parameters there is one result, kept on purpose; and a cache may be cleared.
  if (definition.parameters.empty()) return;
  const std::string clear = std::string(python.text_of(definition.name)) + ".cache_clear";
  if (python.files_[object.file_index]->bytes().find(clear) != std::string_view::npos) return;
  observe(python, KeptWay::cached, {object.file_index, definition.name_span},
          python.text_of(definition.name));
}

void watch_class(Interpreter& python, Value class_value) {
  const bool is_module = python.derives_from(class_value, "lightning.LightningModule") ||
                         python.derives_from(class_value, "lightning.pytorch.LightningModule") ||
                         python.derives_from(class_value, "pytorch_lightning.LightningModule");
  if (!is_module || python.stopped()) return;
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
    observe(python, KeptWay::epochs, {object.file_index, write.call}, python.text_of(write.name));
  }
}

}  // namespace vramlint::replay
