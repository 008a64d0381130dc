// SPDX-License-Identifier: MIT
#include "validate/run.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "validate/told.h"

namespace vramlint::validate {

namespace {

using Json = nlohmann::json;

uint64_t number(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number_unsigned() ? found->get<uint64_t>() : 0;
}

const Json& part(const Json& object, const char* name) {
  static const Json nothing = Json::object();
  const auto found = object.find(name);
  return found != object.end() && found->is_object() ? *found : nothing;
}

void read_memory(const Json& devices, TorchReport& report) {
  if (!devices.is_array()) return;
  for (const Json& device : devices) {
    if (!device.is_object()) continue;
    report.allocated_peak += number(device, "allocated_bytes.all.peak");
    report.reserved_peak += number(device, "reserved_bytes.all.peak");
    report.retries += number(device, "num_alloc_retries");
    report.out_of_memory += number(device, "num_ooms");
    const auto made = device.find("num_device_alloc");
    if (made == device.end() || !made->is_number_unsigned()) continue;
    report.driver_allocations = report.driver_allocations.value_or(0) + made->get<uint64_t>();
  }
}

}  // namespace

Result<TorchReport> read_report(const std::string& path, const std::string& text) {
  const Json content = Json::parse(text, nullptr, false);
  if (!content.is_object()) return Error{path, 0, "the program's last report is not readable", ""};
  TorchReport report;
  report.process = static_cast<uint32_t>(number(content, "process"));
  report.ended_ns = number(content, "ended_ns");
  const auto torch = content.find("torch");
  if (torch == content.end() || !torch->is_object()) return report;
  report.has_torch = true;
  report.torch = told_text(*torch, "version");
  report.initialized = torch->value("/initialized"_json_pointer, Json()).is_boolean() &&
                       torch->at("initialized").get<bool>();
  const Json& allocator = part(*torch, "allocator");
  report.backend = told_text(allocator, "backend");
  report.string = told_text(allocator, "string");
  const auto memory = torch->find("memory");
  if (memory != torch->end()) read_memory(*memory, report);
  for (const auto& [name, holds] : part(*torch, "in_force").items()) {
    if (holds.is_boolean()) report.in_force[name] = holds.get<bool>();
  }
  return report;
}

double Run::busy_seconds() const {
  uint64_t end = ended.ended_ns;
  // The questions at the end are not the program's time. The first process outlives the others.
  const auto last = std::ranges::max_element(reports, {}, &TorchReport::ended_ns);
  if (last != reports.end() && last->ended_ns > ended.began_ns) end = std::min(end, last->ended_ns);
  const bool seen = driver.first_ns > ended.began_ns && driver.first_ns < end;
  const uint64_t begin = seen ? driver.first_ns : ended.began_ns;
  return end > begin ? static_cast<double>(end - begin) / 1e9 : 0;
}

uint64_t Run::allocated_peak() const {
  uint64_t sum = 0;
  for (const TorchReport& report : reports) sum += report.allocated_peak;
  return sum;
}

bool Run::was_out_of_memory() const {
  const bool counted = std::ranges::any_of(
      reports, [](const TorchReport& report) { return report.out_of_memory > 0; });
  return counted || (!ended.succeeded() && signs.out_of_memory > 0);
}

DriverUse combined(const std::vector<DriverUse>& uses) {
  DriverUse sum;
  struct Change {
    uint64_t time_ns;
    int64_t bytes;
  };
  std::vector<Change> changes;
  for (const DriverUse& use : uses) {
    sum.allocations += use.allocations;
    sum.frees += use.frees;
    sum.pooled += use.pooled;
    sum.failed += use.failed;
    sum.host_allocations += use.host_allocations;
    sum.shared += use.shared;
    sum.taken_bytes += use.taken_bytes;
    sum.waited_ns += use.waited_ns;
    if (use.first_ns != 0) {
      sum.first_ns = sum.first_ns == 0 ? use.first_ns : std::min(sum.first_ns, use.first_ns);
    }
    sum.last_ns = std::max(sum.last_ns, use.last_ns);
    for (const auto& [name, times] : use.calls) sum.calls[name] += times;
    uint64_t before = 0;
    for (const Sample& sample : use.in_use) {
      changes.push_back({sample.time_ns, static_cast<int64_t>(sample.bytes - before)});
      before = sample.bytes;
    }
    // The driver takes back what a process held when it ended.
    if (uses.size() > 1 && before > 0) {
      changes.push_back({use.last_ns + 1, -static_cast<int64_t>(before)});
    }
  }
  std::ranges::stable_sort(changes, {}, &Change::time_ns);
  uint64_t in_use = 0;
  for (const Change& change : changes) {
    in_use += static_cast<uint64_t>(change.bytes);
    sum.peak_bytes = std::max(sum.peak_bytes, in_use);
    sum.in_use.push_back({change.time_ns, in_use});
  }
  return sum;
}

}  // namespace vramlint::validate
