// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "replay/objects.h"

// What threads, processes and pools are given to do.

namespace vramlint::replay {

class Interpreter;

/// Slot of a context, of what a context has made and of the process itself: the start method that
/// was chosen.
inline constexpr std::string_view start_method_slot = "start method";

/// What `target`, `args` and `kwargs` of a thread or process say.
struct Job {
  Value target;
  Arguments arguments;
};

/// Of a call, by the positions of `target` and `args`; -1 for a keyword only.
Job job_of(Interpreter& python, const Arguments& given, int target_position, int args_position);
/// The `run` of a class of the project, else the target that the object was made with.
Job job_of_object(Interpreter& python, Value object);
/// `executor.submit(function, …)`; not `spread`: `pool.apply_async(function, (…))`.
Job submitted(Interpreter& python, const Arguments& given, bool spread);
/// `pool.map(function, items)`: once with each item that is known, once with an unknown one
/// otherwise. `spread`: each item is a tuple of arguments.
std::vector<Job> mapped(Interpreter& python, const Arguments& given, bool spread);
/// Runs beside the program: what it raises ends it alone.
void run_beside(Interpreter& python, const Job& job, Place site);
/// Slot of a process that is a daemon: what `current_process()` gives there.
inline constexpr std::string_view daemon_slot = "daemon()";

/// Whether this process is a daemon: then starting another one raises, which is said.
bool may_not_have_children(Interpreter& python, Place site);
bool is_given(Value value);

}  // namespace vramlint::replay
