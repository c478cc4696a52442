// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Failures that may pass: something was not to be had, such as memory or a file
// descriptor, and another try may get it. Such a failure must not be kept as an answer.

#ifndef HET_BASE_PASSING_H
#define HET_BASE_PASSING_H

#include "het/Base/Status.h"

namespace het {

inline bool mayPass(const Status &status) { return status.code == Code::Unavailable; }

} // namespace het

#endif // HET_BASE_PASSING_H
