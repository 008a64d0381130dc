// SPDX-License-Identifier: MIT
//
// The state of a program in slots: written, taken back, joined. The last test does all of it at
// random and holds the store against a plain map that is copied at every mark.
#include "replay/store.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace vramlint::replay {
namespace {

constexpr Slot a{1, 10};
constexpr Slot b{1, 11};

Value number(int64_t value) { return Value::integer(value); }

Value moment(Certainty certainty, uint32_t event = 1) {
  return {Kind::moment, certainty, event, 0};
}

bool same(Value left, Value right) {
  return left.same_as(right) && left.certainty == right.certainty;
}

TEST(Store, ASlotIsAbsentUntilItIsWritten) {
  Store store;
  EXPECT_TRUE(store.get(a).is(Kind::absent));
  store.set(a, number(1));
  EXPECT_EQ(store.get(a).as_integer(), 1);
  EXPECT_TRUE(store.get(b).is(Kind::absent));
  store.set(a, {});
  EXPECT_TRUE(store.get(a).is(Kind::absent));
}

TEST(Store, UndoGivesBackWhatWasThere) {
  Store store;
  store.set(a, number(1));
  const Store::Mark mark = store.mark();
  const uint64_t version = store.version();
  store.set(a, number(2));
  store.set(a, number(3));
  store.set(b, number(4));
  EXPECT_NE(store.version(), version);
  store.undo_to(mark);
  EXPECT_EQ(store.get(a).as_integer(), 1);
  EXPECT_TRUE(store.get(b).is(Kind::absent));
  EXPECT_EQ(store.version(), version);
}

TEST(Store, ChangesAreTheLastValuesInOrder) {
  Store store;
  store.set(a, number(1));
  const Store::Mark mark = store.mark();
  store.set(b, number(2));
  store.set(a, number(3));
  store.set(b, {});
  const Delta delta = store.changes_since(mark);
  ASSERT_EQ(delta.changes.size(), 2u);
  EXPECT_EQ(delta.changes[0].key, a.key());
  EXPECT_EQ(delta.changes[0].value.as_integer(), 3);
  EXPECT_TRUE(delta.changes[1].value.is(Kind::absent));
}

TEST(Store, JoinKeepsWhatAllPathsAgreeOn) {
  Store store;
  const Store::Mark mark = store.mark();
  store.set(a, number(1));
  store.set(b, number(1));
  const Delta left = store.changes_since(mark);
  store.undo_to(mark);
  store.set(a, number(1));
  store.set(b, number(2));
  const Delta right = store.changes_since(mark);
  store.undo_to(mark);
  store.join({left, right});
  EXPECT_TRUE(same(store.get(a), number(1)));
  EXPECT_TRUE(store.get(b).is(Kind::unknown));
}

TEST(Store, JoinWithAPathThatDidNothing) {
  Store store;
  store.set(b, number(5));
  const Store::Mark mark = store.mark();
  store.set(a, number(1));
  store.set(b, {});
  const Delta left = store.changes_since(mark);
  store.undo_to(mark);
  store.join({left, {}});
  EXPECT_EQ(store.get(a).certainty, Certainty::perhaps);
  EXPECT_EQ(store.get(a).as_integer(), 1);
  EXPECT_EQ(store.get(b).certainty, Certainty::perhaps);
}

TEST(Store, JoinedMomentsAreCertainOnlyOnAllPaths) {
  EXPECT_EQ(join_values(moment(Certainty::yes), moment(Certainty::yes, 2)).certainty,
            Certainty::yes);
  EXPECT_EQ(join_values(moment(Certainty::yes), {}).certainty, Certainty::perhaps);
  EXPECT_EQ(join_values({}, moment(Certainty::yes)).certainty, Certainty::perhaps);
  EXPECT_EQ(join_values(moment(Certainty::perhaps), moment(Certainty::yes)).certainty,
            Certainty::perhaps);
  EXPECT_EQ(join_values(moment(Certainty::yes, 7), {}).id, 7u);
}

TEST(Store, JoinedTextsStayTexts) {
  EXPECT_TRUE(join_values(Value::string(1), Value::string(2)).is(Kind::any_string));
  EXPECT_TRUE(join_values(Value::string(1), number(2)).is(Kind::unknown));
  EXPECT_EQ(join_values(Value::tensor(Device::cpu), Value::tensor(Device::cuda)).as_device(),
            Device::unknown);
}

TEST(Store, ForgetDropsTheSlotsOfOneObject) {
  Store store;
  store.set({1, 1}, number(1));
  const Store::Mark mark = store.mark();
  store.set({2, 1}, number(2));
  store.set({1, 1}, number(3));
  store.set({2, 1}, number(4));
  store.forget(2, mark);
  EXPECT_TRUE(store.get({2, 1}).is(Kind::absent));
  EXPECT_EQ(store.get({1, 1}).as_integer(), 3);
  EXPECT_EQ(store.changes_since(mark).changes.size(), 1u);
  store.undo_to(mark);
  EXPECT_EQ(store.get({1, 1}).as_integer(), 1);
}

TEST(Store, CommittedChangesStay) {
  Store store;
  const Store::Mark mark = store.mark();
  store.commit({{{a.key(), number(1)}}});
  store.undo_to(mark);
  EXPECT_EQ(store.get(a).as_integer(), 1);
}

TEST(Store, OwnObjectsOfACallAreNoChange) {
  Store store;
  const uint64_t version = store.version();
  const ObjectId floor = store.enter(100);
  store.set({100, 1}, number(1));
  EXPECT_EQ(store.version(), version);
  store.set({99, 1}, number(1));
  EXPECT_NE(store.version(), version);
  store.leave(floor);
}

/// A store, and the same thing as a map with a copy for each mark.
class Twins {
 public:
  void step(std::mt19937& random) {
    switch (random() % 8) {
      case 0: marks_.push_back({store_.mark(), model_}); break;
      case 1: undo(); break;
      case 2: join(random); break;
      case 3: forget(random); break;
      default: set(random);
    }
  }

  void compare() {
    for (ObjectId object = 1; object <= objects; ++object) {
      for (uint32_t name = 0; name < names; ++name) {
        const auto found = model_.find(Slot{object, name}.key());
        const Value expected = found == model_.end() ? Value() : found->second;
        ASSERT_TRUE(same(store_.get({object, name}), expected)) << object << '.' << name;
      }
    }
  }

 private:
  using Model = std::map<uint64_t, Value>;
  static constexpr ObjectId objects = 40;
  static constexpr uint32_t names = 60;

  void set(std::mt19937& random) {
    const Slot slot{1 + static_cast<ObjectId>(random() % objects),
                    static_cast<uint32_t>(random() % names)};
    const Value value = random() % 4 == 0 ? Value() : number(random() % 3);
    store_.set(slot, value);
    put(model_, slot.key(), value);
  }

  void undo() {
    if (marks_.empty()) return;
    store_.undo_to(marks_.back().first);
    model_ = marks_.back().second;
    marks_.pop_back();
  }

  void join(std::mt19937& random) {
    const Store::Mark mark = store_.mark();
    const Model before = model_;
    std::vector<Delta> deltas;
    std::vector<Model> ends;
    for (size_t paths = 1 + random() % 3; paths-- > 0;) {
      for (size_t writes = random() % 20; writes-- > 0;) set(random);
      deltas.push_back(store_.changes_since(mark));
      ends.push_back(model_);
      store_.undo_to(mark);
      model_ = before;
    }
    store_.join(deltas);
    model_ = joined(ends);
  }

  static Model joined(const std::vector<Model>& ends) {
    Model made;
    for (const Model& end : ends) {
      for (const auto& [key, value] : end) {
        Value all = at(ends.front(), key);
        for (size_t i = 1; i < ends.size(); ++i) all = join_values(all, at(ends[i], key));
        put(made, key, all);
      }
    }
    return made;
  }

  /// As for the scope of a call: an object that is younger than every mark in use.
  void forget(std::mt19937& random) {
    const ObjectId young = objects + 1;
    const Store::Mark mark = store_.mark();
    for (size_t writes = random() % 10; writes-- > 0;) {
      store_.set({young, static_cast<uint32_t>(random() % names)}, number(1));
      set(random);
    }
    store_.forget(young, mark);
    for (uint32_t name = 0; name < names; ++name) {
      EXPECT_TRUE(store_.get({young, name}).is(Kind::absent));
    }
  }

  static Value at(const Model& model, uint64_t key) {
    const auto found = model.find(key);
    return found == model.end() ? Value() : found->second;
  }

  static void put(Model& model, uint64_t key, Value value) {
    if (value.is(Kind::absent)) {
      model.erase(key);
    } else {
      model[key] = value;
    }
  }

  Store store_;
  Model model_;
  std::vector<std::pair<Store::Mark, Model>> marks_;
};

TEST(Store, DoesWhatAMapDoes) {
  for (uint32_t seed = 0; seed < 12; ++seed) {
    std::mt19937 random(seed);
    Twins twins;
    for (int round = 0; round < 30; ++round) {
      for (int i = 0; i < 100; ++i) twins.step(random);
      twins.compare();
    }
  }
}

}  // namespace
}  // namespace vramlint::replay
