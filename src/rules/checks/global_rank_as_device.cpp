// SPDX-License-Identifier: MIT
//
// The number of a rank among all nodes used as that of a GPU of its own node.
#include <algorithm>

#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

constexpr std::string_view sources[] = {
    "torch.distributed.get_rank", "torch.distributed.distributed_c10d.get_rank", "os.environ.RANK",
    "os.environ.SLURM_PROCID", "os.environ.OMPI_COMM_WORLD_RANK"};

bool is_local_address(const replay::KnownValue& value) {
  return value.kind == replay::KnownValue::Kind::text &&
         (value.text.find("localhost") != std::string_view::npos ||
          value.text.find("127.0.0.1") != std::string_view::npos);
}

/// A program that says that it runs on one node, or shows each rank its own GPU.
bool is_single_node(const CheckContext& context) {
  return std::ranges::any_of(context.timeline.observations, [](const Observation& seen) {
    if (seen.kind == ObservationKind::variable_write) {
      return seen.name == "CUDA_VISIBLE_DEVICES" ||
             (seen.name == "MASTER_ADDR" && is_local_address(seen.value));
    }
    const replay::KnownValue* method = argument_of(seen, "init_method", 1);
    return seen.kind == ObservationKind::call && seen.name.ends_with(".init_process_group") &&
           method != nullptr && is_local_address(*method);
  });
}

const replay::ObservedArgument* device_in(const Observation& seen) {
  const bool names = seen.kind == ObservationKind::device_named ||
                     is_call(seen, "torch.cuda.set_device") || is_call(seen, "torch.cuda.device");
  return names && !seen.arguments.empty() ? &seen.arguments.front() : nullptr;
}

/// `f"cuda:{rank}"` with the name that the rank was given.
void report_texts(CheckContext& context, const Observation& source) {
  const std::string_view name = assigned_text(context, source);
  const replay::Place body = source.written.body;
  const std::string_view text = context.text(body);
  if (!is_identifier(name)) return;
  const std::string device = "cuda:{" + std::string(name) + "}";
  const uint32_t after = context.event(source.event).place.span.end;
  if (assigns(context.text({body.file, {after, body.span.end}}), name)) return;
  for (size_t at = text.find(device); at != std::string_view::npos;
       at = text.find(device, at + 1)) {
    const size_t end = at + device.size();
    const bool is_whole = at >= 2 && end < text.size() && text[at - 1] == text[end] &&
                          text[at - 2] == 'f' && (text[end] == '"' || text[end] == '\'');
    const auto begin = static_cast<uint32_t>(body.span.begin + at - 2);
    if (!is_whole || begin < after) continue;
    const replay::Place place{body.file, {begin, static_cast<uint32_t>(body.span.begin + end + 1)}};
    RawFinding finding = context.finding_at(place, context.severity(), {});
    finding.related.push_back({context.event(source.event).place, "the rank among all nodes"});
    context.report(std::move(finding));
  }
}

}  // namespace

void check_global_rank_as_device(CheckContext& context) {
  if (is_single_node(context)) return;
  for (const Observation& seen : context.timeline.observations) {
    const bool is_source = seen.kind == ObservationKind::call && !seen.in_test &&
                           std::ranges::find(sources, seen.name) != std::end(sources);
    if (is_source) report_texts(context, seen);
    const replay::ObservedArgument* device = device_in(seen);
    if (device == nullptr || seen.in_test) continue;
    if (std::ranges::find(sources, device->made_by) == std::end(sources)) continue;
    RawFinding finding =
        context.finding_at(context.event(seen.event).place, context.severity(), {});
    if (device->made_at) finding.related.push_back({*device->made_at, "the rank among all nodes"});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
