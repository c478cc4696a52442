// What is not there is not found, not even where a CUDA toolkit lies in the
// system's folders, and an error names it.
//
// RUN: rm -rf %t && mkdir %t
// RUN: sed -n 's|^\([^# ]*\) .*|#if __has_include(<\1>)\n#error \1 is there\n#endif|p' %het_src/runtime/include/unavailable.txt > %t/all.cu
// RUN: grep -c error %t/all.cu
// RUN: hetcc -c %t/all.cu -o %t/all.o
// RUN: not hetcc -c %s -o %t/this.o 2>&1 | FileCheck %s
// RUN: not hetcc -DLIBRARY -c %s -o %t/this.o 2>&1 | FileCheck %s --check-prefix=LIBRARY

#ifdef LIBRARY
// LIBRARY: unavailable.cu:[[# @LINE + 2]]:10: fatal error: 'nvjpeg.h' file not found
// LIBRARY: note: nvJPEG is not available in hetcc yet
#include <nvjpeg.h>
#endif

// CHECK: error: no matching function for call to 'tex2D'
__global__ void kernel(double *out, cudaTextureObject_t texture) {
  *out = tex2D<double>(texture, 1.0f, 2.0f);
}
// LIBRARY-NOT: error:
