// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>

#include "support/counted.h"
#include "support/xml.h"
#include "validate/report.h"
#include "validate/timeline.h"
#include "validate/units.h"
#include "vramlint_version.h"

namespace vramlint::validate {

namespace {

constexpr std::string_view style =
    R"(:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}
table{border-collapse:collapse;margin:.5rem 0}
th,td{text-align:left;padding:.2rem .9rem .2rem 0;border-bottom:1px solid #8884;vertical-align:top}
th{font-weight:600}pre{background:#8881;padding:.7rem;overflow:auto;font-size:13px}
.verdict{font-weight:600;padding:.05rem .5rem;border-radius:.3rem;color:#fff;white-space:nowrap}
.confirmed{background:#1a7f37}.refuted{background:#b42318}.inconclusive{background:#8a6100}
svg{width:100%;height:auto;margin-top:.5rem}
)";

constexpr std::array<std::string_view, 6> colors{"#2563eb", "#d9480f", "#1a7f37",
                                                 "#8b3fc7", "#a16207", "#0e7490"};

std::string badge(Verdict verdict) {
  return fmt::format("<span class=\"verdict {0}\">{0}</span>", name_of(verdict));
}

std::string place_text(const Results& results) {
  std::string devices;
  for (const std::string& device : results.devices)
    devices += (devices.empty() ? "" : ", ") + device;
  return fmt::format("{} · driver {} · PyTorch {} · Python {}", devices, results.driver,
                     results.torch, results.python);
}

std::string verdicts_html(const Plan& plan, const std::vector<Judged>& judged) {
  std::string text;
  for (std::size_t i = 1; i < plan.variants.size(); ++i) {
    const Judged& each = judged[i];
    if (each.judgements.empty()) continue;
    text += fmt::format("<h2>{} &nbsp;{} {}</h2>\n<table>\n", letter_of(i),
                        xml_escaped(plan.variants[i].title), badge(each.verdict));
    text += "<tr><th>promise</th><th>A</th><th>" + letter_of(i) + "</th><th></th></tr>\n";
    for (const Judgement& judgement : each.judgements) {
      const knowledge::Measure measure = judgement.criterion->measure;
      const auto value = [&](const std::optional<Figures>& figures) {
        return figures ? value_text(measure, figures->median) : std::string("–");
      };
      text += fmt::format(
          "<tr><td>{}<br><small>{}</small></td><td>{}</td><td>{}</td><td>{}<br>{}</td></tr>\n",
          xml_escaped(judgement.criterion->name), xml_escaped(judgement.criterion->summary),
          value(judgement.before), value(judgement.after), badge(judgement.verdict),
          xml_escaped(judgement.reason));
    }
    text += "</table>\n";
  }
  return text;
}

std::string figures_html(const Plan& plan, const Results& results) {
  std::string text = "<h2>Figures</h2>\n<table>\n<tr><th></th>";
  for (std::size_t i = 0; i < plan.variants.size(); ++i) {
    text += fmt::format("<th>{} &nbsp;{}</th>", letter_of(i), xml_escaped(plan.variants[i].title));
  }
  text += "</tr>\n";
  for (const FigureRow& row : figure_rows(plan, results)) {
    text += fmt::format("<tr><td>{}</td>", xml_escaped(row.name));
    for (const std::string& value : row.values)
      text += fmt::format("<td>{}</td>", xml_escaped(value));
    text += "</tr>\n";
  }
  return text +
         "</table>\n<p><small>The middle of the runs; in brackets the least and the most where "
         "they differ.</small></p>\n";
}

/// Of each variant its last run: the first may have found cold caches.
std::string timeline_html(const Plan& plan, const Results& results) {
  std::vector<Series> series;
  for (std::size_t i = 0; i < plan.variants.size(); ++i) {
    const std::vector<const Run*> runs = runs_of(results, i);
    if (runs.empty()) continue;
    const Run& run = *runs.back();
    const std::string color(colors[i % colors.size()]);
    const std::string name = letter_of(i) + "  " + plan.variants[i].title;
    if (!run.device.empty()) {
      series.push_back({name + ": device memory in use", color, false, run.ended.began_ns,
                        run.ended.ended_ns, run.device});
    }
    if (!run.driver.in_use.empty()) {
      series.push_back({name + ": asked of the driver", color, true, run.ended.began_ns,
                        run.ended.ended_ns, run.driver.in_use});
    }
  }
  if (series.empty()) return {};
  return "<h2>Memory over time</h2>\n" + timeline_svg(series);
}

std::string changes_html(const Plan& plan) {
  std::string text;
  for (std::size_t i = 0; i < plan.variants.size(); ++i) {
    const Variant& variant = plan.variants[i];
    std::string command;
    for (const auto& [name, value] : variant.settings) command += name + "=" + value + " ";
    command += plan.python + " " + variant.script;
    for (const std::string& argument : plan.arguments) command += " " + argument;
    text += fmt::format("<p><b>{}</b> {}</p>\n<pre>{}</pre>\n", letter_of(i),
                        xml_escaped(variant.title), xml_escaped(command));
    if (!variant.changes.empty()) text += "<pre>" + xml_escaped(variant.changes) + "</pre>\n";
  }
  return "<h2>What was run</h2>\n" + text;
}

std::string notes_html(const Results& results) {
  std::string text;
  for (const std::string& note : results.notes) text += "<li>" + xml_escaped(note) + "</li>\n";
  for (const Run& run : results.runs) {
    for (const std::string& complaint : run.complaints) {
      text += fmt::format("<li>{}: {}</li>\n", letter_of(run.variant), xml_escaped(complaint));
    }
    if (run.ended.succeeded()) continue;
    text += fmt::format("<li>{}: {}<pre>{}</pre></li>\n", letter_of(run.variant),
                        xml_escaped(ending_text(run.ended)), xml_escaped(run.last_errors));
  }
  return text.empty() ? text : "<h2>Notes</h2>\n<ul>\n" + text + "</ul>\n";
}

}  // namespace

std::string report_html(const Plan& plan, const Results& results,
                        const std::vector<Judged>& judged) {
  std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page +=
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>vramlint validate</title>\n";
  page += fmt::format("<style>\n{}</style>\n</head>\n<body>\n", style);
  page += fmt::format("<h1>vramlint validate</h1>\n<p>{}<br>{} of each variant, in turn</p>\n",
                      xml_escaped(place_text(results)),
                      counted(static_cast<std::size_t>(plan.runs), "run"));
  page += verdicts_html(plan, judged) + figures_html(plan, results);
  page += timeline_html(plan, results) + notes_html(results) + changes_html(plan);
  page += fmt::format("<p><small>vramlint {}</small></p>\n</body>\n</html>\n", version);
  return readable(page);  // names and values need not be UTF-8
}

}  // namespace vramlint::validate
