// SPDX-License-Identifier: MIT
//
// Names read of PyTorch's modules: one that no release has, one that the target's releases lack,
// and one whose place another has taken. Which names there are, `rules/knowledge/names.toml` says.
#include <algorithm>
#include <set>

#include "knowledge/names.h"
#include "rules/check.h"
#include "rules/source_edits.h"

namespace vramlint::rules {
namespace {

using diagnostics::Severity;
using knowledge::NamePresence;
using knowledge::NameStatus;
using knowledge::ReplacedNameRow;
using replay::Observation;
using replay::ObservationKind;

struct Name {
  std::string_view module;
  std::string_view last;
};

Name split(std::string_view dotted) {
  const size_t dot = dotted.rfind('.');
  return {dotted.substr(0, dot), dotted.substr(dot + 1)};
}

/// `f().x` for an attribute of what a call gives.
std::string shown(std::string_view dotted) {
  const ReplacedNameRow* row = knowledge::replaced_name(dotted);
  const Name name = split(dotted);
  const std::string_view dot = row != nullptr && row->of_result ? "()." : ".";
  return std::string(name.module) + std::string(dot) + std::string(name.last);
}

/// Names that `hasattr` or `getattr` asks for in this program.
std::set<std::string_view> asked_names(const CheckContext& context) {
  std::set<std::string_view> names;
  for (const Observation& seen : context.timeline.observations) {
    if (seen.kind == ObservationKind::name_asked) names.insert(seen.name);
  }
  return names;
}

/// The program asked for it, or for the one that takes its place.
bool is_asked_for(const std::set<std::string_view>& asked, std::string_view dotted) {
  if (asked.empty()) return false;
  const ReplacedNameRow* row = knowledge::replaced_name(dotted);
  return asked.contains(dotted) || (row != nullptr && asked.contains(row->by));
}

/// A near name is looked for so often at most: it takes a millisecond, and a file may be made of
/// nothing but such names.
constexpr size_t most_searches = 50;

/// What to write instead, as the end of a sentence; empty when nothing is known.
std::string advice(std::string_view dotted, std::span<const knowledge::Version> releases,
                   size_t& searches) {
  const ReplacedNameRow* row = knowledge::replaced_name(dotted);
  if (row != nullptr && !row->by.empty() && row->of_result)
    return ": write `" + std::string(split(row->by).last) + "`";
  if (row != nullptr && !row->by.empty()) return ": write `" + std::string(row->by) + "`";
  if (++searches > most_searches) return {};
  const Name name = split(dotted);
  const std::string_view near = knowledge::nearest_member(name.module, name.last, releases);
  if (near.empty()) return {};
  return ": did you mean `" + std::string(name.module) + "." + std::string(near) + "`?";
}

/// Beside a line that makes the same call by its new name, the call goes.
std::optional<RawFix> without_repetition(const CheckContext& context, replay::Place place,
                                         std::string_view old, std::string_view made) {
  const text::Source& source = *context.timeline.files[place.file];
  const uint32_t line = source.position_of(place.span.begin).line;
  std::string renamed(source.line(line));
  const size_t at = renamed.rfind("." + std::string(old) + "()");
  if (at == std::string::npos || place.span.begin == 0) return std::nullopt;
  renamed.replace(at + 1, old.size(), made);
  if (source.line(line - 1) != renamed && source.line(line + 1) != renamed) return std::nullopt;
  const size_t indent = renamed.find_first_not_of(" \t");
  const uint32_t begin = source.line_begin(line) + static_cast<uint32_t>(indent);
  const uint32_t end = source.line_begin(line) + static_cast<uint32_t>(source.line(line).size());
  return without_statement(context, {place.file, {begin, end}}, Applicability::safe,
                           "take out the repetition");
}

/// Replaces the last word of what is written, when that is the name as it stands.
void add_fix(const CheckContext& context, const Observation& seen, std::string_view by,
             diagnostics::Applicability applicability, RawFinding& finding) {
  const replay::Place place = context.event(seen.event).place;
  const std::string_view text = context.text(place);
  const Name old = split(seen.name);
  const Name made = split(by);
  // Only a plain `module.name` can be changed by its last word: the module has to be the same one.
  const bool same_module =
      old.module == made.module || old.module == std::string(made.module) + ".memory";
  const bool is_attribute = text.ends_with("." + std::string(old.last));
  size_t end = is_attribute ? text.size() : 0;
  while (end < text.size() && text[end] != '(') ++end;
  const std::string_view head = text.substr(0, end);
  if (head == seen.name && !same_module) {
    const text::Span whole{place.span.begin, static_cast<uint32_t>(place.span.begin + head.size())};
    finding.fix = RawFix{
        applicability, "write `" + std::string(by) + "`", {{{place.file, whole}, std::string(by)}}};
    return;
  }
  if (!same_module || !head.ends_with("." + std::string(old.last))) return;
  const auto begin = static_cast<uint32_t>(place.span.begin + head.size() - old.last.size());
  const text::Span span{begin, static_cast<uint32_t>(begin + old.last.size())};
  if (std::optional<RawFix> gone = without_repetition(context, place, old.last, made.last)) {
    finding.fix = std::move(gone);
    return;
  }
  RawFix fix;
  fix.applicability = applicability;
  fix.title = "write `" + std::string(made.last) + "`";
  fix.edits.push_back({{place.file, span}, std::string(made.last)});
  finding.fix = std::move(fix);
}

RawFinding finding_for(const CheckContext& context, const Observation& seen, Severity severity,
                       const Words& words) {
  RawFinding finding = context.finding_at(context.event(seen.event).place, severity, words);
  context.explain_calls(finding, seen.event);
  return finding;
}

/// The releases that have it, for people: `2.1 to 2.4`, `2.5 and newer`.
std::string releases_with(const NameStatus& status) {
  const bool from_first = status.torch.since == knowledge::first_version;
  const bool to_last = status.torch.until == knowledge::last_version;
  if (from_first && to_last) return "other releases";
  if (to_last) return to_string(status.torch.since) + " and newer";
  if (from_first) return to_string(status.torch.until) + " and older";
  return to_string(status.torch.since) + " to " + to_string(status.torch.until);
}

/// Whether the file speaks of a package that puts names of its own into the module.
bool speaks_of_extension(const CheckContext& context, const Observation& seen,
                         const NameStatus& status) {
  const std::string_view file =
      context.timeline.files[context.event(seen.event).place.file]->bytes();
  return std::any_of(
      status.extended_by.begin(), status.extended_by.end(),
      [&](std::string_view package) { return file.find(package) != std::string_view::npos; });
}

void check_never(CheckContext& context, const Observation& seen, const NameStatus& status,
                 size_t& searches) {
  const ReplacedNameRow* row = knowledge::replaced_name(seen.name);
  const bool is_never = status.presence == NamePresence::never ||
                        (status.presence == NamePresence::open && row != nullptr && row->never);
  if (!is_never || seen.guards.expected) return;
  if (!status.extended_by.empty() && context.target.torch_stated) return;
  if (speaks_of_extension(context, seen, status)) return;
  Severity severity = context.severity();
  if (!status.extended_by.empty() || seen.guards.attribute_error)
    severity = std::min(severity, Severity::warning);
  RawFinding finding = finding_for(
      context, seen, severity,
      {{"name", shown(seen.name)}, {"advice", advice(seen.name, context.target.torch, searches)}});
  if (row != nullptr && !row->by.empty() && row->same)
    add_fix(context, seen, row->by, diagnostics::Applicability::safe, finding);
  context.report(std::move(finding));
}

void check_elsewhere(CheckContext& context, const Observation& seen, const NameStatus& status,
                     size_t& searches) {
  const bool is_some = status.presence == NamePresence::some;
  if (status.presence != NamePresence::elsewhere && !is_some) return;
  if (!context.target.torch_stated || seen.conditional || seen.guards.attribute_error) return;
  const Name name = split(seen.name);
  std::vector<knowledge::Version> without;
  for (const knowledge::Version release : context.target.torch) {
    const NamePresence one = knowledge::name_status(name.module, name.last, {&release, 1}).presence;
    if (one == NamePresence::elsewhere) without.push_back(release);
  }
  const Releases releases = context.releases_in(without);
  if (releases.none) return;
  RawFinding finding =
      finding_for(context, seen, releases.all ? context.severity() : Severity::warning,
                  {{"name", std::string(seen.name)},
                   {"releases", releases.text},
                   {"others", releases_with(status)},
                   {"advice", advice(seen.name, without, searches)}});
  finding.torch = releases.text;
  context.report(std::move(finding));
}

/// A row's sentence as a part of one.
std::string as_clause(std::string_view sentence) {
  std::string clause(sentence);
  if (clause.ends_with('.')) clause.pop_back();
  const bool is_word = clause.size() > 1 && clause[1] >= 'a' && clause[1] <= 'z';
  if (is_word && clause[0] >= 'A' && clause[0] <= 'Z') clause[0] += 'a' - 'A';
  return clause;
}

void check_replaced(CheckContext& context, const Observation& seen) {
  const ReplacedNameRow* row = knowledge::replaced_name(seen.name);
  if (row == nullptr || row->never || row->by.empty()) return;
  const Releases releases = context.releases_in(knowledge::VersionRange{row->since});
  const Name by = split(row->by);
  const NameStatus there = knowledge::name_status(by.module, by.last, context.target.torch);
  if (!releases.all || there.presence != NamePresence::all) return;
  RawFinding finding = finding_for(context, seen, context.severity(),
                                   {{"name", std::string(seen.name)},
                                    {"by", std::string(row->by)},
                                    {"problem", as_clause(row->summary)}});
  if (row->same) add_fix(context, seen, row->by, diagnostics::Applicability::safe, finding);
  context.report(std::move(finding));
}

}  // namespace

void check_memory_name(CheckContext& context) {
  const std::set<std::string_view> asked = asked_names(context);
  size_t searches = 0;
  for (const Observation& seen : context.timeline.observations) {
    if (seen.kind != ObservationKind::name_read || is_asked_for(asked, seen.name)) continue;
    const Name name = split(seen.name);
    const NameStatus status = knowledge::name_status(name.module, name.last, context.target.torch);
    if (context.page.name == "unknown-memory-name") {
      check_never(context, seen, status, searches);
    } else if (context.page.name == "name-not-in-release") {
      check_elsewhere(context, seen, status, searches);
    } else {
      check_replaced(context, seen);
    }
  }
}

}  // namespace vramlint::rules
