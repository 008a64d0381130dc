// SPDX-License-Identifier: MIT
//
// Python's built-in functions, as far as settings and functions travel through them.
#include <algorithm>
#include <charconv>

#include "replay/habits.h"
#include "replay/interpreter.h"
#include "replay/library.h"

namespace vramlint::replay {
namespace {

Value raised(Interpreter& python, std::string_view exception) {
  python.abrupt_ = {Completion::raised, Value::external(python.intern(exception))};
  return Value::unknown();
}

Value to_text(Interpreter& python, const Arguments& arguments, Place site) {
  const Value value = python.as_text(arguments.at(0), site);
  if (python.stopped()) return Value::unknown();
  if (value.is(Kind::string)) return value;
  std::string text;
  if (python.text_form(value, text)) return Value::string(python.intern(text));
  return {Kind::any_string};
}

Value to_integer(Interpreter& python, const Arguments& arguments, Place) {
  const Value value = arguments.at(0);
  if (value.is(Kind::absent) && !arguments.open) return Value::integer(0);
  if (value.certainty != Certainty::yes) return Value::unknown();
  if (value.is(Kind::integer)) return value;
  if (value.is(Kind::boolean)) return Value::integer(static_cast<int64_t>(value.payload));
  if (value.is(Kind::unknown) && value.id != 0) return value;  // of a variable set outside
  if (!value.is(Kind::string) || arguments.positional.size() > 1) return Value::unknown();
  std::string_view text = python.text_of(value.id);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return Value::integer(number);
  const bool may_be_number =
      text.find_first_not_of("0123456789_+-") == std::string_view::npos && !text.empty();
  return may_be_number ? Value::unknown() : raised(python, "ValueError");
}

Value to_real(Interpreter&, const Arguments& arguments, Place) {
  const Value value = arguments.at(0);
  if (value.is(Kind::absent) && !arguments.open) return Value::real(0.0);
  if (value.is(Kind::integer)) return Value::real(static_cast<double>(value.as_integer()));
  return value.is(Kind::real) ? value : Value::unknown();
}

Value to_boolean(Interpreter& python, const Arguments& arguments, Place) {
  if (arguments.positional.empty()) return Value::boolean(false);
  return python.truth_value(python.truth_of(arguments.at(0)));
}

Value length(Interpreter& python, const Arguments& arguments, Place site) {
  const Value value = arguments.at(0);
  if (value.is(Kind::instance)) return python.call_special(value, "__len__", {}, site);
  if (value.is(Kind::string))
    return Value::integer(static_cast<int64_t>(python.text_of(value.id).size()));
  std::vector<Value> items;
  const bool grows = python.probing_ > 0 && value.is(Kind::dict) &&
                     python.get(value.id, Interpreter::kept_slot).has_graph();
  if (!grows && python.items_of(value, items))
    return Value::integer(static_cast<int64_t>(items.size()));
  Value number = Value::unknown();
  number.graph = Value::counting;
  return number;
}

/// Whether all that an iterable gives was put into `items`. `held` holds the graphs of it, which
/// are those of each round of the generator that gives them.
bool gathered(Interpreter& python, Value iterable, KeptWay way, std::vector<Value>& items,
              Value held, Place site) {
  const std::string_view text = python.text_at(site.span);
  const Interpreter::Ran ran = python.iterate(
      iterable,
      [&](Value item) {
        items.push_back(item);
        python.note_kept(held, item, site, {});
        if (!python.last_round_ || python.graph_of(item) == 0) return;
        KeptWrite write;
        write.way = way;
        write.event = python.event_at(site);
        write.object = held.id;
        write.name = Interpreter::kept_slot;
        write.text = text;
        python.writes_.push_back(write);
      },
      site);
  return !python.stopped() && ran != Interpreter::Ran::unknown;
}

Value consume(Interpreter& python, const Arguments& arguments, Place site);

/// Consumes an iterable. The list is known when its length is.
Value collected(Interpreter& python, Value iterable, Place site, Kind kind) {
  std::vector<Value> items;
  const Value held = python.make_list({});
  if (gathered(python, iterable, KeptWay::container, items, held, site))
    return python.make_list(items, kind);
  Value made = Value::unknown();
  if (python.stopped()) return made;
  const Value operands[] = {iterable, held};
  return python.computed(made, operands);
}

/// Adds up all that a generator gives; what else it is given is there already.
Value total(Interpreter& python, const Arguments& arguments, Place site) {
  const Value iterable = arguments.at(0);
  if (!iterable.is(Kind::generator)) return consume(python, arguments, site);
  std::vector<Value> items;
  const Value operands[] = {python.make_list({}), arguments.at(1)};
  gathered(python, iterable, KeptWay::sum, items, operands[0], site);
  return python.stopped() ? Value::unknown() : python.computed(Value::unknown(), operands);
}

template <Kind kind>
Value to_sequence(Interpreter& python, const Arguments& arguments, Place site) {
  if (arguments.positional.empty()) return python.make_list({}, kind);
  return collected(python, arguments.at(0), site, kind);
}

Value to_dict(Interpreter& python, const Arguments& given, Place site) {
  Arguments arguments = given;
  for (Value& argument : arguments.positional) {
    const bool runs = argument.is(Kind::generator) || argument.is(Kind::iterator);
    if (runs) argument = collected(python, argument, site, Kind::list);
  }
  if (arguments.at(0).is(Kind::environment)) {
    const Value copy = python.environment_copy();
    Arguments rest = arguments;
    rest.positional.clear();
    python.dict_update(copy, rest);
    return copy;
  }
  const Value dict = python.make_dict();
  python.dict_update(dict, arguments);
  return dict;
}

/// A dictionary that makes what it is asked for.
Value to_default_dict(Interpreter& python, const Arguments& arguments, Place site) {
  Arguments rest = arguments;
  if (!rest.positional.empty()) rest.positional.erase(rest.positional.begin());
  const Value dict = to_dict(python, rest, site);
  if (arguments.at(0).is(Kind::none)) return dict;
  python.object_of(dict).target = arguments.at(0);
  return dict;
}

/// Counts from nothing. What it counts at its beginning is not followed.
Value to_counter(Interpreter& python, const Arguments& arguments, Place) {
  const Value dict = python.make_dict();
  python.object_of(dict).target = Value::external(python.intern("int"));
  if (!arguments.positional.empty() || !arguments.keywords.empty() || arguments.open)
    python.open_dict(dict);
  return dict;
}

Value range(Interpreter& python, const Arguments& arguments, Place) {
  int64_t bounds[3] = {0, 0, 1};
  const size_t given = arguments.positional.size();
  if (given == 0 || given > 3) return Value::unknown();
  for (size_t i = 0; i < given; ++i) {
    if (!arguments.at(i).is(Kind::integer)) return Value::unknown();
    bounds[given == 1 ? 1 : i] = arguments.at(i).as_integer();
  }
  const int64_t step = bounds[2];
  if (step == 0) return raised(python, "ValueError");
  constexpr size_t enough = 32;  // loops stop earlier
  std::vector<Value> items;
  for (int64_t at = bounds[0]; step > 0 ? at < bounds[1] : at > bounds[1]; at += step) {
    items.push_back(Value::integer(at));
    if (items.size() == enough) break;
  }
  const Value made = python.make_list(items, Kind::tuple);
  python.object_of(made).arguments = arguments;  // say how many there are
  return made;
}

/// An iterator that gives its items as `function` turns them; an absent one leaves them as they
/// are.
Value lazy(Interpreter& python, Value iterable, Value function, bool filters = false) {
  Object made;
  made.receiver = iterable;
  made.target = function;
  made.filters = filters;
  return Value::object(Kind::iterator, python.new_object(std::move(made)));
}

/// `function(*element)` as a function of `element`.
Value spreading(Interpreter& python, Value function) {
  Arguments inner;
  inner.positional = {Value::external(python.intern("itertools.starmap()")), function};
  return python.external_instance("functools.partial", inner);
}

Value call_spread(Interpreter& python, const Arguments& arguments, Place site) {
  Arguments inner;
  inner.open = !python.items_of(arguments.at(1), inner.positional);
  return python.call(arguments.at(0), inner, site);
}

Value starmap(Interpreter& python, const Arguments& arguments, Place) {
  return lazy(python, arguments.at(1), spreading(python, arguments.at(0)));
}

Value zip(Interpreter& python, const Arguments& arguments, Place site);

Value map_(Interpreter& python, const Arguments& arguments, Place site) {
  if (arguments.positional.size() < 2) return Value::unknown();
  if (arguments.positional.size() == 2) {
    const Value made = lazy(python, arguments.at(1), arguments.at(0));
    python.object_of(made).maps = true;
    python.object_of(made).over_batches = says_batches(python.text_at(site.span));
    return made;
  }
  Arguments columns = arguments;
  columns.positional.erase(columns.positional.begin());
  const Value rows = zip(python, columns, site);
  return lazy(python, rows, spreading(python, arguments.at(0)));
}

Value filter(Interpreter& python, const Arguments& arguments, Place) {
  const Value test = arguments.at(0);
  return lazy(python, arguments.at(1),
              test.is(Kind::none) ? Value::external(python.intern("bool")) : test, true);
}

bool is_loader(Interpreter& python, Value value) {
  return value.is(Kind::instance) && python.object_of(value).target.is(Kind::external) &&
         python.text_of(python.object_of(value).target.id).ends_with("DataLoader");
}

Value iterator(Interpreter& python, const Arguments& arguments, Place) {
  // `iter(function, last)`: what the function gives, until it is the last.
  if (arguments.positional.size() == 2) return python.external_instance(asked_again, arguments);
  if (is_loader(python, arguments.at(0)))
    return lazy(python, python.begun_loader(arguments.at(0)), {});
  if (arguments.at(0).is(Kind::generator) || arguments.at(0).is(Kind::iterator))
    return arguments.at(0);
  return lazy(python, arguments.at(0), {});
}

Value reversed(Interpreter& python, const Arguments& arguments, Place) {
  std::vector<Value> items;
  if (!python.items_of(arguments.at(0), items)) return lazy(python, arguments.at(0), {});
  std::reverse(items.begin(), items.end());
  return python.make_list(items);
}

/// What shows how far a loop is gives what it was given.
Value shown(Interpreter& python, const Arguments& arguments, Place) {
  const Value iterable = arguments.at(0);
  return iterable.is(Kind::absent) ? python.external_instance("tqdm.tqdm", arguments) : iterable;
}

Value numbered(Interpreter& python, const Arguments& arguments, Place) {
  Value number = Value::unknown();
  number.graph = Value::counting;
  return python.make_list({number, arguments.at(0)}, Kind::tuple);
}

/// A parameter with its name.
Value named(Interpreter& python, const Arguments& arguments, Place) {
  return python.make_list({{Kind::any_string}, arguments.at(0)}, Kind::tuple);
}

Value enumerate(Interpreter& python, const Arguments& arguments, Place) {
  const Value iterable = arguments.at(0);
  std::vector<Value> items;
  if (!python.items_of(iterable, items)) {
    // Keeps what iterating brings about; the numbers are unknown.
    return lazy(python, iterable, Value::external(python.intern("enumerate()")));
  }
  const Value start = arguments.named(python.intern("start"), 1);
  const bool known = start.is(Kind::integer) || start.is(Kind::absent);
  std::vector<Value> pairs;
  for (size_t i = 0; i < items.size(); ++i) {
    const int64_t first = start.is(Kind::integer) ? start.as_integer() : 0;
    const Value number = known ? Value::integer(first + static_cast<int64_t>(i)) : Value::unknown();
    pairs.push_back(python.make_list({number, items[i]}, Kind::tuple));
  }
  return python.make_list(pairs);
}

/// The first items of an iterable, at most so many; whether they are known.
bool take(Interpreter& python, Value iterable, size_t most, std::vector<Value>& items, Place site) {
  if (most == 0) return true;
  const auto ran = python.iterate_while(
      iterable,
      [&](Value item) {
        items.push_back(item);
        return items.size() < most;
      },
      site);
  return !python.stopped() && ran != Interpreter::Ran::unknown;
}

Value row(Interpreter&, const Arguments& arguments, Place) { return arguments.at(0); }

/// Rows of which nobody knows how many there are: each has one of what each column gives.
Value unknown_rows(Interpreter& python, const Arguments& columns) {
  std::vector<Value> items;
  for (const Value column : columns.positional) items.push_back(python.one_of(column));
  Arguments made;
  made.positional = {Value::external(python.intern("zip()")), python.make_list(items, Kind::tuple)};
  return lazy(python, Value::unknown(), python.external_instance("functools.partial", made));
}

Value zip(Interpreter& python, const Arguments& arguments, Place site) {
  std::vector<std::vector<Value>> columns(arguments.positional.size());
  size_t shortest = SIZE_MAX;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (python.items_of(arguments.at(i), columns[i]))
      shortest = std::min(shortest, columns[i].size());
  }
  for (size_t i = 0, before = SIZE_MAX; i < columns.size(); ++i) {
    // A generator is not asked again once an iterable before it has ended.
    const size_t most = before == SIZE_MAX && shortest != SIZE_MAX ? shortest + 1 : before;
    const bool runs = arguments.at(i).is(Kind::generator) || arguments.at(i).is(Kind::iterator);
    if (runs && !take(python, arguments.at(i), most, columns[i], site))
      return python.stopped() ? Value::unknown() : unknown_rows(python, arguments);
    if (!runs && !python.items_of(arguments.at(i), columns[i] = {}))
      return unknown_rows(python, arguments);
    before = std::min(before, columns[i].size());
    shortest = std::min(shortest, before);
  }
  std::vector<Value> rows;
  for (size_t i = 0; !columns.empty() && i < shortest; ++i) {
    std::vector<Value> row;
    for (const std::vector<Value>& column : columns) row.push_back(column[i]);
    rows.push_back(python.make_list(row, Kind::tuple));
  }
  return python.make_list(rows);
}

void observe_loader(Interpreter& python, KeptWay way, Place site) {
  if (python.stopped() || python.probing_ > 0) return;
  Observation seen = python.observation_at(ObservationKind::graph_kept, site);
  seen.kept = way;
  python.observe(std::move(seen));
}

/// Remembers all that it goes through, to give it again.
Value cycle(Interpreter& python, const Arguments& arguments, Place site) {
  if (is_loader(python, arguments.at(0))) observe_loader(python, KeptWay::cycle, site);
  return lazy(python, arguments.at(0), {});
}

Value next(Interpreter& python, const Arguments& arguments, Place site) {
  const bool begins_anew = python.text_at(site.span).starts_with("next(iter(");
  if (begins_anew && arguments.at(0).is(Kind::iterator) &&
      is_loader(python, python.object_of(arguments.at(0)).receiver)) {
    observe_loader(python, KeptWay::restart, site);
  }
  return python.next_of(arguments.at(0), arguments.at(1), site);
}

/// `islice(iterable, stop)`: the first items, and nothing that would come after them.
Value first_items(Interpreter& python, const Arguments& arguments, Place site) {
  const Value stop = arguments.at(1);
  if (!stop.is(Kind::integer) || arguments.positional.size() != 2)
    return lazy(python, arguments.at(0), {});
  std::vector<Value> items;
  const auto most = static_cast<size_t>(std::max<int64_t>(stop.as_integer(), 0));
  return take(python, arguments.at(0), most, items, site) ? python.make_list(items)
                                                          : Value::unknown();
}

Value chain(Interpreter& python, const Arguments& arguments, Place site) {
  std::vector<Value> items;
  bool known = true;
  for (const Value iterable : arguments.positional)
    known = python.collect(iterable, items, site) && known;
  return known ? python.make_list(items) : Value::unknown();
}

Value reduce(Interpreter& python, const Arguments& arguments, Place site) {
  std::vector<Value> items;
  const Value held = python.make_list({});
  if (!arguments.at(2).is(Kind::absent)) items.push_back(arguments.at(2));
  if (!gathered(python, arguments.at(1), KeptWay::sum, items, held, site) || items.empty())
    return python.stopped() ? Value::unknown() : python.computed(Value::unknown(), {&held, 1});
  Value result = items.front();
  for (size_t i = 1; i < items.size() && !python.stopped(); ++i) {
    Arguments pair;
    pair.positional = {result, items[i]};
    result = python.call(arguments.at(0), pair, site);
  }
  return result;
}

/// `any` and `all` stop at the first item that decides.
template <bool wanted>
Value decided(Interpreter& python, const Arguments& arguments, Place site) {
  using Truth = Interpreter::Truth;
  bool found = false;
  bool open = false;
  const auto ran = python.iterate_while(
      arguments.at(0),
      [&](Value item) {
        const Truth truth = python.truth_of(item);
        found = truth == (wanted ? Truth::yes : Truth::no);
        // It may end here: what the later items do is done on one of the paths only.
        if (truth == Truth::unknown) python.stash({Completion::suspended, {}});
        open = open || truth == Truth::unknown;
        return !found;
      },
      site);
  if (python.stopped() || open || ran == Interpreter::Ran::unknown) return Value::unknown();
  return Value::boolean(found == wanted);
}

/// Functions that go through all of an iterable and give something else.
Value consume(Interpreter& python, const Arguments& arguments, Place site) {
  const Value function = arguments.named(python.intern("key"), -1);
  for (const Value argument : arguments.positional) {
    const bool runs = argument.is(Kind::iterator) || argument.is(Kind::generator) ||
                      argument.is(Kind::list) || argument.is(Kind::tuple) ||
                      argument.is(Kind::set) || argument.is(Kind::dict);
    if (!runs) continue;
    python.iterate(
        argument,
        [&](Value item) {
          if (function.is(Kind::absent) || function.is(Kind::none)) return;
          Arguments one;
          one.positional.push_back(item);
          python.call(function, one, site);
        },
        site);
    if (python.stopped()) break;
  }
  return python.computed(Value::unknown(), arguments.positional);
}

Value largest(Interpreter& python, const Arguments& arguments, Place site) {
  consume(python, arguments, site);
  // One of them, and no sum: it does not grow.
  Value made = Value::unknown();
  if (arguments.positional.size() > 1) {
    for (const Value argument : arguments.positional)
      made.graph = join_values(made, argument).graph;
  }
  return made;
}

/// A queue that lets its oldest item go holds no more than so many.
Value to_queue(Interpreter& python, const Arguments& arguments, Place site) {
  const Value most = arguments.named(python.intern("maxlen"), 1);
  Arguments items;
  if (!arguments.at(0).is(Kind::absent)) items.positional.push_back(arguments.at(0));
  const Value made = to_sequence<Kind::list>(python, items, site);
  // The graphs of so many steps are more than a run has memory for.
  constexpr int64_t too_many = 1000;
  const bool lets_go = !most.is(Kind::absent) && !most.is(Kind::none) &&
                       !(most.is(Kind::integer) && most.as_integer() >= too_many);
  if (made.is(Kind::list) && lets_go) python.set(made.id, Interpreter::kept_slot, Value::none());
  return made;
}

/// `heapq.heappush(heap, item)`
Value push_on_heap(Interpreter& python, const Arguments& arguments, Place site) {
  const Value heap = arguments.at(0);
  if (!heap.is(Kind::list)) return Value::none();
  const std::string_view text = python.text_before(site, ",");
  const size_t begin = text.find('(');
  python.append_item(heap, arguments.at(1));
  if (begin != std::string_view::npos)
    python.note_kept(heap, arguments.at(1), site, text.substr(begin + 1));
  return Value::none();
}

Value pop_from_heap(Interpreter& python, const Arguments& arguments, Place) {
  if (!arguments.at(0).is(Kind::list)) return Value::unknown();
  python.note_let_go(arguments.at(0));
  python.set(arguments.at(0).id, length_slot, Value::unknown());
  return Value::unknown();
}

Value sorted(Interpreter& python, const Arguments& arguments, Place site) {
  std::vector<Value> items;
  const bool known =
      arguments.at(0).is(Kind::generator)
          ? gathered(python, arguments.at(0), KeptWay::container, items, python.make_list({}), site)
          : python.collect(arguments.at(0), items, site);
  Arguments rest = arguments;
  if (known && !rest.positional.empty()) rest.positional.front() = python.make_list(items);
  if (known) consume(python, rest, site);
  if (python.stopped() || !known) return Value::unknown();
  return python.make_list(items);
}

Value module_scope(Interpreter& python, const Arguments&, Place) {
  return Value::object(Kind::module, python.objects_[python.frame().scope].home);
}

Value leave(Interpreter& python, const Arguments&, Place) { return raised(python, "SystemExit"); }

constexpr LibraryFunction table[] = {
    {"globals", module_scope},
    {"str", to_text},
    {"int", to_integer},
    {"float", to_real},
    {"bool", to_boolean},
    {"len", length},
    {"list", to_sequence<Kind::list>},
    {"tuple", to_sequence<Kind::tuple>},
    {"set", to_sequence<Kind::set>},
    {"frozenset", to_sequence<Kind::set>},
    {"collections.deque", to_queue},
    {"dict", to_dict},
    {"collections.ChainMap", to_dict},
    {"collections.OrderedDict", to_dict},
    {"collections.defaultdict", to_default_dict},
    {"collections.Counter", to_counter},
    {"range", range},
    {"map", map_},
    {"iter", iterator},
    {"reversed", reversed},
    {"tqdm.tqdm", shown},
    {"tqdm.auto.tqdm", shown},
    {"filter", filter},
    {"enumerate", enumerate},
    {"zip", zip},
    {"zip()", row},
    {"next", next},
    {"any", decided<true>},
    {"all", decided<false>},
    {"enumerate()", numbered},
    {"named_parameters()", named},
    {"itertools.cycle", cycle},
    {"itertools.islice", first_items},
    {"itertools.chain", chain},
    {"itertools.starmap", starmap},
    {"itertools.starmap()", call_spread},
    {"functools.reduce", reduce},
    {"sum", total},
    {"min", largest},
    {"max", largest},
    {"sorted", sorted},
    {"heapq.heappush", push_on_heap},
    {"heapq.heappop", pop_from_heap},
    {"heapq.heappushpop", pop_from_heap},
    {"heapq.heapreplace", pop_from_heap},
    {"exit", leave},
    {"quit", leave},
    {"sys.exit", leave},
    {"os._exit", leave},
    {"os.abort", leave},
};

}  // namespace

std::span<const LibraryFunction> builtin_functions() { return table; }

}  // namespace vramlint::replay
