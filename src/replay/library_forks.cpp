// SPDX-License-Identifier: MIT
//
// Forks that are not called `multiprocessing`: what the rows of `rules/knowledge/forks.toml` say,
// and joblib, which wraps its jobs.
#include <algorithm>
#include <utility>

#include "replay/interpreter.h"
#include "replay/jobs.h"
#include "replay/library.h"

namespace vramlint::replay {
namespace {

using Start = Interpreter::Start;
using Truth = Interpreter::Truth;

/// Forked by a library that brings pickling of its own.
void run_forked(Interpreter& python, const Job& job, Certainty certainty, Place site) {
  Start start = python.start_method_in_force();
  if (start.kind != Start::fork) return;
  start.certainty = std::min(start.certainty, certainty);
  start.is_apart = true;
  for (const Region& region : python.regions_)
    start.guards.runtime_error |= region.guards.runtime_error;
  python.run_child(start, job.target, job.arguments, site);
}

/// Whether more than one process is asked for.
Truth is_several(Value workers) {
  if (workers.is(Kind::integer)) return workers.as_integer() > 1 ? Truth::yes : Truth::no;
  return workers.is(Kind::absent) || workers.is(Kind::none) ? Truth::no : Truth::unknown;
}

void run_row(Interpreter& python, const knowledge::ForkRow& row, const Arguments& arguments,
             Place site) {
  Truth several = Truth::yes;
  if (!row.workers.empty()) {
    several = is_several(arguments.named(python.intern(row.workers), row.workers_position));
  }
  if (several != Truth::yes) return;
  Job job;
  job.target = arguments.named(python.intern(row.function), row.function_position);
  std::vector<Value> items;
  const bool is_known =
      row.items_position >= 0 &&
      python.items_of(arguments.at(static_cast<size_t>(row.items_position)), items);
  job.arguments.open = !is_known || items.empty();
  if (!job.arguments.open) job.arguments.positional.push_back(items.front());
  run_forked(python, job, Certainty::yes, site);
}

// joblib ------------------------------------------------------------------------------------------

/// `delayed(function)`, and `delayed(function)(…)`: a job for later.
Value delayed(Interpreter& python, const Arguments& arguments, Place) {
  return python.external_instance("joblib.delayed", arguments);
}

Value delayed_call(Interpreter& python, Value delayed, const Arguments& arguments, Place) {
  Arguments job = arguments;
  job.positional.insert(job.positional.begin(), python.object_of(delayed).arguments.at(0));
  return python.external_instance("functools.partial", job);
}

/// `Parallel(n_jobs, backend)(jobs)`: with threads they are done here, with `multiprocessing` in
/// forked workers. The workers of the default backend start afresh.
Value run_parallel(Interpreter& python, Value parallel, const Arguments& arguments, Place site) {
  const Arguments given = python.object_of(parallel).arguments;
  const Value backend = given.named(python.intern("backend"), 1);
  const Value wanted = given.named(python.intern("n_jobs"), 0);
  const bool all = wanted.is(Kind::integer) && wanted.as_integer() < 0;
  const bool forks = backend.is(Kind::string) && python.text_of(backend.id) == "multiprocessing" &&
                     (all || is_several(wanted) == Truth::yes);
  const bool threads = backend.is(Kind::string) && python.text_of(backend.id) == "threading";
  bool is_first = true;
  python.iterate(
      arguments.at(0),
      [&](Value job) {
        if (!job.is(Kind::instance) || !(forks || threads)) return;
        if (threads) return run_beside(python, {job, {}}, site);
        if (std::exchange(is_first, false)) run_forked(python, {job, {}}, Certainty::yes, site);
      },
      site);
  return Value::unknown();
}

constexpr LibraryFunction functions[] = {
    {"joblib.delayed", delayed},
    {"joblib.parallel.delayed", delayed},
};

constexpr LibraryMethod methods[] = {
    {"joblib.delayed.__call__", delayed_call},
    {"joblib.Parallel.__call__", run_parallel},
    {"joblib.parallel.Parallel.__call__", run_parallel},
};

}  // namespace

void run_forks_of_call(Interpreter& python, std::string_view dotted, const Arguments& arguments,
                       Place site) {
  for (const knowledge::ForkRow& row : python.knowledge_.forks()) {
    if (std::ranges::find(row.names, dotted) != row.names.end())
      run_row(python, row, arguments, site);
  }
}

void run_forks_of_method(Interpreter& python, std::string_view method, const Arguments& arguments,
                         Place site) {
  if (arguments.keywords.empty()) return;
  for (const knowledge::ForkRow& row : python.knowledge_.forks()) {
    if (std::ranges::find(row.methods, method) != row.methods.end())
      run_row(python, row, arguments, site);
  }
}

std::span<const LibraryFunction> fork_functions() { return functions; }
std::span<const LibraryMethod> fork_methods() { return methods; }

}  // namespace vramlint::replay
