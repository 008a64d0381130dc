// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/comments.h"
#include "diagnostics/diagnostic.h"
#include "diagnostics/selection.h"
#include "knowledge/knowledge.h"
#include "text/source.h"

namespace vramlint::diagnostics {

/// The rule that reports comments which silence nothing, and the one about those that silence
/// whatever there is.
inline constexpr std::string_view unused_rule = "unused-suppression";
inline constexpr std::string_view blanket_rule = "blanket-suppression";

/// What `Suppressions::add` came to.
struct AddedSuppressions {
  /// A finding that no comment of ours can silence.
  struct LeftAlone {
    const Diagnostic* finding = nullptr;
    std::string reason;
  };
  std::vector<Edit> edits;  ///< in the order of their places, apart from each other
  std::vector<LeftAlone> left_alone;
};

/// The comments of one file that silence findings, and which of their words were of use:
/// `# vramlint: ignore[…]`, `# vramlint: ignore-file[…]`, `# noqa: CODE`, each also without a list.
class Suppressions {
 public:
  /// Whether the bytes could hold a directive that is ours alone; such a file is worth `read` even
  /// if nothing was found in it.
  static bool may_hold_our_directive(std::string_view bytes);

  /// A list word is a rule's name, a code or a family.
  static Suppressions read(const text::Source& source, const knowledge::Knowledge& knowledge);

  /// True when a directive silences the finding; the directive then counts as used.
  bool silence(const Diagnostic& finding);

  /// A finding with a fix for each directive of ours that has silenced nothing so far. Words for
  /// rules that are not selected are left alone.
  std::vector<Diagnostic> unused(const Selection& selection) const;

  /// A finding for each directive without a list, with a fix that names what it has silenced.
  std::vector<Diagnostic> blanket(const Selection& selection) const;

  /// Comments that silence these findings of the file: in a list that already speaks for the line,
  /// else at the end of the first line on which a comment can stand.
  AddedSuppressions add(const std::vector<const Diagnostic*>& findings) const;

 private:
  enum class Scope : uint8_t { line, next_line, file };

  struct Word {
    std::string text;
    bool ours = false;  ///< in a list of ours, or a code of ours beside those of other tools
    bool used = false;
  };

  struct Directive {
    Scope scope = Scope::line;
    bool noqa = false;
    bool blanket = false;
    bool used = false;
    bool own_line = false;
    uint32_t line = 0;   ///< line that it speaks about, for the scopes of lines
    text::Span span;     ///< from its `#` to the end of its list
    text::Span list;     ///< what stands between the brackets or after the colon
    text::Span comment;  ///< the whole comment that holds it
    std::vector<Word> words;
    std::vector<std::string> silenced;  ///< rules, of a directive without a list
  };

  Suppressions(const text::Source& source, const knowledge::Knowledge& knowledge)
      : source_(source), knowledge_(knowledge) {}

  void read_comment(const Comment& comment, uint32_t next_line);
  bool is_same_cell(const Comment& comment, uint32_t line) const;
  static bool try_directive(std::string_view text, Directive& directive);
  static bool try_own(std::string_view text, std::size_t at, Directive& directive);
  static bool try_noqa(std::string_view text, std::size_t at, Directive& directive);
  void read_words(Directive& directive) const;
  bool silences(Directive& directive, const Diagnostic& finding) const;
  bool names_something(std::string_view word) const;
  bool is_live(const Word& word, const Selection& selection) const;
  Diagnostic report(const Directive& directive, const std::vector<std::string>& unused) const;
  Fix removal(const Directive& directive, const std::vector<std::string>& unused) const;
  Diagnostic report_on(const Directive& directive, const knowledge::RulePage& page) const;
  Fix one_edit(std::string title, text::Span span, std::string text) const;
  JoinedLines joined_with(uint32_t line) const;
  uint32_t head_of(uint32_t line) const;
  bool is_magic(uint32_t line) const;
  bool silence_on(uint32_t first, uint32_t last, const Diagnostic& finding);
  const Directive* list_for(uint32_t line) const;
  text::Span removed_with(const Directive& directive) const;

  const text::Source& source_;
  const knowledge::Knowledge& knowledge_;
  std::vector<Directive> on_lines_;  ///< ascending by `line`
  std::vector<Directive> on_file_;
  std::vector<JoinedLines> joined_;
  std::vector<JoinedLines> blocks_;
  std::vector<JoinedLines> shells_;
};

/// A file whose comments count.
struct SuppressingFile {
  const text::Source* source = nullptr;
  /// Rules whose idle suppressions are reported; null for a file that was only looked into, where
  /// nobody knows what other entries find.
  const Selection* judged_by = nullptr;
};

/// Takes out what comments silence and puts in what they silence in vain. Sorted as shown.
std::vector<Diagnostic> apply_suppressions(std::vector<Diagnostic> findings,
                                           const std::vector<SuppressingFile>& files,
                                           const knowledge::Knowledge& knowledge);

}  // namespace vramlint::diagnostics
