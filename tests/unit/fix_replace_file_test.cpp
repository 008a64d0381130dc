// SPDX-License-Identifier: MIT
#include "fix/replace_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace vramlint::fix {
namespace {

namespace fs = std::filesystem;

class ReplaceFile : public testing::Test {
 protected:
  ReplaceFile() {
    std::string pattern = (fs::temp_directory_path() / "vramlint-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~ReplaceFile() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  static std::string read(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_;
};

TEST_F(ReplaceFile, the_text_is_new_and_the_mode_is_not) {
  const std::string path = write("a.py", "old");
  ::chmod(path.c_str(), 0751);
  EXPECT_EQ(replace_file(path, "old", "new text"), std::nullopt);
  EXPECT_EQ(read(path), "new text");
  struct stat status {};
  ::stat(path.c_str(), &status);
  EXPECT_EQ(status.st_mode & 07777u, 0751u);
  EXPECT_EQ(files(), 1);
}

TEST_F(ReplaceFile, a_link_stays_one) {
  const std::string target = write("a.py", "old");
  const std::string link = (folder_ / "link.py").string();
  fs::create_symlink("a.py", link);
  EXPECT_EQ(replace_file(link, "old", "new"), std::nullopt);
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(read(target), "new");
}

TEST_F(ReplaceFile, what_somebody_else_has_changed_is_left_alone) {
  const std::string path = write("a.py", "theirs");
  EXPECT_NE(replace_file(path, "old", "new"), std::nullopt);
  EXPECT_EQ(read(path), "theirs");
  EXPECT_EQ(files(), 1);
}

TEST_F(ReplaceFile, a_read_only_file_and_one_that_is_gone_are_refused) {
  const std::string path = write("a.py", "old");
  ::chmod(path.c_str(), 0444);
  EXPECT_EQ(why_not_writable(path), "cannot be fixed: it is read-only");
  EXPECT_NE(replace_file(path, "old", "new"), std::nullopt);
  EXPECT_EQ(read(path), "old");
  EXPECT_NE(replace_file((folder_ / "gone.py").string(), "old", "new"), std::nullopt);
  EXPECT_EQ(files(), 1);
}

}  // namespace
}  // namespace vramlint::fix
