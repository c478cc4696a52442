// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants that launches of a kernel have in common: noted launch by launch, and taken
// for granted by a specialisation of its code (docs/design/specialisation.md).

#ifndef HET_RUNTIME_CORE_CODE_LAUNCHCONSTANTS_H
#define HET_RUNTIME_CORE_CODE_LAUNCHCONSTANTS_H

#include "core/Stream.h"
#include "het/Package/KernelInfo.h"

#include <chrono>
#include <string>
#include <vector>

namespace het::core {

/// The constants of a specialisation.
struct LaunchConstants {
  struct Argument {
    uint32_t index, offset, size; ///< A parameter's, in the packed arguments.
    uint8_t bytes[8];
  };
  bool hasBlock = false;
  uint32_t block[3] = {};
  std::vector<Argument> arguments;

  bool empty() const { return !hasBlock && arguments.empty(); }
  /// Whether a launch has them; its arguments are as many as the kernel's.
  bool match(const LaunchShape &shape, const uint8_t *arguments) const;
  /// The words of HetLowerRequest::options.
  std::string words() const;
};

/// Whether a number of so many bytes lies where memory does.
bool mayBeAddress(const uint8_t *bytes, uint32_t size);

/// A number of launches of one kernel, and what was equal in all of them.
class LaunchWatch {
public:
  using Time = std::chrono::steady_clock::time_point;

  explicit LaunchWatch(const KernelInfo &kernel);
  void add(const LaunchShape &shape, const uint8_t *arguments, Time now);
  /// Forgets all launches.
  void restart();

  unsigned launches() const { return count; }
  /// Whether a specialisation is worth its making: there were many launches, and over a
  /// time that a program which goes on like this will take again.
  bool suffices() const;
  LaunchConstants constants() const;

private:
  unsigned count = 0;
  Time first, last;
  LaunchConstants common; ///< Equal in all launches so far; at first all there are.
  const std::vector<Parameter> &parameters;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_CODE_LAUNCHCONSTANTS_H
