// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `hetrun diff A B`: whether two checkpoints hold the same memory, launches and
// states, and what differs.

#ifndef HET_TOOLS_HETRUN_DIFF_H
#define HET_TOOLS_HETRUN_DIFF_H

#include "het/Package/Checkpoint.h"

#include <string>
#include <vector>

namespace het {

/// Returns the exit status: 0 equal, 1 not, 2 after an error.
int runDiff(const std::string &first, const std::string &second);

/// Differences, a line each.
class Findings {
public:
  void add(std::string line) {
    ++total;
    if (lines.size() < most)
      lines.push_back(std::move(line));
  }
  bool none() const { return total == 0; }
  std::string text() const;

private:
  static constexpr size_t most = 100;
  std::vector<std::string> lines;
  uint64_t total = 0;
};

std::string addressText(uint64_t address);

// The parts of a comparison. They fail where a file is damaged.
Status diffMemory(const Checkpoint &a, const Checkpoint &b, Findings &findings);
Status diffLaunches(const Checkpoint &a, const Checkpoint &b, Findings &findings);

} // namespace het

#endif // HET_TOOLS_HETRUN_DIFF_H
