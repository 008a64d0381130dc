// SPDX-License-Identifier: MIT
//
// Threads and pools of them, whose jobs are done when they are started, and stacks of contexts.
#include "replay/habits.h"
#include "replay/interpreter.h"
#include "replay/jobs.h"
#include "replay/library.h"

namespace vramlint::replay {
namespace {

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
  results.over_batches = says_batches(python.text_at(site.span));
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

/// A queue of threads holds what is put into it. Where there is no other thread in sight, nobody
/// takes it out behind the program's back.
Value put_aside(Interpreter& python, Value queue, const Arguments& arguments, Place site) {
  const bool is_bounded = !python.object_of(queue).arguments.at(0).is(Kind::absent);
  if (!is_bounded && searched_file(python).find("hread") == std::string_view::npos)
    python.note_kept(queue, arguments.at(0), site, python.text_before(site, ".put("));
  return Value::none();
}

Value take_back(Interpreter& python, Value queue, const Arguments&, Place) {
  python.note_let_go(queue);
  return Value::unknown();
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
    {"concurrent.futures.map()", call_in_thread},
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
    {"queue.Queue.put", put_aside},
    {"queue.Queue.get", take_back},
    {"queue.LifoQueue.put", put_aside},
    {"queue.LifoQueue.get", take_back},
    {"queue.SimpleQueue.put", put_aside},
    {"queue.SimpleQueue.get", take_back},
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
