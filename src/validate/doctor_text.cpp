// SPDX-License-Identifier: MIT
// `vramlint doctor` for people: what is there, and what follows for memory settings.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "settings/releases.h"
#include "support/counted.h"
#include "validate/machine.h"
#include "validate/units.h"

namespace vramlint::validate {

namespace {

using knowledge::MachineFact;

class Page {
 public:
  void title(std::string_view words) {
    text_ += fmt::format("{}{}\n", text_.empty() ? "" : "\n", words);
  }
  void line(std::string_view name, std::string_view value) {
    text_ += fmt::format("  {:<28} {}\n", name, value);
  }
  void remark(std::string_view words) { text_ += fmt::format("  ! {}\n", words); }

  std::string take() { return readable(text_); }

 private:
  std::string text_;
};

std::string yes_or_no(const std::optional<bool>& answer) {
  if (!answer) return "unknown";
  return *answer ? "yes" : "no";
}

std::string or_unknown(std::string text) { return text.empty() ? "unknown" : std::move(text); }

/// Says what follows from facts, as far as they are known.
class Needs {
 public:
  Needs(const knowledge::Knowledge& knowledge, Page& page) : knowledge_(knowledge), page_(page) {}

  template <typename Number>
  void tell(MachineFact fact, const std::optional<Number>& number) {
    if (!number) return;
    for (const knowledge::MachineNeedRow& row : knowledge_.machine_needs()) {
      const bool speaks = row.fact == fact && std::cmp_greater_equal(*number, row.number_min) &&
                          std::cmp_less_equal(*number, row.number_max);
      if (speaks) page_.remark(row.message);
    }
  }

  void tell(MachineFact fact, const std::optional<bool>& answer) {
    tell(fact, answer ? std::optional(*answer ? 1 : 0) : std::nullopt);
  }

 private:
  const knowledge::Knowledge& knowledge_;
  Page& page_;
};

void show_system(const Machine& machine, Needs& needs, Page& page) {
  const System& system = machine.system;
  page.title("System");
  page.line("kernel", system.name + (system.is_wsl ? ", WSL" : ""));
  page.line("container", system.container.empty() ? "none seen" : system.container);
  if (system.shared_memory) {
    const SharedMemoryPlace& place = *system.shared_memory;
    page.line(place.path,
              fmt::format("{} free of {}", bytes_text(static_cast<double>(place.free_bytes)),
                          bytes_text(static_cast<double>(place.total_bytes))));
    needs.tell(MachineFact::shared_memory_bytes, std::optional(place.total_bytes));
  }
  if (system.descriptors) {
    page.line("open files", fmt::format("{}, up to {}", *system.descriptors,
                                        system.most_descriptors.value_or(*system.descriptors)));
    needs.tell(MachineFact::open_files, system.descriptors);
  }
  if (system.locked_bytes) {
    const bool any = *system.locked_bytes == UINT64_MAX;
    page.line("lockable memory",
              any ? "unlimited" : bytes_text(static_cast<double>(*system.locked_bytes)));
  }
  if (system.takes_descriptors) {
    page.line("descriptors of others",
              *system.takes_descriptors ? "may be taken" : system.descriptors_problem);
    needs.tell(MachineFact::takes_descriptors, system.takes_descriptors);
  }
}

void show_device(const cuda::Device& device, std::size_t number, Needs& needs, Page& page) {
  page.title(fmt::format("Device {}: {}", number, or_unknown(device.name)));
  page.line("id", or_unknown(device.uuid));
  page.line("memory",
            device.total_bytes ? bytes_text(static_cast<double>(*device.total_bytes)) : "unknown");
  page.line("compute capability", or_unknown(compute_capability(device)));
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
  needs.tell(MachineFact::integrated, device.integrated);
  needs.tell(MachineFact::virtual_memory, device.virtual_memory);
  needs.tell(MachineFact::memory_pools, device.memory_pools);
  needs.tell(MachineFact::compute_mode, device.compute_mode);
}

void show_driver(const Machine& machine, Needs& needs, Page& page) {
  page.title("Driver");
  if (machine.driver.library.empty()) {
    page.line("CUDA driver", "none");
    page.remark(machine.driver.problem);
    page.remark("`vramlint check` needs none; `vramlint validate` does");
    return;
  }
  page.line("version", machine.driver_version.empty() ? "unknown" : machine.driver_version);
  const int newest = machine.driver.version.value_or(0);
  page.line("newest CUDA",
            newest > 0 ? fmt::format("{}.{}", newest / 1000, newest % 1000 / 10) : "unknown");
  page.line("library", machine.driver.library);
  if (!machine.driver.problem.empty()) page.remark(machine.driver.problem);
  for (std::size_t i = 0; i < machine.driver.devices.size(); ++i) {
    show_device(machine.driver.devices[i], i, needs, page);
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
    if (use.programs) value += ", " + counted(*use.programs, "program");
    page.line(or_unknown(use.name), value);
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

/// What the PyTorch of this machine makes of an allocator string, or the newest where there is
/// none.
void judge_string(const Machine& machine, const knowledge::VariableRow& variable,
                  std::string_view string, const knowledge::Knowledge& knowledge, Page& page) {
  std::optional<knowledge::Version> torch;
  if (machine.torch) torch = knowledge::parse_version(machine.torch->torch);
  const knowledge::Version release = torch.value_or(knowledge.newest_torch());
  const knowledge::AllocatorTables tables = knowledge.allocator_tables();
  const knowledge::Platform platform =
      settings::platform_for(variable.name, tables, knowledge::Platform::linux);
  const settings::ReleasesReading reading =
      settings::read_for_releases(string, {&release, 1}, tables, platform);
  for (const settings::ReleasesProblem& found : reading.problems) {
    if (found.problem.severity == knowledge::ProblemSeverity::note) continue;
    page.remark(message_of(found.problem, found.releases));
  }
}

void show_environment(const Machine& machine, const knowledge::Knowledge& knowledge, Page& page) {
  page.title("Variables that are set");
  if (machine.environment.empty()) page.line("none", "");
  for (const auto& [name, value] : machine.environment) {
    page.line(name, value);
    const knowledge::VariableRow* variable = knowledge.variable(name);
    if (variable != nullptr && variable->allocator_string)
      judge_string(machine, *variable, value, knowledge, page);
    for (const knowledge::VariableValueRow& row : knowledge.variable_values()) {
      if (row.variable != name) continue;
      const bool speaks = std::ranges::find(row.values, value) != row.values.end();
      if (speaks) page.remark(fmt::format("`{}={}` {}", name, value, row.message));
    }
  }
}

std::string_view without_tool(std::string_view name, const knowledge::Knowledge& knowledge) {
  for (const knowledge::MachineToolRow& row : knowledge.machine_tools()) {
    if (row.name == name) return row.without;
  }
  return {};
}

void show_tools(const Machine& machine, const knowledge::Knowledge& knowledge, Page& page) {
  page.title("Tools");
  page.line("recorder", machine.recorder.empty() ? "not built" : machine.recorder);
  for (const auto& [name, path] : machine.tools) {
    const std::string_view without = without_tool(name, knowledge);
    const std::string missing = "not found" + (without.empty() ? "" : "; " + std::string(without));
    page.line(name, path.empty() ? missing : path);
  }
}

}  // namespace

std::string doctor_text(const Machine& machine, const knowledge::Knowledge& knowledge) {
  Page page;
  Needs needs(knowledge, page);
  show_system(machine, needs, page);
  show_driver(machine, needs, page);
  show_memory(machine, page);
  if (machine.torch) show_torch(*machine.torch, page);
  show_environment(machine, knowledge, page);
  show_tools(machine, knowledge, page);
  return page.take();
}

}  // namespace vramlint::validate
