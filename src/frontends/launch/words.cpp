// SPDX-License-Identifier: MIT
//
// Words cut, put together and read again, each byte with its place in the file.
#include <algorithm>
#include <utility>

#include "frontends/launch/shell_words.h"

namespace vramlint::frontends {

using model::LaunchPart;
using model::LaunchSetting;
using model::LaunchWord;

LaunchWord word_behind(const LaunchWord& word, size_t bytes) {
  LaunchWord rest = word;
  const auto skipped = static_cast<uint32_t>(bytes);
  size_t known = 0;
  for (const LaunchPart& part : word.parts) {
    if (part.kind == LaunchPart::Kind::text) known += part.text.size();
  }
  if (!rest.parts.empty()) rest.parts[0].text.erase(0, bytes);
  if (!rest.parts.empty() && rest.parts[0].text.empty() &&
      rest.parts[0].kind == LaunchPart::Kind::text) {
    rest.parts.erase(rest.parts.begin());
  }
  rest.origins.clear();
  for (size_t i = 0; i < word.origins.size(); ++i) {
    const auto [at, origin] = word.origins[i];
    const uint32_t next = i + 1 < word.origins.size() ? word.origins[i + 1].first : 0xffffffff;
    if (next <= skipped) continue;
    const uint32_t begin = std::max(at, skipped);
    rest.origins.emplace_back(begin - skipped, origin + begin - at);
  }
  // Behind the last byte nothing is left to point to but the end of the word.
  const bool is_empty = known <= bytes;
  const uint32_t first = is_empty ? word.span.end : MappedText::origin_in(rest.origins, 0);
  rest.inner =
      is_empty ? text::Span{first, first} : MappedText::span_in(rest.origins, 0, known - bytes);
  rest.span = {std::min(first, word.span.end), word.span.end};
  // A variable that follows stands behind the last byte known, and is there to be pointed to.
  const bool is_open = is_empty && !rest.parts.empty() && bytes > 0;
  if (is_open) {
    const uint32_t last = MappedText::origin_in(word.origins, std::min(bytes, known) - 1);
    rest.span.begin = std::clamp(last + 1, word.span.begin, word.span.end - 1);
  }
  return rest;
}

LaunchWord word_before(const LaunchWord& word, size_t bytes) {
  LaunchWord front = word;
  if (front.parts.size() > 1) front.parts.resize(1);
  if (!front.parts.empty()) front.parts[0].text.resize(std::min(bytes, front.parts[0].text.size()));
  front.inner = MappedText::span_in(word.origins, 0, bytes);
  front.span = {word.span.begin, std::max(front.inner.end, word.span.begin)};
  return front;
}

std::optional<LaunchSetting> setting_in(const LaunchWord& word) {
  const std::string_view text = word.beginning();
  size_t end = 0;
  while (end < text.size() && is_name_byte(text[end])) ++end;
  const bool named =
      end > 0 && !(text[0] >= '0' && text[0] <= '9') && end < text.size() && text[end] == '=';
  if (!named) return std::nullopt;
  return LaunchSetting{std::string(text.substr(0, end)), word_behind(word, end + 1), word.span};
}

LaunchWord plain_word(std::string_view text, uint32_t origin) {
  LaunchWord word;
  const text::Span span{origin, origin + static_cast<uint32_t>(text.size())};
  word.span = word.inner = span;
  if (text.empty()) return word;
  word.parts.emplace_back();
  word.parts.back().text = text;
  word.origins.emplace_back(0, origin);
  return word;
}

namespace {

size_t name_end(std::string_view bytes, size_t at) {
  while (at < bytes.size() && is_name_byte(bytes[at])) ++at;
  return at;
}

/// `NAME`, `NAME:-preset` or `NAME-preset` between the braces.
void read_preset(const MappedText& text, size_t begin, size_t end, LaunchPart& part) {
  const std::string_view bytes = text.text();
  const size_t name = std::min(name_end(bytes, begin), end);
  size_t at = name;
  if (at < end && bytes[at] == ':') ++at;
  const bool presets = at < end && bytes[at] == '-';
  if (name == begin || (at < end && !presets) || (at == end && at != name)) return;
  part.kind = LaunchPart::Kind::variable;
  part.text = bytes.substr(begin, name - begin);
  if (!presets) return;
  const std::string_view preset = bytes.substr(at + 1, end - at - 1);
  if (preset.find_first_of("${") != std::string_view::npos) {
    part.kind = LaunchPart::Kind::unknown;
    return;
  }
  part.has_preset = true;
  part.preset = preset;
  part.preset_span = text.span(at + 1, end);
}

}  // namespace

LaunchWord word_with_variables(const MappedText& text) {
  const std::string_view bytes = text.text();
  LaunchWord word;
  uint32_t decoded = 0;
  const auto add_text = [&](size_t from, size_t to) {
    if (from >= to) return;
    if (word.parts.empty() || word.parts.back().kind != LaunchPart::Kind::text)
      word.parts.emplace_back();
    word.parts.back().text += bytes.substr(from, to - from);
    for (size_t i = from; i < to; ++i, ++decoded) {
      const uint32_t origin = text.origin(i);
      if (word.origins.empty() ||
          origin - word.origins.back().second != decoded - word.origins.back().first)
        word.origins.emplace_back(decoded, origin);
    }
  };
  size_t at = 0;
  while (at < bytes.size()) {
    const size_t next = std::min({bytes.find('$', at), bytes.find("{{", at), bytes.size()});
    add_text(at, next);
    at = next;
    if (at >= bytes.size()) break;
    if (bytes.substr(at).starts_with("$$")) {
      add_text(at, at + 1);
      at += 2;
      continue;
    }
    const bool is_template =
        bytes.substr(at).starts_with("{{") || bytes.substr(at).starts_with("${{");
    const bool is_round = bytes.substr(at).starts_with("$(");
    const std::string_view closing = is_template ? "}}" : is_round ? ")" : "}";
    const bool braced = is_template || is_round || bytes.substr(at).starts_with("${");
    const size_t end = name_end(bytes, at + 1);
    if (!braced && end == at + 1) {
      add_text(at, at + 1);
      ++at;
      continue;
    }
    const size_t close = braced ? bytes.find(closing, at) : end - 1;
    LaunchPart part;
    part.kind = braced ? LaunchPart::Kind::unknown : LaunchPart::Kind::variable;
    if (!braced) part.text = bytes.substr(at + 1, end - at - 1);
    const bool may_have_preset = closing == "}" && braced && close != std::string_view::npos;
    if (may_have_preset) read_preset(text, at + 2, close, part);
    word.parts.push_back(std::move(part));
    at = close == std::string_view::npos ? bytes.size() : close + (braced ? closing.size() : 1);
  }
  word.span = text.span(0, bytes.size());
  word.inner = word.span;
  return word;
}

MappedText text_of(const LaunchWord& word) {
  MappedText made;
  size_t at = 0;
  for (const LaunchPart& part : word.parts) {
    if (part.kind != LaunchPart::Kind::text) {
      // Stands for something that is not known, and joins no words.
      const uint32_t origin =
          at == 0 ? word.span.begin : MappedText::origin_in(word.origins, at - 1);
      made.append("$", origin);
      made.append("_", origin);
      continue;
    }
    size_t done = 0;
    while (done < part.text.size()) {
      auto run =
          std::upper_bound(word.origins.begin(), word.origins.end(), at + done,
                           [](size_t place, const auto& each) { return place < each.first; });
      const size_t end = run == word.origins.end() ? at + part.text.size() : run->first;
      const size_t size = std::min(end - (at + done), part.text.size() - done);
      made.append(std::string_view(part.text).substr(done, size),
                  MappedText::origin_in(word.origins, at + done));
      done += size;
    }
    at += part.text.size();
  }
  return made;
}

}  // namespace vramlint::frontends
