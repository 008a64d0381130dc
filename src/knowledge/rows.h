// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "knowledge/moment.h"
#include "knowledge/version.h"

// One struct a table of `rules/knowledge/`. The build turns each TOML row into one of these, field
// by field under the same name, so that a misspelt field or word does not compile. Fields that a
// row leaves out keep the defaults given here.

namespace vramlint::knowledge {

struct MomentRow {
  Moment moment{};
  std::string_view phrase;  ///< for messages: "CUDA starts"
  std::string_view summary;
  std::span<const Moment> implies;  ///< what has certainly happened as well
  std::string_view source;
  std::string_view evidence;
};

/// What a write after the moment of reading does.
enum class LateWrite : uint8_t {
  lost,      ///< silently without effect
  fails,     ///< the program stops with an error
  harmless,  ///< read at each use: never too late
};

/// How a variable's value is written, where its form can be told right from wrong.
enum class ValueForm : uint8_t {
  any,
  boolean01,         ///< `0` or `1`
  boolean_words,     ///< `y yes 1 t true` or `n no 0 f false`, in any case
  integer,           ///< a whole number
  fraction,          ///< a decimal number
  cublas_workspace,  ///< `:SIZE:COUNT`, once or several times over
  device_list,       ///< numbers, or identifiers that begin with `GPU-` or `MIG-`, between commas
  cuda_device_list,  ///< the same, as CUDA reads it: a word names no device, a repeated one all
  thread_counts,     ///< numbers from 1 on, between commas
  device_limits,     ///< `DEVICE=SIZE` with a unit, between commas: `0=4G,1=512M`
};

struct VariableRow {
  std::string_view name;  ///< a trailing `*` stands for any rest
  Moment read_at = Moment::process_start;
  LateWrite late = LateWrite::lost;
  VersionRange torch;             ///< releases that read the variable (TOML: `since`, `until`)
  std::string_view same_as_call;  ///< a call that does the same at any time
  bool allocator_string = false;  ///< the value is an allocator configuration string
  std::string_view off_value;  ///< a value that equals not setting it: writing it late does no harm
  std::span<const std::string_view> values;  ///< legal values; empty when not a closed set
  ValueForm pattern = ValueForm::any;
  /// Legal numbers, both ends inclusive, where the value is one.
  int64_t number_min = std::numeric_limits<int64_t>::min();
  int64_t number_max = std::numeric_limits<int64_t>::max();
  int64_t multiple_of = 1;
  /// What happens under a value that its reader does not know; empty where it goes on without.
  std::string_view refusal;
  /// A platform on which every release reads the variable, whatever `since` says.
  std::string_view native_platform;
  std::string_view replaced_by;            ///< the name that has taken this one's place …
  Version replaced_since = first_version;  ///< … from this release on
  std::string_view summary;
  std::string_view source;
  std::string_view evidence;
};

/// What has to be done with the named thing before the row speaks.
/// `workers_started`: a loader that is iterated has started its workers.
enum class Trigger : uint8_t { call, enter, iterate, workers_started, read, write };

/// Which device a call works on. This, like `needs` and `unless_set`, decides only whether the
/// row's `brings` come about; what the call `makes` holds all the same.
enum class DeviceFrom : uint8_t {
  none,                 ///< no device plays a part: the row always speaks
  argument,             ///< the row speaks when the device argument is a CUDA device
  argument_or_default,  ///< the same, or the default device set by `set_default_device`
  operand,  ///< when the receiver, or a function's first argument, lives on a CUDA device
};

/// What the call gives back, as far as the replay follows it.
enum class Makes : uint8_t {
  unknown,
  nothing,      ///< that the replay follows
  tensor,       ///< on the device that the call worked on
  tensor_like,  ///< on the device of the first argument
  module,       ///< an `nn.Module` with parameters
  module_without_parameters,
  module_of_arguments,  ///< parameters if an argument has some
  distribution,         ///< an object whose methods compute with its arguments
  optimizer,
  device,
  loader,
  process,
  context_manager,
  boolean_true,  ///< on a machine with a GPU: `is_available()`
  environment_copy,
  whether_reached,     ///< true once `asks` has happened
  whether_elsewhere,   ///< unknown: true on a machine without CUDA
  default_device,      ///< nothing, but the device argument is the default from here on
  cuda_by_default,     ///< nothing, but CUDA is the default from here on
  loaded,              ///< what a file holds, on the device of the row
  values_and_indices,  ///< two tensors, the second of which has no graph
  values_and_indices_by_dimension,  ///< the same when a dimension is given, else one tensor
};

/// What a call does to the autograd graphs of the tensors that it works on.
enum class GraphEffect : uint8_t {
  keeps,     ///< what it gives belongs to them
  by_type,   ///< the same, unless it is of a type that takes no gradients: its first argument
  cuts,      ///< what it gives has none
  leaf,      ///< what it gives takes gradients itself, unless an argument says no
  consumes,  ///< it is `backward()`
};

/// What a call, context manager or decorator does to the recording of graphs.
enum class GradientMode : uint8_t { unchanged, on, off, argument, inference };

struct CallRow {
  std::span<const std::string_view> names;  ///< dotted, canonical; `*` at the end as above
  Trigger on = Trigger::call;
  std::span<const Moment> brings;
  DeviceFrom device = DeviceFrom::none;
  std::string_view device_keyword = "device";
  int8_t device_position = -1;            ///< -1: keyword only
  std::span<const Moment> brings_on_mps;  ///< instead of `brings` on an Apple device
  std::string_view when_argument;         ///< the row speaks only if this argument …
  int8_t when_position = -1;
  /// … has this value: source text (`True`, `torch.bfloat16`, `"nccl"` always in double quotes),
  /// `>0`, or `!` before what it must not be. An argument that is left out counts as `None`.
  std::string_view when_value;
  std::string_view and_argument;  ///< a second condition of the same kind
  int8_t and_position = -1;
  std::string_view and_value;
  std::span<const Moment> needs;           ///< it brings nothing unless these have happened
  std::string_view unless_set;             ///< nor while the environment has this: `NAME=value`
  Moment asks{};                           ///< the moment that `whether_reached` is about
  bool asks_more = false;                  ///< the answer may be yes without that moment
  std::span<const Moment> too_late_after;  ///< the call fails, or does not help, after these
  Makes makes = Makes::unknown;
  GraphEffect graph = GraphEffect::keeps;            ///< of a tensor that the call makes
  GradientMode gradients = GradientMode::unchanged;  ///< while its block or function runs
  bool every_tensor = false;  ///< a class of which every tensor is an instance
  bool in_turn = false;       ///< calling the module that it makes calls its arguments in turn
  int8_t allocator_string_position = -1;  ///< the argument that is read as an allocator string
  VersionRange torch;
  std::string_view summary;
  std::string_view source;
  std::string_view evidence;
};

/// A method of tensors, modules, loaders and the like, whatever name the object has.
enum class Receiver : uint8_t { tensor, module, tensor_or_module, unknown_too };

/// What a method has to do with how long memory is kept.
enum class MethodRole : uint8_t {
  none,
  goes_back,         ///< `backward()`
  clears_gradients,  ///< `zero_grad()`
  hooks,             ///< calls its argument with the output of each pass …
  other_hooks,       ///< … with something else of a pass
  tensor_hooks,      ///< … with the gradient of a tensor
  registers,         ///< makes its second argument an attribute of a module, by its first
  combines,          ///< changes the receiver by what it is given, and keeps what it held
  mistaken_flag,     ///< no method: an attribute that people write for `requires_grad`
  detaches,          ///< gives a tensor without the graph, and leaves the receiver as it is
  live_state,        ///< gives the parameters themselves, no copies
  loads_state,
  parameters,        ///< goes through the parameters …
  named_parameters,  ///< … with their names
  evaluates,         ///< sets a module to evaluate
  trains,
};

struct MethodRow {
  std::span<const std::string_view> names;
  Receiver receiver = Receiver::tensor_or_module;
  std::span<const Moment> brings;
  DeviceFrom device = DeviceFrom::none;
  std::string_view device_keyword = "device";
  int8_t device_position = 0;
  std::span<const Moment> brings_on_mps;   ///< instead of `brings` on an Apple device
  Makes makes = Makes::unknown;            ///< `tensor_like`: what the receiver is, where it is
  GraphEffect graph = GraphEffect::keeps;  ///< of the tensor that it gives
  MethodRole role = MethodRole::none;
  bool reads_receiver = false;  ///< a CUDA tensor is read on its device, which no forked child can
  std::string_view summary;
  std::string_view source;
  std::string_view evidence;
};

/// What importing a package that is not part of the linted project does.
struct PackageRow {
  std::span<const std::string_view> names;  ///< import names: `numpy`, `torch.multiprocessing`
  bool standard_library = false;
  bool imports_torch = false;
  std::span<const Moment> brings;
  std::span<const Moment> may_bring;  ///< in some of its releases or settings: perhaps
  VersionRange torch;
  std::string_view summary;
  std::string_view source;
  std::string_view evidence;
};

/// What pickle refuses, by the call that makes it.
struct UnpicklableRow {
  std::span<const std::string_view> names;  ///< dotted
  std::string_view what;                    ///< in a message: `an open file`
  bool inherited = false;  ///< a child that starts afresh may be given it, but no task or queue
  std::string_view
      unless_argument;  ///< can be sent when it was made with this one, and that is true
  int8_t unless_position = -1;
  std::string_view summary;
  std::string_view source;
  std::string_view evidence;
};

/// Something outside Python's own library that runs a function in forked children.
struct ForkRow {
  std::span<const std::string_view> names;    ///< dotted calls …
  std::span<const std::string_view> methods;  ///< … or methods of whatever object, by their name
  std::string_view function;                  ///< the argument that the children call …
  int8_t function_position = 0;
  int8_t items_position = -1;    ///< … with the items of this one; -1: with nobody knows what
  std::string_view workers;      ///< the argument that has to be above one; empty: forks always
  int8_t workers_position = -1;  ///< without it nothing is forked
  std::string_view summary;
  std::string_view source;
  std::string_view evidence;
};

/// A context that a failure inside it ends without ending the program.
struct FailureContextRow {
  std::span<const std::string_view> names;  ///< dotted; `.name`: a method of something unknown
  bool expected = false;                    ///< something has to fail there
  std::string_view summary;
  std::string_view source;
};

struct TorchVersionRow {
  Version version;
  std::string_view released;  ///< year and month: `2026-01`
  std::string_view source;
};

/// One page of `rules/<family>/<rule>.md`: its `toml rule` block and its text.
struct RulePage {
  std::string_view name;  ///< the file's stem
  std::string_view code;
  std::string_view family;    ///< the folder's name
  std::string_view severity;  ///< `error`, `warning` or `note`: the most that the rule says
  std::string_view check;     ///< file in `src/rules/checks/`, without `.cpp`
  std::string_view summary;   ///< one line, what the rule reports
  std::string_view message;   ///< template: `{variable}`, `{value}`, `{event}` …
  std::string_view help;      ///< template of the remedy
  std::string_view fix;       ///< `safe`, `unsafe`, `suggestion` or empty
  std::span<const std::string_view> confirms;   ///< criteria that `validate` judges the fix by
  std::string_view unconfirmed;                 ///< why there are none
  std::span<const std::string_view> variables;  ///< or calls that the rule is about
  /// One of which the file has, for findings that are complete in it; `a & b` asks for both, and
  /// `word ? sign` for more around it (`rules/signs.cpp`).
  std::span<const std::string_view> words;
  std::span<const std::string_view> evidence;
  bool opt_in = false;       ///< speaks only when it is selected
  bool skips_tests = false;  ///< says nothing in files of tests
  std::string_view text;     ///< the whole page
};

}  // namespace vramlint::knowledge
