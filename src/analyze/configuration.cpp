// SPDX-License-Identifier: MIT
#include "analyze/configuration.h"

#include <algorithm>
#include <set>
#include <utility>

#include "analyze/found_file.h"
#include "analyze/resolver.h"
#include "analyze/workspace.h"
#include "diagnostics/merge.h"
#include "frontends/configuration.h"
#include "replay/configuration.h"
#include "support/paths.h"

namespace vramlint {

Analysis analyze_configuration(const std::shared_ptr<const text::Source>& source,
                               Workspace& workspace, const AnalyzeOptions& options) {
  Analysis analysis;
  const replay::Timeline timeline = replay::replay_configuration(
      frontends::read_configuration(source), workspace.programs().project.names());
  const Resolver resolver(timeline);
  for (const rules::RawFinding& finding :
       rules::run_checks(timeline, workspace.knowledge(), options.target, options.interest)) {
    analysis.diagnostics.push_back(resolver.diagnostic(finding));
  }
  analysis.diagnostics = diagnostics::merge_findings({std::move(analysis.diagnostics)});
  return analysis;
}

void add_configuration(const std::string& written, const std::string& folder, Workspace& workspace,
                       const AnalyzeOptions& options, Analysis& into) {
  const std::string path = found_near(written, folder, workspace, options);
  if (path.empty()) return;
  const auto source = workspace.files().open(path);
  if (!source || source.value()->language() != text::Language::deepspeed) return;
  for (diagnostics::Diagnostic& finding :
       analyze_configuration(source.value(), workspace, options).diagnostics)
    into.diagnostics.push_back(std::move(finding));
}

void add_named_configurations(const replay::Timeline& timeline, Workspace& workspace,
                              const AnalyzeOptions& options, Analysis& into) {
  const std::string folder = parent_of(timeline.files[timeline.entry]->path());
  std::set<std::string> named;
  for (const replay::Observation& seen : timeline.observations) {
    if (seen.kind != replay::ObservationKind::call) continue;
    for (const knowledge::ConfigurationFileRow& row : workspace.knowledge().configuration_files()) {
      if (std::ranges::find(row.calls, seen.name) == row.calls.end()) continue;
      for (const std::string_view argument : row.arguments) {
        const replay::KnownValue* value = rules::argument_of(seen, argument, -1);
        const bool is_text = value != nullptr && value->kind == replay::KnownValue::Kind::text;
        if (is_text && value->text.ends_with(".json")) named.emplace(value->text);
      }
    }
  }
  for (const std::string& written : named)
    add_configuration(written, folder, workspace, options, into);
}

}  // namespace vramlint
