// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "support/counted.h"
#include "validate/report.h"
#include "validate/units.h"

namespace vramlint::validate {

namespace {

/// How wide a text is shown: its code points.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t own = width_of(text);
  return own < width ? text + std::string(width - own, ' ') : text;
}

std::string painted(std::string_view text, Verdict verdict, bool color) {
  if (!color) return std::string(text);
  const char* code = verdict == Verdict::confirmed ? "32"
                     : verdict == Verdict::refuted ? "31"
                                                   : "33";
  return fmt::format("\x1b[1;{}m{}\x1b[0m", code, text);
}

std::string table_text(const Plan& plan, const std::vector<FigureRow>& rows) {
  std::size_t names = 0;
  std::vector<std::size_t> widths(plan.variants.size());
  for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = letter_of(i).size();
  for (const FigureRow& row : rows) {
    names = std::max(names, width_of(row.name));
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], width_of(row.values[i]));
    }
  }
  const auto line = [&](const std::string& name, const std::vector<std::string>& values) {
    std::string text = "  " + padded(name, names);
    for (std::size_t i = 0; i < values.size(); ++i) text += "   " + padded(values[i], widths[i]);
    while (text.ends_with(' ')) text.pop_back();
    return text + "\n";
  };
  std::vector<std::string> letters;
  for (std::size_t i = 0; i < widths.size(); ++i) letters.push_back(letter_of(i));
  std::string text = line("", letters);
  for (const FigureRow& row : rows) text += line(row.name, row.values);
  return text;
}

std::string set_in(std::string_view text, std::string_view indent) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out += std::string(indent) + std::string(text.substr(0, end)) + "\n";
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return out;
}

std::string promise_text(const Promise& promise) {
  const knowledge::CriterionRow& row = *promise.criterion;
  std::string text = fmt::format("{}: {}", row.name, row.summary);
  if (row.wants == knowledge::Wants::lower) {
    text += fmt::format(", by {:.0f} % at least", row.margin * 100);
  }
  return text;
}

std::string judgement_text(const Judgement& judgement, bool color) {
  std::string text =
      fmt::format("    {} {}: {}", painted(name_of(judgement.verdict), judgement.verdict, color),
                  judgement.criterion->name, readable(judgement.reason));
  if (judgement.before && judgement.after) {
    const knowledge::Measure measure = judgement.criterion->measure;
    text += fmt::format(" ({} → {})", value_text(measure, judgement.before->median),
                        value_text(measure, judgement.after->median));
  }
  return text + "\n";
}

/// The last few lines of what a program wrote.
std::string_view last_lines(std::string_view text) {
  constexpr int most_lines = 8;
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::size_t begin = text.size();
  for (int line = 0; line < most_lines && begin != std::string_view::npos && begin > 0; ++line) {
    begin = text.rfind('\n', begin - 1);
  }
  return begin == std::string_view::npos ? text : text.substr(begin + 1);
}

/// Runs that ended otherwise than the program is meant to, and what could not be measured.
std::string trouble_text(const Results& results) {
  std::string text;
  std::vector<std::string> said;
  for (const Run& run : results.runs) {
    const std::string letter = letter_of(run.variant);
    std::vector<std::string> lines = run.complaints;
    if (!run.ended.succeeded()) {
      std::string line = ending_text(run.ended);
      if (run.was_out_of_memory()) line += ", out of memory on the device";
      lines.push_back(line);
      if (!run.last_errors.empty()) {
        lines.push_back("it wrote at the end:\n" + set_in(last_lines(run.last_errors), "      "));
      }
    }
    if (run.ended.left_behind > 0) {
      const std::string left = counted(run.ended.left_behind, "process", "processes");
      lines.push_back("left " + left + " running, which " +
                      (run.ended.left_behind == 1 ? "was" : "were") + " ended");
    }
    for (std::string& line : lines) {
      line = fmt::format("  {}: {}", letter, line);
      while (line.ends_with('\n')) line.pop_back();
      if (std::ranges::find(said, line) != said.end()) continue;
      said.push_back(line);
      text += line + "\n";
    }
  }
  for (const std::string& note : results.notes) text += "  " + note + "\n";
  return text.empty() ? text : "Notes\n" + readable(text) + "\n";
}

}  // namespace

std::string announcement(const Plan& plan) {
  std::string text = "This will be run, each variant ";
  text += plan.runs == 1 ? "once" : fmt::format("{} times in turn", plan.runs);
  text += fmt::format(", for {:.0f} s at most:\n", plan.seconds);
  for (std::size_t i = 0; i < plan.variants.size(); ++i) {
    const Variant& variant = plan.variants[i];
    text += fmt::format("  {}  ", letter_of(i));
    for (const auto& [name, value] : variant.settings) text += fmt::format("{}={} ", name, value);
    text += fmt::format("{} {}", plan.python, variant.script);
    for (const std::string& argument : plan.arguments) text += " " + argument;
    text += fmt::format("\n     {}\n", variant.title);
    text += set_in(variant.changes, "     ");
    for (const Promise& promise : variant.promises) {
      text += fmt::format("     has to show {}\n", promise_text(promise));
    }
  }
  return readable(text);
}

std::string report_text(const Plan& plan, const Results& results, const std::vector<Judged>& judged,
                        bool color) {
  std::string text;
  for (std::size_t i = 0; i < plan.variants.size(); ++i) {
    text += fmt::format("  {}  {}\n", letter_of(i), readable(plan.variants[i].title));
  }
  text += "\n" + table_text(plan, figure_rows(plan, results)) + "\n";
  text += trouble_text(results);
  for (std::size_t i = 1; i < plan.variants.size(); ++i) {
    const Judged& each = judged[i];
    if (each.judgements.empty()) continue;
    text += fmt::format("  {}  {}: {}\n", letter_of(i), readable(plan.variants[i].title),
                        painted(name_of(each.verdict), each.verdict, color));
    for (const Judgement& judgement : each.judgements) text += judgement_text(judgement, color);
  }
  return text;
}

}  // namespace vramlint::validate
