// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "model/configuration.h"
#include "text/source.h"

namespace vramlint::frontends {

/// What a configuration in JSON holds; nothing where some of it is no JSON, since nobody can read
/// it then.
model::Configuration read_configuration(const std::shared_ptr<const text::Source>& source);

}  // namespace vramlint::frontends
