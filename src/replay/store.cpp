// SPDX-License-Identifier: MIT
#include "replay/store.h"

#include <algorithm>

#include "support/assert.h"

namespace vramlint::replay {
namespace {

constexpr size_t first_size = 1024;

uint64_t scattered(uint64_t key) {
  // The finaliser of SplitMix64: neighbouring slots must not fall into neighbouring entries.
  key ^= key >> 30;
  key *= 0xbf58476d1ce4e5b9ull;
  key ^= key >> 27;
  key *= 0x94d049bb133111ebull;
  return key ^ key >> 31;
}

Value join_moments(Value left, Value right) {
  if (left.kind == Kind::absent) std::swap(left, right);
  if (left.kind == Kind::absent || left.certainty == Certainty::no) return right;
  const bool both = right.kind == Kind::moment && right.certainty == Certainty::yes;
  if (left.certainty == Certainty::yes && both) return left;
  left.certainty = Certainty::perhaps;
  return left;
}

/// Where one path has cut the graph off, it does not go on growing. Else the one with more rounds
/// counts, which is the one that was made last.
GraphId join_graphs(Value left, Value right) {
  if (left.graph == right.graph) return left.graph;
  if (left.graph == Value::cut_graph || right.graph == Value::cut_graph) return Value::cut_graph;
  if (left.has_graph() && right.has_graph()) return std::max(left.graph, right.graph);
  if (left.has_graph() || right.has_graph()) return left.has_graph() ? left.graph : right.graph;
  const bool counts = left.graph == Value::counting || right.graph == Value::counting;
  return counts ? Value::counting : GraphId{0};
}

Value join_known(Value left, Value right) {
  if (left.kind == Kind::moment || right.kind == Kind::moment) return join_moments(left, right);
  if (left.same_as(right)) {
    left.certainty = std::min(left.certainty, right.certainty);
    return left;
  }
  if (left.kind == Kind::absent || right.kind == Kind::absent) {
    Value present = left.kind == Kind::absent ? right : left;
    present.certainty = Certainty::perhaps;
    return present;
  }
  const auto is_text = [](Value value) {
    return value.kind == Kind::string || value.kind == Kind::any_string;
  };
  if (is_text(left) && is_text(right)) return {Kind::any_string};
  if (left.kind == Kind::tensor && right.kind == Kind::tensor)
    return Value::tensor(Device::unknown);
  if (left.kind == Kind::device && right.kind == Kind::device)
    return Value::device(left.payload == right.payload ? left.as_device() : Device::unknown);
  return Value::unknown();
}

}  // namespace

Value join_values(Value left, Value right) {
  Value joined = join_known(left, right);
  joined.graph = join_graphs(left, right);
  return joined;
}

Store::Store() : entries_(first_size) {}

Store::Entry& Store::entry_of(uint64_t key) {
  const size_t mask = entries_.size() - 1;
  size_t at = scattered(key) & mask;
  while (entries_[at].key != 0 && entries_[at].key != key) at = (at + 1) & mask;
  return entries_[at];
}

Value Store::get(Slot slot) const { return const_cast<Store*>(this)->entry_of(slot.key()).value; }

void Store::grow() {
  std::vector<Entry> old(entries_.size() * 2);
  old.swap(entries_);
  for (const Entry& entry : old) {
    if (entry.key != 0) entry_of(entry.key) = entry;
  }
}

void Store::write(uint64_t key, Value value) {
  VRAMLINT_ASSERT(key >> 32 != 0);
  if (value.kind == Kind::absent) return erase(key);  // keeps the table as small as the state
  Entry* entry = &entry_of(key);
  if (entry->key == 0) {
    if (used_ * 4 >= entries_.size() * 3) {
      grow();
      entry = &entry_of(key);
    }
    entry->key = key;
    ++used_;
  }
  entry->value = value;
}

void Store::set(Slot slot, Value value) {
  const uint64_t key = slot.key();
  Entry& entry = entry_of(key);
  trail_.push_back({key, entry.value, version_});
  if (first_own_ == 0 || slot.object < first_own_) version_ = ++next_version_;
  const bool is_there = entry.key != 0 && value.kind != Kind::absent;
  if (is_there) {
    entry.value = value;
  } else {
    write(key, value);
  }
}

Delta Store::changes_since(Mark mark) const {
  Delta delta;
  delta.changes.reserve(trail_.size() - mark);
  for (size_t i = mark; i < trail_.size(); ++i) delta.changes.push_back({trail_[i].key, {}});
  std::sort(delta.changes.begin(), delta.changes.end(),
            [](const auto& left, const auto& right) { return left.key < right.key; });
  const auto last =
      std::unique(delta.changes.begin(), delta.changes.end(),
                  [](const auto& left, const auto& right) { return left.key == right.key; });
  delta.changes.erase(last, delta.changes.end());
  for (Delta::Change& change : delta.changes) {
    change.value =
        get({static_cast<ObjectId>(change.key >> 32), static_cast<uint32_t>(change.key)});
  }
  return delta;
}

/// Closes the gap that the entry leaves in its run of neighbours.
void Store::erase(uint64_t key) {
  Entry& found = entry_of(key);
  if (found.key == 0) return;
  const size_t mask = entries_.size() - 1;
  size_t hole = static_cast<size_t>(&found - entries_.data());
  for (size_t at = (hole + 1) & mask; entries_[at].key != 0; at = (at + 1) & mask) {
    const size_t home = scattered(entries_[at].key) & mask;
    const bool may_move = ((at - home) & mask) >= ((at - hole) & mask);
    if (!may_move) continue;
    entries_[hole] = entries_[at];
    hole = at;
  }
  entries_[hole] = {};
  --used_;
}

void Store::forget(ObjectId object, Mark mark) {
  size_t kept = mark;
  for (size_t i = mark; i < trail_.size(); ++i) {
    if (trail_[i].key >> 32 == object) {
      erase(trail_[i].key);
    } else {
      trail_[kept++] = trail_[i];
    }
  }
  trail_.resize(kept);
}

void Store::undo_to(Mark mark) {
  while (trail_.size() > mark) {
    write(trail_.back().key, trail_.back().before);
    version_ = trail_.back().version;
    trail_.pop_back();
  }
}

void Store::apply(const Delta& delta) {
  for (const Delta::Change& change : delta.changes) {
    set({static_cast<ObjectId>(change.key >> 32), static_cast<uint32_t>(change.key)}, change.value);
  }
}

void Store::commit(const Delta& delta) {
  for (const Delta::Change& change : delta.changes) write(change.key, change.value);
}

void Store::join(const std::vector<Delta>& paths) {
  if (paths.empty()) return;
  if (paths.size() == 1) return apply(paths.front());
  std::vector<uint64_t> keys;
  for (const Delta& path : paths) {
    for (const Delta::Change& change : path.changes) keys.push_back(change.key);
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  std::vector<size_t> at(paths.size(), 0);
  for (const uint64_t key : keys) {
    const Slot slot{static_cast<ObjectId>(key >> 32), static_cast<uint32_t>(key)};
    const Value before = get(slot);
    Value joined;
    for (size_t i = 0; i < paths.size(); ++i) {
      const std::vector<Delta::Change>& changes = paths[i].changes;
      const bool changed = at[i] < changes.size() && changes[at[i]].key == key;
      const Value value = changed ? changes[at[i]++].value : before;
      joined = i == 0 ? value : join_values(joined, value);
    }
    set(slot, joined);
  }
}

}  // namespace vramlint::replay
