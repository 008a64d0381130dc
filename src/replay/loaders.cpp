// SPDX-License-Identifier: MIT
//
// A DataLoader that is iterated: its dataset and its `collate_fn` are code that runs in the workers,
// or in this process when there are none.
#include "replay/interpreter.h"

namespace vramlint::replay {

using knowledge::Trigger;

namespace {

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

/// One batch, as the workers make it.
Value Interpreter::load_batch(const Arguments& arguments, Place site) {
  const Value init = arguments.named(intern("worker_init_fn"), worker_init_fn);
  const Value workers = arguments.named(intern("num_workers"), num_workers);
  const bool in_worker = !workers.is(Kind::absent) &&
                         !(workers.is(Kind::integer) && workers.as_integer() == 0);
  if (in_worker && !init.is(Kind::absent) && !init.is(Kind::none)) {
    Arguments id;
    id.positional.push_back(Value::integer(0));
    call(init, id, site);
  }
  const Value data = arguments.named(intern("dataset"), dataset);
  Value item = Value::unknown();
  if (!stopped() && data.is(Kind::instance) && object_of(data).target.is(Kind::class_)) {
    const Value class_value = object_of(data).target;
    Arguments index;
    index.positional.push_back(Value::unknown());
    if (find_in_class(class_value, intern("__getitem__")).is(Kind::function)) {
      item = call_special(data, "__getitem__", index, site);
    } else if (find_in_class(class_value, intern("__iter__")).is(Kind::function)) {
      iterate(
          data, [&](Value element) { item = element; }, site);
    }
  } else if (data.is(Kind::list) || data.is(Kind::tuple)) {
    std::vector<Value> items;
    if (items_of(data, items) && !items.empty()) item = items.front();
  }
  const Value collate = arguments.named(intern("collate_fn"), collate_fn);
  if (stopped() || collate.is(Kind::absent) || collate.is(Kind::none)) return item;
  Arguments items;
  items.positional.push_back(make_list({item, item}));
  const Value batch = call(collate, items, site);
  observe_batch(arguments, batch, site);
  return batch;
}

Interpreter::Start Interpreter::start_of_workers(const Arguments& arguments) {
  Value method = arguments.named(intern("multiprocessing_context"), multiprocessing_context);
  if (method.is(Kind::instance)) method = get(method.id, intern("start method"));
  if (!method.is(Kind::string)) return start_method_in_force();
  return {text_of(method.id) == "fork" ? Start::fork : Start::spawn, false, Certainty::yes};
}

/// What iterating the loader brings about; gives a batch.
Value Interpreter::run_loader(Value loader, Place site) {
  const Arguments arguments = object_of(loader).arguments;
  const model::NameId name = object_of(loader).target.id;
  Value made;
  apply_rows(name, Trigger::iterate, arguments, site, loader, made);
  const Value workers = arguments.named(intern("num_workers"), num_workers);
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
    if (!workers.is(Kind::integer)) start.certainty = Certainty::perhaps;
    for (const Value given : {arguments.named(intern("dataset"), dataset),
                              arguments.named(intern("collate_fn"), collate_fn),
                              arguments.named(intern("worker_init_fn"), worker_init_fn)}) {
      observe_unpicklable(given, start, site);
    }
    Device device = Device::unknown;
    run_child_body(
        start,
        [&] {
          if (start.kind == Start::spawn) run_fresh_child(Value::none(), {}, site);
          const Value loaded = load_batch(arguments, site);
          observe_sent(loaded, "loader", site);
          if (holds_cuda_tensor(loaded)) device = Device::cuda;
        },
        site);
    if (device == Device::cuda) batch = Value::tensor(device);
  }
  if (pins) observe_pinned(batch, site);
  if (stopped()) return batch;
  apply_rows(name, Trigger::workers_started, arguments, site, loader, made);
  // What `default_collate` makes of tensors, and what nobody knows, are tensors on the host.
  return batch.is(Kind::unknown) || batch.is(Kind::absent) ? Value::tensor(Device::cpu) : batch;
}

}  // namespace vramlint::replay
