// SPDX-License-Identifier: MIT
#include "support/paths.h"

#include <filesystem>
#include <system_error>

namespace vramlint {

std::string working_directory() {
  std::error_code failed;
  return std::filesystem::current_path(failed).generic_string();
}

std::string shown_path(std::string_view path, const std::string& working_directory) {
  std::filesystem::path normal = std::filesystem::path(path).lexically_normal();
  // `../here/a.py` may well be `a.py`.
  const bool leads_up = normal.begin() != normal.end() && *normal.begin() == "..";
  if (leads_up) normal = (working_directory / normal).lexically_normal();
  // No way leads from one drive to another.
  const std::filesystem::path relative = normal.lexically_relative(working_directory);
  if (normal.is_absolute() && !relative.empty()) normal = relative;
  std::string text = normal.generic_string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text.empty() ? "." : text;
}

std::string joined(std::string_view folder, std::string_view name) {
  if (folder.empty() || folder == ".") return std::string(name);
  std::string path(folder);
  if (path.back() != '/') path += '/';
  return path += name;
}

std::string parent_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return slash == 0 ? "/" : std::string(path.substr(0, slash));
}

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace vramlint
