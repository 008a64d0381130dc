// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "analyze.h"
#include "frontends/closure.h"
#include "frontends/project.h"
#include "model/names.h"
#include "replay/replay.h"
#include "rules/check.h"
#include "rules/telling.h"

namespace vramlint {

struct Workspace::Programs {
  Programs(const knowledge::Knowledge& knowledge, text::Files& files);

  model::Names names;
  frontends::Project project;
  prefilter::WordSet words;  ///< that a program needs for a finding
  frontends::Closure closure;
  /// By root and release.
  std::unordered_map<std::string, std::unique_ptr<replay::Session>> sessions;
};

/// The replay of one entry, with the calls observed that the rules are about.
replay::Timeline timeline_of(const std::string& path, Workspace& workspace,
                             const AnalyzeOptions& options, frontends::Closure::Reach reach);

}  // namespace vramlint
