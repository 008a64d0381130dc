// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "validate/machine.h"
#include "vramlint_version.h"

namespace vramlint::validate {

namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json maybe(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json pairs(const std::vector<std::pair<std::string, std::string>>& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) json[name] = text_or_null(value);
  return json;
}

Json system_json(const System& system) {
  Json json{{"name", text_or_null(system.name)},
            {"wsl", system.is_wsl},
            {"container", text_or_null(system.container)}};
  json["shared_memory"] = nullptr;
  if (system.shared_memory) {
    json["shared_memory"] = {{"path", system.shared_memory->path},
                             {"total_bytes", system.shared_memory->total_bytes},
                             {"free_bytes", system.shared_memory->free_bytes}};
  }
  json["descriptors"] = maybe(system.descriptors);
  json["most_descriptors"] = maybe(system.most_descriptors);
  const bool any = system.locked_bytes && *system.locked_bytes == UINT64_MAX;
  json["locked_bytes"] = any ? Json("unlimited") : maybe(system.locked_bytes);
  json["takes_descriptors_of_others"] = maybe(system.takes_descriptors);
  json["descriptors_problem"] = text_or_null(system.descriptors_problem);
  return json;
}

Json device_json(const cuda::Device& device) {
  Json json{{"name", text_or_null(device.name)},
            {"uuid", text_or_null(device.uuid)},
            {"compute_capability", text_or_null(compute_capability(device))},
            {"total_bytes", maybe(device.total_bytes)},
            {"integrated", maybe(device.integrated)},
            {"unified_addressing", maybe(device.unified_addressing)},
            {"managed_memory", maybe(device.managed_memory)},
            {"concurrent_managed_access", maybe(device.concurrent_managed_access)},
            {"virtual_memory", maybe(device.virtual_memory)},
            {"descriptor_handles", maybe(device.descriptor_handles)},
            {"fabric_handles", maybe(device.fabric_handles)},
            {"memory_pools", maybe(device.memory_pools)},
            {"ipc", maybe(device.ipc)},
            {"compute_mode", maybe(device.compute_mode)}};
  json["peers"] = Json::array();
  for (const std::optional<bool>& peer : device.peers) json["peers"].push_back(maybe(peer));
  return json;
}

Json use_json(const DeviceUse& use) {
  Json json{{"name", text_or_null(use.name)},
            {"uuid", text_or_null(use.uuid)},
            {"programs", maybe(use.programs)}};
  json["total_bytes"] = use.memory ? Json(use.memory->total) : Json(nullptr);
  json["used_bytes"] = use.memory ? Json(use.memory->used) : Json(nullptr);
  return json;
}

Json torch_json(const TorchPlace& place) {
  return {{"interpreter", place.interpreter},       {"problem", text_or_null(place.problem)},
          {"python", text_or_null(place.python)},   {"torch", text_or_null(place.torch)},
          {"cuda", text_or_null(place.cuda)},       {"hip", text_or_null(place.hip)},
          {"nccl", text_or_null(place.nccl)},       {"available", maybe(place.available)},
          {"backend", text_or_null(place.backend)}, {"settings", pairs(place.settings)}};
}

}  // namespace

std::string doctor_json(const Machine& machine) {
  Json json{{"version", 1}, {"tool", {{"name", "vramlint"}, {"version", version}}}};
  json["system"] = system_json(machine.system);
  json["driver"] = {{"version", text_or_null(machine.driver_version)},
                    {"cuda", maybe(machine.driver.version)},
                    {"library", text_or_null(machine.driver.library)},
                    {"problem", text_or_null(machine.driver.problem)}};
  json["devices"] = Json::array();
  for (const cuda::Device& device : machine.driver.devices) {
    json["devices"].push_back(device_json(device));
  }
  json["memory"] = Json::array();
  for (const DeviceUse& use : machine.uses) json["memory"].push_back(use_json(use));
  json["memory_problem"] = text_or_null(machine.management_problem);
  json["torch"] = machine.torch ? torch_json(*machine.torch) : Json(nullptr);
  json["environment"] = pairs(machine.environment);
  json["tools"] = pairs(machine.tools);
  json["recorder"] = text_or_null(machine.recorder);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vramlint::validate
