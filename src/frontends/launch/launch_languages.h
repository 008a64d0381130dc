// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "model/launch.h"

// One front end a language: bytes of a whole file to steps.

namespace vramlint::frontends {

using LaunchSteps = std::vector<model::LaunchStep>;

/// `name`: that of the file, which may end as those of csh do.
void read_shell_file(std::string_view bytes, std::string_view name, LaunchSteps& into);
void read_dockerfile(std::string_view bytes, LaunchSteps& into);
void read_yaml_file(std::string_view bytes, LaunchSteps& into);
void read_dotenv(std::string_view bytes, LaunchSteps& into);
void read_systemd_unit(std::string_view bytes, LaunchSteps& into);
void read_batch(std::string_view bytes, LaunchSteps& into);
void read_powershell(std::string_view bytes, LaunchSteps& into);
void read_notebook(const text::Source& notebook, LaunchSteps& into);

}  // namespace vramlint::frontends
