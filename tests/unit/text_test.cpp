// SPDX-License-Identifier: MIT
//
// Sources: positions as people count them, lines whatever ends them, and which files may be read.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "text/source.h"

namespace vramlint::text {
namespace {

constexpr uint64_t no_limit = uint64_t{1} << 40;

Position position_in(const std::string& text, uint32_t offset) {
  return Source("a.py", text, Language::python).position_of(offset);
}

/// A folder of its own, gone at the end of the test.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "vramlint-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~Folder() { std::filesystem::remove_all(path_); }

  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

TEST(Source, CountsLinesAndColumnsFromOne) {
  EXPECT_EQ(position_in("import torch\nx = 1\n", 0), (Position{1, 1}));
  EXPECT_EQ(position_in("import torch\nx = 1\n", 12), (Position{1, 13}));
  EXPECT_EQ(position_in("import torch\nx = 1\n", 13), (Position{2, 1}));
  EXPECT_EQ(position_in("import torch\nx = 1\n", 17), (Position{2, 5}));
}

TEST(Source, ColumnsAreCodePoints) {
  // "é" has two bytes, "模" three, "🔥" four.
  EXPECT_EQ(position_in("é模🔥x", 9), (Position{1, 4}));
  EXPECT_EQ(position_in("a\n模x", 5), (Position{2, 2}));
}

TEST(Source, OffsetPastTheEndIsTheEnd) {
  EXPECT_EQ(position_in("ab\nc", 400), (Position{2, 2}));
  EXPECT_EQ(position_in("", 1), (Position{1, 1}));
}

TEST(Source, ByteOrderMarkTakesNoColumn) {
  const std::string text = "\xef\xbb\xbfimport torch\nx";
  EXPECT_EQ(position_in(text, 0), (Position{1, 1}));
  EXPECT_EQ(position_in(text, 3), (Position{1, 1}));
  EXPECT_EQ(position_in(text, 10), (Position{1, 8}));
  EXPECT_EQ(position_in(text, 16), (Position{2, 1}));
  // Elsewhere the same bytes are a character as any other.
  EXPECT_EQ(position_in("a\n\xef\xbb\xbfx", 5), (Position{2, 2}));
}

TEST(Source, EveryLineEndCounts) {
  const Source source("a.py", "one\r\ntwo\rthree\n\nfive", Language::python);
  ASSERT_EQ(source.line_count(), 5u);
  EXPECT_EQ(source.line(1), "one");
  EXPECT_EQ(source.line(2), "two");
  EXPECT_EQ(source.line(3), "three");
  EXPECT_EQ(source.line(4), "");
  EXPECT_EQ(source.line(5), "five");
  EXPECT_EQ(source.line_begin(3), 9u);
  EXPECT_EQ(source.position_of(9), (Position{3, 1}));
}

TEST(Source, LinesThatAreNotThereAreEmpty) {
  const Source source("a.py", "one\n", Language::python);
  EXPECT_EQ(source.line_count(), 2u);
  EXPECT_EQ(source.line(0), "");
  EXPECT_EQ(source.line(2), "");
  EXPECT_EQ(source.line(7), "");
  EXPECT_EQ(source.line_begin(7), 4u);
}

TEST(Source, SliceStaysInside) {
  const Source source("a.py", "import torch", Language::python);
  EXPECT_EQ(source.slice({7, 12}), "torch");
  EXPECT_EQ(source.slice({7, 400}), "torch");
  EXPECT_EQ(source.slice({300, 400}), "");
  EXPECT_EQ(source.slice({9, 3}), "");
}

TEST(Source, InvalidTextHasPositionsToo) {
  const std::string text("\xff\xc3\x00\x80\xbf\n\xe6x", 8);
  const Source source("a.py", text, Language::python);
  for (uint32_t offset = 0; offset <= text.size(); ++offset) {
    EXPECT_GE(source.position_of(offset).column, 1u) << offset;
  }
  EXPECT_EQ(source.position_of(7).line, 2u);
}

TEST(Source, LongLineAnswersEveryOffset) {
  std::string text;
  for (int i = 0; i < 500'000; ++i) text += "é";
  const Source source("a.py", text, Language::python);
  // A walk from the start of the line for each of them would take minutes.
  for (uint32_t offset = 0; offset < text.size(); offset += 2) {
    ASSERT_EQ(source.position_of(offset), (Position{1, offset / 2 + 1}));
  }
}

TEST(Source, ThreadsShareTheIndex) {
  const Source source("a.py", std::string(100'000, '\n') + "x", Language::python);
  std::vector<Position> seen(4);
  {
    std::vector<std::jthread> threads;
    for (Position& position : seen) {
      threads.emplace_back([&] { position = source.position_of(100'000); });
    }
  }
  for (const Position& position : seen) EXPECT_EQ(position, (Position{100'001, 1}));
}

TEST(LanguageOf, GoesByTheName) {
  EXPECT_EQ(language_of("a/train.py", ""), Language::python);
  EXPECT_EQ(language_of("stubs.pyi", ""), Language::python);
  EXPECT_EQ(language_of("app.pyw", ""), Language::python);
  EXPECT_EQ(language_of("run.sh", "#!/usr/bin/python3\n"), Language::shell);
  EXPECT_EQ(language_of("a.py/Dockerfile", ""), Language::dockerfile);
}

TEST(LanguageOf, AsksTheFirstLineOfANamelessFile) {
  EXPECT_EQ(language_of("bin/train", "#!/usr/bin/env python3\nimport torch\n"), Language::python);
  EXPECT_EQ(language_of("train", "#!/usr/bin/env -S A=1 python3.12 -u\r\n"), Language::python);
  EXPECT_EQ(language_of("train", "#! /opt/bin/python"), Language::python);
  EXPECT_EQ(language_of("train", "#!/bin/sh\npython x\n"), Language::shell);
  EXPECT_EQ(language_of("train", "#!/usr/bin/env\n"), Language::other);
  EXPECT_EQ(language_of("train", "import torch\n"), Language::other);
  EXPECT_EQ(language_of("train", "#!"), Language::other);
}

TEST(ReadFile, GivesTheBytesAsTheyAre) {
  const Folder folder;
  const std::string bytes("\xef\xbb\xbf\0\r\n\xff", 7);
  std::ofstream(folder.file("a"), std::ios::binary) << bytes;
  const Result<std::string> read = read_file(folder.file("a"), no_limit);
  ASSERT_TRUE(read);
  EXPECT_EQ(read.value(), bytes);
}

TEST(ReadFile, ReadsAnEmptyFile) {
  const Folder folder;
  std::ofstream(folder.file("a")).close();
  const Result<std::string> read = read_file(folder.file("a"), no_limit);
  ASSERT_TRUE(read);
  EXPECT_EQ(read.value(), "");
}

TEST(ReadFile, ReadsFilesThatDoNotKnowTheirSize) {
  // The kernel says 0 bytes.
  const Result<std::string> read = read_file("/proc/self/status", no_limit);
  ASSERT_TRUE(read);
  EXPECT_NE(read.value().find("VmRSS"), std::string::npos);
}

TEST(ReadFile, KeepsTheLimit) {
  const Folder folder;
  std::ofstream(folder.file("a")) << "12345";
  EXPECT_TRUE(read_file(folder.file("a"), 5));
  const Result<std::string> read = read_file(folder.file("a"), 4);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().path, folder.file("a"));
  EXPECT_EQ(read.error().message, "larger than 4 bytes");
}

TEST(ReadFile, RefusesWhatIsNoFile) {
  const Folder folder;
  ASSERT_EQ(mkfifo(folder.file("fifo").c_str(), 0600), 0);
  EXPECT_EQ(read_file(folder.file("fifo"), no_limit).error().message, "is not a regular file");
  EXPECT_EQ(read_file("/dev/zero", no_limit).error().message, "is not a regular file");
  EXPECT_EQ(read_file(folder.file(""), no_limit).error().message, "is a folder");
  EXPECT_EQ(read_file(folder.file("none"), no_limit).error().message,
            "cannot be read: No such file or directory");
}

}  // namespace
}  // namespace vramlint::text
