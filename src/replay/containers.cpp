// SPDX-License-Identifier: MIT
//
// Lists, tuples, sets and dictionaries, as far as code keeps settings, functions and devices in
// them. An item has a slot; what is not known of a container makes it *open*: it may hold more.
#include <algorithm>

#include "replay/interpreter.h"

namespace vramlint::replay {
namespace {

constexpr uint32_t open_slot = item_bit | 0x7fffffff;
/// A longer list is followed no further.
constexpr uint32_t max_items = 4096;

}  // namespace

Value Interpreter::make_list(const std::vector<Value>& items, Kind kind) {
  const ObjectId object = new_object({});
  const auto size = static_cast<uint32_t>(std::min<size_t>(items.size(), max_items));
  charge(1 + size_t{size});
  for (uint32_t i = 0; i < size; ++i) set(object, item_bit | i, items[i]);
  set(object, length_slot, items.size() > max_items ? Value::unknown() : Value::integer(size));
  return Value::object(kind, object);
}

bool Interpreter::items_of(Value sequence, std::vector<Value>& items) {
  switch (sequence.kind) {
    case Kind::list:
    case Kind::tuple:
    case Kind::set: {
      const Value length = get(sequence.id, length_slot);
      if (!length.is(Kind::integer)) return false;
      charge(static_cast<size_t>(length.as_integer()) / 8);
      for (uint32_t i = 0; i < length.as_integer(); ++i)
        items.push_back(get(sequence.id, item_bit | i));
      return true;
    }
    case Kind::dict: {
      const std::vector<uint32_t> names = object_of(sequence).slot_names;
      charge(names.size() / 8);
      for (const uint32_t name : names) {
        if (name == open_slot || get(sequence.id, name).is(Kind::absent)) continue;
        items.push_back(key_at(name));
      }
      return dict_is_closed(sequence);
    }
    default: return false;
  }
}

void Interpreter::append_item(Value list, Value item) {
  const Value length = get(list.id, length_slot);
  if (!length.is(Kind::integer) || length.as_integer() >= max_items) {
    return set(list.id, length_slot, Value::unknown());
  }
  set(list.id, item_bit | static_cast<uint32_t>(length.as_integer()), item);
  set(list.id, length_slot, Value::integer(length.as_integer() + 1));
}

Value Interpreter::make_dict() { return Value::object(Kind::dict, new_object({})); }

bool Interpreter::dict_is_closed(Value dict) const {
  return get(dict.id, open_slot).is(Kind::absent);
}

void Interpreter::open_dict(Value dict) { set(dict.id, open_slot, Value::boolean(true)); }

/// Slot of a key: texts by themselves, other plain values and definitions by a text made for them.
/// A program that writes just this text as a key is not followed.
bool Interpreter::key_of(Value key, uint32_t& name) {
  if (key.certainty != Certainty::yes) return false;
  std::string text("\x01");
  switch (key.kind) {
    case Kind::string: name = key.id; return !keys_.contains(key.id);
    case Kind::none:
    case Kind::boolean:
    case Kind::integer: text += std::to_string(key.payload); break;
    case Kind::function:
    case Kind::class_:
    case Kind::external: text += std::to_string(key.id); break;
    default: return false;
  }
  text += static_cast<char>(key.kind);
  name = intern(text);
  keys_[name] = key;
  return true;
}

/// The key that has this slot.
Value Interpreter::key_at(uint32_t name) const {
  const auto found = keys_.find(name);
  return found == keys_.end() ? Value::string(name) : found->second;
}

void Interpreter::dict_set(Value dict, Value key, Value value) {
  uint32_t name = 0;
  if (!key_of(key, name)) return open_dict(dict);
  set(dict.id, name, value);
}

Value Interpreter::dict_get(Value dict, Value key) {
  uint32_t name = 0;
  if (!key_of(key, name)) return Value::unknown();
  const Value value = get(dict.id, name);
  if (!value.is(Kind::absent)) return value;
  if (const Value factory = object_of(dict).target; !factory.is(Kind::absent)) {
    const Value made = call(factory, {}, frame().call_site);
    if (!stopped()) set(dict.id, name, made);
    return made;
  }
  if (dict_is_closed(dict)) abrupt_ = {Completion::raised, Value::external(intern("KeyError"))};
  return Value::unknown();
}

void Interpreter::dict_update(Value dict, const Arguments& arguments) {
  for (const Value other : arguments.positional) {
    if (other.is(Kind::dict)) {
      const std::vector<uint32_t> names = object_of(other).slot_names;
      charge(2 * names.size());
      for (const uint32_t name : names) set(dict.id, name, get(other.id, name));
      continue;
    }
    std::vector<Value> pairs;
    if (other.is(Kind::environment)) {
      object_of(dict).child_environment = true;
      open_dict(dict);
    } else if (!collect(other, pairs, frame().call_site)) {
      open_dict(dict);
    }
    for (const Value pair : pairs) {
      std::vector<Value> parts;
      if (!items_of(pair, parts) || parts.size() != 2) return open_dict(dict);
      dict_set(dict, parts[0], parts[1]);
    }
  }
  for (const Arguments::Keyword& keyword : arguments.keywords) {
    dict_set(dict, Value::string(keyword.name), keyword.value);
  }
  if (arguments.open) open_dict(dict);
}

Value Interpreter::container_method(Value object, std::string_view name, const Arguments& arguments,
                                    Place site, bool& known) {
  switch (object.kind) {
    case Kind::string:
    case Kind::any_string: return string_method(object, name, arguments, known);
    case Kind::dict: return dict_method(object, name, arguments, site, known);
    default: break;
  }
  const bool puts = name == "append" || name == "appendleft" || name == "add" || name == "extend" ||
                    name == "insert" || name == "update";
  const bool takes = name == "clear" || name == "pop" || name == "popleft" || name == "remove" ||
                     name == "discard";
  if (puts) {
    const Value item = arguments.at(name == "insert" ? 1 : 0);
    note_kept(object, item, site, text_before(site, "." + std::string(name) + "("));
  }
  if (takes) note_let_go(object);
  return list_method(object, name, arguments, known);
}

Value Interpreter::list_method(Value object, std::string_view name, const Arguments& arguments,
                               bool& known) {
  known = true;
  const Value first = arguments.at(0);
  if (name == "append" || name == "add" || name == "appendleft") {
    append_item(object, first);
    return Value::none();
  }
  if (name == "extend" || name == "update") {
    std::vector<Value> items;
    if (!collect(first, items, frame().call_site)) set(object.id, length_slot, Value::unknown());
    for (const Value item : items) append_item(object, item);
    return Value::none();
  }
  if (name == "insert") {
    std::vector<Value> items;
    if (!items_of(object, items)) return Value::none();
    const Value at = first;
    const bool front = at.is(Kind::integer) && at.as_integer() == 0;
    items.insert(front ? items.begin() : items.end(), arguments.at(1));
    const Value made = make_list(items, object.kind);
    charge(items.size());
    for (uint32_t i = 0; i < items.size(); ++i)
      set(object.id, item_bit | i, get(made.id, item_bit | i));
    set(object.id, length_slot, get(made.id, length_slot));
    return Value::none();
  }
  if (name == "clear") {
    set(object.id, length_slot, Value::integer(0));
    return Value::none();
  }
  std::vector<Value> items;
  const bool takes = name == "pop" || name == "popleft";
  if (takes && items_of(object, items) && !items.empty()) {
    const bool front = name == "popleft" || (first.is(Kind::integer) && first.as_integer() == 0);
    const Value taken = front ? items.front() : items.back();
    if (front) {
      charge(items.size());
      for (uint32_t i = 1; i < items.size(); ++i) set(object.id, item_bit | (i - 1), items[i]);
    }
    set(object.id, length_slot, Value::integer(static_cast<int64_t>(items.size()) - 1));
    return taken;
  }
  if (name == "copy" && items_of(object, items)) return make_list(items, object.kind);
  if (name == "sort" || name == "reverse" || name == "remove" || name == "discard") {
    return reorder(object, name, arguments);
  }
  known = false;
  return Value::unknown();
}

Value Interpreter::reorder(Value list, std::string_view name, const Arguments& arguments) {
  std::vector<Value> items;
  if (!items_of(list, items)) return Value::none();
  const Value key = arguments.named(intern("key"), -1);
  const Value wanted = arguments.at(0);
  if (name == "reverse") {
    std::reverse(items.begin(), items.end());
  } else if (name == "sort") {
    for (const Value item : items) {
      Arguments one;
      one.positional.push_back(item);
      if (!key.is(Kind::absent) && !stopped()) call(key, one, frame().call_site);
    }
    return Value::none();
  } else {
    const auto found =
        std::find_if(items.begin(), items.end(), [&](Value item) { return item.same_as(wanted); });
    if (found == items.end()) return Value::none();
    items.erase(found);
  }
  charge(items.size());
  for (uint32_t i = 0; i < items.size(); ++i) set(list.id, item_bit | i, items[i]);
  set(list.id, length_slot, Value::integer(static_cast<int64_t>(items.size())));
  return Value::none();
}

Value Interpreter::dict_method(Value object, std::string_view name, const Arguments& arguments,
                               Place site, bool& known) {
  known = true;
  const Value first = arguments.at(0);
  uint32_t key = 0;
  if (name == "pop" || name == "popitem" || name == "clear") note_let_go(object);
  if (name == "get" || name == "pop" || name == "setdefault") {
    const Value preset = arguments.at(1).is(Kind::absent) ? Value::none() : arguments.at(1);
    if (!key_of(first, key)) return Value::unknown();
    const Value value = get(object.id, key);
    if (name == "setdefault" && value.is(Kind::absent)) {
      observe_child_variable(first, preset, WriteForm::set_default, site);
      set(object.id, key, preset);
      return preset;
    }
    if (name == "pop") set(object.id, key, {});
    if (!value.is(Kind::absent)) return value;
    return dict_is_closed(object) ? preset : Value::unknown();
  }
  if (name == "update") {
    if (first.is(Kind::dict) && get(first.id, kept_slot).has_graph())
      note_kept(object, first, site, text_before(site, ".update("));
    if (object_of(object).child_environment) {
      for (const Arguments::Keyword& keyword : arguments.keywords) {
        observe_child_variable(Value::string(keyword.name), keyword.value, WriteForm::update, site);
      }
    }
    dict_update(object, arguments);
    return Value::none();
  }
  if (name == "items" || name == "values" || name == "keys") {
    std::vector<Value> made;
    const std::vector<uint32_t> names = object_of(object).slot_names;
    for (const uint32_t slot : names) {
      const Value value = get(object.id, slot);
      if (slot == open_slot || value.is(Kind::absent)) continue;
      const Value held = key_at(slot);
      if (name == "items") made.push_back(make_list({held, value}, Kind::tuple));
      if (name == "values") made.push_back(value);
      if (name == "keys") made.push_back(held);
    }
    const Value list = make_list(made);
    if (!dict_is_closed(object)) set(list.id, length_slot, Value::unknown());
    return list;
  }
  if (name == "new_child") {
    // `ChainMap`: what it had stays reachable behind the new one.
    const Value made = make_dict();
    Arguments both;
    both.positional = {object, first};
    dict_update(made, both);
    const Value operands[] = {object, first};
    set(made.id, kept_slot, computed(Value::unknown(), operands));
    return made;
  }
  if (name == "copy") {
    const Value made = make_dict();
    object_of(made).child_environment = object_of(object).child_environment;
    Arguments self;
    self.positional.push_back(object);
    dict_update(made, self);
    return made;
  }
  if (name == "clear") {
    const std::vector<uint32_t> names = object_of(object).slot_names;
    for (const uint32_t slot : names) set(object.id, slot, {});
    return Value::none();
  }
  known = false;
  return Value::unknown();
}

}  // namespace vramlint::replay
