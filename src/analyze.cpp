// SPDX-License-Identifier: MIT
#include "analyze.h"

#include <algorithm>

#include "analyze/configuration.h"
#include "analyze/launch.h"
#include "analyze/resolver.h"
#include "analyze/workspace.h"
#include "diagnostics/merge.h"

namespace vramlint {

frontends::Closure& Survey::Closures::of(const rules::Interest& interest) {
  const std::lock_guard<std::mutex> guard(lock);
  const auto found = by_interest.find(interest.least);
  if (found != by_interest.end()) return found->second;
  const rules::TellingWords& words = rules::telling_words();
  return by_interest.try_emplace(interest.least, project, files, words.set(), words.needs(interest))
      .first->second;
}

frontends::Closure::Answer Survey::Closures::ask(const std::string& path,
                                                 const AnalyzeOptions& options) {
  frontends::Closure& closure = of(options.interest);
  const std::lock_guard<std::mutex> guard(asking);
  return closure.ask(path, options.root);
}

Survey::Survey(text::Files& files) : closures_(std::make_unique<Closures>(files)) {}

Survey::~Survey() = default;

void Survey::scan(const std::string& path, const AnalyzeOptions& options) {
  if (text::launches(text::language_of(path, {})) || path.ends_with(".json")) return;
  closures_->of(options.interest).scan(path);
}

Workspace::Workspace(const knowledge::Knowledge& knowledge, text::Files& files)
    : knowledge_(knowledge),
      files_(files),
      own_survey_(std::make_unique<Survey>(files)),
      survey_(own_survey_.get()),
      programs_(std::make_unique<Programs>(files)) {}

Workspace::Workspace(const knowledge::Knowledge& knowledge, text::Files& files, Survey& survey)
    : knowledge_(knowledge),
      files_(files),
      survey_(&survey),
      programs_(std::make_unique<Programs>(files)) {}

Workspace::Workspace(const knowledge::Knowledge& knowledge, text::Files& files,
                     frontends::KeptCode& kept)
    : knowledge_(knowledge),
      files_(files),
      own_survey_(std::make_unique<Survey>(files)),
      survey_(own_survey_.get()),
      programs_(std::make_unique<Programs>(files, kept)) {}

Workspace::~Workspace() = default;

void Workspace::enter(const std::string& root) {
  if (programs_->keeps_code || programs_->root == root) return;
  if (programs_->root) programs_ = std::make_unique<Programs>(files_);
  programs_->root = root;
}

namespace {

std::unique_ptr<replay::Session> session_for(const Workspace& workspace,
                                             const AnalyzeOptions& options) {
  replay::ReplayOptions made;
  made.root = options.root;
  made.torch = options.target.torch.empty() ? workspace.knowledge().newest_torch()
                                            : options.target.torch.back();
  made.forks_by_default = options.target.forks_by_default();
  made.observed_calls = rules::observed_calls(workspace.knowledge());
  made.observes_name = rules::is_observed_name;
  return std::make_unique<replay::Session>(workspace.programs().project, workspace.knowledge(),
                                           std::move(made));
}

replay::ReplayRequest request_for(const std::string& path, const AnalyzeOptions& options,
                                  const frontends::Closure::Answer& answer) {
  replay::ReplayRequest request{path};
  using Reach = frontends::Closure::Reach;
  if (!options.prefilter) {
    request.runs_uncalled = [](std::string_view) { return true; };
  } else if (answer.reach != Reach::imported) {
    // What a function of another module does is found where that module is the entry.
    request.runs_uncalled = [&](std::string_view name) {
      return std::ranges::binary_search(answer.telling, frontends::name_number(name));
    };
    request.runs_method = [&](std::string_view name) {
      return std::ranges::binary_search(answer.telling_methods, frontends::name_number(name));
    };
  } else {
    request.only_imports = answer.only_imports;
  }
  return request;
}

}  // namespace

replay::Timeline timeline_of(const std::string& path, Workspace& workspace,
                             const AnalyzeOptions& options,
                             const frontends::Closure::Answer& answer) {
  Workspace::Programs& programs = workspace.programs();
  const knowledge::Version torch = options.target.torch.empty()
                                       ? workspace.knowledge().newest_torch()
                                       : options.target.torch.back();
  const bool forks = options.target.forks_by_default();
  std::unique_ptr<replay::Session>& session =
      programs
          .sessions[options.root + '\n' + knowledge::to_string(torch) + (forks ? " forks" : "")];
  if (!session) session = session_for(workspace, options);
  return session->replay(request_for(path, options, answer));
}

replay::Timeline launched_timeline(const std::string& path,
                                   const std::vector<replay::StartingVariable>& environment,
                                   Workspace& workspace, const AnalyzeOptions& options,
                                   const frontends::Closure::Answer& answer) {
  replay::ReplayRequest request = request_for(path, options, answer);
  // What the environment decides about a module must not be remembered for other entries.
  std::unique_ptr<replay::Session>& session = workspace.programs().sessions["launched"];
  session = session_for(workspace, options);
  request.environment = environment;
  request.runs_uncalled = {};
  return session->replay(request);
}

Analysis analyze(const std::string& path, Workspace& workspace, const AnalyzeOptions& options) {
  workspace.enter(options.root);
  Analysis analysis;
  Result<std::shared_ptr<const text::Source>> source = workspace.files().open(path);
  if (!source) {
    analysis.errors.push_back({path, source.error().message});
    return analysis;
  }
  if (!source.value()->fault().empty()) {
    analysis.errors.push_back({path, std::string(source.value()->fault())});
    return analysis;
  }
  if (text::launches(source.value()->language()))
    return analyze_launch(source.value(), workspace, options);
  if (source.value()->language() == text::Language::deepspeed)
    return analyze_configuration(source.value(), workspace, options);
  // What a notebook hands to shells is judged as what any shell script does.
  if (source.value()->language() == text::Language::notebook)
    analysis = analyze_launch(source.value(), workspace, options);
  using frontends::Closure;
  const Closure::Answer answer = workspace.survey().closures().ask(path, options);
  if (options.prefilter && answer.reach == Closure::Reach::nothing) return analysis;
  const replay::Timeline timeline = timeline_of(path, workspace, options, answer);
  const Resolver resolver(timeline);
  for (const rules::RawFinding& finding :
       rules::run_checks(timeline, workspace.knowledge(), options.target, options.interest)) {
    analysis.diagnostics.push_back(resolver.diagnostic(finding));
  }
  add_named_configurations(timeline, workspace, options, analysis);
  // A module is replayed as the entry and as imported, and says most things twice.
  analysis.diagnostics = diagnostics::merge_findings({std::move(analysis.diagnostics)});
  return analysis;
}

}  // namespace vramlint
