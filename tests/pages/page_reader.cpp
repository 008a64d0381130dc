// SPDX-License-Identifier: MIT
#include "page_reader.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vramlint::pages {
namespace {

constexpr std::string_view fence_mark = "```";
constexpr std::string_view default_path = "main.py";
constexpr std::string_view default_notebook = "main.ipynb";
/// Languages of cases, and the file that a case in one is when it does not say.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> languages = {
    {{"python", default_path},
     {"notebook", default_notebook},
     {"shell", "run.sh"},
     {"yaml", "compose.yaml"},
     {"dockerfile", "Dockerfile"},
     {"dotenv", ".env"},
     {"systemd", "train.service"},
     {"bat", "run.bat"},
     {"powershell", "run.ps1"},
     {"json", "deepspeed.json"}}};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// The rest of a line that begins with the words; nothing for another line.
std::optional<std::string_view> after(std::string_view words, std::string_view line) {
  if (!line.starts_with(words)) return std::nullopt;
  return trimmed(line.substr(words.size()));
}

struct Carets {
  uint32_t begin = 0;
  uint32_t end = 0;
  std::string_view rule;
};

enum class CaretLine { no, yes, malformed };

/// `#   ^^^^ rule`. Columns start at the first caret, or at the `#` where a caret follows it at
/// once: nothing else could point at the first column.
CaretLine read_carets(std::string_view line, Carets& carets) {
  const std::size_t hash = line.find_first_not_of(' ');
  if (hash == std::string_view::npos || line[hash] != '#') return CaretLine::no;
  const std::size_t first = line.find_first_not_of(' ', hash + 1);
  if (first == std::string_view::npos || line[first] != '^') return CaretLine::no;
  const std::size_t last = std::min(line.find_first_not_of('^', first), line.size());
  carets.begin = static_cast<uint32_t>(first == hash + 1 ? hash : first) + 1;
  carets.end = static_cast<uint32_t>(last) + 1;
  carets.rule = trimmed(line.substr(last));
  constexpr std::string_view name_letters = "abcdefghijklmnopqrstuvwxyz0123456789-";
  const bool is_name =
      !carets.rule.empty() && carets.rule.find_first_not_of(name_letters) == std::string_view::npos;
  return is_name ? CaretLine::yes : CaretLine::malformed;
}

class PageReader {
 public:
  explicit PageReader(std::string_view text) : rest_(text) {}

  Page read() && {
    while (next_line()) {
      if (line_.starts_with(fence_mark)) {
        read_fence(trimmed(line_.substr(fence_mark.size())));
      } else if (const auto heading = after("## ", line_)) {
        page_.headings.emplace_back(*heading);
      } else if (const auto title = after("# ", line_)) {
        if (page_.title.empty()) page_.title = *title;
      }
    }
    return std::move(page_);
  }

 private:
  bool next_line() {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    return true;
  }

  void fault(std::string message) {
    page_.faults.push_back("line " + std::to_string(number_) + ": " + std::move(message));
  }

  void read_fence(std::string_view language) {
    const bool is_rule_block = language == "toml rule" && page_.headings.empty();
    if (is_rule_block) page_.has_rule_block = true;
    const bool in_cases = !page_.headings.empty() && page_.headings.back() == "Cases";
    const std::string_view word = language.substr(0, language.find(' '));
    const std::string_view kind = trimmed(language.substr(word.size()));
    const bool is_unsafe = kind == "fixed unsafe";
    const bool is_fixed = is_unsafe || kind == "fixed";
    const auto known =
        std::ranges::find(languages, word, [](const auto& each) { return each.first; });
    const bool is_case = in_cases && known != languages.end() && (is_fixed || kind.empty());
    if (is_case) default_path_ = known->second;
    if (in_cases && !is_case) {
      fault("no case is written in `" + std::string(language) + "`");
    }
    PageCase made;
    made.line = number_;
    while (next_line() && line_ != fence_mark) {
      if (is_case) read_case_line(made);
    }
    if (line_ != fence_mark) fault("the fence is not closed");
    made.with_unsafe_fixes = is_unsafe;
    if (is_case) keep(std::move(made), is_fixed);
  }

  void read_case_line(PageCase& made) {
    if (const auto path = after("# file:", line_)) {
      made.files.push_back({std::string(*path), "", {}});
      return;
    }
    if (const auto target = after("# target:", line_)) {
      made.targets.emplace_back(*target);
      return;
    }
    if (const auto level = after("# level:", line_)) {
      if (*level != "note") fault("the only level to ask for is `note`");
      made.with_notes = true;
      return;
    }
    if (made.files.empty()) made.files.push_back({std::string(default_path_), "", {}});
    if (const auto type = after("# cell:", line_); type && is_notebook(made.files.back())) {
      made.files.back().cells.push_back({std::string(*type), {}});
      made.files.back().cell_begins.push_back(
          static_cast<uint32_t>(made.files.back().page_lines.size()));
      return;
    }
    Carets carets;
    switch (read_carets(line_, carets)) {
      case CaretLine::no: break;
      case CaretLine::malformed: fault("carets are followed by one rule's name"); return;
      case CaretLine::yes: expect(made, carets); return;
    }
    made.files.back().page_lines.push_back(number_);
    if (!is_notebook(made.files.back())) {
      made.files.back().text.append(line_).append("\n");
    } else if (made.files.back().cells.empty()) {
      fault("a notebook begins with `# cell: code`");
    } else {
      made.files.back().cells.back().lines.emplace_back(line_);
    }
  }

  void expect(PageCase& made, const Carets& carets) {
    const CaseFile& file = made.files.back();
    const uint32_t before = file.cell_begins.empty() ? 0 : file.cell_begins.back();
    const auto line = static_cast<uint32_t>(file.page_lines.size()) - before;
    if (line == 0) return fault("no line of code above the carets");
    made.expected.push_back({file.path, line, carets.begin, carets.end, std::string(carets.rule),
                             static_cast<int>(file.cells.size())});
  }

  static bool is_notebook(const CaseFile& file) { return file.path.ends_with(".ipynb"); }

  void keep(PageCase made, bool is_fixed) {
    if (made.files.empty()) return fault("an empty case");
    for (CaseFile& file : made.files) {
      if (is_notebook(file)) file.text = notebook_text(file.cells);
    }
    if (is_fixed) {
      if (page_.cases.empty() || !page_.cases.back().fixed.empty()) {
        return fault("`fixed` follows the case that it fixes");
      }
      page_.cases.back().fixed = std::move(made.files);
      page_.cases.back().with_unsafe_fixes = made.with_unsafe_fixes;
      return;
    }
    made.entry = made.files.front().path;
    for (const CaseFile& file : made.files) {
      if (file.path == default_path_) made.entry = file.path;
    }
    made.number = static_cast<uint32_t>(page_.cases.size()) + 1;
    std::sort(made.expected.begin(), made.expected.end());
    page_.cases.push_back(std::move(made));
  }

  std::string_view rest_;
  std::string_view line_;
  std::string_view default_path_ = default_path;  ///< in the fence at hand
  uint32_t number_ = 0;
  Page page_;
};

}  // namespace

Page read_page(std::string_view text) { return PageReader(text).read(); }

}  // namespace vramlint::pages
