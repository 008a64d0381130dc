// SPDX-License-Identifier: MIT
// For people: each finding with the lines that it is about, the place that explains it, the remedy.
#include <fmt/format.h>

#include <algorithm>

#include "output/frame.h"
#include "output/summary.h"
#include "output/visible.h"

namespace vramlint::output {

namespace {

using diagnostics::Diagnostic;
using diagnostics::Related;

constexpr FrameShape finding_shape{'^', 2};
constexpr FrameShape related_shape{'-', 1};

Frame frame_in(const Report& report, const std::string& file, std::optional<int> cell,
               const diagnostics::Range& range, FrameShape shape) {
  const auto source = report.sources.find(file);
  if (source == report.sources.end() || source->second == nullptr) return {};
  return frame_of(*source->second, cell, range, shape);
}

/// `::: model.py:3:1` and its lines; without lines the message stands behind the place.
std::string related_text(const Related& place, const Frame& frame, std::size_t gutter,
                         Style style) {
  const std::string message = visible(place.message);
  std::string text = std::string(gutter, ' ') + painted(":::", Paint::blue, style);
  text += fmt::format(" {}:{}{}:{}", visible(place.file), cell_text(place.cell),
                      place.range.start.line, place.range.start.column);
  if (frame.lines.empty()) return text + ": " + message + "\n";
  return text + "\n" + rendered(frame, gutter, message, Paint::blue, style);
}

std::string finding_text(const Report& report, const Diagnostic& finding, Style style) {
  const Frame frame = frame_in(report, finding.file, finding.cell, finding.range, finding_shape);
  std::vector<Frame> related;
  std::size_t gutter = gutter_of(frame);
  for (const Related& place : finding.related) {
    related.push_back(frame_in(report, place.file, place.cell, place.range, related_shape));
    gutter = std::max(gutter, gutter_of(related.back()));
  }
  std::string text = headline(finding, style);
  if (!frame.lines.empty()) {
    text += rendered(frame, gutter, "", paint_of(finding.severity), style);
  }
  for (std::size_t i = 0; i < related.size(); ++i) {
    text += related_text(finding.related[i], related[i], gutter, style);
  }
  if (!finding.help.empty()) {
    text += std::string(gutter + 1, ' ') + painted("= help:", Paint::cyan, style) + " " +
            visible(finding.help) + "\n";
  }
  return text + "\n";
}

}  // namespace

std::string write_full(const Report& report, Style style) {
  std::string text;
  for (const Diagnostic& finding : report.diagnostics) {
    text += finding_text(report, finding, style);
  }
  return text + summary(report, style);
}

}  // namespace vramlint::output
