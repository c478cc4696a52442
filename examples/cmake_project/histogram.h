// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often each byte occurs in a text.

#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include <cuda_runtime_api.h>

#include <string>

cudaError_t countBytes(const std::string &text, unsigned (&counts)[256]);

#endif // HISTOGRAM_H
