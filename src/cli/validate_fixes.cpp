// SPDX-License-Identifier: MIT
// From a script to the variants of it that fixes make. Nothing is written: the new texts go into
// the overlay of the runs.
#include <algorithm>

#include "cli/fix_files.h"
#include "cli/validate.h"
#include "config/target.h"
#include "fix/diff.h"
#include "lint/entry.h"
#include "lint/interest.h"
#include "support/paths.h"
#include "support/system.h"

namespace vramlint::cli {

namespace {

/// One look at the script with some rules selected.
class FixRun {
 public:
  FixRun(const ValidateOptions& options, config::Settings settings,
         const knowledge::Knowledge& knowledge)
      : options_(options), knowledge_(knowledge), files_(lint::max_file_bytes) {
    config::ProjectsOptions how;
    how.working_directory = working_directory();
    how.isolated = options.isolated;
    how.command_line = std::move(settings);
    projects_.emplace(std::move(how), knowledge);
  }

  Result<FixedFiles> run() {
    const std::string path = shown_script();
    if (Result<std::shared_ptr<const text::Source>> opened = files_.open(path); !opened) {
      return Error{path, 0, opened.error().message, ""};
    }
    const config::Project& project = projects_->of(parent_of(path));
    if (projects_->error()) return *projects_->error();
    const rules::Interest interest = lint::interest_of(project, std::nullopt, knowledge_);
    const std::vector<lint::Job> jobs{{path, &project, &interest}};
    lint::Narrowing narrowing;
    narrowing.working_directory = working_directory();
    FixChoice choice;
    choice.diff = true;
    choice.with_unsafe = true;  // whether they help is what is asked
    FixInput input{jobs, *projects_,           knowledge_,   files_,
                   1,    lint::max_file_bytes, std::nullopt, narrowing};
    input.reaches_modules = true;
    FixedFiles fixed = fix_files(input, choice);
    if (projects_->error()) return *projects_->error();
    return fixed;
  }

 private:
  /// By its letters, unless a link in front of `..` leads elsewhere.
  std::string shown_script() const {
    const std::string shown = shown_path(options_.script, working_directory());
    const std::string real = real_path(options_.script);
    return real_path(shown) == real ? shown : shown_path(real, working_directory());
  }

  const ValidateOptions& options_;
  const knowledge::Knowledge& knowledge_;
  DiskFiles files_;
  std::optional<config::Projects> projects_;
};

std::vector<std::string> rules_of(const fix::Outcome& outcome) {
  std::vector<std::string> rules;
  for (const fix::Applied& applied : outcome.applied) {
    if (std::ranges::find(rules, applied.rule) == rules.end()) rules.push_back(applied.rule);
  }
  return rules;
}

validate::Variant variant_of(const knowledge::RulePage& page, const FixedFiles& fixed,
                             const knowledge::Knowledge& knowledge) {
  validate::Variant variant;
  variant.title = std::string(page.name) + " fixed";
  variant.rule = page.name;
  for (const auto& [file, text] : fixed.outcome.texts) {
    const std::string real = real_path(file);
    variant.texts[real.empty() ? file : real] = text;
    variant.changes += fix::unified_diff(file, fixed.originals.at(file)->bytes(), text);
  }
  for (const std::string_view name : page.confirms) {
    variant.promises.push_back({knowledge.criterion(name), page.variables});
  }
  return variant;
}

}  // namespace

Result<std::vector<validate::Variant>> variants_of_fixes(const ValidateOptions& options,
                                                         const knowledge::Knowledge& knowledge,
                                                         std::vector<std::string>& left_out) {
  Result<FixedFiles> all = FixRun(options, options.selection, knowledge).run();
  if (!all) return all.error();
  std::vector<validate::Variant> variants;
  for (const std::string& rule : rules_of(all.value().outcome)) {
    const knowledge::RulePage* page = knowledge.page(rule);
    if (page == nullptr) continue;
    if (page->confirms.empty()) {
      left_out.push_back(rule + ": " + std::string(page->unconfirmed));
      continue;
    }
    // Each rule on its own: what two fixes do together says nothing about one of them.
    config::Settings settings = options.selection;
    settings.select = {rule};
    settings.extend_select.clear();
    settings.ignore.clear();
    Result<FixedFiles> fixed = FixRun(options, std::move(settings), knowledge).run();
    if (!fixed) return fixed.error();
    if (fixed.value().outcome.texts.empty()) {
      left_out.push_back(rule + ": its fix can only be made together with another");
      continue;
    }
    variants.push_back(variant_of(*page, fixed.value(), knowledge));
  }
  return variants;
}

}  // namespace vramlint::cli
