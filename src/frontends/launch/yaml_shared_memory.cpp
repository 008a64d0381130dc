// SPDX-License-Identifier: MIT
//
// How much `/dev/shm` a container has: by `shm_size` and `ipc` of a compose service, a volume of a
// pod that is mounted there, or the options of a workflow's container. What is merged in, extended,
// filled in by a template or said in words that are not known here may enlarge it.
#include "frontends/launch/yaml_shared_memory.h"

#include <algorithm>
#include <array>
#include <string>

#include "frontends/launch/commands.h"
#include "frontends/launch/memory_size.h"
#include "frontends/launch/shell_words.h"
#include "text/letter_case.h"
#include "text/whole_words.h"

namespace vramlint::frontends {
namespace {

using model::LaunchStep;
using model::LaunchWord;
using syntax::YamlKind;
using syntax::YamlNode;

bool has(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

size_t count(std::string_view text, std::string_view word) {
  size_t found = 0;
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    ++found;
  return found;
}

bool is_small_service(const YamlView& view, size_t service) {
  const std::string_view written = view.written(service);
  if (has(written, "<<") || view.has_key(service, "extends") || has(written, "/dev/shm"))
    return false;
  const auto index = static_cast<int32_t>(service);
  if (const YamlNode* ipc = view.member(index, "ipc")) {
    constexpr std::array<std::string_view, 3> own = {"private", "shareable", "none"};
    if (std::ranges::find(own, ipc->text) == own.end()) return false;
  }
  if (const YamlNode* size = view.member(index, "shm_size"))
    return is_small_shared_memory(size->text, SizeUnits::docker);
  // What `build` has is for the build alone.
  const YamlNode* build = view.member(index, "build");
  const size_t of_build = build == nullptr ? 0 : count(view.written(view.place_of(build)), "shm");
  return count(written, "shm") == of_build;
}

/// `shmSize` and `sharedMemory` of some operator.
bool names_shared_memory(const YamlNode& node) {
  const std::string key = text::lower(node.key);
  return has(key, "shm") || has(key, "sharedmem") || has(key, "shared_mem");
}

/// In a file of Helm a template may put anything in.
bool may_enlarge_pods(const YamlView& view) {
  return has(view.bytes(), "hostIPC") || has(view.bytes(), "{{") ||
         std::ranges::any_of(view.nodes(), names_shared_memory);
}

bool may_enlarge_others(std::string_view bytes) {
  constexpr std::array<std::string_view, 5> words = {"shm", "ipc", "IPC", "<<:", "extends:"};
  return text::has_any(bytes, words);
}

}  // namespace

YamlSharedMemory::YamlSharedMemory(const YamlView& view)
    : view_(view),
      enlarges_pods_(may_enlarge_pods(view)),
      enlarges_others_(may_enlarge_others(view.bytes())) {
  for (size_t i = 0; i < view.nodes().size(); ++i) {
    const YamlNode& node = view.node(i);
    const bool is_volume = node.kind == YamlKind::mapping && node.parent >= 0 &&
                           view.node(static_cast<size_t>(node.parent)).key == "volumes";
    const YamlNode* name = is_volume ? view.member(static_cast<int32_t>(i), "name") : nullptr;
    if (name != nullptr) volumes_.try_emplace(name->text, i);
  }
}

bool YamlSharedMemory::is_small_volume(std::string_view name) const {
  const auto volume = volumes_.find(name);
  if (volume == volumes_.end()) return false;
  const YamlNode* directory = view_.member(static_cast<int32_t>(volume->second), "emptyDir");
  if (directory == nullptr) return false;
  const auto inside = static_cast<int32_t>(view_.place_of(directory));
  const YamlNode* limit = view_.member(inside, "sizeLimit");
  return limit != nullptr && is_small_shared_memory(limit->text, SizeUnits::kubernetes);
}

bool YamlSharedMemory::is_small_in_pod(size_t container) const {
  if (enlarges_pods_) return false;
  const std::string_view written = view_.written(container);
  const YamlNode* mounts = view_.member(static_cast<int32_t>(container), "volumeMounts");
  if (has(written, "<<") || (mounts == nullptr && has(written, "volumeMounts"))) return false;
  if (mounts == nullptr) return true;
  for (const size_t child : view_.children(view_.place_of(mounts))) {
    const YamlNode* path = view_.member(static_cast<int32_t>(child), "mountPath");
    const YamlNode* name = view_.member(static_cast<int32_t>(child), "name");
    if (path == nullptr || name == nullptr) return false;
    if (path->text == "/dev/shm" || path->text == "/dev/shm/") return is_small_volume(name->text);
    if (path->text == "/dev" || has(path->text, "$")) return false;
  }
  return true;
}

bool YamlSharedMemory::is_small_in(size_t container) const {
  if (!view_.has_key(container, "image")) return false;
  if (view_.is_service(container)) return is_small_service(view_, container);
  if (view_.is_pod_container(container)) return is_small_in_pod(container);
  return !enlarges_others_;
}

/// GitHub makes the container by `docker create` with the options that the job gives.
bool YamlSharedMemory::is_small_in_job(size_t job) const {
  const YamlNode* container = view_.member(static_cast<int32_t>(job), "container");
  if (container == nullptr || !view_.has_key(job, "steps") || !view_.has_key(job, "runs-on"))
    return false;
  LaunchStep start;
  start.words = {plain_word("docker", 0), plain_word("run", 0)};
  if (container->kind == YamlKind::mapping) {
    const auto inside = static_cast<int32_t>(view_.place_of(container));
    if (!view_.has_key(view_.place_of(container), "image") || view_.member(inside, "volumes"))
      return false;
    if (const YamlNode* options = view_.member(inside, "options")) {
      const MappedText text = view_.text_of(*options);
      ShellWords words(text);
      for (words.skip_blanks(); !words.ended(); words.skip_blanks()) {
        const size_t before = words.at();
        start.words.push_back(words.read());
        if (words.at() == before) return false;
      }
    } else if (has(view_.written(view_.place_of(container)), "options")) {
      return false;
    }
  } else if (container->kind != YamlKind::scalar || container->text.empty()) {
    return false;
  }
  start.words.push_back(plain_word("image", 0));
  read_options(start);
  return start.small_shared_memory;
}

}  // namespace vramlint::frontends
