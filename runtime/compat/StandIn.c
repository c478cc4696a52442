// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mark of a library that only stands in for NVIDIA's: whoever needs that very one
// passes it over.

const char hetStandIn[] = HET_RUNTIME_SONAME;
