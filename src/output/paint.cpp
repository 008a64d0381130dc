// SPDX-License-Identifier: MIT
#include "output/paint.h"

namespace vramlint::output {

namespace {

std::string_view escape_of(Paint paint) {
  switch (paint) {
    case Paint::bold: return "\x1b[1m";
    case Paint::red: return "\x1b[1;31m";
    case Paint::yellow: return "\x1b[1;33m";
    case Paint::cyan: return "\x1b[1;36m";
    case Paint::blue: return "\x1b[1;34m";
  }
  return "";
}

}  // namespace

Paint paint_of(diagnostics::Severity severity) {
  switch (severity) {
    case diagnostics::Severity::note: return Paint::cyan;
    case diagnostics::Severity::warning: return Paint::yellow;
    case diagnostics::Severity::error: return Paint::red;
  }
  return Paint::bold;
}

std::string painted(std::string_view text, Paint paint, Style style) {
  if (!style.color) return std::string(text);
  return std::string(escape_of(paint)) + std::string(text) + "\x1b[0m";
}

}  // namespace vramlint::output
