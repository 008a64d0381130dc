// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "replay/timeline.h"
#include "replay/value.h"

// Which autograd graphs there are, as far as a replay has to know: not their nodes, but in which
// rounds of which loops they were begun or went on. A value that holds the graphs of all rounds so
// far keeps their memory, whatever it is called.

namespace vramlint::replay {

/// Rounds of all loops are numbered in the order in which they begin.
using Round = uint32_t;

/// The graphs of one entry.
class Graphs {
 public:
  /// A graph that begins here for certain.
  GraphId begun(Round round);
  /// What something unknown gives back may carry a graph. `origin` says where it comes from: the
  /// same place gives the same kind of thing in each round. `source`: the only thing it was made
  /// of; if it carries a graph, that did.
  GraphId supposed(uint64_t origin, GraphId source, std::span<const GraphId> operands, Round round);
  /// The same of a part of something: an attribute, an item.
  GraphId of_part(uint64_t origin, GraphId whole, Round round);
  /// Computed from values that carry graphs, or may.
  GraphId computed(std::span<const GraphId> operands, Round round);
  /// Whether there is a graph for certain.
  bool is_certain(GraphId graph) const;
  /// `backward()` was called on it: there is.
  void prove(GraphId graph);
  uint64_t origin_of(GraphId graph) const;
  /// Whether it is the graph of `whole`, or of a part of what carries that one.
  bool stems_from(GraphId graph, GraphId whole) const;
  /// Whether a part of it belongs to one of the rounds from `begin` to before `end`.
  bool reaches(GraphId graph, Round begin, Round end) const;
  void clear();

 private:
  struct Record {
    std::vector<Round> rounds;  ///< ascending
    uint64_t origin = 0;        ///< 0: certainly a graph
    GraphId source = 0;
    bool is_part = false;  ///< of what carries the source
  };

  GraphId add(Record record);
  void merge(Record& into, std::span<const GraphId> operands, Round round) const;
  const Record* record_of(GraphId graph) const;

  std::vector<Record> records_;
  std::unordered_map<uint64_t, GraphId> known_;  ///< by what is in them
  std::unordered_set<uint64_t> proven_;          ///< origins
};

/// A write of a value with a graph in a round that stands for all later ones.
struct KeptWrite {
  KeptWay way{};
  EventId event = 0;
  uint64_t slot = 0;  ///< that held the value when it was written
  ObjectId object = 0;
  uint32_t name = 0;
  std::string_view text;     ///< the name or container, as it is written
  bool adds = true;          ///< brings a graph of its own, unlike `total /= count`
  bool is_entry = false;     ///< put in under a key
  bool by_one_cell = false;  ///< by a call of the same thing in each round
};

/// A loop under way.
struct LoopRounds {
  Place statement;
  bool repeats = true;             ///< there may be more than two rounds
  bool is_expression = false;      ///< a comprehension
  bool over_batches = false;       ///< goes through a loader, or through slices of a batch's size
  uint32_t count = 0;              ///< of rounds run
  bool begins = false;             ///< a graph begins in its body: a model is called
  bool backward = false;           ///< `backward()` is called in its own body …
  bool backward_inside = false;    ///< … or in that of a loop inside it
  bool has_inner = false;          ///< another loop runs in its body
  bool takes_gradients = false;    ///< `requires_grad_()` is called in its body
  bool leaves = false;             ///< its body ends with a way out: it has one round
  std::optional<Place> evaluated;  ///< where a module that was set to evaluate is called …
  GraphId evaluated_graph = 0;     ///< … what it gave …
  std::string_view keeper;         ///< … and what keeps that of all rounds
  ObjectId first_object = 0;       ///< objects before this one are older than it
  size_t observed = 0;             ///< observations before it
  uint32_t frame = 0;              ///< token of the frame that it stands in
  int paths = 0;                   ///< under way at the beginning of a round
};

}  // namespace vramlint::replay
