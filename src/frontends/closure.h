// SPDX-License-Identifier: MIT
#pragma once

#include <bitset>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontends/file_scan.h"
#include "frontends/mentions.h"
#include "frontends/project.h"
#include "prefilter/words.h"

namespace vramlint::frontends {

/// Whether a program can have a finding at all, told from the bytes of its entry and of all modules
/// of the project that it may import. Parses nothing.
///
/// A definition *tells* when it has a word that findings need, or mentions a definition that tells.
/// Something happens only if a definition that tells is mentioned where the program certainly
/// passes: in what its modules do when they are imported, or in the entry itself.
class Closure {
 public:
  Closure(Project& project, text::Files& files, const prefilter::WordSet& words, Needs needs)
      : project_(project), files_(files), words_(words), needs_(std::move(needs)) {}

  enum class Reach : uint8_t {
    nothing,   ///< no finding can come of it
    imported,  ///< what it runs when it is executed may have one
    alone,     ///< the entry has words that tell of it alone, and uses nothing that tells
    entry,     ///< the entry has a word, or uses something that has one
  };
  struct Answer {
    Reach reach = Reach::nothing;
    /// Definitions of the entry, as `name_number`s in ascending order, that have a word or mention
    /// one that has. Nothing comes of the others, whoever calls them.
    std::vector<uint32_t> telling = {};
    /// The same of methods: those of its classes that do.
    std::vector<uint32_t> telling_methods = {};
    bool only_imports = false;  ///< only what it imports may have a finding
  };
  Answer ask(const std::string& entry, const std::string& root);
  /// Looks at the bytes of a file that `ask` is going to need. Threads may do so at any time.
  void scan(const std::string& path);

 private:
  static constexpr uint32_t none = 0xffffffff;

  struct File {
    std::string path;
    bool has_word = false;
    prefilter::Marks own;   ///< first words that tell of this file alone
    bool computes = false;  ///< names of imports
    bool uses = false;      ///< some definition of it tells
    bool acts = false;      ///< when it is imported, apart from what it imports
    bool acts_as_program = false;
    uint32_t part = none;
    uint32_t marked = 0;            ///< round in which it was last seen from
    std::vector<uint32_t> words;    ///< where they end
    std::vector<uint32_t> imports;  ///< files
    std::vector<uint32_t> foreign;  ///< names bound by imports from outside the project
  };
  /// Files that import one another, most often a single one.
  struct Part {
    bool acts = false;  ///< something that tells is mentioned when they are imported
    /// Files in reach that have definitions that tell, in ascending order.
    std::vector<uint32_t> telling;
  };
  struct Name {
    std::vector<uint32_t> telling;  ///< files in which a definition of this name tells
    std::vector<uint32_t> hooking;  ///< or is told of the classes made from it
  };
  struct Member;

  uint32_t file_at(const std::string& path, const std::string& root);
  void read(uint32_t id, const std::string& root);
  std::optional<FileScan> scanned(const std::string& path);
  bool add_import(const std::string& path, const std::string& root, const FileScan::Import& named,
                  std::vector<std::string>& into);
  void add_modules(const std::string& base, std::string_view dotted, std::string_view name,
                   std::vector<std::string>& into);
  void settle(uint32_t entry, const std::string& root);
  void settle_part(const std::vector<uint32_t>& members);
  void collect(const std::vector<uint32_t>& members, Part& part);
  bool spread(Member& member);
  bool mentions(const Mentions::Definition& definition, std::vector<uint32_t> Name::*kind) const;
  bool acts(const Member& member) const;
  bool tell(uint32_t entry, Answer& answer);
  bool may_call(const Member& member, uint32_t decorator) const;

  Project& project_;
  text::Files& files_;
  const prefilter::WordSet& words_;
  const Needs needs_;
  std::unordered_map<std::string, uint32_t> by_path_;  ///< and root
  std::vector<File> known_;
  std::vector<Part> parts_;
  std::unordered_map<uint32_t, Name> names_;
  std::bitset<1 << 16> may_be_name_;  ///< by the last bits of the name's number
  uint32_t round_ = 0;
  std::mutex scans_lock_;
  std::unordered_map<std::string, FileScan> scans_;  ///< not used yet
};

}  // namespace vramlint::frontends
