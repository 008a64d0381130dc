// SPDX-License-Identifier: MIT
// The order of things in an experiment: look at the place, lay out the folder, run A B A B …, and
// gather what each run left. Nothing is judged here.
#include "validate/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <utility>

#include "cuda/driver.h"
#include "cuda/management.h"
#include "cuda/trace_format.h"
#include "support/counted.h"
#include "support/system.h"
#include "validate/interpreter.h"
#include "validate/python_files.h"
#include "validate/scratch.h"

namespace vramlint::validate {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::size_t shown_output_bytes = 4096;

/// Variables with some of them set anew.
class Environment {
 public:
  Environment() : variables_(own_environment()) {}

  void set(std::string_view name, std::string_view value) {
    const std::string prefix = std::string(name) + "=";
    std::erase_if(variables_, [&](const std::string& each) { return each.starts_with(prefix); });
    variables_.push_back(prefix + std::string(value));
  }

  std::string value(std::string_view name) const {
    const std::string prefix = std::string(name) + "=";
    for (const std::string& each : variables_) {
      if (each.starts_with(prefix)) return each.substr(prefix.size());
    }
    return {};
  }

  std::vector<std::string> take() { return std::move(variables_); }

 private:
  std::vector<std::string> variables_;
};

class Experiment {
 public:
  Experiment(const Plan& plan, const knowledge::Knowledge& knowledge, const Observer& observer)
      : plan_(plan), knowledge_(knowledge), observer_(observer) {}

  std::optional<Error> look_at_place() {
    if (!can_supervise()) {
      return Error{"", 0, "`validate` runs programs on Linux only", "`vramlint doctor` works here"};
    }
    return look_at_devices();
  }

  std::optional<Error> look_at_python() {
    std::vector<std::string> scripts;
    for (const Variant& variant : plan_.variants) {
      if (std::ranges::find(scripts, variant.script) == scripts.end()) {
        scripts.push_back(variant.script);
      }
    }
    const Result<Interpreter> interpreter = ask_interpreter(plan_.python, scripts);
    if (!interpreter) return interpreter.error();
    results_.python = interpreter.value().python;
    results_.torch = interpreter.value().torch;
    cupti_ = interpreter.value().cupti;
    if (results_.torch.empty()) {
      return Error{"", 0, "`" + plan_.python + "` has no PyTorch",
                   "name the interpreter that has it with `--interpreter`"};
    }
    return std::nullopt;
  }

  Result<Results> run_in(const Scratch& scratch) {
    folder_ = scratch.folder();
    keeps_ = scratch.is_kept();
    if (std::optional<Error> error = lay_out()) return *error;
    results_.interrupted = InterruptWatch::was_interrupted();
    if (judges_time() && !results_.interrupted) {
      observer_.warms_up();
      observer_.ended(run_once(0, 0));
      results_.interrupted = InterruptWatch::was_interrupted();
    }
    const std::size_t count = plan_.variants.size() * static_cast<std::size_t>(plan_.runs);
    for (std::size_t number = 0; number < count && !results_.interrupted; ++number) {
      const std::size_t variant = number % plan_.variants.size();
      observer_.begins(number + 1, count, plan_.variants[variant]);
      results_.runs.push_back(run_once(number + 1, variant));
      const Run& run = results_.runs.back();
      results_.interrupted = InterruptWatch::was_interrupted();
      observer_.ended(run);
    }
    if (keeps_) results_.kept = folder_.string();
    return std::move(results_);
  }

 private:
  bool judges_time() const {
    return std::ranges::any_of(plan_.variants, [](const Variant& variant) {
      return std::ranges::any_of(variant.promises, [](const Promise& promise) {
        return promise.criterion->measure == knowledge::Measure::seconds;
      });
    });
  }

  std::optional<Error> look_at_devices() {
    management_ = cuda::Management::open();
    for (unsigned i = 0; i < management_.count(); ++i) {
      results_.devices.push_back(management_.name(i));
      const std::optional<unsigned> programs = management_.programs(i);
      if (programs.value_or(0) > 0) {
        results_.notes.push_back(
            fmt::format("device {} is used by {}: what others take of it is in the figures", i,
                        counted(*programs, "other program")));
      }
    }
    results_.driver = management_.driver_version();
    if (!results_.devices.empty()) return std::nullopt;
    const cuda::Driver driver = cuda::ask_driver();
    for (const cuda::Device& device : driver.devices) results_.devices.push_back(device.name);
    if (results_.devices.empty()) {
      const std::string why =
          driver.problem.empty() ? "the driver shows no device" : driver.problem;
      return Error{"", 0, "there is no GPU to validate on: " + why,
                   "`vramlint doctor` shows what this machine has"};
    }
    results_.notes.push_back("the device's memory can't be watched: " + management_.problem());
    return std::nullopt;
  }

  std::optional<Error> lay_out() {
    if (plan_.recorder.empty()) {
      results_.notes.push_back(
          "the recorder is not there: driver calls are counted by PyTorch alone");
    }
    std::error_code failed;
    fs::create_directories(folder_ / "python", failed);
    bool written = true;
    // What is on Python's path besides would hide a module of the program.
    const fs::path hook = folder_ / "python" / "sitecustomize.py";
    written = written && write_text(hook, python_text("sitecustomize.py")) &&
              write_text(folder_ / "launcher.py", python_text("launcher.py"));
    const fs::path names = folder_ / "python" / "allocator_strings.json";
    written = written && write_text(names, allocator_strings().dump());
    for (std::size_t i = 0; i < plan_.variants.size(); ++i) {
      std::string overlay;
      std::size_t number = 0;
      const fs::path texts = folder_ / ("texts-" + letter_of(i));
      for (const auto& [path, text] : plan_.variants[i].texts) {
        fs::create_directories(texts, failed);
        const fs::path place =
            texts / fmt::format("{}-{}", number++, fs::path(path).filename().string());
        written = written && write_text(place, text);
        overlay += path + '\0' + place.string() + '\0';
      }
      overlays_.push_back(std::move(overlay));
    }
    if (written) return std::nullopt;
    return Error{folder_.string(), 0, "this folder can't be written", "is its disk full?"};
  }

  /// The variables that hold an allocator string; of several that are set the first one wins.
  Json allocator_strings() const {
    Json names = Json::array();
    for (const knowledge::VariableRow& row : knowledge_.variables()) {
      if (row.allocator_string) names.push_back(row.name);
    }
    return names;
  }

  Run run_once(std::size_t number, std::size_t index) {
    const Variant& variant = plan_.variants[index];
    const fs::path folder = folder_ / fmt::format("run-{:02}-{}", number, letter_of(index));
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (!overlays_[index].empty()) write_text(folder / "overlay", overlays_[index]);
    Command command;
    command.words = {plan_.python, (folder_ / "launcher.py").string(), variant.script};
    command.words.insert(command.words.end(), plan_.arguments.begin(), plan_.arguments.end());
    command.environment = environment_for(variant, folder);
    command.output = (folder / "output.txt").string();
    command.errors = (folder / "errors.txt").string();
    command.seconds = plan_.seconds;
    if (!keeps_) command.remove_if_lost = folder_.string();
    Run run;
    run.variant = index;
    begin_watching();
    run.ended = run_supervised(
        command, [this, &run] { watch_device(run); },
        [] { return InterruptWatch::was_interrupted(); });
    gather(folder, run);
    if (!keeps_) fs::remove_all(folder, failed);
    return run;
  }

  std::vector<std::string> environment_for(const Variant& variant, const fs::path& folder) {
    Environment environment;
    for (const auto& [name, value] : variant.settings) environment.set(name, value);
    std::string path = (folder_ / "python").string();
    const std::string before = environment.value("PYTHONPATH");
    if (!before.empty()) path += ":" + before;
    environment.set("PYTHONPATH", path);
    environment.set("VRAMLINT_RUN_FOLDER", folder.string());
    if (plan_.recorder.empty()) return environment.take();
    environment.set(injection_variable, plan_.recorder);
    environment.set(cuda::trace_folder_variable, folder.string());
    if (!cupti_.empty()) environment.set(cuda::cupti_variable, cupti_);
    return environment.take();
  }

  void begin_watching() {
    before_.clear();
    for (unsigned i = 0; i < management_.count(); ++i) {
      const std::optional<cuda::DeviceMemory> memory = management_.memory(i);
      before_.push_back(memory ? memory->used : 0);
    }
  }

  void watch_device(Run& run) {
    const uint64_t now = monotonic_ns();
    uint64_t used = 0;
    bool told = false;
    for (unsigned i = 0; i < management_.count(); ++i) {
      const std::optional<cuda::DeviceMemory> memory = management_.memory(i);
      if (!memory) continue;
      told = true;
      used += memory->used > before_[i] ? memory->used - before_[i] : 0;
    }
    if (!told) return;
    run.has_device = true;
    run.device_peak = std::max(run.device_peak, used);
    run.device.push_back({now, used});
  }

  void gather(const fs::path& folder, Run& run) {
    std::vector<fs::path> files;
    std::error_code failed;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
      if (entry.is_regular_file(failed)) files.push_back(entry.path());
    }
    std::ranges::sort(files);
    for (const fs::path& file : files) gather_report(file, run);
    std::vector<DriverUse> uses;
    for (const fs::path& file : files) gather_trace(file, run, uses);
    run.driver = combined(uses);
    const bool started = run.ended.how != Ended::How::not_started;
    if (started && !fs::exists(folder / "loaded", failed)) {
      run.lacks_texts = !overlays_[run.variant].empty();
      run.complaints.emplace_back(
          "its Python did not load what `PYTHONPATH` names, so it was neither given changed texts "
          "nor asked: does `--interpreter` drop the variable, or `-I` or `-E` stand in it?");
    }
    leave_out_questions(run);
    run.last_output = read_end(folder / "output.txt", shown_output_bytes);
    run.last_errors = read_end(folder / "errors.txt", shown_output_bytes);
    const std::string errors = read_end(folder / "errors.txt", std::size_t{1} << 26);
    run.signs = signs_in(errors, knowledge_.output_marks());
  }

  /// The questions to PyTorch come after the program's own end.
  static void leave_out_questions(Run& run) {
    uint64_t end = 0;
    for (const TorchReport& report : run.reports) end = std::max(end, report.ended_ns);
    if (end == 0 || run.device.empty()) return;
    std::erase_if(run.device, [end](const Sample& sample) { return sample.time_ns > end; });
    run.device_peak = 0;
    for (const Sample& sample : run.device) {
      run.device_peak = std::max(run.device_peak, sample.bytes);
    }
  }

  void gather_report(const fs::path& file, Run& run) {
    const std::string name = file.filename().string();
    if (!name.starts_with("report-") || file.extension() != ".json") return;
    Result<TorchReport> report = read_report(name, read_bytes(file));
    if (report) {
      run.reports.push_back(std::move(report).value());
    } else {
      run.complaints.push_back(report.error().message);
    }
  }

  void gather_trace(const fs::path& file, Run& run, std::vector<DriverUse>& uses) {
    const std::string name = file.filename().string();
    if (!name.starts_with("trace-") || file.extension() != ".bin") return;
    const Result<Trace> trace = read_trace(name, read_bytes(file));
    if (!trace) {
      run.complaints.push_back(trace.error().message);
      return;
    }
    const Trace& read = trace.value();
    const std::string complaint = complaint_of(read);
    if (!complaint.empty()) run.complaints.push_back(complaint);
    const bool recorded =
        read.state == cuda::RecorderState::recording || read.state == cuda::RecorderState::finished;
    run.has_trace = run.has_trace || recorded;
    run.trace_bytes += read.records.size() * sizeof(cuda::TraceRecord);
    // What PyTorch is asked at the end needs some memory itself.
    uint64_t end = std::numeric_limits<uint64_t>::max();
    for (const TorchReport& report : run.reports) {
      if (report.process == read.process) end = report.ended_ns;
    }
    uses.push_back(driver_use(read, end));
  }

  const Plan& plan_;
  const knowledge::Knowledge& knowledge_;
  const Observer& observer_;
  fs::path folder_;
  bool keeps_ = false;
  cuda::Management management_;
  std::string cupti_;
  std::vector<std::string> overlays_;  ///< by variant: a file, what takes its place, … each with \0
  std::vector<uint64_t> before_;       ///< memory in use before a run, by device
  Results results_;
};

}  // namespace

Result<Results> run_experiment(const Plan& plan, const knowledge::Knowledge& knowledge,
                               const Observer& observer) {
  Experiment experiment(plan, knowledge, observer);
  if (std::optional<Error> error = experiment.look_at_place()) return *error;
  const InterruptWatch watch;  // not before: a driver that hangs is left by Ctrl-C
  if (std::optional<Error> error = experiment.look_at_python()) return *error;
  Result<Scratch> scratch = Scratch::make(plan.keep);
  if (!scratch) return scratch.error();
  return experiment.run_in(scratch.value());
}

}  // namespace vramlint::validate
