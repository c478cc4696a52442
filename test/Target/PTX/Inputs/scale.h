// A function in another file than the kernel that it is inlined into.
__device__ inline float scale(float x, float factor) {
  return __fmaf_rz(x, factor, 1.0f);
}
