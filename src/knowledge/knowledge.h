// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "knowledge/allocator_rows.h"
#include "knowledge/criterion_rows.h"
#include "knowledge/image_rows.h"
#include "knowledge/launcher_rows.h"
#include "knowledge/machine_rows.h"
#include "knowledge/name_rows.h"
#include "knowledge/rows.h"
#include "knowledge/usage_rows.h"

namespace vramlint::knowledge {

/// Which of the moments have been reached, as a set.
class MomentSet {
 public:
  constexpr MomentSet() = default;
  constexpr void insert(Moment moment) { bits_ |= 1u << static_cast<unsigned>(moment); }
  constexpr void insert(MomentSet other) { bits_ |= other.bits_; }
  constexpr bool contains(Moment moment) const {
    return (bits_ >> static_cast<unsigned>(moment) & 1u) != 0;
  }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool within(MomentSet other) const { return (bits_ & ~other.bits_) == 0; }

 private:
  uint32_t bits_ = 0;
};

/// The tables, made at build time from `rules/knowledge/` and the rule pages. Constant data without
/// any parsing at run time; passed to the stages as an argument.
class Knowledge {
 public:
  /// The tables of this build.
  static const Knowledge& builtin();

  std::span<const MomentRow> moments() const;
  std::span<const VariableRow> variables() const;
  std::span<const CallRow> calls() const;
  std::span<const MethodRow> methods() const;
  std::span<const PackageRow> packages() const;
  std::span<const TorchVersionRow> torch_versions() const;
  std::span<const PythonVersionRow> python_versions() const;
  std::span<const BaseImageRow> base_images() const;
  std::span<const WheelSourceRow> wheel_sources() const;
  std::span<const FailureContextRow> failure_contexts() const;
  std::span<const UnpicklableRow> unpicklables() const;
  std::span<const ForkRow> forks() const;
  std::span<const LauncherRow> launchers() const;
  std::span<const UnrelatedProgramRow> unrelated_programs() const;
  std::span<const ConfigurationFileRow> configuration_files() const;
  std::span<const RulePage> pages() const;
  std::span<const AllocatorKeyRow> allocator_keys() const;
  std::span<const AllocatorGrammarRow> allocator_grammars() const;
  std::span<const AllocatorInteractionRow> allocator_interactions() const;
  /// Looked up by the functions of names.h.
  std::span<const NameRow> names() const;
  std::span<const NameModuleRow> name_modules() const;
  std::span<const ReplacedNameRow> replaced_names() const;
  std::span<const ArgumentFaultRow> argument_faults() const;
  std::span<const SettingConflictRow> setting_conflicts() const;
  std::span<const VariableValueRow> variable_values() const;
  std::span<const StatisticKeyRow> statistic_keys() const;
  std::span<const CollectiveRow> collectives() const;
  std::span<const CriterionRow> criteria() const;
  std::span<const MachineNeedRow> machine_needs() const;
  std::span<const MachineToolRow> machine_tools() const;
  std::span<const OutputMarkRow> output_marks() const;
  /// The three tables by which an allocator string is read.
  AllocatorTables allocator_tables() const {
    return {allocator_keys(), allocator_grammars(), allocator_interactions()};
  }

  const MomentRow& moment(Moment moment) const;
  /// The moment and everything that it implies.
  MomentSet with_implied(Moment moment) const;
  /// Exact name first, then the longest `*` row; null for a variable that we know nothing about.
  const VariableRow* variable(std::string_view name) const;
  /// All rows for a dotted name, the exact ones first; `*` rows only when no exact row is there.
  std::vector<const CallRow*> calls_named(std::string_view dotted) const;
  const MethodRow* method(std::string_view name) const;
  /// The row of the package or of its nearest parent: `torch.cuda` → `torch`.
  const PackageRow* package(std::string_view import_name) const;
  const FailureContextRow* failure_context(std::string_view name) const;
  /// What pickle says of the things that this call makes.
  const UnpicklableRow* unpicklable(std::string_view name) const;
  /// The row with the longest name that fits `image:tag`; null for an image that says nothing.
  const BaseImageRow* base_image(std::string_view image) const;
  /// By a program's name, with or without a path, `.exe` and the version behind `python`.
  const LauncherRow* launcher(std::string_view program) const;
  /// By a program's name, or an absolute path to it: `./git` may be anything.
  const UnrelatedProgramRow* unrelated_program(std::string_view program) const;
  const RulePage* page(std::string_view name_or_code) const;
  const CriterionRow* criterion(std::string_view name) const;
  Version newest_torch() const;
};

}  // namespace vramlint::knowledge
