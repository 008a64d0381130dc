// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyze.h"
#include "frontends/closure.h"
#include "frontends/project.h"
#include "model/names.h"
#include "replay/replay.h"
#include "rules/check.h"
#include "rules/telling.h"

namespace vramlint {

struct Survey::Closures {
  explicit Closures(text::Files& files) : files(files), project(files, names) {}

  frontends::Closure& of(const rules::Interest& interest);
  frontends::Closure::Answer ask(const std::string& path, const AnalyzeOptions& options);

  text::Files& files;
  model::Names names;
  frontends::Project project;
  std::mutex asking;
  std::mutex lock;  ///< of the list below
  /// By what is asked for.
  std::map<std::vector<uint8_t>, frontends::Closure> by_interest;
};

struct Workspace::Programs {
  explicit Programs(text::Files& files) : files(files), project(files, own_names) {}
  Programs(text::Files& files, frontends::KeptCode& kept)
      : files(files), keeps_code(true), project(files, kept) {}

  text::Files& files;
  std::optional<std::string> root = std::nullopt;  ///< of the project that these are of
  bool keeps_code = false;
  model::Names own_names;  ///< where none are kept
  frontends::Project project;
  /// By root and release.
  std::unordered_map<std::string, std::unique_ptr<replay::Session>> sessions;
};

/// The replay of one entry, with the calls observed that the rules are about.
replay::Timeline timeline_of(const std::string& path, Workspace& workspace,
                             const AnalyzeOptions& options,
                             const frontends::Closure::Answer& answer);

/// The same for a script that a launch file starts with these variables. What nobody calls is not
/// run.
replay::Timeline launched_timeline(const std::string& path,
                                   const std::vector<replay::StartingVariable>& environment,
                                   Workspace& workspace, const AnalyzeOptions& options,
                                   const frontends::Closure::Answer& answer);

}  // namespace vramlint
