// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How cuBLASLt's descriptions are made, changed and read.

#include "Descriptions.h"

#include <cstring>
#include <new>

using namespace het::blas;

namespace {

/// Where an attribute lies in its description.
struct Field {
  int attribute;
  size_t offset, size;
};

#define HET_FIELD(attribute, Description, member)                                        \
  {attribute, offsetof(Description, member), sizeof(Description::member)}

constexpr Field layoutFields[] = {
    HET_FIELD(CUBLASLT_MATRIX_LAYOUT_TYPE, LayoutDescription, type),
    HET_FIELD(CUBLASLT_MATRIX_LAYOUT_ORDER, LayoutDescription, order),
    HET_FIELD(CUBLASLT_MATRIX_LAYOUT_ROWS, LayoutDescription, rows),
    HET_FIELD(CUBLASLT_MATRIX_LAYOUT_COLS, LayoutDescription, columns),
    HET_FIELD(CUBLASLT_MATRIX_LAYOUT_LD, LayoutDescription, leading),
    HET_FIELD(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, LayoutDescription, batch),
    HET_FIELD(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, LayoutDescription, stride),
    HET_FIELD(CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, LayoutDescription, planes),
};

constexpr Field matmulFields[] = {
    HET_FIELD(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, MatmulDescription, compute),
    HET_FIELD(CUBLASLT_MATMUL_DESC_SCALE_TYPE, MatmulDescription, scaleType),
    HET_FIELD(CUBLASLT_MATMUL_DESC_POINTER_MODE, MatmulDescription, pointerMode),
    HET_FIELD(CUBLASLT_MATMUL_DESC_TRANSA, MatmulDescription, transA),
    HET_FIELD(CUBLASLT_MATMUL_DESC_TRANSB, MatmulDescription, transB),
    HET_FIELD(CUBLASLT_MATMUL_DESC_TRANSC, MatmulDescription, transC),
    HET_FIELD(CUBLASLT_MATMUL_DESC_FILL_MODE, MatmulDescription, fillMode),
    HET_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE, MatmulDescription, epilogue),
    HET_FIELD(CUBLASLT_MATMUL_DESC_BIAS_POINTER, MatmulDescription, bias),
    HET_FIELD(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, MatmulDescription, biasStride),
    HET_FIELD(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, MatmulDescription, biasType),
    HET_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, MatmulDescription, aux),
    HET_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, MatmulDescription, auxLeading),
    HET_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, MatmulDescription,
              auxStride),
    HET_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, MatmulDescription, auxType),
    HET_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, MatmulDescription,
              scaleAux),
    HET_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, MatmulDescription,
              greatestAux),
    HET_FIELD(CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, MatmulDescription,
              alphaStride),
    HET_FIELD(CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, MatmulDescription, smCount),
    HET_FIELD(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, MatmulDescription, scaleA),
    HET_FIELD(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, MatmulDescription, scaleB),
    HET_FIELD(CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, MatmulDescription, scaleC),
    HET_FIELD(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, MatmulDescription, scaleD),
    HET_FIELD(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, MatmulDescription, greatestD),
    HET_FIELD(CUBLASLT_MATMUL_DESC_FAST_ACCUM, MatmulDescription, fastSum),
};

constexpr Field transformFields[] = {
    HET_FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, TransformDescription, scaleType),
    HET_FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, TransformDescription,
              pointerMode),
    HET_FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, TransformDescription, transA),
    HET_FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, TransformDescription, transB),
};

constexpr Field preferenceFields[] = {
    HET_FIELD(CUBLASLT_MATMUL_PREF_SEARCH_MODE, PreferenceDescription, searchMode),
    HET_FIELD(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, PreferenceDescription, workspace),
    HET_FIELD(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, PreferenceDescription,
              reductions),
    HET_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, PreferenceDescription,
              alignmentA),
    HET_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, PreferenceDescription,
              alignmentB),
    HET_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, PreferenceDescription,
              alignmentC),
    HET_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, PreferenceDescription,
              alignmentD),
    HET_FIELD(CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, PreferenceDescription, waves),
    HET_FIELD(CUBLASLT_MATMUL_PREF_IMPL_MASK, PreferenceDescription, implementations),
};

template <size_t Count> const Field *find(const Field (&fields)[Count], int attribute) {
  for (const Field &field : fields)
    if (field.attribute == attribute)
      return &field;
  return nullptr;
}

template <size_t Count>
cublasStatus_t set(const Field (&fields)[Count], void *description, int attribute,
                   const void *value, size_t size) {
  const Field *field = find(fields, attribute);
  if (!description || !field || !value || size != field->size)
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(static_cast<char *>(description) + field->offset, value, size);
  return CUBLAS_STATUS_SUCCESS;
}

/// With no room only the size is told.
template <size_t Count>
cublasStatus_t get(const Field (&fields)[Count], const void *description, int attribute,
                   void *value, size_t size, size_t *written) {
  const Field *field = find(fields, attribute);
  if (!description || !field || (!size && !written) || (size && !value) ||
      (size && size != field->size))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (size)
    std::memcpy(value, static_cast<const char *>(description) + field->offset, size);
  if (written)
    *written = field->size;
  return CUBLAS_STATUS_SUCCESS;
}

template <size_t Count, class Description>
cublasStatus_t changes(const Field (&fields)[Count], const Description &description,
                       const SetAttribute &set) {
  const Description unchanged;
  for (const Field &field : fields) {
    const char *value = reinterpret_cast<const char *>(&description) + field.offset;
    if (std::memcmp(value, reinterpret_cast<const char *>(&unchanged) + field.offset,
                    field.size) == 0)
      continue;
    if (const cublasStatus_t status = set(field.attribute, value, field.size))
      return status;
  }
  return CUBLAS_STATUS_SUCCESS;
}

template <class Description, class Opaque>
cublasStatus_t initialise(Opaque *storage, size_t size, const Description &value) {
  if (!storage || size < sizeof(Description))
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memset(static_cast<void *>(storage), 0, size);
  new (storage) Description(value);
  return CUBLAS_STATUS_SUCCESS;
}

template <class Description, class Opaque>
cublasStatus_t create(Opaque **storage, const Description &value) {
  if (!storage)
    return CUBLAS_STATUS_INVALID_VALUE;
  *storage = new (std::nothrow) Opaque();
  return *storage ? initialise(*storage, sizeof(Opaque), value)
                  : CUBLAS_STATUS_ALLOC_FAILED;
}

template <class Opaque> cublasStatus_t destroy(Opaque *storage) {
  delete storage;
  return CUBLAS_STATUS_SUCCESS;
}

LayoutDescription layout(cudaDataType type, uint64_t rows, uint64_t columns,
                         int64_t leading) {
  LayoutDescription description;
  description.type = type;
  description.rows = rows;
  description.columns = columns;
  description.leading = leading;
  return description;
}

MatmulDescription matmul(cublasComputeType_t compute, cudaDataType scaleType) {
  MatmulDescription description;
  description.compute = compute;
  description.scaleType = scaleType;
  return description;
}

TransformDescription transform(cudaDataType scaleType) {
  TransformDescription description;
  description.scaleType = scaleType;
  return description;
}

} // namespace

cublasStatus_t het::blas::forEachChange(const LayoutDescription &layout,
                                        const SetAttribute &set) {
  return changes(layoutFields, layout, set);
}
cublasStatus_t het::blas::forEachChange(const MatmulDescription &description,
                                        const SetAttribute &set) {
  return changes(matmulFields, description, set);
}
cublasStatus_t het::blas::forEachChange(const PreferenceDescription &preference,
                                        const SetAttribute &set) {
  return changes(preferenceFields, preference, set);
}

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t storage,
                                                 size_t size, cudaDataType type,
                                                 uint64_t rows, uint64_t columns,
                                                 int64_t leading) {
  return initialise(storage, size, layout(type, rows, columns, leading));
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *storage,
                                          cudaDataType type, uint64_t rows,
                                          uint64_t columns, int64_t leading) {
  return create(storage, layout(type, rows, columns, leading));
}
cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t storage, size_t size,
                                               cublasComputeType_t compute,
                                               cudaDataType scaleType) {
  return initialise(storage, size, matmul(compute, scaleType));
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *storage,
                                        cublasComputeType_t compute,
                                        cudaDataType scaleType) {
  return create(storage, matmul(compute, scaleType));
}
cublasStatus_t
cublasLtMatrixTransformDescInit_internal(cublasLtMatrixTransformDesc_t storage,
                                         size_t size, cudaDataType scaleType) {
  return initialise(storage, size, transform(scaleType));
}
cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t *storage,
                                                 cudaDataType scaleType) {
  return create(storage, transform(scaleType));
}
cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t storage,
                                                     size_t size) {
  return initialise(storage, size, PreferenceDescription());
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *storage) {
  return create(storage, PreferenceDescription());
}

#define HET_DESCRIPTION(prefix, Handle, Attribute, fields)                               \
  cublasStatus_t prefix##Destroy(Handle storage) { return destroy(storage); }            \
  cublasStatus_t prefix##SetAttribute(Handle storage, Attribute attribute,               \
                                      const void *value, size_t size) {                  \
    return set(fields, storage, attribute, value, size);                                 \
  }                                                                                      \
  cublasStatus_t prefix##GetAttribute(Handle storage, Attribute attribute, void *value,  \
                                      size_t size, size_t *written) {                    \
    return get(fields, storage, attribute, value, size, written);                        \
  }
HET_DESCRIPTION(cublasLtMatrixLayout, cublasLtMatrixLayout_t,
                cublasLtMatrixLayoutAttribute_t, layoutFields)
HET_DESCRIPTION(cublasLtMatmulDesc, cublasLtMatmulDesc_t, cublasLtMatmulDescAttributes_t,
                matmulFields)
HET_DESCRIPTION(cublasLtMatrixTransformDesc, cublasLtMatrixTransformDesc_t,
                cublasLtMatrixTransformDescAttributes_t, transformFields)
HET_DESCRIPTION(cublasLtMatmulPreference, cublasLtMatmulPreference_t,
                cublasLtMatmulPreferenceAttributes_t, preferenceFields)
