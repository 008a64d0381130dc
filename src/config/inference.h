// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/statements.h"
#include "knowledge/knowledge.h"
#include "knowledge/target.h"

namespace vramlint::config {

/// The releases that the files of a project state.
struct StatedVersions {
  std::vector<knowledge::Version> versions;  ///< ascending
  std::string text;                          ///< as stated: `2.9.1`, `>=2.4,<3`
  std::string origin;                        ///< `uv.lock:2191`
  Exactness exactness = Exactness::range;
};

struct StatedPlatform {
  knowledge::Platform platform = knowledge::Platform::linux;
  std::string origin;
};

/// What the files of a folder and those above it say.
struct Inferred {
  std::optional<StatedVersions> torch;
  std::optional<StatedVersions> torch_lock;  ///< the nearest lock, also where `torch` is another
  std::optional<StatedVersions> python;
  std::optional<StatedPlatform> platform;
};

/// The outside world as the inference sees it. Paths are absolute.
struct Surroundings {
  /// The text of a file; nothing for one that can't be read or is larger.
  std::function<std::optional<std::string>(const std::string& path, uint64_t max_bytes)> read;
  /// Whether a file that another one names may be read: it lies in the project, links followed.
  std::function<bool(const std::string& path)> may_include;
  /// A path as people see it.
  std::function<std::string(const std::string& path)> shown;
};

/// What the files in `folder` among `names` say; see README.md for who wins.
Inferred infer_from_folder(const std::string& folder, std::vector<std::string> names,
                           const Surroundings& surroundings, const knowledge::Knowledge& knowledge);

/// What holds for a folder that says `own` in a folder for which `above` holds.
Inferred inherited(Inferred own, const Inferred& above);

/// The union of what the statements name. Those that nobody could mean are passed over: a project's
/// files are not ours to criticise.
std::optional<StatedVersions> torch_stated_by(const std::vector<Statement>& statements,
                                              const knowledge::Knowledge& knowledge);

}  // namespace vramlint::config
