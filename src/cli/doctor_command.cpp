// SPDX-License-Identifier: MIT
// `vramlint doctor`: what this machine offers; what is looked at is in `validate/machine.h`.
#include <memory>

#include "cli/command.h"
#include "support/system.h"
#include "validate/machine.h"

namespace vramlint::cli {

namespace {

struct DoctorOptions {
  std::string interpreter = "python3";
  std::string format = "text";
  bool without_torch = false;
};

}  // namespace

void add_doctor(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand(
      "doctor", "What this machine offers: driver, devices, sharing, limits, PyTorch");
  const std::shared_ptr<DoctorOptions> options = std::make_shared<DoctorOptions>();
  command->add_option("--interpreter", options->interpreter, "Python to ask for PyTorch [python3]")
      ->option_text("PROGRAM");
  command->add_flag("--no-torch", options->without_torch, "Do not import PyTorch to ask it");
  command->add_option("--output-format", options->format, "text [default] or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->option_text("FORMAT");
  command->callback([options, &context] {
    const std::string interpreter = options->without_torch ? "" : options->interpreter;
    const validate::Machine machine = validate::look_at_machine(interpreter, context.knowledge);
    if (InterruptWatch::was_interrupted()) {
      print_error(context.console, {"", 0, "interrupted; what was started has been ended", ""});
      context.status = Exit::failed;
      return;
    }
    context.console.out << (options->format == "json"
                                ? validate::doctor_json(machine)
                                : validate::doctor_text(machine, context.knowledge));
  });
}

}  // namespace vramlint::cli
