// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the work of registering a program's kernels grows with their number: what a
// program does before main(), and again when it ends. Prints, for 10,000 to 160,000 of
// them, microseconds of processor time, the least of five times, and the exponent by
// which they have grown: 1 is linear, 2 quadratic.
//
//   registration-growth

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <deque>
#include <string>
#include <vector>

extern "C" {
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *stub, char *name,
                            const char *deviceName, int threads, void *tid, void *bid,
                            void *blockDim, void *gridDim, int *warpSize);
}

namespace {

/// What clang writes for a program's kernels. The runtime reads the package when a kernel
/// is launched, so here there need not be one.
struct Wrapper {
  int magic = 0x466243b1, version = 1;
  const void *data = "no package";
  void *unused = nullptr;
};

double microsecondsUsed() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

/// Registers so many kernels, and takes them back.
double measure(size_t count) {
  static std::deque<Wrapper> wrappers; // known to the runtime until the process ends
  std::vector<char> stubs(count);
  std::vector<std::string> names;
  for (size_t index = 0; index < count; ++index)
    names.push_back("_Z6kernel" + std::to_string(index));
  const double before = microsecondsUsed();
  void **handle = __cudaRegisterFatBinary(&wrappers.emplace_back());
  for (size_t index = 0; index < count; ++index) {
    __cudaRegisterFunction(handle, &stubs[index], nullptr, names[index].c_str(), -1,
                           nullptr, nullptr, nullptr, nullptr, nullptr);
  }
  __cudaRegisterFatBinaryEnd(handle);
  __cudaUnregisterFatBinary(handle);
  return microsecondsUsed() - before;
}

} // namespace

int main() {
  std::printf("kernels  microseconds  exponent\n");
  double before = 0;
  for (size_t count = 10000; count <= 160000; count *= 2) {
    double used = measure(count);
    for (int again = 0; again < 4; ++again)
      used = std::min(used, measure(count));
    std::printf("%7zu %13.0f", count, used);
    if (before > 0)
      std::printf(" %9.2f", std::log2(used / before));
    std::printf("\n");
    before = used;
  }
}
