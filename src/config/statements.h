// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/knowledge.h"

namespace vramlint::config {

/// How exactly a file names a version: what it was resolved to, one release, or a range.
enum class Exactness : uint8_t { range, pin, lock };

/// What a file says about the version of torch or Python.
struct Statement {
  std::string specifier;  ///< as PEP 440 writes it: `==2.9.1`, `>=2.4,<3`
  std::string written;    ///< as the file has it: `^2.4`
  int line = 0;
  Exactness exactness = Exactness::range;
};

/// The hardware that torch is installed for; `any` where torch is named without any.
struct PlatformStatement {
  knowledge::ImagePlatform platform = knowledge::ImagePlatform::any;
  int line = 0;
};

/// What one file says. Nothing is a valid answer, broken files included. Markers
/// (`; sys_platform == "linux"`) are not evaluated: what holds on some machine is part of it.
struct FileStatements {
  std::vector<Statement> torch;
  std::vector<Statement> python;
  std::vector<PlatformStatement> platforms;
  std::vector<std::string> includes;  ///< further files, as `-r` and `-c` name them
};

/// The dialect that a version is written in.
enum class Dialect : uint8_t {
  pip,     ///< PEP 440
  poetry,  ///< with `^2.4`, `~2.4`, `2.4.*` and `||`
  conda,   ///< with `=2.4`, `2.4.*`, `|` and a build at the end
};

/// One statement for each alternative that is written; none for text that names no version. Its
/// exactness follows from the text.
std::vector<Statement> statements_of(std::string_view written, Dialect dialect, int line);

/// The same, as something that was resolved: `2.9.1+cu128` of a lock.
Statement locked(std::string_view version, int line);

/// What the local part of a version or the address of an index or wheel tells.
knowledge::ImagePlatform platform_of_wheel(std::string_view text,
                                           const knowledge::Knowledge& knowledge);

}  // namespace vramlint::config
