// SPDX-License-Identifier: MIT
// `vramlint doctor` for people: what is there, and what follows for memory settings.
#include <fmt/format.h>

#include <algorithm>

#include "validate/machine.h"
#include "validate/report.h"

namespace vramlint::validate {

namespace {

class Page {
 public:
  void title(std::string_view words) {
    text_ += fmt::format("{}{}\n", text_.empty() ? "" : "\n", words);
  }
  void line(std::string_view name, std::string_view value) {
    text_ += fmt::format("  {:<28} {}\n", name, value);
  }
  void remark(std::string_view words) { text_ += fmt::format("  ! {}\n", words); }

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string yes_or_no(const std::optional<bool>& answer) {
  if (!answer) return "unknown";
  return *answer ? "yes" : "no";
}

/// Room that a process needs for the batches of a few loader workers.
constexpr uint64_t little_shared_memory = uint64_t{1} << 30;
constexpr uint64_t few_descriptors = 4096;

void show_system(const Machine& machine, Page& page) {
  const System& system = machine.system;
  page.title("System");
  page.line("kernel", system.name + (system.is_wsl ? ", WSL" : ""));
  page.line("container", system.container.empty() ? "none seen" : system.container);
  if (system.shared_memory) {
    const SharedMemoryPlace& place = *system.shared_memory;
    page.line(place.path,
              fmt::format("{} free of {}", bytes_text(static_cast<double>(place.free_bytes)),
                          bytes_text(static_cast<double>(place.total_bytes))));
    if (place.total_bytes < little_shared_memory) {
      page.remark(
          "little shared memory for loader workers: `docker run --shm-size=8g`, or an "
          "`emptyDir` with `medium: Memory`");
    }
  }
  if (system.descriptors) {
    page.line("open files", fmt::format("{}, up to {}", *system.descriptors,
                                        system.most_descriptors.value_or(*system.descriptors)));
    if (*system.descriptors < few_descriptors) {
      page.remark(
          "each tensor in shared memory takes an open file: `ulimit -n 65536` before "
          "sharing many");
    }
  }
  if (system.locked_bytes) {
    const bool any = *system.locked_bytes == UINT64_MAX;
    page.line("lockable memory",
              any ? "unlimited" : bytes_text(static_cast<double>(*system.locked_bytes)));
  }
  if (system.takes_descriptors) {
    page.line("descriptors of others",
              *system.takes_descriptors ? "may be taken" : system.descriptors_problem);
    if (!*system.takes_descriptors) {
      page.remark(
          "CUDA tensors in expandable segments can't be sent to other processes here: "
          "that takes `pidfd_getfd` (`--cap-add SYS_PTRACE`)");
    }
  }
}

void show_device(const cuda::Device& device, std::size_t number, Page& page) {
  page.title(fmt::format("Device {}: {}", number, device.name));
  page.line("id", device.uuid);
  page.line("memory", bytes_text(static_cast<double>(device.total_bytes)));
  page.line("compute capability", fmt::format("{}.{}", device.major, device.minor));
  page.line("integrated", yes_or_no(device.integrated));
  page.line("virtual memory", yes_or_no(device.virtual_memory));
  page.line("handles to share it",
            fmt::format("descriptor {}, fabric {}", yes_or_no(device.descriptor_handles),
                        yes_or_no(device.fabric_handles)));
  page.line("memory pools", yes_or_no(device.memory_pools));
  page.line("IPC", yes_or_no(device.ipc));
  page.line("unified addressing", yes_or_no(device.unified_addressing));
  page.line("managed memory",
            fmt::format("{}, at once with the host {}", yes_or_no(device.managed_memory),
                        yes_or_no(device.concurrent_managed_access)));
  std::string peers;
  for (std::size_t i = 0; i < device.peers.size(); ++i) {
    if (device.peers[i] == true) peers += (peers.empty() ? "" : ", ") + std::to_string(i);
  }
  page.line("reads memory of devices", peers.empty() ? "none" : peers);
  if (device.integrated == true) {
    page.remark("its memory is the host's: what the cache keeps, the host lacks");
  }
  if (device.virtual_memory == false) {
    page.remark("`expandable_segments:True` is refused here: the driver has no virtual memory");
  }
  if (device.memory_pools == false) {
    page.remark("`backend:cudaMallocAsync` fails here: the driver has no memory pools");
  }
  if (device.compute_mode.value_or(0) == 3) {
    page.remark("one process at a time may use it: loader workers and other ranks can't");
  }
}

void show_driver(const Machine& machine, Page& page) {
  page.title("Driver");
  if (machine.driver.library.empty()) {
    page.line("CUDA driver", "none");
    page.remark(machine.driver.problem);
    page.remark("`vramlint check` needs none; `vramlint validate` does");
    return;
  }
  page.line("version", machine.driver_version.empty() ? "unknown" : machine.driver_version);
  page.line("newest CUDA", fmt::format("{}.{}", machine.driver.version / 1000,
                                       machine.driver.version % 1000 / 10));
  page.line("library", machine.driver.library);
  if (!machine.driver.problem.empty()) page.remark(machine.driver.problem);
  for (std::size_t i = 0; i < machine.driver.devices.size(); ++i) {
    show_device(machine.driver.devices[i], i, page);
  }
}

void show_memory(const Machine& machine, Page& page) {
  page.title("Memory in use");
  if (!machine.management_problem.empty()) page.remark(machine.management_problem);
  for (const DeviceUse& use : machine.uses) {
    std::string value = "unknown";
    if (use.memory) {
      value = fmt::format("{} of {}", bytes_text(static_cast<double>(use.memory->used)),
                          bytes_text(static_cast<double>(use.memory->total)));
    }
    if (use.programs) value += fmt::format(", {} programs", *use.programs);
    page.line(use.name, value);
  }
}

void show_torch(const TorchPlace& place, Page& page) {
  page.title("PyTorch");
  page.line("interpreter", place.python.empty() ? place.interpreter
                                                : place.interpreter + ", Python " + place.python);
  if (!place.torch.empty()) {
    const std::string built = !place.hip.empty()    ? ", for ROCm " + place.hip
                              : !place.cuda.empty() ? ", for CUDA " + place.cuda
                                                    : ", without CUDA";
    page.line("version", place.torch + built);
  }
  if (!place.nccl.empty()) page.line("NCCL", place.nccl);
  if (place.available) page.line("can use a GPU", yes_or_no(place.available));
  if (!place.backend.empty()) page.line("allocator", place.backend);
  for (const auto& [name, value] : place.settings) page.line("  " + name, value);
  if (!place.problem.empty()) page.remark(place.problem);
}

void show_environment(const Machine& machine, const knowledge::Knowledge& knowledge, Page& page) {
  page.title("Variables that are set");
  if (machine.environment.empty()) page.line("none", "");
  for (const auto& [name, value] : machine.environment) {
    page.line(name, value);
    for (const knowledge::VariableValueRow& row : knowledge.variable_values()) {
      if (row.variable != name) continue;
      const bool speaks = std::ranges::find(row.values, value) != row.values.end();
      if (speaks) page.remark(fmt::format("`{}={}` {}", name, value, row.message));
    }
  }
}

void show_tools(const Machine& machine, Page& page) {
  page.title("Tools");
  page.line("recorder", machine.recorder.empty() ? "not built" : machine.recorder);
  for (const auto& [name, path] : machine.tools) {
    const bool is_gone = path.empty() && name == "cuda-memcheck";
    page.line(name, is_gone        ? "not found; `compute-sanitizer` has taken its place in CUDA 12"
                    : path.empty() ? "not found"
                                   : path);
  }
}

}  // namespace

std::string doctor_text(const Machine& machine, const knowledge::Knowledge& knowledge) {
  Page page;
  show_system(machine, page);
  show_driver(machine, page);
  show_memory(machine, page);
  if (machine.torch) show_torch(*machine.torch, page);
  show_environment(machine, knowledge, page);
  show_tools(machine, page);
  return page.take();
}

}  // namespace vramlint::validate
