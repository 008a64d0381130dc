// SPDX-License-Identifier: MIT
#include "samples.h"

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnostics/fingerprint.h"

namespace vramlint::output {

namespace {

using diagnostics::Applicability;
using diagnostics::Diagnostic;
using diagnostics::Range;
using diagnostics::Severity;

/// A page that changes with no other test.
const knowledge::RulePage& late_page() {
  static const knowledge::RulePage page = [] {
    knowledge::RulePage made;
    made.name = "allocator-setting-too-late";
    made.code = "VRL101";
    made.family = "order";
    made.severity = "error";
    made.summary = "An allocator string written after it was read";
    made.text =
        "# allocator-setting-too-late\n\n```toml rule\ncode = \"VRL101\"\n```\n\n"
        "## What it reports\n\nA write that comes too late.\n\n## Why it matters\n\nIt is lost.\n\n"
        "## Cases\n\n```python\nx = 1\n```\n";
    return made;
  }();
  return page;
}

/// A report under construction. Places are named by the text that stands there.
class Builder {
 public:
  explicit Builder(std::string name) : sample_{std::move(name), {}} {
    sample_.report.tool_version = "1.2.3";
    sample_.report.target = {"2.11", "any", "linux"};
    sample_.report.files = 12;
  }

  void add_file(const std::string& path, std::string bytes) {
    sample_.report.sources.emplace(
        path, std::make_shared<text::Source>(path, std::move(bytes), text::Language::python));
  }

  text::Span span_of(const std::string& path, std::string_view words) const {
    const std::size_t at = source(path).bytes().find(words);
    return {static_cast<uint32_t>(at), static_cast<uint32_t>(at + words.size())};
  }

  Range range_of(const std::string& path, std::string_view words) const {
    const text::Span span = span_of(path, words);
    return {source(path).position_of(span.begin), source(path).position_of(span.end)};
  }

  Diagnostic& add_finding(Severity severity, const std::string& path, std::string_view words) {
    Diagnostic finding;
    finding.rule = "allocator-setting-too-late";
    finding.code = "VRL101";
    finding.family = "order";
    finding.severity = severity;
    finding.message = "`PYTORCH_CUDA_ALLOC_CONF` is written after CUDA starts: it is lost";
    finding.file = path;
    finding.span = span_of(path, words);
    finding.range = range_of(path, words);
    sample_.report.diagnostics.push_back(std::move(finding));
    return sample_.report.diagnostics.back();
  }

  Report& report() { return sample_.report; }

  Sample result() && {
    Report& report = sample_.report;
    std::vector<std::string> lines;
    for (const Diagnostic& finding : report.diagnostics) {
      const auto found = report.sources.find(finding.file);
      const bool is_there = found != report.sources.end();
      lines.push_back(line_of_finding(finding, is_there ? found->second.get() : nullptr));
    }
    set_fingerprints(report.diagnostics, lines);
    if (!report.diagnostics.empty()) report.rules = {&late_page()};
    return std::move(sample_);
  }

 private:
  const text::Source& source(const std::string& path) const {
    return *sample_.report.sources.at(path);
  }

  Sample sample_;
};

Sample clean() { return std::move(Builder("clean")).result(); }

Sample nothing_to_check() {
  Builder sample("nothing to check");
  sample.report().files = 0;
  return std::move(sample).result();
}

Sample unreadable() {
  Builder sample("unreadable file");
  sample.report().files = 1;
  sample.report().errors.push_back({"secret.py", "cannot be read: Permission denied"});
  return std::move(sample).result();
}

/// Two files, every severity, a place that explains, a remedy and a fix.
Sample ordinary() {
  Builder sample("ordinary");
  sample.add_file("train.py",
                  "import os\nimport torch\nfrom model import build\n\nnet = build()\n"
                  "os.environ[\"PYTORCH_CUDA_ALLOC_CONF\"] = \"max_split_size_mb:128\"\n"
                  "\n\ndef main():\n    torch.cuda.empty_cache()\n");
  sample.add_file("model.py", "def build():\n    return Net().cuda()\n");
  Diagnostic& late =
      sample.add_finding(Severity::error, "train.py", "os.environ[\"PYTORCH_CUDA_ALLOC_CONF\"]");
  late.help = "move it above `import torch`";
  late.url = "https://example.invalid/rules/allocator-setting-too-late";
  late.torch = ">=2.4";
  late.related.push_back({"model.py", sample.range_of("model.py", "Net().cuda()"),
                          "CUDA starts here, called from `train.py:5`"});
  late.related.push_back({"gone.py", {{3, 1}, {3, 5}}, "and here"});
  diagnostics::Edit edit{"train.py", {}, {{2, 1}, {2, 1}}, "os.environ[\"X\"] = \"1\"\n"};
  late.fix = {Applicability::safe, "Move the write above the import", {std::move(edit)}};
  Diagnostic& advice = sample.add_finding(Severity::note, "train.py", "torch.cuda.empty_cache()");
  advice.rule = "empty-cache-without-effect";
  advice.code = "VRL503";
  advice.family = "lifetime";
  advice.message = "nothing is cached yet";
  Diagnostic& cell = sample.add_finding(Severity::warning, "train.py", "torch.cuda");
  cell.file = "notes.ipynb";
  cell.cell = 4;
  return std::move(sample).result();
}

/// Wide characters, tabs, `\r\n`, long lines, ranges over several lines and without a width.
Sample shapes() {
  Builder sample("shapes");
  sample.add_file("shapes.py", "名前 = \"größe\"; alloc = 1\r\n\t\tif x:\talloc_tab = 2\r\n" +
                                   std::string(300, 'a') + " = alloc_far(" + std::string(300, 'b') +
                                   ")\r\nalloc_call(\r\n    1,\r\n)\r\n" + "empty = alloc_end\r\n");
  for (const std::string_view words :
       {"alloc = 1", "alloc_tab", "alloc_far", "alloc_call(\r\n    1,\r\n)"}) {
    sample.add_finding(Severity::warning, "shapes.py", words);
  }
  Diagnostic& no_width = sample.add_finding(Severity::warning, "shapes.py", "alloc_end");
  no_width.range.start = no_width.range.end;
  return std::move(sample).result();
}

/// Nothing in a source, a name or a message may steer a terminal or break a format.
Sample hostile() {
  Builder sample("hostile");
  const std::string path = "a\xff<b>\"&'\x1b[31m,%\n.py";
  sample.add_file(path, std::string("x = '\x1b[2J\0\xc3\x28' # \xe2\x80\xae\n", 20) + "alloc\n");
  Diagnostic& finding = sample.add_finding(Severity::error, path, "alloc");
  finding.message = "<script>\x1b]0;title\x07 \"]]>\" \xf0\x28 100 % of `a`, b: c";
  finding.help = "line\nbreak";
  Diagnostic& elsewhere = sample.add_finding(Severity::error, path, "alloc");
  elsewhere.range = {{4000000000u, 1}, {4000000000u, 2}};
  return std::move(sample).result();
}

}  // namespace

std::vector<Sample> all_samples() {
  return {clean(), nothing_to_check(), unreadable(), ordinary(), shapes(), hostile()};
}

}  // namespace vramlint::output
