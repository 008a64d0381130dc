// SPDX-License-Identifier: MIT
// Asks git itself what it ignores, so that the answer is git's in every corner.
#include "cli/git_files.h"

#include <string_view>

#include "cli/git.h"

namespace vramlint::cli {

namespace {

constexpr std::string_view opening = "could not open directory '";
constexpr std::string_view between = "': ";

/// From `warning: could not open directory 'sub/': Permission denied`, a line for each. Git counts
/// from the top of the work tree; `prefix` leads from there to where it was asked.
std::vector<diagnostics::FileError> folders_complained_of(std::string_view complaints,
                                                          std::string_view prefix) {
  std::vector<diagnostics::FileError> folders;
  for (std::size_t at = complaints.find(opening); at != std::string_view::npos;
       at = complaints.find(opening, at)) {
    at += opening.size();
    const std::size_t end = complaints.find(between, at);
    if (end == std::string_view::npos) break;
    std::string folder(complaints.substr(at, end - at));
    if (folder.starts_with(prefix)) folder.erase(0, prefix.size());
    while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
    at = end + between.size();
    const std::size_t line_end = complaints.find('\n', at);
    folders.push_back({std::move(folder), std::string(complaints.substr(at, line_end - at))});
  }
  return folders;
}

}  // namespace

std::optional<GitFiles> git_files(const std::string& folder) {
  if (!in_work_tree(folder)) return std::nullopt;
  const ProgramAnswer listing =
      ask_git(folder, {"ls-files", "--cached", "--others", "--exclude-standard", "-z"});
  if (!listing.succeeded()) return std::nullopt;
  const bool nothing = listing.output.empty();
  if (nothing && ask_git(folder, {"check-ignore", "-q", "."}).succeeded()) return std::nullopt;
  GitFiles found;
  for (const std::string_view file : nul_separated(listing.output)) found.files.emplace_back(file);
  if (listing.complaints.find(opening) != std::string::npos) {
    const ProgramAnswer prefix = ask_git(folder, {"rev-parse", "--show-prefix"});
    std::string_view words = prefix.output;
    while (words.ends_with('\n')) words.remove_suffix(1);
    found.unreadable = folders_complained_of(listing.complaints, words);
  }
  return found;
}

}  // namespace vramlint::cli
