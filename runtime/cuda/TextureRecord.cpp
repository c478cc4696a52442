// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the descriptors of CUDA to the record that fetches read.

#include "Arrays.h"
#include "Context.h"
#include "Errors.h"
#include "Memory.h"
#include "Textures.h"

#include "__het/texture_descriptor.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace het::cuda {

namespace {

/// What cudaMalloc's results are aligned to, offsets by the device's textureAlignment
/// too.
constexpr uint64_t leastTextureAlignment = 256;

using Level = __het_texture_level;

/// The levels that a record is about, and the format of their elements.
struct Source {
  static constexpr unsigned most = 18; ///< For rows of 131,072 elements.

  cudaChannelFormatDesc format = {};
  Level levels[most];
  unsigned count = 0;
  bool isCube = false;
};

uint64_t numberOf(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

Level levelOf(const cudaArray &array) {
  return {numberOf(array.region.base),
          array.region.pitch,
          array.region.plane,
          {static_cast<int>(array.extent.width), static_cast<int>(array.rows()),
           static_cast<int>(array.planes())},
          0};
}

/// Whether a handle is that of an array, on any device, and not one that was freed.
bool isArray(cudaArray_const_t array) {
  for (int ordinal = 0; ordinal < deviceCount(); ++ordinal) {
    Device &device = *deviceAt(ordinal);
    std::lock_guard<std::mutex> lock(device.mutex);
    if (device.arrays.count(const_cast<cudaArray_t>(array)))
      return true;
  }
  return false;
}

/// Adds a level, all of which are of one allocation.
cudaError_t addLevel(Source &source, cudaArray_const_t array) {
  if (!isArray(array))
    return cudaErrorInvalidResourceHandle;
  if (!array->isAlive() || source.count == Source::most)
    return cudaErrorContextIsDestroyed;
  source.levels[source.count++] = levelOf(*array);
  source.format = array->format;
  source.isCube = array->flags & cudaArrayCubemap;
  return cudaSuccess;
}

/// Bytes from a place to the end of its memory, which is the device's, or the host's
/// where the device reaches it; 0 for other places.
size_t roomAt(const void *pointer) {
  const MemoryRange range = findMemory(pointer);
  const size_t offset =
      static_cast<size_t>(static_cast<const char *>(pointer) - range.base);
  return range.kind == MemoryKind::Unknown ? 0 : range.size - offset;
}

cudaError_t addMemory(Source &source, const void *pointer,
                      const cudaChannelFormatDesc &format, size_t width, size_t height,
                      size_t pitch) {
  const size_t element = elementSizeOf(format);
  if (!pointer || numberOf(pointer) % leastTextureAlignment || !width || !height ||
      width * element > pitch || (height - 1) * pitch + width * element > roomAt(pointer))
    return cudaErrorInvalidValue;
  source.format = format;
  source.levels[source.count++] = {numberOf(pointer),
                                   pitch,
                                   pitch * height,
                                   {static_cast<int>(width), static_cast<int>(height), 1},
                                   0};
  return cudaSuccess;
}

cudaError_t addResource(Source &source, const cudaResourceDesc &resource,
                        const cudaDeviceProp &p) {
  switch (resource.resType) {
  case cudaResourceTypeArray: {
    cudaArray_const_t array = resource.res.array.array;
    return array ? addLevel(source, array) : cudaErrorInvalidValue;
  }
  case cudaResourceTypeMipmappedArray: {
    if (!resource.res.mipmap.mipmap)
      return cudaErrorInvalidValue;
    for (const auto &level : resource.res.mipmap.mipmap->levels)
      if (cudaError_t error = addLevel(source, level.get()))
        return error;
    return cudaSuccess;
  }
  case cudaResourceTypeLinear: {
    const auto &linear = resource.res.linear;
    const size_t element = elementSizeOf(linear.desc);
    if (!element)
      return cudaErrorInvalidChannelDescriptor;
    if (linear.sizeInBytes / element > static_cast<size_t>(p.maxTexture1DLinear))
      return cudaErrorInvalidValue;
    // It may be said to be longer than its memory, which ends it then.
    const size_t width = std::min(linear.sizeInBytes, roomAt(linear.devPtr)) / element;
    return addMemory(source, linear.devPtr, linear.desc, width, 1, width * element);
  }
  case cudaResourceTypePitch2D: {
    const auto &pitched = resource.res.pitch2D;
    if (!elementSizeOf(pitched.desc))
      return cudaErrorInvalidChannelDescriptor;
    if (pitched.width > static_cast<size_t>(p.maxTexture2DLinear[0]) ||
        pitched.height > static_cast<size_t>(p.maxTexture2DLinear[1]) ||
        pitched.pitchInBytes > static_cast<size_t>(p.maxTexture2DLinear[2]) ||
        pitched.pitchInBytes % p.texturePitchAlignment)
      return cudaErrorInvalidValue;
    return addMemory(source, pitched.devPtr, pitched.desc, pitched.width, pitched.height,
                     pitched.pitchInBytes);
  }
  }
  return cudaErrorInvalidValue;
}

/// The format that a view gives to elements of the same size. False if it is none, or of
/// compressed blocks.
bool formatOf(cudaResourceViewFormat view, cudaChannelFormatDesc &format) {
  static constexpr struct {
    int bits;
    cudaChannelFormatKind kind;
  } groups[] = {{8, cudaChannelFormatKindUnsigned},  {8, cudaChannelFormatKindSigned},
                {16, cudaChannelFormatKindUnsigned}, {16, cudaChannelFormatKindSigned},
                {32, cudaChannelFormatKindUnsigned}, {32, cudaChannelFormatKindSigned},
                {16, cudaChannelFormatKindFloat},    {32, cudaChannelFormatKindFloat}};
  const unsigned number = static_cast<unsigned>(view) - 1;
  if (number >= 3 * std::size(groups))
    return false;
  const int bits = groups[number / 3].bits, channels = 1 << number % 3;
  format = {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0,
            channels > 2 ? bits : 0, groups[number / 3].kind};
  return true;
}

cudaError_t applyView(Source &source, const cudaResourceViewDesc &view) {
  Level &first = source.levels[0];
  if (view.format >= cudaResViewFormatUnsignedBlockCompressed1 &&
      view.format <= cudaResViewFormatUnsignedBlockCompressed7)
    HET_NOT_SUPPORTED("a view of compressed blocks");
  const size_t element = elementSizeOf(source.format);
  if (view.format &&
      (!formatOf(view.format, source.format) || elementSizeOf(source.format) != element))
    return cudaErrorInvalidValue;
  const auto isOther = [](size_t wanted, int size) {
    return wanted && wanted != static_cast<size_t>(size);
  };
  const unsigned planes = static_cast<unsigned>(first.size[2]);
  if (isOther(view.width, first.size[0]) || isOther(view.height, first.size[1]) ||
      view.firstMipmapLevel > view.lastMipmapLevel ||
      view.lastMipmapLevel >= source.count || view.firstLayer > view.lastLayer ||
      view.lastLayer >= planes)
    return cudaErrorInvalidValue;
  std::copy(source.levels + view.firstMipmapLevel,
            source.levels + view.lastMipmapLevel + 1, source.levels);
  source.count = view.lastMipmapLevel - view.firstMipmapLevel + 1;
  for (unsigned i = 0; view.lastLayer && i < source.count; ++i) { // 0: all layers
    Level &level = source.levels[i];
    level.base += view.firstLayer * level.plane;
    level.size[2] = static_cast<int>(view.lastLayer - view.firstLayer + 1);
  }
  return cudaSuccess;
}

/// A record with its levels, and `more` bytes behind them.
__het_texture &begin(Bytes &record, const Source &source, size_t more) {
  const size_t levels = source.count * sizeof(Level);
  record.assign(offsetof(__het_texture, level) + levels + more, 0);
  auto &result = *reinterpret_cast<__het_texture *>(record.data());
  result.bits = source.format.x;
  result.channels = !source.format.y ? 1 : !source.format.z ? 2 : 4;
  result.kind = source.format.f;
  result.levels = static_cast<int>(source.count);
  std::memcpy(&result.level, source.levels, levels);
  return result;
}

/// sRGB's curve, for the 256 numbers of a channel.
void writeCurve(float *values) {
  for (int i = 0; i < 256; ++i) {
    const double c = i / 255.0;
    values[i] =
        static_cast<float>(c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
  }
}

uint32_t borderWord(float color, bool readsFloats) {
  uint32_t word;
  std::memcpy(&word, &color, sizeof(word));
  if (readsFloats)
    return word;
  return static_cast<uint32_t>(
      static_cast<int64_t>(std::clamp(color, -2147483648.0f, 4294967040.0f)));
}

bool isValid(const cudaTextureDesc &texture) {
  const auto isMode = [](cudaTextureAddressMode mode) {
    return static_cast<unsigned>(mode) <= cudaAddressModeBorder;
  };
  return std::all_of(texture.addressMode, texture.addressMode + 3, isMode) &&
         static_cast<unsigned>(texture.filterMode) <= cudaFilterModeLinear &&
         static_cast<unsigned>(texture.readMode) <= cudaReadModeNormalizedFloat &&
         static_cast<unsigned>(texture.mipmapFilterMode) <= cudaFilterModeLinear;
}

/// Sets how the texture is sampled.
void setSampling(__het_texture &record, const cudaTextureDesc &texture, bool isCube,
                 bool converts, bool isLinear) {
  const bool isNormalized = texture.normalizedCoords || isCube;
  record.flags = (isNormalized ? __het_texture_normalized : 0) |
                 (isLinear ? __het_texture_linear : 0) |
                 (texture.mipmapFilterMode ? __het_texture_linear_mip : 0) |
                 (converts ? __het_texture_converts : 0) |
                 (texture.seamlessCubemap ? __het_texture_seamless_cube : 0);
  for (int i = 0; i < 3; ++i) {
    const cudaTextureAddressMode mode = texture.addressMode[i];
    const bool isPeriodic = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
    record.address_mode[i] =
        isCube || (isPeriodic && !isNormalized) ? cudaAddressModeClamp : mode;
  }
  for (int i = 0; i < 4; ++i)
    record.border[i] = borderWord(texture.borderColor[i],
                                  converts || record.kind == cudaChannelFormatKindFloat);
  record.bias = texture.mipmapLevelBias;
  record.lowest = texture.minMipmapLevelClamp;
  record.highest = texture.maxMipmapLevelClamp;
}

} // namespace

cudaError_t makeRecord(const TextureParts &parts, const Device &device, Bytes &record) {
  const cudaTextureDesc &texture = parts.texture;
  const cudaResourceType type = parts.resource.resType;
  if (!isValid(texture))
    return cudaErrorInvalidValue;
  Source source;
  if (cudaError_t error = addResource(source, parts.resource, device.properties))
    return error;
  const bool hasArray =
      type == cudaResourceTypeArray || type == cudaResourceTypeMipmappedArray;
  if ((parts.hasView && !hasArray) ||
      (type == cudaResourceTypeMipmappedArray && !texture.normalizedCoords))
    return cudaErrorInvalidValue;
  if (parts.hasView)
    if (cudaError_t error = applyView(source, parts.view))
      return error;
  const cudaChannelFormatDesc &format = source.format;
  const bool isFloat = format.f == cudaChannelFormatKindFloat;
  const bool isNormalized =
      !isFloat && format.x < 32 && texture.readMode == cudaReadModeNormalizedFloat;
  const bool isLinear =
      texture.filterMode == cudaFilterModeLinear && type != cudaResourceTypeLinear;
  if (isLinear && !isFloat && !isNormalized)
    return cudaErrorInvalidFilterSetting;
  const bool hasCurve = texture.sRGB && isNormalized && format.x == 8 &&
                        format.f == cudaChannelFormatKindUnsigned;
  __het_texture &made = begin(record, source, hasCurve ? 256 * sizeof(float) : 0);
  setSampling(made, texture, source.isCube, isNormalized || (isFloat && format.x == 16),
              isLinear);
  if (hasCurve) {
    made.srgb = record.size() - 256 * sizeof(float);
    writeCurve(reinterpret_cast<float *>(record.data() + made.srgb));
  }
  return cudaSuccess;
}

cudaError_t makeSurfaceRecord(const cudaResourceDesc &resource, Bytes &record) {
  if (resource.resType != cudaResourceTypeArray)
    return cudaErrorInvalidValue;
  cudaArray_const_t array = resource.res.array.array;
  Source source;
  if (!array)
    return cudaErrorInvalidValue;
  if (cudaError_t error = addLevel(source, array))
    return error;
  if (!(array->flags & cudaArraySurfaceLoadStore))
    return cudaErrorInvalidValue;
  begin(record, source, 0);
  return cudaSuccess;
}

void placeRecord(Bytes &record, uint64_t place) {
  auto &header = *reinterpret_cast<__het_texture *>(record.data());
  if (header.srgb)
    header.srgb += place;
}

} // namespace het::cuda
