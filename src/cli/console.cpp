// SPDX-License-Identifier: MIT
#include "cli/console.h"

#include "output/visible.h"

namespace vramlint::cli {

namespace {

void print(const Console& console, std::string_view kind, std::string_view color,
           std::string_view message) {
  if (console.color_errors) {
    console.err << "\x1b[1;" << color << "m" << kind << "\x1b[0m: " << message << "\n";
  } else {
    console.err << kind << ": " << message << "\n";
  }
}

}  // namespace

void print_error(const Console& console, const Error& error) {
  std::string text;
  if (!error.path.empty()) text += error.path + ":";
  if (!error.path.empty() && error.line > 0) text += std::to_string(error.line) + ":";
  if (!text.empty() && error.column > 0) text += std::to_string(error.column) + ":";
  if (!text.empty()) text += " ";
  text += error.message;
  if (!error.advice.empty()) text += "; " + error.advice;
  print(console, "error", "31", output::visible(text));
}

void print_warning(const Console& console, std::string_view message) {
  print(console, "warning", "33", output::visible(message));
}

}  // namespace vramlint::cli
