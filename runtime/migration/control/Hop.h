// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that is moved round and round: what `hetrun --hop` asks for.

#ifndef HET_RUNTIME_MIGRATION_CONTROL_HOP_H
#define HET_RUNTIME_MIGRATION_CONTROL_HOP_H

#include "het/Base/Status.h"

#include <chrono>
#include <string>
#include <vector>

namespace het::core {

/// "20ms", in us, ms or s; nothing if it is no time, or none that makes sense.
std::chrono::nanoseconds parseDuration(const std::string &text);

/// `TIME:DEV,DEV,...`: each TIME the program's first device goes to the next of the list.
struct HopPlan {
  std::chrono::nanoseconds interval{0};
  /// Names of backends, as MigratableDevice::openBackend takes them: a second mention of
  /// a name is another one.
  std::vector<std::string> places;

  /// `thing` is what messages call the text.
  static Result<HopPlan> parse(const std::string &thing, const std::string &text);
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_CONTROL_HOP_H
