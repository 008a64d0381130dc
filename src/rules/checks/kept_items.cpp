// SPDX-License-Identifier: MIT
//
// A container that gets another tensor with its graph in each round of a loop.
#include "rules/check.h"
#include "rules/source_edits.h"
#include "rules/written_text.h"

namespace vramlint::rules {

namespace {

bool is_word_byte(char byte) {
  return byte == '_' || byte == '.' || (byte >= '0' && byte <= '9') ||
         (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

/// Whether the function treats the item as one tensor: a tuple of them has no `detach()`.
bool is_tensor(const CheckContext& context, const replay::Observation& seen,
               std::string_view item) {
  const size_t begin = item.rfind('.') == std::string_view::npos ? 0 : item.rfind('.') + 1;
  const std::string_view last = item.substr(begin);
  if (last.starts_with("loss") || last.ends_with("loss") || last.ends_with("losses")) return true;
  for (const std::string_view method : {"cpu()", "clone()", "mean()", "sum()", "squeeze()"}) {
    if (item.ends_with("." + std::string(method))) return true;
  }
  const std::string_view body = context.text(seen.written.body);
  for (const std::string_view method : {".backward(", ".item(", ".mean(", ".detach("}) {
    const std::string use = std::string(item) + std::string(method);
    const size_t at = is_identifier(item) ? body.find(use) : std::string_view::npos;
    if (at != std::string_view::npos && (at == 0 || !is_word_byte(body[at - 1]))) return true;
  }
  return false;
}

/// `losses.append(loss)` becomes `losses.append(loss.detach())`.
std::optional<RawFix> cut_off(const CheckContext& context, const replay::Observation& seen) {
  const replay::Place place = context.event(seen.event).place;
  const std::string_view text = context.text(place);
  const std::optional<WrittenCall> call = read_call(text);
  if (!call || call->unpacks || call->arguments.size() != 1) return std::nullopt;
  if (!text.substr(0, call->callee.end).ends_with(".append")) return std::nullopt;
  const replay::Place item = part_of(place, call->arguments[0].whole);
  if (!is_primary(context.text(item)) || !is_tensor(context, seen, context.text(item)))
    return std::nullopt;
  RawFix fix;
  fix.applicability = Applicability::unsafe;
  fix.title = "add `.detach()`";
  fix.edits.push_back(detached(context, item));
  return fix;
}

}  // namespace

void check_kept_items(CheckContext& context) {
  using replay::KeptWay;
  for (const replay::Observation& seen : context.timeline.observations) {
    const bool grows = seen.kept == KeptWay::container;
    if (seen.kind != replay::ObservationKind::graph_kept || !grows || seen.in_test) continue;
    const auto severity = seen.each_step ? context.severity() : diagnostics::Severity::note;
    RawFinding finding = context.finding_at(context.event(seen.event).place, severity,
                                            {{"name", std::string(seen.name)}});
    if (seen.loop) finding.related.push_back({seen.loop->statement, "in each round of this loop"});
    context.explain_calls(finding, seen.event);
    finding.fix = cut_off(context, seen);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
