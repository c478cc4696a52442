#ifndef HET_DEVICE_SIMD_H
#define HET_DEVICE_SIMD_H
#endif
