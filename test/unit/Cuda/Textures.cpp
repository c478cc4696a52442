// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface objects: what is refused of their descriptors, and what they tell.

#include "Support.h"

#include <cuda.h>

namespace {

cudaChannelFormatDesc floats() {
  return cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
}

cudaResourceDesc linear(void *memory, size_t size) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = floats();
  resource.res.linear.sizeInBytes = size;
  return resource;
}

cudaResourceDesc pitched(void *memory, size_t width, size_t height, size_t pitch) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {memory, floats(), width, height, pitch};
  return resource;
}

cudaResourceDesc arrayed(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

/// The code for a texture of a resource, which is destroyed if there is one.
cudaError_t create(const cudaResourceDesc &resource, const cudaTextureDesc &texture = {},
                   const cudaResourceViewDesc *view = nullptr) {
  cudaTextureObject_t object = 7;
  const cudaError_t error = cudaCreateTextureObject(&object, &resource, &texture, view);
  (void)cudaGetLastError();
  EXPECT_EQ(error == cudaSuccess, object != 0);
  EXPECT_EQ(cudaDestroyTextureObject(object), cudaSuccess);
  return error;
}

struct Array {
  cudaArray_t array = nullptr;
  explicit Array(unsigned flags = 0, cudaExtent extent = {8, 8, 0}) {
    const cudaChannelFormatDesc format = floats();
    EXPECT_EQ(cudaMalloc3DArray(&array, &format, extent, flags), cudaSuccess);
  }
  ~Array() { EXPECT_EQ(cudaFreeArray(array), cudaSuccess); }
};

} // namespace

TEST(Textures, OverMemoryNeedMemory) {
  DeviceMemory<float> memory(64);
  char *const base = reinterpret_cast<char *>(static_cast<float *>(memory));
  float host[64];
  EXPECT_EQ(create(linear(base, 256)), cudaSuccess);
  EXPECT_EQ(create(linear(nullptr, 256)), cudaErrorInvalidValue);
  EXPECT_EQ(create(linear(base, 0)), cudaErrorInvalidValue);
  EXPECT_EQ(create(linear(base + 4, 128)), cudaErrorInvalidValue);
  EXPECT_EQ(create(linear(base, 1 << 20)), cudaSuccess); // which ends with its memory
  EXPECT_EQ(create(linear(base, size_t(1) << 40)), cudaErrorInvalidValue);
  EXPECT_EQ(create(linear(host, 256)), cudaErrorInvalidValue);
  EXPECT_EQ(create(pitched(base, 8, 8, 32)), cudaSuccess);
  EXPECT_EQ(create(pitched(base, 8, 9, 32)), cudaErrorInvalidValue);
  EXPECT_EQ(create(pitched(base, 9, 2, 32)), cudaErrorInvalidValue);
  EXPECT_EQ(create(pitched(base, 8, 4, 36)), cudaErrorInvalidValue);
  EXPECT_EQ(create(pitched(base, 8, 0, 32)), cudaErrorInvalidValue);
  EXPECT_EQ(create(pitched(base, 8, 70000, 32)), cudaErrorInvalidValue);
}

TEST(Textures, OverFreedMemoryAreRefused) {
  void *memory = nullptr;
  CUDA_OK(cudaMalloc(&memory, 4096));
  CUDA_OK(cudaFree(memory));
  EXPECT_EQ(create(linear(memory, 4096)), cudaErrorInvalidValue);
  cudaResourceDesc resource;
  {
    Array freed;
    resource = arrayed(freed.array);
    EXPECT_EQ(create(resource), cudaSuccess);
  }
  EXPECT_EQ(create(resource), cudaErrorInvalidResourceHandle);
}

TEST(Textures, HaveFormatsOfCuda) {
  DeviceMemory<float> memory(64);
  cudaResourceDesc resource = linear(memory, 192);
  resource.res.linear.desc = {32, 32, 32, 0, cudaChannelFormatKindFloat};
  EXPECT_EQ(create(resource), cudaErrorInvalidChannelDescriptor);
  resource.res.linear.desc = {8, 0, 0, 0, cudaChannelFormatKindFloat};
  EXPECT_EQ(create(resource), cudaErrorInvalidChannelDescriptor);
  resource.res.linear.desc = {16, 32, 0, 0, cudaChannelFormatKindUnsigned};
  EXPECT_EQ(create(resource), cudaErrorInvalidChannelDescriptor);
  resource.resType = static_cast<cudaResourceType>(9);
  EXPECT_EQ(create(resource), cudaErrorInvalidValue);
}

TEST(Textures, AreSampledInWaysOfCuda) {
  Array array;
  DeviceMemory<int> memory(64);
  cudaTextureDesc texture = {};
  texture.filterMode = static_cast<cudaTextureFilterMode>(2);
  EXPECT_EQ(create(arrayed(array.array), texture), cudaErrorInvalidValue);
  texture = {};
  texture.addressMode[2] = static_cast<cudaTextureAddressMode>(4);
  EXPECT_EQ(create(arrayed(array.array), texture), cudaErrorInvalidValue);
  texture = {};
  texture.filterMode = cudaFilterModeLinear;
  cudaResourceDesc integers = pitched(memory, 8, 8, 32);
  integers.res.pitch2D.desc.f = cudaChannelFormatKindSigned;
  EXPECT_EQ(create(integers, texture), cudaErrorInvalidFilterSetting);
  integers.res.pitch2D.desc = {16, 0, 0, 0, cudaChannelFormatKindSigned};
  EXPECT_EQ(create(integers, texture), cudaErrorInvalidFilterSetting);
  texture.readMode = cudaReadModeNormalizedFloat;
  EXPECT_EQ(create(integers, texture), cudaSuccess);
}

TEST(Textures, HaveViewsOfArrays) {
  Array array(cudaArrayLayered, {8, 8, 4});
  DeviceMemory<float> memory(64);
  cudaResourceViewDesc view = {};
  const auto viewed = [&] { return create(arrayed(array.array), {}, &view); };
  EXPECT_EQ(viewed(), cudaSuccess);
  EXPECT_EQ(create(linear(memory, 256), {}, &view), cudaErrorInvalidValue);
  view.format = cudaResViewFormatUnsignedChar4;
  EXPECT_EQ(viewed(), cudaSuccess);
  view.format = cudaResViewFormatFloat2;
  EXPECT_EQ(viewed(), cudaErrorInvalidValue);
  view.format = cudaResViewFormatUnsignedBlockCompressed1;
  EXPECT_EQ(viewed(), cudaErrorNotSupported);
  view.format = cudaResViewFormatNone;
  view.width = 9;
  EXPECT_EQ(viewed(), cudaErrorInvalidValue);
  view.width = 0;
  view.lastLayer = 4;
  EXPECT_EQ(viewed(), cudaErrorInvalidValue);
  view.firstLayer = 3;
  view.lastLayer = 2;
  EXPECT_EQ(viewed(), cudaErrorInvalidValue);
  view.firstLayer = view.lastLayer = 0;
  view.lastMipmapLevel = 1;
  EXPECT_EQ(viewed(), cudaErrorInvalidValue);
}

TEST(Textures, OfLevelsHaveNormalizedCoordinates) {
  const cudaChannelFormatDesc format = floats();
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  EXPECT_EQ(create(resource), cudaErrorInvalidValue);
  CUDA_OK(
      cudaMallocMipmappedArray(&resource.res.mipmap.mipmap, &format, {8, 8, 0}, 3, 0));
  cudaTextureDesc texture = {};
  EXPECT_EQ(create(resource, texture), cudaErrorInvalidValue);
  texture.normalizedCoords = 1;
  EXPECT_EQ(create(resource, texture), cudaSuccess);
  CUDA_OK(cudaFreeMipmappedArray(resource.res.mipmap.mipmap));
}

TEST(Textures, AndSurfacesAreNotEachOther) {
  Array array(cudaArraySurfaceLoadStore);
  const cudaResourceDesc resource = arrayed(array.array);
  const cudaTextureDesc texture = {};
  cudaTextureObject_t object = 0;
  cudaSurfaceObject_t surface = 0;
  cudaResourceDesc told = {};
  cudaTextureDesc sampled = {};
  CUDA_OK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  CUDA_OK(cudaCreateSurfaceObject(&surface, &resource));
  CUDA_OK(cudaGetTextureObjectResourceDesc(&told, object));
  EXPECT_EQ(told.res.array.array, array.array);
  CUDA_OK(cudaGetSurfaceObjectResourceDesc(&told, surface));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGetTextureObjectResourceDesc(&told, surface));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGetSurfaceObjectResourceDesc(&told, object));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGetTextureObjectTextureDesc(nullptr, object));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGetTextureObjectTextureDesc(&sampled, 12345));
  CUDA_FAILS(cudaErrorInvalidValue, cudaDestroyTextureObject(surface));
  CUDA_FAILS(cudaErrorInvalidValue, cudaDestroySurfaceObject(object));
  CUDA_OK(cudaDestroyTextureObject(object));
  CUDA_FAILS(cudaErrorInvalidValue, cudaDestroyTextureObject(object));
  CUDA_OK(cudaDestroySurfaceObject(surface));
  CUDA_OK(cudaDestroySurfaceObject(0));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaCreateTextureObject(&object, nullptr, &texture, nullptr));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaCreateTextureObject(nullptr, &resource, &texture, nullptr));
}

TEST(Surfaces, NeedArraysThatAllowThem) {
  Array array, allowed(cudaArraySurfaceLoadStore);
  DeviceMemory<float> memory(64);
  cudaSurfaceObject_t surface = 0;
  for (const cudaResourceDesc &resource :
       {arrayed(array.array), arrayed(nullptr), linear(memory, 256)})
    CUDA_FAILS(cudaErrorInvalidValue, cudaCreateSurfaceObject(&surface, &resource));
  const cudaResourceDesc resource = arrayed(allowed.array);
  CUDA_FAILS(cudaErrorInvalidValue, cudaCreateSurfaceObject(nullptr, &resource));
  CUDA_OK(cudaCreateSurfaceObject(&surface, &resource));
  CUDA_OK(cudaDestroySurfaceObject(surface));
}

TEST(Textures, OfResetDevicesAreShells) {
  DeviceMemory<float> memory(64);
  const cudaResourceDesc resource = linear(memory, 256);
  const cudaTextureDesc texture = {};
  cudaTextureObject_t object = 0;
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = floats();
  CUDA_OK(cudaMallocArray(&array, &format, 8, 8, 0));
  CUDA_OK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  CUDA_OK(cudaDeviceReset());
  CUDA_OK(cudaDestroyTextureObject(object));
  EXPECT_EQ(create(arrayed(array)), cudaErrorContextIsDestroyed);
  CUDA_FAILS(cudaErrorContextIsDestroyed, cudaFreeArray(array));
}

TEST(Textures, OfTheDriverHaveItsFlags) {
  DeviceMemory<float> memory(64);
  CUDA_RESOURCE_DESC resource = {}, told = {};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr =
      reinterpret_cast<CUdeviceptr>(static_cast<float *>(memory));
  resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT16;
  resource.res.linear.numChannels = 2;
  resource.res.linear.sizeInBytes = 256;
  CUDA_TEXTURE_DESC texture = {}, sampled = {};
  texture.flags = CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB;
  texture.filterMode = CU_TR_FILTER_MODE_LINEAR;
  CUtexObject object = 0;
  ASSERT_EQ(cuTexObjectCreate(&object, &resource, &texture, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuTexObjectGetTextureDesc(&sampled, object), CUDA_SUCCESS);
  EXPECT_EQ(sampled.flags, texture.flags);
  EXPECT_EQ(cuTexObjectGetResourceDesc(&told, object), CUDA_SUCCESS);
  EXPECT_EQ(told.res.linear.format, CU_AD_FORMAT_UNSIGNED_INT16);
  EXPECT_EQ(told.res.linear.numChannels, 2u);
  EXPECT_EQ(cuTexObjectDestroy(object), CUDA_SUCCESS);
  resource.flags = 1;
  EXPECT_EQ(cuTexObjectCreate(&object, &resource, &texture, nullptr),
            CUDA_ERROR_INVALID_VALUE);
  resource.flags = 0;
  resource.res.linear.numChannels = 3;
  EXPECT_EQ(cuTexObjectCreate(&object, &resource, &texture, nullptr),
            CUDA_ERROR_INVALID_VALUE);
}

TEST(Textures, OfTheDriverHaveLevelsAndSurfaces) {
  CUDA_OK(cudaFree(nullptr)); // makes a context current
  const CUDA_ARRAY3D_DESCRIPTOR shape = {
      8, 8, 0, CU_AD_FORMAT_HALF, 2, CUDA_ARRAY3D_SURFACE_LDST};
  CUmipmappedArray mipmap = nullptr;
  CUarray level = nullptr;
  CUDA_ARRAY_DESCRIPTOR found = {};
  ASSERT_EQ(cuMipmappedArrayCreate(&mipmap, &shape, 3), CUDA_SUCCESS);
  EXPECT_EQ(cuMipmappedArrayGetLevel(&level, mipmap, 3), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuMipmappedArrayGetLevel(&level, mipmap, 2), CUDA_SUCCESS);
  EXPECT_EQ(cuArrayGetDescriptor(&found, level), CUDA_SUCCESS);
  EXPECT_EQ(found.Width, 2u);
  EXPECT_EQ(found.Format, CU_AD_FORMAT_HALF);
  CUDA_RESOURCE_DESC resource = {}, told = {};
  resource.res.array.hArray = level;
  CUsurfObject surface = 0;
  EXPECT_EQ(cuSurfObjectCreate(&surface, &resource), CUDA_SUCCESS);
  EXPECT_EQ(cuSurfObjectGetResourceDesc(&told, surface), CUDA_SUCCESS);
  EXPECT_EQ(told.res.array.hArray, level);
  EXPECT_EQ(cuSurfObjectDestroy(surface), CUDA_SUCCESS);
  EXPECT_EQ(cuSurfObjectDestroy(surface), CUDA_ERROR_INVALID_VALUE);
  resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  resource.res.mipmap.hMipmappedArray = mipmap;
  EXPECT_EQ(cuSurfObjectCreate(&surface, &resource), CUDA_ERROR_INVALID_VALUE);
  CUDA_TEXTURE_DESC texture = {};
  texture.flags = CU_TRSF_NORMALIZED_COORDINATES;
  CUDA_RESOURCE_VIEW_DESC view = {}, viewed = {};
  view.lastMipmapLevel = 1;
  CUtexObject object = 0;
  EXPECT_EQ(cuTexObjectCreate(&object, &resource, &texture, &view), CUDA_SUCCESS);
  EXPECT_EQ(cuTexObjectGetResourceViewDesc(&viewed, object), CUDA_SUCCESS);
  EXPECT_EQ(viewed.lastMipmapLevel, 1u);
  EXPECT_EQ(cuTexObjectGetResourceDesc(&told, object), CUDA_SUCCESS);
  EXPECT_EQ(told.res.mipmap.hMipmappedArray, mipmap);
  EXPECT_EQ(cuTexObjectDestroy(object), CUDA_SUCCESS);
  EXPECT_EQ(cuMipmappedArrayDestroy(mipmap), CUDA_SUCCESS);
  EXPECT_EQ(cuMipmappedArrayDestroy(nullptr), CUDA_ERROR_INVALID_HANDLE);
}

namespace {

/// A module with a reference, and the object that the reference holds.
struct ReferenceTest : testing::Test {
  const het::Bytes package = makePackage();
  CUmodule module = nullptr;
  CUtexref reference = nullptr;
  CUdeviceptr variable = 0;

  void SetUp() override {
    CUDA_OK(cudaFree(nullptr)); // makes a context current
    ASSERT_EQ(cuModuleLoadData(&module, package.data()), CUDA_SUCCESS);
    ASSERT_EQ(cuModuleGetTexRef(&reference, module, "table"), CUDA_SUCCESS);
    ASSERT_EQ(cuModuleGetGlobal(&variable, nullptr, module, "table"), CUDA_SUCCESS);
  }
  cudaTextureObject_t bound() const {
    cudaTextureObject_t object = 0;
    EXPECT_EQ(cuMemcpyDtoH(&object, variable, sizeof(object)), CUDA_SUCCESS);
    return object;
  }
};

} // namespace

TEST_F(ReferenceTest, HoldsObjectsOverMemory) {
  CUtexref again = nullptr;
  EXPECT_EQ(cuModuleGetTexRef(&again, module, "table"), CUDA_SUCCESS);
  EXPECT_EQ(again, reference);
  EXPECT_EQ(cuModuleGetTexRef(&again, module, "counter"), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(cuModuleGetTexRef(&again, module, "nothing"), CUDA_ERROR_NOT_FOUND);
  DeviceMemory<float> memory(64);
  const auto address = reinterpret_cast<CUdeviceptr>(memory.pointer);
  size_t offset = 7;
  EXPECT_EQ(cuTexRefSetFormat(reference, CU_AD_FORMAT_UNSIGNED_INT8, 4), CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefSetAddress(&offset, reference, address + 16, 64), CUDA_SUCCESS);
  EXPECT_EQ(offset, 16u);
  cudaResourceDesc resource = {};
  CUDA_OK(cudaGetTextureObjectResourceDesc(&resource, bound()));
  EXPECT_EQ(resource.res.linear.devPtr, memory.pointer);
  EXPECT_EQ(resource.res.linear.sizeInBytes, 80u);
  EXPECT_EQ(resource.res.linear.desc.w, 8);
  EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
}

TEST_F(ReferenceTest, HoldsObjectsOverArrays) {
  Array array;
  const auto handle = reinterpret_cast<CUarray>(array.array);
  EXPECT_EQ(cuTexRefSetFlags(reference, CU_TRSF_READ_AS_INTEGER), CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefSetAddressMode(reference, 1, CU_TR_ADDRESS_MODE_MIRROR),
            CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefSetAddressMode(reference, 3, CU_TR_ADDRESS_MODE_MIRROR),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuTexRefSetArray(reference, handle, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuTexRefSetArray(reference, handle, CU_TRSA_OVERRIDE_FORMAT), CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefSetFilterMode(reference, CU_TR_FILTER_MODE_LINEAR), CUDA_SUCCESS);
  cudaTextureDesc texture = {};
  CUDA_OK(cudaGetTextureObjectTextureDesc(&texture, bound()));
  EXPECT_EQ(texture.filterMode, cudaFilterModeLinear);
  EXPECT_EQ(texture.readMode, cudaReadModeElementType);
  EXPECT_EQ(texture.addressMode[1], cudaAddressModeMirror);
  CUarray found = nullptr;
  CUarray_format format;
  int channels = 0;
  unsigned flags = 0;
  CUaddress_mode mode;
  EXPECT_EQ(cuTexRefGetArray(&found, reference), CUDA_SUCCESS);
  EXPECT_EQ(found, handle);
  EXPECT_EQ(cuTexRefGetFormat(&format, &channels, reference), CUDA_SUCCESS);
  EXPECT_EQ(format, CU_AD_FORMAT_FLOAT);
  EXPECT_EQ(channels, 1);
  EXPECT_EQ(cuTexRefGetFlags(&flags, reference), CUDA_SUCCESS);
  EXPECT_EQ(flags, unsigned(CU_TRSF_READ_AS_INTEGER));
  EXPECT_EQ(cuTexRefGetAddressMode(&mode, reference, 1), CUDA_SUCCESS);
  EXPECT_EQ(mode, CU_TR_ADDRESS_MODE_MIRROR);
  const cudaTextureObject_t last = bound();
  EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
  CUDA_FAILS(cudaErrorInvalidValue, cudaGetTextureObjectTextureDesc(&texture, last));
}

TEST_F(ReferenceTest, HoldsObjectsOverLevels) {
  const CUDA_ARRAY3D_DESCRIPTOR shape = {8, 8, 0, CU_AD_FORMAT_HALF, 2, 0};
  CUmipmappedArray mipmap = nullptr, found = nullptr;
  ASSERT_EQ(cuMipmappedArrayCreate(&mipmap, &shape, 3), CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefGetMipmappedArray(&found, reference), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuTexRefSetMipmappedArray(reference, mipmap, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuTexRefSetMipmappedArray(reference, nullptr, CU_TRSA_OVERRIDE_FORMAT),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuTexRefSetFlags(reference, CU_TRSF_NORMALIZED_COORDINATES), CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefSetMipmappedArray(reference, mipmap, CU_TRSA_OVERRIDE_FORMAT),
            CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefSetMipmapFilterMode(reference, CU_TR_FILTER_MODE_LINEAR),
            CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefSetMipmapLevelBias(reference, 0.5f), CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefSetMipmapLevelClamp(reference, 0.25f, 2), CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefSetMaxAnisotropy(reference, 4), CUDA_SUCCESS);
  float border[4] = {1, 2, 3, 4};
  EXPECT_EQ(cuTexRefSetBorderColor(reference, border), CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefSetBorderColor(reference, nullptr), CUDA_ERROR_INVALID_VALUE);
  cudaTextureDesc texture = {};
  CUDA_OK(cudaGetTextureObjectTextureDesc(&texture, bound()));
  EXPECT_EQ(texture.mipmapFilterMode, cudaFilterModeLinear);
  EXPECT_EQ(texture.mipmapLevelBias, 0.5f);
  EXPECT_EQ(texture.minMipmapLevelClamp, 0.25f);
  EXPECT_EQ(texture.maxMipmapLevelClamp, 2.0f);
  EXPECT_EQ(texture.borderColor[3], 4.0f);
  CUfilter_mode filter = CU_TR_FILTER_MODE_POINT;
  float bias = 0, least = 0, most = 0, told[4] = {};
  int anisotropy = 0;
  EXPECT_EQ(cuTexRefGetMipmappedArray(&found, reference), CUDA_SUCCESS);
  EXPECT_EQ(found, mipmap);
  EXPECT_EQ(cuTexRefGetMipmapFilterMode(&filter, reference), CUDA_SUCCESS);
  EXPECT_EQ(filter, CU_TR_FILTER_MODE_LINEAR);
  EXPECT_EQ(cuTexRefGetMipmapLevelBias(&bias, reference), CUDA_SUCCESS);
  EXPECT_EQ(bias, 0.5f);
  EXPECT_EQ(cuTexRefGetMipmapLevelClamp(&least, &most, reference), CUDA_SUCCESS);
  EXPECT_EQ(most - least, 1.75f);
  EXPECT_EQ(cuTexRefGetMaxAnisotropy(&anisotropy, reference), CUDA_SUCCESS);
  EXPECT_EQ(anisotropy, 4);
  EXPECT_EQ(cuTexRefGetBorderColor(told, reference), CUDA_SUCCESS);
  EXPECT_EQ(told[1], 2.0f);
  EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
  EXPECT_EQ(cuMipmappedArrayDestroy(mipmap), CUDA_SUCCESS);
}

TEST(TextureReferences, OfTheirOwnTellWhatTheyAreTold) {
  CUDA_OK(cudaFree(nullptr)); // makes a context current
  CUtexref reference = nullptr;
  ASSERT_EQ(cuTexRefCreate(&reference), CUDA_SUCCESS);
  CUDA_ARRAY_DESCRIPTOR shape = {8, 8, CU_AD_FORMAT_SIGNED_INT16, 2};
  CUdeviceptr address = 0;
  CUfilter_mode filter = CU_TR_FILTER_MODE_LINEAR;
  EXPECT_EQ(cuTexRefSetAddress2D(reference, &shape, 4096, 512), CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefGetAddress(&address, reference), CUDA_SUCCESS);
  EXPECT_EQ(address, 4096u);
  EXPECT_EQ(cuTexRefGetFilterMode(&filter, reference), CUDA_SUCCESS);
  EXPECT_EQ(filter, CU_TR_FILTER_MODE_POINT);
  EXPECT_EQ(cuTexRefSetAddress2D(reference, nullptr, 4096, 512),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuTexRefSetFormat(reference, CU_AD_FORMAT_FLOAT, 3),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuTexRefDestroy(reference), CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefDestroy(nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuParamSetTexRef(nullptr, CU_PARAM_TR_DEFAULT, nullptr),
            CUDA_ERROR_INVALID_VALUE);
}

TEST(SurfaceReferences, OfModulesHoldObjects) {
  const het::Bytes package = makePackage();
  CUmodule module = nullptr;
  CUsurfref reference = nullptr;
  CUarray found = nullptr;
  Array array, allowed(cudaArraySurfaceLoadStore);
  ASSERT_EQ(cuModuleLoadData(&module, package.data()), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleGetSurfRef(&reference, module, "table"), CUDA_SUCCESS);
  EXPECT_EQ(cuSurfRefSetArray(reference, reinterpret_cast<CUarray>(array.array), 0),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuSurfRefSetArray(reference, reinterpret_cast<CUarray>(allowed.array), 0),
            CUDA_SUCCESS);
  EXPECT_EQ(cuSurfRefGetArray(&found, reference), CUDA_SUCCESS);
  EXPECT_EQ(found, reinterpret_cast<CUarray>(allowed.array));
  EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
}
