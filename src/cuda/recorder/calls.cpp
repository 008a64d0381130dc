// SPDX-License-Identifier: MIT
// Which driver functions are watched, and where their arguments have what the trace keeps. The
// structs are NVIDIA's (`generated_cuda_meta.h`): the same name has the same layout in every
// release of CUDA, and a changed function gets another number.
#include "cuda/recorder/calls.h"

#include <cuda.h>

#include <algorithm>
#include <array>

#include "cuda/recorder/numbering.h"

namespace vramlint::recorder {

namespace {

using cuda::Call;
using cuda::TraceRecord;

template <typename Arguments>
const Arguments& as(const void* arguments) {
  return *static_cast<const Arguments*>(arguments);
}

void set_bytes(TraceRecord& record, uint64_t bytes) {
  record.bytes_and_result |= bytes & ((uint64_t{1} << TraceRecord::bytes_bits) - 1);
}

void set_place(TraceRecord& record, const void* place) {
  record.address = reinterpret_cast<uint64_t>(place);
}

/// What an allocating function wrote: there, if it succeeded.
template <typename Pointer>
void set_made(TraceRecord& record, const Pointer* made) {
  if (made != nullptr && record.result() == 0) record.address = (uint64_t)*made;
}

template <typename Arguments>
void read_allocation(const void* arguments, TraceRecord& record) {
  set_made(record, as<Arguments>(arguments).dptr);
  set_bytes(record, as<Arguments>(arguments).bytesize);
}

void read_pitch(const void* arguments, TraceRecord& record) {
  const auto& given = as<cuMemAllocPitch_v2_params>(arguments);
  set_made(record, given.dptr);
  if (record.result() == 0 && given.pPitch != nullptr) {
    set_bytes(record, *given.pPitch * given.Height);
  }
}

template <typename Arguments>
void read_pooled(const void* arguments, TraceRecord& record) {
  read_allocation<Arguments>(arguments, record);
  record.stream = number_of_stream(as<Arguments>(arguments).hStream);
}

template <typename Arguments>
void read_free(const void* arguments, TraceRecord& record) {
  record.address = as<Arguments>(arguments).dptr;
}

template <typename Arguments>
void read_pooled_free(const void* arguments, TraceRecord& record) {
  read_free<Arguments>(arguments, record);
  record.stream = number_of_stream(as<Arguments>(arguments).hStream);
}

void read_create(const void* arguments, TraceRecord& record) {
  const auto& given = as<cuMemCreate_params>(arguments);
  set_made(record, given.handle);
  set_bytes(record, given.size);
  if (given.prop != nullptr && given.prop->location.type == CU_MEM_LOCATION_TYPE_DEVICE) {
    record.device = static_cast<uint8_t>(std::clamp(given.prop->location.id, 0, 255));
  }
}

void read_release(const void* arguments, TraceRecord& record) {
  record.address = as<cuMemRelease_params>(arguments).handle;
}

void read_map(const void* arguments, TraceRecord& record) {
  record.address = as<cuMemMap_params>(arguments).ptr;
  set_bytes(record, as<cuMemMap_params>(arguments).size);
}

void read_unmap(const void* arguments, TraceRecord& record) {
  record.address = as<cuMemUnmap_params>(arguments).ptr;
  set_bytes(record, as<cuMemUnmap_params>(arguments).size);
}

template <typename Arguments>
void read_host_allocation(const void* arguments, TraceRecord& record) {
  set_made(record, as<Arguments>(arguments).pp);
  set_bytes(record, as<Arguments>(arguments).bytesize);
}

template <typename Arguments>
void read_host_place(const void* arguments, TraceRecord& record) {
  set_place(record, as<Arguments>(arguments).p);
}

void read_host_register(const void* arguments, TraceRecord& record) {
  set_place(record, as<cuMemHostRegister_v2_params>(arguments).p);
  set_bytes(record, as<cuMemHostRegister_v2_params>(arguments).bytesize);
}

void read_ipc_export(const void* arguments, TraceRecord& record) {
  record.address = as<cuIpcGetMemHandle_params>(arguments).dptr;
}

void read_ipc_open(const void* arguments, TraceRecord& record) {
  set_made(record, as<cuIpcOpenMemHandle_v2_params>(arguments).pdptr);
}

void read_handle_export(const void* arguments, TraceRecord& record) {
  record.address = as<cuMemExportToShareableHandle_params>(arguments).handle;
}

void read_handle_import(const void* arguments, TraceRecord& record) {
  set_made(record, as<cuMemImportFromShareableHandle_params>(arguments).handle);
}

void read_pool_made(const void* arguments, TraceRecord& record) {
  set_made(record, as<cuMemPoolCreate_params>(arguments).pool);
}

void read_pool_gone(const void* arguments, TraceRecord& record) {
  set_place(record, as<cuMemPoolDestroy_params>(arguments).pool);
}

/// The limit or threshold that is set, where it is a number of bytes.
void read_pool_set(const void* arguments, TraceRecord& record) {
  const auto& given = as<cuMemPoolSetAttribute_params>(arguments);
  set_place(record, given.pool);
  if (given.attr == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD && given.value != nullptr) {
    set_bytes(record, *static_cast<const cuuint64_t*>(given.value));
  }
}

void read_pool_trim(const void* arguments, TraceRecord& record) {
  set_place(record, as<cuMemPoolTrimTo_params>(arguments).pool);
  set_bytes(record, as<cuMemPoolTrimTo_params>(arguments).minBytesToKeep);
}

template <typename Arguments>
void read_context(const void* arguments, TraceRecord& record) {
  const auto& given = as<Arguments>(arguments);
  set_made(record, given.pctx);
  record.device = static_cast<uint8_t>(std::clamp(given.dev, 0, 255));
  if (record.result() == 0 && given.pctx != nullptr) remember_context(*given.pctx, record.device);
}

constexpr CUpti_CallbackId id_of(CUpti_driver_api_trace_cbid id) { return id; }

#define WATCHED(function) id_of(CUPTI_DRIVER_TRACE_CBID_##function)

constexpr std::array all_calls{
    WatchedCall{WATCHED(cuMemAlloc_v2), Call::mem_alloc, read_allocation<cuMemAlloc_v2_params>},
    WatchedCall{WATCHED(cuMemAllocPitch_v2), Call::mem_alloc_pitch, read_pitch},
    WatchedCall{WATCHED(cuMemAllocManaged), Call::mem_alloc_managed,
                read_allocation<cuMemAllocManaged_params>},
    WatchedCall{WATCHED(cuMemFree_v2), Call::mem_free, read_free<cuMemFree_v2_params>},
    WatchedCall{WATCHED(cuMemCreate), Call::mem_create, read_create},
    WatchedCall{WATCHED(cuMemRelease), Call::mem_release, read_release},
    WatchedCall{WATCHED(cuMemMap), Call::mem_map, read_map},
    WatchedCall{WATCHED(cuMemUnmap), Call::mem_unmap, read_unmap},
    WatchedCall{WATCHED(cuMemAllocAsync), Call::mem_alloc_async,
                read_pooled<cuMemAllocAsync_params>},
    WatchedCall{WATCHED(cuMemAllocAsync_ptsz), Call::mem_alloc_async,
                read_pooled<cuMemAllocAsync_ptsz_params>},
    WatchedCall{WATCHED(cuMemAllocFromPoolAsync), Call::mem_alloc_from_pool,
                read_pooled<cuMemAllocFromPoolAsync_params>},
    WatchedCall{WATCHED(cuMemAllocFromPoolAsync_ptsz), Call::mem_alloc_from_pool,
                read_pooled<cuMemAllocFromPoolAsync_ptsz_params>},
    WatchedCall{WATCHED(cuMemFreeAsync), Call::mem_free_async,
                read_pooled_free<cuMemFreeAsync_params>},
    WatchedCall{WATCHED(cuMemFreeAsync_ptsz), Call::mem_free_async,
                read_pooled_free<cuMemFreeAsync_ptsz_params>},
    WatchedCall{WATCHED(cuMemHostAlloc), Call::host_alloc,
                read_host_allocation<cuMemHostAlloc_params>},
    WatchedCall{WATCHED(cuMemHostAlloc_v2), Call::host_alloc,
                read_host_allocation<cuMemHostAlloc_params>},
    WatchedCall{WATCHED(cuMemAllocHost_v2), Call::host_alloc,
                read_host_allocation<cuMemAllocHost_v2_params>},
    WatchedCall{WATCHED(cuMemFreeHost), Call::host_free, read_host_place<cuMemFreeHost_params>},
    WatchedCall{WATCHED(cuMemHostRegister_v2), Call::host_register, read_host_register},
    WatchedCall{WATCHED(cuMemHostUnregister), Call::host_unregister,
                read_host_place<cuMemHostUnregister_params>},
    WatchedCall{WATCHED(cuIpcGetMemHandle), Call::ipc_export, read_ipc_export},
    WatchedCall{WATCHED(cuIpcOpenMemHandle_v2), Call::ipc_open, read_ipc_open},
    WatchedCall{WATCHED(cuIpcCloseMemHandle), Call::ipc_close,
                read_free<cuIpcCloseMemHandle_params>},
    WatchedCall{WATCHED(cuMemExportToShareableHandle), Call::handle_export, read_handle_export},
    WatchedCall{WATCHED(cuMemImportFromShareableHandle), Call::handle_import, read_handle_import},
    WatchedCall{WATCHED(cuMemPoolCreate), Call::pool_create, read_pool_made},
    WatchedCall{WATCHED(cuMemPoolDestroy), Call::pool_destroy, read_pool_gone},
    WatchedCall{WATCHED(cuMemPoolSetAttribute), Call::pool_set, read_pool_set},
    WatchedCall{WATCHED(cuMemPoolTrimTo), Call::pool_trim, read_pool_trim},
    WatchedCall{WATCHED(cuCtxCreate_v2), Call::context_create, read_context<cuCtxCreate_v2_params>},
    WatchedCall{WATCHED(cuCtxCreate_v3), Call::context_create, read_context<cuCtxCreate_v3_params>},
    WatchedCall{WATCHED(cuCtxCreate_v4), Call::context_create, read_context<cuCtxCreate_v4_params>},
    WatchedCall{WATCHED(cuDevicePrimaryCtxRetain), Call::context_retain,
                read_context<cuDevicePrimaryCtxRetain_params>},
};

#undef WATCHED

}  // namespace

std::span<const WatchedCall> watched_calls() { return all_calls; }

const WatchedCall* find_call(CUpti_CallbackId id) {
  const auto* found = std::ranges::find(all_calls, id, &WatchedCall::id);
  return found == all_calls.end() ? nullptr : found;
}

}  // namespace vramlint::recorder
