// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's cuBLAS, and the settings of handles of its.

#include "Vendor.h"

namespace het::blas {
namespace {

/// Hands a setting on where it has changed; a library without it has none to change.
template <class Value>
cublasStatus_t give(libs::VendorFunction &function, cublasHandle_t handle, Value &known,
                    Value wanted) {
  if (known == wanted)
    return CUBLAS_STATUS_SUCCESS;
  auto *const set = reinterpret_cast<cublasStatus_t (*)(cublasHandle_t, Value)>(
      function.get(VendorApi::vendor()));
  if (!set)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const cublasStatus_t status = set(handle, wanted);
  if (status == CUBLAS_STATUS_SUCCESS)
    known = wanted;
  return status;
}

/// As NVIDIA's documentation of cublasSetWorkspace recommends.
constexpr size_t workspaceOf(int capability) {
  return size_t(capability >= 9 ? 32 : 4) << 20;
}

} // namespace

libs::Vendor &VendorApi::vendor() {
  // Versions whose functions have the parameters of ours.
  static libs::Vendor &instance =
      *new libs::Vendor("cuBLAS",
                        {{"libcublas.so.13", {"libcublasLt.so.13"}},
                         {"libcublas.so.12", {"libcublasLt.so.12"}}},
                        "NVIDIA's cuBLAS (libcublas-13-x, or nvidia-cublas of PyPI)");
  return instance;
}

Status VendorHandle::create(std::unique_ptr<VendorHandle> &made) {
  int device = 0, capability = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (!error)
    error =
        cudaDeviceGetAttribute(&capability, cudaDevAttrComputeCapabilityMajor, device);
  if (error)
    return unavailable(cudaGetErrorString(error));
  Status status = VendorHandleOf::create(made);
  if (status.ok())
    made->capturedWorkspace = workspaceOf(capability);
  return status;
}

cublasStatus_t VendorHandle::prepare(const libs::VendorStream &place) {
  static libs::VendorFunction workspaces{"cublasSetWorkspace_v2"},
      pointerModes{"cublasSetPointerMode_v2"}, atomicsModes{"cublasSetAtomicsMode"},
      mathModes{"cublasSetMathMode"}, counts{"cublasSetSmCountTarget"};
  void *const wanted = place.workspace ? place.workspace : ours->workspace;
  const size_t wantedSize = place.workspace ? capturedWorkspace : ours->workspaceSize;
  const auto isWorkspaceKnown = [&] {
    return workspace == wanted && workspaceSize == wantedSize;
  };
  // Another stream resets the workspace.
  if (place.isRecorded || !isWorkspaceKnown())
    forgetStream();
  const bool isOther = !hasStream(place.native);
  if (const auto status = setStream(place.native))
    return status;
  if (isOther) {
    workspace = nullptr;
    workspaceSize = 0;
  }
  if (!isWorkspaceKnown()) {
    auto *const set = reinterpret_cast<decltype(cublasSetWorkspace_v2) *>(
        workspaces.get(VendorApi::vendor()));
    if (!set)
      return CUBLAS_STATUS_NOT_SUPPORTED;
    if (const auto status = set(get(), wanted, wantedSize))
      return status;
    workspace = wanted;
    workspaceSize = wantedSize;
  }
  if (const auto status = give(pointerModes, get(), pointerMode, ours->pointerMode))
    return status;
  if (const auto status = give(atomicsModes, get(), atomicsMode, ours->atomicsMode))
    return status;
  if (const auto status = give(mathModes, get(), mathMode, ours->mathMode))
    return status;
  return give(counts, get(), smCountTarget, ours->smCountTarget);
}

} // namespace het::blas
