// SPDX-License-Identifier: MIT
#include "cuda/recorder/trace_writer.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>

namespace vramlint::recorder {

namespace {

using cuda::TraceHeader;
using cuda::TraceRecord;

constexpr std::size_t usual_megabytes = 1024;

void* map_shared(int file, std::size_t offset, std::size_t bytes) {
  void* mapped =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, static_cast<off_t>(offset));
  return mapped == MAP_FAILED ? nullptr : mapped;
}

/// The command that runs, its words parted by blanks.
void read_program(char* text, std::size_t bytes) {
  const int file = ::open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  const ssize_t got = ::read(file, text, bytes - 1);
  ::close(file);
  for (ssize_t at = 0; at + 1 < got; ++at) text[at] = text[at] == '\0' ? ' ' : text[at];
}

}  // namespace

uint64_t now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

bool TraceWriter::open() {
  const char* folder = std::getenv(cuda::trace_folder_variable);
  if (folder == nullptr || *folder == '\0') return false;
  const uint64_t began = now();
  char path[4096];
  const int written = std::snprintf(path, sizeof path, "%s/trace-%d-%llu.bin", folder, ::getpid(),
                                    static_cast<unsigned long long>(began));
  if (written < 0 || static_cast<std::size_t>(written) >= sizeof path) return false;
  file_ = ::open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file_ < 0 || ::ftruncate(file_, cuda::trace_header_bytes) != 0) return false;
  void* mapped = map_shared(file_, 0, cuda::trace_header_bytes);
  if (mapped == nullptr) return false;
  auto* header = static_cast<TraceHeader*>(mapped);
  header->version = cuda::trace_version;
  header->record_bytes = sizeof(TraceRecord);
  header->process = static_cast<uint32_t>(::getpid());
  header->parent = static_cast<uint32_t>(::getppid());
  header->began_ns = began;
  read_program(header->program.data(), header->program.size());
  std::memcpy(header->magic.data(), cuda::trace_magic.data(), cuda::trace_magic.size());
  const char* limit = std::getenv(cuda::trace_limit_variable);
  const long megabytes = limit != nullptr ? std::strtol(limit, nullptr, 10) : 0;
  const std::size_t bytes = (megabytes > 0 ? static_cast<std::size_t>(megabytes) : usual_megabytes)
                            << 20;
  chunk_limit_ = std::min(bytes / chunk_bytes, most_chunks);
  header_ = header;
  return true;
}

void TraceWriter::forget_parent() {
  // The mappings stay: another thread of the parent may have stood in the middle of anything, and
  // a child that goes on to `exec` has no use for the time that giving them back takes.
  new (&grows_) std::mutex;
  for (std::atomic<TraceRecord*>& each : chunks_) {
    if (each.load(std::memory_order_relaxed) == nullptr) break;
    each.store(nullptr, std::memory_order_relaxed);
  }
  if (file_ >= 0) ::close(file_);
  file_ = -1;
  header_ = nullptr;
}

void TraceWriter::set_state(cuda::RecorderState state, uint32_t cupti_status) {
  if (header_ == nullptr) return;
  header_->cupti_status = cupti_status;
  header_->state = static_cast<uint32_t>(state);
}

void TraceWriter::finish() {
  const auto recording = static_cast<uint32_t>(cuda::RecorderState::recording);
  if (header_ == nullptr || header_->state != recording) return;
  header_->state = static_cast<uint32_t>(cuda::RecorderState::finished);
}

void TraceWriter::add(const TraceRecord& record) {
  if (header_ == nullptr) return;
  const uint64_t index = std::atomic_ref(header_->count).fetch_add(1, std::memory_order_relaxed);
  TraceRecord* records = chunk(index / records_of_chunk);
  if (records == nullptr) return count_lost();
  TraceRecord& place = records[index % records_of_chunk];
  TraceRecord unfinished = record;
  unfinished.call = 0;
  place = unfinished;
  std::atomic_ref(place.call).store(record.call, std::memory_order_release);
}

TraceRecord* TraceWriter::chunk(std::size_t number) {
  if (number >= chunk_limit_) return nullptr;
  std::atomic<TraceRecord*>& place = chunks_[number];
  TraceRecord* records = place.load(std::memory_order_acquire);
  if (records != nullptr) return records;
  const std::lock_guard lock(grows_);
  records = place.load(std::memory_order_acquire);
  if (records != nullptr) return records;
  // Chunks are given out in order, but a later one may be asked for first: the file only grows.
  const std::size_t begin = cuda::trace_header_bytes + number * chunk_bytes;
  const auto end = static_cast<off_t>(begin + chunk_bytes);
  if (::lseek(file_, 0, SEEK_END) < end && ::ftruncate(file_, end) != 0) return nullptr;
  records = static_cast<TraceRecord*>(map_shared(file_, begin, chunk_bytes));
  place.store(records, std::memory_order_release);
  return records;
}

void TraceWriter::count_lost() {
  std::atomic_ref(header_->lost).fetch_add(1, std::memory_order_relaxed);
}

}  // namespace vramlint::recorder
