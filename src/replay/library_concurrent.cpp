// SPDX-License-Identifier: MIT
//
// Threads, coroutines, pools and processes: what they are given to do is done when they are
// started.
#include "replay/interpreter.h"
#include "replay/library.h"

namespace vramlint::replay {
namespace {

using Start = Interpreter::Start;

/// What `target`, `args` and `kwargs` of a thread or process say.
struct Job {
  Value target;
  Arguments arguments;
};

Job job_of(Interpreter& python, const Arguments& given, int target_position, int args_position) {
  Job job;
  job.target = given.named(python.intern("target"), target_position);
  const Value args = given.named(python.intern("args"), args_position);
  if (!args.is(Kind::absent) && !python.items_of(args, job.arguments.positional))
    job.arguments.open = true;
  const Value kwargs =
      given.named(python.intern("kwargs"), args_position < 0 ? -1 : args_position + 1);
  if (kwargs.is(Kind::dict)) {
    const std::vector<uint32_t> names = python.object_of(kwargs).slot_names;
    for (const uint32_t name : names) {
      const Value value = python.get(kwargs.id, name);
      if (!value.is(Kind::absent)) job.arguments.keywords.push_back({name, value});
    }
  }
  if (job.target.is(Kind::absent)) job.target = Value::none();
  return job;
}

/// The `run` of a class of the project, else the target that the object was made with.
Job job_of_object(Interpreter& python, Value object) {
  const Object& made = python.object_of(object);
  if (made.target.is(Kind::class_)) {
    const Value run = python.find_in_class(made.target, python.intern("run"));
    if (run.is(Kind::function)) return {python.bound(run, object, made.target, {}), {}};
  }
  return job_of(python, python.object_of(object).arguments, 1, 3);
}

/// Runs beside the program: what it raises ends it alone.
void run_beside(Interpreter& python, const Job& job, Place site) {
  Arguments target = job.arguments;
  target.positional.insert(target.positional.begin(), job.target);
  run_thread(python, python.external_instance("functools.partial", target), site);
  if (python.abrupt_.kind == Completion::raised || python.abrupt_.kind == Completion::dead)
    python.abrupt_ = {};
}

Value start_thread(Interpreter& python, Value object, const Arguments&, Place site) {
  run_beside(python, job_of_object(python, object), site);
  return Value::none();
}

Value start_timer(Interpreter& python, Value object, const Arguments&, Place site) {
  const Arguments given = python.object_of(object).arguments;
  Job job = job_of(python, given, -1, 2);
  job.target = given.named(python.intern("function"), 1);
  run_beside(python, job, site);
  return Value::none();
}

/// `executor.submit(function, …)`, `pool.apply_async(function, (…))`.
Job submitted(Interpreter& python, const Arguments& given, bool spread) {
  Job job;
  job.target = given.at(0);
  if (spread) {
    job.arguments = given;
    if (!job.arguments.positional.empty())
      job.arguments.positional.erase(job.arguments.positional.begin());
    return job;
  }
  const Value args = given.named(python.intern("args"), 1);
  if (!args.is(Kind::absent)) job.arguments.open = !python.items_of(args, job.arguments.positional);
  return job;
}

/// `pool.map(function, items)`: once with each item that is known, once with an unknown one
/// otherwise.
std::vector<Job> mapped(Interpreter& python, const Arguments& given, bool spread) {
  std::vector<Value> items;
  if (!python.items_of(given.at(1), items)) items = {Value::unknown()};
  std::vector<Job> jobs;
  constexpr size_t enough = 4;
  for (size_t i = 0; i < items.size() && i < enough; ++i) {
    Job job;
    job.target = given.at(0);
    if (!spread || !python.items_of(items[i], job.arguments.positional)) {
      job.arguments.positional = {items[i]};
    }
    jobs.push_back(std::move(job));
  }
  return jobs;
}

/// The first job of a pool of threads makes a thread, which runs the pool's `initializer`.
void start_pool(Interpreter& python, Value pool, Place site) {
  const model::NameId started = python.intern("started()");
  if (!python.get(pool.id, started).is(Kind::absent)) return;
  python.set(pool.id, started, Value::boolean(true));
  const Arguments given = python.object_of(pool).arguments;
  Job job;
  job.target = given.named(python.intern("initializer"), -1);
  const Value args = given.named(python.intern("initargs"), -1);
  if (!args.is(Kind::absent)) job.arguments.open = !python.items_of(args, job.arguments.positional);
  if (!job.target.is(Kind::absent)) run_beside(python, job, site);
}

template <bool spread>
Value submit_thread(Interpreter& python, Value pool, const Arguments& arguments, Place site) {
  start_pool(python, pool, site);
  run_beside(python, submitted(python, arguments, spread), site);
  return Value::unknown();
}

template <bool spread>
Value map_threads(Interpreter& python, Value pool, const Arguments& arguments, Place site) {
  start_pool(python, pool, site);
  for (const Job& job : mapped(python, arguments, spread)) run_beside(python, job, site);
  if (spread || arguments.positional.size() != 2) return Value::unknown();
  // What it gives, when somebody takes it.
  Object results;
  results.receiver = arguments.at(1);
  Arguments called;
  called.positional = {Value::external(python.intern("concurrent.futures.map()")), arguments.at(0)};
  results.target = python.external_instance("functools.partial", called);
  results.maps = true;
  results.over_batches = Interpreter::says_batches(python.text_at(site.span));
  return Value::object(Kind::iterator, python.new_object(std::move(results)));
}

/// A call in a thread of a pool.
Value call_in_thread(Interpreter& python, const Arguments& arguments, Place site) {
  Arguments rest = arguments;
  const Value function = arguments.at(0);
  if (!rest.positional.empty()) rest.positional.erase(rest.positional.begin());
  const auto outside = std::exchange(python.gradients_, Interpreter::Gradients::on);
  const Value made = python.call(function, rest, site);
  python.gradients_ = outside;
  return made;
}

// Processes ---------------------------------------------------------------------------------------

Start start_named(Interpreter& python, Value method) {
  if (!method.is(Kind::string)) return python.start_method_in_force();
  return {python.text_of(method.id) == "fork" ? Start::fork : Start::spawn, false,
          method.certainty};
}

bool is_given(Value value) { return !value.is(Kind::absent) && !value.is(Kind::none); }

/// The start method that an object was made for: that of its context, else the one in force. An
/// executor that renews its workers can't fork them.
Start start_of(Interpreter& python, Value object) {
  const Value context = python.get(object.id, python.intern("start method"));
  if (context.is(Kind::string)) return start_named(python, context);
  const Arguments& given = python.object_of(object).arguments;
  const Value mp_context = given.named(python.intern("mp_context"), 1);
  if (mp_context.is(Kind::instance)) {
    return start_named(python, python.get(mp_context.id, python.intern("start method")));
  }
  const bool renews = is_given(given.named(python.intern("max_tasks_per_child"), -1));
  return renews ? Start{Start::spawn} : python.start_method_in_force();
}

Value put_item(Interpreter& python, Value queue, const Arguments& arguments, Place site) {
  python.put_into_queue(queue, arguments.at(0), site);
  return Value::none();
}

Value get_item(Interpreter& python, Value queue, const Arguments&, Place) {
  return python.get_from_queue(queue);
}

/// A queue of threads holds what is put into it. Where there is no other thread in sight, nobody
/// takes it out behind the program's back.
Value put_aside(Interpreter& python, Value queue, const Arguments& arguments, Place site) {
  const std::string_view file = python.files_[site.file]->bytes();
  const bool is_bounded = !python.object_of(queue).arguments.at(0).is(Kind::absent);
  if (!is_bounded && file.find("hread") == std::string_view::npos)
    python.note_kept(queue, arguments.at(0), site, python.text_before(site, ".put("));
  return Value::none();
}

Value take_back(Interpreter& python, Value queue, const Arguments&, Place) {
  python.note_let_go(queue);
  return Value::unknown();
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
  python.observe_sent(arguments.at(0), "handle", site);
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

Value start_process(Interpreter& python, Value object, const Arguments&, Place site) {
  const Job job = job_of_object(python, object);
  const Start start = start_of(python, object);
  if (start.kind == Start::spawn) {
    for (const Value argument : job.arguments.positional)
      python.observe_sent(argument, "argument", site);
  }
  python.run_child(start_of(python, object), job.target, job.arguments, site);
  return Value::none();
}

/// A pool forks its workers when it is made, an executor at its first job. A pool that takes a new
/// worker for each task forks all along.
void note_pool(Interpreter& python, Value pool) {
  const Value tasks = python.object_of(pool).arguments.named(python.intern("maxtasksperchild"), 3);
  if (!tasks.is(Kind::integer) || tasks.as_integer() != 1) python.note_workers(pool.id);
}

Value make_pool(Interpreter& python, const Arguments& arguments, Place) {
  const Value pool = python.external_instance("multiprocessing.Pool", arguments);
  note_pool(python, pool);
  return pool;
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
  Start start = start_of(python, pool);
  start.workers_of = pool.id;
  if (start.kind == Start::fork) {
    python.observe_unpicklable(job.target, {Start::task}, site);
    for (const Value argument : job.arguments.positional)
      python.observe_unpicklable(argument, {Start::task}, site);
  }
  for (const Region& region : python.regions_)
    start.guards.runtime_error |= region.guards.runtime_error;
  const Arguments made_with = python.object_of(pool).arguments;
  const std::string_view type = python.text_of(python.object_of(pool).target.id);
  python.run_child(start, job.target, job.arguments, site,
                   [&] { initialize_worker(python, made_with, type.ends_with("Executor"), site); });
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
  if (method.is(Kind::string)) python.set(context.id, python.intern("start method"), method);
  return context;
}

template <const char* const& class_name>
Value context_member(Interpreter& python, Value context, const Arguments& arguments, Place) {
  const Value made = python.external_instance(class_name, arguments);
  const model::NameId method = python.intern("start method");
  python.set(made.id, method, python.get(context.id, method));
  return made;
}

constexpr const char* context_process = "multiprocessing.get_context.Process";
constexpr const char* context_pool = "multiprocessing.get_context.Pool";
constexpr const char* context_queue = "multiprocessing.get_context.Queue";
constexpr const char* manager_queue = "multiprocessing.Manager.Queue";

Value make_context_pool(Interpreter& python, Value context, const Arguments& arguments,
                        Place site) {
  const Value pool = context_member<context_pool>(python, context, arguments, site);
  note_pool(python, pool);
  return pool;
}

Value set_start_method(Interpreter& python, const Arguments& arguments, Place) {
  python.set(python.process_state_, python.intern("start method"),
             arguments.named(python.intern("method"), 0));
  return Value::none();
}

/// What was chosen; where nothing was, the default if a child or a lock has fixed it, or None.
Value get_start_method(Interpreter& python, const Arguments& arguments, Place) {
  const Value chosen = python.get(python.process_state_, python.intern("start method"));
  if (chosen.is(Kind::string) && chosen.certainty == Certainty::yes) return chosen;
  const Value none_allowed = arguments.named(python.intern("allow_none"), 0);
  const bool may_be_none = none_allowed.is(Kind::boolean) && none_allowed.payload != 0;
  if (!chosen.is(Kind::absent) || !may_be_none) return Value::unknown();
  const auto slot = static_cast<uint32_t>(knowledge::Moment::start_method) + 1;
  const Value fixed = python.get(python.moments_.states, slot);
  if (!fixed.is(Kind::moment)) return Value::none();
  if (fixed.certainty != Certainty::yes) return Value::unknown();
  const bool forks = python.start_method_in_force().kind == Interpreter::Start::fork;
  return Value::string(python.intern(forks ? "fork" : "spawn"));
}

Value spawn(Interpreter& python, const Arguments& arguments, Place site) {
  Job job = job_of(python, arguments, -1, 1);
  job.target = arguments.named(python.intern("fn"), 0);
  job.arguments.positional.insert(job.arguments.positional.begin(), Value::integer(0));
  python.run_child({Start::spawn}, job.target, job.arguments, site);
  return Value::none();
}

Value start_processes(Interpreter& python, const Arguments& arguments, Place site) {
  Job job = job_of(python, arguments, -1, 1);
  job.target = arguments.named(python.intern("fn"), 0);
  job.arguments.positional.insert(job.arguments.positional.begin(), Value::integer(0));
  const Value method = arguments.named(python.intern("start_method"), 5);
  const Start start = method.is(Kind::string) ? start_named(python, method) : Start{Start::spawn};
  python.run_child(start, job.target, job.arguments, site);
  return Value::none();
}

/// `random_split(dataset, lengths)`: one part a length.
Value split_at_random(Interpreter& python, const Arguments& arguments, Place) {
  std::vector<Value> lengths;
  if (!python.items_of(arguments.named(python.intern("lengths"), 1), lengths))
    return Value::unknown();
  Arguments part;
  part.positional = {arguments.named(python.intern("dataset"), 0), Value::unknown()};
  for (Value& length : lengths) length = python.external_instance("torch.utils.data.Subset", part);
  return python.make_list(lengths);
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

Value call_partial(Interpreter& python, Value object, const Arguments& arguments, Place site) {
  Arguments all = python.object_of(object).arguments;
  if (all.positional.empty()) return Value::unknown();
  const Value function = all.positional.front();
  all.positional.erase(all.positional.begin());
  all.positional.insert(all.positional.end(), arguments.positional.begin(),
                        arguments.positional.end());
  all.keywords.insert(all.keywords.begin(), arguments.keywords.begin(), arguments.keywords.end());
  all.open = all.open || arguments.open;
  return python.call(function, all, site);
}

/// `methodcaller(name, …)(object)`.
Value call_method_by_name(Interpreter& python, Value caller, const Arguments& arguments,
                          Place site) {
  Arguments rest = python.object_of(caller).arguments;
  const Value name = rest.at(0);
  if (!name.is(Kind::string)) return Value::unknown();
  rest.positional.erase(rest.positional.begin());
  return python.call_method(arguments.at(0), name.id, rest, site);
}

/// `stack.enter_context(torch.no_grad())`: until the block of the stack ends.
void keep_gradients(Interpreter& python, Value manager) {
  if (!manager.is(Kind::instance)) return;
  const Object& made = python.object_of(manager);
  if (!made.target.is(Kind::external)) return;
  const auto mode = python.gradients_by(made.target.id, made.arguments);
  if (mode != Interpreter::Gradients::inherited) python.gradients_ = mode;
}

Value enter_on_stack(Interpreter& python, Value, const Arguments& arguments, Place site) {
  Value entered = Value::unknown();
  const Value manager = arguments.at(0);
  python.enter_context(manager, site, [&](Value value) { entered = value; });
  keep_gradients(python, manager);
  return entered;
}

/// `stack.callback(function, …)` and `stack.push(…)`: done when the stack is left.
Value call_on_exit(Interpreter& python, Value stack, const Arguments& arguments, Place site) {
  python.note_kept(stack, python.make_list(arguments.positional), site,
                   python.text_before(site, ".callback("));
  const model::NameId kept = python.intern("callbacks()");
  if (python.get(stack.id, kept).is(Kind::absent)) python.set(stack.id, kept, python.make_list({}));
  python.append_item(python.get(stack.id, kept),
                     python.external_instance("functools.partial", arguments));
  return arguments.at(0);
}

Value close_stack(Interpreter& python, Value stack, const Arguments&, Place site) {
  std::vector<Value> callbacks;
  const model::NameId kept = python.intern("callbacks()");
  python.items_of(python.get(stack.id, kept), callbacks);
  python.set(stack.id, kept, {});
  python.note_let_go(stack);
  for (size_t i = callbacks.size(); i-- > 0 && !python.stopped();)
    python.call(callbacks[i], {}, site);
  return Value::none();
}

Value move_callbacks(Interpreter& python, Value stack, const Arguments& arguments, Place) {
  const Value made =
      python.external_instance(python.text_of(python.object_of(stack).target.id), arguments);
  const model::NameId kept = python.intern("callbacks()");
  python.set(made.id, kept, python.get(stack.id, kept));
  python.set(stack.id, kept, {});
  return made;
}

constexpr LibraryFunction functions[] = {
    {"multiprocessing.get_context", get_context},
    {"torch.multiprocessing.get_context", get_context},
    {"multiprocessing.get_start_method", get_start_method},
    {"torch.multiprocessing.get_start_method", get_start_method},
    {"concurrent.futures.map()", call_in_thread},
    {"multiprocessing.set_start_method", set_start_method},
    {"torch.multiprocessing.set_start_method", set_start_method},
    {"torch.multiprocessing.spawn", spawn},
    {"torch.multiprocessing.spawn.spawn", spawn},
    {"torch.multiprocessing.start_processes", start_processes},
    {"os.fork", fork},
    {"torch.utils.data.random_split", split_at_random},
    {"torch.utils.data.dataset.random_split", split_at_random},
    {"multiprocessing.Pool", make_pool},
    {"multiprocessing.pool.Pool", make_pool},
    {"torch.multiprocessing.Pool", make_pool},
    {"torch.multiprocessing.reductions.reduce_tensor", reduce_tensor},
    {"celery.shared_task", register_shared_task},
    {"celery.Celery.task", register_bound_task},
    {"multiprocessing.Pipe", make_pipe},
    {"torch.multiprocessing.Pipe", make_pipe},
};

constexpr LibraryMethod methods[] = {
    {"threading.Thread.start", start_thread},
    {"threading.Thread.run", start_thread},
    {"threading.Timer.start", start_timer},
    {"concurrent.futures.ThreadPoolExecutor.submit", submit_thread<true>},
    {"concurrent.futures.ThreadPoolExecutor.map", map_threads<false>},
    {"multiprocessing.pool.ThreadPool.apply", submit_thread<false>},
    {"multiprocessing.pool.ThreadPool.apply_async", submit_thread<false>},
    {"multiprocessing.pool.ThreadPool.map", map_threads<false>},
    {"multiprocessing.pool.ThreadPool.starmap", map_threads<true>},
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
    {"multiprocessing.Manager.Queue", context_member<manager_queue>},
    {"torch.multiprocessing.Manager.Queue", context_member<manager_queue>},
    {"multiprocessing.get_context.Pipe", make_context_pipe},
    {"queue.Queue.put", put_aside},
    {"queue.Queue.get", take_back},
    {"queue.LifoQueue.put", put_aside},
    {"queue.LifoQueue.get", take_back},
    {"queue.SimpleQueue.put", put_aside},
    {"queue.SimpleQueue.get", take_back},
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
    {"multiprocessing.Manager.Queue.put", put_item},
    {"multiprocessing.Manager.Queue.get", get_item},
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
    {"functools.partial.__call__", call_partial},
    {"operator.methodcaller.__call__", call_method_by_name},
    {"contextlib.ExitStack.enter_context", enter_on_stack},
    {"contextlib.AsyncExitStack.enter_async_context", enter_on_stack},
    {"contextlib.ExitStack.callback", call_on_exit},
    {"contextlib.ExitStack.close", close_stack},
    {"contextlib.ExitStack.__exit__", close_stack},
    {"contextlib.ExitStack.pop_all", move_callbacks},
};

}  // namespace

std::span<const LibraryFunction> concurrent_functions() { return functions; }
std::span<const LibraryMethod> concurrent_methods() { return methods; }

}  // namespace vramlint::replay
