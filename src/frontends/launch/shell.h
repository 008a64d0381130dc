// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "frontends/launch/mapped_text.h"
#include "model/launch.h"

namespace vramlint::frontends {

/// How the text of a shell comes to run.
struct ShellContext {
  bool contained = false;    ///< in a container: what is set outside does not count
  bool conditional = false;  ///< whether it runs at all is not known
  bool in_function = false;
  bool c_shell = false;      ///< csh or tcsh, with words of their own
  bool perhaps_cmd = false;  ///< cmd of Windows may be what reads it
  bool makes_image = false;  ///< of a `RUN`: what it writes is there when the container starts
  int depth = 0;             ///< of strings that are shell text themselves
};

/// The steps of a shell's text: bash, sh or zsh, or csh. Broken text gives the steps that can be
/// told.
void read_shell(const MappedText& text, const ShellContext& context,
                std::vector<model::LaunchStep>& into);

/// The steps of one command, whose words are known: of `CMD ["python", "x.py"]`, or `command:` of
/// a service. No shell reads them.
void read_command(std::vector<model::LaunchWord> words, std::vector<model::LaunchStep>& into);

}  // namespace vramlint::frontends
