// SPDX-License-Identifier: MIT
// From what single files say to what holds in a folder.
#include "config/inference.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <set>
#include <utility>

#include "config/project_files.h"
#include "text/utf8.h"

namespace vramlint::config {

namespace {

using knowledge::ImagePlatform;
using knowledge::Knowledge;
using knowledge::Version;

constexpr std::size_t most_files_of_a_kind = 32;
constexpr std::size_t most_includes = 64;
constexpr std::size_t most_statements = 64;  ///< of a file about one package

/// What one file says, with its path as people see it.
struct Read {
  std::string path;
  FileStatements found;
};

/// The files of one kind in a folder and those that they include.
using Kind = std::vector<Read>;

/// Without a byte order mark. What PowerShell writes (`pip freeze > requirements.txt`) is UTF-16;
/// all that is looked for in it is ASCII.
std::string plain_text(std::string text) {
  if (text.starts_with(text::byte_order_mark)) return text.substr(text::byte_order_mark.size());
  if (!text.starts_with("\xff\xfe")) return text;
  std::string narrow;
  for (std::size_t i = 2; i + 1 < text.size(); i += 2) narrow += text[i + 1] == 0 ? text[i] : '?';
  return narrow;
}

/// Reads the file and what it includes, each file once however they name each other.
void read_with_includes(const FileKind& kind, const std::string& path,
                        const Surroundings& surroundings, const Knowledge& knowledge,
                        std::set<std::string>& seen, Kind& into) {
  std::vector<std::string> pending = {path};
  while (!pending.empty() && seen.size() < most_includes + most_files_of_a_kind) {
    const std::string next = std::move(pending.back());
    pending.pop_back();
    if (!seen.insert(next).second) continue;
    if (next != path && !surroundings.may_include(next)) continue;
    std::optional<std::string> text = surroundings.read(next, kind.max_bytes);
    if (!text) continue;
    FileStatements found = kind.read(plain_text(*std::move(text)), knowledge);
    const std::filesystem::path folder = std::filesystem::path(next).parent_path();
    for (auto include = found.includes.rbegin(); include != found.includes.rend(); ++include) {
      pending.push_back((folder / *include).lexically_normal().generic_string());
    }
    into.push_back({surroundings.shown(next), std::move(found)});
  }
}

std::vector<Kind> read_folder(const std::string& folder, std::vector<std::string> names,
                              const Surroundings& surroundings, const Knowledge& knowledge) {
  // Shorter first: `requirements.txt` before `requirements-dev.txt`.
  std::ranges::sort(names, [](const std::string& left, const std::string& right) {
    return std::pair(left.size(), left) < std::pair(right.size(), right);
  });
  std::vector<Kind> kinds(file_kinds().size());
  std::vector<std::set<std::string>> seen(kinds.size());
  std::vector<std::size_t> counts(kinds.size());
  for (const std::string& name : names) {
    const int number = kind_of(name);
    if (number < 0) continue;
    const auto at = static_cast<std::size_t>(number);
    if (counts[at]++ >= most_files_of_a_kind) continue;
    const std::string path = (std::filesystem::path(folder) / name).generic_string();
    read_with_includes(file_kinds()[at], path, surroundings, knowledge, seen[at], kinds[at]);
  }
  return kinds;
}

/// How the releases of a package are looked up by a specifier.
using Named = Result<std::vector<Version>> (*)(std::string_view specifier, const Knowledge&);

/// A range that no known release is in lies above them all or below: then the nearest one stands
/// for it. Nothing for what is no specifier.
std::vector<Version> releases_of(const std::string& specifier, Named named,
                                 const Knowledge& knowledge) {
  Result<std::vector<Version>> versions = named(specifier, knowledge);
  if (versions) return std::move(versions).value();
  const bool is_single = specifier.find(',') == std::string::npos;
  if (!is_single) return {};
  const std::size_t at = std::min(specifier.find_first_of("0123456789"), specifier.size());
  const std::optional<Version> version = knowledge::parse_version(
      specifier.substr(at, specifier.find_first_not_of("0123456789.", at) - at));
  const Result<std::vector<Version>> known = named(">=0", knowledge);
  if (!version || !known) return {};
  if (*version >= known.value().back()) return {known.value().back()};
  if (*version <= known.value().front()) return {known.value().front()};
  return {};
}

void add_word(std::string& list, const std::string& word, std::string_view between) {
  std::string_view rest = list;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(between), rest.size());
    if (rest.substr(0, end) == word) return;
    rest.remove_prefix(std::min(end + between.size(), rest.size()));
  }
  list += (list.empty() ? "" : std::string(between)) + word;
}

std::string place(const std::string& path, int line) {
  return line > 0 ? path + ":" + std::to_string(line) : path;
}

void add_versions(const std::vector<Statement>& statements, Exactness exactness,
                  const std::string& path, Named named, const Knowledge& knowledge,
                  StatedVersions& into) {
  std::size_t count = 0;
  for (const Statement& each : statements) {
    if (each.exactness != exactness) continue;
    if (++count > most_statements) break;
    const std::vector<Version> versions = releases_of(each.specifier, named, knowledge);
    if (versions.empty()) continue;
    into.versions.insert(into.versions.end(), versions.begin(), versions.end());
    add_word(into.text, each.written, " or ");
    if (!path.empty()) add_word(into.origin, place(path, each.line), ", ");
  }
  std::ranges::sort(into.versions);
  into.versions.erase(std::unique(into.versions.begin(), into.versions.end()), into.versions.end());
  into.exactness = exactness;
}

/// Which list of a file's statements is meant.
using List = std::vector<Statement> FileStatements::*;

/// What the first kind says that speaks as exactly as that, and which kind it is.
struct FromKind {
  std::size_t kind = 0;
  StatedVersions stated;
};

std::optional<FromKind> first_that_speaks(const std::vector<Kind>& kinds, List list,
                                          Exactness exactness, Named named,
                                          const Knowledge& knowledge) {
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    FromKind from{i, {}};
    for (const Read& file : kinds[i]) {
      add_versions(file.found.*list, exactness, file.path, named, knowledge, from.stated);
    }
    if (!from.stated.versions.empty()) return from;
  }
  return std::nullopt;
}

bool overlap(const StatedVersions& left, const StatedVersions& right) {
  return std::ranges::any_of(left.versions, [&](Version version) {
    return std::ranges::binary_search(right.versions, version);
  });
}

/// A lock, else a pin, else a range. A pin of a later kind does not go against an earlier range.
std::optional<StatedVersions> most_exact(const std::vector<Kind>& kinds, List list, Named named,
                                         const Knowledge& knowledge) {
  const auto first = [&](Exactness exactness) {
    return first_that_speaks(kinds, list, exactness, named, knowledge);
  };
  if (std::optional<FromKind> lock = first(Exactness::lock)) return std::move(lock->stated);
  std::optional<FromKind> pin = first(Exactness::pin);
  std::optional<FromKind> range = first(Exactness::range);
  if (!range) return pin ? std::optional(std::move(pin->stated)) : std::nullopt;
  const bool range_wins = !pin || (range->kind < pin->kind && !overlap(pin->stated, range->stated));
  return std::move(range_wins ? range->stated : pin->stated);
}

knowledge::Platform as_platform(ImagePlatform platform) {
  switch (platform) {
    case ImagePlatform::rocm: return knowledge::Platform::rocm;
    case ImagePlatform::jetson: return knowledge::Platform::jetson;
    case ImagePlatform::any:
    case ImagePlatform::cuda: break;
  }
  return knowledge::Platform::linux;
}

/// Hardware is claimed only where all that speaks of it agrees: the files of a kind with those that
/// name torch without any, the kinds among themselves.
std::optional<StatedPlatform> agreed_platform(const std::vector<Kind>& kinds) {
  ImagePlatform agreed = ImagePlatform::any;
  std::string origin;
  for (const Kind& kind : kinds) {
    std::optional<ImagePlatform> of_kind;
    for (const Read& file : kind) {
      // Inside a file an index decides for all lines that name torch without hardware.
      ImagePlatform of_file = ImagePlatform::any;
      for (const PlatformStatement& each : file.found.platforms) {
        if (each.platform == ImagePlatform::any) continue;
        if (of_file != ImagePlatform::any && of_file != each.platform) return std::nullopt;
        if (of_file == ImagePlatform::any && origin.empty()) origin = place(file.path, each.line);
        of_file = each.platform;
      }
      if (file.found.platforms.empty()) continue;
      if (of_kind && *of_kind != of_file) return std::nullopt;
      of_kind = of_file;
    }
    if (!of_kind || *of_kind == ImagePlatform::any) continue;
    if (agreed != ImagePlatform::any && agreed != *of_kind) return std::nullopt;
    agreed = *of_kind;
  }
  if (agreed == ImagePlatform::any) return std::nullopt;
  return StatedPlatform{as_platform(agreed), origin};
}

}  // namespace

std::optional<StatedVersions> torch_stated_by(const std::vector<Statement>& statements,
                                              const Knowledge& knowledge) {
  StatedVersions stated;
  for (const Exactness each : {Exactness::range, Exactness::pin, Exactness::lock}) {
    add_versions(statements, each, "", knowledge::releases_named, knowledge, stated);
  }
  if (stated.versions.empty()) return std::nullopt;
  return stated;
}

Inferred infer_from_folder(const std::string& folder, std::vector<std::string> names,
                           const Surroundings& surroundings, const Knowledge& knowledge) {
  Inferred inferred;
  if (names.empty()) return inferred;
  const std::vector<Kind> kinds = read_folder(folder, std::move(names), surroundings, knowledge);
  inferred.torch = most_exact(kinds, &FileStatements::torch, knowledge::releases_named, knowledge);
  inferred.python = most_exact(kinds, &FileStatements::python, knowledge::pythons_named, knowledge);
  inferred.platform = agreed_platform(kinds);
  if (inferred.torch && inferred.torch->exactness == Exactness::lock) {
    inferred.torch_lock = inferred.torch;
  }
  return inferred;
}

Inferred inherited(Inferred own, const Inferred& above) {
  if (!own.torch_lock) own.torch_lock = above.torch_lock;
  if (!own.torch) own.torch = above.torch;
  if (!own.python) own.python = above.python;
  if (!own.platform) own.platform = above.platform;
  // The lock is what the range was resolved to, unless it is another project's.
  const bool is_resolved = own.torch_lock && own.torch->exactness == Exactness::range &&
                           overlap(*own.torch_lock, *own.torch);
  if (is_resolved) own.torch = own.torch_lock;
  return own;
}

}  // namespace vramlint::config
