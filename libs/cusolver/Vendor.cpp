// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's cuSOLVER, and descriptions of its for those of ours.

#include "Vendor.h"

namespace het::solver {

libs::Vendor &VendorApi::vendor() {
  static libs::Vendor &instance = *new libs::Vendor(
      "cuSOLVER",
      {{"libcusolver.so.12",
        {"libnvJitLink.so.13", "libcublasLt.so.13", "libcublas.so.13",
         "libcusparse.so.12"}},
       {"libcusolver.so.11",
        {"libnvJitLink.so.12", "libcublasLt.so.12", "libcublas.so.12",
         "libcusparse.so.12"}}},
      "NVIDIA's cuSOLVER (libcusolver-13-x, or nvidia-cusolver of PyPI)");
  return instance;
}

namespace {

/// A function that takes no handle; its status, or that there is none.
template <class... Parameters>
cusolverStatus_t call(const char *name, Parameters... parameters) {
  return libs::callByName(VendorApi::vendor(), name, CUSOLVER_STATUS_NOT_SUPPORTED,
                          parameters...);
}

/// The names of what a description of an iteration has.
struct InfoNames {
  const char *create, *destroy, *setTolerance, *setMaxSweeps, *setSorted;
};
constexpr InfoNames namesOf(const syevjInfo *) {
  return {"cusolverDnCreateSyevjInfo", "cusolverDnDestroySyevjInfo",
          "cusolverDnXsyevjSetTolerance", "cusolverDnXsyevjSetMaxSweeps",
          "cusolverDnXsyevjSetSortEig"};
}
constexpr InfoNames namesOf(const gesvdjInfo *) {
  return {"cusolverDnCreateGesvdjInfo", "cusolverDnDestroyGesvdjInfo",
          "cusolverDnXgesvdjSetTolerance", "cusolverDnXgesvdjSetMaxSweeps",
          "cusolverDnXgesvdjSetSortEig"};
}

template <class Info> Info *vendorsInfo(cusolverDnHandle_t handle, Info *ours) {
  if (!handle || !handle->vendor || !ours)
    return ours;
  constexpr InfoNames names = namesOf(static_cast<const Info *>(nullptr));
  auto *theirs = static_cast<Info *>(ours->vendors);
  if (!theirs && call(names.create, &theirs) != CUSOLVER_STATUS_SUCCESS)
    return nullptr;
  ours->vendors = theirs;
  ours->isVendors = true;
  const Iteration &iteration = ours->iteration;
  // What a program has not set stays NVIDIA's.
  if (iteration.tolerance > 0)
    (void)call(names.setTolerance, theirs, iteration.tolerance);
  (void)call(names.setMaxSweeps, theirs, iteration.maxSweeps);
  (void)call(names.setSorted, theirs, iteration.sorted ? 1 : 0);
  return theirs;
}

template <class Info> void destroy(Info *ours) {
  if (ours->vendors)
    (void)call(namesOf(static_cast<const Info *>(nullptr)).destroy,
               static_cast<Info *>(ours->vendors));
}

} // namespace

syevjInfo_t vendorsOf(cusolverDnHandle_t handle, syevjInfo_t ours) {
  return vendorsInfo(handle, ours);
}
gesvdjInfo_t vendorsOf(cusolverDnHandle_t handle, gesvdjInfo_t ours) {
  return vendorsInfo(handle, ours);
}

cusolverDnParams_t vendorsOf(cusolverDnHandle_t handle, cusolverDnParams_t ours) {
  if (!handle || !handle->vendor)
    return ours;
  cusolverDnParams_t &theirs = ours ? ours->vendors : handle->vendor->plainParams;
  if (!theirs && call("cusolverDnCreateParams", &theirs) != CUSOLVER_STATUS_SUCCESS)
    return nullptr;
  for (const cusolverDnFunction_t function : {CUSOLVERDN_GETRF, CUSOLVERDN_POTRF})
    if (ours)
      (void)call("cusolverDnSetAdvOptions", theirs, function, ours->algorithms[function]);
  return theirs;
}

VendorHandle::~VendorHandle() {
  if (plainParams)
    (void)call("cusolverDnDestroyParams", plainParams);
}

cusolverStatus_t VendorHandle::prepare(const libs::VendorStream &place) {
  const cusolverStatus_t status = setStream(place.native);
  return status == CUSOLVER_STATUS_SUCCESS ? giveMode() : status;
}

cusolverStatus_t VendorHandle::giveMode() {
  static libs::VendorFunction modes{"cusolverDnSetDeterministicMode"};
  if (mode == ours->mode)
    return CUSOLVER_STATUS_SUCCESS;
  auto *const set = reinterpret_cast<decltype(cusolverDnSetDeterministicMode) *>(
      modes.get(VendorApi::vendor()));
  if (!set) // Results of versions before it are deterministic.
    return CUSOLVER_STATUS_SUCCESS;
  const cusolverStatus_t status = set(get(), ours->mode);
  if (status == CUSOLVER_STATUS_SUCCESS)
    mode = ours->mode;
  return status;
}

} // namespace het::solver

syevjInfo::~syevjInfo() { het::solver::destroy(this); }
gesvdjInfo::~gesvdjInfo() { het::solver::destroy(this); }
cusolverDnParams::~cusolverDnParams() {
  if (vendors)
    (void)het::solver::call("cusolverDnDestroyParams", vendors);
}
