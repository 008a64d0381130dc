// SPDX-License-Identifier: MIT
#include "frontends/launch/launch.h"

#include "frontends/launch/launch_languages.h"

namespace vramlint::frontends {

model::Launch read_launch(const std::shared_ptr<const text::Source>& source) {
  model::Launch launch{source, {}};
  const std::string_view bytes = source->bytes();
  using text::Language;
  switch (source->language()) {
    case Language::shell: read_shell_file(bytes, source->path(), launch.steps); break;
    case Language::dockerfile: read_dockerfile(bytes, launch.steps); break;
    case Language::yaml: read_yaml_file(bytes, launch.steps); break;
    case Language::dotenv: read_dotenv(bytes, launch.steps); break;
    case Language::systemd: read_systemd_unit(bytes, launch.steps); break;
    case Language::batch: read_batch(bytes, launch.steps); break;
    case Language::powershell: read_powershell(bytes, launch.steps); break;
    case Language::notebook: read_notebook(*source, launch.steps); break;
    default: break;
  }
  return launch;
}

std::vector<model::LaunchStep> read_sourced(const text::Source& source) {
  std::vector<model::LaunchStep> steps;
  read_shell_file(source.bytes(), source.path(), steps);
  return steps;
}

}  // namespace vramlint::frontends
