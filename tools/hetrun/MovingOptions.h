// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hetrun's options about checkpoints and policies, which become environment variables.

#ifndef HET_TOOLS_HETRUN_MOVINGOPTIONS_H
#define HET_TOOLS_HETRUN_MOVINGOPTIONS_H

#include <string>

namespace het {

class MovingOptions {
public:
  /// False: it is none of them.
  bool read(const std::string &name, const std::string &value);

  /// Passes them to the runtime. Returns an error; empty: none.
  std::string apply() const;

private:
  std::string applyCheckpoint() const;
  std::string applyPolicy() const;

  std::string file, after, every, policyFile, prefer, priority;
  bool stop = false;
};

} // namespace het

#endif // HET_TOOLS_HETRUN_MOVINGOPTIONS_H
