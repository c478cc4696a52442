/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The variable in which kernels leave the launches that they make
 * (docs/design/device-launch.md). What lies in it is said where the CUDA headers have it,
 * which kernels are compiled with: runtime/include/__het/launch_records.h.
 */
#ifndef HET_DEVICEABI_DEVICELAUNCHES_H
#define HET_DEVICEABI_DEVICELAUNCHES_H

/* The variable's name, which no program can give its own. */
#define HET_LAUNCHES_NAME "het.launches"

/* Its size. */
#define HET_LAUNCHES_BYTES 17120u

/* The function of device code that returns its address. */
#define HET_LAUNCHES_FUNCTION "__het_launches"

#endif
