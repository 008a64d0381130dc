// SPDX-License-Identifier: MIT
//
// How much `/dev/shm` a container has: by `shm_size` and `ipc` of a compose service, a volume of a
// pod that is mounted there, or the options of a workflow's container. What is merged in, extended,
// filled in by a template or said in words that are not known here may enlarge it.
#include <algorithm>
#include <array>
#include <string>

#include "frontends/launch/commands.h"
#include "frontends/launch/memory_size.h"
#include "frontends/launch/shell_words.h"
#include "frontends/launch/yaml_view.h"
#include "text/letter_case.h"

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

/// Whether a volume of that name holds no more than a container has anyway.
bool is_small_volume(const YamlView& view, std::string_view name) {
  for (size_t i = 0; i < view.nodes().size(); ++i) {
    const YamlNode& node = view.node(i);
    const bool is_volume = node.kind == YamlKind::mapping && node.parent >= 0 &&
                           view.node(static_cast<size_t>(node.parent)).key == "volumes";
    const YamlNode* own = is_volume ? view.member(static_cast<int32_t>(i), "name") : nullptr;
    if (own == nullptr || own->text != name) continue;
    const YamlNode* directory = view.member(static_cast<int32_t>(i), "emptyDir");
    if (directory == nullptr) return false;
    const auto inside = static_cast<int32_t>(view.place_of(directory));
    const YamlNode* limit = view.member(inside, "sizeLimit");
    return limit != nullptr && is_small_shared_memory(limit->text, SizeUnits::kubernetes);
  }
  return false;
}

/// `shmSize` and `sharedMemory` of some operator.
bool names_shared_memory(const YamlNode& node) {
  const std::string key = text::lower(node.key);
  return has(key, "shm") || has(key, "sharedmem") || has(key, "shared_mem");
}

bool is_small_pod_container(const YamlView& view, size_t container) {
  if (has(view.bytes(), "hostIPC") || has(view.bytes(), "{{") ||
      std::ranges::any_of(view.nodes(), names_shared_memory))
    return false;
  const std::string_view written = view.written(container);
  const YamlNode* mounts = view.member(static_cast<int32_t>(container), "volumeMounts");
  if (has(written, "<<") || (mounts == nullptr && has(written, "volumeMounts"))) return false;
  if (mounts == nullptr) return true;
  for (const size_t child : view.children(view.place_of(mounts))) {
    const YamlNode* path = view.member(static_cast<int32_t>(child), "mountPath");
    const YamlNode* name = view.member(static_cast<int32_t>(child), "name");
    if (path == nullptr || name == nullptr) return false;
    if (path->text == "/dev/shm" || path->text == "/dev/shm/")
      return is_small_volume(view, name->text);
    if (path->text == "/dev" || has(path->text, "$")) return false;
  }
  return true;
}

}  // namespace

bool has_small_shared_memory(const YamlView& view, size_t container) {
  if (!view.has_key(container, "image")) return false;
  if (view.is_service(container)) return is_small_service(view, container);
  if (view.is_pod_container(container)) return is_small_pod_container(view, container);
  const std::string_view bytes = view.bytes();
  return !has(bytes, "shm") && !has(bytes, "ipc") && !has(bytes, "IPC") && !has(bytes, "<<:") &&
         !has(bytes, "extends:");
}

/// GitHub makes the container by `docker create` with the options that the job gives.
bool runs_in_small_container(const YamlView& view, size_t job) {
  const YamlNode* container = view.member(static_cast<int32_t>(job), "container");
  if (container == nullptr || !view.has_key(job, "steps") || !view.has_key(job, "runs-on"))
    return false;
  LaunchStep start;
  start.words = {plain_word("docker", 0), plain_word("run", 0)};
  if (container->kind == YamlKind::mapping) {
    const auto inside = static_cast<int32_t>(view.place_of(container));
    if (!view.has_key(view.place_of(container), "image") || view.member(inside, "volumes"))
      return false;
    if (const YamlNode* options = view.member(inside, "options")) {
      const MappedText text = view.text_of(*options);
      ShellWords words(text);
      for (words.skip_blanks(); !words.ended(); words.skip_blanks()) {
        const size_t before = words.at();
        start.words.push_back(words.read());
        if (words.at() == before) return false;
      }
    } else if (has(view.written(view.place_of(container)), "options")) {
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
