// SPDX-License-Identifier: MIT
//
// Names to rows. The tables are constants; what is made here, once and on first use, is an index of
// their names, since the replay asks at every call of the program.
#include "knowledge/knowledge.h"

#include <algorithm>
#include <unordered_map>

#include "knowledge_tables.h"

namespace vramlint::knowledge {
namespace {

/// The rows of one table by name. A name that ends in `*` stands for any rest.
template <typename Row>
class NameIndex {
 public:
  using Rows = std::vector<const Row*>;

  void add(std::string_view name, const Row& row) {
    if (!name.ends_with('*')) {
      exact_[name].push_back(&row);
      return;
    }
    name.remove_suffix(1);
    const auto longer = [](const Pattern& left, std::string_view right) {
      return left.front.size() > right.size() ||
             (left.front.size() == right.size() && left.front < right);
    };
    auto place = std::lower_bound(patterns_.begin(), patterns_.end(), name, longer);
    if (place == patterns_.end() || place->front != name)
      place = patterns_.insert(place, {name, {}});
    place->rows.push_back(&row);
  }

  /// The rows of that very name, else those of the longest pattern that fits.
  const Rows& find(std::string_view name) const {
    static const Rows none;
    const auto found = exact_.find(name);
    if (found != exact_.end()) return found->second;
    for (const Pattern& pattern : patterns_) {
      if (name.starts_with(pattern.front)) return pattern.rows;
    }
    return none;
  }

  const Row* find_one(std::string_view name) const {
    const Rows& rows = find(name);
    return rows.empty() ? nullptr : rows.front();
  }

 private:
  struct Pattern {
    std::string_view front;
    Rows rows;
  };

  std::unordered_map<std::string_view, Rows> exact_;
  std::vector<Pattern> patterns_;  ///< the longest first
};

template <typename Row>
NameIndex<Row> index_names(std::span<const Row> rows) {
  NameIndex<Row> index;
  for (const Row& row : rows) {
    for (const std::string_view name : row.names) index.add(name, row);
  }
  return index;
}

using MomentRows = std::array<const MomentRow*, moment_count>;
using ImpliedMoments = std::array<MomentSet, moment_count>;

std::size_t number_of(Moment moment) { return static_cast<std::size_t>(moment); }

MomentRows index_moments() {
  static constexpr MomentRow unknown;
  MomentRows rows;
  rows.fill(&unknown);
  for (const MomentRow& row : tables::moments) rows[number_of(row.moment)] = &row;
  return rows;
}

/// Everything that follows from each moment, over any number of steps.
ImpliedMoments close_implications() {
  ImpliedMoments implied;
  for (std::size_t i = 0; i < moment_count; ++i) implied[i].insert(static_cast<Moment>(i));
  // A chain of implications is never longer than there are moments.
  for (std::size_t round = 0; round < moment_count; ++round) {
    for (const MomentRow& row : tables::moments) {
      for (const Moment next : row.implies) {
        implied[number_of(row.moment)].insert(implied[number_of(next)]);
      }
    }
  }
  return implied;
}

}  // namespace

const Knowledge& Knowledge::builtin() {
  static const Knowledge knowledge;
  return knowledge;
}

std::span<const MomentRow> Knowledge::moments() const { return tables::moments; }
std::span<const VariableRow> Knowledge::variables() const { return tables::variables; }
std::span<const CallRow> Knowledge::calls() const { return tables::calls; }
std::span<const MethodRow> Knowledge::methods() const { return tables::methods; }
std::span<const PackageRow> Knowledge::packages() const { return tables::packages; }
std::span<const TorchVersionRow> Knowledge::torch_versions() const {
  return tables::torch_versions;
}
std::span<const PythonVersionRow> Knowledge::python_versions() const {
  return tables::python_versions;
}
std::span<const BaseImageRow> Knowledge::base_images() const { return tables::base_images; }
std::span<const WheelSourceRow> Knowledge::wheel_sources() const { return tables::wheel_sources; }
std::span<const LauncherRow> Knowledge::launchers() const { return tables::launchers; }
std::span<const FailureContextRow> Knowledge::failure_contexts() const {
  return tables::failure_contexts;
}
std::span<const ForkRow> Knowledge::forks() const { return tables::forks; }
std::span<const UnpicklableRow> Knowledge::unpicklables() const { return tables::unpicklables; }
std::span<const UnrelatedProgramRow> Knowledge::unrelated_programs() const {
  return tables::unrelated_programs;
}
std::span<const CollectiveRow> Knowledge::collectives() const { return tables::collectives; }
std::span<const StatisticKeyRow> Knowledge::statistic_keys() const {
  return tables::statistic_keys;
}
std::span<const RulePage> Knowledge::pages() const { return tables::pages; }
std::span<const AllocatorKeyRow> Knowledge::allocator_keys() const {
  return tables::allocator_keys;
}
std::span<const AllocatorGrammarRow> Knowledge::allocator_grammars() const {
  return tables::allocator_grammars;
}
std::span<const AllocatorInteractionRow> Knowledge::allocator_interactions() const {
  return tables::allocator_interactions;
}
std::span<const ArgumentFaultRow> Knowledge::argument_faults() const {
  return tables::argument_faults;
}
std::span<const ConfigurationFileRow> Knowledge::configuration_files() const {
  return tables::configuration_files;
}
std::span<const CriterionRow> Knowledge::criteria() const { return tables::criteria; }
std::span<const MachineNeedRow> Knowledge::machine_needs() const { return tables::machine_needs; }
std::span<const MachineToolRow> Knowledge::machine_tools() const { return tables::machine_tools; }
std::span<const OutputMarkRow> Knowledge::output_marks() const { return tables::output_marks; }
std::span<const SettingConflictRow> Knowledge::setting_conflicts() const {
  return tables::setting_conflicts;
}
std::span<const VariableValueRow> Knowledge::variable_values() const {
  return tables::variable_values;
}
std::span<const NameRow> Knowledge::names() const { return tables::names; }
std::span<const NameModuleRow> Knowledge::name_modules() const { return tables::name_modules; }
std::span<const ReplacedNameRow> Knowledge::replaced_names() const {
  return tables::replaced_names;
}

const MomentRow& Knowledge::moment(Moment moment) const {
  static const MomentRows rows = index_moments();
  return *rows[number_of(moment)];
}

MomentSet Knowledge::with_implied(Moment moment) const {
  static const ImpliedMoments implied = close_implications();
  return implied[number_of(moment)];
}

const VariableRow* Knowledge::variable(std::string_view name) const {
  static const NameIndex<VariableRow> index = [] {
    NameIndex<VariableRow> names;
    for (const VariableRow& row : tables::variables) names.add(row.name, row);
    return names;
  }();
  return index.find_one(name);
}

std::vector<const CallRow*> Knowledge::calls_named(std::string_view dotted) const {
  static const NameIndex<CallRow> index = index_names(tables::calls);
  return index.find(dotted);
}

const MethodRow* Knowledge::method(std::string_view name) const {
  static const NameIndex<MethodRow> index = index_names(tables::methods);
  return index.find_one(name);
}

const PackageRow* Knowledge::package(std::string_view import_name) const {
  static const NameIndex<PackageRow> index = index_names(tables::packages);
  constexpr std::size_t longest = 200;  // of any name with a row, by far
  import_name = import_name.substr(0, longest);
  while (true) {
    if (const PackageRow* row = index.find_one(import_name)) return row;
    const std::size_t dot = import_name.find_last_of('.');
    if (dot == std::string_view::npos) return nullptr;
    import_name = import_name.substr(0, dot);
  }
}

const BaseImageRow* Knowledge::base_image(std::string_view image) const {
  static const NameIndex<BaseImageRow> index = [] {
    NameIndex<BaseImageRow> names;
    for (const BaseImageRow& row : tables::base_images) names.add(row.name, row);
    return names;
  }();
  return index.find_one(image);
}

const LauncherRow* Knowledge::launcher(std::string_view program) const {
  static const NameIndex<LauncherRow> index = [] {
    NameIndex<LauncherRow> names;
    for (const LauncherRow& row : tables::launchers) names.add(row.name, row);
    return names;
  }();
  program.remove_prefix(program.find_last_of("/\\") + 1);
  if (program.ends_with(".exe")) program.remove_suffix(4);
  if (program.starts_with("python"))
    program = program.substr(0, program.find_last_not_of("0123456789.") + 1);
  return index.find_one(program);
}

const UnpicklableRow* Knowledge::unpicklable(std::string_view name) const {
  static const NameIndex<UnpicklableRow> index = index_names(tables::unpicklables);
  return index.find_one(name);
}

const FailureContextRow* Knowledge::failure_context(std::string_view name) const {
  static const NameIndex<FailureContextRow> index = index_names(tables::failure_contexts);
  return index.find_one(name);
}

const UnrelatedProgramRow* Knowledge::unrelated_program(std::string_view program) const {
  static const NameIndex<UnrelatedProgramRow> index = index_names(tables::unrelated_programs);
  const std::size_t folder = program.find_last_of("/\\") + 1;
  const bool is_absolute = program.starts_with('/') || program.substr(0, 2).ends_with(':');
  if (folder > 0 && !is_absolute) return nullptr;
  program.remove_prefix(folder);
  if (program.ends_with(".exe")) program.remove_suffix(4);
  return index.find_one(program);
}

const RulePage* Knowledge::page(std::string_view name_or_code) const {
  static const NameIndex<RulePage> index = [] {
    NameIndex<RulePage> names;
    for (const RulePage& page : tables::pages) {
      names.add(page.name, page);
      names.add(page.code, page);
    }
    return names;
  }();
  return index.find_one(name_or_code);
}

const CriterionRow* Knowledge::criterion(std::string_view name) const {
  for (const CriterionRow& row : tables::criteria) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

Version Knowledge::newest_torch() const {
  return tables::torch_versions.empty() ? last_version : tables::torch_versions.back().version;
}

}  // namespace vramlint::knowledge
