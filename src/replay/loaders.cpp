// SPDX-License-Identifier: MIT
//
// A DataLoader that is iterated: its dataset and its `collate_fn` are code that runs in the
// workers, or in this process when there are none.
#include <algorithm>

#include "replay/crossing.h"
#include "replay/interpreter.h"
#include "replay/jobs.h"
#include "replay/library.h"

namespace vramlint::replay {

using knowledge::Trigger;

namespace {

constexpr std::string_view start_methods[] = {"fork", "spawn", "forkserver"};

/// Positions of the parameters of `torch.utils.data.DataLoader`.
enum Position : int {
  dataset = 0,
  num_workers = 5,
  collate_fn = 6,
  pin_memory = 7,
  worker_init_fn = 10,
  multiprocessing_context = 11,
};

}  // namespace

Value worker_count(Interpreter& python, const Arguments& loader) {
  return loader.named(python.intern("num_workers"), num_workers);
}

namespace {

/// Of a dataset of torchvision: an image that goes through its `transform`.
Value transformed_sample(Interpreter& python, Value data, Place site) {
  const Object& object = python.object_of(data);
  if (!python.text_of(object.target.id).starts_with("torchvision.datasets."))
    return Value::unknown();
  const Value transform = object.arguments.named(python.intern("transform"), -1);
  if (transform.is(Kind::absent) || transform.is(Kind::none)) return Value::unknown();
  Arguments image;
  image.positional.push_back(Value::unknown());
  return python.call(transform, image, site);
}

}  // namespace

/// Something outside the project that was made of CUDA tensors.
bool Interpreter::holds_cuda_argument(Value made, int depth) {
  constexpr int max_nesting = 3;
  if (!made.is(Kind::instance) || depth > max_nesting || !spend()) return false;
  const Arguments arguments = object_of(made).arguments;
  for (const Value argument : arguments.positional) {
    if (holds_cuda_tensor(argument) || holds_cuda_argument(argument, depth + 1)) return true;
  }
  return false;
}

/// Making a loader starts nothing; but what its forked workers will be given can be seen already: a
/// sample that is a part of a CUDA tensor of this process is one that they can't open.
void Interpreter::observe_loader(const Arguments& arguments, Place site) {
  const Value workers = worker_count(*this, arguments);
  const bool some = workers.is(Kind::integer) && workers.as_integer() > 0;
  const Value method = arguments.named(intern("multiprocessing_context"), multiprocessing_context);
  const bool is_known =
      !method.is(Kind::string) ||
      std::ranges::find(start_methods, text_of(method.id)) != std::end(start_methods);
  if (some && !is_known && !stopped()) {
    abrupt_ = {Completion::raised, Value::external(intern("ValueError"))};
    return;
  }
  const Start start = start_of_workers(arguments);
  if (!some || stopped() || start.kind != Start::fork) return;
  const Value data = arguments.named(intern("dataset"), dataset);
  const Certainty certainty = holds_cuda_tensor(data)      ? Certainty::yes
                              : is_loaded_to_cuda(data, 0) ? Certainty::perhaps
                                                           : Certainty::no;
  if (!data.is(Kind::instance) || certainty == Certainty::no) return;
  const Value driver = get(moments_.states, static_cast<uint32_t>(knowledge::Moment::driver) + 1);
  bool is_sent = false;
  const size_t observed = timeline_.observations.size();
  const size_t events = timeline_.events.size();
  run_child_body(
      start,
      [&] {
        const Value batch = load_batch(arguments, site);
        is_sent =
            certainty == Certainty::yes ? holds_cuda_tensor(batch) : is_loaded_to_cuda(batch, 0);
      },
      site);
  timeline_.observations.resize(observed);
  timeline_.events.resize(events);
  if (!is_sent || stopped()) return;
  Observation seen = observation_at(ObservationKind::tensor_in_forked_child, site);
  if (driver.is(Kind::moment)) seen.cause = MomentState{driver.certainty, driver.id};
  seen.started = Started{seen.event, start.by_default, std::min(start.certainty, certainty)};
  timeline_.observations.push_back(std::move(seen));
}

/// What `torch.load` brought to the GPU, or something that holds it. Whether it is a tensor nobody
/// knows.
bool Interpreter::is_loaded_to_cuda(Value value, int depth) {
  constexpr int max_nesting = 3;
  if (depth > max_nesting || !spend()) return false;
  std::vector<Value> items;
  if (value.is(Kind::list) || value.is(Kind::tuple)) {
    items_of(value, items);
  } else if (value.is(Kind::instance) && object_of(value).target.is(Kind::class_)) {
    const std::vector<uint32_t> names = object_of(value).slot_names;
    for (const uint32_t name : names) items.push_back(get(value.id, name));
  } else if (value.is(Kind::instance)) {
    const Value device = get(value.id, intern(loaded_slot));
    return device.is(Kind::device) && device.as_device() == Device::cuda;
  }
  return std::any_of(items.begin(), items.end(),
                     [&](Value item) { return is_loaded_to_cuda(item, depth + 1); });
}

/// What made a context in this process; nothing when it has none for certain.
std::optional<MomentState> Interpreter::context_made() const {
  const Value context = get(moments_.states, static_cast<uint32_t>(knowledge::Moment::context) + 1);
  if (!context.is(Kind::moment) || context.certainty != Certainty::yes) return std::nullopt;
  return MomentState{context.certainty, context.id};
}

/// Whether an instance of something external is a dataset around others: `Subset`, `ConcatDataset`.
bool Interpreter::wraps_datasets(Value data) {
  if (!data.is(Kind::instance) || !object_of(data).target.is(Kind::external)) return false;
  const std::string_view type = text_of(object_of(data).target.id);
  return type.starts_with("torch.utils.data.") &&
         (type.ends_with(".Subset") || type.ends_with(".ConcatDataset"));
}

/// One sample of a dataset, or a batch of them where it gives batches.
Value Interpreter::load_sample(Value data, Place site, int depth) {
  constexpr int max_nesting = 3;
  Value item = Value::unknown();
  if (depth > max_nesting || !spend()) return item;
  if (wraps_datasets(data)) {
    const Value inner = object_of(data).arguments.at(0);
    std::vector<Value> parts = {inner};
    if (inner.is(Kind::list) || inner.is(Kind::tuple)) items_of(inner, parts);
    for (const Value part : parts) {
      const Value sample = load_sample(part, site, depth + 1);
      if (stopped()) return sample;
      if (!holds_cuda_tensor(item)) item = sample;
    }
  } else if (data.is(Kind::instance) && object_of(data).target.is(Kind::class_)) {
    const Value class_value = object_of(data).target;
    Arguments index;
    index.positional.push_back(Value::unknown());
    for (const std::string_view method : {"__getitems__", "__getitem__"}) {
      if (find_in_class(class_value, intern(method)).is(Kind::function))
        return call_special(data, method, index, site);
    }
    if (find_in_class(class_value, intern("__iter__")).is(Kind::function)) {
      iterate(
          data, [&](Value element) { item = element; }, site);
    }
  } else if (data.is(Kind::instance) && holds_cuda_argument(data)) {
    item = Value::tensor(Device::cuda);  // a `TensorDataset`
  } else if (data.is(Kind::instance)) {
    item = transformed_sample(*this, data, site);
  } else if (data.is(Kind::list) || data.is(Kind::tuple)) {
    std::vector<Value> items;
    if (items_of(data, items) && !items.empty()) item = items.front();
  }
  return item;
}

/// One batch, as the workers make it.
Value Interpreter::load_batch(const Arguments& arguments, Place site) {
  const Value workers = worker_count(*this, arguments);
  const Value outside = get(process_state_, intern(worker_slot));
  const bool is_known = workers.is(Kind::integer) || (workers.is(Kind::absent) && !arguments.open);
  const bool some = workers.is(Kind::integer) && workers.as_integer() > 0;
  set(process_state_, intern(worker_slot), is_known ? Value::boolean(some) : Value());
  const Value batch = load_batch_here(arguments, site);
  set(process_state_, intern(worker_slot), outside);
  return batch;
}

Value Interpreter::load_batch_here(const Arguments& arguments, Place site) {
  const Value init = arguments.named(intern("worker_init_fn"), worker_init_fn);
  const Value workers = worker_count(*this, arguments);
  const bool in_worker =
      !workers.is(Kind::absent) && !(workers.is(Kind::integer) && workers.as_integer() == 0);
  if (in_worker && !init.is(Kind::absent) && !init.is(Kind::none)) {
    Arguments id;
    id.positional.push_back(Value::integer(0));
    call(init, id, site);
  }
  const Value data = arguments.named(intern("dataset"), dataset);
  const Value item = stopped() ? Value::unknown() : load_sample(data, site);
  const Value collate = arguments.named(intern("collate_fn"), collate_fn);
  if (stopped() || collate.is(Kind::absent) || collate.is(Kind::none)) {
    // `default_collate` makes tensors of numbers, and one of several.
    const bool is_own = data.is(Kind::instance) && object_of(data).target.is(Kind::class_);
    if (!is_own && holds_cuda_tensor(item))
      observe_read_on_device(Value::tensor(Device::cuda), site);
    const bool is_number = item.is(Kind::integer) || item.is(Kind::real);
    if (is_number && default_device() == Device::cuda)
      bring(knowledge_.with_implied(knowledge::Moment::device_allocation), Certainty::yes, site);
    return item;
  }
  Arguments items;
  items.positional.push_back(make_list({item, item}));
  const Value batch = call(collate, items, site);
  observe_batch(arguments, batch, site);
  return batch;
}

Interpreter::Start Interpreter::start_of_workers(const Arguments& arguments) {
  Value method = arguments.named(intern("multiprocessing_context"), multiprocessing_context);
  if (method.is(Kind::instance)) method = get(method.id, intern(start_method_slot));
  if (!method.is(Kind::string)) return start_method_in_force();
  return {text_of(method.id) == "fork" ? Start::fork : Start::spawn, false, Certainty::yes};
}

/// Whether the workers of the first round serve all later ones, as far as anybody can tell.
bool Interpreter::are_persistent(const Arguments& loader) {
  const Value persistent = loader.named(intern("persistent_workers"), -1);
  return !persistent.is(Kind::absent) && truth_of(persistent) != Truth::no;
}

/// `iter(loader)` forks the workers, before anybody asks for a batch: what it gives is like the
/// loader, with workers of its own.
Value Interpreter::begun_loader(Value loader) {
  const Arguments arguments = object_of(loader).arguments;
  if (are_persistent(arguments)) note_workers(loader.id);
  const Value begun = external_instance(text_of(object_of(loader).target.id), arguments);
  const auto earlier = workers_.find(loader.id);
  workers_.try_emplace(begun.id, earlier == workers_.end() ? moment_values() : earlier->second);
  return begun;
}

/// What iterating the loader brings about; gives a batch.
Value Interpreter::run_loader(Value loader, Place site) {
  const Arguments arguments = object_of(loader).arguments;
  const model::NameId name = object_of(loader).target.id;
  Value made;
  apply_rows(name, Trigger::iterate, arguments, site, loader, made);
  const Value workers = worker_count(*this, arguments);
  const bool none = !arguments.open && (workers.is(Kind::absent) ||
                                        (workers.is(Kind::integer) && workers.as_integer() == 0));
  const Value pin = arguments.named(intern("pin_memory"), pin_memory);
  const bool pins = pin.is(Kind::boolean) && pin.payload != 0;
  Value batch = Value::unknown();
  if (stopped()) return batch;
  if (none) {
    batch = load_batch(arguments, site);
  } else {
    Start start = start_of_workers(arguments);
    start.is_loader = true;
    start.workers_of = loader.id;
    start.is_daemon = true;
    if (are_persistent(arguments)) note_workers(loader.id);
    if (!workers.is(Kind::integer)) start.certainty = Certainty::perhaps;
    for (const Value given : {arguments.named(intern("dataset"), dataset),
                              arguments.named(intern("collate_fn"), collate_fn),
                              arguments.named(intern("worker_init_fn"), worker_init_fn)}) {
      observe_unpicklable(given, start, site);
    }
    Device device = Device::unknown;
    std::optional<MomentState> context;
    run_child_body(
        start,
        [&] {
          if (start.kind == Start::spawn) run_fresh_child(Value::none(), {}, site);
          const bool before = context_made().has_value();
          const Value loaded = load_batch(arguments, site);
          send(*this, loaded, "loader", site);
          if (holds_cuda_tensor(loaded)) device = Device::cuda;
          if (start.kind == Start::spawn && !before) context = context_made();
        },
        site);
    if (device == Device::cuda) batch = Value::tensor(device);
    // A library has taken the loader over, and moves its batches.
    if (!get(loader.id, intern(prepared_slot)).is(Kind::absent))
      batch = Value::tensor(Device::unknown);
    const bool several = workers.is(Kind::integer) && workers.as_integer() > 1;
    if (context && several && !stopped()) {
      Observation seen = observation_at(ObservationKind::workers_open_gpu, site);
      seen.cause = context;
      timeline_.observations.push_back(std::move(seen));
    }
  }
  if (pins) observe_pinned(batch, site);
  if (stopped()) return batch;
  apply_rows(name, Trigger::workers_started, arguments, site, loader, made);
  // What `default_collate` makes of tensors, and what nobody knows, are tensors on the host.
  return batch.is(Kind::unknown) || batch.is(Kind::absent) ? Value::tensor(Device::cpu) : batch;
}

}  // namespace vramlint::replay
