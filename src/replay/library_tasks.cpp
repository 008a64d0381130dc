// SPDX-License-Identifier: MIT
//
// What is made now and runs later: a task runs when the coroutine that made it waits for something,
// and a thread that waits for an event goes on when the event is set. Neither is run ahead of time,
// since what the program does in between is done before.
#include <algorithm>

#include "replay/interpreter.h"
#include "replay/library.h"

namespace vramlint::replay {
namespace {

constexpr std::string_view task_class = "asyncio.Task";

bool is_task(Interpreter& python, Value value) {
  return value.is(Kind::instance) && python.object_of(value).target.is(Kind::external) &&
         python.text_of(python.object_of(value).target.id) == task_class;
}

/// Something to be called or awaited once, which does not run yet.
Value task_of(Interpreter& python, Value job) {
  Arguments kept;
  kept.positional.push_back(job);
  return python.external_instance(task_class, kept);
}

/// A list in a slot, made when it is first needed.
Value list_in(Interpreter& python, ObjectId object, std::string_view name) {
  const model::NameId slot = python.intern(name);
  if (python.get(object, slot).is(Kind::absent)) python.set(object, slot, python.make_list({}));
  return python.get(object, slot);
}

/// What stands in the list, which is empty after that.
std::vector<Value> taken_from(Interpreter& python, ObjectId object, std::string_view name) {
  std::vector<Value> items;
  python.items_of(python.get(object, python.intern(name)), items);
  python.set(object, python.intern(name), {});
  return items;
}

void run_task(Interpreter& python, Value task, Place site) {
  const model::NameId result = python.intern("result()");
  if (!python.get(task.id, result).is(Kind::absent)) return;
  python.set(task.id, result, Value::unknown());
  const Value job = python.object_of(task).arguments.at(0);
  const Value made = job.is(Kind::coroutine) ? python.call_deferred(job, site, nullptr)
                                             : python.call(job, {}, site);
  if (!python.stopped()) python.set(task.id, result, made);
}

/// The loop has its turn: all tasks begin.
void run_tasks(Interpreter& python, Place site) {
  for (const Value task : taken_from(python, python.process_state_, "tasks()")) {
    if (python.stopped()) return;
    run_task(python, task, site);
    if (python.abrupt_.kind == Completion::raised) python.abrupt_ = {};
  }
}

/// `asyncio.create_task(coroutine)`.
Value make_task(Interpreter& python, const Arguments& arguments, Place) {
  const Value job = arguments.at(0);
  if (!job.is(Kind::coroutine) && !is_task(python, job)) return Value::unknown();
  const Value task = is_task(python, job) ? job : task_of(python, job);
  python.append_item(list_in(python, python.process_state_, "tasks()"), task);
  return task;
}

Value make_method_task(Interpreter& python, Value, const Arguments& arguments, Place site) {
  return make_task(python, arguments, site);
}

Value gather(Interpreter& python, const Arguments& arguments, Place site) {
  for (const Value job : arguments.positional) {
    Arguments one;
    one.positional.push_back(job);
    make_task(python, one, site);
  }
  return Value::unknown();
}

/// `asyncio.wait_for(awaitable, timeout)`: awaited as what it is given.
Value same_awaitable(Interpreter&, const Arguments& arguments, Place) { return arguments.at(0); }

/// `asyncio.run(main())`: tasks that have not begun when it ends never do.
Value run_main(Interpreter& python, const Arguments& arguments, Place site) {
  const Value result = await_value(python, arguments.at(0), site);
  taken_from(python, python.process_state_, "tasks()");
  return result;
}

Value run_until_complete(Interpreter& python, Value, const Arguments& arguments, Place site) {
  return await_value(python, arguments.at(0), site);
}

Value leave_group(Interpreter& python, Value, const Arguments&, Place site) {
  run_tasks(python, site);
  return Value::none();
}

/// `asyncio.to_thread(function, …)`: begins when it is awaited.
Value to_thread(Interpreter& python, const Arguments& arguments, Place) {
  return task_of(python, python.external_instance("functools.partial", arguments));
}

/// `loop.call_soon(function, …)`: a turn of the loop later.
Value call_soon(Interpreter& python, Value, const Arguments& arguments, Place site) {
  Arguments one;
  one.positional.push_back(to_thread(python, arguments, site));
  return make_task(python, one, site);
}

// Events of threads -------------------------------------------------------------------------------

/// A thread that comes here before the event is set stops; another one has to set it.
Value wait_for_event(Interpreter& python, Value event, const Arguments& arguments, Place site) {
  const bool has_limit = !arguments.positional.empty() || !arguments.keywords.empty();
  const bool is_set = !python.get(event.id, python.intern("set()")).is(Kind::absent);
  const bool in_thread =
      !python.get(python.process_state_, python.intern("thread()")).is(Kind::absent);
  if (is_set || has_limit || !in_thread) return Value::unknown();
  python.set(event.id, python.intern("waited()"), Value::integer(site.span.begin));
  python.abrupt_ = {Completion::suspended, event};
  return Value::unknown();
}

Value set_event(Interpreter& python, Value event, const Arguments&, Place site) {
  python.set(event.id, python.intern("set()"), Value::boolean(true));
  for (const Value job : taken_from(python, event.id, "held()")) {
    run_thread(python, job, site);
    const Completion end = python.abrupt_.kind;
    if (end == Completion::raised || end == Completion::dead) python.abrupt_ = {};
  }
  return Value::none();
}

Value clear_event(Interpreter& python, Value event, const Arguments&, Place) {
  python.set(event.id, python.intern("set()"), {});
  return Value::none();
}

/// Whether a thread has done nothing that counts before it came to wait for the event: it can begin
/// anew when the event is set, and nothing is done twice.
bool has_only_waited(Interpreter& python, Value event, size_t happened) {
  const auto& events = python.timeline_.events;
  const int64_t waited = python.get(event.id, python.intern("waited()")).as_integer();
  return std::all_of(events.begin() + static_cast<std::ptrdiff_t>(happened), events.end(),
                     [&](const Event& each) { return each.place.span.begin == waited; });
}

constexpr LibraryFunction functions[] = {
    {"asyncio.run", run_main},
    {"asyncio.gather", gather},
    {"asyncio.create_task", make_task},
    {"asyncio.ensure_future", make_task},
    {"asyncio.wait_for", same_awaitable},
    {"asyncio.shield", same_awaitable},
    {"asyncio.to_thread", to_thread},
};

constexpr LibraryMethod methods[] = {
    {"asyncio.get_event_loop.run_until_complete", run_until_complete},
    {"asyncio.new_event_loop.run_until_complete", run_until_complete},
    {"asyncio.get_event_loop.create_task", make_method_task},
    {"asyncio.new_event_loop.create_task", make_method_task},
    {"asyncio.get_running_loop.create_task", make_method_task},
    {"asyncio.TaskGroup.create_task", make_method_task},
    {"asyncio.TaskGroup.__exit__", leave_group},
    {"asyncio.get_event_loop.call_soon", call_soon},
    {"asyncio.get_running_loop.call_soon", call_soon},
    {"threading.Event.wait", wait_for_event},
    {"threading.Event.set", set_event},
    {"threading.Event.clear", clear_event},
};

}  // namespace

Value await_value(Interpreter& python, Value awaited, Place site) {
  if (awaited.is(Kind::coroutine)) return python.call_deferred(awaited, site, nullptr);
  run_tasks(python, site);
  if (python.stopped() || !is_task(python, awaited)) return Value::unknown();
  run_task(python, awaited, site);
  return python.get(awaited.id, python.intern("result()"));
}

void run_thread(Interpreter& python, Value job, Place site) {
  const model::NameId slot = python.intern("thread()");
  const Value outside = python.get(python.process_state_, slot);
  python.set(python.process_state_, slot, Value::boolean(true));
  const size_t happened = python.timeline_.events.size();
  python.open_region({Completion::suspended});
  // The mode of gradients belongs to a thread: each begins with them on.
  const auto gradients = std::exchange(python.gradients_, Interpreter::Gradients::on);
  const Value result = python.call(job, {}, site);
  if (result.is(Kind::coroutine) && !python.stopped()) python.call_deferred(result, site, nullptr);
  python.gradients_ = gradients;
  const Abrupt end = python.abrupt_;
  python.close_region();
  python.set(python.process_state_, slot, outside);
  const bool waits = end.kind == Completion::suspended && end.value.is(Kind::instance);
  if (waits && has_only_waited(python, end.value, happened))
    python.append_item(list_in(python, end.value.id, "held()"), job);
}

std::span<const LibraryFunction> task_functions() { return functions; }
std::span<const LibraryMethod> task_methods() { return methods; }

}  // namespace vramlint::replay
