// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens the library of NVIDIA's driver and finds its functions.

#include "Driver.h"

#include "../../Support/OpenOnce.h"
#include "../../Support/SoftwareQueue.h"
#include "het/Base/Environment.h"
#include "het/Base/SystemLibrary.h"

#include <cstdlib>
#include <dlfcn.h>
#include <memory>
#include <vector>

namespace het::ptx {

int32_t report(HetStatus *status, int32_t code, const std::string &message) {
  return target::report(status, code, message.c_str());
}

std::string versionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string Driver::text(CUresult result) const {
  const char *text = nullptr, *name = nullptr;
  if (cuGetErrorString(result, &text) != CUDA_SUCCESS || !text)
    text = "error of the CUDA driver";
  if (cuGetErrorName(result, &name) != CUDA_SUCCESS || !name)
    return std::string(text) + " (" + std::to_string(result) + ")";
  return std::string(text) + " (" + name + ")";
}

namespace {

/// Null where the library has all functions that it must have, else the first that it
/// lacks.
const char *findFunctions(void *library, Driver &driver) {
#define DRIVER_FUNCTION(name, symbol, parameters)                                        \
  driver.name = reinterpret_cast<CUresult(*) parameters>(dlsym(library, #symbol));       \
  if (!driver.name)                                                                      \
    return #symbol;
#define DRIVER_OPTIONAL(name, symbol, parameters)                                        \
  driver.name = reinterpret_cast<CUresult(*) parameters>(dlsym(library, #symbol));
#include "DriverFunctions.def"
  return nullptr;
}

/// The version that the library states, also if it lacks other functions; 0: none.
int versionOf(void *library) {
  auto query =
      reinterpret_cast<CUresult (*)(int *)>(dlsym(library, "cuDriverGetVersion"));
  int version = 0;
  return query && query(&version) == CUDA_SUCCESS ? version : 0;
}

int32_t reportTooOld(HetStatus *status, const std::string &file, int version,
                     const char *missing) {
  std::string found = version ? "a driver for CUDA " + versionText(version)
                              : std::string("a driver of unknown version");
  if (missing)
    found += std::string(" without ") + missing;
  return report(status, HET_UNAVAILABLE,
                file + ": found " + found + ", expected one for CUDA " +
                    versionText(oldestDriver) +
                    " or later; install a newer NVIDIA driver");
}

/// Where the driver's library lies beside LD_LIBRARY_PATH.
std::vector<std::string> usualFolders() {
  return {"/usr/lib/x86_64-linux-gnu",
          "/usr/lib64",
          "/usr/lib",
          "/usr/local/nvidia/lib64",
          "/usr/lib/wsl/lib",
          "/run/opengl-driver/lib",
          "/usr/lib/x86_64-linux-gnu/nvidia/current"};
}

/// Null with a status where the library can not be used.
std::unique_ptr<Driver> load(HetStatus *status) {
  const std::string file = environment::textOrDefault(Variable::CudaDriver);
  std::string reason;
  void *library = openPastStandIns(file, usualFolders(), RTLD_NOW | RTLD_LOCAL, reason);
  if (!library) {
    report(status, HET_UNAVAILABLE,
           file + ": not found (" + reason +
               "); install NVIDIA's driver, or name its library in HET_CUDA_DRIVER");
    return nullptr;
  }
  auto driver = std::make_unique<Driver>();
  const char *missing = findFunctions(library, *driver);
  const int version = versionOf(library);
  if (missing || version < oldestDriver) {
    reportTooOld(status, file, version, missing);
    dlclose(library);
    return nullptr;
  }
  driver->version = version;
  driver->compiler.find(library);
  if (CUresult result = driver->cuInit(0)) {
    report(status, HET_UNAVAILABLE,
           file + ": the driver does not start: " + driver->text(result));
    return nullptr; // what has begun to start is not unloaded
  }
  return driver;
}

} // namespace

const Driver *Driver::open(HetStatus *status) {
  return target::openOnce<Driver>(status, load);
}

} // namespace het::ptx
