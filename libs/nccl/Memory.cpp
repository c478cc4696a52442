// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory, registered memory, and operations with factors.

#include "Communicator.h"

#include <cstring>
#include <new>

using namespace het::nccl;

/// Memory that a program has registered. There is nothing to be done for it.
struct ncclWindow_vidmem {
  ncclComm_t comm;
};

namespace {

ncclResult_t addRegistered(ncclComm_t comm, void *place, size_t size, void **handle,
                           const char *function) {
  if (Outcome outcome = check(comm, function); !outcome.ok())
    return report(outcome);
  if (!handle || !place || !size)
    return report(argument(function, "found no memory"));
  *handle = new (std::nothrow) ncclWindow_vidmem{comm};
  return *handle ? ncclSuccess
                 : report({ncclSystemError, std::string(function) + ": out of memory"});
}

ncclResult_t removeRegistered(ncclComm_t comm, void *handle, const char *function) {
  if (!handle)
    return ncclSuccess;
  auto *registered = static_cast<ncclWindow_vidmem *>(handle);
  if (!isLive(comm) || registered->comm != comm)
    return report(argument(function, "found memory of another communicator"));
  delete registered;
  return ncclSuccess;
}

} // namespace

ncclResult_t ncclMemAlloc(void **place, size_t size) {
  if (!place || !size)
    return report(argument(__func__, "found no place or no size"));
  return report(cudaFailure(cudaMalloc(place, size), __func__));
}

ncclResult_t ncclMemFree(void *place) {
  return report(cudaFailure(cudaFree(place), __func__));
}

ncclResult_t ncclCommRegister(const ncclComm_t comm, void *place, size_t size,
                              void **handle) {
  return addRegistered(comm, place, size, handle, __func__);
}

ncclResult_t ncclCommDeregister(const ncclComm_t comm, void *handle) {
  return removeRegistered(comm, handle, __func__);
}

ncclResult_t ncclCommWindowRegister(ncclComm_t comm, void *place, size_t size,
                                    ncclWindow_t *window, int flags) {
  if (flags & ~NCCL_WIN_COLL_SYMMETRIC)
    return report(argument(__func__, "found flags " + std::to_string(flags)));
  return addRegistered(comm, place, size, reinterpret_cast<void **>(window), __func__);
}

ncclResult_t ncclCommWindowDeregister(ncclComm_t comm, ncclWindow_t window) {
  return removeRegistered(comm, window, __func__);
}

ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t *op, void *scalar, ncclDataType_t type,
                                      ncclScalarResidence_t residence, ncclComm_t comm) {
  if (Outcome outcome = check(comm, __func__); !outcome.ok())
    return report(outcome);
  if (!op || !scalar || !isType(type) ||
      (residence != ncclScalarDevice && residence != ncclScalarHostImmediate))
    return report(argument(__func__, "found no place, no factor or no such type"));
  OwnOperation own;
  own.isThere = true;
  own.type = type;
  if (residence == ncclScalarDevice)
    own.place = scalar;
  else
    std::memcpy(own.factor.bytes, scalar, sizeOf(type));
  size_t number = 0;
  while (number < comm->operations.size() && comm->operations[number].isThere)
    ++number;
  if (number == comm->operations.size())
    comm->operations.emplace_back();
  comm->operations[number] = own;
  *op = static_cast<ncclRedOp_t>(ncclNumOps + number);
  return ncclSuccess;
}

ncclResult_t ncclRedOpDestroy(ncclRedOp_t op, ncclComm_t comm) {
  if (!isLive(comm))
    return report(argument(__func__, "found a communicator that is none"));
  const size_t number = static_cast<size_t>(op) - ncclNumOps;
  if (op < ncclNumOps || number >= comm->operations.size() ||
      !comm->operations[number].isThere)
    return report(argument(__func__, "found operation " + std::to_string(op) +
                                         ", expected one that the program made"));
  comm->operations[number].isThere = false;
  return ncclSuccess;
}
