// SPDX-License-Identifier: MIT
//
// Habits that keep memory longer than it seems; each has a page of its own.
#include "rules/check.h"
#include "rules/source_edits.h"
#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::KeptWay;

struct Habit {
  std::string_view page;
  KeptWay way;
};

constexpr Habit habits[] = {
    {"evaluation-with-gradients", KeptWay::evaluation},
    {"hook-collects-outputs", KeptWay::hook},
    {"retry-in-memory-handler", KeptWay::retry},
    {"result-in-context", KeptWay::context},
    {"gradients-with-graph", KeptWay::gradients},
    {"live-state-as-snapshot", KeptWay::live_state},
    {"cache-emptied-before-delete", KeptWay::referenced},
    {"gpu-results-remembered", KeptWay::cached},
    {"step-outputs-never-cleared", KeptWay::epochs},
    {"average-with-gradients", KeptWay::average},
    {"loader-cycled", KeptWay::cycle},
    {"loader-begun-anew", KeptWay::restart},
    {"gradients-set-to-zero", KeptWay::zeroed},
    {"gradients-mode-not-entered", KeptWay::not_entered},
    {"detached-tensor-dropped", KeptWay::detached},
    {"out-of-memory-error-kept", KeptWay::failure},
    {"cache-emptied-while-held", KeptWay::held},
    {"hook-registered-each-round", KeptWay::registered},
    {"gradient-flag-without-effect", KeptWay::flag},
};

/// The call goes behind the `del` of the next line.
std::optional<RawFix> swapped_with_next_line(const CheckContext& context, replay::Place place) {
  const std::optional<replay::Place> lines = own_lines(context, place);
  if (!lines) return std::nullopt;
  const text::Source& source = *context.timeline.files[place.file];
  const uint32_t line = source.position_of(lines->span.begin).line;
  const uint32_t next = source.position_of(lines->span.end).line;
  const std::string_view own = source.line(line);
  const std::string_view other = source.line(next);
  const size_t indent = own.find_first_not_of(" \t");
  const bool deletes = indent == other.find_first_not_of(" \t") &&
                       other.substr(indent).starts_with("del ") && !other.ends_with('\\');
  if (next != line + 1 || !deletes) return std::nullopt;
  const replay::Place both{
      place.file,
      {source.line_begin(line), static_cast<uint32_t>(source.line_begin(next) + other.size())}};
  return fix_of(Applicability::safe, "empty the cache after the `del`", both,
                std::string(other) + "\n" + std::string(own));
}

/// `model.state_dict()` becomes copies of its tensors.
std::optional<RawFix> copied(const CheckContext& context, replay::Place place) {
  const std::string_view text = context.text(place);
  constexpr std::string_view call = ".state_dict()";
  const size_t at = text.find(call);
  if (at == std::string_view::npos || text.find(call, at + 1) != std::string_view::npos)
    return std::nullopt;
  size_t begin = at;
  const auto belongs = [](char byte) {
    return byte == '.' || byte == '_' || (byte >= '0' && byte <= '9') ||
           (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
  };
  while (begin > 0 && belongs(text[begin - 1])) --begin;
  const TextSpan part{begin, at + call.size()};
  const std::string state(text.substr(part.begin, part.size()));
  return fix_of(Applicability::unsafe, "copy the tensors", part_of(place, part),
                "{name: value.clone() for name, value in " + state + ".items()}");
}

/// How many brackets a line leaves open, or closes; unset where a text or a backslash goes on in
/// the next line.
std::optional<int> brackets_of(std::string_view line) {
  int open = 0;
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char byte = line[i];
    if (byte == '\\') {
      if (++i == line.size()) return std::nullopt;
    } else if (quote != 0) {
      if (byte == quote) quote = 0;
    } else if (byte == '"' || byte == '\'') {
      if (line.substr(i).starts_with(std::string(3, byte))) return std::nullopt;
      quote = byte;
    } else if (byte == '#') {
      break;
    } else if (byte == '(' || byte == '[' || byte == '{') {
      ++open;
    } else if (byte == ')' || byte == ']' || byte == '}') {
      --open;
    }
  }
  return quote == 0 ? std::optional(open) : std::nullopt;
}

/// What the block of this line is indented with beyond the line that opens it; empty where that is
/// not seen, and where a class has the block.
std::string_view unit_of(const text::Source& source, uint32_t own, std::string_view indent) {
  for (uint32_t line = own; --line > 0;) {
    const std::string_view before = source.line(line);
    const size_t begin = before.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos || before[begin] == '#' || begin >= indent.size()) continue;
    const std::string_view head = before.substr(begin);
    const bool opens = before.find(':') != std::string_view::npos && !head.starts_with("class ");
    const bool is_inner = indent.starts_with(before.substr(0, begin));
    return opens && is_inner ? indent.substr(begin) : std::string_view{};
  }
  return {};
}

/// `torch.no_grad()` becomes the head of a block, which the rest of its own block goes into. Only
/// where its lines can be moved as they are.
std::optional<RawFix> entered(const CheckContext& context, replay::Place place) {
  const std::optional<replay::Place> lines = own_lines(context, place);
  if (!lines) return std::nullopt;
  const text::Source& source = *context.timeline.files[place.file];
  const uint32_t own = source.position_of(lines->span.begin).line;
  const std::string_view first = source.line(own);
  const std::string_view indent = first.substr(0, first.find_first_not_of(" \t"));
  // What a whole module has below is not meant.
  const std::string_view unit = unit_of(source, own, indent);
  if (unit.empty() || source.bytes().find('\r') != std::string_view::npos) return std::nullopt;
  std::string block;
  uint32_t last = own;
  std::string blanks;
  int open = 0;
  bool left = false;  // a comment stands further out: the block may have ended before it
  for (uint32_t next = own + 1; next <= source.line_count(); ++next) {
    const std::string_view line = source.line(next);
    const size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) {
      blanks += "\n";
      continue;
    }
    if (begin < indent.size()) {
      if (open != 0) return std::nullopt;
      if (line[begin] != '#') break;
      left = true;
      continue;
    }
    const std::optional<int> brackets = brackets_of(line);
    if (left || !line.starts_with(indent) || !brackets) return std::nullopt;
    open += *brackets;
    block += "\n" + blanks + std::string(indent) + std::string(unit) +
             std::string(line.substr(indent.size()));
    blanks.clear();
    last = next;
  }
  if (block.empty() || open != 0) return std::nullopt;
  const uint32_t end = source.line_begin(last) + static_cast<uint32_t>(source.line(last).size());
  const uint32_t call_line = source.position_of(place.span.end).line;
  const uint32_t call_end =
      source.line_begin(call_line) + static_cast<uint32_t>(source.line(call_line).size());
  if (call_line != own) return std::nullopt;
  return fix_of(Applicability::unsafe, "enter it", {place.file, {lines->span.begin, end}},
                std::string(indent) + "with " + std::string(context.text(place)) + ":" +
                    std::string(source.slice({place.span.end, call_end})) + block);
}

/// `h.detach()` becomes `h = h.detach()`.
std::optional<RawFix> taken(const CheckContext& context, replay::Place place,
                            std::string_view name) {
  if (name.empty() || context.text(place).find('\n') != std::string_view::npos) return std::nullopt;
  if (!is_whole_statement(context, place)) return std::nullopt;
  return fix_of(Applicability::unsafe, "take what it gives", place,
                std::string(name) + " = " + std::string(context.text(place)));
}

std::optional<RawFix> remedy(const CheckContext& context, const replay::Observation& seen) {
  const replay::Place place = context.event(seen.event).place;
  switch (seen.kept) {
    case KeptWay::referenced: return swapped_with_next_line(context, place);
    case KeptWay::live_state: return copied(context, place);
    case KeptWay::not_entered: return entered(context, place);
    case KeptWay::detached: return taken(context, place, seen.value.text);
    case KeptWay::flag:
      return fix_of(Applicability::unsafe, "say it to the parameters", place,
                    std::string(seen.value.text));
    case KeptWay::zeroed:
      return without_argument(context, place, "set_to_none", 0, Applicability::unsafe);
    default: return std::nullopt;
  }
}

/// What becomes of the graphs that an evaluation records.
std::string until(std::string_view keeper) {
  if (keeper.empty()) return " and keeps its activations at least until the next one";
  const bool is_name = !keeper.starts_with("this ");
  const std::string name = is_name ? "`" + std::string(keeper) + "`" : std::string(keeper);
  return ", and " + name + " keeps those of all batches with their activations";
}

std::string when(std::string_view function) {
  return function.empty() ? "round of this loop" : "call of `" + std::string(function) + "`";
}

/// The second place that a habit is about.
void explain(RawFinding& finding, const replay::Observation& seen) {
  if (seen.loop && (seen.kept == KeptWay::evaluation || seen.kept == KeptWay::registered))
    finding.related.push_back({seen.loop->statement, "in each round of this loop"});
  if (!seen.value.literal) return;
  if (seen.kept == KeptWay::evaluation)
    finding.related.push_back({*seen.value.literal, "this line does not turn them off"});
  if (seen.kept == KeptWay::held)
    finding.related.push_back({*seen.value.literal, "only the name goes here"});
}

}  // namespace

void check_kept_memory(CheckContext& context) {
  for (const Habit& habit : habits) {
    if (habit.page != context.page.name) continue;
    for (const replay::Observation& seen : context.timeline.observations) {
      const bool fits = seen.kind == replay::ObservationKind::graph_kept && seen.kept == habit.way;
      if (!fits || seen.in_test) continue;
      const bool is_per_batch =
          habit.way == KeptWay::restart || (habit.way == KeptWay::registered && seen.loop);
      if (is_per_batch && !seen.each_batch) continue;
      RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                              {{"name", std::string(seen.name)},
                                               {"holder", std::string(seen.value.text)},
                                               {"instead", std::string(seen.value.text)},
                                               {"until", until(seen.value.text)},
                                               {"when", when(seen.value.text)}});
      explain(finding, seen);
      finding.fix = remedy(context, seen);
      context.report(std::move(finding));
    }
  }
}

}  // namespace vramlint::rules
