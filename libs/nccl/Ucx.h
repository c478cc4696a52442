// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// UCX's header, without its functions being linked.

#ifndef HET_LIBS_NCCL_UCX_H
#define HET_LIBS_NCCL_UCX_H

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wextra"
#include <ucp/api/ucp.h>
#pragma GCC diagnostic pop

#endif // HET_LIBS_NCCL_UCX_H
