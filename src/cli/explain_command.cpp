// SPDX-License-Identifier: MIT
// `vramlint explain`: a rule's page, or the rows about a setting or a call.
#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/explain.h"
#include "support/nearest_name.h"

namespace vramlint::cli {

namespace {

struct ExplainOptions {
  std::string name;
  std::string torch;
  bool no_color = false;
};

Error unknown_name(const std::string& name, const knowledge::Knowledge& knowledge) {
  std::vector<std::string_view> names;
  const auto add_all = [&](std::span<const std::string_view> more) {
    names.insert(names.end(), more.begin(), more.end());
  };
  for (const knowledge::RulePage& page : knowledge.pages()) add_all({{page.name, page.code}});
  for (const knowledge::VariableRow& row : knowledge.variables()) names.push_back(row.name);
  for (const knowledge::AllocatorKeyRow& row : knowledge.allocator_keys()) {
    names.push_back(row.name);
  }
  for (const knowledge::CallRow& row : knowledge.calls()) add_all(row.names);
  Error error;
  error.message = "nothing is known about `" + name + "`";
  // `empty_cache` is how people speak of `torch.cuda.empty_cache`.
  const std::string last_part = "." + name;
  std::string longer;
  std::set<std::string_view> listed;
  for (const std::string_view each : names) {
    // Several rows may speak of one name.
    if (!each.ends_with(last_part) || !listed.insert(each).second) continue;
    longer += (longer.empty() ? "`" : ", `") + std::string(each) + "`";
  }
  error.advice = longer.empty() ? did_you_mean(name, names) : "did you mean one of " + longer + "?";
  if (error.advice.empty()) error.advice = "`vramlint rules` lists the rules";
  return error;
}

/// A call is looked up as it is written in code, with or without its brackets.
std::string_view without_brackets(std::string_view name) { return name.substr(0, name.find('(')); }

/// The rules of a family, or whose codes begin so: `order`, `VRL1`.
std::vector<const knowledge::RulePage*> rules_of(std::string_view name,
                                                 const knowledge::Knowledge& knowledge) {
  constexpr std::string_view code_front = "VRL";
  const bool is_code = name.size() > code_front.size() && name.starts_with(code_front);
  std::vector<const knowledge::RulePage*> pages;
  for (const knowledge::RulePage& page : knowledge.pages()) {
    if (page.family == name || (is_code && page.code.starts_with(name))) pages.push_back(&page);
  }
  std::ranges::sort(pages, {}, [](const knowledge::RulePage* page) { return page->code; });
  return pages;
}

Exit explain(const ExplainOptions& options, const Context& context) {
  const output::Style style{context.console.color && !options.no_color};
  std::optional<knowledge::Version> torch;
  if (!options.torch.empty()) {
    torch = knowledge::parse_version(options.torch);
    if (!torch) {
      print_error(context.console, {"", 0, "`" + options.torch + "` is no version of PyTorch", ""});
      return Exit::failed;
    }
  }
  std::string text;
  if (const knowledge::RulePage* page = context.knowledge.page(options.name)) {
    text = page_text(*page, context.knowledge, style);
  } else {
    text = rows_text(without_brackets(options.name), context.knowledge, torch, style);
  }
  if (text.empty()) text = rules_table(rules_of(options.name, context.knowledge));
  if (text.empty()) {
    print_error(context.console, unknown_name(options.name, context.knowledge));
    return Exit::failed;
  }
  context.console.out << text;
  return Exit::clean;
}

}  // namespace

void add_explain(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("explain", "The page of a rule, the meaning of a setting or a call");
  const std::shared_ptr<ExplainOptions> options = std::make_shared<ExplainOptions>();
  command
      ->add_option("name", options->name,
                   "A rule, a code or the beginning of one, a family, a variable, a key of the "
                   "allocator string, a call")
      ->required()
      ->option_text("NAME");
  command->add_option("--torch", options->torch, "Say what holds for this release: `2.11`")
      ->option_text("VERSION");
  command->add_flag("--no-color", options->no_color, "Never write in colour");
  command->callback([options, &context] { context.status = explain(*options, context); });
}

}  // namespace vramlint::cli
