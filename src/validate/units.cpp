// SPDX-License-Identifier: MIT
#include "validate/units.h"

#include <fmt/format.h>

#include <cstring>

#include "output/visible.h"

namespace vramlint::validate {

using knowledge::Measure;

std::string readable(std::string_view text) {
  std::string made;
  for (;;) {
    const std::size_t end = text.find('\n');
    made += output::visible(text.substr(0, end));
    if (end == std::string_view::npos) return made;
    made += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string bytes_text(double bytes) {
  constexpr double mega = 1024.0 * 1024.0;
  if (bytes >= 10 * 1024 * mega) return fmt::format("{:.2f} GiB", bytes / (1024 * mega));
  if (bytes >= mega) return fmt::format("{:.0f} MiB", bytes / mega);
  return fmt::format("{:.0f} KiB", bytes / 1024);
}

std::string seconds_text(double seconds) {
  if (seconds < 1) return fmt::format("{:.1f} ms", seconds * 1000);
  return fmt::format("{:.2f} s", seconds);
}

std::string problem_text(const Ended& ended) {
  return ended.error != 0 ? std::strerror(ended.error) : "";
}

std::string ending_text(const Ended& ended) {
  switch (ended.how) {
    case Ended::How::by_itself: return fmt::format("exit status {}", ended.status);
    case Ended::How::by_signal: return fmt::format("killed by signal {}", ended.status);
    case Ended::How::timed_out: return "stopped at the time limit";
    case Ended::How::interrupted: return "interrupted";
    case Ended::How::unclear:
      return "its end is not clear: what watched over it was ended or stopped";
    case Ended::How::not_started: {
      const std::string problem = problem_text(ended);
      return problem.empty() ? "not started" : "not started: " + problem;
    }
  }
  return {};
}

std::string value_text(Measure measure, double value) {
  switch (measure) {
    case Measure::setting_in_force:
    case Measure::ends_normally:
    case Measure::children_end_normally:
      return value == 1 ? "yes" : value == 0 ? "no" : "in some runs";
    case Measure::warnings:
    case Measure::driver_allocations: return fmt::format("{:.0f}", value);
    case Measure::seconds: return seconds_text(value);
    case Measure::device_memory:
    case Measure::allocated_memory:
    case Measure::memory: return bytes_text(value);
  }
  return {};
}

}  // namespace vramlint::validate
