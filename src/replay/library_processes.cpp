// SPDX-License-Identifier: MIT
//
// Processes, pools of them, and the queues between them: what a child is given to do is done when
// it is started, in a process of its own.
#include <algorithm>

#include "replay/crossing.h"
#include "replay/interpreter.h"
#include "replay/jobs.h"
#include "replay/library.h"

namespace vramlint::replay {
namespace {

using Start = Interpreter::Start;

/// Slot of a pool that doesn't use Python's own pickle.
constexpr std::string_view own_pickle = "own pickle";

Start start_named(Interpreter& python, Value method) {
  if (!method.is(Kind::string)) return python.start_method_in_force();
  return {python.text_of(method.id) == "fork" ? Start::fork : Start::spawn, false,
          method.certainty};
}

/// The start method that an object was made for: that of its context, else the one in force. An
/// executor that renews its workers can't fork them.
Start start_of(Interpreter& python, Value object) {
  const Value context = python.get(object.id, python.intern(start_method_slot));
  if (context.is(Kind::string)) return start_named(python, context);
  const Arguments& given = python.object_of(object).arguments;
  const Value mp_context = given.named(python.intern("mp_context"), 1);
  if (mp_context.is(Kind::instance)) {
    return start_named(python, python.get(mp_context.id, python.intern(start_method_slot)));
  }
  const bool renews = is_given(given.named(python.intern("max_tasks_per_child"), -1));
  return renews ? Start{Start::spawn} : python.start_method_in_force();
}

Value put_item(Interpreter& python, Value queue, const Arguments& arguments, Place site) {
  put_into(python, queue, arguments.at(0), site);
  return Value::none();
}

Value get_item(Interpreter& python, Value queue, const Arguments&, Place) {
  return get_from(python, queue);
}

/// Both ends of a pipe.
Value make_pipe(Interpreter& python, const Arguments& arguments, Place) {
  const Value left = python.external_instance("multiprocessing.connection.Connection", arguments);
  return python.make_list({left, left}, Kind::tuple);
}

Value make_context_pipe(Interpreter& python, Value, const Arguments& arguments, Place site) {
  return make_pipe(python, arguments, site);
}

/// `reduce_tensor(x)`: a handle of the tensor, for another process.
Value reduce_tensor(Interpreter& python, const Arguments& arguments, Place site) {
  send(python, arguments.at(0), "handle", site);
  return Value::unknown();
}

/// `@app.task`: run by a pool of workers that are forked once this module is imported.
Value register_task(Interpreter& python, Value, const Arguments& arguments, Place site) {
  const Value task = arguments.at(0);
  if (!task.is(Kind::function)) return python.external_instance("celery.Celery.task", arguments);
  python.tasks_.emplace_back(task, site);
  return task;
}

/// The same taken from the application before it is called: `@app.task`.
Value register_bound_task(Interpreter& python, const Arguments& arguments, Place site) {
  Arguments rest = arguments;
  if (!rest.positional.empty()) rest.positional.erase(rest.positional.begin());
  return register_task(python, {}, rest, site);
}

Value register_shared_task(Interpreter& python, const Arguments& arguments, Place site) {
  return register_task(python, {}, arguments, site);
}

/// `daemon=True`, or `process.daemon = True` before the start.
bool is_daemon(Interpreter& python, Value process) {
  const model::NameId name = python.intern("daemon");
  const Value set = python.get(process.id, name);
  const Value daemon =
      set.is(Kind::absent) ? python.object_of(process).arguments.named(name, -1) : set;
  return daemon.is(Kind::boolean) && daemon.payload != 0 && daemon.certainty == Certainty::yes;
}

Value start_process(Interpreter& python, Value object, const Arguments&, Place site) {
  const Job job = job_of_object(python, object);
  Start start = start_of(python, object);
  start.is_daemon = is_daemon(python, object);
  if (start.kind == Start::spawn) {
    for (const Value argument : job.arguments.positional) send(python, argument, "argument", site);
  }
  python.run_child(start, job.target, job.arguments, site);
  return Value::none();
}

/// A pool forks its workers when it is made, an executor at its first job. A pool that takes a new
/// worker for each task forks all along.
void note_pool(Interpreter& python, Value pool) {
  const Value tasks = python.object_of(pool).arguments.named(python.intern("maxtasksperchild"), 3);
  if (!tasks.is(Kind::integer) || tasks.as_integer() != 1) python.note_workers(pool.id);
}

Value make_pool(Interpreter& python, const Arguments& arguments, Place site) {
  const Value pool = python.external_instance("multiprocessing.Pool", arguments);
  if (may_not_have_children(python, site)) return pool;
  note_pool(python, pool);
  return pool;
}

/// Pools of packages that pickle in their own way, which takes lambdas too.
Value make_other_pool(Interpreter& python, const Arguments& arguments, Place) {
  const Value pool = python.external_instance("multiprocessing.Pool", arguments);
  note_pool(python, pool);
  python.set(pool.id, python.intern(own_pickle), Value::boolean(true));
  return pool;
}

Value make_other_process(Interpreter& python, const Arguments& arguments, Place) {
  return python.external_instance("multiprocessing.Process", arguments);
}

/// What the first job of each worker finds: its `initializer` has run.
void initialize_worker(Interpreter& python, const Arguments& pool, bool is_executor, Place site) {
  Job job;
  const int position = is_executor ? 2 : 1;
  job.target = pool.named(python.intern("initializer"), position);
  const Value args = pool.named(python.intern("initargs"), position + 1);
  if (!args.is(Kind::absent)) job.arguments.open = !python.items_of(args, job.arguments.positional);
  if (is_given(job.target)) python.call(job.target, job.arguments, site);
}

void run_in_pool(Interpreter& python, Value pool, const Job& job, Place site) {
  note_pool(python, pool);
  const Value made_of = python.object_of(pool).target;
  const bool is_own = !made_of.is(Kind::external);
  const bool is_executor = !is_own && python.text_of(made_of.id).ends_with("Executor");
  Start start = start_of(python, pool);
  start.workers_of = pool.id;
  start.is_executor = is_executor;
  const bool is_other = !python.get(pool.id, python.intern(own_pickle)).is(Kind::absent);
  start.is_daemon = !is_own && !is_executor && !is_other;
  start.is_apart = is_other;
  start.answers = true;
  if (start.kind == Start::fork && !is_other) {
    python.observe_unpicklable(job.target, {Start::task}, site);
    for (const Value argument : job.arguments.positional)
      python.observe_unpicklable(argument, {Start::task}, site);
  }
  for (const Value argument : job.arguments.positional) send(python, argument, "task", site);
  for (const Region& region : python.regions_)
    start.guards.runtime_error |= region.guards.runtime_error;
  const Arguments made_with = python.object_of(pool).arguments;
  python.run_child(start, job.target, job.arguments, site,
                   [&] { initialize_worker(python, made_with, is_executor, site); });
}

Value current_process(Interpreter& python, const Arguments& arguments, Place) {
  const Value daemon = python.get(python.process_state_, python.intern(daemon_slot));
  return daemon.is(Kind::instance)
             ? daemon
             : python.external_instance("multiprocessing.current_process", arguments);
}

template <bool spread>
Value submit_process(Interpreter& python, Value object, const Arguments& arguments, Place site) {
  run_in_pool(python, object, submitted(python, arguments, spread), site);
  return Value::unknown();
}

template <bool spread>
Value map_processes(Interpreter& python, Value object, const Arguments& arguments, Place site) {
  for (const Job& job : mapped(python, arguments, spread)) {
    run_in_pool(python, object, job, site);
    if (python.stopped()) break;
  }
  return Value::unknown();
}

Value get_context(Interpreter& python, const Arguments& arguments, Place) {
  const Value context = python.external_instance("multiprocessing.get_context", arguments);
  const Value method = arguments.named(python.intern("method"), 0);
  if (method.is(Kind::string)) python.set(context.id, python.intern(start_method_slot), method);
  return context;
}

template <const char* const& class_name>
Value context_member(Interpreter& python, Value context, const Arguments& arguments, Place) {
  const Value made = python.external_instance(class_name, arguments);
  const model::NameId method = python.intern(start_method_slot);
  python.set(made.id, method, python.get(context.id, method));
  return made;
}

constexpr const char* context_process = "multiprocessing.get_context.Process";
constexpr const char* context_pool = "multiprocessing.get_context.Pool";
constexpr const char* context_queue = "multiprocessing.get_context.Queue";

Value make_context_pool(Interpreter& python, Value context, const Arguments& arguments,
                        Place site) {
  const Value pool = context_member<context_pool>(python, context, arguments, site);
  if (may_not_have_children(python, site)) return pool;
  note_pool(python, pool);
  return pool;
}

/// The process of a manager is started with it.
Value make_manager(Interpreter& python, const Arguments& arguments, Place site) {
  const Start start = python.start_method_in_force();
  if (may_not_have_children(python, site)) return Value::unknown();
  if (start.kind == Start::spawn) {
    python.run_child_body(
        start, [&] { python.run_fresh_child(Value::none(), {}, site); }, site);
  }
  return python.external_instance("multiprocessing.Manager", arguments);
}

constexpr const char* manager_dict = "multiprocessing.Manager.dict";
constexpr const char* manager_queue = "multiprocessing.Manager.Queue";
constexpr const char* manager_list = "multiprocessing.Manager.list";

template <const char* const& class_name>
Value manager_member(Interpreter& python, Value, const Arguments& arguments, Place) {
  return python.external_instance(class_name, arguments);
}

/// The last argument is what it keeps: `kept[key] = value`, `kept.append(value)`.
Value keep_in_manager(Interpreter& python, Value, const Arguments& arguments, Place site) {
  if (!arguments.positional.empty()) give_to_manager(python, arguments.positional.back(), site);
  return Value::none();
}

/// vLLM runs its engine in processes of its own, which the variable can have started afresh.
Value start_engine(Interpreter& python, const Arguments& arguments, Place site) {
  constexpr std::string_view asked = "VLLM_WORKER_MULTIPROCESSING_METHOD=spawn";
  if (python.environment_has(asked) == Certainty::yes) {
    Start start{Start::spawn};
    start.certainty = Certainty::perhaps;
    python.run_child_body(
        start, [&] { python.run_fresh_child(Value::none(), {}, site); }, site);
  }
  return python.external_instance("vllm.LLM", arguments);
}

/// Whether the start method was fixed before this call, which then raises.
bool is_fixed(Interpreter& python, const Arguments& arguments, Place site) {
  const Value force = arguments.named(python.intern("force"), 1);
  if (!force.is(Kind::absent) && python.truth_of(force) != Interpreter::Truth::no) return false;
  const auto moment = static_cast<uint32_t>(knowledge::Moment::start_method);
  const Value fixed = python.get(python.moments_.states, moment + 1);
  return fixed.is(Kind::moment) && fixed.certainty == Certainty::yes &&
         python.timeline_.events[fixed.id].place != site;
}

/// What was chosen; where nothing was, None if that may be the answer, or the default once a child
/// or a lock has fixed it.
Value get_start_method(Interpreter& python, const Arguments& arguments, Place) {
  const Value method = python.get(python.process_state_, python.intern(start_method_slot));
  if (method.is(Kind::string)) return method;
  const auto moment = static_cast<uint32_t>(knowledge::Moment::start_method);
  const Value fixed = python.get(python.moments_.states, moment + 1);
  const Value allowed = arguments.named(python.intern("allow_none"), 0);
  const bool may_be_none =
      !allowed.is(Kind::absent) && python.truth_of(allowed) != Interpreter::Truth::no;
  if (!may_be_none) return Value::unknown();
  if (!fixed.is(Kind::moment)) return Value::none();
  if (fixed.certainty != Certainty::yes) return Value::unknown();
  const bool forks = python.start_method_in_force().kind == Start::fork;
  return Value::string(python.intern(forks ? "fork" : "spawn"));
}

Value set_start_method(Interpreter& python, const Arguments& arguments, Place site) {
  if (is_fixed(python, arguments, site)) {
    const bool is_caught = std::ranges::any_of(
        python.regions_, [](const Region& region) { return region.guards.runtime_error; });
    // Uncaught it ends the program, which another finding says.
    if (is_caught) {
      python.abrupt_ = {Completion::raised, Value::external(python.intern("RuntimeError"))};
    }
    return Value::none();
  }
  python.set(python.process_state_, python.intern(start_method_slot),
             arguments.named(python.intern("method"), 0));
  return Value::none();
}

/// `mp.spawn(fn, args, nprocs, join, daemon, start_method)`, and `start_processes` alike.
template <bool may_fork>
Value spawn(Interpreter& python, const Arguments& arguments, Place site) {
  Job job = job_of(python, arguments, -1, 1);
  job.target = arguments.named(python.intern("fn"), 0);
  job.arguments.positional.insert(job.arguments.positional.begin(), Value::integer(0));
  const Value method = arguments.named(python.intern("start_method"), 5);
  Start start{Start::spawn};
  if (may_fork && method.is(Kind::string)) start = start_named(python, method);
  const Value daemon = arguments.named(python.intern("daemon"), 4);
  start.is_daemon = daemon.is(Kind::boolean) && daemon.payload != 0;
  if (start.kind == Start::spawn) {
    for (const Value argument : job.arguments.positional) send(python, argument, "argument", site);
  }
  python.run_child(start, job.target, job.arguments, site);
  return Value::none();
}

Value fork(Interpreter& python, const Arguments&, Place site) { return python.fork_here(site); }

/// Runs beside the program, from now on.
Value call_now(Interpreter& python, const Arguments& arguments, Place site) {
  run_beside(python, submitted(python, arguments, true), site);
  return Value::unknown();
}

/// `loop.run_in_executor(executor, function, …)`.
Value run_in_executor(Interpreter& python, Value, const Arguments& arguments, Place site) {
  Arguments rest = arguments;
  if (!rest.positional.empty()) rest.positional.erase(rest.positional.begin());
  const Value executor = arguments.at(0);
  const bool has_processes =
      executor.is(Kind::instance) &&
      python.text_of(python.object_of(executor).target.id).ends_with(".ProcessPoolExecutor");
  if (has_processes) return submit_process<true>(python, executor, rest, site);
  return call_now(python, rest, site);
}

constexpr LibraryFunction functions[] = {
    {"multiprocessing.get_context", get_context},
    {"torch.multiprocessing.get_context", get_context},
    {"multiprocessing.set_start_method", set_start_method},
    {"torch.multiprocessing.set_start_method", set_start_method},
    {"torch.multiprocessing.spawn", spawn<false>},
    {"torch.multiprocessing.spawn.spawn", spawn<false>},
    {"torch.multiprocessing.start_processes", spawn<true>},
    {"multiprocessing.get_start_method", get_start_method},
    {"torch.multiprocessing.get_start_method", get_start_method},
    {"os.fork", fork},
    {"multiprocess.Pool", make_other_pool},
    {"multiprocess.pool.Pool", make_other_pool},
    {"multiprocess.Process", make_other_process},
    {"multiprocess.get_context", get_context},
    {"multiprocess.set_start_method", set_start_method},
    {"billiard.Pool", make_other_pool},
    {"billiard.pool.Pool", make_other_pool},
    {"billiard.Process", make_other_process},
    {"billiard.set_start_method", set_start_method},
    {"pathos.multiprocessing.Pool", make_other_pool},
    {"pathos.multiprocessing.ProcessPool", make_other_pool},
    {"pathos.multiprocessing.ProcessingPool", make_other_pool},
    {"pathos.pools.ProcessPool", make_other_pool},
    {"multiprocessing.current_process", current_process},
    {"multiprocessing.process.current_process", current_process},
    {"torch.multiprocessing.current_process", current_process},
    {"multiprocessing.Pool", make_pool},
    {"multiprocessing.pool.Pool", make_pool},
    {"torch.multiprocessing.Pool", make_pool},
    {"torch.multiprocessing.reductions.reduce_tensor", reduce_tensor},
    {"celery.shared_task", register_shared_task},
    {"celery.Celery.task", register_bound_task},
    {"vllm.LLM", start_engine},
    {"multiprocessing.Manager", make_manager},
    {"torch.multiprocessing.Manager", make_manager},
    {"multiprocessing.Pipe", make_pipe},
    {"torch.multiprocessing.Pipe", make_pipe},
};

constexpr LibraryMethod methods[] = {
    {"multiprocessing.Process.start", start_process},
    {"torch.multiprocessing.Process.start", start_process},
    {"multiprocessing.get_context.Process.start", start_process},
    {"celery.Celery.task", register_task},
    {"celery.Celery.task.__call__", register_task},
    {"multiprocessing.get_context.Process", context_member<context_process>},
    {"multiprocessing.get_context.Pool", make_context_pool},
    {"multiprocessing.get_context.Queue", context_member<context_queue>},
    {"multiprocessing.get_context.SimpleQueue", context_member<context_queue>},
    {"multiprocessing.get_context.JoinableQueue", context_member<context_queue>},
    {"multiprocessing.Manager.dict", manager_member<manager_dict>},
    {"multiprocessing.Manager.list", manager_member<manager_list>},
    {"multiprocessing.Manager.Queue", manager_member<manager_queue>},
    {"multiprocessing.Manager.dict.__setitem__", keep_in_manager},
    {"multiprocessing.Manager.dict.setdefault", keep_in_manager},
    {"multiprocessing.Manager.dict.update", keep_in_manager},
    {"multiprocessing.Manager.list.__setitem__", keep_in_manager},
    {"multiprocessing.Manager.list.append", keep_in_manager},
    {"multiprocessing.Manager.list.extend", keep_in_manager},
    {"multiprocessing.Manager.Queue.put", keep_in_manager},
    {"multiprocessing.get_context.Pipe", make_context_pipe},
    {"multiprocessing.get_context.Queue.put", put_item},
    {"multiprocessing.get_context.Queue.put_nowait", put_item},
    {"multiprocessing.get_context.Queue.get", get_item},
    {"multiprocessing.Queue.put", put_item},
    {"multiprocessing.Queue.put_nowait", put_item},
    {"multiprocessing.Queue.get", get_item},
    {"multiprocessing.SimpleQueue.put", put_item},
    {"multiprocessing.SimpleQueue.get", get_item},
    {"multiprocessing.JoinableQueue.put", put_item},
    {"multiprocessing.JoinableQueue.get", get_item},
    {"torch.multiprocessing.Queue.put", put_item},
    {"torch.multiprocessing.Queue.put_nowait", put_item},
    {"torch.multiprocessing.Queue.get", get_item},
    {"torch.multiprocessing.SimpleQueue.put", put_item},
    {"torch.multiprocessing.SimpleQueue.get", get_item},
    {"torch.multiprocessing.JoinableQueue.put", put_item},
    {"torch.multiprocessing.JoinableQueue.get", get_item},
    {"multiprocessing.connection.Connection.send", put_item},
    {"multiprocessing.connection.Connection.recv", get_item},
    {"multiprocessing.Pool.apply", submit_process<false>},
    {"multiprocessing.Pool.apply_async", submit_process<false>},
    {"multiprocessing.Pool.map", map_processes<false>},
    {"multiprocessing.Pool.map_async", map_processes<false>},
    {"multiprocessing.Pool.imap", map_processes<false>},
    {"multiprocessing.Pool.imap_unordered", map_processes<false>},
    {"multiprocessing.Pool.starmap", map_processes<true>},
    {"multiprocessing.Pool.starmap_async", map_processes<true>},
    {"multiprocessing.get_context.Pool.apply", submit_process<false>},
    {"multiprocessing.get_context.Pool.apply_async", submit_process<false>},
    {"multiprocessing.get_context.Pool.map", map_processes<false>},
    {"multiprocessing.get_context.Pool.map_async", map_processes<false>},
    {"multiprocessing.get_context.Pool.imap", map_processes<false>},
    {"multiprocessing.get_context.Pool.imap_unordered", map_processes<false>},
    {"multiprocessing.get_context.Pool.starmap", map_processes<true>},
    {"concurrent.futures.ProcessPoolExecutor.submit", submit_process<true>},
    {"concurrent.futures.ProcessPoolExecutor.map", map_processes<false>},
    {"asyncio.get_event_loop.run_in_executor", run_in_executor},
    {"asyncio.get_running_loop.run_in_executor", run_in_executor},
};

}  // namespace

std::span<const LibraryFunction> process_functions() { return functions; }
std::span<const LibraryMethod> process_methods() { return methods; }

}  // namespace vramlint::replay
