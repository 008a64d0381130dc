// SPDX-License-Identifier: MIT
// What all reports have in common: the figures of the variants side by side.
#include "validate/report.h"

#include <fmt/format.h>

#include <functional>

#include "validate/units.h"

namespace vramlint::validate {

namespace {

using knowledge::Measure;

using Reading = std::function<std::optional<double>(const Run& run)>;
using Writing = std::function<std::string(double value)>;

std::optional<double> driver_figure(const Run& run, double value) {
  if (!run.has_trace) return std::nullopt;
  return value;
}

std::string count_text(double value) { return fmt::format("{:.0f}", value); }

/// `median (least … most)`, the brackets where the runs differ.
std::string figures_text(const Figures& figures, const Writing& writing) {
  const std::string median = writing(figures.median);
  const std::string least = writing(figures.least);
  const std::string most = writing(figures.most);
  if (least == most) return median;
  return fmt::format("{} ({} … {})", median, least, most);
}

class Rows {
 public:
  Rows(const Plan& plan, const Results& results) : plan_(plan), results_(results) {}

  void add(const std::string& name, const Reading& reading, const Writing& writing) {
    FigureRow row{name, {}};
    bool any = false;
    for (std::size_t i = 0; i < plan_.variants.size(); ++i) {
      std::vector<double> values;
      for (const Run* run : runs_of(results_, i)) {
        if (const std::optional<double> value = reading(*run)) values.push_back(*value);
      }
      const std::optional<Figures> figures = figures_of(std::move(values));
      any = any || (figures && figures->most > 0);
      row.values.push_back(figures ? figures_text(*figures, writing) : "–");
    }
    if (any) rows.push_back(std::move(row));
  }

  void add_endings() {
    FigureRow row{"ending", {}};
    for (std::size_t i = 0; i < plan_.variants.size(); ++i) {
      std::string text;
      for (const Run* run : runs_of(results_, i)) {
        const std::string ending = ending_text(run->ended);
        if (text.find(ending) == std::string::npos) text += (text.empty() ? "" : ", ") + ending;
      }
      row.values.push_back(text.empty() ? "–" : text);
    }
    rows.push_back(std::move(row));
  }

  std::vector<FigureRow> rows;

 private:
  const Plan& plan_;
  const Results& results_;
};

}  // namespace

std::vector<FigureRow> figure_rows(const Plan& plan, const Results& results) {
  Rows rows(plan, results);
  rows.add_endings();
  rows.add(
      "time on the device", [](const Run& run) { return run.busy_seconds(); }, seconds_text);
  if (plan.steps) {
    const double steps = *plan.steps;
    rows.add(
        "  a step", [steps](const Run& run) { return run.busy_seconds() / steps; }, seconds_text);
  }
  rows.add(
      "device memory, peak",
      [](const Run& run) { return measured(Measure::device_memory, run, {}); }, bytes_text);
  rows.add(
      "tensors, peak", [](const Run& run) { return measured(Measure::allocated_memory, run, {}); },
      bytes_text);
  rows.add(
      "host memory, peak",
      [](const Run& run) { return static_cast<double>(run.ended.host_peak_bytes); }, bytes_text);
  rows.add(
      "driver allocations",
      [](const Run& run) { return measured(Measure::driver_allocations, run, {}); }, count_text);
  rows.add(
      "allocations from pools",
      [](const Run& run) { return driver_figure(run, static_cast<double>(run.driver.pooled)); },
      count_text);
  rows.add(
      "refused by the driver",
      [](const Run& run) { return driver_figure(run, static_cast<double>(run.driver.failed)); },
      count_text);
  rows.add(
      "time in these calls",
      [](const Run& run) {
        return driver_figure(run, static_cast<double>(run.driver.waited_ns) / 1e9);
      },
      seconds_text);
  rows.add(
      "pinned host allocations",
      [](const Run& run) {
        return driver_figure(run, static_cast<double>(run.driver.host_allocations));
      },
      count_text);
  rows.add(
      "warnings", [](const Run& run) { return static_cast<double>(run.signs.warnings); },
      count_text);
  return std::move(rows.rows);
}

}  // namespace vramlint::validate
