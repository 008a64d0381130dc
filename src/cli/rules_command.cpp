// SPDX-License-Identifier: MIT
// `vramlint rules`: the rule pages as a table or as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.h"

namespace vramlint::cli {

namespace {

using knowledge::RulePage;

std::vector<const RulePage*> by_code(const knowledge::Knowledge& knowledge) {
  std::vector<const RulePage*> pages;
  for (const RulePage& page : knowledge.pages()) pages.push_back(&page);
  std::ranges::sort(pages, {}, [](const RulePage* page) { return page->code; });
  return pages;
}

void print_table(const std::vector<const RulePage*>& pages, std::ostream& out) {
  std::size_t width = 0;
  for (const RulePage* page : pages) width = std::max(width, page->name.size());
  for (const RulePage* page : pages) {
    out << fmt::format("{}  {:<{}}  {:<11}  {:<7}  {}\n", page->code, page->name, width,
                       page->family, page->severity, page->summary);
  }
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
      print_table(pages, context.console.out);
    }
  });
}

}  // namespace vramlint::cli
