// SPDX-License-Identifier: MIT
//
// The file that the recorder writes and `validate` reads: a header of one page, then records of 32
// bytes, one for each driver call that was seen. The file is mapped and shared, so that what has
// been written is there however the process ends; a record whose call is `none` was begun and not
// finished. This header is all that the recorder shares with the rest of the program.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vramlint::cuda {

/// The driver calls that are recorded. Values are part of the format: append only.
enum class Call : uint8_t {
  none,
  mem_alloc,
  mem_alloc_pitch,
  mem_alloc_managed,
  mem_free,
  mem_create,
  mem_release,
  mem_map,
  mem_unmap,
  mem_alloc_async,
  mem_alloc_from_pool,
  mem_free_async,
  host_alloc,
  host_free,
  host_register,
  host_unregister,
  ipc_export,
  ipc_open,
  ipc_close,
  handle_export,
  handle_import,
  pool_create,
  pool_destroy,
  pool_set,
  pool_trim,
  context_create,
  context_retain,
  count_of_calls
};

/// What a call does to the memory that is in use.
enum class Effect : uint8_t {
  none,
  takes_device,  ///< `address` becomes `bytes` of the device's memory
  gives_device,  ///< what was taken at `address` goes back
  takes_pooled,  ///< from a memory pool: the driver may have the memory already
  gives_pooled,
  takes_host,  ///< page-locked memory of the host
  gives_host,
  maps,
  unmaps,
  shares,  ///< memory is handed to another process, or taken from one
};

/// A driver call by its name, and what it does.
struct CallRow {
  std::string_view name;  ///< of the driver's function
  Effect effect;
};

/// By `Call`.
inline constexpr std::array<CallRow, static_cast<std::size_t>(Call::count_of_calls)> call_rows{{
    {"", Effect::none},
    {"cuMemAlloc", Effect::takes_device},
    {"cuMemAllocPitch", Effect::takes_device},
    {"cuMemAllocManaged", Effect::takes_device},
    {"cuMemFree", Effect::gives_device},
    {"cuMemCreate", Effect::takes_device},
    {"cuMemRelease", Effect::gives_device},
    {"cuMemMap", Effect::maps},
    {"cuMemUnmap", Effect::unmaps},
    {"cuMemAllocAsync", Effect::takes_pooled},
    {"cuMemAllocFromPoolAsync", Effect::takes_pooled},
    {"cuMemFreeAsync", Effect::gives_pooled},
    {"cuMemHostAlloc", Effect::takes_host},
    {"cuMemFreeHost", Effect::gives_host},
    {"cuMemHostRegister", Effect::takes_host},
    {"cuMemHostUnregister", Effect::gives_host},
    {"cuIpcGetMemHandle", Effect::shares},
    {"cuIpcOpenMemHandle", Effect::shares},
    {"cuIpcCloseMemHandle", Effect::shares},
    {"cuMemExportToShareableHandle", Effect::shares},
    {"cuMemImportFromShareableHandle", Effect::shares},
    {"cuMemPoolCreate", Effect::none},
    {"cuMemPoolDestroy", Effect::none},
    {"cuMemPoolSetAttribute", Effect::none},
    {"cuMemPoolTrimTo", Effect::none},
    {"cuCtxCreate", Effect::none},
    {"cuDevicePrimaryCtxRetain", Effect::none},
}};

/// How far a recorder has come.
enum class RecorderState : uint32_t {
  starting,
  recording,  ///< and still so when the process ended without its exit handlers
  finished,
  without_cupti,       ///< no CUPTI library could be loaded
  already_subscribed,  ///< a profiler had taken CUPTI's only place before
  refused,             ///< CUPTI gave another error: `cupti_status`
};

inline constexpr std::array<char, 8> trace_magic{'V', 'R', 'L', 'T', 'R', 'A', 'C', 'E'};
inline constexpr uint32_t trace_version = 1;
inline constexpr std::size_t trace_header_bytes = 4096;

/// The beginning of the file. The recorder fills it and raises its counts while it writes.
struct TraceHeader {
  std::array<char, 8> magic;
  uint32_t version;
  uint32_t record_bytes;
  uint32_t process;
  uint32_t parent;
  uint32_t state;         ///< a `RecorderState`
  uint32_t cupti_status;  ///< of the call that failed
  uint64_t began_ns;      ///< `CLOCK_MONOTONIC`
  uint64_t count;         ///< records that were begun
  uint64_t lost;          ///< calls for which there was no room
  std::array<char, 256> program;
};
static_assert(sizeof(TraceHeader) <= trace_header_bytes);

/// Threads, streams and devices are numbered in the order in which they are seen; `many` stands for
/// any beyond that, or an unknown one. Stream 0 is the default stream.
struct TraceRecord {
  static constexpr uint8_t many = 255;
  static constexpr int bytes_bits = 48;

  uint64_t time_ns;  ///< `CLOCK_MONOTONIC`, when the call returned
  uint64_t address;  ///< or the handle
  uint64_t bytes_and_result;
  uint32_t took_ns;  ///< at most
  uint8_t call;      ///< a `Call`; written last
  uint8_t device;
  uint8_t thread;
  uint8_t stream;

  uint64_t bytes() const { return bytes_and_result & ((uint64_t{1} << bytes_bits) - 1); }
  /// The driver's answer; 0 for success.
  uint32_t result() const { return static_cast<uint32_t>(bytes_and_result >> bytes_bits); }
};
static_assert(sizeof(TraceRecord) == 32);

/// The variables by which the runner speaks to the recorder.
inline constexpr const char* trace_folder_variable = "VRAMLINT_TRACE_FOLDER";
inline constexpr const char* trace_limit_variable = "VRAMLINT_TRACE_MEGABYTES";
inline constexpr const char* cupti_variable = "VRAMLINT_CUPTI";

}  // namespace vramlint::cuda
