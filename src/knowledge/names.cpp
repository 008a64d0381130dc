// SPDX-License-Identifier: MIT
//
// Names of PyTorch's modules by release. The rows hold names in groups that share their releases;
// what is made here, once and on first use, is one sorted list of all of them, since the replay may
// ask at every attribute of the program.
#include "knowledge/names.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string_view>
#include <tuple>
#include <vector>

#include "knowledge/knowledge.h"
#include "support/nearest_name.h"

namespace vramlint::knowledge {
namespace {

struct Entry {
  std::string_view module;
  std::string_view name;
  const NameRow* row = nullptr;

  auto key() const { return std::tie(module, name); }
  auto order() const { return std::tie(module, name, row->torch.since); }
};

using Entries = std::span<const Entry>;

const std::vector<Entry>& all_entries() {
  static const std::vector<Entry> entries = [] {
    std::vector<Entry> out;
    for (const NameRow& row : Knowledge::builtin().names()) {
      for (const std::string_view name : row.names) out.push_back({row.module, name, &row});
    }
    std::sort(out.begin(), out.end(),
              [](const Entry& left, const Entry& right) { return left.order() < right.order(); });
    return out;
  }();
  return entries;
}

/// The rows of one name; more than one where the name went and came back.
Entries entries_of(std::string_view module, std::string_view name) {
  const auto before = [](const Entry& left, const Entry& right) {
    return left.key() < right.key();
  };
  const auto [first, last] = std::equal_range(all_entries().begin(), all_entries().end(),
                                              Entry{module, name, nullptr}, before);
  return {first, last};
}

Entries entries_of(std::string_view module) {
  const auto first =
      std::partition_point(all_entries().begin(), all_entries().end(),
                           [&](const Entry& entry) { return entry.module < module; });
  const auto last = std::partition_point(
      first, all_entries().end(), [&](const Entry& entry) { return entry.module == module; });
  return {first, last};
}

bool is_there(Entries entries, Version version) {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const Entry& entry) { return entry.row->torch.contains(version); });
}

/// Every class, function and module of Python has some of these.
bool is_pythons_own(std::string_view name) {
  return name.size() > 4 && name.starts_with("__") && name.ends_with("__");
}

NamePresence presence_among(std::size_t count, std::size_t all) {
  if (count == all) return NamePresence::all;
  return count == 0 ? NamePresence::elsewhere : NamePresence::some;
}

/// The words between the underscores.
std::vector<std::string_view> words_of(std::string_view name) {
  std::vector<std::string_view> words;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find('_'), name.size());
    if (end > 0) words.push_back(name.substr(0, end));
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return words;
}

bool contains_all(const std::vector<std::string_view>& words,
                  const std::vector<std::string_view>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  });
}

/// Of the names that hold all words of `name`, the one with fewest others.
std::string_view nearest_by_words(std::string_view name,
                                  const std::vector<std::string_view>& names) {
  const std::vector<std::string_view> wanted = words_of(name);
  if (wanted.empty()) return {};
  std::string_view best;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (const std::string_view each : names) {
    const std::vector<std::string_view> words = words_of(each);
    if (words.size() >= fewest || !contains_all(words, wanted)) continue;
    best = each;
    fewest = words.size();
  }
  return best;
}

/// Of the names whose words all stand in `name`, the one that leaves out a single word.
std::string_view nearest_within(std::string_view name, const std::vector<std::string_view>& names) {
  const std::vector<std::string_view> given = words_of(name);
  if (given.size() < 3) return {};
  for (const std::string_view each : names) {
    const std::vector<std::string_view> words = words_of(each);
    if (words.size() + 1 == given.size() && contains_all(given, words)) return each;
  }
  return {};
}

}  // namespace

const NameModuleRow* closed_module(std::string_view module) {
  for (const NameModuleRow& row : Knowledge::builtin().name_modules()) {
    if (row.name == module) return &row;
  }
  return nullptr;
}

bool is_closed(std::string_view module) { return closed_module(module) != nullptr; }

NameStatus name_status(std::string_view module, std::string_view name,
                       std::span<const Version> versions) {
  NameStatus status;
  const NameModuleRow* row = closed_module(module);
  // Of a module that is not known as a whole some names are.
  static const NameModuleRow open_module;
  const bool is_listed = row == nullptr && !entries_of(module, name).empty();
  if (row == nullptr && !is_listed) return status;
  if (is_listed) row = &open_module;
  status.extended_by = row->extended_by;
  if (is_pythons_own(name)) {
    status.torch = row->torch;
    status.presence = NamePresence::all;
    return status;
  }
  const Entries entries = entries_of(module, name);
  if (entries.empty()) {
    const auto unread = std::count_if(versions.begin(), versions.end(),
                                      [&](Version version) { return version > row->read_to; });
    status.presence = unread == 0
                          ? NamePresence::never
                          : presence_among(static_cast<std::size_t>(unread), versions.size());
    return status;
  }
  status.torch = {entries.front().row->torch.since, entries.back().row->torch.until};
  if (versions.empty()) {
    const bool always = status.torch.since <= row->torch.since &&
                        status.torch.until >= row->torch.until && entries.size() == 1;
    status.presence = always ? NamePresence::all : NamePresence::some;
    return status;
  }
  const auto count = std::count_if(versions.begin(), versions.end(),
                                   [&](Version version) { return is_there(entries, version); });
  status.presence = presence_among(static_cast<std::size_t>(count), versions.size());
  return status;
}

std::string_view nearest_member(std::string_view module, std::string_view name,
                                std::span<const Version> versions) {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries_of(module)) {
    const bool fits = std::all_of(versions.begin(), versions.end(), [&](Version version) {
      return is_there(entries_of(module, entry.name), version);
    });
    if (entry.row->api && fits && entry.name != name) names.push_back(entry.name);
  }
  // What begins with an underscore comes last: of two names equally near the first one wins.
  std::stable_partition(names.begin(), names.end(),
                        [](std::string_view each) { return !each.starts_with('_'); });
  const std::string_view by_words = nearest_by_words(name, names);
  if (!by_words.empty()) return by_words;
  const std::string_view within = nearest_within(name, names);
  return within.empty() ? nearest_name(name, names) : within;
}

const ReplacedNameRow* replaced_name(std::string_view dotted) {
  using Rows = std::vector<const ReplacedNameRow*>;
  static const Rows rows = [] {
    Rows out;
    for (const ReplacedNameRow& row : Knowledge::builtin().replaced_names()) out.push_back(&row);
    std::sort(out.begin(), out.end(),
              [](const ReplacedNameRow* left, const ReplacedNameRow* right) {
                return left->name < right->name;
              });
    return out;
  }();
  const auto found = std::lower_bound(
      rows.begin(), rows.end(), dotted,
      [](const ReplacedNameRow* row, std::string_view wanted) { return row->name < wanted; });
  return found != rows.end() && (*found)->name == dotted ? *found : nullptr;
}

}  // namespace vramlint::knowledge
