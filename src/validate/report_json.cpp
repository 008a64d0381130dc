// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "validate/report.h"
#include "validate/units.h"
#include "vramlint_version.h"

namespace vramlint::validate {

namespace {

using Json = nlohmann::ordered_json;

Json figures_json(const std::optional<Figures>& figures) {
  if (!figures) return nullptr;
  return {{"median", figures->median},
          {"least", figures->least},
          {"most", figures->most},
          {"runs", figures->count}};
}

std::string_view how_text(Ended::How how) {
  switch (how) {
    case Ended::How::by_itself: return "exit";
    case Ended::How::by_signal: return "signal";
    case Ended::How::timed_out: return "time-limit";
    case Ended::How::interrupted: return "interrupted";
    case Ended::How::not_started: return "not-started";
    case Ended::How::unclear: return "unclear";
  }
  return {};
}

Json torch_json(const TorchReport& report) {
  if (!report.has_torch) return {{"process", report.process}, {"torch", nullptr}};
  Json json{{"process", report.process},
            {"torch", report.torch},
            {"initialized", report.initialized},
            {"backend", report.backend},
            {"allocator_string", report.string},
            {"in_force", report.in_force},
            {"allocated_peak", report.allocated_peak},
            {"reserved_peak", report.reserved_peak},
            {"retries", report.retries},
            {"out_of_memory", report.out_of_memory}};
  json["driver_allocations"] =
      report.driver_allocations ? Json(*report.driver_allocations) : Json(nullptr);
  return json;
}

Json driver_json(const Run& run) {
  if (!run.has_trace) return nullptr;
  const DriverUse& use = run.driver;
  return {{"allocations", use.allocations},
          {"frees", use.frees},
          {"pooled", use.pooled},
          {"failed", use.failed},
          {"host_allocations", use.host_allocations},
          {"shared", use.shared},
          {"taken_bytes", use.taken_bytes},
          {"peak_bytes", use.peak_bytes},
          {"seconds", static_cast<double>(use.waited_ns) / 1e9},
          {"calls", use.calls},
          {"trace_bytes", run.trace_bytes}};
}

Json run_json(const Run& run) {
  Json json{{"variant", letter_of(run.variant)},
            {"ended", how_text(run.ended.how)},
            {"status", run.ended.status},
            {"problem", nullptr},
            {"seconds", run.ended.seconds()},
            {"busy_seconds", run.busy_seconds()},
            {"host_peak_bytes", run.ended.host_peak_bytes}};
  if (run.ended.how == Ended::How::not_started || run.ended.how == Ended::How::unclear) {
    json["status"] = nullptr;
  }
  if (run.ended.how == Ended::How::not_started) json["problem"] = problem_text(run.ended);
  json["device_peak_bytes"] = run.has_device ? Json(run.device_peak) : Json(nullptr);
  json["driver"] = driver_json(run);
  json["processes"] = Json::array();
  for (const TorchReport& report : run.reports) json["processes"].push_back(torch_json(report));
  json["out_of_memory"] = run.was_out_of_memory();
  json["warnings"] = run.signs.warnings;
  json["tracebacks"] = run.signs.tracebacks;
  json["left_behind"] = run.ended.left_behind;
  json["complaints"] = run.complaints;
  json["last_output"] = run.last_output;
  json["last_errors"] = run.last_errors;
  return json;
}

Json variant_json(const Plan& plan, std::size_t index, const Judged& judged) {
  const Variant& variant = plan.variants[index];
  Json json{{"letter", letter_of(index)}, {"title", variant.title}};
  json["rule"] = variant.rule.empty() ? Json(nullptr) : Json(variant.rule);
  json["script"] = variant.script;
  json["settings"] = Json::object();
  for (const auto& [name, value] : variant.settings) json["settings"][name] = value;
  json["changes"] = variant.changes;
  if (index == 0) return json;
  json["verdict"] = judged.judgements.empty() ? Json(nullptr) : Json(name_of(judged.verdict));
  json["promises"] = Json::array();
  for (const Judgement& judgement : judged.judgements) {
    json["promises"].push_back({{"criterion", judgement.criterion->name},
                                {"margin", judgement.criterion->margin},
                                {"scatter", judgement.criterion->scatter},
                                {"verdict", name_of(judgement.verdict)},
                                {"reason", judgement.reason},
                                {"before", figures_json(judgement.before)},
                                {"after", figures_json(judgement.after)}});
  }
  return json;
}

}  // namespace

std::string report_json(const Plan& plan, const Results& results,
                        const std::vector<Judged>& judged) {
  Json json{{"version", 1}, {"tool", {{"name", "vramlint"}, {"version", version}}}};
  json["machine"] = {{"devices", results.devices},
                     {"driver", results.driver},
                     {"python", results.python},
                     {"torch", results.torch},
                     {"recorder", !plan.recorder.empty()}};
  json["arguments"] = plan.arguments;
  json["runs_of_each"] = plan.runs;
  json["steps"] = plan.steps ? Json(*plan.steps) : Json(nullptr);
  json["interrupted"] = results.interrupted;
  json["refuted"] = any_refuted(judged);
  json["kept"] = results.kept.empty() ? Json(nullptr) : Json(results.kept);
  json["notes"] = results.notes;
  json["variants"] = Json::array();
  for (std::size_t i = 0; i < plan.variants.size(); ++i) {
    json["variants"].push_back(variant_json(plan, i, judged[i]));
  }
  json["runs"] = Json::array();
  for (const Run& run : results.runs) json["runs"].push_back(run_json(run));
  // What programs write need not be UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vramlint::validate
