// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// The programs whose names in a command tell something (`rules/knowledge/launchers.toml` and
// `unrelated_programs.toml`).

namespace vramlint::knowledge {

enum class LauncherRole : uint8_t {
  program,    ///< runs Python: what it is started with reaches PyTorch
  debugger,   ///< runs it for a fault or a measurement
  wrapper,    ///< starts the program that its arguments name
  shell,      ///< runs shell text
  container,  ///< starts a container
  daemon,     ///< serves other programs
};

struct LauncherRow {
  std::string_view name;
  LauncherRole role = LauncherRole::program;
  /// Options of it that take the next word.
  std::span<const std::string_view> valued;
  /// Words of which one has to come first for it to start a program: `run` of uv.
  std::span<const std::string_view> verbs;
  /// Which of its operands, counted from 1 and behind a verb, it takes for the program or script to
  /// start, whatever that looks like; 0 where `NAME=value` may stand in front of the program.
  int program_at = 0;
  bool withholds = false;  ///< the program gets nothing of its environment but what it is told of
  /// Options with which that is so, and …
  std::span<const std::string_view> withholding;
  /// … with which it may not be so after all: `-E` of sudo.
  std::span<const std::string_view> keeping;
  bool machine_decides = false;  ///< files of the machine or an image may hand it on, or set it
  /// What stands in front of the name of a variable that it hands on: `APPTAINERENV_`.
  std::span<const std::string_view> handing_prefixes;
  std::string_view remedy;   ///< how to hand on a variable
  bool reads_input = false;  ///< as its program, where its arguments name none
  std::string_view summary;
  std::string_view source;
  std::string_view evidence;
};

/// Programs that read no setting of PyTorch and start none that would
/// (`rules/knowledge/unrelated_programs.toml`).
struct UnrelatedProgramRow {
  std::span<const std::string_view> names;
  /// Words with which they do start others: `run` of conda.
  std::span<const std::string_view> unless_given;
  std::string_view summary;
  std::string_view source;
};

/// How a program is told of a file that it reads as its configuration.
struct ConfigurationFileRow {
  std::span<const std::string_view> options;    ///< of a command line, with the file behind
  std::span<const std::string_view> calls;      ///< in Python …
  std::span<const std::string_view> arguments;  ///< … and the keywords that name the file
  std::string_view source;
  std::string_view evidence;
};

}  // namespace vramlint::knowledge
