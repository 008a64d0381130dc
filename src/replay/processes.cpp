// SPDX-License-Identifier: MIT
//
// A forked child inherits what has happened; one that is started afresh has only the environment,
// imports the main module again, and then runs its target.
#include <algorithm>

#include "replay/crossing.h"
#include "replay/interpreter.h"
#include "replay/jobs.h"

namespace vramlint::replay {

using knowledge::Moment;

namespace {

constexpr Moment start_method = Moment::start_method;

/// What `current_process()` gives in a daemon: it can be asked whether it is one, and made none.
Value daemon_process(Interpreter& python) {
  Object settings;
  const Value config = Value::object(Kind::dict, python.new_object(std::move(settings)));
  const model::NameId daemon = python.intern("daemon");
  const Value process = python.external_instance("multiprocessing.current_process", {});
  python.set(config.id, daemon, Value::boolean(true));
  python.set(process.id, daemon, Value::boolean(true));
  python.set(process.id, python.intern("_config"), config);
  return process;
}

/// Whether it is one still.
bool is_daemon_yet(Interpreter& python, Value process) {
  const model::NameId daemon = python.intern("daemon");
  const auto says_so = [&](ObjectId whole) {
    const Value said = python.get(whole, daemon);
    return said.is(Kind::boolean) && said.payload != 0 && said.certainty == Certainty::yes;
  };
  return says_so(process.id) && says_so(python.get(process.id, python.intern("_config")).id);
}

/// Whether code of that file may bind names that do not stand there as names, or asks for them.
bool binds_by_text(const Interpreter& python, ObjectId scope) {
  const std::string_view text = python.objects_[scope].file->program.source->bytes();
  return text.find("globals(") != text.npos || text.find("exec(") != text.npos ||
         text.find("setattr(sys.modules") != text.npos;
}

/// Whether a module that was imported has all names that it gets: nothing cut its import short, it
/// has no names that only another module knows, and none that are bound by their text.
bool has_imported_all(const Interpreter& python, ObjectId scope) {
  return !python.replaying_uncalled_ && python.steps_ <= python.budget_ &&
         python.objects_[scope].values.empty() && python.objects_[scope].file != nullptr &&
         !binds_by_text(python, scope);
}

}  // namespace

bool may_not_have_children(Interpreter& python, Place site) {
  const Value daemon = python.get(python.process_state_, python.intern(daemon_slot));
  // While it imports the main module, a child is none yet.
  if (python.stopped() || python.child_import_ || daemon.is(Kind::absent)) return false;
  if (!is_daemon_yet(python, daemon)) return false;
  python.timeline_.observations.push_back(
      python.observation_at(ObservationKind::daemon_starts, site));
  python.abrupt_ = {Completion::raised, Value::external(python.intern("AssertionError"))};
  return true;
}

EventId Interpreter::observe_child(const Start& start, Place site) {
  if (stopped()) return 0;
  const bool forked = start.kind == Start::fork;
  timeline_.observations.push_back(observation_at(
      forked ? ObservationKind::child_forked : ObservationKind::child_started, site));
  return timeline_.observations.back().event;
}

/// Started by its command. What it does not read is `always` the same, whoever imports this.
void Interpreter::observe_program(const std::vector<std::string>& unread, Place site, bool always) {
  if (stopped()) return;
  Observation seen = observation_at(ObservationKind::child_started, site);
  for (const std::string& name : unread) seen.unread.push_back(text_of(intern(name)));
  if (always) return observe(std::move(seen));
  timeline_.observations.push_back(std::move(seen));
}

Interpreter::Start Interpreter::start_method_in_force() {
  const Value method = get(process_state_, intern(start_method_slot));
  if (method.is(Kind::string)) {
    return {text_of(method.id) == "fork" ? Start::fork : Start::spawn, false, method.certainty};
  }
  return {options_.forks_by_default ? Start::fork : Start::spawn, true, Certainty::yes};
}

void Interpreter::note_fork(EventId event, const Start& start, Certainty certainty) {
  const Value driver = get(moments_.states, static_cast<uint32_t>(Moment::driver) + 1);
  Fork made;
  if (driver.is(Kind::moment)) made.driver = {driver.certainty, driver.id};
  made.started = {event, start.by_default, start.certainty};
  made.guards = start.guards;
  made.by_executor = start.is_executor;
  forks_[event] = made;
  Value state{Kind::moment, certainty, event};
  set(moments_.states, forked_slot, state);
}

void Interpreter::run_child(const Start& start, Value target, const Arguments& arguments,
                            Place site, const std::function<void()>& first) {
  const bool forks = start.kind == Start::fork;
  for (const Value argument : arguments.positional) observe_unpicklable(argument, start, site);
  for (const Arguments::Keyword& keyword : arguments.keywords)
    observe_unpicklable(keyword.value, start, site);
  observe_unpicklable(target, start, site);
  Arguments given = arguments;
  if (!forks || start.is_pool()) {
    for (Value& argument : given.positional) argument = received(argument);
  }
  run_child_body(
      start,
      [&] {
        Value answer;
        if (forks) {
          if (first) first();
          if (!stopped()) answer = call(target, given, site);
        } else {
          answer = run_fresh_child(target, given, site, first);
        }
        if (start.answers) send(*this, answer, "result", site);
      },
      site);
}

void Interpreter::run_child_body(const Start& start, const std::function<void()>& body,
                                 Place site) {
  const bool asks = start.certainty == Certainty::yes && !start.is_apart;
  if (asks && may_not_have_children(*this, site)) return;
  if (child_import_ && start.kind == Start::spawn) {
    if (stopped()) return;
    Observation seen = observation_at(ObservationKind::child_restarts, site);
    seen.started = {seen.event, start.by_default, start.certainty};
    timeline_.observations.push_back(std::move(seen));
    abrupt_ = {Completion::raised, Value::external(intern("RuntimeError"))};
    return;
  }
  const EventId event = observe_child(start, site);
  if (stopped() || frames_.size() > 24) return;
  // What is told to a child that starts afresh is the start method too, which that fixes here.
  if (start.kind == Start::spawn) bring({&start_method, 1}, start.certainty, site);
  const Store::Mark mark = store_.mark();
  std::vector<Region> outside = std::exchange(regions_, {});
  const Moments parent = moments_;
  const uint32_t process = next_process_++;
  if (start.kind == Start::fork) {
    moments_.process = process;
    if (const auto forked = workers_.find(start.workers_of); forked != workers_.end()) {
      for (uint32_t i = 0; i < forked->second.size(); ++i)
        set(moments_.states, i + 1, forked->second[i]);
    }
    note_fork(event, start, Certainty::yes);
    if (!start.by_default && start.certainty == Certainty::yes) fix_start_method("fork");
  } else {
    moments_ = fresh_moments(process);
  }
  set(process_state_, intern(daemon_slot), start.is_daemon ? daemon_process(*this) : Value());
  const std::optional<EventId> outer_sent = std::exchange(crossing_.sent, std::nullopt);
  body();
  if (crossing_.sent && start.kind == Start::spawn && start.workers_of == 0) {
    Observation seen = observation_at(ObservationKind::sender_ends, site);
    seen.started = {event, start.by_default, start.certainty};
    seen.event = *crossing_.sent;
    timeline_.observations.push_back(std::move(seen));
  }
  crossing_.sent = outer_sent;
  moments_ = parent;
  abrupt_ = {};
  regions_ = std::move(outside);
  store_.undo_to(mark);
}

/// The workers of a pool or an iterator are forked now: what happens later, they don't inherit.
void Interpreter::note_workers(ObjectId owner) { workers_.try_emplace(owner, moment_values()); }

/// The start method of a child that was started in a chosen way is that way.
void Interpreter::fix_start_method(std::string_view method) {
  set(process_state_, intern(start_method_slot), Value::string(intern(method)));
}

Value Interpreter::run_fresh_child(Value target, const Arguments& arguments, Place site,
                                   const std::function<void()>& first) {
  frontends::LoadedProgram* entry = project_.load(entry_);
  set(process_state_, intern("default device"), {});
  if (frontends::is_notebook(*entry)) {
    // The child of a kernel has no main module: it knows what comes from elsewhere.
    const bool is_own = target.is(Kind::function) && object_of(target).file == entry;
    fix_start_method("spawn");
    return is_own ? Value::unknown() : call(target, arguments, site);
  }
  // Its start method is set before it imports anything.
  bring({&start_method, 1}, Certainty::yes, site);
  const std::optional<Place> outer = std::exchange(child_import_, site);
  const ObjectId scope = run_entry(*entry, false);
  child_import_ = outer;
  const bool failed = stopped();
  abrupt_ = {};
  if (failed) return Value::unknown();
  fix_start_method("spawn");
  if (target.is(Kind::function) && object_of(target).file == entry) {
    const Value again = get(scope, object_of(target).name);
    const model::NameId name = object_of(target).name;
    const bool is_plain = name != 0 && text_of(name) != "<lambda>" &&
                          object_of(target).owner == 0 &&
                          object_of(target).home == object_of(target).scope;
    if (is_plain && again.is(Kind::absent) && has_imported_all(*this, scope)) {
      observe_missing(name, site);
      return Value::unknown();
    }
  }
  const ObjectId outside = std::exchange(child_scope_, child_scope_ == 0 ? scope : child_scope_);
  if (first) first();
  const Value answer = stopped() ? Value::unknown() : call(target, arguments, site);
  child_scope_ = outside;
  return answer;
}

/// A child that starts afresh has its own copy of each function of the main module, with the
/// globals of its own module.
Value Interpreter::own_copy(Value function) {
  const Object& object = object_of(function);
  const bool is_plain = object.owner == 0 && object.scope == object.home;
  if (!is_plain || object.file == nullptr || object.file->path != entry_ ||
      object.home == child_scope_)
    return function;
  const Value again = get(child_scope_, object.name);
  const bool is_same = again.is(Kind::function) && object_of(again).file == object.file;
  return is_same ? again : function;
}

/// A name of the main program that the child, which has not come under the main guard, does not
/// have.
void Interpreter::observe_missing(model::NameId name, Place site) {
  if (stopped()) return;
  Observation seen = observation_at(ObservationKind::name_missing, site);
  seen.name = text_of(name);
  timeline_.observations.push_back(std::move(seen));
}

/// A name that is read in a child and stands nowhere.
bool Interpreter::is_missing_in_child(model::NameId name) {
  if (child_scope_ == 0 || stopped() || objects_[frame().scope].home != child_scope_) return false;
  for (ObjectId scope = frame().scope; scope != 0; scope = objects_[scope].scope) {
    if (!get(scope, name).is(Kind::absent)) return false;
  }
  const Value in_parent = get(main_scope_, name);
  if (in_parent.is(Kind::absent) || in_parent.certainty != Certainty::yes) return false;
  const bool is_guarded = std::any_of(regions_.begin(), regions_.end(), [&](const Region& region) {
    return catches(region, Completion::raised);
  });
  return !is_guarded && has_imported_all(*this, child_scope_);
}

/// `os.fork()`: 0 in the child, another number in the parent. What depends on it knows which of the
/// two it is.
Value Interpreter::fork_here(Place site) {
  const Start start;
  const EventId event = observe_child(start, site);
  if (stopped()) return Value::unknown();
  note_fork(event, start, Certainty::perhaps);
  Value parent = Value::unknown();
  parent.payload = uint64_t{forked_slot} | uint64_t{1} << 32;
  return parent;
}

/// `pid == 0`, `pid > 0`: whether this is the child, or the parent.
Value Interpreter::compare_fork_result(model::CompareOp op, Value pid, Value other) {
  if (!other.is(Kind::integer) || other.as_integer() != 0) return Value::unknown();
  constexpr uint64_t negated = uint64_t{1} << 32;
  Value child = Value::unknown();
  child.payload = pid.payload ^ negated;
  switch (op) {
    case model::CompareOp::equal: return child;
    case model::CompareOp::unequal:
    case model::CompareOp::greater: return pid;
    default: return Value::unknown();
  }
}

/// `torch.cuda.is_initialized()` is false in a child that was forked after CUDA was started.
bool Interpreter::is_cuda_inherited(EventId started) const {
  const Value forked = get(moments_.states, forked_slot);
  return forked.is(Kind::moment) && forked.certainty == Certainty::yes && started < forked.id;
}

/// What a tensor holds is read where it lives. In the process that made it nothing starts by that.
void Interpreter::observe_read_on_device(Value value, Place site) {
  Value place = value;
  if (value.is(Kind::instance)) place = get(value.id, intern(device_slot));
  if (!place.is(Kind::tensor) && !place.is(Kind::device)) return;
  if (stopped() || place.as_device() != Device::cuda) return;
  observe_use_in_forked_child(knowledge_.with_implied(Moment::context), Certainty::yes, site);
}

/// The driver was up when the child was forked, so it can't start CUDA.
void Interpreter::observe_use_in_forked_child(knowledge::MomentSet reached, Certainty certainty,
                                              Place site) {
  if (!reached.contains(Moment::cuda_init) && !reached.contains(Moment::context)) return;
  const Value forked = get(moments_.states, forked_slot);
  if (!forked.is(Kind::moment) || forked.certainty != Certainty::yes) return;
  const auto fork = forks_.find(forked.id);
  if (fork == forks_.end() || fork->second.driver.certainty == Certainty::no) return;
  if (!reported_forks_.insert(forked.id).second) return;
  Observation seen = observation_at(ObservationKind::forked_child_uses_gpu, site);
  seen.cause = fork->second.driver;
  seen.cause->certainty = std::min(seen.cause->certainty, certainty);
  seen.started = fork->second.started;
  seen.guards.runtime_error |= fork->second.guards.runtime_error;
  timeline_.observations.push_back(std::move(seen));
}

}  // namespace vramlint::replay
