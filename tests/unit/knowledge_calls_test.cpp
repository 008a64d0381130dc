// SPDX-License-Identifier: MIT
//
// The rows of calls.toml and methods.toml against what was measured: each use is one fresh process
// that made just this call under torch 2.11 on an H200, and what had started after it. The reading
// of a row's conditions is spelt out here once more, apart from the replay, so that a table that
// says the wrong thing can't hide behind it.
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "knowledge/knowledge.h"

namespace vramlint::knowledge {
namespace {

constexpr Version measured_torch{2, 11};

struct Use {
  std::string_view name;
  /// Each under its keyword, as source text.
  std::vector<std::pair<std::string_view, std::string_view>> arguments;
  Trigger on = Trigger::call;
};

std::string_view value_of(const Use& use, std::string_view keyword) {
  for (const auto& [name, value] : use.arguments) {
    if (name == keyword) return value;
  }
  return "None";
}

bool agrees(std::string_view value, std::string_view wanted) {
  if (wanted.starts_with('!')) return value != wanted.substr(1);
  if (!wanted.starts_with('>')) return value == wanted;
  const auto number_in = [](std::string_view text) {
    int number = -1;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  };
  return number_in(value) > number_in(wanted.substr(1));
}

bool holds(const Use& use, std::string_view argument, std::string_view wanted) {
  return argument.empty() || agrees(value_of(use, argument), wanted);
}

bool is_cuda(std::string_view device) {
  return device.starts_with("\"cuda") || (device >= "0" && device < ":");
}

/// Going through a loader starts its workers on the way.
bool is_triggered(const CallRow& row, const Use& use) {
  return row.on == use.on || (use.on == Trigger::iterate && row.on == Trigger::workers_started);
}

bool speaks(const CallRow& row, const Use& use) {
  return is_triggered(row, use) && row.torch.contains(measured_torch) && row.needs.empty() &&
         holds(use, row.when_argument, row.when_value) &&
         holds(use, row.and_argument, row.and_value) && row.device != DeviceFrom::operand &&
         (row.device == DeviceFrom::none || is_cuda(value_of(use, row.device_keyword)));
}

MomentSet all_of(std::span<const Moment> moments) {
  MomentSet all;
  for (const Moment moment : moments) all.insert(Knowledge::builtin().with_implied(moment));
  return all;
}

MomentSet after(const Use& use) {
  MomentSet all;
  for (const CallRow* row : Knowledge::builtin().calls_named(use.name)) {
    if (speaks(*row, use)) all.insert(all_of(row->brings));
  }
  return all;
}

/// What has started, in the words of the measurement.
std::string started(MomentSet moments) {
  std::string words;
  const auto add = [&](Moment moment, const char* word) {
    if (!moments.contains(moment)) return;
    words += (words.empty() ? "" : " ") + std::string(word);
  };
  add(Moment::driver, "driver");
  add(Moment::cuda_init, "init");
  add(Moment::context, "context");
  add(Moment::allocator_string, "string");
  return words;
}

void expect_started(const std::vector<Use>& uses, std::string_view words) {
  for (const Use& use : uses) {
    EXPECT_FALSE(Knowledge::builtin().calls_named(use.name).empty()) << use.name << " has no row";
    EXPECT_EQ(started(after(use)), words) << use.name;
  }
}

TEST(CallRows, WhatStartsNothing) {
  expect_started({{"torch.accelerator.current_accelerator", {}},
                  {"torch.accelerator.device_count", {}},
                  {"torch.accelerator.empty_cache", {}},
                  {"torch.cuda.Event", {}},
                  {"torch.cuda.check_error", {}},
                  {"torch.cuda.device_count", {}},
                  {"torch.cuda.empty_cache", {}},
                  {"torch.cuda.get_allocator_backend", {}},
                  {"torch.cuda.graph_pool_handle", {}},
                  {"torch.cuda.host_memory_stats", {}},
                  {"torch.cuda.is_initialized", {}},
                  {"torch.cuda.manual_seed", {}},
                  {"torch.cuda.manual_seed_all", {}},
                  {"torch.cuda.max_memory_allocated", {}},
                  {"torch.cuda.memory.CUDAPluggableAllocator", {}},
                  {"torch.cuda.memory.change_current_allocator", {}},
                  {"torch.cuda.memory.memory_cached", {}},
                  {"torch.cuda.memory_allocated", {}},
                  {"torch.cuda.memory_reserved", {}},
                  {"torch.cuda.memory_stats", {}},
                  {"torch.cuda.nccl.version", {}},
                  {"torch.cuda.nvtx.range_push", {}},
                  {"torch.device", {{"type", "\"cuda\""}}},
                  {"torch.device", {{"type", "\"cuda\""}}, Trigger::enter},
                  {"torch.get_default_device", {}},
                  {"torch.manual_seed", {}},
                  {"torch.nn.Linear", {}},
                  {"torch.randn", {}},
                  {"torch.set_default_device", {{"device", "\"cuda\""}}},
                  {"torch.set_float32_matmul_precision", {}},
                  {"torch.utils.data.DataLoader", {{"pin_memory", "True"}}},
                  {"torch.utils.data.DataLoader", {{"num_workers", "2"}}, Trigger::iterate},
                  {"torch.cuda.device", {{"device", "0"}}},
                  {"torch.autocast", {{"device_type", "\"cpu\""}, {"dtype", "torch.bfloat16"}}}},
                 "");
}

TEST(CallRows, WhatStartsTheDriverAlone) {
  expect_started({{"torch.Generator", {{"device", "\"cuda\""}}},
                  {"torch.accelerator.is_available", {}},
                  {"torch.amp.GradScaler", {{"device", "\"cuda\""}}},
                  {"torch.amp.GradScaler", {}},
                  {"torch.autocast", {{"device_type", "\"cuda\""}}},
                  {"torch.compile", {}},
                  {"torch.cuda.amp.GradScaler", {}},
                  {"torch.cuda.get_arch_list", {}},
                  {"torch.cuda.is_available", {}},
                  {"torch.profiler.profile", {}, Trigger::enter},
                  {"torch.distributed.init_process_group", {{"backend", "\"nccl\""}}}},
                 "driver");
}

TEST(CallRows, WhatReadsTheStringAlone) {
  expect_started(
      {{"torch.cuda.memory._set_allocator_settings", {}}, {"torch.cuda.memory._snapshot", {}}},
      "string");
  expect_started({{"torch.cuda.memory._record_memory_history", {}}}, "driver string");
}

TEST(CallRows, WhatMakesAContextWithoutPyTorchKnowing) {
  expect_started({{"torch.cuda.CUDAGraph", {}},
                  {"torch.cuda.Stream", {}},
                  {"torch.distributed.init_process_group",
                   {{"backend", "\"nccl\""}, {"device_id", "torch.device(\"cuda:0\")"}}}},
                 "driver context");
  expect_started({{"torch.utils.data.DataLoader", {{"pin_memory", "True"}}, Trigger::iterate},
                  {"torch.zeros", {{"pin_memory", "True"}}}},
                 "driver context string");
}

TEST(CallRows, WhatStartsCudaWithoutAContext) {
  expect_started(
      {{"torch.backends.cuda.cufft_plan_cache.clear", {}},
       {"torch.backends.cudnn.version", {}},
       {"torch.cuda.MemPool", {}},
       {"torch.cuda.can_device_access_peer", {}},
       {"torch.cuda.current_device", {}},
       {"torch.cuda.device", {{"device", "0"}}, Trigger::enter},
       {"torch.cuda.device_memory_used", {}},
       {"torch.cuda.get_device_capability", {{"device", "0"}}},
       {"torch.cuda.get_device_name", {{"device", "0"}}},
       {"torch.cuda.get_device_properties", {{"device", "0"}}},
       {"torch.cuda.get_per_process_memory_fraction", {}},
       {"torch.cuda.get_rng_state", {}},
       {"torch.cuda.init", {}},
       {"torch.cuda.ipc_collect", {}},
       {"torch.cuda.is_bf16_supported", {}},
       {"torch.cuda.list_gpu_processes", {}},
       {"torch.cuda.memory_summary", {}},
       {"torch.cuda.memory_usage", {}},
       {"torch.cuda.reset_peak_memory_stats", {}},
       {"torch.cuda.set_per_process_memory_fraction", {{"fraction", "0.5"}}},
       {"torch.cuda.set_per_process_memory_fraction", {{"fraction", "0.5"}, {"device", "0"}}},
       {"torch.cuda.stream", {}},
       {"torch.cuda.utilization", {}},
       {"torch.random.fork_rng", {}, Trigger::enter},
       {"torch.autocast", {{"device_type", "\"cuda\""}, {"dtype", "torch.bfloat16"}}}},
      "driver init string");
  expect_started({{"torch.random.fork_rng", {{"devices", "[]"}}, Trigger::enter},
                  {"torch.cuda.memory_summary", {{"device", "0"}}}},
                 "");
}

TEST(CallRows, WhatStartsEverything) {
  expect_started({{"torch.utils.data.DataLoader",
                   {{"pin_memory", "True"}, {"num_workers", "1"}},
                   Trigger::iterate},
                  {"torch.cuda.caching_allocator_alloc", {{"size", "10"}}},
                  {"torch.cuda.current_blas_handle", {}},
                  {"torch.cuda.current_stream", {}},
                  {"torch.cuda.default_stream", {}},
                  {"torch.cuda.mem_get_info", {}},
                  {"torch.cuda.profiler.start", {}},
                  {"torch.cuda.set_device", {{"device", "0"}}},
                  {"torch.cuda.synchronize", {}},
                  {"torch.zeros", {{"device", "\"cuda\""}}},
                  {"torch.nn.Linear", {{"device", "\"cuda\""}}}},
                 "driver init context string");
}

TEST(CallRows, WhatFixesTheStartMethod) {
  const auto fixes = [](const Use& use) { return after(use).contains(Moment::start_method); };
  for (const std::string package : {"multiprocessing.", "torch.multiprocessing."}) {
    for (const char* name : {"Queue", "Lock", "Event", "Pool", "Manager", "get_start_method",
                             "set_start_method", "get_context", "Process.start"}) {
      EXPECT_TRUE(fixes({package + name, {}})) << package << name;
    }
    EXPECT_FALSE(fixes({package + "cpu_count", {}}));
    EXPECT_FALSE(fixes({package + "Process", {}}));
    EXPECT_FALSE(fixes({package + "get_context", {{"method", "\"fork\""}}}));
    EXPECT_FALSE(fixes({package + "get_start_method", {{"allow_none", "True"}}}));
  }
  EXPECT_FALSE(fixes({"torch.multiprocessing.set_sharing_strategy", {}}));
  EXPECT_FALSE(fixes({"torch.multiprocessing.spawn", {}}));
  const std::string_view loader = "torch.utils.data.DataLoader";
  EXPECT_TRUE(fixes({loader, {{"num_workers", "2"}}, Trigger::iterate}));
  EXPECT_FALSE(fixes({loader, {{"num_workers", "0"}}, Trigger::iterate}));
  EXPECT_FALSE(fixes({loader,
                      {{"num_workers", "2"}, {"multiprocessing_context", "\"spawn\""}},
                      Trigger::iterate}));
}

TEST(MethodRows, MoveAndPin) {
  const auto brings = [](std::string_view name) {
    const MethodRow* row = Knowledge::builtin().method(name);
    return row == nullptr ? "no row" : started(all_of(row->brings));
  };
  EXPECT_EQ(brings("cuda"), "driver init context string");
  EXPECT_EQ(brings("to"), "driver init context string");
  EXPECT_EQ(brings("pin_memory"), "driver context string");
  EXPECT_EQ(brings("cpu"), "");
  EXPECT_EQ(brings("empty_cache"), "no row");
  EXPECT_EQ(Knowledge::builtin().method("to")->device, DeviceFrom::argument);
}

TEST(VariableRows, AreReadWhenMeasured) {
  const auto read_at = [](std::string_view name) {
    const VariableRow* row = Knowledge::builtin().variable(name);
    return row == nullptr ? Moment::process_start : row->read_at;
  };
  EXPECT_EQ(read_at("PYTORCH_CUDA_ALLOC_CONF"), Moment::allocator_string);
  EXPECT_EQ(read_at("PYTORCH_ALLOC_CONF"), Moment::allocator_string);
  EXPECT_EQ(read_at("PYTORCH_NO_CUDA_MEMORY_CACHING"), Moment::device_allocation);
  EXPECT_EQ(read_at("CUDA_VISIBLE_DEVICES"), Moment::driver);
  EXPECT_EQ(read_at("CUDA_LAUNCH_BLOCKING"), Moment::context);
  EXPECT_EQ(read_at("OMP_NUM_THREADS"), Moment::openmp_load);
  EXPECT_EQ(read_at("NCCL_IB_DISABLE"), Moment::communicator);
  EXPECT_EQ(read_at("TORCH_NCCL_BLOCKING_WAIT"), Moment::process_group);
}

/// A row may speak for a device other than CUDA only through what it brings there.
TEST(Rows, BringNothingOnAppleDevicesWithoutADeviceArgument) {
  for (const CallRow& row : Knowledge::builtin().calls()) {
    if (row.brings_on_mps.empty()) continue;
    EXPECT_NE(row.device, DeviceFrom::none) << row.names.front();
  }
}

}  // namespace
}  // namespace vramlint::knowledge
