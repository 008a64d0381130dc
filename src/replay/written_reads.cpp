// SPDX-License-Identifier: MIT
#include "replay/written_reads.h"

#include <algorithm>

namespace vramlint::replay {

bool WrittenReads::is_read_beside(const model::LaunchStep& set) {
  const Reads& reads = reads_of(set.name);
  const auto is_own = [&](const Read& read) {
    return read.file == set.file && read.at >= set.span.begin && read.at < set.span.end;
  };
  return reads.any && !(is_own(reads.first) && is_own(reads.last));
}

const WrittenReads::Reads& WrittenReads::reads_of(const std::string& name) {
  const auto [known, fresh] = known_.try_emplace(name);
  if (!fresh) return known->second;
  for (uint32_t file = 0; file <= launch_.sourced.size(); ++file)
    look_through(launch_.file(file)->bytes(), file, name, known->second);
  return known->second;
}

void WrittenReads::look_through(std::string_view bytes, uint32_t file, std::string_view name,
                                Reads& made) {
  size_t command = 0;  // where the command begins in which the name stands
  size_t seen = 0;     // up to where its beginning has been looked for
  for (size_t at = bytes.find(name); at != bytes.npos; at = bytes.find(name, at + 1)) {
    const size_t end = bytes.substr(seen, at - seen).find_last_of("\n;&|");
    if (end != bytes.npos) command = seen + end + 1;
    seen = at;
    const std::string_view front = bytes.substr(0, at);
    if (!front.ends_with('$') && !front.ends_with("${")) continue;
    const size_t begin = std::min(bytes.find_first_not_of(" \t", command), at);
    if (bytes.substr(begin, at - begin).starts_with("echo ")) continue;
    made.last = {file, at};
    if (!made.any) made.first = made.last;
    made.any = true;
  }
}

}  // namespace vramlint::replay
