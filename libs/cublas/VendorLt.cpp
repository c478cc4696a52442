// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls NVIDIA's cuBLASLt with descriptions that are made of ours.

#include "VendorLt.h"
#include "HostBlas.h"
#include "common/Aside.h"
#include "common/VendorLibrary.h"
#include "het/Base/Log.h"

#include <map>
#include <mutex>

namespace het::blas {

/// The devices that have been asked for, and the library. Never destroyed.
struct VendorLtDevices {
  struct Device {
    std::unique_ptr<VendorLt> lt; ///< Null: kernels.
    bool hasBackEnd = true;
  };
  std::mutex mutex; ///< Guards what follows.
  std::map<int, Device> known;
  std::optional<libs::VendorLibrary> library;
  VendorLtFunctions functions;

  static VendorLtDevices &get() {
    static VendorLtDevices &instance = *new VendorLtDevices;
    return instance;
  }
  Device &device(int number);
  Status open(VendorLt &device);
};

namespace {

std::vector<libs::VendorFile> versions() {
  return {{"libcublasLt.so.13", {}}, {"libcublasLt.so.12", {}}};
}

const char *findFunctions(const libs::VendorLibrary &from, VendorLtFunctions &functions) {
#define HET_VENDOR_LT(name, symbol)                                                      \
  if (!from.find(#symbol, functions.name))                                               \
    return #symbol;
#include "VendorLt.def"
  return nullptr;
}

/// A description of NVIDIA's for the length of a call.
template <class Handle> class Translated {
public:
  explicit Translated(cublasStatus_t (*destroy)(Handle)) : destroy(destroy) {}
  Translated(const Translated &) = delete;
  ~Translated() {
    if (handle)
      (void)destroy(handle);
  }
  operator Handle() const { return handle; }

  Handle handle = nullptr;

private:
  cublasStatus_t (*destroy)(Handle);
};

const VendorLtFunctions &functions() { return VendorLtDevices::get().functions; }

/// All of a product's descriptions.
struct Descriptions {
  Translated<cublasLtMatmulDesc_t> matmul{functions().destroyMatmul};
  Translated<cublasLtMatrixLayout_t> a{functions().destroyLayout},
      b{functions().destroyLayout}, c{functions().destroyLayout},
      d{functions().destroyLayout};

  cublasStatus_t make(const VendorLt::Matmul &call);

private:
  cublasStatus_t make(Translated<cublasLtMatrixLayout_t> &made,
                      cublasLtMatrixLayout_t ours);
};

cublasStatus_t Descriptions::make(Translated<cublasLtMatrixLayout_t> &made,
                                  cublasLtMatrixLayout_t ours) {
  if (!ours)
    return CUBLAS_STATUS_INVALID_VALUE;
  const LayoutDescription &layout = layoutIn(ours);
  if (const auto status = functions().createLayout(&made.handle, layout.type, layout.rows,
                                                   layout.columns, layout.leading))
    return status;
  return forEachChange(layout, [&](int attribute, const void *value, size_t size) {
    return functions().setLayout(
        made, static_cast<cublasLtMatrixLayoutAttribute_t>(attribute), value, size);
  });
}

cublasStatus_t Descriptions::make(const VendorLt::Matmul &call) {
  if (!call.description)
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto &ours = in<MatmulDescription>(call.description);
  if (const auto status =
          functions().createMatmul(&matmul.handle, ours.compute, ours.scaleType))
    return status;
  if (const auto status = forEachChange(ours, [&](int attribute, const void *value,
                                                  size_t size) {
        return functions().setMatmul(
            matmul, static_cast<cublasLtMatmulDescAttributes_t>(attribute), value, size);
      }))
    return status;
  if (const auto status = make(a, call.layoutA))
    return status;
  if (const auto status = make(b, call.layoutB))
    return status;
  if (const auto status = make(c, call.layoutC))
    return status;
  return make(d, call.layoutD);
}

} // namespace

Status VendorLt::open() {
  if (const cudaError_t error = cudaGetDevice(&device))
    return unavailable(cudaGetErrorString(error));
  const cublasStatus_t status =
      call([this](const VendorLtFunctions &functions, cublasLtHandle_t) {
        return functions.create(&handle);
      });
  return status == CUBLAS_STATUS_SUCCESS
             ? Status::success()
             : unavailable(std::string("its cublasLtCreate says ") +
                           cublasGetStatusName(status) + "; is the driver too old?");
}

/// With the mutex held.
Status VendorLtDevices::open(VendorLt &device) {
  if (library)
    return device.open();
  const auto accept = [&](const libs::VendorLibrary &found) {
    if (const char *missing = findFunctions(found, functions))
      return unavailable(found.file() + ": it lacks " + missing);
    const Status opened = device.open();
    return opened.ok() ? opened : unavailable(found.file() + ": " + opened.text());
  };
  Result<libs::VendorLibrary> opened = libs::VendorLibrary::open(
      versions(), "NVIDIA's cuBLAS (libcublas-13-x, or nvidia-cublas of PyPI)", accept);
  if (!opened.ok())
    return opened.status();
  library = opened.take();
  log(Level::Info, "cuBLASLt: %s is the vendor's", library->file().c_str());
  return Status::success();
}

VendorLtDevices::Device &VendorLtDevices::device(int number) {
  std::lock_guard<std::mutex> lock(mutex);
  const auto [place, isNew] = known.try_emplace(number);
  Device &device = place->second;
  if (!isNew)
    return device;
  auto lt = std::make_unique<VendorLt>();
  // With the host's back end kernels do all of cuBLASLt: OpenBLAS has nothing of it.
  const Result<libs::BackEnd> chosen =
      libs::chooseBackEnd("cuBLASLt", number, {[&] { return open(*lt); }, openHostBlas});
  device.hasBackEnd = chosen.ok();
  if (!chosen.ok())
    log(Level::Error, "%s", chosen.status().text().c_str());
  else if (*chosen == libs::BackEnd::Vendor)
    device.lt = std::move(lt);
  return device;
}

VendorLt *VendorLt::get(cublasStatus_t &status) {
  int number = 0;
  status = convert(cudaGetDevice(&number));
  if (status != CUBLAS_STATUS_SUCCESS)
    return nullptr;
  const VendorLtDevices::Device &device = VendorLtDevices::get().device(number);
  if (!device.hasBackEnd)
    status = CUBLAS_STATUS_NOT_INITIALIZED;
  return device.lt.get();
}

cublasStatus_t VendorLt::call(
    const std::function<cublasStatus_t(const VendorLtFunctions &, cublasLtHandle_t)>
        &function) {
  cublasStatus_t status = CUBLAS_STATUS_EXECUTION_FAILED;
  int error = cudaSuccess;
  const auto work = [&](void *) { status = function(functions(), handle); };
  const libs::Given given = libs::giveAside(device, work, error);
  return given == libs::Given::Yes ? status : convert(static_cast<cudaError_t>(error));
}

std::optional<cublasStatus_t> VendorLt::multiply(const Matmul &call) {
  cublasStatus_t status = CUBLAS_STATUS_EXECUTION_FAILED;
  int error = cudaSuccess;
  const auto work = [&](const libs::VendorStream &stream) {
    Descriptions theirs;
    status = theirs.make(call);
    if (status == CUBLAS_STATUS_SUCCESS)
      status = functions().multiply(
          handle, theirs.matmul, call.alpha, call.a, theirs.a, call.b, theirs.b,
          call.beta, call.c, theirs.c, call.d, theirs.d, call.algorithm, call.workspace,
          call.workspaceSize, static_cast<cudaStream_t>(stream.native));
    return status == CUBLAS_STATUS_SUCCESS;
  };
  // The program gives each product its workspace.
  const libs::Given given = libs::giveOrRecord(call.stream, 0, work, error);
  return libs::resultOf(given, status, error, convert);
}

cublasStatus_t VendorLt::findAlgorithms(const Matmul &problem,
                                        cublasLtMatmulPreference_t preference,
                                        int requested,
                                        cublasLtMatmulHeuristicResult_t *results,
                                        int *returned) {
  return call([&](const VendorLtFunctions &functions, cublasLtHandle_t handle) {
    Descriptions theirs;
    Translated<cublasLtMatmulPreference_t> wanted(functions.destroyPreference);
    if (const auto status = theirs.make(problem))
      return status;
    if (const auto status = functions.createPreference(&wanted.handle))
      return status;
    if (const auto status = forEachChange(
            in<PreferenceDescription>(preference),
            [&](int attribute, const void *value, size_t size) {
              return functions.setPreference(
                  wanted, static_cast<cublasLtMatmulPreferenceAttributes_t>(attribute),
                  value, size);
            }))
      return status;
    return functions.findAlgorithms(handle, theirs.matmul, theirs.a, theirs.b, theirs.c,
                                    theirs.d, wanted, requested, results, returned);
  });
}

cublasStatus_t VendorLt::checkAlgorithm(const Matmul &problem,
                                        cublasLtMatmulHeuristicResult_t *result) {
  return call([&](const VendorLtFunctions &functions, cublasLtHandle_t handle) {
    Descriptions theirs;
    if (const auto status = theirs.make(problem))
      return status;
    return functions.checkAlgorithm(handle, theirs.matmul, theirs.a, theirs.b, theirs.c,
                                    theirs.d, problem.algorithm, result);
  });
}

} // namespace het::blas
