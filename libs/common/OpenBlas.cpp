// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens OpenBLAS, and keeps its threads to those of the device.

#include "common/OpenBlas.h"
#include "het/Base/Log.h"
#include "het/Base/SystemLibrary.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <sched.h>

namespace het::libs {
namespace {

constexpr const char *file = "libopenblas.so.0";

/// It has as many threads as there are processors, unless the device is to have fewer
/// (HET_HOST_THREADS).
void limitThreads(void *library) {
  int threads = 0;
  cpu_set_t processors;
  const auto set =
      reinterpret_cast<void (*)(int)>(dlsym(library, "openblas_set_num_threads"));
  if (set &&
      cudaDeviceGetAttribute(&threads, cudaDevAttrMultiProcessorCount, 0) ==
          cudaSuccess &&
      sched_getaffinity(0, sizeof(processors), &processors) == 0 &&
      threads < CPU_COUNT(&processors))
    set(threads);
}

} // namespace

Status OpenBlas::open(const char *user, void (*findAll)(OpenBlas &library)) {
  OpenBlas opened;
  opened.handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!opened.handle)
    return unavailable(std::string(file) + ": not found (" + dlerror() +
                       "); install OpenBLAS (Debian's libopenblas0)");
  limitThreads(opened.handle);
  log(Level::Info, "%s: %s is the host's", user, fileOf(opened.handle).c_str());
  findAll(opened);
  return opened.lacks.empty()
             ? Status::success()
             : unavailable(fileOf(opened.handle) + ": it lacks" + opened.lacks +
                           "; install OpenBLAS with its C interface and LAPACK "
                           "(Debian's libopenblas0)");
}

void *OpenBlas::find(const std::string &name) {
  void *function = dlsym(handle, name.c_str());
  if (!function)
    lacks += " " + name;
  return function;
}

} // namespace het::libs
