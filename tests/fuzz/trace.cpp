// SPDX-License-Identifier: MIT
//
// A trace as the recorder leaves it, however it was cut off or spoilt: it is read as far as it goes
// or refused, and its sums hold together. The rest of the input is a report of a program.
#include <string>
#include <string_view>

#include "require.h"
#include "validate/run.h"

namespace {

using namespace vramlint::validate;
using vramlint::fuzz::require;

void require_sums(const Trace& trace) {
  const DriverUse use = driver_use(trace);
  uint64_t calls = 0;
  for (const auto& [name, times] : use.calls) {
    require(!name.empty());
    calls += times;
  }
  require(calls <= trace.records.size());
  require(use.allocations + use.pooled + use.frees <= calls);
  require(use.in_use.size() <= trace.records.size());
  for (std::size_t i = 1; i < use.in_use.size(); ++i) {
    require(use.in_use[i - 1].time_ns <= use.in_use[i].time_ns);
  }
  const DriverUse twice = combined({use, use});
  require(twice.allocations == 2 * use.allocations && twice.peak_bytes >= use.peak_bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const vramlint::Result<Trace> trace = read_trace("t", bytes);
  if (trace) {
    require(trace.value().records.size() * 32 <= size);
    require_sums(trace.value());
  } else {
    require(!trace.error().message.empty());
  }
  const vramlint::Result<TorchReport> report = read_report("r", std::string(bytes));
  require(report || !report.error().message.empty());
  return 0;
}
