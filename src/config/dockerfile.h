// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "config/statements.h"

namespace vramlint::config {

/// A Dockerfile or Containerfile: the images of `FROM`, and what `RUN` installs on top, the later
/// over the earlier. Variables are those that the file itself sets. Of several stages the last one
/// with the stages below it speaks; only where it is silent, all of them.
FileStatements read_dockerfile(const std::string& text, const knowledge::Knowledge& knowledge);

/// What the name of an image tells, `nvcr.io/nvidia/pytorch:24.05-py3`.
FileStatements statements_of_image(std::string_view image, int line,
                                   const knowledge::Knowledge& knowledge);

}  // namespace vramlint::config
