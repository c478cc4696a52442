// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the device runs text that was lowered for another: the driver's compiler takes
// text of its own version of PTX and earlier ones, for the GPU's compute capability and
// lower ones.

#include "PTXDevice.h"

#include <cstdio>

namespace het::ptx {

int32_t rankArch(HetDevice *device, const char *arch, uint32_t *rank, HetStatus *status) {
  unsigned capability = 0, version = 0, own = 0, ownVersion = 0;
  int end = 0;
  *rank = 0;
  auto refuse = [&](const std::string &why) {
    return report(status, HET_UNSUPPORTED, "code for " + std::string(arch) + ": " + why);
  };
  if (std::sscanf(arch, "sm_%u;ptx%u%n", &capability, &version, &end) != 2 || arch[end] ||
      std::sscanf(device->facts.arch, "sm_%u;ptx%u", &own, &ownVersion) != 2)
    return refuse("found another name, expected such as sm_80;ptx80");
  // From there on lanes go on by themselves, which changes the code.
  constexpr unsigned volta = 70;
  if (capability > own || (capability < volta) != (own < volta))
    return refuse("this GPU is sm_" + std::to_string(own));
  if (version > ownVersion)
    return refuse("this driver takes PTX " + std::to_string(ownVersion / 10) + "." +
                  std::to_string(ownVersion % 10) + " at most");
  *rank = capability * 1000 + version;
  return success(status);
}

} // namespace het::ptx
