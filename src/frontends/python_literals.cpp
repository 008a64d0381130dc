// SPDX-License-Identifier: MIT
#include <charconv>
#include <cstdlib>

#include "frontends/python_lowering.h"

namespace vramlint::frontends {

using syntax::field;
using syntax::kind_of;
using syntax::NamedChildren;
using syntax::NodeKind;

namespace {

void append_utf8(uint32_t code_point, std::string& text) {
  if (code_point < 0x80) {
    text += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    text += static_cast<char>(0xC0 | code_point >> 6);
    text += static_cast<char>(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    text += static_cast<char>(0xE0 | code_point >> 12);
    text += static_cast<char>(0x80 | (code_point >> 6 & 0x3F));
    text += static_cast<char>(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x110000) {
    text += static_cast<char>(0xF0 | code_point >> 18);
    text += static_cast<char>(0x80 | (code_point >> 12 & 0x3F));
    text += static_cast<char>(0x80 | (code_point >> 6 & 0x3F));
    text += static_cast<char>(0x80 | (code_point & 0x3F));
  }
}

/// What one escape sequence stands for. `\N{…}` and unknown ones stay as they are written.
void append_escape(std::string_view escape, std::string& text) {
  if (escape.size() < 2) return;
  static constexpr std::string_view letters = "abfnrtv\\'\"";
  static constexpr std::string_view meanings = "\a\b\f\n\r\t\v\\'\"";
  const char kind = escape[1];
  if (kind == '\n' || kind == '\r') return;
  if (const size_t at = letters.find(kind); at != std::string_view::npos) {
    text += meanings[at];
    return;
  }
  const bool octal = kind >= '0' && kind <= '7';
  if (!octal && kind != 'x' && kind != 'u' && kind != 'U') {
    text += escape;
    return;
  }
  const std::string_view digits = escape.substr(octal ? 1 : 2);
  uint32_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, octal ? 8 : 16);
  append_utf8(value, text);
}

}  // namespace

model::ExprNode PythonLowering::lower_integer(std::string_view text) {
  std::string digits;
  for (const char byte : text) {
    if (byte != '_') digits += byte;
  }
  int base = 10;
  if (digits.size() > 2 && digits[0] == '0') {
    const char marker = static_cast<char>(digits[1] | 0x20);
    base = marker == 'x' ? 16 : marker == 'o' ? 8 : marker == 'b' ? 2 : 10;
  }
  const char* begin = digits.data() + (base == 10 ? 0 : 2);
  const char* end = digits.data() + digits.size();
  int64_t value = 0;
  const auto [at, error] = std::from_chars(begin, end, value, base);
  if (error != std::errc() || at != end) return model::Opaque{};
  return model::Integer{value};
}

model::ExprNode PythonLowering::lower_real(std::string_view text) {
  std::string digits;
  for (const char byte : text) {
    if (byte != '_') digits += byte;
  }
  if (digits.empty() || digits.back() == 'j' || digits.back() == 'J') return model::Opaque{};
  return model::Real{std::strtod(digits.c_str(), nullptr)};
}

model::ExprNode PythonLowering::lower_string(TSNode node) {
  std::string text;
  std::vector<model::ExprId> parts;
  const bool exact = append_string(node, text, parts);
  if (!parts.empty()) {
    if (!text.empty()) {
      parts.push_back(add_expression(model::String{names_.intern(text), false, {}}, span_of(node)));
    }
    return model::Template{append(code_->expr_lists, parts)};
  }
  model::String made{names_.intern(text), exact, {}};
  const std::string_view written = text_of(node);
  const size_t quote = written.find_first_of("'\"");
  if (exact && quote != std::string_view::npos) {
    const uint32_t begin = span_of(node).begin;
    const size_t width = written.size() - quote >= 6 && written[quote + 1] == written[quote] &&
                                 written[quote + 2] == written[quote]
                             ? 3
                             : 1;
    made.inner = {static_cast<uint32_t>(begin + quote + width),
                  static_cast<uint32_t>(begin + written.size() - width)};
    made.plain = made.inner.size() == text.size();
  }
  return made;
}

/// Implicit concatenation: `"a" "b"`.
model::ExprNode PythonLowering::lower_concatenation(TSNode node) {
  std::string text;
  std::vector<model::ExprId> parts;
  NamedChildren children(node);
  while (children.next()) {
    if (children.kind() == NodeKind::string) append_string(children.node(), text, parts);
  }
  if (parts.empty()) return model::String{names_.intern(text), false, {}};
  if (!text.empty()) {
    parts.push_back(add_expression(model::String{names_.intern(text), false, {}}, span_of(node)));
  }
  return model::Template{append(code_->expr_lists, parts)};
}

/// Adds what a string literal says to `text`; at an interpolation the text so far moves to `parts`.
/// True when the value is byte for byte what is written between the quotes.
bool PythonLowering::append_string(TSNode node, std::string& text,
                                   std::vector<model::ExprId>& parts) {
  bool exact = true;
  bool raw = false;
  const auto append_content = [&](TSNode content) {
    uint32_t at = syntax::span_of(content).begin;
    NamedChildren escapes(content);
    while (escapes.next()) {
      if (escapes.kind() != NodeKind::escape_sequence) continue;
      const text::Span span = syntax::span_of(escapes.node());
      text += bytes_.substr(at, span.begin - at);
      at = span.end;
      if (raw) {
        text += text_of(escapes.node());
      } else {
        append_escape(text_of(escapes.node()), text);
        exact = false;
      }
    }
    text += bytes_.substr(at, syntax::span_of(content).end - at);
  };
  NamedChildren children(node);
  while (children.next()) {
    const TSNode child = children.node();
    switch (kind_of(child)) {
      case NodeKind::string_start:
        raw = text_of(child).find_first_of("rR") != std::string_view::npos;
        break;
      case NodeKind::string_content: append_content(child); break;
      case NodeKind::interpolation: {
        exact = false;
        if (!text.empty()) {
          parts.push_back(
              add_expression(model::String{names_.intern(text), false, {}}, span_of(node)));
          text.clear();
        }
        parts.push_back(lower_expression(field(child, "expression")));
        break;
      }
      default: break;
    }
  }
  return exact;
}

}  // namespace vramlint::frontends
