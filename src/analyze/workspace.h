// SPDX-License-Identifier: MIT
#pragma once

#include "analyze.h"
#include "frontends/project.h"
#include "model/names.h"
#include "replay/replay.h"
#include "rules/check.h"

namespace vramlint {

struct Workspace::Programs {
  explicit Programs(text::Files& files) : project(files, names) {}

  model::Names names;
  frontends::Project project;
};

/// The replay of one entry, with the calls observed that the rules are about.
replay::Timeline timeline_of(const std::string& path, Workspace& workspace, const AnalyzeOptions& options);

}  // namespace vramlint
