// SPDX-License-Identifier: MIT
// `--diff-base`: git says which lines are new. Only the heads of files and hunks are read; the
// lines between are counted off, so that none can pass for a head.
#include "cli/changed_lines.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "cli/git.h"
#include "support/paths.h"

namespace vramlint::cli {

namespace {

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

/// A path in git's quotes, as C would have it; any other as it is. A tab ends one with blanks.
std::string unquoted(std::string_view text) {
  if (!text.starts_with('"')) return std::string(text.substr(0, text.find('\t')));
  static constexpr std::string_view letters = "abfnrtv";
  static constexpr std::string_view meanings = "\a\b\f\n\r\t\v";
  std::string made;
  for (std::size_t i = 1; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] != '\\' || i + 1 >= text.size()) {
      made += text[i];
      continue;
    }
    const char escape = text[++i];
    const std::size_t letter = letters.find(escape);
    int value = 0;
    if (letter != std::string_view::npos) {
      made += meanings[letter];
    } else if (std::from_chars(&text[i], text.data() + std::min(i + 3, text.size()), value, 8)
                   .ptr == &text[i] + 3) {
      made += static_cast<char>(value);
      i += 2;
    } else {
      made += escape;
    }
  }
  return made;
}

struct Hunk {
  uint32_t first = 0;
  uint32_t old_count = 1;
  uint32_t count = 1;
};

/// `start` or `start,count`; what follows.
const char* read_range(const char* at, const char* end, uint32_t& first, uint32_t& count) {
  const auto start = std::from_chars(at, end, first);
  if (start.ec != std::errc() || start.ptr == end || *start.ptr != ',') return start.ptr;
  return std::from_chars(start.ptr + 1, end, count).ptr;
}

/// `@@ -12,3 +14,5 @@`.
std::optional<Hunk> read_hunk(std::string_view line) {
  if (!line.starts_with("@@ -")) return std::nullopt;
  Hunk hunk;
  const char* const end = line.data() + line.size();
  uint32_t old_first = 0;
  const char* at = read_range(line.data() + 4, end, old_first, hunk.old_count);
  if (at == end || *at != ' ' || at + 1 == end || at[1] != '+') return std::nullopt;
  read_range(at + 2, end, hunk.first, hunk.count);
  return hunk;
}

/// The lines of a hunk: they may look like anything. A remark about a missing line end is none.
void skip_lines(std::string_view& text, uint64_t count) {
  while (count > 0 && !text.empty()) {
    if (!take_line(text).starts_with('\\')) --count;
  }
}

Error trouble(std::string message, std::string advice = "") {
  return {"", 0, "`--diff-base`: " + std::move(message), std::move(advice)};
}

std::string first_line(std::string_view text) { return std::string(take_line(text)); }

/// Where the working state and the revision went apart.
Result<std::string> merge_base(const std::string& revision, const std::string& folder) {
  if (revision.empty() || revision.starts_with('-')) {
    return trouble("git knows no revision `" + revision + "`");
  }
  const ProgramAnswer top = ask_git(folder, {"rev-parse", "--is-inside-work-tree"});
  if (!top.started) return trouble("git can't be started");
  if (!top.succeeded() || !top.output.starts_with("true")) {
    return trouble("the working directory is in no git repository", first_line(top.complaints));
  }
  const ProgramAnswer commit =
      ask_git(folder, {"rev-parse", "--verify", "--quiet", revision + "^{commit}"});
  if (!commit.succeeded()) {
    return trouble("git knows no revision `" + revision + "`",
                   "fetch it first, in CI perhaps with its whole history");
  }
  const ProgramAnswer base = ask_git(folder, {"merge-base", first_line(commit.output), "HEAD"});
  if (!base.succeeded()) {
    return trouble("`" + revision + "` and HEAD have no commit in common",
                   "fetch more of the history");
  }
  return first_line(base.output);
}

}  // namespace

void ChangedLines::add(const std::string& file, uint32_t first, uint32_t count) {
  if (count > 0) ranges_[file].emplace_back(first, first + count - 1);
}

bool ChangedLines::hold(const std::string& file, const diagnostics::Range& range) const {
  const auto ranges = ranges_.find(file);
  if (ranges == ranges_.end()) return false;
  const uint32_t last = std::max(range.start.line, range.end.line);
  const auto at = std::ranges::lower_bound(ranges->second, range.start.line, {},
                                           [](const auto& each) { return each.second; });
  return at != ranges->second.end() && at->first <= last;
}

bool ChangedLines::concern(const diagnostics::Diagnostic& finding) const {
  return hold(finding.file, finding.range) ||
         std::ranges::any_of(finding.related, [&](const diagnostics::Related& place) {
           // Where it begins: a loop is as long as its body.
           return hold(place.file, {place.range.start, place.range.start});
         });
}

Result<ChangedLines> changed_since(const std::string& revision,
                                   const std::string& working_directory) {
  const Result<std::string> base = merge_base(revision, working_directory);
  if (!base) return base.error();
  const ProgramAnswer top = ask_git(working_directory, {"rev-parse", "--show-toplevel"});
  const std::string root = first_line(top.output);
  const ProgramAnswer diff = ask_git(
      working_directory, {"diff", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv",
                          "--text", "--find-renames", "--ignore-submodules", "--src-prefix=a/",
                          "--dst-prefix=b/", base.value(), "--"});
  const ProgramAnswer untracked =
      ask_git(root, {"ls-files", "--others", "--exclude-standard", "--full-name", "-z"});
  if (!diff.succeeded() || !untracked.succeeded()) {
    const ProgramAnswer& failed = diff.succeeded() ? untracked : diff;
    return trouble("git fails: " + first_line(failed.complaints));
  }
  const auto shown = [&](std::string_view path) {
    return shown_path(root + "/" + std::string(path), working_directory);
  };
  ChangedLines changed;
  std::string file;
  std::string_view rest = diff.output;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    if (line.starts_with("+++ ")) {
      const std::string name = unquoted(line.substr(4));
      file = name.starts_with("b/") ? shown(std::string_view(name).substr(2)) : "";
    } else if (const std::optional<Hunk> hunk = read_hunk(line)) {
      if (!file.empty()) changed.add(file, hunk->first, hunk->count);
      skip_lines(rest, uint64_t{hunk->old_count} + hunk->count);
    }
  }
  for (const std::string_view path : nul_separated(untracked.output)) changed.add_file(shown(path));
  return changed;
}

}  // namespace vramlint::cli
