// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "text/source.h"

// A JSON file that a library reads as its configuration: objects in objects, laid out in a row.

namespace vramlint::model {

struct ConfigurationMember {
  enum class Kind : uint8_t { text, boolean, null, number, other };
  std::string key;
  Kind kind = Kind::other;
  std::string text;  ///< of a text; of all else as it is written
  text::Span span;   ///< the value, quotes included
};

/// An object that is a member of another one.
struct ConfigurationObject {
  std::string key;
  text::Span span;
  std::vector<ConfigurationMember> members;
};

struct Configuration {
  std::shared_ptr<const text::Source> source;
  std::vector<ConfigurationObject> objects;  ///< in the order in which they end
};

}  // namespace vramlint::model
