// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenGL of the calling thread's current context. Nothing here links with it: the
// functions are those of libraries that the process has loaded, and none is loaded for
// it. What a call changes of the context's state it puts back.

#ifndef HET_RUNTIME_CUDA_GRAPHICS_OPENGL_H
#define HET_RUNTIME_CUDA_GRAPHICS_OPENGL_H

#include "../Api.h"

#include <functional>
#include <vector>

namespace het::cuda {

/// Pixels of an image as OpenGL transfers them, and the array that holds the same.
struct PixelLayout {
  cudaChannelFormatDesc format = {};
  unsigned pixels = 0;  ///< The format of a transfer, such as GL_RGBA.
  unsigned type = 0;    ///< The type of its components.
  unsigned storage = 0; ///< A sized format with the same bits.

  bool operator==(const PixelLayout &other) const { return storage == other.storage; }
};

/// A texture or renderbuffer.
struct GLImage {
  unsigned name = 0, target = 0;
  PixelLayout layout;
  unsigned width = 0, height = 0;
  unsigned planes = 0; ///< Layers, faces or slices; 0: it has two dimensions.
  unsigned levels = 1;

  bool isVolume() const;
  bool isCube() const;
  cudaExtent extentOf(unsigned level) const;
  size_t bytesOf(unsigned level) const; ///< Without gaps between rows and planes.

  bool operator==(const GLImage &other) const {
    return layout == other.layout && width == other.width && height == other.height &&
           planes == other.planes && levels == other.levels;
  }
};

/// An object of the runtime's own in the program's context.
class GLObject {
public:
  using Destroy = void (*)(int, const unsigned *);
  GLObject(unsigned name, Destroy destroy) : name(name), destroy(destroy) {}
  ~GLObject() { destroy(1, &name); }
  GLObject(const GLObject &) = delete;
  GLObject &operator=(const GLObject &) = delete;
  operator unsigned() const { return name; }

private:
  const unsigned name;
  const Destroy destroy;
};

class OpenGL {
public:
  /// cudaErrorOperatingSystem without a library, cudaErrorInvalidGraphicsContext without
  /// a context, cudaErrorNotSupported where it is too old.
  static cudaError_t current(OpenGL &result);

  cudaError_t sizeOf(unsigned buffer, size_t &size) const;
  using Read = std::function<cudaError_t(const void *content)>;
  using Write = std::function<cudaError_t(void *content)>;
  /// Shows the content of a buffer, or takes a new one.
  cudaError_t read(unsigned buffer, size_t size, const Read &use) const;
  cudaError_t write(unsigned buffer, size_t size, const Write &fill) const;

  /// Finds a texture or renderbuffer. Not supported before OpenGL 4.5.
  cudaError_t find(unsigned name, unsigned target, GLImage &image) const;
  void read(const GLImage &image, unsigned level, std::vector<char> &content) const;
  void write(const GLImage &image, unsigned level,
             const std::vector<char> &content) const;

private:
  class Binding;
  class PixelTransfer;

  GLObject makeBuffer() const;
  GLObject makeTexture(const GLImage &like) const;
  GLObject makeFramebuffer() const;
  bool hasExtension(const char *name) const;
  bool hasTarget(const GLImage &image) const;
  cudaError_t findTexture(GLImage &image) const;
  cudaError_t findRenderbuffer(GLImage &image) const;
  unsigned countLevels(const GLImage &image) const;
  void blit(const GLImage &renderbuffer, unsigned texture, bool isRead) const;

  bool hasImages = false;
#define HET_GL_BUFFER(result, name, parameters) result(*name) parameters = nullptr;
#define HET_GL_IMAGE(result, name, parameters) result(*name) parameters = nullptr;
#include "OpenGLFunctions.def"
};

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_GRAPHICS_OPENGL_H
