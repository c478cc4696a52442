// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lowering may be at work beside the program's threads when the process ends. exit()
// would destroy LLVM's static objects meanwhile: those that the lowering has made for the
// first time were registered last, so no handler of the runtime's, which waits for the
// lowering, comes before them. This function stands in a plug-in for the C library's of
// its name (Itanium C++ ABI, 3.3.6.3), so that its statics live as long as the process;
// plug-ins are never closed.

extern "C" __attribute__((visibility("hidden"))) int
__cxa_atexit(void (*)(void *), void *, void *) noexcept {
  return 0;
}
