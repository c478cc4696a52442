// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds and opens NVIDIA's libraries.

#include "common/VendorLibrary.h"
#include "het/Base/SystemLibrary.h"

#include <dlfcn.h>

namespace het::libs {
namespace {

/// Where toolkits lie beside where the loader looks.
std::vector<std::string> toolkits() {
  return {"/usr/local/cuda/lib64", "/usr/local/cuda/targets/x86_64-linux/lib",
          "/opt/cuda/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/lib64"};
}

// The process may have functions of ours under the names that the library calls, which
// must not come first. Sanitizers do not take such libraries.
#ifdef __SANITIZE_ADDRESS__
constexpr int howToOpen = RTLD_LAZY | RTLD_LOCAL;
#else
constexpr int howToOpen = RTLD_LAZY | RTLD_LOCAL | RTLD_DEEPBIND;
#endif

/// The loader gives who asks for a name the first library that has it, so NVIDIA's would
/// get a stand-in that the process has already.
Status refuseStandIn(const std::string &file, const std::string &user) {
  return hasStandIn(file) ? unavailable(user + " would get the stand-in " + file +
                                        ", with which the program was linked")
                          : Status::success();
}

} // namespace

Result<VendorLibrary> VendorLibrary::open(const VendorFile &version) {
  // The static CUDA runtime in it opens the driver by this name.
  if (Status status = refuseStandIn("libcuda.so.1", version.file); !status.ok())
    return status;
  std::string reason;
  for (const std::string &needed : version.needs) {
    if (Status status = refuseStandIn(needed, version.file); !status.ok())
      return status;
    // Opened before, so that the loader does not look for it, and find a stand-in.
    if (!openPastStandIns(needed, toolkits(), howToOpen, reason))
      return unavailable(needed + ": not found (" + reason + ")");
  }
  VendorLibrary library;
  library.handle = openPastStandIns(version.file, toolkits(), howToOpen, reason);
  if (!library.handle)
    return unavailable(version.file + ": not found (" + reason + ")");
  return library;
}

Result<VendorLibrary>
VendorLibrary::open(const std::vector<VendorFile> &versions, const std::string &package,
                    const std::function<Status(const VendorLibrary &)> &accept) {
  std::string reasons;
  for (const VendorFile &version : versions) {
    Result<VendorLibrary> library = open(version);
    Status status = library.ok() ? accept(*library) : library.status();
    if (status.ok())
      return library;
    reasons += (reasons.empty() ? "" : "; ") + status.text();
  }
  return unavailable(reasons + "; install " + package +
                     ", or name its folder in LD_LIBRARY_PATH");
}

void *VendorLibrary::find(const char *function) const { return dlsym(handle, function); }

std::string VendorLibrary::file() const { return fileOf(handle); }

} // namespace het::libs
