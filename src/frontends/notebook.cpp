// SPDX-License-Identifier: MIT
//
// A cell of code, whichever release of Jupyter wrote it:
//
//   format 4     {"cell_type": "code", "source": ["import torch\n", "torch.rand(2)"], …}
//   format 2, 3  {"cell_type": "code", "input": "import torch\ntorch.rand(2)", "language":
//   "python"}
//
// in `cells` of the notebook or, up to format 3, of one of its `worksheets`. Python keeps the last
// of two members of one name, and so does this.
#include "frontends/notebook.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "frontends/json_reader.h"
#include "frontends/notebook_magics.h"

namespace vramlint::frontends {

namespace {

using text::Cell;
using text::Span;

/// How every message begins that says why a notebook can't be read.
constexpr std::string_view no_notebook = "is no notebook: ";

/// What members of a cell and of the notebook say, before it is known what they are for.
struct CodeText {
  Span stored;              ///< the value
  std::vector<Span> items;  ///< strings, without their quotes
  bool is_list = false;
};

struct FoundCell {
  std::string type;
  std::string language;  ///< empty: the kernel's
  std::optional<CodeText> code;
};

bool is_python(std::string_view language) {
  static constexpr std::array<std::string_view, 4> names = {"", "python", "ipython", "python3"};
  return std::ranges::find(names, language) != names.end();
}

std::string lowered(std::string text) {
  for (char& byte : text) {
    if (byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte + 32);
  }
  return text;
}

class Reading {
 public:
  explicit Reading(std::string_view bytes) : bytes_(bytes), json_(bytes) {}

  text::Cells run() {
    if (!json_.is_object()) {
      cells_.fault = std::string(no_notebook) + "it holds no JSON object";
      return std::move(cells_);
    }
    read_notebook();
    json_.expect_end();
    if (json_.failed()) {
      cells_.fault = std::string(no_notebook) + json_.fault();
    } else if (!has_cells_) {
      cells_.fault = std::string(no_notebook) + "it has no list `cells`";
    } else if (is_python(kernel_language_)) {
      for (const FoundCell& cell : found_) add_cell(cell);
      blank_out_magics(cells_);
    }
    return std::move(cells_);
  }

 private:
  std::string text_of(Span inside) const {
    std::string text;
    std::vector<text::StoredPiece> places;
    decode_string(bytes_, inside, text, places);
    return text;
  }

  /// A string as the value of a member; empty for anything else.
  std::string read_text() {
    if (json_.is_string()) return text_of(json_.read_string());
    json_.skip();
    return {};
  }

  std::string read_word() { return lowered(read_text()); }

  void read_notebook() {
    std::string key;
    json_.enter();
    while (json_.next_member(key)) {
      if (key == "cells") {
        found_.clear();
        has_cells_ = json_.is_array();
        has_cells_ ? read_cells() : json_.skip();
      } else if (key == "worksheets" && json_.is_array()) {
        json_.enter();
        while (json_.next_item()) read_worksheet();
      } else if (key == "metadata") {
        kernel_language_ = read_language({"language_info", "name"}, {"kernelspec", "language"});
      } else {
        json_.skip();
      }
    }
  }

  void read_worksheet() {
    if (!json_.is_object()) return json_.skip();
    std::string key;
    json_.enter();
    while (json_.next_member(key)) {
      if (key == "cells" && json_.is_array()) {
        read_cells();
      } else {
        json_.skip();
      }
    }
  }

  void read_cells() {
    has_cells_ = true;
    json_.enter();
    while (json_.next_item()) {
      found_.emplace_back();
      if (json_.is_object()) {
        read_cell(found_.back());
      } else {
        json_.skip();
      }
    }
  }

  void read_cell(FoundCell& cell) {
    std::optional<CodeText> input;
    bool has_source = false;
    std::string key;
    json_.enter();
    while (json_.next_member(key)) {
      if (key == "cell_type") {
        cell.type = read_text();
      } else if (key == "source") {
        cell.code = read_code();
        has_source = true;
      } else if (key == "input") {
        input = read_code();
      } else if (key == "language") {
        cell.language = read_word();
      } else if (key == "metadata") {
        const std::string language = read_language({"vscode", "languageId"}, {"", ""});
        if (!language.empty()) cell.language = language;
      } else {
        json_.skip();
      }
    }
    if (!has_source) cell.code = std::move(input);
  }

  std::optional<CodeText> read_code() {
    CodeText code;
    code.is_list = json_.is_array();
    if (!code.is_list && !json_.is_string()) {
      json_.skip();
      return std::nullopt;
    }
    code.stored.begin = json_.at();
    if (!code.is_list) {
      code.items.push_back(json_.read_string());
    } else {
      json_.enter();
      while (json_.next_item()) {
        if (json_.is_string()) {
          code.items.push_back(json_.read_string());
        } else {
          json_.skip();
        }
      }
    }
    code.stored.end = json_.at();
    return code;
  }

  struct Path {
    std::string_view object;
    std::string_view member;
  };

  /// The word at the first of two places in an object, or at the second.
  std::string read_language(Path first, Path second) {
    std::string first_word;
    std::string second_word;
    if (!json_.is_object()) return json_.skip(), first_word;
    std::string key;
    json_.enter();
    while (json_.next_member(key)) {
      const bool is_first = key == first.object;
      if ((!is_first && key != second.object) || !json_.is_object()) {
        json_.skip();
        continue;
      }
      std::string inner;
      json_.enter();
      while (json_.next_member(inner)) {
        if (inner == (is_first ? first.member : second.member)) {
          (is_first ? first_word : second_word) = read_word();
        } else {
          json_.skip();
        }
      }
    }
    return first_word.empty() ? second_word : first_word;
  }

  void add_cell(const FoundCell& found) {
    ++number_;
    if (found.type != "code" || !found.code || !is_python(found.language)) return;
    const CodeText& code = *found.code;
    Cell cell;
    cell.number = number_;
    cell.stored = code.stored;
    cell.is_list = code.is_list;
    if (code.is_list) cell.separator = separator_in(code);
    cell.span.begin = static_cast<uint32_t>(cells_.text.size());
    for (const Span item : code.items) decode_string(bytes_, item, cells_.text, cells_.pieces);
    cell.span.end = static_cast<uint32_t>(cells_.text.size());
    // What ends a cell ends its last line, whether the file says so or not.
    const uint32_t end = code.items.empty() ? code.stored.end : code.items.back().end;
    cells_.pieces.push_back({cell.span.end, end, 1, 0});
    cells_.text += '\n';
    cells_.all.push_back(std::move(cell));
  }

  /// What stands between two items, or would.
  std::string separator_in(const CodeText& code) const {
    if (code.items.empty()) return ", ";
    const uint32_t quote = code.items.front().begin - 1;
    if (code.items.size() == 1) {
      const std::string_view lead =
          bytes_.substr(code.stored.begin + 1, quote - code.stored.begin - 1);
      return "," + (lead.empty() ? " " : std::string(lead));
    }
    const uint32_t end = code.items.front().end + 1;
    return std::string(bytes_.substr(end, code.items[1].begin - 1 - end));
  }

  std::string_view bytes_;
  JsonReader json_;
  std::vector<FoundCell> found_;
  std::string kernel_language_;
  bool has_cells_ = false;
  int number_ = 0;
  text::Cells cells_;
};

}  // namespace

text::Cells unpack_notebook(std::string_view json) { return Reading(json).run(); }

std::shared_ptr<const text::Source> source_of(std::string path, std::string bytes,
                                              text::Language language) {
  if (language == text::Language::notebook) {
    return std::make_shared<const text::Source>(std::move(path), std::move(bytes), language,
                                                unpack_notebook);
  }
  return std::make_shared<const text::Source>(std::move(path), std::move(bytes), language);
}

}  // namespace vramlint::frontends
