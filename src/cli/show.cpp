// SPDX-License-Identifier: MIT
#include "cli/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace vramlint::cli {

namespace {

std::string list_text(const std::vector<std::string>& words) {
  return nlohmann::json(words).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// ` (2.4, 2.5)`; nothing for any version.
std::string versions_text(const std::vector<knowledge::Version>& versions) {
  std::string text;
  for (const knowledge::Version version : versions) {
    text += (text.empty() ? " (" : ", ") + knowledge::to_string(version);
  }
  return text.empty() ? "" : text + ")";
}

}  // namespace

Exit show_files(const std::vector<std::string>& files, const Console& console) {
  for (const std::string& file : files) console.out << file << "\n";
  return Exit::clean;
}

Exit show_settings(const config::Project& project, const Console& console) {
  const config::Settings& settings = project.settings;
  const knowledge::Target& target = project.target;
  const std::vector<std::string> select = settings.select.value_or(std::vector<std::string>{"ALL"});
  console.out << "configuration = " << (settings.path.empty() ? "none" : settings.path) << "\n"
              << "torch = " << target.torch_text << versions_text(target.torch) << "\n"
              << "torch-source = " << project.origins.torch << "\n"
              << "python = " << target.python_text << versions_text(target.python) << "\n"
              << "python-source = " << project.origins.python << "\n"
              << "platform = " << knowledge::name_of(target.platform) << "\n"
              << "platform-source = " << project.origins.platform << "\n"
              << "root = " << project.root << "\n"
              << "level = " << diagnostics::name_of(project.level) << "\n"
              << "select = " << list_text(select) << "\n"
              << "extend-select = " << list_text(settings.extend_select) << "\n"
              << "ignore = " << list_text(settings.ignore) << "\n"
              << "exclude = " << list_text(settings.exclude) << "\n";
  return Exit::clean;
}

void show_statistics(const output::Report& report, bool as_json, const Console& console) {
  std::map<std::pair<std::string, std::string>, int> counts;
  for (const diagnostics::Diagnostic& finding : report.diagnostics) {
    ++counts[{finding.code, finding.rule}];
  }
  std::vector<std::pair<std::pair<std::string, std::string>, int>> rows(counts.begin(),
                                                                        counts.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& left, const auto& right) { return left.second > right.second; });
  if (as_json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& [rule, count] : rows) {
      list.push_back({{"code", rule.first}, {"rule", rule.second}, {"count", count}});
    }
    console.out << list.dump(2) << "\n";
    return;
  }
  for (const auto& [rule, count] : rows) {
    console.out << fmt::format("{:>6}  {:<7} {}\n", count, rule.first, rule.second);
  }
}

output::TargetText target_text(const knowledge::Target& target) {
  return {target.torch_text, target.python_text, std::string(knowledge::name_of(target.platform))};
}

}  // namespace vramlint::cli
