/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The contract between lowering and device. Private to this folder; Lowering/ writes it,
 * Device/ reads it. It comes from a cache file whose digest was checked, but perhaps of
 * another build: hence the version.
 *
 * An artifact is one HetNullArtifact, then the code: LLVM IR as text, in which a block is
 * one thread and HET_NULL_RUN, `i32 (HetNullBlock *, i32 pc)`, runs it.
 */
#ifndef HET_LIB_TARGET_NULL_ARTIFACT_H
#define HET_LIB_TARGET_NULL_ARTIFACT_H

#include <stdint.h>

#define HET_NULL_MAGIC 0x6C6C756Fu

#define HET_NULL_RUN "het_null_run"

typedef struct HetNullArtifact {
  uint32_t magic;
  uint32_t codeBytes;
  uint32_t variableCount;
  uint32_t argumentBytes;
  uint32_t staticSharedBytes;
  uint32_t reserved;
  uint64_t frameBytesPerThread; /* threads are padded to a multiple of 32 */
  uint64_t frameBytesPerBlock;
} HetNullArtifact;

/* One block while it runs. */
typedef struct HetNullBlock {
  uint64_t arguments; /* address: packed, natural alignment */
  uint64_t variables; /* address: the addresses of the package's variables */
  uint64_t shared;    /* address: static, then dynamic */
  uint64_t frame;     /* address; docs/spec/hetir.md */
  uint32_t blockDim[3];
  uint32_t gridDim[3];
  uint32_t blockId[3];
  uint32_t dynamicSharedOffset;
  uint32_t dynamicSharedBytes;
  uint32_t currentLane; /* before an assertion or a trap: linear in the block */
  uint32_t cooperative; /* of the launch: 1 or 0 */
  /* Of launches with clusters. */
  uint32_t clusterDim[3];
  uint32_t clusterGiven;  /* 1 or 0 */
  uint64_t clusterShared; /* address: the shared memory of the cluster's first block */
  uint32_t clusterStride; /* from one block's shared memory to the next one's */
} HetNullBlock;

#endif
