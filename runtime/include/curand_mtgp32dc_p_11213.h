// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MTGP32's 200 sets of parameters, as its authors write them out.

#ifndef HET_CURAND_MTGP32DC_P_11213_H
#define HET_CURAND_MTGP32DC_P_11213_H
#define CURAND_MTGP32DC_P_11213_H

#include "curand_mtgp32.h"

#if defined(__cplusplus)

static inline mtgp32_params_fast_t *__het_mtgp_fast_parameters() {
  static mtgp32_params_fast_t sets[CURAND_NUM_MTGP32_PARAMS];
  const __het_mtgp_parameters *from = __het_mtgp_parameter_sets();
  for (int i = 0; i < CURAND_NUM_MTGP32_PARAMS; ++i, ++from) {
    sets[i].mexp = MTGPDC_MEXP;
    sets[i].pos = (int)from->pos;
    sets[i].sh1 = (int)from->sh1;
    sets[i].sh2 = (int)from->sh2;
    sets[i].mask = __het_mtgp_mask;
    for (int bits = 0; bits < TBL_SIZE; ++bits) {
      unsigned int table = 0, tempering = 0;
      for (int bit = 0; bit < 4; ++bit)
        if (bits >> bit & 1) {
          table ^= from->table[bit];
          tempering ^= from->tempering[bit];
        }
      sets[i].tbl[bits] = table;
      sets[i].tmp_tbl[bits] = tempering;
      sets[i].flt_tmp_tbl[bits] = tempering >> 9 | 0x3f800000u;
    }
    for (int byte = 0; byte < 20; ++byte) {
      const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
      sets[i].poly_sha1[byte] = (unsigned char)(digit(from->sha1[2 * byte]) << 4 |
                                                digit(from->sha1[2 * byte + 1]));
    }
  }
  return sets;
}
static mtgp32_params_fast_t *const mtgp32dc_params_fast_11213 =
    __het_mtgp_fast_parameters();
static const int mtgpdc_params_11213_num = CURAND_NUM_MTGP32_PARAMS;

#endif

#endif // HET_CURAND_MTGP32DC_P_11213_H
