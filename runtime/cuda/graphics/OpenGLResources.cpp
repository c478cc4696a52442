// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory and arrays of the device that stand for objects of OpenGL while these are
// mapped.

#include "OpenGLResources.h"
#include "../Arrays.h"
#include "../Context.h"
#include "../Copy.h"
#include "../Memory.h"
#include "OpenGL.h"

namespace het::cuda {

namespace {

class BufferResource : public cudaGraphicsResource {
public:
  BufferResource(Device &device, unsigned flags, unsigned buffer)
      : cudaGraphicsResource(device, flags), buffer(buffer) {}
  ~BufferResource() override { release(); }

  cudaError_t map(cudaStream_t stream) override {
    OpenGL gl;
    size_t now = 0;
    cudaError_t error = OpenGL::current(gl);
    if (!error)
      error = gl.sizeOf(buffer, now);
    if (!error)
      error = provide(now);
    if (error || !isRead())
      return error;
    return gl.read(buffer, size, [&](const void *content) {
      return copy(memory, content, cudaMemcpyHostToDevice, stream, Wait::No);
    });
  }

  cudaError_t unmap(cudaStream_t stream) override {
    if (!isWritten())
      return cudaSuccess;
    OpenGL gl;
    size_t now = 0;
    cudaError_t error = OpenGL::current(gl);
    if (!error)
      error = gl.sizeOf(buffer, now);
    if (error || now != size)
      return error ? error : cudaErrorUnmapBufferObjectFailed;
    return gl.write(buffer, size, [&](void *content) {
      return copy(content, memory, cudaMemcpyDeviceToHost, stream, Wait::Yes);
    });
  }

  cudaError_t pointer(void *&result, size_t &bytes) const override {
    result = memory;
    bytes = size;
    return cudaSuccess;
  }

private:
  cudaError_t copy(void *to, const void *from, cudaMemcpyKind kind, cudaStream_t stream,
                   Wait wait) const {
    CopyOperation operation;
    cudaError_t error = makeCopy(to, from, size, kind, operation);
    return error ? error : submitCopy(stream, operation, wait);
  }

  /// The program may have given the buffer another size.
  cudaError_t provide(size_t bytes) {
    if (memory && bytes == size)
      return cudaSuccess;
    release();
    cudaError_t error = allocate(device, &memory, bytes);
    size = error ? 0 : bytes;
    return error;
  }
  void release() {
    (void)freeDevice(memory);
    memory = nullptr;
  }

  const unsigned buffer;
  void *memory = nullptr;
  size_t size = 0;
};

class ImageResource : public cudaGraphicsResource {
public:
  ImageResource(Device &device, unsigned flags, const GLImage &image)
      : cudaGraphicsResource(device, flags & 3), image(image) {}
  ~ImageResource() override {
    forgetLevels(views);
    if (!levels.levels.empty())
      (void)freeLevels(levels.levels);
    forgetLevels(levels.levels); // also on a device that has faulted
  }

  cudaError_t makeArrays(unsigned registerFlags) {
    unsigned wanted = 0;
    if (registerFlags & cudaGraphicsRegisterFlagsSurfaceLoadStore)
      wanted |= cudaArraySurfaceLoadStore;
    if (registerFlags & cudaGraphicsRegisterFlagsTextureGather)
      wanted |= cudaArrayTextureGather;
    if (image.isCube())
      wanted |= cudaArrayCubemap;
    else if (image.planes && !image.isVolume())
      wanted |= cudaArrayLayered;
    if (cudaError_t error = allocateLevels(&image.layout.format, image.extentOf(0),
                                           wanted, image.levels, levels.levels))
      return error;
    for (const std::unique_ptr<cudaArray> &level : levels.levels)
      level->isLevel = true;
    if (image.planes && !image.isVolume())
      makeViews();
    return cudaSuccess;
  }

  cudaError_t map(cudaStream_t stream) override {
    OpenGL gl;
    cudaError_t error = findAgain(gl, cudaErrorMapBufferObjectFailed);
    std::vector<char> content;
    for (unsigned level = 0; !error && isRead() && level < image.levels; ++level) {
      gl.read(image, level, content);
      error = copy(level, content, cudaMemcpyHostToDevice, stream);
    }
    return error;
  }

  cudaError_t unmap(cudaStream_t stream) override {
    if (!isWritten())
      return cudaSuccess;
    OpenGL gl;
    cudaError_t error = findAgain(gl, cudaErrorUnmapBufferObjectFailed);
    std::vector<char> content;
    for (unsigned level = 0; !error && level < image.levels; ++level) {
      content.resize(image.bytesOf(level));
      error = copy(level, content, cudaMemcpyDeviceToHost, stream);
      if (!error)
        gl.write(image, level, content);
    }
    return error;
  }

  cudaError_t array(unsigned plane, unsigned level, cudaArray_t &result) const override {
    const unsigned planes = views.empty() ? 1 : image.planes;
    if (plane >= planes || level >= image.levels)
      return cudaErrorInvalidValue;
    result =
        views.empty() ? levels.levels[level].get() : views[level * planes + plane].get();
    return cudaSuccess;
  }

  cudaError_t mipmap(cudaMipmappedArray_t &result) override {
    result = &levels;
    return cudaSuccess;
  }

private:
  /// The object must still be what it was.
  cudaError_t findAgain(OpenGL &gl, cudaError_t otherwise) const {
    GLImage now;
    if (cudaError_t error = OpenGL::current(gl))
      return error;
    if (cudaError_t error = gl.find(image.name, image.target, now))
      return error;
    return now == image
               ? cudaSuccess
               : translate(invalid("an OpenGL image has another size or format than when "
                                   "it was registered"),
                           otherwise);
  }

  /// Waits for what it was given: the content is reused.
  cudaError_t copy(unsigned number, std::vector<char> &content, cudaMemcpyKind kind,
                   cudaStream_t stream) const {
    const cudaArray &level = *levels.levels[number];
    CopyOperation operation;
    operation.width = level.extent.width * level.elementSize;
    operation.height = level.rows();
    operation.depth = level.planes();
    operation.kind = kind;
    const Region host = {content.data(), operation.width,
                         operation.width * operation.height};
    const bool isUp = kind == cudaMemcpyHostToDevice;
    operation.to = isUp ? level.region : host;
    operation.from = isUp ? host : level.region;
    cudaError_t error = checkCopy(operation);
    return error ? error : submitCopy(stream, operation, isUp ? Wait::No : Wait::Yes);
  }

  /// Each layer or face of each level as an array of two dimensions.
  void makeViews() {
    std::lock_guard<std::mutex> lock(device.mutex);
    for (const std::unique_ptr<cudaArray> &level : levels.levels)
      for (unsigned plane = 0; plane < image.planes; ++plane) {
        auto view = std::make_unique<cudaArray>(*level);
        view->region = level->at(0, 0, plane);
        view->extent.depth = 0;
        view->flags &= ~unsigned(cudaArrayLayered | cudaArrayCubemap);
        device.arrays.insert(view.get());
        views.push_back(std::move(view));
      }
  }

  const GLImage image;
  cudaMipmappedArray levels;
  std::vector<std::unique_ptr<cudaArray>> views;
};

} // namespace

cudaError_t registerBuffer(unsigned buffer, unsigned flags,
                           cudaGraphicsResource_t &resource) {
  if (flags > cudaGraphicsRegisterFlagsWriteDiscard)
    return cudaErrorInvalidValue;
  Device *device = nullptr;
  OpenGL gl;
  size_t size = 0;
  if (cudaError_t error = useCurrentDevice(device))
    return error;
  if (cudaError_t error = OpenGL::current(gl))
    return error;
  if (cudaError_t error = gl.sizeOf(buffer, size))
    return error;
  resource = registerResource(std::make_unique<BufferResource>(*device, flags, buffer));
  return cudaSuccess;
}

cudaError_t registerImage(unsigned name, unsigned target, unsigned flags,
                          cudaGraphicsResource_t &resource) {
  if (flags > 15 || (flags & 3) == 3)
    return cudaErrorInvalidValue;
  Device *device = nullptr;
  OpenGL gl;
  GLImage image;
  if (cudaError_t error = useCurrentDevice(device))
    return error;
  if (cudaError_t error = OpenGL::current(gl))
    return error;
  if (cudaError_t error = gl.find(name, target, image))
    return error;
  auto made = std::make_unique<ImageResource>(*device, flags, image);
  if (cudaError_t error = made->makeArrays(flags))
    return error;
  resource = registerResource(std::move(made));
  return cudaSuccess;
}

} // namespace het::cuda
