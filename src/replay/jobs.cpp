// SPDX-License-Identifier: MIT
#include "replay/jobs.h"

#include "replay/interpreter.h"
#include "replay/library.h"

namespace vramlint::replay {

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

Job job_of_object(Interpreter& python, Value object) {
  const Object& made = python.object_of(object);
  if (made.target.is(Kind::class_)) {
    const Value run = python.find_in_class(made.target, python.intern("run"));
    if (run.is(Kind::function)) return {python.bound(run, object, made.target, {}), {}};
  }
  return job_of(python, python.object_of(object).arguments, 1, 3);
}

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

std::vector<Job> mapped(Interpreter& python, const Arguments& given, bool spread) {
  std::vector<Value> items;
  // The rows of a tensor are tensors.
  const bool is_tensor = given.at(1).is(Kind::tensor);
  if (!python.items_of(given.at(1), items))
    items = {is_tensor ? given.at(1).own() : Value::unknown()};
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

void run_beside(Interpreter& python, const Job& job, Place site) {
  Arguments target = job.arguments;
  target.positional.insert(target.positional.begin(), job.target);
  run_thread(python, python.external_instance("functools.partial", target), site);
  if (python.abrupt_.kind == Completion::raised || python.abrupt_.kind == Completion::dead)
    python.abrupt_ = {};
}

bool is_given(Value value) { return !value.is(Kind::absent) && !value.is(Kind::none); }

}  // namespace vramlint::replay
