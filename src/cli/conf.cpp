// SPDX-License-Identifier: MIT
//
// `vramlint conf`: one allocator string, or a batch of them, as a release of PyTorch reads it. All
// judgement is in `settings/`; here it becomes JSON or a text for people.
#include "cli/conf.h"

#include <algorithm>
#include <istream>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/console.h"
#include "knowledge/target.h"
#include "output/paint.h"
#include "output/visible.h"
#include "settings/releases.h"
#include "support/nearest_name.h"

namespace vramlint::cli {

namespace {

using Json = nlohmann::ordered_json;
using knowledge::Knowledge;
using knowledge::ProblemSeverity;
using knowledge::Version;
using settings::FailsAt;
using settings::ReleasesProblem;
using settings::ReleasesReading;

/// The question, with the options understood.
struct Question {
  std::vector<Version> releases;
  std::string torch;  ///< as answers name it
  std::string variable;
  bool variable_read = true;  ///< by all the releases
  knowledge::Platform platform = knowledge::Platform::linux;
};

constexpr std::string_view default_variable = "PYTORCH_CUDA_ALLOC_CONF";

knowledge::AllocatorTables tables_of(const Knowledge& knowledge) {
  return {knowledge.allocator_keys(), knowledge.allocator_grammars(),
          knowledge.allocator_interactions()};
}

Result<Question> understand(const ConfOptions& options, const Knowledge& knowledge) {
  Question question;
  if (options.torch.empty()) {
    question.releases = {knowledge.newest_torch()};
  } else {
    Result<std::vector<Version>> named = knowledge::releases_named(options.torch, knowledge);
    if (!named) return named.error();
    question.releases = std::move(named).value();
  }
  const bool one = question.releases.size() == 1;
  question.torch = one ? to_string(question.releases.front()) : options.torch;
  question.variable = options.variable.empty() ? std::string(default_variable) : options.variable;

  const knowledge::VariableRow* row = knowledge.variable(question.variable);
  if (row == nullptr || !row->allocator_string) {
    std::vector<std::string_view> names;
    for (const knowledge::VariableRow& each : knowledge.variables()) {
      if (each.allocator_string) names.push_back(each.name);
    }
    return Error{"", 0, "`" + question.variable + "` holds no allocator string",
                 did_you_mean(question.variable, names)};
  }
  const auto reads = [row](Version release) { return row->torch.contains(release); };
  question.variable_read = std::ranges::any_of(question.releases, reads);
  if (question.variable_read) {
    std::erase_if(question.releases, [&](Version release) { return !reads(release); });
  }
  question.platform =
      settings::platform_for(question.variable, tables_of(knowledge), question.platform);
  return question;
}

ReleasesReading read(std::string_view string, const Question& question,
                     const Knowledge& knowledge) {
  if (question.variable_read) {
    return settings::read_for_releases(string, question.releases, tables_of(knowledge),
                                       question.platform);
  }
  ReleasesReading out;
  out.accepted_by = question.releases;
  settings::Problem problem;
  problem.rule = "allocator-variable-unread";
  problem.severity = ProblemSeverity::warning;
  const knowledge::VariableRow* usual = knowledge.variable(default_variable);
  const bool reads_usual = usual != nullptr && usual->torch.contains(question.releases.front());
  problem.predicate = "does not read `" + question.variable + "`: ";
  problem.predicate += reads_usual ? "set `" + std::string(default_variable) + "`" : "leave it out";
  problem.span = {0, static_cast<uint32_t>(string.size())};
  out.problems.push_back({std::move(problem), question.torch, true});
  return out;
}

// -----------------------------------------------------------------------------------------------
// JSON

std::string_view name_of(ProblemSeverity severity) {
  switch (severity) {
    case ProblemSeverity::note: return "note";
    case ProblemSeverity::warning: return "warning";
    case ProblemSeverity::error: return "error";
  }
  return "";
}

std::size_t code_points(std::string_view text) {
  const auto begins_one = [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0u) != 0x80u;
  };
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_one));
}

/// Interval sizes in MiB to divisions.
Json divisions_json(const settings::RoundingDivisions& rounding) {
  Json out = Json::object();
  uint64_t size_mb = 1;
  for (const uint64_t divisions : rounding.divisions) {
    out[std::to_string(size_mb)] = static_cast<int64_t>(divisions);
    size_mb *= 2;
  }
  return out;
}

Json value_json(const settings::SettingValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* whole = std::get_if<int64_t>(&value)) return *whole;
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  if (const auto* rounding = std::get_if<settings::RoundingDivisions>(&value)) {
    return divisions_json(*rounding);
  }
  Json out = Json::object();
  for (const auto& [name, reserve] : std::get<settings::ReserveClasses>(value)) out[name] = reserve;
  return out;
}

Json problem_json(const ReleasesProblem& found, std::string_view string) {
  const settings::Problem& problem = found.problem;
  Json out;
  out["rule"] = problem.rule;
  out["severity"] = name_of(problem.severity);
  out["message"] = message_of(problem, found.releases);
  out["start"] = code_points(string.substr(0, problem.span.begin));
  out["end"] = code_points(string.substr(0, problem.span.end));
  if (problem.replacement) {
    out["fix"] = {{"applicability", problem.safe ? "safe" : "unsafe"},
                  {"text", *problem.replacement}};
  }
  return out;
}

Json fails_at_json(const std::optional<FailsAt>& fails_at) {
  if (!fails_at) return nullptr;
  return *fails_at == FailsAt::import_torch ? "import" : "init";
}

std::string answer_json(std::string_view string, const Question& question,
                        const ReleasesReading& reading) {
  Json out;
  out["string"] = string;
  out["torch"] = question.torch;
  out["accepted"] = reading.refused_by.empty();
  out["fails_at"] = fails_at_json(reading.fails_at);
  out["settings"] = Json::object();
  if (reading.refused_by.empty()) {
    for (const settings::Setting& setting : reading.newest.settings) {
      out["settings"][std::string(setting.key->name)] = value_json(setting.value);
    }
  }
  out["problems"] = Json::array();
  for (const ReleasesProblem& found : reading.problems) {
    out["problems"].push_back(problem_json(found, string));
  }
  // Bytes that are no UTF-8 can stand in a string; the answer stays readable.
  return out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// -----------------------------------------------------------------------------------------------
// text

std::string verdict_text(const Question& question, const ReleasesReading& reading) {
  if (!question.variable_read) return "does not read this variable";
  if (reading.refused_by.empty()) return "accepts this string";
  const std::string where = reading.fails_at == FailsAt::import_torch
                                ? "aborts inside `import torch`"
                            : reading.fails_at == FailsAt::init ? "fails at the first CUDA use"
                                                                : "cannot be given it";
  if (reading.accepted_by.empty()) return "refuses this string and " + where;
  return "refuses this string in " +
         settings::releases_text(reading.refused_by, question.releases) + " and " + where + "; " +
         settings::releases_text(reading.accepted_by, question.releases) + " accepts it";
}

output::Paint paint_of(ProblemSeverity severity) {
  switch (severity) {
    case ProblemSeverity::note: return output::Paint::cyan;
    case ProblemSeverity::warning: return output::Paint::yellow;
    case ProblemSeverity::error: return output::Paint::red;
  }
  return output::Paint::bold;
}

/// The divisions of a rounding key fill a line; equal neighbours are drawn together.
std::string divisions_text(const settings::RoundingDivisions& rounding) {
  std::string out;
  const auto& all = rounding.divisions;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t last = i;
    while (last + 1 < all.size() && all[last + 1] == all[i]) ++last;
    const std::string to = last == i ? "" : "-" + std::to_string(1u << last);
    out += (out.empty() ? "" : ", ") + std::to_string(1u << i) + to +
           " MiB: " + std::to_string(all[i]);
    i = last + 1;
  }
  return out;
}

std::string value_text(const settings::SettingValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "True" : "False";
  if (const auto* rounding = std::get_if<settings::RoundingDivisions>(&value)) {
    return divisions_text(*rounding);
  }
  if (const auto* whole = std::get_if<int64_t>(&value); whole != nullptr && *whole < 0) {
    return "no limit";
  }
  const Json json = value_json(value);
  return json.is_string() ? json.get<std::string>()
                          : json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string problem_text(const ReleasesProblem& found, std::string_view string,
                         output::Style style) {
  const settings::Problem& problem = found.problem;
  const std::string before = output::visible(string.substr(0, problem.span.begin));
  const std::string marked =
      output::visible(string.substr(problem.span.begin, problem.span.size()));
  const std::string carets(std::max<std::size_t>(code_points(marked), 1), '^');
  const std::string title =
      std::string(name_of(problem.severity)) + "[" + std::string(problem.rule) + "]";
  std::string out = "\n  " + output::visible(string) + "\n";
  out += "  " + std::string(code_points(before), ' ') +
         output::painted(carets, paint_of(problem.severity), style) + "\n";
  out += output::painted(title, paint_of(problem.severity), style) + ": " +
         message_of(problem, found.releases) + "\n";
  return out;
}

std::string answer_text(std::string_view string, const Question& question,
                        const ReleasesReading& reading, output::Style style) {
  std::string out = output::painted("PyTorch " + question.torch, output::Paint::bold, style) + " " +
                    verdict_text(question, reading) + "\n";
  if (reading.refused_by.empty()) {
    std::size_t width = 0;
    for (const settings::Setting& one : reading.newest.settings) {
      width = std::max(width, one.key->name.size());
    }
    for (const settings::Setting& one : reading.newest.settings) {
      out += "  " + std::string(one.key->name) +
             std::string(width + 2 - one.key->name.size(), ' ') +
             output::visible(value_text(one.value)) + "\n";
    }
  }
  for (const ReleasesProblem& found : reading.problems) out += problem_text(found, string, style);
  return out;
}

// -----------------------------------------------------------------------------------------------
// runs

std::string answer(std::string_view string, const Question& question,
                   const ReleasesReading& reading, const ConfOptions& options) {
  return options.json ? answer_json(string, question, reading)
                      : answer_text(string, question, reading, {options.color});
}

int run_batch(const ConfOptions& options, const Question& question, const Knowledge& knowledge,
              const Console& console) {
  int status = 0;
  int number = 0;
  for (std::string line; std::getline(console.in, line);) {
    ++number;
    const Json parsed = Json::parse(line, nullptr, false);
    if (!parsed.is_string()) {
      const std::string what = "the line is no JSON string";
      print_error(console, {"-", number, what, "write them as in \"max_split_size_mb:128\""});
      console.out << (options.json ? R"({"string":null,"error":")" + what + "\"}" : "") << "\n";
      status = 2;
      continue;
    }
    const std::string string = parsed.get<std::string>();
    console.out << answer(string, question, read(string, question, knowledge), options);
  }
  console.out.flush();
  return status;
}

}  // namespace

int run_conf(const ConfOptions& options, const Knowledge& knowledge, std::istream& in,
             std::ostream& out, std::ostream& err) {
  const Console console{in, out, err, options.color, false};
  const Result<Question> question = understand(options, knowledge);
  if (!question) {
    print_error(console, question.error());
    return 2;
  }
  const Version newest = knowledge.newest_torch();
  if (question.value().releases.back() > newest) {
    print_warning(console, "PyTorch " + question.value().torch +
                               " is newer than what is known here: read as " + to_string(newest) +
                               " reads it");
  }
  if (options.batch) return run_batch(options, question.value(), knowledge, console);
  const ReleasesReading reading = read(options.string, question.value(), knowledge);
  out << answer(options.string, question.value(), reading, options);
  return reading.refused_by.empty() ? 0 : 1;
}

}  // namespace vramlint::cli
