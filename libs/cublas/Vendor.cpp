// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's cuBLAS: its library, and handles of its.

#include "Vendor.h"
#include "common/VendorLibrary.h"
#include "het/Base/Log.h"

#include <mutex>

namespace het::blas {
namespace {

#define HET_HANDLE_FUNCTIONS(use)                                                        \
  use(create, cublasCreate_v2) use(destroy, cublasDestroy_v2)                            \
      use(setStream, cublasSetStream_v2) use(setWorkspace, cublasSetWorkspace_v2)        \
          use(setPointerMode, cublasSetPointerMode_v2)                                   \
              use(setAtomicsMode, cublasSetAtomicsMode)                                  \
                  use(setMathMode, cublasSetMathMode)                                    \
                      use(setSmCountTarget, cublasSetSmCountTarget)

/// The library, with what handles need of it.
struct Vendor {
  std::optional<libs::VendorLibrary> library;
#define HET_DECLARE(name, symbol) decltype(symbol) *name;
  HET_HANDLE_FUNCTIONS(HET_DECLARE)

  /// Null, or the first that is missing.
  const char *findFunctions(const libs::VendorLibrary &from) {
#define HET_FIND(name, symbol)                                                           \
  if (!from.find(#symbol, name))                                                         \
    return #symbol;
    HET_HANDLE_FUNCTIONS(HET_FIND)
    return nullptr;
  }
};

/// Never destroyed, like the libraries that it opens.
Vendor &vendor() {
  static Vendor &instance = *new Vendor;
  return instance;
}
std::mutex opening; ///< Guards vendor() until it has a library.

Status makeHandle(cublasHandle_t &handle) {
  cublasStatus_t status = CUBLAS_STATUS_NOT_INITIALIZED;
  int error = cudaSuccess;
  const auto make = [&](void *) { status = vendor().create(&handle); };
  if (libs::giveToVendor(nullptr, make, error) != libs::Given::Yes)
    return unavailable(cudaGetErrorString(static_cast<cudaError_t>(error)));
  return status == CUBLAS_STATUS_SUCCESS
             ? Status::success()
             : unavailable(std::string("its cublasCreate says ") +
                           cublasGetStatusName(status) + "; is the driver too old?");
}

/// Versions whose functions have the parameters of ours.
std::vector<libs::VendorFile> versions() {
  return {{"libcublas.so.13", {"libcublasLt.so.13"}},
          {"libcublas.so.12", {"libcublasLt.so.12"}}};
}

/// As NVIDIA's documentation of cublasSetWorkspace recommends.
constexpr size_t workspaceOf(int capability) {
  return size_t(capability >= 9 ? 32 : 4) << 20;
}

} // namespace

void *findVendorFunction(const char *name) { return vendor().library->find(name); }

Status VendorHandle::create(std::unique_ptr<VendorHandle> &made) {
  auto created = std::make_unique<VendorHandle>();
  int capability = 0;
  cudaError_t error = cudaGetDevice(&created->device);
  if (!error)
    error = cudaDeviceGetAttribute(&capability, cudaDevAttrComputeCapabilityMajor,
                                   created->device);
  if (error)
    return unavailable(cudaGetErrorString(error));
  created->capturedWorkspace = workspaceOf(capability);
  std::lock_guard<std::mutex> lock(opening);
  Status status = Status::success();
  if (vendor().library) {
    status = makeHandle(created->handle);
  } else {
    const auto accept = [&](const libs::VendorLibrary &library) {
      if (const char *missing = vendor().findFunctions(library))
        return unavailable(library.file() + ": it lacks " + missing);
      const Status made = makeHandle(created->handle);
      return made.ok() ? made : unavailable(library.file() + ": " + made.text());
    };
    Result<libs::VendorLibrary> library = libs::VendorLibrary::open(
        versions(), "NVIDIA's cuBLAS (libcublas-13-x, or nvidia-cublas of PyPI)", accept);
    status = library.status();
    if (library.ok()) {
      vendor().library = library.take();
      log(Level::Info, "cuBLAS: %s is the vendor's", vendor().library->file().c_str());
    }
  }
  if (status.ok())
    made = std::move(created);
  return status;
}

VendorHandle::~VendorHandle() {
  if (!handle)
    return;
  int current = 0, error = cudaSuccess;
  (void)cudaGetDevice(&current);
  (void)cudaSetDevice(device);
  // A failure is that of a device on which nothing is left to destroy.
  (void)libs::giveToVendor(
      nullptr, [this](void *) { (void)vendor().destroy(handle); }, error);
  (void)cudaSetDevice(current);
}

cublasStatus_t VendorHandle::prepare(const cublasContext &ours,
                                     const libs::VendorStream &place) {
  auto *const native = static_cast<cudaStream_t>(place.native);
  void *const wanted = place.workspace ? place.workspace : ours.workspace;
  const size_t wantedSize = place.workspace ? capturedWorkspace : ours.workspaceSize;
  // Another stream resets the workspace.
  if (!hasStream || place.isRecorded || stream != native || workspace != wanted ||
      workspaceSize != wantedSize) {
    if (const cublasStatus_t status = vendor().setStream(handle, native))
      return status;
    stream = native;
    hasStream = !place.isRecorded;
    workspace = nullptr;
    workspaceSize = 0;
  }
  if (workspace != wanted || workspaceSize != wantedSize) {
    if (const cublasStatus_t status = vendor().setWorkspace(handle, wanted, wantedSize))
      return status;
    workspace = wanted;
    workspaceSize = wantedSize;
  }
  const auto set = [this](auto &known, auto wanted, auto *change) {
    if (known == wanted)
      return CUBLAS_STATUS_SUCCESS;
    const cublasStatus_t status = change(handle, wanted);
    if (status == CUBLAS_STATUS_SUCCESS)
      known = wanted;
    return status;
  };
  if (const auto status = set(pointerMode, ours.pointerMode, vendor().setPointerMode))
    return status;
  if (const auto status = set(atomicsMode, ours.atomicsMode, vendor().setAtomicsMode))
    return status;
  if (const auto status = set(mathMode, ours.mathMode, vendor().setMathMode))
    return status;
  return set(smCountTarget, ours.smCountTarget, vendor().setSmCountTarget);
}

} // namespace het::blas
