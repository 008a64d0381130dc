// SPDX-License-Identifier: MIT
#include "validate/machine.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <system_error>

#include "support/system.h"
#include "validate/interpreter.h"
#include "validate/plan.h"
#include "validate/python_files.h"
#include "validate/told.h"

namespace vramlint::validate {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Over a network, for the first time, with eight devices to start.
constexpr int torch_seconds = 120;

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

TorchPlace ask_torch(const std::string& interpreter) {
  TorchPlace place;
  place.interpreter = interpreter;
  const InterruptWatch watch;  // what runs now is ended with this process
  const Result<Interpreter> asked = ask_interpreter(interpreter, {});
  if (!asked) {
    place.problem = asked.error().message;
    return place;
  }
  place.python = asked.value().python;
  const std::string program(python_text("probe.py"));
  const Patience patience{torch_seconds, InterruptWatch::was_interrupted};
  const ProgramAnswer answer =
      run_program({interpreter, "-c", program}, own_environment(), patience);
  if (answer.timed_out) {
    place.problem = fmt::format("`{}` took more than {} s to import torch and was ended",
                                interpreter, torch_seconds);
    return place;
  }
  // What a library prints on being imported stands in front.
  const Json told = Json::parse(last_line(answer.output), nullptr, false);
  if (!answer.succeeded() || !told.is_object()) {
    const std::string_view complaint = last_line(answer.complaints);
    place.problem = "importing torch fails";
    if (!complaint.empty()) place.problem += ": " + std::string(complaint);
    return place;
  }
  place.torch = told_text(told, "torch");
  if (place.torch.empty()) place.problem = "no PyTorch in this Python";
  place.cuda = told_text(told, "cuda");
  place.hip = told_text(told, "hip");
  place.nccl = told_text(told, "nccl");
  place.backend = told_text(told, "backend");
  const auto available = told.find("available");
  if (available != told.end() && available->is_boolean()) place.available = available->get<bool>();
  const auto starts = told.find("initialises");
  if (starts != told.end() && starts->is_object()) {
    place.problem = "CUDA does not start: " + told_text(*starts, "error");
  }
  const auto settings = told.find("allocator");
  if (settings == told.end() || !settings->is_object()) return place;
  for (const auto& [name, value] : settings->items()) {
    if (name != "error" && !value.is_object()) place.settings.emplace_back(name, text_of(value));
  }
  return place;
}

std::string find_program(std::string_view name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  std::error_code failed;
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path place = fs::path(folder) / name;
    if (fs::is_regular_file(place, failed)) return place.string();
  }
  for (const char* folder : {"/usr/local/cuda/bin", "/opt/cuda/bin"}) {
    const fs::path place = fs::path(folder) / name;
    if (fs::is_regular_file(place, failed)) return place.string();
  }
  return {};
}

}  // namespace

std::string compute_capability(const cuda::Device& device) {
  if (!device.major || !device.minor) return {};
  return std::to_string(*device.major) + "." + std::to_string(*device.minor);
}

Machine look_at_machine(const std::string& interpreter, const knowledge::Knowledge& knowledge) {
  Machine machine;
  machine.system = look_at_system();  // forks: before any driver is loaded
  if (!interpreter.empty()) machine.torch = ask_torch(interpreter);
  const cuda::Management management = cuda::Management::open();
  machine.management_problem = management.problem();
  machine.driver_version = management.driver_version();
  for (unsigned i = 0; i < management.count(); ++i) {
    machine.uses.push_back(
        {management.name(i), management.uuid(i), management.memory(i), management.programs(i)});
  }
  machine.driver = cuda::ask_driver();
  for (const std::string& each : own_environment()) {
    const std::size_t sign = each.find('=');
    if (sign == std::string::npos || knowledge.variable(each.substr(0, sign)) == nullptr) continue;
    machine.environment.emplace_back(each.substr(0, sign), each.substr(sign + 1));
  }
  for (const knowledge::MachineToolRow& row : knowledge.machine_tools()) {
    machine.tools.emplace_back(row.name, find_program(row.name));
  }
  machine.recorder = find_recorder();
  return machine;
}

}  // namespace vramlint::validate
