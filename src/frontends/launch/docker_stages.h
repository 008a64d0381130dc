// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "frontends/launch/mapped_text.h"
#include "model/launch.h"

namespace vramlint::frontends {

/// A stage of a Dockerfile, with where its steps stand.
struct DockerStage {
  std::string name;
  std::string base;                     ///< an image, or a stage above
  std::vector<std::string> taken_from;  ///< stages from which it copies
  size_t first = 0;
  size_t end = 0;
  bool has_command = false;
  bool runs_python = false;    ///< what its container starts …
  bool without_shell = false;  ///< … and does so by itself
  bool builds_with_python = false;
};

/// `FROM base AS name`
DockerStage stage_of(const MappedText& from);

/// The stage that `COPY --from=stage` or `RUN --mount=from=stage` names; empty for any other text.
std::string stage_named_in(std::string_view instruction);

/// What is set in stages that only hand files to the last one: missteps.
void add_lost_with_stages(const std::vector<DockerStage>& stages,
                          std::vector<model::LaunchStep>& into);

}  // namespace vramlint::frontends
