// SPDX-License-Identifier: MIT
#include "validate/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace vramlint::validate {

namespace {

using cuda::Effect;
using cuda::RecorderState;
using cuda::TraceHeader;
using cuda::TraceRecord;

Error no_trace(const std::string& path, std::string message) {
  return {path, 0, std::move(message), ""};
}

std::string text_of(const std::array<char, 256>& bytes) {
  return {bytes.data(), ::strnlen(bytes.data(), bytes.size())};
}

RecorderState state_of(uint32_t number) {
  return number <= static_cast<uint32_t>(RecorderState::refused)
             ? static_cast<RecorderState>(number)
             : RecorderState::starting;
}

/// Follows what is taken and given back.
class Ledger {
 public:
  explicit Ledger(DriverUse& use) : use_(use) {}

  void enter(const TraceRecord& record) {
    if (record.call == 0 || record.call >= cuda::call_rows.size()) return;
    const cuda::CallRow& row = cuda::call_rows[record.call];
    use_.last_ns = std::max(use_.last_ns, record.time_ns);
    if (row.effect != Effect::none) use_.waited_ns += record.took_ns;
    if (record.result() != 0) {
      const bool takes = row.effect == Effect::takes_device || row.effect == Effect::takes_pooled;
      use_.failed += takes ? 1 : 0;
      return;
    }
    ++use_.calls[std::string(row.name)];
    apply(row.effect, record);
  }

 private:
  void apply(Effect effect, const TraceRecord& record) {
    switch (effect) {
      case Effect::takes_device: ++use_.allocations; return take(record);
      case Effect::takes_pooled: ++use_.pooled; return take(record);
      case Effect::gives_device:
      case Effect::gives_pooled: ++use_.frees; return give(record);
      case Effect::takes_host: ++use_.host_allocations; return;
      case Effect::shares: ++use_.shared; return;
      case Effect::gives_host:
      case Effect::maps:
      case Effect::unmaps:
      case Effect::none: return;
    }
  }

  void take(const TraceRecord& record) {
    if (use_.first_ns == 0) use_.first_ns = record.time_ns;
    use_.taken_bytes += record.bytes();
    uint64_t& held = held_[record.address];
    in_use_ += record.bytes() - held;
    held = record.bytes();
    use_.peak_bytes = std::max(use_.peak_bytes, in_use_);
    use_.in_use.push_back({record.time_ns, in_use_});
  }

  void give(const TraceRecord& record) {
    const auto found = held_.find(record.address);
    if (found == held_.end()) return;
    in_use_ -= found->second;
    held_.erase(found);
    use_.in_use.push_back({record.time_ns, in_use_});
  }

  DriverUse& use_;
  std::unordered_map<uint64_t, uint64_t> held_;  ///< bytes by address or handle
  uint64_t in_use_ = 0;
};

}  // namespace

Result<Trace> read_trace(const std::string& path, std::string_view bytes) {
  TraceHeader header{};
  if (bytes.size() < cuda::trace_header_bytes)
    return no_trace(path, "the trace has no whole header");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != cuda::trace_magic) return no_trace(path, "this is no trace of the recorder");
  if (header.version != cuda::trace_version || header.record_bytes != sizeof(TraceRecord)) {
    return no_trace(path, fmt::format("the trace is of version {}, and only version {} is read",
                                      header.version, cuda::trace_version));
  }
  Trace trace;
  trace.process = header.process;
  trace.state = state_of(header.state);
  trace.cupti_status = header.cupti_status;
  trace.lost = header.lost;
  trace.program = text_of(header.program);
  const std::string_view rest = bytes.substr(cuda::trace_header_bytes);
  const uint64_t count = std::min<uint64_t>(header.count, rest.size() / sizeof(TraceRecord));
  trace.records.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    TraceRecord record{};
    std::memcpy(&record, rest.data() + i * sizeof record, sizeof record);
    const bool known = record.call != 0 && record.call < cuda::call_rows.size();
    if (known) {
      trace.records.push_back(record);
    } else {
      ++trace.unfinished;
    }
  }
  // Threads take their places in one order and may finish in another.
  std::ranges::stable_sort(trace.records, {}, &TraceRecord::time_ns);
  return trace;
}

DriverUse driver_use(const Trace& trace, uint64_t end_ns) {
  DriverUse use;
  Ledger ledger(use);
  for (const TraceRecord& record : trace.records) {
    if (record.time_ns > end_ns) break;
    ledger.enter(record);
  }
  return use;
}

std::string complaint_of(const Trace& trace) {
  std::string who = fmt::format("process {}", trace.process);
  if (!trace.program.empty()) who += fmt::format(" (`{}`)", trace.program);
  switch (trace.state) {
    case RecorderState::recording:
    case RecorderState::finished:
      if (trace.lost == 0) return {};
      return fmt::format("{}: {} driver calls found no room in the trace", who, trace.lost);
    case RecorderState::starting: return who + ": the recorder did not get to start";
    case RecorderState::without_cupti:
      return who + ": no CUPTI library was found, so driver calls are not counted";
    case RecorderState::already_subscribed:
      return who +
             ": a profiler uses CUPTI already, so driver calls are not counted; run without it";
    case RecorderState::refused:
      return fmt::format("{}: CUPTI refused to tell of driver calls (error {})", who,
                         trace.cupti_status);
  }
  return {};
}

}  // namespace vramlint::validate
