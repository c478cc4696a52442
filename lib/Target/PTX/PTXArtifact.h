/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The contract between the PTX lowering and the PTX device. Private to Target/PTX.
 *
 * An artifact is one HetPtxArtifact, then for each parameter of the kernel its offset
 * in the packed arguments (32 bits), then the kernel's name in the code, then the code:
 * PTX text (with a NUL at its end) as the lowering gives it, or the cubin that the
 * driver made of it (finishArtifact). All numbers are little-endian.
 *
 * The code has one kernel, and of one that is suspended inside (`layout` is not 0) its
 * form for any launch, too (DeviceABI/SuspendRecord.h). If `variableCount` is not 0 it
 * has a variable in constant memory, `het$variables`: an array of that many 64-bit
 * addresses, one for each package variable of the kernel in its order, which the device
 * fills in when it loads. A name with a dollar sign is none of a program's, which keep
 * theirs here.
 */
#ifndef HET_LIB_TARGET_PTX_PTXARTIFACT_H
#define HET_LIB_TARGET_PTX_PTXARTIFACT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "HETPTX" and a version of this structure. */
#define HET_PTX_MAGIC 0x0003585450544548ull

#define HET_PTX_VARIABLES "het$variables"

enum { HET_PTX_TEXT = 0, HET_PTX_CUBIN = 1 };

/* In `flags`: the kernel meets at grid barriers, whose state is the code's own. Two
   launches of one artifact must then not run at the same time. */
#define HET_PTX_GRID_BARRIER 1u
/* The text has line tables, which the driver's compiler keeps only if it is asked. */
#define HET_PTX_LINE_INFO 2u
/* Lowered with `parkable`: the kernel's last parameter is a HetSuspendRecord, by value,
   and no part of the packed arguments. */
#define HET_PTX_PARKABLE 4u
/* The kernel has griddepcontrol.wait: launches of it may begin before the launch in front
   of them has ended, if the program says so. */
#define HET_PTX_GRID_WAIT 8u

typedef struct HetPtxArtifact {
  uint64_t magic;
  uint32_t form; /* HET_PTX_TEXT or HET_PTX_CUBIN */
  uint32_t variableCount;
  uint32_t nameBytes; /* without a NUL */
  uint32_t staticSharedBytes;
  uint32_t flags;
  uint32_t parameterCount;
  uint64_t codeBytes;
  /* For a suspendable kernel, as in HetParkingInfo. */
  uint64_t layout;
  uint64_t threadBytes;
  uint32_t sharedBytes;
  uint32_t reserved;
} HetPtxArtifact;

#ifdef __cplusplus
}
#endif

#endif
