// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "validate/machine.h"

namespace vramlint::validate {
namespace {

using Json = nlohmann::json;

const knowledge::Knowledge& tables() { return knowledge::Knowledge::builtin(); }

bool says(const Machine& machine, std::string_view words) {
  return doctor_text(machine, tables()).find(words) != std::string::npos;
}

Machine with_device() {
  Machine machine;
  machine.driver.library = "libcuda.so.1";
  machine.driver.devices.emplace_back();
  return machine;
}

TEST(Doctor, what_is_not_known_is_null) {
  const Json told = Json::parse(doctor_json(with_device()));
  EXPECT_TRUE(told["driver"]["cuda"].is_null());
  const Json& device = told["devices"][0];
  for (const char* name : {"name", "uuid", "total_bytes", "compute_capability", "virtual_memory"}) {
    EXPECT_TRUE(device[name].is_null()) << name;
  }
}

TEST(Doctor, what_is_not_known_has_no_consequence) {
  EXPECT_FALSE(says(with_device(), "!"));
  EXPECT_TRUE(says(with_device(), "compute capability           unknown"));
}

TEST(Doctor, what_a_device_lacks_is_told) {
  Machine machine = with_device();
  machine.driver.devices[0].virtual_memory = false;
  EXPECT_TRUE(says(machine, "`expandable_segments:True` is refused here"));
  machine.driver.devices[0].virtual_memory = true;
  EXPECT_FALSE(says(machine, "expandable_segments"));
  machine.driver.devices[0].compute_mode = 3;
  EXPECT_TRUE(says(machine, "one process at a time"));
  machine.driver.devices[0].compute_mode = 0;
  EXPECT_FALSE(says(machine, "!"));
}

TEST(Doctor, allocator_strings_are_read) {
  Machine machine = with_device();
  machine.environment = {{"PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:128"}};
  EXPECT_FALSE(says(machine, "!"));
  machine.environment = {{"PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb=128"}};
  EXPECT_TRUE(says(machine, "! PyTorch 2.15 aborts inside `import torch`"));
  machine.torch.emplace();
  machine.torch->torch = "2.6.0+cu124";
  EXPECT_TRUE(says(machine, "! PyTorch 2.6 "));
}

TEST(Doctor, limits_of_the_system_are_told) {
  Machine machine = with_device();
  machine.system.descriptors = 4095;
  EXPECT_TRUE(says(machine, "ulimit -n"));
  machine.system.descriptors = UINT64_MAX;
  EXPECT_FALSE(says(machine, "ulimit -n"));
  machine.system.shared_memory = SharedMemoryPlace{"/dev/shm", uint64_t{64} << 20, 0};
  EXPECT_TRUE(says(machine, "--shm-size"));
}

TEST(Doctor, tools_are_rows) {
  Machine machine;
  for (const knowledge::MachineToolRow& row : tables().machine_tools()) {
    machine.tools.emplace_back(row.name, "");
  }
  machine.tools.front().second = "/bin/tool";
  EXPECT_TRUE(says(machine, "compute-sanitizer            /bin/tool"));
  EXPECT_TRUE(says(machine, "not found; `compute-sanitizer` has taken its place"));
}

TEST(Doctor, says_one_program) {
  Machine machine;
  machine.uses.push_back({"H200", "GPU-1", cuda::DeviceMemory{1, 1}, 1});
  EXPECT_TRUE(says(machine, ", 1 program\n"));
}

}  // namespace
}  // namespace vramlint::validate
