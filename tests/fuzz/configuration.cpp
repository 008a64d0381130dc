// SPDX-License-Identifier: MIT
//
// Configurations in JSON, and what is none: each object stands where it is said to stand and is
// JSON itself, and what a JSON library reads there is what its members say.
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "frontends/configuration.h"
#include "replay/configuration.h"
#include "require.h"

namespace {

using Json = nlohmann::json;
using Kind = vramlint::model::ConfigurationMember::Kind;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using vramlint::fuzz::require;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto source = std::make_shared<const vramlint::text::Source>(
      "ds.json", bytes, vramlint::text::Language::deepspeed);
  const vramlint::model::Configuration made = vramlint::frontends::read_configuration(source);
  const bool is_json = Json::accept(bytes);
  for (const vramlint::model::ConfigurationObject& object : made.objects) {
    require(object.span.begin < object.span.end && object.span.end <= size);
    const std::string_view written = source->slice(object.span);
    require(written.starts_with('{') && written.ends_with('}'));
    if (!is_json) continue;
    const Json read = Json::parse(written);
    require(read.size() == object.members.size());
    for (const vramlint::model::ConfigurationMember& member : object.members) {
      require(read.contains(member.key));
      require(read[member.key].is_boolean() == (member.kind == Kind::boolean));
      if (member.kind == Kind::text) require(read[member.key] == member.text);
    }
  }
  vramlint::model::Names names;
  require(vramlint::replay::replay_configuration(made, names).observations.size() ==
          made.objects.size());
  return 0;
}
