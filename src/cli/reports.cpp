// SPDX-License-Identifier: MIT
#include "cli/reports.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include "support/nearest_name.h"

namespace vramlint::cli {

namespace {

/// As a file, standard output.
constexpr const char* console_name = "-";

Result<const output::Format*> format_named(std::string_view name) {
  if (const output::Format* format = output::find_format(name)) return format;
  std::vector<std::string_view> names;
  std::string list;
  for (const output::Format& format : output::all_formats()) {
    names.push_back(format.name);
    list += (list.empty() ? "" : ", ") + std::string(format.name);
  }
  Error error;
  error.message = "no output format is called `" + std::string(name) + "`";
  error.advice = did_you_mean(name, names);
  if (error.advice.empty()) error.advice = "there are " + list;
  return error;
}

/// Whether the part before a `=` was meant as a format's name rather than as part of a path.
bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char byte) {
    return ('a' <= byte && byte <= 'z') || byte == '-';
  });
}

}  // namespace

bool write_file(const std::string& file, const std::string& text, const Console& console) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (stream) return true;
  print_error(console, {file, 0, "cannot be written: " + std::string(std::strerror(errno)), ""});
  return false;
}

Result<std::vector<Destination>> destinations(const std::string& output_format,
                                              const std::vector<std::string>& output) {
  const Result<const output::Format*> main_format = format_named(output_format);
  if (!main_format) return main_format.error();
  std::vector<Destination> places;
  bool to_console = true;
  for (const std::string& item : output) {
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos || !is_word(std::string_view(item).substr(0, equals))) {
      places.push_back({main_format.value(), item == console_name ? "" : item});
      to_console = false;
      continue;
    }
    const Result<const output::Format*> format = format_named(item.substr(0, equals));
    if (!format) return format.error();
    const std::string file = item.substr(equals + 1);
    places.push_back({format.value(), file == console_name ? "" : file});
  }
  if (to_console) places.push_back({main_format.value(), ""});
  return places;
}

bool write_reports(const output::Report& report, const std::vector<Destination>& destinations,
                   const Console& console) {
  bool written = true;
  for (const Destination& place : destinations) {
    const bool to_console = place.file.empty();
    const std::string text = place.format->write(report, {to_console && console.color});
    if (to_console) {
      console.out << text;
    } else {
      written &= write_file(place.file, text, console);
    }
  }
  return written;
}

}  // namespace vramlint::cli
