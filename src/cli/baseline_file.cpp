// SPDX-License-Identifier: MIT
// The file of a baseline. A plain run never writes it, so that a check in CI and one at a desk do
// the same; `--write-baseline` and `--prune-baseline` are asked for.
#include "cli/baseline_file.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/reports.h"
#include "config/layers.h"
#include "fix/replace_file.h"
#include "support/counted.h"
#include "support/paths.h"
#include "text/source.h"

namespace vramlint::cli {

namespace {

using diagnostics::Baseline;

constexpr const char* default_name = "vramlint-baseline.json";
constexpr uint64_t max_file_bytes = 256 << 20;

std::size_t count_of(const Baseline& baseline) {
  std::size_t count = 0;
  for (const auto& [finding, entry] : baseline.entries()) count += entry.count;
  return count;
}

/// The first few of them.
std::string list_of(const Baseline& baseline) {
  static constexpr std::size_t most = 3;
  std::string text;
  std::size_t listed = 0;
  for (const auto& [finding, entry] : baseline.entries()) {
    if (listed++ == most) return text + ", …";
    text += (text.empty() ? "" : ", ") + entry.rule + " in " + finding.file;
  }
  return text;
}

}  // namespace

Result<BaselineFile> BaselineFile::open(const BaselineChoice& choice,
                                        const config::Settings& settings,
                                        const std::string& working_directory) {
  BaselineFile file;
  file.choice_ = choice;
  file.strict_ = settings.strict_baseline.value_or(false);
  file.folder_ = working_directory;
  std::string path = settings.baseline.value_or("");
  if (!choice.write_to.empty()) path = choice.write_to;
  if (path.empty() && choice.write) path = default_name;
  if (path.empty()) {
    if (choice.prune) {
      return Error{"", 0, "`--prune-baseline` has no baseline to take anything out of",
                   "name it by `--baseline FILE`, or as `baseline` in the configuration"};
    }
    return file;
  }
  file.path_ = config::absolute_path(path, working_directory);
  file.shown_ = shown_path(file.path_, working_directory);
  file.folder_ = parent_of(file.path_);
  std::error_code unknown;
  const bool is_there = std::filesystem::exists(file.path_, unknown);
  if (choice.write && !is_there) return file;
  Result<std::string> text = text::read_file(file.path_, max_file_bytes);
  if (!text) {
    return Error{file.shown_, 0, "the baseline " + text.error().message,
                 is_there ? "" : "`--write-baseline` makes one"};
  }
  Result<Baseline> baseline = Baseline::parse(file.shown_, text.value());
  if (!baseline) return baseline.error();
  file.text_ = std::move(text).value();
  file.baseline_ = std::move(baseline).value();
  return file;
}

bool BaselineFile::replace(const Baseline& made, const Console& console) {
  const std::string text = made.text();
  if (text_ == text) return true;
  if (!text_) return write_file(shown_, text, console);
  const std::optional<std::string> failed = fix::replace_file(path_, *text_, text);
  if (failed) print_error(console, {shown_, 0, *failed, ""});
  return !failed;
}

Exit BaselineFile::write(const lint::Collected& collected, const Console& console) {
  Baseline made = collected.match.unjudged;
  for (std::size_t i = 0; i < collected.known.size(); ++i) {
    made.add(collected.known[i], collected.report.diagnostics[i].rule);
  }
  if (!replace(made, console)) return Exit::failed;
  console.err << "Wrote " << counted(count_of(made), "finding") << " to " << shown_ << ".\n";
  return Exit::clean;
}

bool BaselineFile::refuses(const lint::Collected& collected) const {
  return strict_ && !choice_.prune && count_of(collected.match.stale) > 0;
}

Exit BaselineFile::settle(const lint::Collected& collected, const Console& console) {
  const diagnostics::BaselineMatch& match = collected.match;
  const std::size_t stale = count_of(match.stale);
  if (choice_.prune) {
    if (!match.complete) {
      print_warning(console, shown_ +
                                 ": nothing is taken out, since not all of its files were "
                                 "checked");
    }
    if (!replace(match.pruned, console)) return Exit::failed;
    if (stale > 0) {
      console.err << "Took " << counted(stale, "finding") << " out of " << shown_ << ".\n";
    }
    return Exit::clean;
  }
  for (const auto& [before, now] : match.renamed) {
    print_warning(console, shown_ + ": " + before + " seems to be " + now +
                               " now; `--prune-baseline` notes the new name");
  }
  if (stale == 0) return Exit::clean;
  const std::string text = counted(stale, "known finding") + (stale == 1 ? " is" : " are") +
                           " found no more (" + list_of(match.stale) + ")";
  const std::string advice =
      "`--prune-baseline` takes " + std::string(stale == 1 ? "it" : "them") + " out";
  if (!refuses(collected)) {
    print_warning(console, shown_ + ": " + text + "; " + advice);
    return Exit::clean;
  }
  print_error(console, {shown_, 0, text, advice});
  return Exit::findings;
}

}  // namespace vramlint::cli
