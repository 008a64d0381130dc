// SPDX-License-Identifier: MIT
#include "diagnostics/fingerprint.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "text/utf8.h"

namespace vramlint::diagnostics {

namespace {

constexpr std::size_t max_line_bytes = 200;

bool is_blank(char byte) { return byte == ' ' || byte == '\t' || byte == '\f' || byte == '\v'; }

/// FNV-1a: the same on every machine, and not a matter of security.
class Hash {
 public:
  void add(std::string_view text) {
    for (const char byte : text) add_byte(static_cast<unsigned char>(byte));
    add_byte(0);
  }

  std::string hexadecimal() const {
    static constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (int shift = 60; shift >= 0; shift -= 4) text += digits[state_ >> shift & 0xf];
    return text;
  }

 private:
  void add_byte(unsigned char byte) { state_ = (state_ ^ byte) * 0x100000001b3u; }

  uint64_t state_ = 0xcbf29ce484222325u;
};

}  // namespace

std::string line_of_finding(const Diagnostic& finding, const text::Source* source) {
  std::string made;
  if (source == nullptr) return made;
  std::string_view rest = source->line(source->line_in(finding.cell, finding.range.start.line));
  bool blank = false;
  while (!rest.empty() && made.size() < max_line_bytes) {
    if (is_blank(rest.front())) {
      blank = !made.empty();
      rest.remove_prefix(1);
      continue;
    }
    const text::CodePoint point = text::first_code_point(rest);
    if (blank) made += ' ';
    blank = false;
    made += point.valid ? rest.substr(0, point.bytes) : text::replacement_character;
    rest.remove_prefix(point.bytes);
  }
  return made;
}

void set_fingerprints(std::vector<Diagnostic>& findings, const std::vector<std::string>& lines) {
  std::unordered_map<std::string, unsigned> seen;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    Diagnostic& finding = findings[i];
    Hash hash;
    hash.add(finding.code);
    hash.add(finding.file);
    hash.add(lines[i]);
    const unsigned before = seen[hash.hexadecimal()]++;
    if (before > 0) hash.add(std::to_string(before));
    finding.fingerprint = hash.hexadecimal();
  }
}

}  // namespace vramlint::diagnostics
