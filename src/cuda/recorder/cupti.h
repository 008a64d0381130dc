// SPDX-License-Identifier: MIT
#pragma once

#include <cupti.h>

namespace vramlint::recorder {

/// The few functions of CUPTI that are needed, from whichever copy the process has. It is loaded
/// and not linked, so that one recorder serves programs with CUDA 12 and with CUDA 13.
struct Cupti {
  decltype(&cuptiSubscribe) subscribe = nullptr;
  decltype(&cuptiEnableCallback) enable_callback = nullptr;

  explicit operator bool() const { return subscribe != nullptr && enable_callback != nullptr; }
};

/// The copy that the process has loaded already (PyTorch brings one), else the one that
/// `VRAMLINT_CUPTI` names, else the system's.
Cupti load_cupti();

}  // namespace vramlint::recorder
