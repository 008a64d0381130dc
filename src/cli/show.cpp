// SPDX-License-Identifier: MIT
#include "cli/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "config/keys.h"

namespace vramlint::cli {

namespace {

/// Keys that stand in front of the others, with where they come from or what stands for them.
constexpr std::array<std::string_view, 4> said_with_origin{"torch", "python", "platform", "level"};

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
  console.out << "configuration = " << (settings.path.empty() ? "none" : settings.path) << "\n"
              << "torch = " << target.torch_text << versions_text(target.torch) << "\n"
              << "torch-source = " << project.origins.torch << "\n"
              << "python = " << target.python_text << versions_text(target.python) << "\n"
              << "python-source = " << project.origins.python << "\n"
              << "platform = " << knowledge::name_of(target.platform) << "\n"
              << "platform-source = " << project.origins.platform << "\n"
              << "root = " << project.root << "\n"
              << "level = " << diagnostics::name_of(project.level) << "\n";
  // What is left open and said above is not said again.
  for (const config::Key& key : config::all_keys()) {
    const bool is_said = std::ranges::count(said_with_origin, key.name) > 0;
    const std::string value = config::value_text(key, settings);
    if (!is_said && !value.empty()) console.out << key.name << " = " << value << "\n";
  }
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
