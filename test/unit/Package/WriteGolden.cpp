// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// het-golden-packages FOLDER: writes the golden packages that the last part of the
// folder's name, such as hetpkg-1.2, is the version of, as FOLDER/NAME.hetpkg.

#include "GoldenPackages.h"

#include "het/Base/File.h"

#include <cstdio>

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: het-golden-packages FOLDER\n");
    return 1;
  }
  std::vector<het::test::GoldenPackage> all = het::test::goldenPackages();
  all.push_back(het::test::goldenSigned());
  for (const het::test::GoldenPackage &golden : all) {
    const std::string folder = argv[1], end = "-" + golden.since;
    if (folder.size() < end.size() ||
        folder.compare(folder.size() - end.size(), end.size(), end) != 0)
      continue;
    std::string path = std::string(argv[1]) + "/" + golden.name + ".hetpkg";
    het::Status status = het::writeFileAtomically(path, golden.bytes);
    if (!status.ok()) {
      std::fprintf(stderr, "error: %s\n", status.text().c_str());
      return 1;
    }
  }
  return 0;
}
