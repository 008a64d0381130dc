// SPDX-License-Identifier: MIT
#include "config/dockerfile.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "config/docker_instructions.h"
#include "config/manifests.h"
#include "config/requirements.h"

namespace vramlint::config {

namespace {

using knowledge::BaseImageRow;
using knowledge::ImagePlatform;
using Variables = std::map<std::string, std::string, std::less<>>;

constexpr std::size_t longest_value = 256;  ///< of a variable that can name an image or a version
constexpr std::size_t most_stages = 100;    ///< nobody writes more

/// `docker.io/library/python:3.11@sha256:…` → `python:3.11`.
std::string_view plain_image(std::string_view image) {
  image = image.substr(0, image.find('@'));
  for (const std::string_view front : {"index.docker.io/", "docker.io/", "library/"}) {
    if (image.starts_with(front)) image.remove_prefix(front.size());
  }
  return image;
}

/// The row of an image, with the host of a mirror in front or not.
const BaseImageRow* row_of(std::string_view& image, const knowledge::Knowledge& knowledge) {
  image = plain_image(image);
  while (true) {
    if (const BaseImageRow* row = knowledge.base_image(image)) return row;
    const std::size_t slash = image.find('/');
    const std::string_view host = image.substr(0, slash);
    if (slash == std::string_view::npos || host.find_first_of(".:") == std::string_view::npos) {
      return nullptr;
    }
    image.remove_prefix(slash + 1);
  }
}

/// The version behind the first of the words that occurs: `2.4.1`, or `3.11` of `311`.
std::string version_after(std::string_view image, std::span<const std::string_view> words) {
  for (const std::string_view word : words) {
    const std::size_t at = image.find(word);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = image.substr(at + word.size());
    const std::size_t end = std::min(rest.find_first_not_of("0123456789."), rest.size());
    std::string version(rest.substr(0, end));
    while (version.ends_with('.')) version.pop_back();
    const bool is_joined = version.find('.') == std::string::npos && version.size() >= 2;
    if (is_joined) version = version.substr(0, 1) + "." + version.substr(1);
    // A lone `3` is whatever 3 is newest on the day of the build.
    if (version.find('.') != std::string::npos) return version;
  }
  return {};
}

/// `${NAME}`, `$NAME`, `${NAME:-default}`. Nothing when a variable has no value in the file.
std::optional<std::string> expanded(std::string_view text, const Variables& variables) {
  std::string value;
  while (!text.empty() && value.size() < longest_value) {
    const std::size_t dollar = std::min(text.find('$'), text.size());
    value += text.substr(0, dollar);
    text.remove_prefix(dollar);
    if (text.empty()) break;
    text.remove_prefix(1);
    const bool braced = text.starts_with('{');
    std::string_view inside = text;
    if (braced) {
      const std::size_t close = text.find('}');
      if (close == std::string_view::npos) return std::nullopt;
      inside = text.substr(1, close - 1);
      text.remove_prefix(close + 1);
    }
    const std::size_t name_end = static_cast<std::size_t>(
        std::ranges::find_if_not(inside,
                                 [](char byte) {
                                   return std::isalnum(static_cast<unsigned char>(byte)) != 0 ||
                                          byte == '_';
                                 }) -
        inside.begin());
    const auto found = variables.find(inside.substr(0, name_end));
    std::string_view rest = inside.substr(name_end);
    if (!braced) text.remove_prefix(name_end);
    if (found != variables.end()) {
      value += found->second;
    } else if (braced && (rest.starts_with(":-") || rest.starts_with('-'))) {
      value += rest.substr(rest.find('-') + 1);
    } else {
      return std::nullopt;
    }
  }
  return value;
}

/// What goes on in a `RUN`: whose arguments are read.
enum class Installer : uint8_t { none, pip, conda };

/// What the words of one `RUN` install.
class Installs {
 public:
  Installs(const Variables& variables, const knowledge::Knowledge& knowledge)
      : variables_(variables), knowledge_(knowledge) {}

  FileStatements run(const std::vector<DockerWord>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) take(words, i);
    return std::move(found_);
  }

 private:
  void take(const std::vector<DockerWord>& words, std::size_t at) {
    const std::string& written = words[at].text;
    if (written.size() == 1 && std::string_view("&|;()").find(written) != std::string_view::npos) {
      installer_ = Installer::none;
      program_ = Installer::none;
      return;
    }
    const std::optional<std::string> word = expanded(written, variables_);
    if (!word || word->empty()) return;
    if (installer_ == Installer::none) return note_program(*word);
    if (word->front() == '-') return take_option(*word, words, at);
    if (installer_ == Installer::conda) {
      add_conda_package(*word, words[at].line, knowledge_, found_);
    } else {
      add_requirement(*word, words[at].line, knowledge_, found_);
    }
  }

  /// `pip install`, `python -m pip install`, `uv pip install`, `uv add`, `conda install`,
  /// `conda create`.
  void note_program(const std::string& word) {
    if (word.starts_with('-')) return;
    const std::string name = word.substr(word.rfind('/') + 1);
    const bool is_action = name == "install" || name == "add" || name == "create";
    if (is_action && program_ != Installer::none) {
      installer_ = program_;
    } else if (name.starts_with("pip") || name == "uv" || name == "poetry") {
      program_ = Installer::pip;
    } else if (name == "conda" || name == "mamba" || name == "micromamba") {
      program_ = Installer::conda;
    }
  }

  void take_option(const std::string& word, const std::vector<DockerWord>& words, std::size_t at) {
    std::string_view value = word;
    const bool takes_address = word == "-i" || word == "-f" || word == "--index-url" ||
                               word == "--extra-index-url" || word == "--find-links";
    std::optional<std::string> next;
    if (takes_address && at + 1 < words.size()) next = expanded(words[at + 1].text, variables_);
    if (next) value = *next;
    const ImagePlatform platform = platform_of_wheel(value, knowledge_);
    if (platform != ImagePlatform::any) found_.platforms.push_back({platform, words[at].line});
  }

  const Variables& variables_;
  const knowledge::Knowledge& knowledge_;
  Installer program_ = Installer::none;
  Installer installer_ = Installer::none;
  FileStatements found_;
};

/// A stage: what it has from its image and from what it runs.
struct Stage {
  std::string name;
  FileStatements found;
};

/// What comes later in a file replaces what came before.
void overlay(FileStatements&& over, FileStatements& under) {
  const auto names_platform = [](const PlatformStatement& each) {
    return each.platform != ImagePlatform::any;
  };
  if (!over.torch.empty()) under.torch = std::move(over.torch);
  if (!over.python.empty()) under.python = std::move(over.python);
  if (std::ranges::any_of(over.platforms, names_platform)) {
    under.platforms = std::move(over.platforms);
    std::erase_if(under.platforms,
                  [&](const PlatformStatement& each) { return !names_platform(each); });
  }
}

class Dockerfile {
 public:
  explicit Dockerfile(const knowledge::Knowledge& knowledge) : knowledge_(knowledge) {}

  FileStatements run(const std::vector<DockerInstruction>& instructions) {
    for (const DockerInstruction& each : instructions) {
      take(each);
      if (stages_.size() > most_stages) return {};
    }
    if (stages_.empty()) return {};
    FileStatements found = stages_.back().found;
    if (found.torch.empty()) add_all(&FileStatements::torch, found);
    if (found.python.empty()) add_all(&FileStatements::python, found);
    // A file that names no hardware speaks too: beside one for ROCm it is for something else.
    if (found.platforms.empty()) found.platforms.push_back({});
    return found;
  }

 private:
  void take(const DockerInstruction& instruction) {
    if (instruction.name == "FROM") {
      begin_stage(instruction);
    } else if (instruction.name == "ARG" || instruction.name == "ENV") {
      set_variables(instruction);
    } else if (instruction.name == "RUN" && !stages_.empty()) {
      overlay(Installs(variables_, knowledge_).run(instruction.words), stages_.back().found);
    }
  }

  void begin_stage(const DockerInstruction& instruction) {
    Stage stage;
    std::optional<std::string> image;
    for (std::size_t i = 0; i < instruction.words.size(); ++i) {
      const std::string& word = instruction.words[i].text;
      if (word.starts_with("--")) continue;
      image = expanded(word, variables_);
      if (i + 2 < instruction.words.size()) stage.name = instruction.words[i + 2].text;
      break;
    }
    if (image && !image->empty()) {
      const auto below = std::ranges::find(stages_, *image, &Stage::name);
      stage.found = below != stages_.end()
                        ? below->found
                        : statements_of_image(*image, instruction.line, knowledge_);
    }
    stages_.push_back(std::move(stage));
  }

  /// `ARG NAME=value`, `ENV NAME=value …`, `ENV NAME value`. `ARG NAME` keeps what NAME has.
  void set_variables(const DockerInstruction& instruction) {
    const std::vector<DockerWord>& words = instruction.words;
    if (words.empty()) return;
    const bool has_equals = words.front().text.find('=') != std::string::npos;
    if (!has_equals && instruction.name == "ENV" && words.size() > 1) {
      return set(words.front().text, words[1].text);
    }
    for (const DockerWord& word : words) {
      const std::size_t equals = word.text.find('=');
      if (equals == std::string::npos) continue;
      set(word.text.substr(0, equals), word.text.substr(equals + 1));
    }
  }

  void set(const std::string& name, const std::string& written) {
    const std::optional<std::string> value = expanded(written, variables_);
    if (value && value->size() <= longest_value) variables_[name] = *value;
  }

  void add_all(std::vector<Statement> FileStatements::*list, FileStatements& into) const {
    for (const Stage& stage : stages_) {
      const std::vector<Statement>& more = stage.found.*list;
      (into.*list).insert((into.*list).end(), more.begin(), more.end());
    }
  }

  const knowledge::Knowledge& knowledge_;
  Variables variables_;
  std::vector<Stage> stages_;
};

}  // namespace

FileStatements statements_of_image(std::string_view image, int line,
                                   const knowledge::Knowledge& knowledge) {
  FileStatements found;
  const BaseImageRow* row = row_of(image, knowledge);
  if (row == nullptr) return found;
  std::string torch = version_after(image, row->torch_after);
  if (row->torch != knowledge::Version{}) torch = knowledge::to_string(row->torch);
  const std::string python = version_after(image, row->python_after);
  if (!torch.empty()) found.torch = statements_of("==" + torch, Dialect::pip, line);
  if (!python.empty()) found.python = statements_of("==" + python, Dialect::pip, line);
  if (row->platform != ImagePlatform::any) found.platforms.push_back({row->platform, line});
  return found;
}

FileStatements read_dockerfile(const std::string& text, const knowledge::Knowledge& knowledge) {
  return Dockerfile(knowledge).run(read_instructions(text));
}

}  // namespace vramlint::config
