// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// load_plugin LIBRARY...: calls run() of each. The program knows nothing of CUDA.
#include <cstdio>
#include <dlfcn.h>

int main(int count, char **arguments) {
  for (int i = 1; i < count; ++i) {
    void *library = dlopen(arguments[i], RTLD_NOW | RTLD_LOCAL);
    auto run = library ? reinterpret_cast<int (*)()>(dlsym(library, "run")) : nullptr;
    if (!run) {
      std::fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    std::printf("%d\n", run());
  }
}
