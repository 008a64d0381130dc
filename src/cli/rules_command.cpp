// SPDX-License-Identifier: MIT
// `vramlint rules`: the rule pages as a table or as JSON.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/explain.h"

namespace vramlint::cli {

namespace {

using knowledge::RulePage;

std::vector<const RulePage*> by_code(const knowledge::Knowledge& knowledge) {
  std::vector<const RulePage*> pages;
  for (const RulePage& page : knowledge.pages()) pages.push_back(&page);
  std::ranges::sort(pages, {}, [](const RulePage* page) { return page->code; });
  return pages;
}

void print_json(const std::vector<const RulePage*>& pages, std::ostream& out) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const RulePage* page : pages) {
    list.push_back({{"name", page->name},
                    {"code", page->code},
                    {"family", page->family},
                    {"severity", page->severity},
                    {"default", !page->opt_in},
                    {"fix", page->fix.empty() ? nlohmann::ordered_json(nullptr)
                                              : nlohmann::ordered_json(page->fix)},
                    {"summary", page->summary}});
  }
  out << list.dump(2) << "\n";
}

}  // namespace

void add_rules(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("rules", "List the rules");
  const std::shared_ptr<std::string> format = std::make_shared<std::string>("text");
  command->add_option("--output-format", *format, "text [default] or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->option_text("FORMAT");
  command->callback([format, &context] {
    const std::vector<const RulePage*> pages = by_code(context.knowledge);
    if (*format == "json") {
      print_json(pages, context.console.out);
    } else {
      context.console.out << rules_table(pages);
    }
  });
}

}  // namespace vramlint::cli
