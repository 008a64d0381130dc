// SPDX-License-Identifier: MIT
#include "config/schema.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "config/keys.h"
#include "diagnostics/selection.h"
#include "support/overloaded.h"

namespace vramlint::config {

namespace {

using Json = nlohmann::ordered_json;

Json reference(const char* name) { return {{"$ref", std::string("#/definitions/") + name}}; }

/// A list of such items, or one that stands for a list of one.
Json list_of(const Json& item) {
  const Json list = {{"type", "array"}, {"items", item}};
  return {{"anyOf", Json::array({item, list})}};
}

Json table_of(const Json& value) { return {{"type", "object"}, {"additionalProperties", value}}; }

Json one_of(const Shape& shape) {
  Json words = Json::array();
  for (const std::string_view word : words_of(shape)) words.push_back(word);
  return {{"enum", std::move(words)}};
}

Json schema_of(const Shape& shape) {
  const Json text = {{"type", "string"}};
  return std::visit(Overloaded{
                        [&](const Text& of) {
                          Json made = text;
                          made["examples"] = Json::array({of.example});
                          return made;
                        },
                        [](const Flag&) {
                          return Json{{"type", "boolean"}};
                        },
                        [](const Level& of) { return one_of(of); },
                        [](const PlatformName& of) { return one_of(of); },
                        [](const FormatName& of) { return one_of(of); },
                        [&](const Globs&) { return list_of(text); },
                        [](const Rules&) { return list_of(reference("rule")); },
                        [](const RuleChoice&) { return list_of(reference("rule")); },
                        [](const RulesByGlob&) { return table_of(list_of(reference("rule"))); },
                        [](const LevelByRule& of) {
                          Json made = table_of(one_of(of));
                          made["propertyNames"] = reference("rule");
                          return made;
                        },
                    },
                    shape);
}

/// What selects rules: names to complete, and beginnings of codes.
Json rule_schema(const knowledge::Knowledge& knowledge) {
  std::set<std::string_view> words{diagnostics::every_rule, diagnostics::default_rules};
  for (const knowledge::RulePage& page : knowledge.pages()) {
    words.insert({page.name, page.code, page.family});
  }
  const Json list = {{"enum", Json(words)}};
  const Json beginning = {{"type", "string"}, {"pattern", "^VRL[0-9]{0,3}$"}};
  return {{"anyOf", Json::array({list, beginning})}};
}

}  // namespace

std::string settings_schema(const knowledge::Knowledge& knowledge) {
  Json properties;
  for (const Key& key : all_keys()) {
    Json made = {{"description", key.summary}};
    made.update(schema_of(key.shape));
    properties[std::string(key.name)] = std::move(made);
  }
  const Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                       {"title", "Configuration of vramlint"},
                       {"description", "vramlint.toml, or [tool.vramlint] of pyproject.toml"},
                       {"type", "object"},
                       {"additionalProperties", false},
                       {"properties", std::move(properties)},
                       {"definitions", {{"rule", rule_schema(knowledge)}}}};
  return schema.dump(2) + "\n";
}

}  // namespace vramlint::config
