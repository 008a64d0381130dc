// SPDX-License-Identifier: MIT
#include "lsp/completion.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "knowledge/version.h"
#include "lsp/cursor.h"
#include "lsp/positions.h"
#include "output/row_sections.h"

namespace vramlint::lsp {

namespace {

using knowledge::AllocatorKeyRow;
using knowledge::AllocatorValue;
using knowledge::VersionRange;

/// What stands in front of the name of a variable.
constexpr std::array<std::string_view, 9> environment_uses = {
    "environ[",     "environ.get(", "environ.setdefault(",
    "environ.pop(", "getenv(",      "putenv(",
    "unsetenv(",    "setenv(",      "delenv("};
constexpr std::string_view update = "environ.update(";

/// Numbers of `CompletionItemKind`.
int item_kind(ProposalKind kind) {
  switch (kind) {
    case ProposalKind::key: return 10;       // a property
    case ProposalKind::value: return 12;     // a value
    case ProposalKind::variable: return 21;  // a constant
    case ProposalKind::rule: return 20;      // a member of a set
  }
  return 1;
}

class Completion {
 public:
  Completion(const Cursor& cursor, const knowledge::Target& target,
             const knowledge::Knowledge& knowledge, Markup markup)
      : cursor_(cursor), target_(target), knowledge_(knowledge), markup_(markup) {}

  Proposals run() {
    if (cursor_.in_comment) {
      propose_rules();
    } else if (const std::optional<text::Span> string = allocator_string_at(cursor_, knowledge_)) {
      propose_in_string(*string);
    } else if (names_variable()) {
      propose_variables();
    }
    return std::move(made_);
  }

 private:
  bool is_in_target(VersionRange range) const {
    return std::ranges::any_of(target_.torch,
                               [&](knowledge::Version each) { return range.contains(each); });
  }

  void add(ProposalKind kind, std::string_view label, std::string text, std::string_view detail,
           std::string documentation) {
    made_.list.push_back(
        {kind, std::string(label), std::move(text), std::string(detail), std::move(documentation)});
  }

  std::string page_of(std::string_view name) const {
    return text_of(output::sections_about(name, knowledge_, std::nullopt), markup_);
  }

  void propose_rules() {
    const std::string_view before = cursor_.source.slice({cursor_.line.begin, cursor_.offset});
    const std::size_t list = before.rfind("ignore");
    const bool is_ours = before.rfind("vramlint:") != std::string_view::npos;
    if (!is_ours || list == std::string_view::npos) return;
    const std::string_view rest = before.substr(list);
    if (rest.find('[') == std::string_view::npos || rest.find(']') != std::string_view::npos)
      return;
    made_.span = word_at(cursor_, true);
    for (const knowledge::RulePage& page : knowledge_.pages()) {
      add(ProposalKind::rule, page.name, std::string(page.name), page.summary, "");
    }
  }

  void propose_in_string(text::Span string) {
    const std::string_view all = cursor_.source.slice(string);
    const std::string_view before = all.substr(0, cursor_.offset - string.begin);
    if (before.rfind('[') != std::string_view::npos &&
        (before.rfind(']') == std::string_view::npos || before.rfind(']') < before.rfind('['))) {
      return;  // inside of a list, where each key has a form of its own
    }
    const std::size_t comma = before.rfind(',');
    const std::size_t begin = comma == std::string_view::npos ? 0 : comma + 1;
    const std::string_view option = before.substr(begin);
    const std::size_t colon = option.find(':');
    if (colon == std::string_view::npos) return propose_keys(all, before, begin);
    const auto value_begin = static_cast<uint32_t>(begin + colon + 1);
    made_.span = {string.begin + value_begin, word_at(cursor_).end};
    std::string_view key = option.substr(0, colon);
    while (key.starts_with(' ')) key.remove_prefix(1);
    propose_values(key);
  }

  void propose_keys(std::string_view all, std::string_view before, std::size_t begin) {
    while (begin < before.size() && before[begin] == ' ') ++begin;
    made_.span = {cursor_.offset - static_cast<uint32_t>(before.size() - begin),
                  word_at(cursor_).end};
    const std::string_view after = all.substr(before.size() + made_.span.end - cursor_.offset);
    const bool has_colon = after.starts_with(':');
    const auto sets = [](std::string_view options, std::string_view key) {
      return options.find(std::string(key) + ":") != std::string_view::npos;
    };
    for (const AllocatorKeyRow& row : knowledge_.allocator_keys()) {
      const bool is_set = sets(before.substr(0, begin), row.name) || sets(after, row.name);
      if (is_set || !is_in_target(row.torch)) continue;
      add(ProposalKind::key, row.name, std::string(row.name) + (has_colon ? "" : ":"), row.summary,
          page_of(row.name));
    }
  }

  void propose_values(std::string_view key) {
    for (const AllocatorKeyRow& row : knowledge_.allocator_keys()) {
      const bool is_named = row.name == key || std::ranges::count(row.aliases, key) > 0;
      if (!is_named || !is_in_target(row.torch)) continue;
      std::vector<std::string_view> values(row.words.begin(), row.words.end());
      if (target_.platform == knowledge::Platform::rocm) {
        values.insert(values.end(), row.rocm_words.begin(), row.rocm_words.end());
      }
      if (row.type == AllocatorValue::boolean) values = {"True", "False"};
      if (values.empty() && !row.fallback.empty()) values = {row.fallback};
      for (const std::string_view value : values) {
        const bool is_default = value == row.fallback;
        add(ProposalKind::value, value, std::string(value), is_default ? "default" : "",
            page_of(row.name));
      }
      return;
    }
  }

  /// Whether the name of a variable belongs at the place.
  bool names_variable() const {
    // In a shell or an `.env` file, as soon as two of its letters say so.
    if (cursor_.source.language() != text::Language::python) return beginning().size() > 1;
    if (!cursor_.string) return false;
    const std::string_view before = text_before(cursor_, *cursor_.string);
    for (const std::string_view use : environment_uses) {
      if (before.ends_with(use)) return true;
    }
    const std::size_t updated = before.rfind(update);
    const bool is_key = before.ends_with('{') || before.ends_with(',');
    return is_key && updated != std::string_view::npos &&
           before.find(')', updated) == std::string_view::npos;
  }

  std::string_view beginning() const {
    return cursor_.source.slice({word_at(cursor_).begin, cursor_.offset});
  }

  /// In files that launch programs most words in capitals are none of ours.
  void propose_variables() {
    const bool is_python = cursor_.source.language() == text::Language::python;
    const bool in_string = cursor_.string.has_value();
    made_.span = {in_string ? cursor_.string->begin : word_at(cursor_).begin, word_at(cursor_).end};
    for (const knowledge::VariableRow& row : knowledge_.variables()) {
      if (row.name.ends_with('*') || !is_in_target(row.torch)) continue;
      if (!is_python && !row.name.starts_with(beginning())) continue;
      add(ProposalKind::variable, row.name, std::string(row.name), row.summary, page_of(row.name));
    }
  }

  const Cursor& cursor_;
  const knowledge::Target& target_;
  const knowledge::Knowledge& knowledge_;
  Markup markup_;
  Proposals made_;
};

}  // namespace

Proposals proposals_at(const text::Source& source, uint32_t offset, const knowledge::Target& target,
                       const knowledge::Knowledge& knowledge, Markup markup) {
  return Completion(cursor_at(source, offset), target, knowledge, markup).run();
}

Json completion_json(const Proposals& proposals, const text::Source& source, const Client& client) {
  const Json range = json_of(range_of(source, proposals.span, client.encoding));
  Json items = Json::array();
  for (const Proposal& each : proposals.list) {
    Json item = {{"label", each.label},
                 {"kind", item_kind(each.kind)},
                 {"textEdit", {{"range", range}, {"newText", each.text}}}};
    if (!each.detail.empty()) item["detail"] = each.detail;
    if (!each.documentation.empty()) {
      item["documentation"] = markup_json(each.documentation, client.completion_markup);
    }
    items.push_back(std::move(item));
  }
  return {{"isIncomplete", false}, {"items", std::move(items)}};
}

std::vector<std::string> completion_triggers() { return {"\"", "'", ":", ",", "=", "["}; }

}  // namespace vramlint::lsp
