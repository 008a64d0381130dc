// SPDX-License-Identifier: MIT
#include "validate/plan.h"

#include <array>
#include <filesystem>
#include <system_error>

namespace vramlint::validate {

std::string letter_of(std::size_t variant) {
  std::string letters;
  for (std::size_t rest = variant + 1; rest > 0; rest = (rest - 1) / 26) {
    letters.insert(letters.begin(), static_cast<char>('A' + (rest - 1) % 26));
  }
  return letters;
}

std::vector<const Run*> runs_of(const Results& results, std::size_t variant) {
  std::vector<const Run*> runs;
  for (const Run& run : results.runs) {
    if (run.variant == variant) runs.push_back(&run);
  }
  return runs;
}

std::string find_recorder() {
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) return {};
  const std::filesystem::path folder = program.parent_path();
  const std::string_view name = "libvramlint_recorder.so";
  // As the build leaves it, as `cmake --install` and a wheel do.
  const std::array places{folder / name, folder.parent_path() / "lib" / "vramlint" / name};
  for (const std::filesystem::path& place : places) {
    if (std::filesystem::exists(place, failed)) return place.string();
  }
  return {};
}

}  // namespace vramlint::validate
