// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontends/project.h"
#include "knowledge/knowledge.h"
#include "replay/crossing.h"
#include "replay/graphs.h"
#include "replay/objects.h"
#include "replay/replay.h"
#include "replay/state.h"
#include "replay/store.h"
#include "replay/timeline.h"

namespace vramlint::replay {

struct LibraryMethod;

/// Runs an entry without running it: statements in the order in which Python would execute them, on
/// values that are known, partly known or unknown. Paths that depend on something unknown are both
/// taken and joined, so that a moment is *yes* only when every path reached it. It knows Python and
/// the tables, and no rule.
///
/// One object replays the entries of a project in turn. Its methods are spread over the files of
/// this folder by what they are about. Everything is open to these files, `library_*.cpp` among
/// them; outside this folder only `replay.h` is meant to be included.
class Interpreter {
 public:
  Interpreter(frontends::Project& project, const knowledge::Knowledge& knowledge,
              ReplayOptions options);

  Timeline run(const ReplayRequest& request);

  // How the state below is kept; the rest of it is in state.h.

  using Start = replay::Start;
  /// Slot beside those of the moments: whether the program runs on another kind of device.
  static constexpr uint32_t elsewhere_slot = knowledge::moment_count + 1;
  /// And one for whether this is a forked child, and of which fork.
  static constexpr uint32_t forked_slot = knowledge::moment_count + 2;
  enum class Truth : uint8_t { no, yes, unknown };
  /// How often a loop's body ran: never, at least once, or nobody knows.
  enum class Ran : uint8_t { never, once_or_more, unknown };

  // interpreter.cpp: the entry, objects, names
  ObjectId run_entry(frontends::LoadedProgram& entry, bool as_main);
  std::string module_name_of(const std::string& path, const frontends::Project::Home& home) const;
  Moments fresh_moments(uint32_t process);
  void run_all(frontends::LoadedProgram& entry, const ReplayRequest& request);
  void start_over();
  std::vector<Value> own_definitions(frontends::LoadedProgram& entry, ObjectId scope,
                                     const ReplayRequest& request);
  bool has_uncalled(frontends::LoadedProgram& entry, ObjectId scope, const ReplayRequest& request);
  void replay_uncalled(frontends::LoadedProgram& entry, ObjectId scope,
                       const ReplayRequest& request);
  void replay_uncalled_class(Value class_value, const ReplayRequest& request);
  void replay_uncalled_function(Value function, Value receiver);
  void run_at_exit();
  void run_tasks();
  ObjectId new_object(Object object);
  ObjectId new_scope(ObjectId parent);
  Object& object_of(Value value) { return objects_[value.id]; }
  uint32_t file_index_of(frontends::LoadedProgram& file);
  model::NameId intern(std::string_view text) { return names_.intern(text); }
  std::string_view text_of(model::NameId name) const { return names_.text(name); }
  Place place_of(text::Span span) const { return {frame().file_index, span}; }
  Frame& frame() { return frames_.back(); }
  const Frame& frame() const { return frames_.back(); }
  Value get(ObjectId object, uint32_t name) const { return store_.get({object, name}); }
  void set(ObjectId object, uint32_t name, Value value);
  Value lookup(model::NameId name);
  void bind(model::NameId name, Value value);
  bool spend();
  /// Counts work that is done on many things at once: the budget bounds time, not statements.
  void charge(size_t steps) { steps_ += steps; }
  /// Counts one level of nesting for as long as it lives; `bounded` is false when it is one too
  /// many.
  class Nested {
   public:
    explicit Nested(Interpreter& python) : python_(python) { ++python_.depth_; }
    ~Nested() { --python_.depth_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
    bool bounded() const;

   private:
    Interpreter& python_;
  };
  bool stopped() const { return abrupt_.kind != Completion::normal; }

  // paths.cpp: branches and joins
  void branch(const std::function<void()>& left, const std::function<void()>& right);
  void open_region(std::initializer_list<Completion> catches);
  /// Joins what ended in the region. The value is that of the caught completions, joined.
  Value close_region();
  void stash(const Abrupt& abrupt);
  /// The visitor as the yields of a generator call it: in the frame of the one who iterates.
  std::function<void(Value)> for_consumer(const std::function<void(Value)>& visit);
  void stash_raise(std::string_view exception);
  bool catches(const Region& region, Completion kind) const;

  // statements.cpp, loops.cpp, try.cpp
  void execute(const model::Code& code, model::Range body);
  void execute(const model::Code& code, const model::Stmt& statement);
  void execute_if(const model::Code& code, const model::If& statement);
  bool is_for_type_checkers(const model::Code& code, const model::If& statement);
  void execute_for(const model::Code& code, const model::For& statement, text::Span span);
  bool goes_through_values(const model::Code& code, const model::For& statement, Value iterable);
  void execute_while(const model::Code& code, const model::While& statement, text::Span span);
  void execute_with(const model::Code& code, const model::With& statement, uint32_t item);
  void execute_match(const model::Code& code, const model::Match& statement, uint32_t arm,
                     Value subject);
  void execute_try(const model::Code& code, const model::Try& statement);
  void run_handlers(const model::Code& code, const model::Try& statement, Region::Path path,
                    std::vector<Region::Path>& outcomes, Store::Mark mark);
  MomentValues moment_values() const;
  Guards guards_of(const model::Code& code, const model::Try& statement);
  void observe_handlers(const model::Code& code, const model::Try& statement,
                        const MomentValues& before);
  void combine(std::vector<Region::Path>& outcomes, Store::Mark mark);
  Truth is_caught(const model::Code& code, const model::Handler& handler, Value raised);
  Truth is_subclass(Value raised, Value caught);
  void execute_handler(const model::Code& code, const model::Handler& handler);
  void execute_delete(const model::Code& code, const model::Delete& statement);
  void execute_raise(const model::Code& code, const model::Raise& statement);
  void execute_augmented(const model::Code& code, const model::AugmentedAssign& statement,
                         text::Span span);
  void assign(const model::Code& code, model::ExprId target, Value value, text::Span span);
  void assign_sequence(const model::Code& code, const model::Sequence& target, Value value,
                       text::Span span);
  void assign_item(Value object, Value key, Value value, text::Span span);
  void assign_attribute(Value object, model::NameId name, Value value, Place place);
  void define_function(const model::Code& code, model::FunctionId id);
  void define_class(const model::Code& code, model::ClassId id);
  Value decorated(const model::Code& code, model::Range decorators, Value definition);
  void loop_once(const std::function<void()>& body);
  /// Calls `visit` with each element; ends early when a path stops.
  Ran iterate(Value iterable, const std::function<void(Value)>& visit, Place place);
  Ran iterate_items(Value iterable, const std::function<void(Value)>& visit);
  Ran iterate_generator(Value generator, const std::function<void(Value)>& visit);
  Ran iterate_iterator(Value iterator, const std::function<void(Value)>& visit, Place place);
  Ran iterate_while(Value iterable, const std::function<bool(Value)>& visit, Place place);
  Ran resume(Value iterator, const std::function<void(Value)>& visit,
             const std::function<Ran(const std::function<void(Value)>&)>& run);
  void iterate_unknown(const std::function<void(Value)>& visit, Value element);
  Value one_of(Value iterable);

  // expressions.cpp, operators.cpp
  Value evaluate(const model::Code& code, model::ExprId id);
  Value evaluate_node(const model::Code& code, const model::Expr& expr);
  Value evaluate_call(const model::Code& code, const model::Call& call, text::Span span);
  Value evaluate_called(const model::Code& code, const model::Call& call, text::Span span);
  Arguments evaluate_arguments(const model::Code& code, model::Range arguments);
  Value evaluate_template(const model::Code& code, const model::Template& expr);
  Value evaluate_sequence(const model::Code& code, const model::Sequence& expr);
  Value evaluate_dict(const model::Code& code, const model::Dict& expr, text::Span span);
  Value evaluate_comprehension(const model::Code& code, const model::Comprehension& expr,
                               text::Span span);
  void run_clauses(const model::Code& code, model::Range clauses, const std::function<void()>& body,
                   Value first, LoopRounds* loop = nullptr);
  Value generator_expression(const model::Code& code, const model::Comprehension& expr);
  void run_generator_expression(Value generator, Place site,
                                const std::function<void(Value)>& on_yield);
  Value evaluate_logical(const model::Code& code, const model::Logical& expr);
  Value evaluate_conditional(const model::Code& code, const model::Conditional& expr);
  Value evaluate_yield(const model::Code& code, const model::Yield& expr, text::Span span);
  Value evaluate_subscript(Value object, Value index, Place place);
  Value evaluate_slice(const model::Code& code, Value object, const model::Slice& slice);
  Value apply_unary(model::UnaryOp op, Value operand);
  Value apply_binary(model::BinaryOp op, Value left, Value right, Place place);
  Truth compare(model::CompareOp op, Value left, Value right);
  Truth contains(Value container, Value element);
  Truth equal(Value left, Value right);
  Truth equal_by_class(Value left, Value right);
  Value merged(Value left, Value right);
  Value apply_integers(model::BinaryOp op, int64_t left, int64_t right);
  Value format_percent(Value format, Value operand);
  Truth truth_of(Value value);
  Truth truth_of_instance(Value instance);
  Value truth_value(Truth truth);
  /// What `str()` gives; nothing when that is not known.
  bool text_form(Value value, std::string& into) const;
  uint64_t literal_at(text::Span whole, const model::String& node) const;

  // functions.cpp, classes.cpp, attributes.cpp
  /// Slot of an instance of which some attribute was set, and nobody knows which.
  static constexpr uint32_t any_attribute = item_bit | 0x7fffffff;
  Value function_value(const model::Code& code, model::FunctionId id);
  ObjectId definition_scope();
  Value call(Value callee, const Arguments& arguments, Place site);
  Value call_function(Value function, const Arguments& arguments, Place site);
  void run_through(const Arguments& arguments, Place site);
  Value run_function(Value function, const Arguments& arguments, Place site,
                     const std::function<void(Value)>* on_yield);
  Value preset_of(Value function, const model::Code& code, const model::Parameter& parameter);
  void bind_parameters(Value function, const model::Code& code, const model::Function& definition,
                       const Arguments& arguments);
  Value call_instance(Value instance, const Arguments& arguments, Place site);
  const model::Code* lowered(Value definition);
  Value call_deferred(Value deferred, Place site, const std::function<void(Value)>* on_yield);
  Value instantiate(Value class_value, const Arguments& arguments, Place site);
  void force_class(Value class_value);
  void run_class_body(Value class_value);
  void announce_subclass(Value class_value, const Arguments& bases);
  void fill_fields(Value instance, Value class_value, const Arguments& arguments, Place site);
  void linearize(Value class_value, std::vector<Value>& order, int& budget);
  Value find_in_class(Value class_value, model::NameId name, Value after = {});
  void observe_missing_constructor(Value object, Value class_value, model::NameId name,
                                   Place place);
  bool is_enumeration(Value class_value);
  bool derives_from(Value class_value, std::string_view dotted_prefix, int depth = 0);
  bool has_unknown_base(Value class_value, int depth = 0);
  Value attribute(Value object, model::NameId name, Place place);
  Value name_attribute(Value definition, model::NameId name);
  /// Calls a method such as `__len__` of an instance of the project; unknown when it has none.
  Value call_special(Value instance, std::string_view name, const Arguments& arguments, Place site);
  /// The value itself, or what its own `__str__` gives.
  Value as_text(Value value, Place place);
  Value instance_attribute(Value object, model::NameId name, Place place);
  Value call_instance_method(Value object, model::NameId name, const Arguments& arguments,
                             Place site);
  const LibraryMethod* inherited_library_method(Value class_value, model::NameId name,
                                                int depth = 0);
  void enter_instance(Value manager, Place place, const std::function<void(Value)>& body);
  void enter_external(Value manager, Place place, const std::function<void(Value)>& body);
  Value bound(Value attribute, Value receiver, Value class_value, Place place);
  Value call_method(Value object, model::NameId name, const Arguments& arguments, Place site);
  void enter_context(Value manager, Place place, const std::function<void(Value)>& body);
  bool derives_from_hooking(std::string_view block, model::NameId name);

  // imports.cpp
  void execute_import(const model::Code& code, const model::Import& statement, text::Span span);
  void execute_from_import(const model::Code& code, const model::FromImport& statement,
                           text::Span span);
  Value import_module(std::string_view dotted, Place place);
  Value import_local(const frontends::ModuleFile& file, std::string_view dotted, Place place);
  const frontends::ModuleFile* find_top_level(std::string_view name);
  Value top_level_value(std::string_view name);
  Value import_relative(uint32_t level, std::string_view dotted, Place place);
  void import_external(std::string_view dotted, Place place);
  Value load_module(const frontends::ModuleFile& file, model::NameId path, std::string_view dotted,
                    Place place);
  void run_module(frontends::LoadedProgram& file, ObjectId scope, Place place);
  void run_blocks(frontends::LoadedProgram& file);
  size_t blocks_that_matter(const frontends::LoadedProgram& file) const;
  void run_block(frontends::LoadedProgram& file, uint32_t index);
  Value submodule(Value module, model::NameId name, Place place);
  void import_star(Value module);

  // shared_modules.cpp: imports that all entries have in common
  const SharedModule* shared_module(const frontends::ModuleFile& file, model::NameId path,
                                    std::string_view dotted);
  DoneAside do_aside(const std::function<void()>& work);
  void keep(const DoneAside& done);
  bool force_for_all(Value class_value);
  void force_for_later(frontends::LoadedProgram& entry);
  bool may_be_shared(const std::string& path);
  bool only_defines(const Delta& delta, ObjectId first_new) const;
  void note_effect(ImportEffect effect, Certainty certainty, const Observation* seen = nullptr);
  void do_effects(const SharedModule& shared, Place import);
  void do_effect(const ImportEffect& effect, Place import);
  void note_circle(model::NameId path);
  Place import_site(Place site) const;
  std::vector<Place> calls_from(size_t first_frame) const;
  void close_circles(const std::vector<model::NameId>& together);

  // externals.cpp, containers.cpp, strings.cpp
  Value call_external(model::NameId dotted, const Arguments& arguments, Place site);
  Value external_attribute(model::NameId dotted, model::NameId name, Place place);
  Value call_external_method(Value object, model::NameId name, const Arguments& arguments,
                             Place site);
  Value container_method(Value object, std::string_view name, const Arguments& arguments,
                         Place site, bool& known);
  Value string_method(Value object, std::string_view name, const Arguments& arguments, bool& known);
  Value list_method(Value object, std::string_view name, const Arguments& arguments, bool& known);
  Value reorder(Value list, std::string_view name, const Arguments& arguments);
  Value dict_method(Value object, std::string_view name, const Arguments& arguments, Place site,
                    bool& known);
  Value format_fields(std::string_view pattern, const Arguments& arguments);
  Value join_texts(Value separator, Value iterable);
  /// A text that is not known, and one more at its end.
  Value with_ending(Value start, Value ending);
  /// A text that the program put together: known as long as it has a length that people write.
  Value text_value(const std::string& text);
  bool is_short(Value text) const { return text_of(text.id).size() <= max_text; }
  Value list_of_texts(const std::vector<std::string_view>& texts, Kind kind);
  Value next_of(Value generator, Value preset, Place site);
  Value make_list(const std::vector<Value>& items, Kind kind = Kind::list);
  Value make_dict();
  void dict_set(Value dict, Value key, Value value);
  Value dict_get(Value dict, Value key);
  void dict_update(Value dict, const Arguments& arguments);
  bool dict_is_closed(Value dict) const;
  void open_dict(Value dict);
  bool key_of(Value key, uint32_t& name);
  Value key_at(uint32_t name) const;
  bool items_of(Value sequence, std::vector<Value>& items);
  /// The same, for anything that can be gone through: what that brings about is done.
  bool collect(Value iterable, std::vector<Value>& items, Place place);
  void append_item(Value list, Value item);
  Value external_instance(std::string_view class_name, const Arguments& arguments);

  // environment.cpp
  void write_variable(Value name, Value value, WriteForm form, Place place, Certainty certainty);
  void remove_variable(Value name, Place place);
  void forget_variable(Value name, Place place, const Observation* seen);
  Value read_variable(Value name);
  static Value inherited_value(Value name, Value preset);
  void start_with(const StartingVariable& variable);
  Value environment_method(std::string_view name, const Arguments& arguments, Place site,
                           bool& known);
  void update_environment(const Arguments& arguments, WriteForm form, Place site);
  void observe_child_variable(Value name, Value value, WriteForm form, Place place);
  void observe_left_out(const Arguments& arguments, Place site);
  void observe_asked(Value name, Place place);
  void observe_split(Value inherited, std::string_view method, const Arguments& arguments,
                     Place site);
  void observe_keywords(Value callee, const Arguments& arguments, Place site);
  Value environment_copy();

  // graphs.cpp: which values carry an autograd graph
  enum class Gradients : uint8_t { inherited, on, off, unknown, inference };
  /// Slot of a container for the graphs of what was put into it; none when it lets go by itself.
  static constexpr uint32_t kept_slot = item_bit | 0x7ffffffd;
  /// Slot of a module, or of the process, some of whose parameters take no gradients.
  static constexpr std::string_view frozen_slot = "some parameters are frozen";
  Gradients gradients() const;
  Gradients gradients_by(model::NameId dotted, const Arguments& arguments);
  bool sets_gradients(model::NameId dotted);
  void set_gradients(Gradients mode);
  void leave_gradients(Value manager);
  Value with_gradients(Value function, Gradients mode);
  GraphId graph_of(Value value, int depth = 0);
  void note_model_called();
  std::vector<GraphId> operand_graphs(std::span<const Value> operands);
  Value computed(Value made, std::span<const Value> operands);
  Value computed(Value made, const Arguments& arguments, Value receiver);
  Value supposed(const Arguments& arguments, Value receiver, Place site);
  Value part_of(Value whole, uint64_t which);
  /// Which part an index takes, as far as it is known.
  static uint64_t key_hash(Value index) {
    return index.is(Kind::string) ? uint64_t{index.id} << 32 | 1 : index.payload + 1;
  }
  Value with_effect(Value made, knowledge::GraphEffect effect, const Arguments& arguments,
                    Value receiver);
  Value called_module(Value module, const Arguments& arguments, Place site);
  Value with_indices(Value made, knowledge::Makes makes, Value first, const Arguments& arguments);
  Value wants_gradients(const Arguments& arguments);
  void note_frozen(Value object, Value wanted, std::string_view receiver);
  Value with_method_effect(Value made, Value object, model::NameId name, const Arguments& arguments,
                           bool known, Place site);

  // rounds.cpp: what a loop leaves behind
  struct KeptFinding {
    Observation seen;
    Round begin = 0;            ///< of the first round of the loop …
    Round end = 0;              ///< … and of the second
    bool is_entry = false;      ///< put in under a key
    bool without_step = false;  ///< the loop calls no `backward()` …
    ObjectId container = 0;     ///< … and puts it into this
  };
  void run_round(LoopRounds& loop, Value element, const std::function<void(Value)>& body);
  void look_ahead(LoopRounds& loop, Store::Mark mark, Round first, ObjectId first_object,
                  Value element, const std::function<void(Value)>& body);
  void forget_counts(const Delta& changed, ObjectId first_object);
  Value any_of(Value element);
  bool may_repeat(Value iterable);
  std::string_view text_before(Place place, std::string_view mark);
  bool is_of_all_rounds(GraphId graph, const Round* begins) const;
  void judge_writes(LoopRounds& loop, const Round* begins);
  void keep_finding(LoopRounds& loop, const KeptWrite& write, const Round* begins);
  bool is_within_batch(const LoopRounds& loop) const;
  bool is_evaluation(const KeptWrite& write);
  bool goes_through_batches(const model::Code& code, model::ExprId iterable, Value value);
  LoopRounds begin_loop(Place statement);
  void observe_evaluation(const LoopRounds& loop);
  void end_loop(const LoopRounds& loop);
  void report_kept();
  void consume_graph(Value value, const Arguments& arguments, Place site);
  std::optional<Slot> slot_of(const model::Code& code, model::ExprId target);
  void note_written(const model::Code& code, model::ExprId target, model::ExprId value, bool again,
                    text::Span span);
  void note_kept(Value container, Value item, Place site, std::string_view text,
                 bool is_entry = false);
  void note_evaluated(Value value, ObjectId container, std::string_view text);
  void note_let_go(Value container);
  void forget_kept(Value container, bool in_loop);
  bool is_bounded(Value container) const;
  std::string_view text_at(text::Span span);

  // processes.cpp
  Value run_fresh_child(Value target, const Arguments& arguments, Place site,
                        const std::function<void()>& first = nullptr);
  void note_workers(ObjectId owner);
  void fix_start_method(std::string_view method);
  void observe_missing(model::NameId name, Place site);
  bool is_missing_in_child(model::NameId name);
  Value own_copy(Value function);
  EventId observe_child(const Start& start, Place site);
  void observe_program(const std::vector<std::string>& unread, Place site, bool always);
  Start start_method_in_force();
  void run_child(const Start& start, Value target, const Arguments& arguments, Place site,
                 const std::function<void()>& first = nullptr);
  /// The same for something that a library does in the child.
  void run_child_body(const Start& start, const std::function<void()>& body, Place site);
  Value fork_here(Place site);
  static bool is_fork_result(Value value) {
    return value.is(Kind::unknown) && static_cast<uint32_t>(value.payload) == forked_slot;
  }
  static Value compare_fork_result(model::CompareOp op, Value pid, Value other);
  void observe_read_on_device(Value value, Place site);
  bool is_cuda_inherited(EventId started) const;
  void note_fork(EventId event, const Start& start, Certainty certainty);
  void observe_use_in_forked_child(knowledge::MomentSet reached, Certainty certainty, Place site);

  // written.cpp: how calls are written, for rules about single calls
  ObservedArgument described(Value value);
  void describe_call(Observation& seen, const Arguments& arguments, Place site, Value receiver);
  void describe_place(Observation& seen) const;
  Value made_here(Value made, Place site);
  Value evaluate_assigned(const model::Code& code, const model::Assign& statement);
  void observe_method(Value receiver, model::NameId name, const Arguments& arguments, Place site);
  void observe_reading(std::string_view function, const Arguments& arguments, Place site);
  void describe_loop(const model::Code& code, const model::For& statement, Value iterable);
  void observe_loop(Place statement);
  int64_t rounds_of(Value iterable);
  void observe_caught(const model::Code& code, const model::Try& statement, const Guards& guards);
  Value made_device(const Arguments& arguments);
  void observe_device(Device device, knowledge::DeviceFrom from, std::string_view keyword,
                      int position, std::span<const knowledge::Moment> brings,
                      const Arguments& arguments, Place site);
  void observe_batch(const Arguments& loader, Value batch, Place site);
  void observe_update(const model::Code& code, model::ExprId target, model::ExprId value,
                      ObservationKind kind, Place site);
  void observe_entry(Value key, Value value, Place site);

  // crossing.cpp, pickling.cpp: what others can be given
  bool holds_cuda_tensor(Value value, int depth = 0);
  void observe_pinned(Value value, Place site);
  bool is_global(Value function);
  bool pickles_itself(Value class_value);
  void note_start_method(Value made);
  void observe_unpicklable(Value value, const Start& start, Place site, int depth = 0);

  // loaders.cpp: the workers of a DataLoader
  bool are_persistent(const Arguments& loader);
  bool wraps_datasets(Value data);
  Value load_sample(Value data, Place site, int depth = 0);
  Value begun_loader(Value loader);
  Value run_loader(Value loader, Place site);
  Value load_batch(const Arguments& arguments, Place site);
  Value load_batch_here(const Arguments& arguments, Place site);
  bool is_loaded_to_cuda(Value value, int depth);
  Start start_of_workers(const Arguments& arguments);
  bool holds_cuda_argument(Value made, int depth = 0);
  void observe_loader(const Arguments& arguments, Place site);
  std::optional<MomentState> context_made() const;

  // torch_calls.cpp: the tables at work
  bool apply_rows(model::NameId dotted, knowledge::Trigger trigger, const Arguments& arguments,
                  Place site, Value receiver, Value& made);
  bool conditions_hold(const knowledge::CallRow& row, const Arguments& arguments,
                       Certainty& certainty);
  bool matches_text(Value value, std::string_view wanted, Certainty& certainty);
  const std::vector<const knowledge::CallRow*>& rows_named(model::NameId dotted);
  Certainty environment_has(std::string_view assignment);
  Certainty unless_held_back(const knowledge::CallRow& row, Certainty certainty);
  Device device_for(knowledge::DeviceFrom from, std::string_view keyword, int position,
                    const Arguments& arguments, Value receiver);
  void bring_on(Device device, std::span<const knowledge::Moment> on_cuda,
                std::span<const knowledge::Moment> on_mps, Certainty certainty, Place site);
  void bring(std::span<const knowledge::Moment> moments, Certainty certainty, Place site);
  void bring(knowledge::MomentSet reached, Certainty certainty, Place site);
  void reach(knowledge::Moment moment, Certainty certainty, EventId event);
  Value made_by(knowledge::Makes makes, model::NameId dotted, Device device,
                const Arguments& arguments);
  Device device_of(Value value);
  Device default_device();
  Value whether_reached(const knowledge::CallRow& row);
  Value whether_elsewhere(Place site);
  void assume(Value answer, bool holds);
  Value apply_method_row(Value object, model::NameId name, const Arguments& arguments, Place site,
                         bool& known);
  Value method_row_result(Value object, model::NameId name, const Arguments& arguments, Place site,
                          bool& known);
  Truth has_parameters(Value module, int depth = 0);
  void observe_call(model::NameId dotted, const Arguments& arguments, Place site,
                    Value receiver = {});
  bool is_observed(model::NameId dotted);
  /// Reading the name of an external module; `asked`: whether it is there is only asked.
  void observe_assignment(model::NameId dotted, Value value, Place place);
  void observe_name(model::NameId dotted, ObservationKind kind, Place place);
  EventId event_at(Place site);
  MomentStates moment_states() const;
  Observation observation_at(ObservationKind kind, Place site);
  /// For the rules to see, now and whenever the import that it is part of is done again.
  void observe(Observation seen);
  Surroundings surroundings() const;
  void set_surroundings(Observation& seen, const Surroundings& outside) const;
  KnownValue known(Value value) const;

  /// Code that people write is not nested deeper in calls that matter.
  static constexpr size_t max_frames = 48;
  /// So often a function of another module is run; then its last result stands for the others.
  static constexpr int max_looks = 12;
  /// A longer text is followed no further: one that is doubled in each line has no bound.
  static constexpr size_t max_text = 4096;

  frontends::Project& project_;
  const knowledge::Knowledge& knowledge_;
  const ReplayOptions options_;
  std::string entry_;
  uint32_t entry_file_ = 0;
  model::Names& names_;
  Store store_;
  std::vector<Object> objects_;
  std::vector<Frame> frames_;
  std::vector<Region> regions_;
  Abrupt abrupt_;
  Timeline timeline_;
  Moments moments_{};
  ObjectId environment_ = 0;
  ObjectId main_scope_ = 0, child_scope_ = 0;  ///< of the entry; in a child that imports it again
  ObjectId external_overlay_ = 0;  ///< attributes that the program set on external things
  ObjectId process_state_ = 0;     ///< default device, start method
  std::unordered_map<frontends::LoadedProgram*, uint32_t> file_indices_;
  std::unordered_map<model::NameId, bool> observed_;
  std::unordered_map<model::NameId, bool> observed_names_;
  std::unordered_map<model::NameId, std::vector<const knowledge::CallRow*>> rows_;
  std::unordered_set<const void*> called_;              ///< definitions that something called
  const std::unordered_set<model::NameId> used_words_;  ///< things whose use some rule asks about
  std::unordered_map<uint64_t, Value> memo_;
  std::map<std::pair<const void*, bool>, Looked>
      looked_;  ///< helpers; in a round that is taken back
  std::unordered_map<model::NameId, Value>
      keys_;                               ///< of dictionaries, other than texts, by slot name
  std::unordered_set<uint64_t> listed_;    ///< slots that their object lists
  std::vector<uint64_t> listed_by_entry_;  ///< those of them that the present entry added
  std::unordered_map<model::NameId, SharedModule> shared_;
  std::unordered_set<model::NameId> not_shared_;  ///< modules whose import does more than define
  std::vector<SharedModule> sharing_;      ///< while one is being shared: the imports under way
  std::vector<model::NameId> shared_now_;  ///< parts of the import that is being shared
  std::vector<std::pair<model::NameId, Value>> parts_now_;  ///< and those shared before
  std::unordered_set<ObjectId> not_forced_;  ///< classes whose bodies can't be run for all entries
  std::vector<Value> forced_by_entry_;       ///< classes that outlive it
  const ImportEffect* effect_ = nullptr;     ///< of a shared import, that is being done again
  int unshared_ = 0;  ///< imports under way that can't be shared, nor what they import
  int branches_ = 0;  ///< paths under way that depend on something unknown …
  std::unordered_map<EventId, Fork> forks_;             ///< by the event of the fork
  std::unordered_set<EventId> reported_forks_;          ///< whose child was seen to use the GPU
  std::unordered_map<ObjectId, MomentValues> workers_;  ///< what they were forked from, by owner
  Crossing crossing_;
  std::vector<std::pair<Value, Place>> tasks_;  ///< that a pool of forked workers will run
  std::optional<Place> child_import_;  ///< the start of the child that imports the main module
  int loop_branches_ = 0;              ///< … those that are rounds of a loop
  int machine_branches_ = 0;  ///< `if` bodies under way that need a GPU: `is_available()` said so
  Graphs graphs_;
  Round round_ = 1;                  ///< of any loop, that was begun last
  std::vector<LoopRounds*> rounds_;  ///< loops under way
  std::vector<KeptWrite> writes_;    ///< of the round that stands for all later ones
  std::vector<KeptFinding> kept_;    ///< unless `backward()` turns out to need it
  const Round* probed_ = nullptr;    ///< the beginnings of the rounds that are looked at
  int probing_ = 0;                  ///< rounds under way that will be taken back
  Watched watched_;
  bool last_round_ = false;                     ///< the last of them
  Gradients gradients_ = Gradients::inherited;  ///< by a `with` or a decorator under way
  model::NameId gradients_name_ = 0;
  WrittenCall written_call_;
  Assigned assigned_;
  std::vector<Place> conditions_;  ///< of the `if` statements under way
  int64_t counted_rounds_ = 1;     ///< of the loops under way, as far as they are counted
  bool copies_async_ = false;      ///< a copy to the host is under way that nobody waits for
  /// By the name of a method: what it is observed as, and the keyword that it needs for that.
  std::unordered_map<model::NameId, std::vector<std::pair<model::NameId, model::NameId>>>
      observed_methods_;
  std::unordered_set<uint64_t> named_devices_;  ///< places
  std::vector<LoopAround> loops_;               ///< `for` loops under way
  std::vector<std::string_view> handling_;      ///< what the handlers under way catch
  std::vector<std::string_view> contexts_;      ///< of things outside the project, that are entered
  ObjectId shared_objects_ = 0;                 ///< objects before this one outlive the entry
  std::vector<std::pair<Value, Arguments>> at_exit_;
  std::vector<std::string> search_roots_;  ///< the entry's own folder first
  std::vector<std::shared_ptr<const text::Source>> files_;
  uint64_t budget_ = entry_budget;
  uint64_t steps_ = 0;
  uint32_t next_token_ = 1;
  uint32_t next_process_ = 1;
  int depth_ = 0;
  bool replaying_uncalled_ = false, only_imports_ = false;  ///< … of the entry
  std::unordered_set<model::NameId> hooking_;  ///< classes that want to know of their subclasses
};

}  // namespace vramlint::replay
