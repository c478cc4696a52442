// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's cuSPARSE, and descriptions of its for those of ours. They stay as long as ours
// say the same, since NVIDIA's functions keep in them what they have found.

#include "Vendor.h"

#include <cstring>

namespace het::sparse {

libs::Vendor &VendorApi::vendor() {
  static libs::Vendor &instance = *new libs::Vendor(
      "cuSPARSE",
      {{"libcusparse.so.12", {"libnvJitLink.so.13"}},
       {"libcusparse.so.12", {"libnvJitLink.so.12"}}},
      "NVIDIA's cuSPARSE (libcusparse-13-x, or nvidia-cusparse of PyPI)");
  return instance;
}

namespace {

/// A function that takes no handle; its status, or that there is none.
template <class... Parameters>
cusparseStatus_t call(const char *name, Parameters... parameters) {
  return libs::callByName(VendorApi::vendor(), name, CUSPARSE_STATUS_NOT_SUPPORTED,
                          parameters...);
}

using Matrix = cusparseSpMatDescr;

cusparseStatus_t create(const Matrix &m, cusparseSpMatDescr_t *theirs) {
  switch (m.format) {
  case CUSPARSE_FORMAT_CSR:
  case CUSPARSE_FORMAT_CSC:
    return call(m.format == CUSPARSE_FORMAT_CSR ? "cusparseCreateCsr"
                                                : "cusparseCreateCsc",
                theirs, m.rows, m.cols, m.nnz, m.offsets, m.indices, m.values,
                m.offsetType, m.indexType, m.base, m.type);
  case CUSPARSE_FORMAT_COO:
    return call("cusparseCreateCoo", theirs, m.rows, m.cols, m.nnz, m.offsets, m.indices,
                m.values, m.indexType, m.base, m.type);
  case CUSPARSE_FORMAT_BSR:
    return call("cusparseCreateBsr", theirs, m.rows, m.cols, m.nnz, m.blockRows,
                m.blockCols, m.offsets, m.indices, m.values, m.offsetType, m.indexType,
                m.base, m.type, m.blockOrder);
  case CUSPARSE_FORMAT_BLOCKED_ELL:
    return call("cusparseCreateBlockedEll", theirs, m.rows, m.cols, m.blockRows,
                m.ellCols, m.indices, m.values, m.indexType, m.base, m.type);
  case CUSPARSE_FORMAT_SLICED_ELLPACK:
    return call("cusparseCreateSlicedEll", theirs, m.rows, m.cols, m.nnz, m.valuesSize,
                m.sliceSize, m.offsets, m.indices, m.values, m.offsetType, m.indexType,
                m.base, m.type);
  default:
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  }
}

cusparseStatus_t setBatch(const Matrix &m, cusparseSpMatDescr_t theirs) {
  switch (m.format) {
  case CUSPARSE_FORMAT_CSR:
    return call("cusparseCsrSetStridedBatch", theirs, m.batch, m.offsetStride,
                m.indexStride);
  case CUSPARSE_FORMAT_COO:
    return call("cusparseCooSetStridedBatch", theirs, m.batch, m.indexStride);
  case CUSPARSE_FORMAT_BSR:
    return call("cusparseBsrSetStridedBatch", theirs, m.batch, m.offsetStride,
                m.indexStride, m.valueStride);
  default:
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  }
}

/// What a program can set besides.
cusparseStatus_t setRest(const Matrix &m, cusparseSpMatDescr_t theirs) {
  int fill = m.fillMode, diagonal = m.diagType;
  cusparseStatus_t status = CUSPARSE_STATUS_SUCCESS;
  if (m.batch > 1)
    status = setBatch(m, theirs);
  for (const auto &[attribute, value] : {std::pair{CUSPARSE_SPMAT_FILL_MODE, &fill},
                                         std::pair{CUSPARSE_SPMAT_DIAG_TYPE, &diagonal}})
    if (status == CUSPARSE_STATUS_SUCCESS && m.isTriangle)
      status = call("cusparseSpMatSetAttribute", theirs, attribute,
                    static_cast<void *>(value), sizeof(int));
  return status;
}

std::vector<int64_t> shapeOf(const Matrix &m) {
  return {m.format,       m.rows,        m.cols,        m.nnz,        m.offsetType,
          m.indexType,    m.base,        m.type,        m.blockRows,  m.blockCols,
          m.blockOrder,   m.ellCols,     m.sliceSize,   m.valuesSize, m.batch,
          m.offsetStride, m.indexStride, m.valueStride, m.fillMode,   m.diagType,
          m.isTriangle};
}

} // namespace

void VendorDescription::reset() {
  int error = cudaSuccess;
  if (theirs) // A failure is that of a device on which nothing is left to destroy.
    (void)libs::giveAside(
        device,
        [this](void *) { (void)call(destroyName, std::exchange(theirs, nullptr)); },
        error);
  theirs = nullptr;
}

/// NVIDIA's description, which `make` makes where ours no longer says the same.
template <class Make>
void *VendorCall::made(VendorDescription &behind, const char *destroy,
                       std::vector<int64_t> shape, std::vector<void *> places,
                       const Make &make) {
  if (behind.theirs && behind.shape == shape && behind.places == places)
    return behind.theirs;
  behind.reset();
  behind.device = handle.vendor->deviceOf();
  behind.destroyName = destroy;
  const auto ask = [&] { return make(&behind.theirs); };
  const auto status = libs::askVendor(*handle.vendor, convert, ask);
  if (status != CUSPARSE_STATUS_SUCCESS) {
    behind.reset();
    return missing();
  }
  behind.shape = std::move(shape);
  behind.places = std::move(places);
  return behind.theirs;
}

cusparseSpMatDescr_t VendorCall::operator()(cusparseConstSpMatDescr_t ours) {
  if (!ours)
    return static_cast<cusparseSpMatDescr_t>(missing());
  const Matrix &m = *ours;
  VendorDescription &behind = m.vendors;
  const std::vector<void *> places = {m.offsets, m.indices, m.values};
  // Other values, and arrays that have been allocated for a structure that was found,
  // leave what NVIDIA's has found.
  if (behind.theirs && behind.shape == shapeOf(m) && behind.places != places) {
    auto *const theirs = static_cast<cusparseSpMatDescr_t>(behind.theirs);
    const char *const setAll =
        m.format == CUSPARSE_FORMAT_CSR   ? "cusparseCsrSetPointers"
        : m.format == CUSPARSE_FORMAT_CSC ? "cusparseCscSetPointers"
        : m.format == CUSPARSE_FORMAT_COO ? "cusparseCooSetPointers"
                                          : nullptr;
    const bool areValues = m.offsets == behind.places[0] && m.indices == behind.places[1];
    if ((areValues && !call("cusparseSpMatSetValues", theirs, m.values)) ||
        (!areValues && setAll && !call(setAll, theirs, m.offsets, m.indices, m.values)))
      behind.places = places;
  }
  return static_cast<cusparseSpMatDescr_t>(
      made(behind, "cusparseDestroySpMat", shapeOf(m), places, [&](void **theirs) {
        auto **const place = reinterpret_cast<cusparseSpMatDescr_t *>(theirs);
        const cusparseStatus_t status = create(m, place);
        return status == CUSPARSE_STATUS_SUCCESS ? setRest(m, *place) : status;
      }));
}

cusparseSpVecDescr_t VendorCall::operator()(cusparseConstSpVecDescr_t ours) {
  if (!ours)
    return static_cast<cusparseSpVecDescr_t>(missing());
  const cusparseSpVecDescr &x = *ours;
  return static_cast<cusparseSpVecDescr_t>(made(
      x.vendors, "cusparseDestroySpVec", {x.size, x.nnz, x.indexType, x.base, x.type},
      {x.indices, x.values}, [&](void **theirs) {
        return call("cusparseCreateSpVec",
                    reinterpret_cast<cusparseSpVecDescr_t *>(theirs), x.size, x.nnz,
                    x.indices, x.values, x.indexType, x.base, x.type);
      }));
}

cusparseDnVecDescr_t VendorCall::operator()(cusparseConstDnVecDescr_t ours) {
  if (!ours)
    return static_cast<cusparseDnVecDescr_t>(missing());
  const cusparseDnVecDescr &x = *ours;
  return static_cast<cusparseDnVecDescr_t>(
      made(x.vendors, "cusparseDestroyDnVec", {x.size, x.type}, {x.values},
           [&](void **theirs) {
             return call("cusparseCreateDnVec",
                         reinterpret_cast<cusparseDnVecDescr_t *>(theirs), x.size,
                         x.values, x.type);
           }));
}

cusparseDnMatDescr_t VendorCall::operator()(cusparseConstDnMatDescr_t ours) {
  if (!ours)
    return static_cast<cusparseDnMatDescr_t>(missing());
  const cusparseDnMatDescr &a = *ours;
  return static_cast<cusparseDnMatDescr_t>(made(
      a.vendors, "cusparseDestroyDnMat",
      {a.rows, a.cols, a.leading, a.type, a.order, a.batch, a.batchStride}, {a.values},
      [&](void **theirs) {
        auto **const place = reinterpret_cast<cusparseDnMatDescr_t *>(theirs);
        const cusparseStatus_t status = call("cusparseCreateDnMat", place, a.rows, a.cols,
                                             a.leading, a.values, a.type, a.order);
        return status == CUSPARSE_STATUS_SUCCESS && a.batch > 1
                   ? call("cusparseDnMatSetStridedBatch", *place, a.batch, a.batchStride)
                   : status;
      }));
}

void *VendorCall::stepOf(VendorDescription &behind, const char *create,
                         const char *destroy) {
  return made(behind, destroy, {}, {},
              [&](void **theirs) { return call(create, theirs); });
}

cusparseStatus_t VendorCall::countProducts(const VendorDescription &step,
                                           int64_t *products) {
  return call("cusparseSpGEMM_getNumProducts", step.theirs, products);
}

void VendorCall::readSize(cusparseSpMatDescr_t ours) {
  int64_t rows = 0, columns = 0, entries = 0;
  auto *const theirs = static_cast<cusparseSpMatDescr_t>(ours->vendors.theirs);
  if (call("cusparseSpMatGetSize", theirs, &rows, &columns, &entries) !=
      CUSPARSE_STATUS_SUCCESS)
    return;
  ours->nnz = entries;
  ours->vendors.shape = shapeOf(*ours);
}

cusparseStatus_t VendorHandle::prepare(const libs::VendorStream &place) {
  const cusparseStatus_t status = setStream(place.native);
  return status == CUSPARSE_STATUS_SUCCESS ? giveMode() : status;
}

cusparseStatus_t VendorHandle::giveMode() {
  static libs::VendorFunction modes{"cusparseSetPointerMode"};
  if (mode == ours->pointerMode)
    return CUSPARSE_STATUS_SUCCESS;
  auto *const set = reinterpret_cast<decltype(cusparseSetPointerMode) *>(
      modes.get(VendorApi::vendor()));
  const cusparseStatus_t status =
      set ? set(get(), ours->pointerMode) : CUSPARSE_STATUS_NOT_SUPPORTED;
  if (status == CUSPARSE_STATUS_SUCCESS)
    mode = ours->pointerMode;
  return status;
}

} // namespace het::sparse

cusparseContext::cusparseContext() = default;
cusparseContext::~cusparseContext() = default;
