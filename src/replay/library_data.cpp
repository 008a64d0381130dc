// SPDX-License-Identifier: MIT
//
// What stands between a dataset and its loader, and what the workers run of it: splits, transforms,
// the question whether this is a worker.
#include "replay/interpreter.h"
#include "replay/library.h"

namespace vramlint::replay {
namespace {

constexpr std::string_view loader_class = "torch.utils.data.DataLoader";

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

/// `get_worker_info()`: nothing outside of a worker.
Value worker_info(Interpreter& python, const Arguments&, Place) {
  const Value worker = python.get(python.process_state_, python.intern(worker_slot));
  if (!worker.is(Kind::boolean)) return Value::unknown();
  return worker.payload != 0 ? python.external_instance("types.SimpleNamespace", {})
                             : Value::none();
}

/// `Compose([first, second])(sample)`
Value run_composed(Interpreter& python, Value composed, const Arguments& arguments, Place site) {
  Arguments sample;
  sample.positional.push_back(arguments.at(0));
  std::vector<Value> steps;
  const Arguments given = python.object_of(composed).arguments;
  if (!python.items_of(given.named(python.intern("transforms"), 0), steps)) return Value::unknown();
  for (const Value step : steps) {
    sample.positional[0] = python.call(step, sample, site);
    if (python.stopped()) return Value::unknown();
  }
  return sample.positional[0];
}

/// `Lambda(function)(sample)`
Value run_lambda(Interpreter& python, Value lambda, const Arguments& arguments, Place site) {
  const Value function = python.object_of(lambda).arguments.named(python.intern("lambd"), 0);
  return python.call(function, arguments, site);
}

/// Only then what the dataset does is a matter of processes.
bool has_workers(Interpreter& python, const Arguments& loader) {
  const Value workers = worker_count(python, loader);
  return workers.is(Kind::integer) && workers.as_integer() > 0;
}

/// `accelerator.prepare(a, b)`: what becomes of models nobody knows, a loader stays one.
Value prepare(Interpreter& python, Value accelerator, const Arguments& arguments, Place site) {
  const Value whole = python.supposed(arguments, accelerator, site);
  if (arguments.open || arguments.positional.empty()) return whole;
  std::vector<Value> prepared;
  for (const Value given : arguments.positional) {
    const bool is_loader = given.is(Kind::instance) &&
                           python.object_of(given).target.is(Kind::external) &&
                           python.text_of(python.object_of(given).target.id) == loader_class &&
                           has_workers(python, python.object_of(given).arguments);
    const bool is_all = arguments.positional.size() == 1;
    prepared.push_back(is_all ? whole : python.part_of(whole, prepared.size() + 1));
    if (!is_loader) continue;
    const Arguments made_with = python.object_of(given).arguments;
    prepared.back() = python.external_instance(loader_class, made_with);
    python.set(prepared.back().id, python.intern(prepared_slot), Value::boolean(true));
  }
  return prepared.size() == 1 ? prepared.front() : python.make_list(prepared, Kind::tuple);
}

/// `Trainer(model, args, data_collator, train_dataset).train()` of transformers: the model is on
/// the GPU before the workers of its loader start.
Value train(Interpreter& python, Value trainer, const Arguments&, Place site) {
  const Arguments given = python.object_of(trainer).arguments;
  const Value options = given.named(python.intern("args"), 1);
  if (!options.is(Kind::instance)) return Value::unknown();
  const Arguments chosen = python.object_of(options).arguments;
  const Value workers = chosen.named(python.intern("dataloader_num_workers"), -1);
  const bool on_host = !chosen.named(python.intern("use_cpu"), -1).is(Kind::absent) ||
                       !chosen.named(python.intern("no_cuda"), -1).is(Kind::absent);
  if (!workers.is(Kind::integer) || workers.as_integer() == 0 || on_host || chosen.open)
    return Value::unknown();
  constexpr knowledge::Moment started = knowledge::Moment::cuda_init;
  python.bring({&started, 1}, Certainty::yes, site);
  Arguments loader;
  loader.positional.push_back(given.named(python.intern("train_dataset"), 3));
  loader.keywords.push_back({python.intern("num_workers"), workers});
  loader.keywords.push_back(
      {python.intern("collate_fn"), given.named(python.intern("data_collator"), 2)});
  python.run_loader(python.external_instance(loader_class, loader), site);
  return Value::unknown();
}

constexpr LibraryFunction functions[] = {
    {"torch.utils.data.random_split", split_at_random},
    {"torch.utils.data.dataset.random_split", split_at_random},
    {"torch.utils.data.get_worker_info", worker_info},
};

constexpr LibraryMethod methods[] = {
    {"torchvision.transforms.Compose.__call__", run_composed},
    {"torchvision.transforms.transforms.Compose.__call__", run_composed},
    {"torchvision.transforms.v2.Compose.__call__", run_composed},
    {"torchvision.transforms.Lambda.__call__", run_lambda},
    {"torchvision.transforms.transforms.Lambda.__call__", run_lambda},
    {"torchvision.transforms.v2.Lambda.__call__", run_lambda},
    {"accelerate.Accelerator.prepare", prepare},
    {"transformers.Trainer.train", train},
};

}  // namespace

Value loader_in(Interpreter& python, Value instance) {
  const Value made = python.get(instance.id, python.intern(loader_slot));
  if (made.is(Kind::instance)) return made;
  const Value class_value = python.object_of(instance).target;
  const bool has_own =
      !python.find_in_class(class_value, python.intern("__init__")).is(Kind::absent);
  if (has_own || !python.derives_from(class_value, loader_class)) return Value::unknown();
  return python.external_instance(loader_class, python.object_of(instance).arguments);
}

void note_loader(Interpreter& python, Value super, const Arguments& arguments, Place site) {
  const Value receiver = python.object_of(super).receiver;
  if (!receiver.is(Kind::instance)) return;
  if (!python.derives_from(python.object_of(receiver).target, loader_class)) return;
  python.set(receiver.id, python.intern(loader_slot),
             python.external_instance(loader_class, arguments));
  python.observe_loader(arguments, site);
}

std::span<const LibraryFunction> data_functions() { return functions; }
std::span<const LibraryMethod> data_methods() { return methods; }

}  // namespace vramlint::replay
