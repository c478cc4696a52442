// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// open_names NAME...: opens libraries by NVIDIA's names. The program knows nothing of
// hetcc.
#include <cstdio>
#include <dlfcn.h>

int main(int count, char **arguments) {
  for (int i = 1; i < count; ++i)
    if (!dlopen(arguments[i], RTLD_NOW))
      return std::fprintf(stderr, "%s\n", dlerror()), 1;
  std::printf("%d opened\n", count - 1);
}
