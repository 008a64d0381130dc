// SPDX-License-Identifier: MIT
#include "config/keys.h"

#include <array>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "output/format.h"
#include "support/nearest_name.h"
#include "support/overloaded.h"

namespace vramlint::config {

namespace {

constexpr std::array<Key, 17> keys{{
    {"extend",
     "Another configuration file, on top of which this one stands; its path counts from "
     "this file's folder",
     Text{&Settings::extend, "../vramlint.toml"}},
    {"torch", "PyTorch that will run: a version, or a range of them",
     Text{&Settings::torch, "2.11"}},
    {"python", "Python that will run: a version, or a range of them",
     Text{&Settings::python, "3.12"}},
    {"platform", "Where the program will run", PlatformName{&Settings::platform}},
    {"select", "Only these rules: codes or their beginnings, names, families, `ALL`, `DEFAULT`",
     RuleChoice{&Settings::select}},
    {"extend-select", "These rules as well", Rules{&Settings::extend_select}},
    {"ignore", "Not these rules", Rules{&Settings::ignore}},
    {"per-file-ignores", "Rules that say nothing in the files that a pattern matches",
     RulesByGlob{&Settings::per_file_ignores}},
    {"severity", "What findings of a rule count as", LevelByRule{&Settings::severity}},
    {"level", "The least that is shown", Level{&Settings::level}},
    {"fail-level", "The least that makes exit status 1; what is shown, if left out",
     Level{&Settings::fail_level}},
    {"exclude", "Patterns of files and folders to leave out, as in `.gitignore`",
     Globs{&Settings::exclude}},
    {"force-exclude", "Leave out files that are named outright as well",
     Flag{&Settings::force_exclude}},
    {"output-format", "How findings are written", FormatName{&Settings::output_format}},
    {"unsafe-fixes", "Count and make fixes that are only probably meant as well",
     Flag{&Settings::unsafe_fixes}},
    {"baseline",
     "File of findings that are known and left out; its path counts from this file's "
     "folder",
     Text{&Settings::baseline, "vramlint-baseline.json"}},
    {"strict-baseline", "Fail when the baseline lists what is found no more",
     Flag{&Settings::strict_baseline}},
}};

using Problem = std::optional<Error>;

Error error_at(const toml::source_region& where, std::string message, std::string advice = "") {
  Error error{"", static_cast<int>(where.begin.line), std::move(message), std::move(advice)};
  error.column = static_cast<int>(where.begin.column);
  return error;
}

std::string in_words(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

std::string takes(std::string_view key, const std::string& what) {
  return "`" + std::string(key) + "` takes " + what;
}

Place place_of(const toml::source_region& where) {
  return {"", static_cast<int>(where.begin.line), static_cast<int>(where.begin.column)};
}

/// Reads the value of one key into its member.
class Reader {
 public:
  Reader(const Key& key, const toml::node& node, Settings& settings)
      : key_(key), node_(node), settings_(settings) {}

  Problem operator()(const Text& shape) {
    settings_.*shape.member = node_.value_exact<std::string>();
    if (settings_.*shape.member) return std::nullopt;
    return wrong("a string, as in `\"" + std::string(shape.example) + "\"`");
  }

  Problem operator()(const Flag& shape) {
    settings_.*shape.member = node_.value_exact<bool>();
    if (settings_.*shape.member) return std::nullopt;
    return wrong("true or false");
  }

  Problem operator()(const Level& shape) {
    return one_of(shape, [&](std::string_view word) {
      settings_.*shape.member = parse_severity(word);
      return (settings_.*shape.member).has_value();
    });
  }

  Problem operator()(const PlatformName& shape) {
    return one_of(shape, [&](std::string_view word) {
      settings_.*shape.member = knowledge::parse_platform(word);
      return (settings_.*shape.member).has_value();
    });
  }

  Problem operator()(const FormatName& shape) {
    return one_of(shape, [&](std::string_view word) {
      settings_.*shape.member = std::string(word);
      return output::find_format(word) != nullptr;
    });
  }

  Problem operator()(const Globs& shape) {
    return read_list(node_, key_.name, settings_.*shape.member, false);
  }

  Problem operator()(const Rules& shape) {
    return read_list(node_, key_.name, settings_.*shape.member, true);
  }

  Problem operator()(const RuleChoice& shape) {
    return read_list(node_, key_.name, (settings_.*shape.member).emplace(), true);
  }

  Problem operator()(const RulesByGlob& shape) {
    const toml::table* table = node_.as_table();
    if (table == nullptr) return wrong("a table, as in `\"tests/**\" = [\"VRL5\"]`");
    return each_in_order(*table, [&](const toml::key& glob, const toml::node& node) -> Problem {
      FileRules& added = (settings_.*shape.member).emplace_back();
      added.glob = glob.str();
      return read_list(node, glob.str(), added.rules, true);
    });
  }

  Problem operator()(const LevelByRule& shape) {
    const toml::table* table = node_.as_table();
    if (table == nullptr) return wrong("a table, as in `VRL101 = \"note\"`");
    return each_in_order(*table, [&](const toml::key& rule, const toml::node& node) -> Problem {
      const std::string word = node.value_exact<std::string>().value_or("");
      const std::optional<diagnostics::Severity> severity = parse_severity(word);
      if (!severity) return wrong_word(rule.str(), node, word, words_of(shape));
      settings_.rule_words.push_back({std::string(rule.str()), place_of(rule.source())});
      (settings_.*shape.member).push_back({std::string(rule.str()), *severity});
      return std::nullopt;
    });
  }

 private:
  Error wrong(const std::string& what) const {
    return error_at(node_.source(), takes(key_.name, what));
  }

  static Error wrong_word(std::string_view key, const toml::node& node, std::string_view word,
                          const std::vector<std::string_view>& words) {
    return error_at(node.source(), takes(key, "one of " + in_words(words)),
                    did_you_mean(word, words));
  }

  template <typename Accepts>
  Problem one_of(const Shape& shape, const Accepts& accepts) const {
    const std::string word = node_.value_exact<std::string>().value_or("");
    if (accepts(word)) return std::nullopt;
    return wrong_word(key_.name, node_, word, words_of(shape));
  }

  Problem add_word(const toml::node& node, std::string_view key, std::vector<std::string>& into,
                   bool of_rules) {
    const std::optional<std::string> word = node.value_exact<std::string>();
    if (!word) return error_at(node.source(), takes(key, "a list of strings"));
    if (of_rules) settings_.rule_words.push_back({*word, place_of(node.source())});
    into.push_back(*word);
    return std::nullopt;
  }

  /// A list, or a word that stands for a list of one.
  Problem read_list(const toml::node& node, std::string_view key, std::vector<std::string>& into,
                    bool of_rules) {
    const toml::array* array = node.as_array();
    if (array == nullptr) return add_word(node, key, into, of_rules);
    for (const toml::node& item : *array) {
      if (Problem problem = add_word(item, key, into, of_rules)) return problem;
    }
    return std::nullopt;
  }

  template <typename Visit>
  static Problem each_in_order(const toml::table& table, const Visit& visit);

  const Key& key_;
  const toml::node& node_;
  Settings& settings_;
};

/// toml++ keeps a table's keys sorted by name: here they come in the file's order, in which people
/// read and in which later rows win.
std::vector<std::pair<const toml::key*, const toml::node*>> in_file_order(
    const toml::table& table) {
  std::vector<std::pair<const toml::key*, const toml::node*>> rows;
  for (auto&& [key, node] : table) rows.emplace_back(&key, &node);
  const auto begins = [](const auto& row) {
    const toml::source_position at = row.first->source().begin;
    return std::pair(at.line, at.column);
  };
  std::ranges::stable_sort(rows, {}, begins);
  return rows;
}

template <typename Visit>
Problem Reader::each_in_order(const toml::table& table, const Visit& visit) {
  for (const auto& [key, node] : in_file_order(table)) {
    if (Problem problem = visit(*key, *node)) return problem;
  }
  return std::nullopt;
}

Error unknown_key(const toml::key& name) {
  std::vector<std::string_view> names;
  for (const Key& key : keys) names.push_back(key.name);
  return error_at(name.source(), "unknown key `" + std::string(name.str()) + "`",
                  did_you_mean(name.str(), names));
}

template <typename Value>
void put_over(std::optional<Value>& under, const std::optional<Value>& over) {
  if (over) under = over;
}

template <typename Value>
void put_over(std::vector<Value>& under, const std::vector<Value>& over) {
  under.insert(under.end(), over.begin(), over.end());
}

using Json = nlohmann::ordered_json;

template <typename Value>
Json json_of(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json json_of(const std::optional<diagnostics::Severity>& value) {
  return value ? Json(name_of(*value)) : Json(nullptr);
}

Json json_of(const std::optional<knowledge::Platform>& value) {
  return value ? Json(name_of(*value)) : Json(nullptr);
}

Json json_of(const std::vector<std::string>& value) { return value; }

Json json_of(const std::vector<FileRules>& value) {
  Json made = Json::object();
  for (const FileRules& each : value) {
    for (const std::string& rule : each.rules) made[each.glob].push_back(rule);
  }
  return made;
}

Json json_of(const std::vector<RuleSeverity>& value) {
  Json made = Json::object();
  for (const RuleSeverity& each : value) made[each.rule] = name_of(each.severity);
  return made;
}

}  // namespace

std::span<const Key> all_keys() { return keys; }

std::vector<std::string_view> words_of(const Shape& shape) {
  std::vector<std::string_view> words;
  const auto levels = [&] {
    using diagnostics::Severity;
    for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
      words.push_back(name_of(severity));
    }
  };
  std::visit(Overloaded{[&](const Level&) { levels(); }, [&](const LevelByRule&) { levels(); },
                        [&](const PlatformName&) {
                          for (const std::string_view name : knowledge::all_platform_names()) {
                            words.push_back(name);
                          }
                        },
                        [&](const FormatName&) {
                          for (const output::Format& format : output::all_formats()) {
                            words.push_back(format.name);
                          }
                        },
                        [](const auto&) {}},
             shape);
  return words;
}

std::optional<Error> read_keys(const toml::table& table, Settings& settings) {
  for (const auto& [name, node] : in_file_order(table)) {
    const auto* key = std::ranges::find(keys, name->str(), &Key::name);
    if (key == keys.end()) return unknown_key(*name);
    settings.places.insert_or_assign(std::string(key->name), place_of(node->source()));
    if (Problem problem = std::visit(Reader(*key, *node, settings), key->shape)) return problem;
  }
  return std::nullopt;
}

std::string value_text(const Key& key, const Settings& settings) {
  const Json value =
      std::visit([&](const auto& shape) { return json_of(settings.*shape.member); }, key.shape);
  if (value.is_null()) return {};
  if (value.is_string()) return value.get<std::string>();
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Settings layered(Settings under, const Settings& over) {
  for (const Key& key : keys) {
    std::visit([&](const auto& shape) { put_over(under.*shape.member, over.*shape.member); },
               key.shape);
  }
  for (const auto& [key, place] : over.places) under.places.insert_or_assign(key, place);
  put_over(under.rule_words, over.rule_words);
  if (!over.path.empty()) under.path = over.path;
  return under;
}

}  // namespace vramlint::config
