// SPDX-License-Identifier: MIT
#include "fix/fixer.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "fix/cell_edits.h"
#include "fix/edits.h"
#include "fix/faults.h"
#include "frontends/notebook.h"

namespace vramlint::fix {

namespace {

using diagnostics::Applicability;
using diagnostics::Diagnostic;
using diagnostics::Edit;

using EditsByFile = std::map<std::string, FileEdits, std::less<>>;
using Chosen = std::vector<const Diagnostic*>;

/// A fix that was tried in vain, by the finding that it belongs to.
struct Blocked {
  std::string file;
  std::string rule;
  std::string change;  ///< what the fix writes: another text deserves another try
  text::Span span;

  auto operator<=>(const Blocked&) const = default;
};

Blocked key_of(const Diagnostic& finding) {
  std::string change = finding.fix->title;
  for (const Edit& edit : finding.fix->edits) change += '\n' + edit.text;
  return {finding.file, finding.rule, std::move(change), finding.span};
}

/// Findings that say the same.
using Saying = std::tuple<std::string, std::string, std::string>;

Saying saying_of(const Diagnostic& finding) {
  return {finding.file, finding.rule, finding.message};
}

class Fixer {
 public:
  Fixer(Subject& subject, const Options& options) : subject_(subject), options_(options) {}

  Outcome run() {
    outcome_.remaining = subject_.findings({});
    states_.insert(outcome_.texts);
    // Each try either makes fixes or rules some out.
    bool has_changed = false;  // since a fix was ruled out
    for (int tries = 0, rounds = 0; tries < 4 * options_.most_rounds; ++tries) {
      Chosen chosen = choose();
      if (chosen.empty() && has_changed && rounds < options_.most_rounds) {
        // What was in vain may not be any more: another run would try it.
        blocked_.clear();
        outcome_.left_out.clear();
        has_changed = false;
        chosen = choose();
      }
      if (chosen.empty()) break;
      if (rounds == options_.most_rounds) break;
      if (try_round(chosen)) {
        ++rounds;
        has_changed |= !blocked_.empty();
      }
    }
    outcome_.settled = choose().empty();
    // What was left out for a while may have been made in the end.
    std::erase_if(outcome_.left_out, [&](const LeftOut& left_out) {
      return std::ranges::none_of(outcome_.remaining, [&](const Diagnostic& finding) {
        return saying_of(finding) == saying_of(left_out.finding);
      });
    });
    return std::move(outcome_);
  }

 private:
  /// Fixes that can be made at once.
  Chosen choose() {
    Chosen wanted;
    for (const Diagnostic& finding : outcome_.remaining) {
      if (is_usable(finding)) wanted.push_back(&finding);
    }
    std::ranges::stable_sort(wanted, {},
                             [](const Diagnostic* finding) { return finding->fix->applicability; });
    EditsByFile taken;
    Chosen chosen;
    for (const Diagnostic* finding : wanted) {
      if (take(finding->fix->edits, taken)) chosen.push_back(finding);
    }
    std::ranges::stable_sort(chosen, [](const Diagnostic* left, const Diagnostic* right) {
      return std::tie(left->file, left->span) < std::tie(right->file, right->span);
    });
    return chosen;
  }

  bool is_usable(const Diagnostic& finding) {
    if (!finding.fix || !is_wanted(*finding.fix, options_)) return false;
    if (finding.fix->edits.empty() || blocked_.contains(key_of(finding))) return false;
    return std::ranges::all_of(finding.fix->edits, [&](const Edit& edit) {
      const std::size_t size = source_of(edit.file)->bytes().size();
      if (edit.span.begin > edit.span.end || edit.span.end > size) return false;
      return subject_.may_change(edit.file);
    });
  }

  /// All edits of a fix, or none.
  static bool take(const std::vector<Edit>& edits, EditsByFile& taken) {
    EditsByFile own;
    const bool fit = std::ranges::all_of(edits, [&](const Edit& edit) {
      return own[edit.file].add(edit) && taken[edit.file].fits(edit);
    });
    if (!fit) return false;
    for (const Edit& edit : edits) taken[edit.file].add(edit);
    return true;
  }

  static EditsByFile edits_of(const Chosen& chosen) {
    EditsByFile edits;
    for (const Diagnostic* finding : chosen) take(finding->fix->edits, edits);
    return edits;
  }

  /// The file as the fixes so far have left it.
  std::shared_ptr<const text::Source> source_of(const std::string& file) {
    const auto changed = outcome_.texts.find(file);
    if (changed == outcome_.texts.end()) return original(file);
    std::shared_ptr<const text::Source>& source = changed_[file];
    if (source == nullptr) source = with_text(file, changed->second);
    return source;
  }

  std::shared_ptr<const text::Source> with_text(const std::string& file, std::string text) {
    return frontends::source_of(file, std::move(text), original(file)->language());
  }

  /// An empty text for a file that isn't there.
  std::shared_ptr<const text::Source> original(const std::string& file) {
    std::shared_ptr<const text::Source>& source = originals_[file];
    if (source == nullptr) source = subject_.original(file);
    if (source == nullptr) {
      source = std::make_shared<const text::Source>(file, "", text::Language::python);
    }
    return source;
  }

  Texts texts_after(const EditsByFile& edits) {
    Texts texts = outcome_.texts;
    for (const auto& [file, file_edits] : edits) {
      if (file_edits.empty()) continue;
      std::string made = stored_after(*source_of(file), file_edits);
      if (original(file)->stored() == made) {
        texts.erase(file);
      } else {
        texts[file] = std::move(made);
      }
    }
    return texts;
  }

  /// Makes the fixes if all of them do what they are for; else rules out those that don't.
  bool try_round(const Chosen& chosen) {
    const EditsByFile edits = edits_of(chosen);
    Texts texts = texts_after(edits);
    if (states_.contains(texts)) {
      rule_out(chosen, "the text would go back to what it was");
      return false;
    }
    const Chosen broken = those_that_break(chosen, edits);
    if (!broken.empty()) {
      rule_out(broken, "the text would no longer parse");
      return false;
    }
    std::vector<Diagnostic> after = subject_.findings(texts);
    const Chosen idle = those_in_vain(chosen, edits, after);
    if (!idle.empty()) {
      rule_out(idle, "the finding would still be there");
      return false;
    }
    for (const Diagnostic* made : chosen) {
      outcome_.applied.push_back(
          {made->file, made->rule, made->code, made->fix->title, made->fix->applicability});
    }
    move_blocked(edits);
    outcome_.texts = std::move(texts);
    changed_.clear();
    outcome_.remaining = std::move(after);
    states_.insert(outcome_.texts);
    return true;
  }

  void rule_out(const Chosen& chosen, const std::string& reason) {
    for (const Diagnostic* finding : chosen) {
      blocked_.insert(key_of(*finding));
      outcome_.left_out.push_back({*finding, reason});
    }
  }

  bool parses_worse(const std::string& file, const FileEdits& edits) {
    const std::shared_ptr<const text::Source> before = source_of(file);
    const std::shared_ptr<const text::Source> made = with_text(file, stored_after(*before, edits));
    if (before->language() == text::Language::yaml)
      return !has_same_shape(before->bytes(), made->bytes());
    // Else what launches programs is read as far as it goes, whatever it looks like.
    if (text::launches(before->language())) return false;
    const std::size_t after = syntax_faults(made->program());
    return !made->fault().empty() || (after > 0 && after > syntax_faults(before->program()));
  }

  bool parses_worse(const EditsByFile& edits) {
    return std::ranges::any_of(
        edits, [&](const auto& entry) { return parses_worse(entry.first, entry.second); });
  }

  Chosen those_that_break(const Chosen& chosen, const EditsByFile& edits) {
    if (!parses_worse(edits)) return {};
    Chosen broken;
    for (const Diagnostic* finding : chosen) {
      if (parses_worse(edits_of({finding}))) broken.push_back(finding);
    }
    return broken.empty() ? chosen : broken;
  }

  /// Where the finding would be after the edits.
  text::Span moved(const Diagnostic& finding, const EditsByFile& edits) {
    const auto of_file = edits.find(finding.file);
    if (of_file == edits.end()) return finding.span;
    const std::string_view bytes = source_of(finding.file)->bytes();
    const text::Span span{of_file->second.moved(finding.span.begin, bytes),
                          of_file->second.moved(finding.span.end, bytes)};
    return {span.begin, std::max(span.begin, span.end)};
  }

  bool still_stands(const Diagnostic& finding, text::Span there,
                    const std::vector<Diagnostic>& after) {
    return std::ranges::any_of(after, [&](const Diagnostic& other) {
      return saying_of(other) == saying_of(finding) && other.span.begin <= there.end &&
             there.begin <= other.span.end;
    });
  }

  /// Fixes whose finding is still there, at its place or at the one to which the text went.
  Chosen those_in_vain(const Chosen& chosen, const EditsByFile& edits,
                       const std::vector<Diagnostic>& after) {
    std::map<Saying, std::ptrdiff_t> fewer;
    for (const Diagnostic& finding : outcome_.remaining) ++fewer[saying_of(finding)];
    for (const Diagnostic& finding : after) --fewer[saying_of(finding)];
    std::map<Saying, std::ptrdiff_t> wanted;
    for (const Diagnostic* finding : chosen) ++wanted[saying_of(*finding)];
    Chosen idle;
    for (const Diagnostic* finding : chosen) {
      const Saying saying = saying_of(*finding);
      if (fewer[saying] >= wanted[saying]) continue;
      if (still_stands(*finding, moved(*finding, edits), after)) idle.push_back(finding);
    }
    if (!idle.empty()) return idle;
    std::ranges::copy_if(chosen, std::back_inserter(idle), [&](const Diagnostic* finding) {
      return fewer[saying_of(*finding)] < wanted[saying_of(*finding)];
    });
    return idle;
  }

  void move_blocked(const EditsByFile& edits) {
    std::set<Blocked> there;
    for (Blocked blocked : blocked_) {
      const auto of_file = edits.find(blocked.file);
      if (of_file != edits.end()) {
        const std::string_view bytes = source_of(blocked.file)->bytes();
        blocked.span = {of_file->second.moved(blocked.span.begin, bytes),
                        of_file->second.moved(blocked.span.end, bytes)};
      }
      there.insert(std::move(blocked));
    }
    blocked_ = std::move(there);
  }

  Subject& subject_;
  const Options& options_;
  Outcome outcome_;
  std::set<Texts> states_;  ///< that were there, so that no two fixes undo each other for ever
  std::set<Blocked> blocked_;
  using Sources = std::map<std::string, std::shared_ptr<const text::Source>, std::less<>>;
  Sources originals_;
  Sources changed_;  ///< what `outcome_.texts` has come to
};

}  // namespace

bool is_wanted(const diagnostics::Fix& fix, const Options& options) {
  return fix.applicability == Applicability::safe ||
         (options.with_unsafe && fix.applicability == Applicability::unsafe);
}

Outcome make_fixes(Subject& subject, const Options& options) {
  return Fixer(subject, options).run();
}

}  // namespace vramlint::fix
