// SPDX-License-Identifier: MIT
//
// What PyTorch does with an allocator string: the scan while `import torch` runs, then the parser
// of the release. The three tokenisers are three ways through here; names and limits are rows.
// Gives the verdict and the settings in force, and leaves words to `problems.cpp`.
#include "settings/verdict.h"

#include <algorithm>

#include "settings/token_reader.h"
#include "settings/tokens.h"

namespace vramlint::settings {

namespace {

using knowledge::AllocatorKeyRow;
using knowledge::AllocatorLoadScan;
using knowledge::AllocatorTables;
using knowledge::AllocatorTokenizer;
using knowledge::AllocatorValue;

struct LoadScan {
  std::string_view backend;          ///< empty when the string names none
  std::optional<text::Span> aborts;  ///< the key without a value
};

const AllocatorKeyRow* backend_key(std::span<const AllocatorKeyRow> keys) {
  for (const AllocatorKeyRow& key : keys) {
    if (key.type == AllocatorValue::backend) return &key;
  }
  return nullptr;
}

/// 2.10 and later. Neither the colon nor the comma is looked at.
LoadScan scan_pairs(const Tokens& tokens, std::string_view backend) {
  for (std::size_t at = 0; at < tokens.size();) {
    const std::size_t key = at;
    at += 2;
    if (at >= tokens.size()) return {{}, tokens[key].span};
    if (tokens[key].text == backend) return {tokens[at].text, {}};
    if (tokens[at].text == "[") {
      while (at < tokens.size() && tokens[at].text != "]") ++at;
      if (at >= tokens.size()) return {{}, tokens[key].span};
    }
    at += 2;
  }
  return {};
}

/// 2.0 to 2.9: another cutter than the parser's, so that spaces at the colon mean different things
/// to the two.
LoadScan scan_words(std::string_view string, const AllocatorKeyRow& backend,
                    const ReadingContext& context) {
  for (Options options(string); options.next();) {
    if (options.parts().size() < 2 || options.part(0) != backend.name) continue;
    const std::string_view word = options.part(1);
    if (read_value(backend, word, context).trouble == ValueTrouble::none) return {word, {}};
  }
  return {};
}

Verdict refused(FailsAt when, const Failure& failure) {
  Verdict out;
  out.accepted = false;
  out.fails_at = when;
  out.failure = failure;
  return out;
}

Verdict read_tokens(std::string_view string, const AllocatorTables& tables,
                    const ReadingContext& context) {
  const Tokens tokens(string, context.grammar.tokenizer);
  const AllocatorKeyRow* backend = backend_key(tables.keys);
  LoadScan load;
  if (backend != nullptr && context.grammar.load_scan == AllocatorLoadScan::backend_words) {
    load = scan_words(string, *backend, context);
  } else if (backend != nullptr && context.grammar.load_scan == AllocatorLoadScan::whole_pairs) {
    load = scan_pairs(tokens, backend->name);
  }
  if (load.aborts) {
    return refused(FailsAt::import_torch,
                   {FailureKind::no_value, *load.aborts, nullptr, {}, false});
  }
  const bool named = backend != nullptr && !load.backend.empty();
  const std::string_view loaded = named                ? load.backend
                                  : backend != nullptr ? backend->fallback
                                                       : "";
  TokenReader reader(tokens, tables.keys, context, loaded);
  if (!reader.run()) return refused(FailsAt::init, reader.failure());
  Verdict out;
  out.settings = reader.take_settings();
  return out;
}

/// 1.10 to 1.13: what has no colon is passed over in silence.
Verdict read_options(std::string_view string, const AllocatorTables& tables,
                     const ReadingContext& context) {
  Verdict out;
  for (Options options(string); options.next();) {
    if (options.parts().size() < 2) continue;
    const AllocatorKeyRow* key = find_key(tables.keys, options.part(0), context.torch);
    if (key == nullptr) {
      return refused(FailsAt::init,
                     {FailureKind::unknown_key, options.parts()[0], nullptr, {}, false});
    }
    ValueReading reading = read_value(*key, options.part(1), context);
    if (reading.trouble != ValueTrouble::none) {
      return refused(FailsAt::init,
                     {FailureKind::bad_value, options.parts()[1], key, reading.trouble, false});
    }
    std::erase_if(out.settings, [key](const Setting& one) { return one.key == key; });
    out.settings.push_back({key, std::move(reading.value), options.parts()[0]});
  }
  return out;
}

}  // namespace

const AllocatorKeyRow* find_key(std::span<const AllocatorKeyRow> keys, std::string_view name,
                                knowledge::Version torch) {
  for (const AllocatorKeyRow& key : keys) {
    const bool named =
        key.name == name || std::ranges::find(key.aliases, name) != key.aliases.end();
    if (named && key.torch.contains(torch)) return &key;
  }
  return nullptr;
}

const Setting* Verdict::setting(std::string_view name) const {
  for (const Setting& one : settings) {
    if (one.key->name == name) return &one;
  }
  return nullptr;
}

Verdict read_as_pytorch(std::string_view string, const AllocatorTables& tables,
                        const ReadingContext& context) {
  switch (context.grammar.tokenizer) {
    case AllocatorTokenizer::unread: return {};
    case AllocatorTokenizer::options: return read_options(string, tables, context);
    case AllocatorTokenizer::spaced_tokens:
    case AllocatorTokenizer::tokens: break;
  }
  return read_tokens(string, tables, context);
}

}  // namespace vramlint::settings
