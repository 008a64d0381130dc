// SPDX-License-Identifier: MIT
//
// The index of a device that `CUDA_VISIBLE_DEVICES` does not show.
#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::KnownValue;
using replay::Observation;
using replay::ObservationKind;

/// How many devices are shown; 0 when that is not known, or none is.
int64_t shown_devices(std::string_view list) {
  if (list.empty() || list.find('-') != std::string_view::npos) return 0;
  return 1 + std::ranges::count(list, ',');
}

/// The write that is in force at the observation; null when nobody knows which.
const Observation* mask_before(const CheckContext& context, size_t index) {
  const std::vector<Observation>& all = context.timeline.observations;
  for (size_t i = index; i-- > 0;) {
    const bool changes = all[i].kind == ObservationKind::variable_write ||
                         all[i].kind == ObservationKind::variable_removal;
    if (!changes || all[i].name != "CUDA_VISIBLE_DEVICES") continue;
    if (all[i].process != all[index].process) continue;
    const auto driver = static_cast<size_t>(knowledge::Moment::driver);
    const bool in_time = all[i].moments[driver].certainty == replay::Certainty::no;
    const bool is_known = all[i].kind == ObservationKind::variable_write && in_time &&
                          !all[i].conditional && all[i].form != replay::WriteForm::set_default;
    return is_known ? &all[i] : nullptr;
  }
  return nullptr;
}

/// Whether the program comes here under a condition, and counts the devices in that file: what it
/// does with two of them it does not do with one.
bool counts_devices(const CheckContext& context, const Observation& seen) {
  const uint32_t file = context.event(seen.event).place.file;
  return seen.conditional &&
         context.timeline.files[file]->bytes().find("device_count") != std::string_view::npos;
}

/// Whether the call looks the device up at once, and not only when what it gives is used.
bool takes_device(const CheckContext& context, const Observation& seen) {
  if (seen.kind == ObservationKind::device_named) return seen.name != "torch.device";
  if (seen.kind != ObservationKind::call || !context.is_about(std::string(seen.name) + "()"))
    return false;
  if (seen.name != "torch.cuda.device") return true;
  const replay::Place place = context.event(seen.event).place;
  const std::string_view before = context.text({place.file, {0, place.span.begin}});
  return before.ends_with("with ");
}

/// The device that a call is given, or the devices.
const replay::ObservedArgument* device_argument(const Observation& seen) {
  const bool takes_several = seen.name.ends_with("Parallel");
  return takes_several ? given_argument(seen, "device_ids", 1) : given_argument(seen, "device", 0);
}

/// `"cuda:3"`.
int64_t index_in(std::string_view text) {
  constexpr std::string_view prefix = "cuda:";
  if (!text.starts_with(prefix)) return 0;
  int64_t index = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data() + prefix.size(), end, index);
  return error == std::errc() && at == end ? index : 0;
}

/// The index of the device; 0 for the first one, and when it is not known.
int64_t index_of(const Observation& seen) {
  if (seen.kind == ObservationKind::device_named) return integer_of(&seen.value);
  const replay::ObservedArgument* given = device_argument(seen);
  if (given == nullptr) return 0;
  if (given->value.kind == KnownValue::Kind::text) return index_in(given->value.text);
  if (given->value.kind == KnownValue::Kind::device) return given->value.integer;
  return std::max(integer_of(&given->value), given->largest);
}

/// The expression of `os.environ[…] = str(rank)` or of `f"{rank}"`; empty for any other.
std::string_view masking_rank(const CheckContext& context, const Observation& mask) {
  std::string_view text = context.text(context.event(mask.event).place);
  const size_t sign = text.find('=');
  if (mask.form != replay::WriteForm::subscript || sign == std::string_view::npos) return {};
  text.remove_prefix(std::min(text.find_first_not_of(" \t", sign + 1), text.size()));
  for (const auto& [begin, end] : {std::pair<std::string_view, std::string_view>{"str(", ")"},
                                   {"f\"{", "}\""},
                                   {"f'{", "}'"}}) {
    if (!text.starts_with(begin) || !text.ends_with(end)) continue;
    const std::string_view inner =
        text.substr(begin.size(), text.size() - begin.size() - end.size());
    const bool is_plain = inner.find_first_of("()[]{}+-*/%, ") == std::string_view::npos;
    if (is_plain && inner.find("rank") != std::string_view::npos) return inner;
  }
  return {};
}

/// Whether the call takes the rank by which the process has chosen its only device as an index.
bool takes_rank(const CheckContext& context, const Observation& seen, const Observation& mask) {
  const std::string_view rank = masking_rank(context, mask);
  const replay::Place from = context.event(mask.event).place;
  const replay::Place to = context.event(seen.event).place;
  if (rank.empty() || from.file != to.file || to.span.begin < from.span.end) return false;
  if (seen.written.scope != mask.written.scope || seen.conditional) return false;
  const std::string_view between = context.text({from.file, {from.span.end, to.span.begin}});
  if (assigns(between, rank) || between.find("else") != std::string_view::npos) return false;
  const replay::ObservedArgument* given =
      seen.kind == ObservationKind::device_named ? nullptr : device_argument(seen);
  if (seen.kind == ObservationKind::call) {
    if (given == nullptr || !given->written) return false;
    const std::string_view text = context.text(*given->written);
    return text == rank || text == "[" + std::string(rank) + "]";
  }
  const std::string_view text = context.text(to);
  return text.find("cuda:{" + std::string(rank) + "}") != std::string_view::npos ||
         text.ends_with("(" + std::string(rank) + ")");
}

std::string_view failure_of(const Observation& seen) {
  const bool asks = seen.name.find("get_device_") != std::string_view::npos ||
                    seen.name.ends_with(".DataParallel");
  return asks ? "an AssertionError, `Invalid device id`" : "`invalid device ordinal`";
}

/// What the list shows, and which device of it there is not.
struct Fault {
  std::string shown;
  std::string index;
};

void report(CheckContext& context, const Observation& seen, const Observation& mask,
            diagnostics::Severity severity, Fault fault) {
  RawFinding finding = context.finding_at(context.event(seen.event).place, severity,
                                          {{"shown", std::move(fault.shown)},
                                           {"index", std::move(fault.index)},
                                           {"failure", std::string(failure_of(seen))}});
  finding.related.push_back({context.event(mask.event).place, "only these devices are seen"});
  context.explain_calls(finding, seen.event);
  context.report(std::move(finding));
}

/// `os.environ["CUDA_VISIBLE_DEVICES"] = str(rank)`, and `cuda:rank`.
void check_rank(CheckContext& context, const Observation& seen, const Observation& mask) {
  if (!takes_rank(context, seen, mask)) return;
  const std::string rank = "`" + std::string(masking_rank(context, mask)) + "`";
  report(context, seen, mask, diagnostics::Severity::warning,
         {"`CUDA_VISIBLE_DEVICES` shows this process the GPU of " + rank + " alone",
          rank + " in any process but the first"});
}

/// An index that is written in the program.
void check_index(CheckContext& context, const Observation& seen, const Observation& mask) {
  const int64_t index = index_of(seen);
  const int64_t count = shown_devices(mask.value.text);
  if (count == 0 || index < count || index <= 0 || counts_devices(context, seen)) return;
  const auto severity = context.severity_of(
      seen, seen.conditional ? replay::Certainty::perhaps : replay::Certainty::yes);
  report(context, seen, mask, severity,
         {"`CUDA_VISIBLE_DEVICES=" + std::string(mask.value.text) + "` shows " +
              std::to_string(count) + " device(s)",
          std::to_string(index)});
}

}  // namespace

void check_masked_device_index(CheckContext& context) {
  const std::vector<Observation>& all = context.timeline.observations;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!takes_device(context, all[i]) || all[i].guards.runtime_error) continue;
    const Observation* mask = mask_before(context, i);
    if (mask == nullptr) continue;
    // Of processes that are spawned in a row the first one is run, whose rank is 0.
    const bool is_first = mask->process != 0 && !mask->uncalled && mask->value.text == "0";
    if (mask->value.kind == KnownValue::Kind::text && !is_first) {
      check_index(context, all[i], *mask);
    } else {
      check_rank(context, all[i], *mask);
    }
  }
}

}  // namespace vramlint::rules
