// SPDX-License-Identifier: MIT
#include "rules/written_text.h"
#include "prefilter/imports.h"
#include "prefilter/words.h"

#include <algorithm>
#include <array>

namespace vramlint::rules {

using replay::KnownValue;
using replay::Observation;

using prefilter::is_word_byte;

bool is_identifier(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_word_byte) &&
         !(text.front() >= '0' && text.front() <= '9');
}

std::string_view root_of(std::string_view expression) {
  size_t end = 0;
  while (end < expression.size() && is_word_byte(expression[end])) ++end;
  return expression.substr(0, end);
}

std::string_view receiver_text(const CheckContext& context, const Observation& seen) {
  const auto& receiver = seen.written.receiver;
  return receiver && receiver->written ? context.text(*receiver->written) : std::string_view();
}

std::string_view assigned_text(const CheckContext& context, const Observation& seen) {
  return seen.written.assigned_to ? context.text(*seen.written.assigned_to) : std::string_view();
}

bool assigns(std::string_view text, std::string_view name) {
  return text::any_word(text, name, [&](size_t begin, size_t end) {
    const bool is_attribute = begin > 0 && text[begin - 1] == '.';
    const std::string_view rest = text.substr(end);
    const size_t at = rest.find_first_not_of(' ');
    if (is_attribute || at == std::string_view::npos || rest[at] != '=') return false;
    return at + 1 < rest.size() && rest[at + 1] != '=';
  });
}

const Observation* call_at(const CheckContext& context, replay::Place place) {
  for (const Observation& seen : context.timeline.observations) {
    const bool is_call = seen.kind == replay::ObservationKind::call && !seen.name.starts_with('.');
    if (is_call && context.event(seen.event).place == place) return &seen;
  }
  return nullptr;
}

bool is_true(const KnownValue* value) {
  return value != nullptr && value->kind == KnownValue::Kind::boolean && value->integer != 0;
}

int64_t integer_of(const KnownValue* value) {
  return value != nullptr && value->kind == KnownValue::Kind::integer ? value->integer : 0;
}

bool is_text(const KnownValue* value, std::string_view text) {
  return value != nullptr && value->kind == KnownValue::Kind::text && value->text == text;
}

bool depends_on_rank(const CheckContext& context, const Observation& seen) {
  constexpr std::array<std::string_view, 5> words = {"rank", "RANK", "main", "master", "leader"};
  return std::ranges::any_of(seen.conditions, [&](replay::Place condition) {
    const std::string_view text = context.text(condition);
    if (has_word(text, "__main__")) return false;
    return std::ranges::any_of(
        words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
  });
}

bool is_under_main_guard(const CheckContext& context, const Observation& seen) {
  return std::ranges::any_of(seen.conditions, [&](replay::Place condition) {
    return has_word(context.text(condition), "__main__");
  });
}

bool is_call(const Observation& seen, std::string_view name) {
  return seen.kind == replay::ObservationKind::call && seen.name == name;
}

bool is_whole_statement(const CheckContext& context, replay::Place place) {
  const std::string_view bytes = context.timeline.files[place.file]->bytes();
  const std::string_view front = bytes.substr(0, place.span.begin);
  const std::string_view line = front.substr(0, front.find_last_not_of(" \t") + 1);
  constexpr std::string_view begins = "\n;:";
  const bool is_first = line.empty() || begins.find(line.back()) != std::string_view::npos;
  const bool goes_on = line.ends_with("\\\n") || line.ends_with("\\\r\n");
  const size_t next = bytes.find_first_not_of(" \t", place.span.end);
  constexpr std::string_view ends = "\r\n;#";
  const bool is_last =
      next == std::string_view::npos || ends.find(bytes[next]) != std::string_view::npos;
  return is_first && !goes_on && is_last;
}

namespace {

/// Whether one of the program's files is that module: `package.module` is `…/package/module.py`.
bool is_in_sight(const CheckContext& context, std::string_view module) {
  std::string path(module);
  std::ranges::replace(path, '.', '/');
  return std::ranges::any_of(context.timeline.files, [&](const auto& file) {
    std::string_view own = file->path();
    for (const std::string_view ending : {".py", "/__init__"}) {
      if (own.ends_with(ending)) own.remove_suffix(ending.size());
    }
    return own == path || own.ends_with("/" + path);
  });
}

bool is_known_library(const CheckContext& context, std::string_view module) {
  const knowledge::PackageRow* row = context.knowledge.package(module);
  if (row == nullptr) return false;
  const bool is_torch =
      std::ranges::find(row->brings, knowledge::Moment::import_torch) != row->brings.end();
  const bool is_of_host = !row->imports_torch && row->may_bring.empty() &&
                          std::ranges::all_of(row->brings, [](knowledge::Moment moment) {
                            return moment == knowledge::Moment::openmp_load;
                          });
  return row->standard_library || is_torch || is_of_host;
}

}  // namespace

bool uses_other_libraries(const CheckContext& context) {
  return std::ranges::any_of(context.timeline.files, [&](const auto& file) {
    if (!text::holds_python(file->language())) return false;
    if (prefilter::imports_by_computed_name(file->bytes())) return true;
    return std::ranges::any_of(prefilter::named_imports(file->bytes()),
                               [&](const prefilter::NamedImport& named) {
                                 if (named.module.empty()) return !is_in_sight(context, named.name);
                                 if (named.level == 0 && is_known_library(context, named.module))
                                   return false;
                                 return !is_in_sight(context, named.module);
                               });
  });
}

bool is_in_device_block(const Observation& seen) {
  return std::ranges::any_of(seen.contexts, [](std::string_view around) {
    return around.find("device") != std::string_view::npos;
  });
}

}  // namespace vramlint::rules
