/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the lowering gives to the device: here a head and nothing behind it. Private
 * to this folder; Lowering/ writes it, Device/ reads it. It comes from a cache file
 * whose digest was checked, but perhaps of another build: hence the version.
 */
#ifndef HET_LIB_TARGET_NULL_ARTIFACT_H
#define HET_LIB_TARGET_NULL_ARTIFACT_H

#include <stdint.h>

/* Part of every artifact's cache key: change it with the lowering. */
#define HET_NULL_LOWERING_VERSION "1"

#define HET_NULL_MAGIC 0x6C6C756Eu

typedef struct HetNullArtifact {
  uint32_t magic;
  uint32_t codeBytes; /* of the hetIR that it was made from */
} HetNullArtifact;

#endif
