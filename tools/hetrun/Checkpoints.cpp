// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work is the runtime's, which is loaded as a program would load it.

#include "Checkpoints.h"

#include "../hetpkg/Explain.h"
#include "het/Base/Environment.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace het {

static int fail(const std::string &message) {
  std::fprintf(stderr, "hetrun: error: %s\n", message.c_str());
  return 1;
}

int runResume(const ResumeOptions &options) {
  if (options.device.empty())
    return fail("resume: found no device, expected FILE --device=DEVICE [--to=FILE]");
  environment::set(Variable::Devices, options.device);
  environment::set(Variable::Control, "1");
  const std::string path = libraryFolder() + "/" HET_RUNTIME_SONAME;
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return fail(dlerror());
  auto finish = reinterpret_cast<int (*)(int, const char *, const char *)>(
      dlsym(library, "hetFinishCheckpoint"));
  auto error = reinterpret_cast<const char *(*)()>(dlsym(library, "hetMigrateError"));
  if (!finish || !error)
    return fail(path + ": found another version, expected hetrun's own");
  if (finish(0, options.file.c_str(), options.to.empty() ? nullptr : options.to.c_str()))
    return fail(error());
  return 0;
}

} // namespace het
