// SPDX-License-Identifier: MIT
//
// The only place that reads files. A repository may hold FIFOs, devices and files that grow while
// they are read: none of them may block or exhaust a run.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>

#include "support/system.h"
#include "text/files.h"
#include "text/source.h"

namespace vramlint::text {
namespace {

/// Closes what it holds.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }

 private:
  int number_;
};

Error refused(const std::string& path, std::string why) { return {path, 0, std::move(why), ""}; }

Error system_error(const std::string& path, int code) {
  return refused(path, "cannot be read: " + std::string(std::strerror(code)));
}

Error too_large(const std::string& path, uint64_t max_bytes) {
  return {path, 0, "larger than " + std::to_string(max_bytes) + " bytes", "exclude it"};
}

}  // namespace

Result<std::string> read_file(const std::string& path, uint64_t max_bytes) {
  // Spans count in 32 bits.
  max_bytes = std::min<uint64_t>(max_bytes, std::numeric_limits<uint32_t>::max() - 1);
  const Descriptor file(open_for_reading(path));
  if (file.number() < 0) return system_error(path, errno);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) return system_error(path, errno);
  if (S_ISDIR(status.st_mode)) return refused(path, "is a folder");
  if (!S_ISREG(status.st_mode)) return refused(path, "is not a regular file");

  const auto expected = static_cast<uint64_t>(status.st_size);
  if (expected > max_bytes) return too_large(path, max_bytes);
  std::string bytes;
  std::size_t filled = 0;
  while (true) {
    // One byte more than expected, so that the end shows in the first read of an unchanging file.
    bytes.resize(filled == 0 ? expected + 1 : filled + 65536);
    const ssize_t count = ::read(file.number(), bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(path, errno);
    filled += static_cast<std::size_t>(count);
    if (filled > max_bytes) return too_large(path, max_bytes);
    if (count == 0 || filled == expected) break;
  }
  bytes.resize(filled);
  return bytes;
}

std::vector<std::string> names_in_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    names.push_back(at->path().filename().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace vramlint::text
