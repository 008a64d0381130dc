// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/settings.h"
#include "support/result.h"

namespace vramlint::config {

/// What one file says, and the absolute folder that its paths and patterns count from.
struct Layer {
  Settings settings;
  std::string folder;
};

/// From what is extended to what extends it: later ones win.
using Layers = std::vector<Layer>;

/// An absolute path without `.`, `..` and a `/` at its end.
std::string absolute_path(const std::string& path, const std::string& folder);

/// Whether an absolute path is the folder or something below it.
bool lies_in(std::string_view path, std::string_view folder);

/// A file's settings with those that they extend, as far as the chain goes. `shown` gives a path as
/// people are told of it. A chain that comes back to a file in it is an error.
Result<Layers> with_extended(Layer own,
                             const std::function<std::string(const std::string&)>& shown);

/// All layers as one. `exclude` and `per-file-ignores` are in it for being shown only.
Settings merged(const Layers& layers);

/// Whether a layer leaves out the absolute path or a folder above it.
bool excludes(const Layers& layers, const std::string& absolute);

/// The rules that say nothing in the file.
std::vector<std::string> ignored_in(const Layers& layers, const std::string& absolute);

}  // namespace vramlint::config
