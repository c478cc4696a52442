// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface references of the driver API: variables of modules, each with the
// handle of an object, which is made anew whenever what it is made of changes.

#include "Modules.h"

#include "../Arrays.h"
#include "../Textures.h"

#include <algorithm>

using namespace het::cuda;
using namespace het::cuda::driver;

namespace het::cuda::driver {

struct Reference {
  Binding binding;
  TextureParts parts;
  bool isBound = false;
  cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
  CUdeviceptr address = 0;
  unsigned flags = 0;

  Reference() { setFlags(parts.texture, 0); }
  ~Reference() { (void)destroyObject(binding.object, binding.isSurface); }

  /// What is not whole yet, such as a filter of elements that have no format for it, is
  /// bound by the call that makes it so; until then nothing is.
  cudaError_t apply() {
    if (!binding.variable)
      return cudaSuccess;
    const cudaError_t error = binding.bind(isBound ? &parts : nullptr);
    if (error == cudaErrorInvalidFilterSetting)
      return binding.bind(nullptr);
    return error;
  }

  cudaError_t bindArray(CUarray array) {
    if (!array)
      return cudaErrorInvalidValue;
    parts.resource.resType = cudaResourceTypeArray;
    parts.resource.res.array.array = arrayOf(array);
    isBound = true;
    return apply();
  }
};

} // namespace het::cuda::driver

namespace {

/// The reference of a name, which is the module's from the first question on.
CUresult findReference(Reference *&result, CUmodule handle, const char *name,
                       bool isSurface) {
  std::shared_ptr<CUmod_st> module;
  if (CUresult error = findModule(handle, module))
    return error;
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  Device &device = currentContext()->device;
  CUdeviceptr variable = 0;
  size_t size = 0;
  if (CUresult error = findVariableOf(*module, name, device, &variable, &size))
    return error;
  if (size != sizeof(ObjectHandle))
    return CUDA_ERROR_NOT_FOUND;
  std::lock_guard<std::mutex> lock(module->mutex);
  std::shared_ptr<Reference> &kept = module->references[name];
  if (!kept) {
    kept = std::make_shared<Reference>();
    kept->binding.device = &device;
    kept->binding.variable = pointerOf(variable);
    kept->binding.isSurface = isSurface;
  }
  result = kept.get();
  return CUDA_SUCCESS;
}

// Both handles are such references.
Reference *of(CUtexref reference) { return reinterpret_cast<Reference *>(reference); }
Reference *of(CUsurfref reference) { return reinterpret_cast<Reference *>(reference); }

template <typename Handle>
CUresult find(Handle *result, CUmodule module, const char *name, bool isSurface) {
  if (!result)
    return CUDA_ERROR_INVALID_VALUE;
  Reference *found = nullptr;
  CUresult error = findReference(found, module, name, isSurface);
  *result = reinterpret_cast<Handle>(found);
  return error;
}

/// Changes a reference by what is valid, and has that take effect.
template <typename Change>
CUresult change(CUtexref reference, bool isValid, Change change) {
  if (!reference || !isValid)
    return CUDA_ERROR_INVALID_VALUE;
  change(*of(reference));
  return through([&] { return of(reference)->apply(); });
}

/// Tells a part of a reference.
template <typename Value, typename Part>
CUresult tell(Value *result, const Reference *reference, Part part) {
  if (CUresult error = requireContext())
    return error;
  if (!result || !reference)
    return CUDA_ERROR_INVALID_VALUE;
  *result = static_cast<Value>(part(*reference));
  return CUDA_SUCCESS;
}

bool isDimension(int dimension) { return dimension >= 0 && dimension < 3; }

} // namespace

CUresult cuModuleGetTexRef(CUtexref *result, CUmodule module, const char *name) try {
  return find(result, module, name, false);
}
HET_CATCH

CUresult cuModuleGetSurfRef(CUsurfref *result, CUmodule module, const char *name) try {
  return find(result, module, name, true);
}
HET_CATCH

CUresult cuTexRefCreate(CUtexref *result) try {
  if (CUresult error = requireContext())
    return error;
  if (!result)
    return CUDA_ERROR_INVALID_VALUE;
  *result = reinterpret_cast<CUtexref>(new Reference);
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuTexRefDestroy(CUtexref reference) try {
  if (CUresult error = requireContext())
    return error;
  if (!reference || of(reference)->binding.variable) // a module's
    return CUDA_ERROR_INVALID_VALUE;
  delete of(reference);
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuTexRefSetArray(CUtexref reference, CUarray array, unsigned flags) try {
  if (!reference || !array || flags != CU_TRSA_OVERRIDE_FORMAT)
    return CUDA_ERROR_INVALID_VALUE;
  return through([&] {
    of(reference)->format = arrayOf(array)->format;
    return of(reference)->bindArray(array);
  });
}
HET_CATCH

CUresult cuSurfRefSetArray(CUsurfref reference, CUarray array, unsigned flags) try {
  if (!reference || flags)
    return CUDA_ERROR_INVALID_VALUE;
  return through([&] { return of(reference)->bindArray(array); });
}
HET_CATCH

CUresult cuTexRefSetAddress_v2(size_t *offset, CUtexref reference, CUdeviceptr address,
                               size_t size) try {
  return change(reference, address != 0, [&](Reference &r) {
    size_t before = 0;
    auto &linear = r.parts.resource.res.linear;
    r.parts.resource.resType = cudaResourceTypeLinear;
    linear.devPtr = pointerOf(address);
    alignMemory(linear.devPtr, before);
    linear.desc = r.format;
    linear.sizeInBytes = size + before;
    r.address = address;
    r.isBound = true;
    if (offset)
      *offset = before;
  });
}
HET_CATCH

CUresult cuTexRefSetAddress2D_v3(CUtexref reference, const CUDA_ARRAY_DESCRIPTOR *shape,
                                 CUdeviceptr address, size_t pitch) try {
  cudaChannelFormatDesc format = {};
  const bool isValid =
      shape && address && toRuntime(shape->Format, shape->NumChannels, format);
  return change(reference, isValid, [&](Reference &r) {
    r.parts.resource.resType = cudaResourceTypePitch2D;
    r.parts.resource.res.pitch2D = {pointerOf(address), format, shape->Width,
                                    shape->Height, pitch};
    r.format = format;
    r.address = address;
    r.isBound = true;
  });
}
HET_CATCH

CUresult cuTexRefSetFormat(CUtexref reference, CUarray_format wanted, int channels) try {
  cudaChannelFormatDesc format = {};
  const bool isValid = toRuntime(wanted, static_cast<unsigned>(channels), format);
  return change(reference, isValid, [&](Reference &r) {
    r.format = format;
    if (r.parts.resource.resType == cudaResourceTypeLinear)
      r.parts.resource.res.linear.desc = format;
  });
}
HET_CATCH

CUresult cuTexRefSetAddressMode(CUtexref reference, int dimension,
                                CUaddress_mode mode) try {
  return change(reference, isDimension(dimension) && mode <= CU_TR_ADDRESS_MODE_BORDER,
                [&](Reference &r) {
                  r.parts.texture.addressMode[dimension] =
                      static_cast<cudaTextureAddressMode>(mode);
                });
}
HET_CATCH

CUresult cuTexRefSetFilterMode(CUtexref reference, CUfilter_mode mode) try {
  return change(reference, mode <= CU_TR_FILTER_MODE_LINEAR, [&](Reference &r) {
    r.parts.texture.filterMode = static_cast<cudaTextureFilterMode>(mode);
  });
}
HET_CATCH

CUresult cuTexRefSetFlags(CUtexref reference, unsigned flags) try {
  return change(reference, true, [&](Reference &r) {
    r.flags = flags;
    setFlags(r.parts.texture, flags);
  });
}
HET_CATCH

CUresult cuTexRefGetAddress_v2(CUdeviceptr *result, CUtexref reference) try {
  return tell(result, of(reference), [](const Reference &r) { return r.address; });
}
HET_CATCH

static CUarray boundArray(const Reference &r) {
  const bool isArray = r.isBound && r.parts.resource.resType == cudaResourceTypeArray;
  return isArray ? handleOf(r.parts.resource.res.array.array) : nullptr;
}

CUresult cuTexRefGetArray(CUarray *result, CUtexref reference) try {
  return tell(result, of(reference), boundArray);
}
HET_CATCH

CUresult cuSurfRefGetArray(CUarray *result, CUsurfref reference) try {
  return tell(result, of(reference), boundArray);
}
HET_CATCH

CUresult cuTexRefGetAddressMode(CUaddress_mode *result, CUtexref reference,
                                int dimension) try {
  return tell(result, isDimension(dimension) ? of(reference) : nullptr,
              [&](const Reference &r) { return r.parts.texture.addressMode[dimension]; });
}
HET_CATCH

CUresult cuTexRefGetFilterMode(CUfilter_mode *result, CUtexref reference) try {
  return tell(result, of(reference),
              [](const Reference &r) { return r.parts.texture.filterMode; });
}
HET_CATCH

CUresult cuTexRefGetFlags(unsigned *result, CUtexref reference) try {
  return tell(result, of(reference), [](const Reference &r) { return r.flags; });
}
HET_CATCH

CUresult cuTexRefGetFormat(CUarray_format *format, int *channels,
                           CUtexref reference) try {
  if (!reference)
    return CUDA_ERROR_INVALID_VALUE;
  CUarray_format known;
  unsigned count;
  toDriver(of(reference)->format, known, count);
  if (channels)
    *channels = static_cast<int>(count);
  return tell(format, of(reference), [&](const Reference &) { return known; });
}
HET_CATCH

// Levels, borders.

CUresult cuTexRefSetMipmappedArray(CUtexref reference, CUmipmappedArray mipmap,
                                   unsigned flags) try {
  const bool isValid = mipmap && flags == CU_TRSA_OVERRIDE_FORMAT;
  return change(reference, isValid, [&](Reference &r) {
    auto *levels = reinterpret_cast<cudaMipmappedArray_t>(mipmap);
    r.format = levels->levels.front()->format;
    r.parts.resource.resType = cudaResourceTypeMipmappedArray;
    r.parts.resource.res.mipmap.mipmap = levels;
    r.isBound = true;
  });
}
HET_CATCH

CUresult cuTexRefSetMipmapFilterMode(CUtexref reference, CUfilter_mode mode) try {
  return change(reference, mode <= CU_TR_FILTER_MODE_LINEAR, [&](Reference &r) {
    r.parts.texture.mipmapFilterMode = static_cast<cudaTextureFilterMode>(mode);
  });
}
HET_CATCH

CUresult cuTexRefSetMipmapLevelBias(CUtexref reference, float bias) try {
  return change(reference, true,
                [&](Reference &r) { r.parts.texture.mipmapLevelBias = bias; });
}
HET_CATCH

CUresult cuTexRefSetMipmapLevelClamp(CUtexref reference, float least, float most) try {
  return change(reference, true, [&](Reference &r) {
    r.parts.texture.minMipmapLevelClamp = least;
    r.parts.texture.maxMipmapLevelClamp = most;
  });
}
HET_CATCH

CUresult cuTexRefSetMaxAnisotropy(CUtexref reference, unsigned most) try {
  return change(reference, true,
                [&](Reference &r) { r.parts.texture.maxAnisotropy = most; });
}
HET_CATCH

CUresult cuTexRefSetBorderColor(CUtexref reference, float *color) try {
  return change(reference, color, [&](Reference &r) {
    std::copy_n(color, 4, r.parts.texture.borderColor);
  });
}
HET_CATCH

CUresult cuTexRefGetMipmappedArray(CUmipmappedArray *result, CUtexref reference) try {
  const Reference *bound = of(reference);
  const bool isBound = bound && bound->isBound &&
                       bound->parts.resource.resType == cudaResourceTypeMipmappedArray;
  if (CUresult error = requireContext())
    return error;
  if (!result || !isBound)
    return CUDA_ERROR_INVALID_VALUE;
  *result = reinterpret_cast<CUmipmappedArray>(bound->parts.resource.res.mipmap.mipmap);
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuTexRefGetMipmapFilterMode(CUfilter_mode *result, CUtexref reference) try {
  return tell(result, of(reference),
              [](const Reference &r) { return r.parts.texture.mipmapFilterMode; });
}
HET_CATCH

CUresult cuTexRefGetMipmapLevelBias(float *result, CUtexref reference) try {
  return tell(result, of(reference),
              [](const Reference &r) { return r.parts.texture.mipmapLevelBias; });
}
HET_CATCH

CUresult cuTexRefGetMipmapLevelClamp(float *least, float *most, CUtexref reference) try {
  const CUresult error =
      tell(least, most ? of(reference) : nullptr,
           [](const Reference &r) { return r.parts.texture.minMipmapLevelClamp; });
  return error ? error : tell(most, of(reference), [](const Reference &r) {
    return r.parts.texture.maxMipmapLevelClamp;
  });
}
HET_CATCH

CUresult cuTexRefGetMaxAnisotropy(int *result, CUtexref reference) try {
  return tell(result, of(reference),
              [](const Reference &r) { return r.parts.texture.maxAnisotropy; });
}
HET_CATCH

CUresult cuTexRefGetBorderColor(float *color, CUtexref reference) try {
  if (CUresult error = requireContext())
    return error;
  if (!color || !reference)
    return CUDA_ERROR_INVALID_VALUE;
  std::copy_n(of(reference)->parts.texture.borderColor, 4, color);
  return CUDA_SUCCESS;
}
HET_CATCH

/// A launch has all references of its module.
CUresult cuParamSetTexRef(CUfunction function, int unit, CUtexref reference) try {
  if (CUresult error = requireContext())
    return error;
  return function && reference && unit == CU_PARAM_TR_DEFAULT ? CUDA_SUCCESS
                                                              : CUDA_ERROR_INVALID_VALUE;
}
HET_CATCH
