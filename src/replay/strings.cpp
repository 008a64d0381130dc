// SPDX-License-Identifier: MIT
#include <algorithm>

#include "replay/holes.h"
#include "replay/interpreter.h"

namespace vramlint::replay {
namespace {

std::string_view stripped(std::string_view text, std::string_view blanks, bool left, bool right) {
  while (left && !text.empty() && blanks.find(text.front()) != std::string_view::npos)
    text.remove_prefix(1);
  while (right && !text.empty() && blanks.find(text.back()) != std::string_view::npos)
    text.remove_suffix(1);
  return text;
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string made;
  if (from.empty()) return std::string(text);
  while (true) {
    const size_t at = text.find(from);
    made += text.substr(0, at);
    if (at == std::string_view::npos) return made;
    made += to;
    text.remove_prefix(at + from.size());
  }
}

/// The parts of a text between separators, of which at most so many count.
std::vector<std::string_view> split(std::string_view text, std::string_view separator, int64_t most,
                                    bool from_right) {
  std::vector<std::string_view> parts;
  for (; most > 0; --most) {
    const size_t at = from_right ? text.rfind(separator) : text.find(separator);
    if (at == std::string_view::npos) break;
    parts.push_back(from_right ? text.substr(at + separator.size()) : text.substr(0, at));
    text = from_right ? text.substr(0, at) : text.substr(at + separator.size());
  }
  parts.push_back(text);
  if (from_right) std::reverse(parts.begin(), parts.end());
  return parts;
}

std::vector<std::string_view> split_at_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\f\v";
  std::vector<std::string_view> parts;
  for (size_t at = text.find_first_not_of(blanks); at != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_of(blanks, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(blanks, end);
  }
  return parts;
}

}  // namespace

Value Interpreter::text_value(const std::string& text) {
  charge(text.size() / 16);
  return text.size() <= max_text ? Value::string(intern(text)) : Value{Kind::any_string};
}

Value Interpreter::with_ending(Value start, Value ending) {
  Value made{Kind::any_string};
  const bool is_inherited = start.is(Kind::unknown) && start.id != 0;
  // `get(name, "")` may give nothing.
  bool perhaps_empty = is_inherited && start.payload == intern("") + uint64_t{1};
  std::string text;
  if (start.is(Kind::any_string) && start.id != 0) {
    text = text_of(start.id);
    perhaps_empty = (start.payload & 1) != 0;
  }
  if (!ending.is(Kind::string) || text.size() + text_of(ending.id).size() > max_text) return made;
  text += text_of(ending.id);
  made.id = intern(text);
  made.payload = perhaps_empty ? 1 : 0;
  return made;
}

Value Interpreter::list_of_texts(const std::vector<std::string_view>& texts, Kind kind) {
  std::vector<Value> items;
  for (const std::string_view text : texts) items.push_back(Value::string(intern(text)));
  return make_list(items, kind);
}

/// `"{}:{}".format(…)` with plain fields.
Value Interpreter::format_fields(std::string_view pattern, const Arguments& arguments) {
  std::string made;
  size_t next = 0;
  for (size_t i = 0; i < pattern.size() && made.size() <= max_text; ++i) {
    const char byte = pattern[i];
    if ((byte == '{' || byte == '}') && i + 1 < pattern.size() && pattern[i + 1] == byte) {
      made += byte;
      ++i;
      continue;
    }
    if (byte != '{') {
      made += byte;
      continue;
    }
    const size_t end = pattern.find('}', i);
    if (end == std::string_view::npos) return {Kind::any_string};
    const std::string_view field = pattern.substr(i + 1, end - i - 1);
    Value value;
    if (field.empty()) {
      value = arguments.at(next++);
    } else if (field.find_first_not_of("0123456789") == std::string_view::npos &&
               field.size() < 4) {
      value = arguments.at(static_cast<size_t>(std::stoi(std::string(field))));
    } else {
      value = arguments.named(intern(field), -1);
    }
    if (!text_form(value, made)) return {Kind::any_string};
    i = end;
  }
  return text_value(made);
}

Value Interpreter::join_texts(Value separator, Value iterable) {
  std::vector<Value> items;
  std::string made;
  std::string holed;
  bool known_all = separator.is(Kind::string) && is_short(separator);
  bool first = true;
  const Ran ran = iterate(
      iterable,
      [&](Value item) {
        if (!first && known_all) made += text_of(separator.id);
        if (!first) add_with_holes(*this, separator, holed);
        add_with_holes(*this, item, holed);
        first = false;
        known_all =
            known_all && made.size() <= max_text && item.is(Kind::string) && text_form(item, made);
      },
      frame().call_site);
  if (ran == Ran::unknown) return {Kind::any_string};
  return known_all ? text_value(made) : with_holes(*this, {Kind::any_string}, holed);
}

Value Interpreter::string_method(Value object, std::string_view name, const Arguments& arguments,
                                 bool& known) {
  known = true;
  const Value first = arguments.at(0);
  if (name == "join") return join_texts(object, first);
  if (object.is(Kind::any_string) || !is_short(object)) {
    known = false;
    return name.starts_with("is") || name.ends_with("with") ? Value::unknown()
                                                            : Value{Kind::any_string};
  }
  const std::string_view text = text_of(object.id);
  charge(text.size() / 16);
  if (name == "format") {
    const Value made = format_fields(text, arguments);
    return made.is(Kind::any_string) ? with_holes(*this, made, with_holes_for_braces(text)) : made;
  }
  const auto argument = [&](size_t at) {
    return arguments.at(at).is(Kind::string) ? text_of(arguments.at(at).id) : std::string_view();
  };
  if (name == "strip" || name == "lstrip" || name == "rstrip") {
    const std::string_view blanks = first.is(Kind::string) ? argument(0) : " \t\r\n\f\v";
    return Value::string(intern(stripped(text, blanks, name != "rstrip", name != "lstrip")));
  }
  if (name == "lower" || name == "upper" || name == "casefold") {
    std::string made(text);
    const bool upper = name == "upper";
    std::transform(made.begin(), made.end(), made.begin(), [upper](char byte) {
      if (upper) return byte >= 'a' && byte <= 'z' ? static_cast<char>(byte - 32) : byte;
      return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte;
    });
    return Value::string(intern(made));
  }
  if (name == "replace" && first.is(Kind::string) && arguments.at(1).is(Kind::string)) {
    const size_t grown = text.size() * (argument(1).size() + 1);
    charge(grown / 16);
    return grown > max_text * max_text ? Value{Kind::any_string}
                                       : text_value(replaced(text, argument(0), argument(1)));
  }
  if (name == "startswith" && first.is(Kind::string))
    return Value::boolean(text.starts_with(argument(0)));
  if (name == "endswith" && first.is(Kind::string))
    return Value::boolean(text.ends_with(argument(0)));
  if (name == "encode" || name == "decode") return object;
  const Value limit = arguments.named(intern("maxsplit"), 1);
  if ((name == "split" || name == "rsplit") && first.is(Kind::string) && !argument(0).empty() &&
      (limit.is(Kind::absent) || limit.is(Kind::integer))) {
    const int64_t most =
        limit.is(Kind::integer) && limit.as_integer() >= 0 ? limit.as_integer() : INT64_MAX;
    return list_of_texts(split(text, argument(0), most, name == "rsplit"), Kind::list);
  }
  if (name == "split" && arguments.positional.empty())
    return list_of_texts(split_at_blanks(text), Kind::list);
  if ((name == "partition" || name == "rpartition") && first.is(Kind::string) &&
      !argument(0).empty()) {
    std::vector<std::string_view> parts = split(text, argument(0), 1, name == "rpartition");
    const bool found = parts.size() == 2;
    if (found) parts.insert(parts.begin() + 1, argument(0));
    while (parts.size() < 3)
      parts.insert(name == "partition" ? parts.end() : parts.begin(), std::string_view());
    return list_of_texts(parts, Kind::tuple);
  }
  if (name == "removeprefix" && first.is(Kind::string)) {
    const size_t skipped = text.starts_with(argument(0)) ? argument(0).size() : 0;
    return Value::string(intern(text.substr(skipped)));
  }
  if (name == "removesuffix" && first.is(Kind::string)) {
    const size_t dropped = text.ends_with(argument(0)) ? argument(0).size() : 0;
    return Value::string(intern(text.substr(0, text.size() - dropped)));
  }
  if (name == "isdigit" && !text.empty()) {
    return Value::boolean(text.find_first_not_of("0123456789") == std::string_view::npos);
  }
  known = false;
  return Value::unknown();
}

}  // namespace vramlint::replay
