// SPDX-License-Identifier: MIT
#include "prefilter/imports.h"

#include <algorithm>

#include "text/name_bytes.h"

namespace vramlint::prefilter {
namespace {

/// Reads words and marks of one logical line; a parenthesis or backslash continues it.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  void skip_blanks() {
    while (at_ < bytes_.size()) {
      const char byte = bytes_[at_];
      const bool newline = byte == '\n' || byte == '\r';
      if (byte == '\\' || byte == ' ' || byte == '\t' ||
          (newline && (in_brackets_ || continued()))) {
        ++at_;
      } else if (byte == '#' && in_brackets_) {
        while (at_ < bytes_.size() && bytes_[at_] != '\n') ++at_;
      } else {
        return;
      }
    }
  }

  std::string_view dotted() {
    skip_blanks();
    const size_t begin = at_;
    while (at_ < bytes_.size() && (text::is_name_byte(bytes_[at_]) || bytes_[at_] == '.')) ++at_;
    return bytes_.substr(begin, at_ - begin);
  }

  /// A name; empty, with nothing taken, at a word that can't be one.
  std::string_view name() {
    skip_blanks();  // what was skipped is not looked at again, whatever follows
    const Reader before = *this;
    const std::string_view word = dotted();
    if (word != "import" && word != "from" && word != "as") return word;
    *this = before;
    return {};
  }

  /// The name behind `as`; empty when there is none.
  std::string_view alias() {
    skip_blanks();
    const Reader before = *this;
    if (dotted() == "as") return name();
    *this = before;
    return {};
  }

  size_t at() const { return at_; }

  bool take(char wanted) {
    skip_blanks();
    if (at_ >= bytes_.size() || bytes_[at_] != wanted) return false;
    ++at_;
    if (wanted == '(') in_brackets_ = true;
    return true;
  }

 private:
  bool continued() const { return at_ > 0 && bytes_[at_ - 1] == '\\'; }

  std::string_view bytes_;
  size_t at_ = 0;
  bool in_brackets_ = false;
};

/// Gives how far it read.
size_t read_import(std::string_view rest, std::vector<NamedImport>& imports) {
  Reader reader(rest);
  do {
    const std::string_view module = reader.name();
    if (module.empty()) break;
    const std::string_view alias = reader.alias();
    imports.push_back({0, module, {}, alias.empty() ? module.substr(0, module.find('.')) : alias});
  } while (reader.take(','));
  return reader.at();
}

size_t read_from(std::string_view rest, std::vector<NamedImport>& imports) {
  Reader reader(rest);
  std::string_view module = reader.name();
  const size_t dots = std::min(module.find_first_not_of('.'), module.size());
  module.remove_prefix(dots);
  const auto level = static_cast<uint32_t>(dots);
  if (dots > 0 && module == "import") {
    module = {};  // `from .import x`
  } else if (reader.dotted() != "import") {
    return 0;
  }
  imports.push_back({level, module, {}});
  reader.take('(');
  do {
    const std::string_view name = reader.name();
    if (name.empty()) break;
    const std::string_view alias = reader.alias();
    imports.push_back({level, module, name, alias.empty() ? name : alias});
  } while (reader.take(','));
  return reader.at();
}

void read_by_name(std::string_view bytes, std::vector<NamedImport>& imports) {
  static constexpr std::string_view call = "import_module(";
  for (size_t at = bytes.find(call); at != std::string_view::npos; at = bytes.find(call, at + 1)) {
    std::string_view rest = bytes.substr(at + call.size());
    if (rest.empty() || (rest.front() != '"' && rest.front() != '\'')) continue;
    rest.remove_prefix(1);
    const std::string_view name = Reader(rest).dotted();
    const size_t dots = std::min(name.find_first_not_of('.'), name.size());
    imports.push_back({static_cast<uint32_t>(dots), name.substr(dots), {}});
  }
}

}  // namespace

bool imports_by_computed_name(std::string_view bytes) {
  for (const std::string_view function : {"import_module", "__import__"}) {
    for (size_t at = bytes.find(function); at != std::string_view::npos;
         at = bytes.find(function, at + 1)) {
      const std::string_view before = bytes.substr(0, at);
      if (before.ends_with("import ") || before.ends_with(", "))
        continue;  // `from importlib import …`
      const std::string_view rest = bytes.substr(at + function.size());
      const bool literal = rest.starts_with("(\"") || rest.starts_with("('");
      if (!literal || function == "__import__") return true;
    }
  }
  return false;
}

std::vector<NamedImport> named_imports(std::string_view bytes) {
  std::vector<NamedImport> imports;
  size_t begin = 0;
  while (begin < bytes.size()) {
    const size_t end = std::min(bytes.find('\n', begin), bytes.size());
    const size_t first = std::min(bytes.find_first_not_of(" \t", begin), end);
    const std::string_view line = bytes.substr(first, end - first);
    // `try: import x` and `a; import x` are rare, but cheap to look for.
    const size_t inner = line.find("import ");
    size_t read = 0;
    if (line.starts_with("from ") || line.starts_with("from.")) {
      read = first + 4 + read_from(bytes.substr(first + 4), imports);
    } else if (inner != std::string_view::npos) {
      read = first + inner + 7 + read_import(bytes.substr(first + inner + 7), imports);
      const size_t from = line.find("from ");
      if (from < inner)
        read =
            std::max(read, first + from + 5 + read_from(bytes.substr(first + from + 5), imports));
    }
    begin = end + 1;
    // Lines that were read to their end are not looked at again.
    const size_t last = bytes.substr(0, read).rfind('\n');
    if (last != std::string_view::npos) begin = std::max(begin, last + 1);
  }
  read_by_name(bytes, imports);
  return imports;
}

}  // namespace vramlint::prefilter
