// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/console.h"
#include "output/format.h"

namespace vramlint::cli {

/// A place to write a report to; an empty file stands for standard output.
struct Destination {
  const output::Format* format = nullptr;
  std::string file;
};

/// From `--output-format` and the `-o` options: `FILE` takes the main format away from standard
/// output, `FORMAT=FILE` comes on top. A file `-` is standard output.
Result<std::vector<Destination>> destinations(const std::string& output_format,
                                              const std::vector<std::string>& output);

/// False, with a message, when the file can't be written.
bool write_file(const std::string& file, const std::string& text, const Console& console);

/// False, with a message, when a file can't be written.
bool write_reports(const output::Report& report, const std::vector<Destination>& destinations,
                   const Console& console);

}  // namespace vramlint::cli
