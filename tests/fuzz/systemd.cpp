// SPDX-License-Identifier: MIT
//
// Units of systemd: see launch_input.h for what holds of any text.
#include "launch_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  vramlint::fuzz::check_launch(data, size, vramlint::text::Language::systemd, "train.service");
  return 0;
}
