// SPDX-License-Identifier: MIT
#include "validate/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/xml.h"
#include "validate/units.h"

namespace vramlint::validate {

namespace {

constexpr double width = 760;
constexpr double height = 300;
constexpr double left = 70;
constexpr double right = 16;
constexpr double top = 12;
constexpr double bottom = 34;
constexpr int line_height = 18;

/// A round step that parts a length into four to ten.
double step_for(double length) {
  if (length <= 0) return 1;
  const double power = std::pow(10, std::floor(std::log10(length / 4)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (length / (power * factor) <= 8) return power * factor;
  }
  return power * 10;
}

class Drawing {
 public:
  explicit Drawing(const std::vector<Series>& series) : series_(series) {
    for (const Series& each : series) {
      seconds_ = std::max(seconds_, seconds_of(each, each.ended_ns));
      for (const Sample& sample : each.samples) {
        mebibytes_ = std::max(mebibytes_, static_cast<double>(sample.bytes) / mebibyte);
      }
    }
    if (seconds_ <= 0) seconds_ = 1;
    mebibytes_ = mebibytes_ <= 0 ? 1 : mebibytes_ * 1.05;
  }

  std::string text() {
    const double all = height + line_height * static_cast<double>(series_.size());
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" "
        "aria-label=\"Memory over time\" font-family=\"sans-serif\" font-size=\"12\">\n",
        width, all);
    draw_axes();
    for (const Series& each : series_) draw(each);
    draw_legend();
    return out_ + "</svg>\n";
  }

 private:
  static constexpr double mebibyte = 1024.0 * 1024.0;

  static double seconds_of(const Series& series, uint64_t time_ns) {
    return time_ns > series.began_ns ? static_cast<double>(time_ns - series.began_ns) / 1e9 : 0;
  }

  double x_of(double seconds) const { return left + seconds / seconds_ * (width - left - right); }
  double y_of(double mebibytes) const {
    return height - bottom - mebibytes / mebibytes_ * (height - top - bottom);
  }

  void line(double x1, double y1, double x2, double y2, std::string_view color) {
    out_ += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1,
        x2, y2, color);
  }

  void word(double x, double y, std::string_view anchor, std::string_view words) {
    out_ +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"#666\">{}</text>\n",
                    x, y, anchor, xml_escaped(words));
  }

  void draw_axes() {
    const double across = step_for(seconds_);
    for (int i = 0; i * across <= seconds_; ++i) {
      const double x = x_of(i * across);
      line(x, top, x, height - bottom, "#8883");
      word(x, height - bottom + 16, "middle", fmt::format("{:g} s", i * across));
    }
    const double up = step_for(mebibytes_);
    for (int i = 0; i * up <= mebibytes_; ++i) {
      const double y = y_of(i * up);
      line(left, y, width - right, y, "#8883");
      word(left - 6, y + 4, "end", i == 0 ? "0" : bytes_text(i * up * mebibyte));
    }
  }

  /// A step line with one step a column at most, the highest of it.
  void draw(const Series& series) {
    std::string points;
    double column = -1;
    double peak = 0;
    double last = 0;
    const auto put = [&](double x, double mebibytes) {
      points += fmt::format("{:.1f},{:.1f} ", x, y_of(last));
      points += fmt::format("{:.1f},{:.1f} ", x, y_of(mebibytes));
      last = mebibytes;
    };
    for (const Sample& sample : series.samples) {
      const double x = std::floor(x_of(std::min(seconds_of(series, sample.time_ns), seconds_)));
      const double mebibytes = static_cast<double>(sample.bytes) / mebibyte;
      if (x != column) {
        if (column >= 0) put(column, peak);
        column = x;
        peak = mebibytes;
      }
      peak = std::max(peak, mebibytes);
    }
    if (column >= 0) put(column, peak);
    put(x_of(seconds_of(series, series.ended_ns)), last);
    out_ += fmt::format(
        "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"{} points=\"{}\"/>\n",
        series.color, series.dashed ? " stroke-dasharray=\"4 3\"" : "", points);
  }

  void draw_legend() {
    double y = height + 6;
    for (const Series& each : series_) {
      out_ += fmt::format(
          "<line x1=\"{:.0f}\" y1=\"{:.0f}\" x2=\"{:.0f}\" y2=\"{:.0f}\" stroke=\"{}\" "
          "stroke-width=\"3\"{}/>\n",
          left, y - 4, left + 22, y - 4, each.color,
          each.dashed ? " stroke-dasharray=\"4 3\"" : "");
      word(left + 30, y, "start", each.label);
      y += line_height;
    }
  }

  const std::vector<Series>& series_;
  double seconds_ = 0;
  double mebibytes_ = 0;
  std::string out_;
};

}  // namespace

std::string timeline_svg(const std::vector<Series>& series) { return Drawing(series).text(); }

}  // namespace vramlint::validate
