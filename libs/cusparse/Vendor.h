// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vendor's back end: a function of ours hands its arguments to NVIDIA's function of
// the same name. Descriptions of programs are ours, and NVIDIA's lie behind them.

#ifndef HET_LIBS_CUSPARSE_VENDOR_H
#define HET_LIBS_CUSPARSE_VENDOR_H

#include "Library.h"
#include "common/Vendor.h"

namespace het::sparse {

/// NVIDIA's cuSPARSE.
struct VendorApi {
  using Handle = cusparseHandle_t;
  using Result = cusparseStatus_t;
  static constexpr const char *create = "cusparseCreate", *destroy = "cusparseDestroy",
                              *setStream = "cusparseSetStream";
  static libs::Vendor &vendor();
  static const char *textOf(cusparseStatus_t status) {
    return cusparseGetErrorName(status);
  }
};

/// A handle of NVIDIA's behind one of ours.
class VendorHandle : public libs::VendorHandleOf<VendorApi> {
public:
  /// Gives it the settings of ours as well.
  cusparseStatus_t prepare(const libs::VendorStream &place);
  cusparseStatus_t prepareQuestion() { return giveMode(); }

  const cusparseContext *ours = nullptr;

private:
  cusparseStatus_t giveMode();
  cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_HOST; ///< What it has been given.
};

/// One call of NVIDIA's: its descriptions for ours, as far as they can be made.
class VendorCall {
public:
  explicit VendorCall(const cusparseContext &handle) : handle(handle) {}

  cusparseSpMatDescr_t operator()(cusparseConstSpMatDescr_t ours);
  cusparseSpVecDescr_t operator()(cusparseConstSpVecDescr_t ours);
  cusparseDnMatDescr_t operator()(cusparseConstDnMatDescr_t ours);
  cusparseDnVecDescr_t operator()(cusparseConstDnVecDescr_t ours);
  /// Descriptions of steps, which only hold what NVIDIA's functions find.
  template <class Descr>
  Descr *operator()(Descr *ours, const char *create, const char *destroy) {
    return static_cast<Descr *>(ours ? stepOf(ours->vendors, create, destroy)
                                     : missing());
  }

  /// Nothing where kernels are to do it.
  template <class... Parameters>
  std::optional<cusparseStatus_t> run(libs::VendorFunction &function,
                                      Parameters... parameters) {
    return isWhole ? libs::callVendor(function, VendorApi::vendor(), handle.stream,
                                      *handle.vendor, convert, parameters...)
                   : std::nullopt;
  }

  /// cusparseSpGEMM_getNumProducts.
  static cusparseStatus_t countProducts(const VendorDescription &step, int64_t *products);
  /// After NVIDIA's function has found how many elements a matrix has.
  static void readSize(cusparseSpMatDescr_t ours);

private:
  void *missing() {
    isWhole = false;
    return nullptr;
  }
  void *stepOf(VendorDescription &behind, const char *create, const char *destroy);
  template <class Make>
  void *made(VendorDescription &behind, const char *destroy, std::vector<int64_t> shape,
             std::vector<void *> places, const Make &make);

  const cusparseContext &handle;
  bool isWhole = true;
};

} // namespace het::sparse

/// Hands the parameters of a function to the function of that name in NVIDIA's library,
/// if that is the handle's back end, and returns what it says. Descriptions are given as
/// theirs(matA).
#define HET_VENDOR_THEN(after, name, ...)                                                \
  do {                                                                                   \
    if (!handle || !handle->vendor)                                                      \
      break;                                                                             \
    static het::libs::VendorFunction function{#name};                                    \
    het::sparse::VendorCall theirs(*handle);                                             \
    if (const auto status = theirs.run(function, __VA_ARGS__)) {                         \
      if (*status == CUSPARSE_STATUS_SUCCESS) {                                          \
        after;                                                                           \
      }                                                                                  \
      return *status;                                                                    \
    }                                                                                    \
  } while (false)
#define HET_VENDOR(name, ...) HET_VENDOR_THEN(, name, __VA_ARGS__)

#endif // HET_LIBS_CUSPARSE_VENDOR_H
