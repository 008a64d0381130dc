// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "replay/value.h"

namespace vramlint::replay {

/// A slot of an object: an attribute, a local variable, an item, a moment, a variable of the
/// environment.
struct Slot {
  ObjectId object;
  uint32_t name;

  uint64_t key() const { return uint64_t{object} << 32 | name; }
};

/// What a stretch of the program changed: slots in ascending order with the value that they then
/// had.
struct Delta {
  struct Change {
    uint64_t key;
    Value value;
  };
  std::vector<Change> changes;
};

/// Everything that can change while a program runs, in slots. Each write is remembered on a trail,
/// so that a path can be run, taken back and joined with another at the cost of what it changed,
/// however large the whole state is.
class Store {
 public:
  using Mark = size_t;

  Store();

  /// `absent` for a slot never written.
  Value get(Slot slot) const;
  void set(Slot slot, Value value);

  Mark mark() const { return trail_.size(); }
  /// What changed since the mark. Nothing is taken back.
  Delta changes_since(Mark mark) const;
  void undo_to(Mark mark);
  void apply(const Delta& delta);
  /// The same, but nothing will take it back: for slots of objects that nobody else knows yet.
  void commit(const Delta& delta);
  /// Drops the slots of an object that nobody can reach any more, as if they had never been written
  /// since the mark. No mark taken between then and now may be used afterwards.
  void forget(ObjectId object, Mark mark);
  /// Writes, for each slot that any of the paths changed, the join of its values on all of them.
  /// The paths began in the state that is current now.
  void join(const std::vector<Delta>& paths);

  /// The same number, the same state, but for the objects made since the innermost `enter`.
  uint64_t version() const { return version_; }
  /// Objects from this one on belong to the call that begins now: writing them is no change that
  /// the caller could see. Gives what `leave` wants back at the end of the call.
  ObjectId enter(ObjectId first_own) { return std::exchange(first_own_, first_own); }
  void leave(ObjectId first_own) { first_own_ = first_own; }

 private:
  struct Entry {
    uint64_t key = 0;  ///< 0 marks a free entry; no slot of object 0 is used
    Value value;
  };
  struct Change {
    uint64_t key;
    Value before;
    uint64_t version;  ///< before it
  };

  Entry& entry_of(uint64_t key);
  void write(uint64_t key, Value value);
  void erase(uint64_t key);
  void grow();

  std::vector<Entry> entries_;
  size_t used_ = 0;
  std::vector<Change> trail_;
  uint64_t version_ = 0;
  uint64_t next_version_ = 0;
  ObjectId first_own_ = 0;
};

/// What is known of a slot that has one value on this path and the other on that.
Value join_values(Value left, Value right);

}  // namespace vramlint::replay
