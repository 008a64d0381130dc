// SPDX-License-Identifier: MIT
//
// A copy to the host that nobody waits for is read.
#include <algorithm>

#include "rules/source_edits.h"
#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

constexpr std::string_view reads[] = {".numpy", ".item", ".tolist"};
/// These read their first argument.
constexpr std::string_view reading_functions[] = {"float", "int",         "bool",
                                                  "print", "numpy.array", "numpy.asarray"};
constexpr std::string_view waits[] = {".synchronize",
                                      ".wait",
                                      ".cpu",
                                      "torch.cuda.synchronize",
                                      "torch.accelerator.synchronize",
                                      "torch.mps.synchronize",
                                      "torch.xpu.synchronize"};

bool is_one_of(const Observation& seen, std::span<const std::string_view> names) {
  return seen.kind == ObservationKind::call && std::ranges::find(names, seen.name) != names.end();
}

/// The name of the copy; nothing when this is no copy from a device to the host.
bool starts_copy(const CheckContext& context, const Observation& seen, std::string_view& name) {
  if (!is_true(argument_of(seen, "non_blocking", -1)) || !seen.written.receiver) return false;
  const replay::ObservedArgument& receiver = *seen.written.receiver;
  if (seen.arguments.empty()) return false;
  if (is_call(seen, ".copy_")) {
    name = receiver_text(context, seen);
    return receiver.device == replay::Device::cpu &&
           seen.arguments.front().device != replay::Device::cpu;
  }
  const replay::KnownValue* device = argument_of(seen, "device", 0);
  const bool to_host =
      is_text(device, "cpu") || (device == &seen.arguments.front().value &&
                                 device->kind == replay::KnownValue::Kind::device &&
                                 seen.arguments.front().device == replay::Device::cpu);
  name = assigned_text(context, seen);
  return is_call(seen, ".to") && to_host && receiver.device != replay::Device::cpu;
}

/// Whether the text reads what the named tensor holds: `name`, `name[0]`, `name.float()`. Its shape
/// and the like are there at once.
bool reads_from(const CheckContext& context, std::string_view text, std::string_view name) {
  if (name.empty() || root_of(text) != name) return false;
  int depth = 0;
  for (size_t i = name.size(); i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[') ++depth;
    if (text[i] == ')' || text[i] == ']') --depth;
    if (text[i] != '.' || depth > 0) continue;
    const std::string_view method = text.substr(i + 1, text.find_first_of(".([ ", i + 1) - i - 1);
    const knowledge::MethodRow* row = context.knowledge.method(method);
    if (row == nullptr || row->makes != knowledge::Makes::tensor_like) return false;
  }
  return true;
}

/// The first read of the copy before anything waits for it.
const Observation* read_after(const CheckContext& context, size_t index, std::string_view name) {
  const std::vector<Observation>& all = context.timeline.observations;
  const Observation& copy = all[index];
  for (size_t i = index + 1; i < all.size(); ++i) {
    if (all[i].process != copy.process) continue;
    if (is_one_of(all[i], waits)) return nullptr;
    const bool by_function = is_one_of(all[i], reading_functions);
    if (!by_function && (!is_one_of(all[i], reads) || !all[i].written.receiver)) continue;
    const std::optional<replay::Place>& written =
        by_function ? all[i].arguments.front().written : all[i].written.receiver->written;
    if (!written) continue;
    const bool is_chain = *written == context.event(copy.event).place;
    const bool is_named = all[i].written.scope == copy.written.scope &&
                          reads_from(context, context.text(*written), name);
    if (is_chain || is_named) return &all[i];
    if (all[i].name != ".numpy" && all[i].name != "print")
      return nullptr;  // `item()` of something on the device waits
  }
  return nullptr;
}

}  // namespace

void check_early_read(CheckContext& context) {
  const std::vector<Observation>& all = context.timeline.observations;
  for (size_t i = 0; i < all.size(); ++i) {
    std::string_view name;
    if (all[i].kind != ObservationKind::call || !starts_copy(context, all[i], name)) continue;
    if (!name.empty() && !is_identifier(name)) continue;
    const Observation* read = read_after(context, i, name);
    if (read == nullptr) continue;
    const bool is_certain =
        all[i].written.receiver->device == replay::Device::cuda || all[i].name == ".copy_";
    const auto severity = is_certain ? context.severity_of(all[i], replay::Certainty::yes)
                                     : diagnostics::Severity::warning;
    RawFinding finding = context.finding_at(context.event(read->event).place,
                                            std::min(severity, context.severity()), {});
    finding.related.push_back({context.event(all[i].event).place, "the copy is started here"});
    finding.fix = without_argument(context, context.event(all[i].event).place, "non_blocking", -1,
                                   Applicability::safe);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
