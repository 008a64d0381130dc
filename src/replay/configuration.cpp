// SPDX-License-Identifier: MIT
#include "replay/configuration.h"

#include <utility>

#include "frontends/project.h"

namespace vramlint::replay {
namespace {

using model::ConfigurationMember;

std::string_view kept(std::string_view text, model::Names& names) {
  return names.text(names.intern(text));
}

KnownValue value_of(const ConfigurationMember& member, model::Names& names) {
  KnownValue value;
  switch (member.kind) {
    case ConfigurationMember::Kind::text:
      value.kind = KnownValue::Kind::text;
      value.text = kept(member.text, names);
      break;
    case ConfigurationMember::Kind::boolean:
      value.kind = KnownValue::Kind::boolean;
      value.integer = member.text == "true" ? 1 : 0;
      break;
    case ConfigurationMember::Kind::null: value.kind = KnownValue::Kind::none; break;
    // No row asks for a number.
    case ConfigurationMember::Kind::number:
    case ConfigurationMember::Kind::other: break;
  }
  return value;
}

}  // namespace

Timeline replay_configuration(const model::Configuration& configuration, model::Names& names) {
  Timeline made;
  made.files.push_back(configuration.source);
  made.events.emplace_back();
  // Who reads it, and what else that program does, is not known here.
  made.complete = false;
  for (const model::ConfigurationObject& object : configuration.objects) {
    Observation seen;
    seen.kind = ObservationKind::call;
    seen.event = static_cast<EventId>(made.events.size());
    made.events.push_back({{0, object.span}, {}});
    seen.name = kept("{}." + object.key, names);
    seen.in_test = frontends::is_test_file(configuration.source->path());
    for (const ConfigurationMember& member : object.members)
      seen.arguments.push_back(
          {kept(member.key, names), value_of(member, names), Place{0, member.span}});
    made.observations.push_back(std::move(seen));
  }
  return made;
}

}  // namespace vramlint::replay
