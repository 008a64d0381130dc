// SPDX-License-Identifier: MIT
#include "text/launch_language.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vramlint::text {
namespace {

using Kind = std::pair<std::string_view, Language>;

constexpr std::array<Kind, 19> by_ending = {{{".sh", Language::shell},
                                             {".bash", Language::shell},
                                             {".zsh", Language::shell},
                                             {".ksh", Language::shell},
                                             {".csh", Language::shell},
                                             {".tcsh", Language::shell},
                                             {".sbatch", Language::shell},
                                             {".slurm", Language::shell},
                                             {".pbs", Language::shell},
                                             {".lsf", Language::shell},
                                             {".dockerfile", Language::dockerfile},
                                             {".Dockerfile", Language::dockerfile},
                                             {".yaml", Language::yaml},
                                             {".yml", Language::yaml},
                                             {".env", Language::dotenv},
                                             {".service", Language::systemd},
                                             {".bat", Language::batch},
                                             {".cmd", Language::batch},
                                             {".ps1", Language::powershell}}};

/// `Dockerfile`, `Dockerfile.rocm`, `Containerfile_cuda`; not `dockerfile_page.rst`.
bool is_dockerfile(std::string_view name) {
  for (const std::string_view front : {"Dockerfile", "Containerfile"}) {
    if (!name.starts_with(front)) continue;
    const std::string_view rest = name.substr(front.size());
    constexpr std::string_view joints = ".-_";
    if (rest.empty() || joints.find(rest.front()) != std::string_view::npos) return true;
  }
  return false;
}

bool runs_shell(std::string_view bytes) {
  if (!bytes.starts_with("#!")) return false;
  const std::string_view line = bytes.substr(2, bytes.find_first_of("\r\n") - 2);
  for (const std::string_view shell : {"sh", "bash", "zsh", "dash", "ksh", "csh", "tcsh"}) {
    const size_t at = line.rfind(shell);
    if (at == std::string_view::npos || at == 0) continue;
    const bool begins = line[at - 1] == '/' || line[at - 1] == ' ';
    const size_t end = at + shell.size();
    if (begins && (end == line.size() || line[end] == ' ')) return true;
  }
  return false;
}

}  // namespace

Language launch_language_of(std::string_view name, std::string_view bytes) {
  const auto ending =
      std::ranges::find_if(by_ending, [&](const Kind& kind) { return name.ends_with(kind.first); });
  if (ending != by_ending.end()) return ending->second;
  // `.env.local`; a page about Dockerfiles has an ending of its own.
  if (name.starts_with(".env.")) return Language::dotenv;
  const size_t dot = name.rfind('.');
  const bool has_ending = dot != std::string_view::npos && dot > 0;
  constexpr std::array<std::string_view, 8> texts = {".md",   ".rst",  ".txt", ".py",
                                                     ".html", ".json", ".in",  ".j2"};
  const bool is_text = has_ending && std::ranges::find(texts, name.substr(dot)) != texts.end();
  if (!is_text && is_dockerfile(name)) return Language::dockerfile;
  return !has_ending && runs_shell(bytes) ? Language::shell : Language::other;
}

bool launches(Language language) {
  switch (language) {
    case Language::shell:
    case Language::dockerfile:
    case Language::yaml:
    case Language::dotenv:
    case Language::systemd:
    case Language::batch:
    case Language::powershell: return true;
    case Language::python:
    case Language::notebook:
    case Language::deepspeed:
    case Language::other: return false;
  }
  return false;
}

bool is_of_windows(Language language) {
  return language == Language::batch || language == Language::powershell;
}

}  // namespace vramlint::text
