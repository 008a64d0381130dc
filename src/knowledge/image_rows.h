// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "knowledge/version.h"

// What the name of a container image tells about what runs in it (`rules/knowledge/`
// `base_images.toml`), what a wheel's version or address tells (`wheel_sources.toml`), and the
// releases of Python (`python_versions.toml`). `config/` infers a project's target from them.

namespace vramlint::knowledge {

/// The hardware that an image is made for; most say nothing about it.
enum class ImagePlatform : uint8_t { any, cuda, rocm, jetson };

struct BaseImageRow {
  /// `image:tag` without a host that only mirrors; a trailing `*` stands for any rest, and the
  /// longest name that fits speaks.
  std::string_view name;
  Version torch{};  ///< the release line in it; 0.0 where the row does not say
  /// The name holds the version of torch behind the first of these words that occurs. `:` is the
  /// beginning of the tag.
  std::span<const std::string_view> torch_after;
  std::span<const std::string_view> python_after;  ///< the same for Python; `py311` is 3.11
  ImagePlatform platform = ImagePlatform::any;
  std::string_view source;
  std::string_view evidence;
};

/// A piece of a wheel's version or address that tells what hardware the wheel is for.
struct WheelSourceRow {
  std::string_view name;  ///< as it stands in the text: `+rocm`, `/whl/rocm`
  ImagePlatform platform = ImagePlatform::any;
  std::string_view source;
  std::string_view evidence;
};

struct PythonVersionRow {
  Version version;
  std::string_view source;
  std::string_view evidence;
};

}  // namespace vramlint::knowledge
