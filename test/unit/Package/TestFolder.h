// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder for one test, which goes with it.

#ifndef HET_TEST_UNIT_PACKAGE_TESTFOLDER_H
#define HET_TEST_UNIT_PACKAGE_TESTFOLDER_H

#include <cstdlib>
#include <filesystem>
#include <string>

namespace het::test {

class TestFolder {
public:
  TestFolder() { own = ::mkdtemp(own.data()); }
  TestFolder(const TestFolder &) = delete;
  TestFolder &operator=(const TestFolder &) = delete;
  ~TestFolder() {
    std::error_code error;
    std::filesystem::remove_all(own, error);
  }

  const std::string &path() const { return own; }
  std::string operator/(const std::string &name) const { return own + "/" + name; }

private:
  std::string own = (std::filesystem::temp_directory_path() / "het-test-XXXXXX").string();
};

} // namespace het::test

#endif // HET_TEST_UNIT_PACKAGE_TESTFOLDER_H
