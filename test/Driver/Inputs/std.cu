// Headers of the C and C++ libraries, of Clang and of ours.
#include <climits>
#include <cmath>
#include <cooperative_groups.h>
#include <cstdint>
#include <emmintrin.h>
#include <vector>

__global__ void kernel() {}
