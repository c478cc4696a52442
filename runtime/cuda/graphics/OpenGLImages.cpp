// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Textures and renderbuffers: which formats an array can have, and copies of levels. A
// renderbuffer, whose pixels no function takes, is copied from and to a texture.

#include "../Errors.h"
#include "OpenGL.h"
#include "OpenGLConstants.h"

#include <algorithm>
#include <string>

namespace het::cuda {

namespace {

/// Components that an array can have, and the sized formats with one, two and four.
struct Components {
  unsigned kind; ///< As OpenGL calls it.
  int bits;
  cudaChannelFormatKind arrayKind;
  unsigned type; ///< Of a transfer.
  unsigned storage[3];
};

constexpr cudaChannelFormatKind isSigned = cudaChannelFormatKindSigned;
constexpr cudaChannelFormatKind isUnsigned = cudaChannelFormatKindUnsigned;
constexpr cudaChannelFormatKind isFloat = cudaChannelFormatKindFloat;

constexpr Components known[] = {
    {gl::unsignedNormalized, 8, isUnsigned, gl::unsignedByte, {0x8229, 0x822B, 0x8058}},
    {gl::unsignedNormalized, 16, isUnsigned, gl::unsignedShort, {0x822A, 0x822C, 0x805B}},
    {gl::floating, 16, isFloat, gl::halfFloat, {0x822D, 0x822F, 0x881A}},
    {gl::floating, 32, isFloat, gl::floating, {0x822E, 0x8230, 0x8814}},
    {gl::integer, 8, isSigned, gl::byte, {0x8231, 0x8237, 0x8D8E}},
    {gl::integer, 16, isSigned, gl::shortInt, {0x8233, 0x8239, 0x8D88}},
    {gl::integer, 32, isSigned, gl::integer, {0x8235, 0x823B, 0x8D82}},
    {gl::unsignedInt, 8, isUnsigned, gl::unsignedByte, {0x8232, 0x8238, 0x8D7C}},
    {gl::unsignedInt, 16, isUnsigned, gl::unsignedShort, {0x8234, 0x823A, 0x8D76}},
    {gl::unsignedInt, 32, isUnsigned, gl::unsignedInt, {0x8236, 0x823C, 0x8D70}},
};

constexpr unsigned pixelFormats[2][3] = {
    {gl::red, gl::rg, gl::rgba}, {gl::redInteger, gl::rgInteger, gl::rgbaInteger}};

/// The layout of pixels whose components have these sizes; false if no array has it.
bool describe(const int (&bits)[4], unsigned kind, PixelLayout &layout) {
  size_t channels = 0;
  while (channels < 4 && bits[channels])
    ++channels;
  for (size_t index = 0; index < 4; ++index)
    if (bits[index] != (index < channels ? bits[0] : 0))
      return false;
  if (channels == 0 || channels == 3)
    return false;
  const size_t form = channels == 4 ? 2 : channels - 1;
  const bool isInteger = kind == gl::integer || kind == gl::unsignedInt;
  for (const Components &components : known)
    if (components.kind == kind && components.bits == bits[0]) {
      layout = {{bits[0], bits[1], bits[2], bits[3], components.arrayKind},
                pixelFormats[isInteger][form],
                components.type,
                components.storage[form]};
      return true;
    }
  return false;
}

cudaError_t refuse(const GLImage &image, const char *why) {
  return translate(
      invalid("OpenGL image " + std::to_string(image.name) + ": " + std::string(why)));
}

constexpr char noFormat[] = "no array has its format; one, two or four components of the "
                            "same 8, 16 or 32 bits are shared";

} // namespace

bool GLImage::isVolume() const { return target == gl::texture3D; }
bool GLImage::isCube() const { return target == gl::textureCubeMap; }

cudaExtent GLImage::extentOf(unsigned level) const {
  const auto part = [level](unsigned size) -> size_t {
    return std::max(size >> level, 1u);
  };
  return {part(width), part(height), isVolume() ? part(planes) : planes};
}

size_t GLImage::bytesOf(unsigned level) const {
  const cudaExtent extent = extentOf(level);
  const cudaChannelFormatDesc &f = layout.format;
  return extent.width * extent.height * std::max<size_t>(extent.depth, 1) *
         static_cast<size_t>(f.x + f.y + f.z + f.w) / 8;
}

/// Pixels are transferred without gaps, from and to the process's memory.
class OpenGL::PixelTransfer {
public:
  explicit PixelTransfer(const OpenGL &gl) : gl(gl) {
    for (size_t index = 0; index < std::size(names); ++index) {
      gl.glGetIntegerv(names[index], &before[index]);
      gl.glPixelStorei(names[index], isAlignment(names[index]) ? 1 : 0);
    }
    gl.glGetIntegerv(gl::pixelPackBufferBinding, &pack);
    gl.glGetIntegerv(gl::pixelUnpackBufferBinding, &unpack);
    gl.glBindBuffer(gl::pixelPackBuffer, 0);
    gl.glBindBuffer(gl::pixelUnpackBuffer, 0);
  }
  ~PixelTransfer() {
    for (size_t index = 0; index < std::size(names); ++index)
      gl.glPixelStorei(names[index], before[index]);
    gl.glBindBuffer(gl::pixelPackBuffer, static_cast<unsigned>(pack));
    gl.glBindBuffer(gl::pixelUnpackBuffer, static_cast<unsigned>(unpack));
  }
  PixelTransfer(const PixelTransfer &) = delete;
  PixelTransfer &operator=(const PixelTransfer &) = delete;

private:
  static constexpr unsigned names[] = {
      gl::packSwapBytes,    gl::packRowLength,    gl::packSkipRows,
      gl::packSkipPixels,   gl::packAlignment,    gl::packSkipImages,
      gl::packImageHeight,  gl::unpackSwapBytes,  gl::unpackRowLength,
      gl::unpackSkipRows,   gl::unpackSkipPixels, gl::unpackAlignment,
      gl::unpackSkipImages, gl::unpackImageHeight};
  static bool isAlignment(unsigned name) {
    return name == gl::packAlignment || name == gl::unpackAlignment;
  }

  const OpenGL &gl;
  int before[std::size(names)] = {};
  int pack = 0, unpack = 0;
};

GLObject OpenGL::makeTexture(const GLImage &like) const {
  unsigned name = 0;
  glCreateTextures(gl::texture2D, 1, &name);
  glTextureStorage2D(name, 1, like.layout.storage, static_cast<int>(like.width),
                     static_cast<int>(like.height));
  return {name, glDeleteTextures};
}

GLObject OpenGL::makeFramebuffer() const {
  unsigned name = 0;
  glCreateFramebuffers(1, &name);
  return {name, glDeleteFramebuffers};
}

cudaError_t OpenGL::find(unsigned name, unsigned target, GLImage &image) const {
  if (!hasImages)
    return translate(unsupported("sharing textures and renderbuffers with OpenGL, "
                                 "expected version 4.5 or later, or "
                                 "GL_ARB_direct_state_access"));
  image.name = name;
  image.target = target;
  switch (target) {
  case gl::renderbuffer:
    return findRenderbuffer(image);
  case gl::texture2D:
  case gl::textureRectangle:
  case gl::textureCubeMap:
  case gl::texture2DArray:
  case gl::texture3D:
    return findTexture(image);
  default:
    return refuse(image, "its target is none that is shared");
  }
}

/// Other profiles have no question for it that makes no error (Mesa).
bool OpenGL::hasTarget(const GLImage &image) const {
  int profile = 0, target = 0;
  glGetIntegerv(gl::contextProfileMask, &profile);
  if (!(static_cast<unsigned>(profile) & gl::contextCoreProfileBit))
    return true;
  glGetTextureParameteriv(image.name, gl::textureTarget, &target);
  return static_cast<unsigned>(target) == image.target;
}

cudaError_t OpenGL::findTexture(GLImage &image) const {
  if (!glIsTexture(image.name))
    return refuse(image, "the current context has no texture of that name");
  if (!hasTarget(image))
    return refuse(image, "it is a texture of another target");
  int width = 0, height = 0, depth = 0, kind = 0, bits[4] = {};
  glGetTextureLevelParameteriv(image.name, 0, gl::textureWidth, &width);
  glGetTextureLevelParameteriv(image.name, 0, gl::textureHeight, &height);
  glGetTextureLevelParameteriv(image.name, 0, gl::textureDepth, &depth);
  if (!width || !height)
    return refuse(image, "it has no pixels");
  for (unsigned channel = 0; channel < 4; ++channel)
    glGetTextureLevelParameteriv(image.name, 0, gl::textureRedSize + channel,
                                 &bits[channel]);
  glGetTextureLevelParameteriv(image.name, 0, gl::textureRedType, &kind);
  if (!describe(bits, static_cast<unsigned>(kind), image.layout))
    return refuse(image, noFormat);
  image.width = static_cast<unsigned>(width);
  image.height = static_cast<unsigned>(height);
  image.planes = image.isCube() ? 6
                 : image.isVolume() || image.target == gl::texture2DArray
                     ? static_cast<unsigned>(depth)
                     : 0;
  image.levels = image.target == gl::textureRectangle ? 1 : countLevels(image);
  return cudaSuccess;
}

/// Levels that there are, of half the size each.
unsigned OpenGL::countLevels(const GLImage &image) const {
  const unsigned longest =
      std::max({image.width, image.height, image.isVolume() ? image.planes : 0});
  unsigned level = 1;
  for (; longest >> level; ++level) {
    const cudaExtent extent = image.extentOf(level);
    int width = 0, height = 0;
    const int number = static_cast<int>(level);
    glGetTextureLevelParameteriv(image.name, number, gl::textureWidth, &width);
    glGetTextureLevelParameteriv(image.name, number, gl::textureHeight, &height);
    if (static_cast<size_t>(width) != extent.width ||
        static_cast<size_t>(height) != extent.height)
      break;
  }
  return level;
}

cudaError_t OpenGL::findRenderbuffer(GLImage &image) const {
  if (!glIsRenderbuffer(image.name))
    return refuse(image, "the current context has no renderbuffer of that name");
  int width = 0, height = 0, samples = 0, kind = 0, encoding = 0, bits[4] = {};
  glGetNamedRenderbufferParameteriv(image.name, gl::renderbufferWidth, &width);
  glGetNamedRenderbufferParameteriv(image.name, gl::renderbufferHeight, &height);
  glGetNamedRenderbufferParameteriv(image.name, gl::renderbufferSamples, &samples);
  if (!width || !height || samples)
    return refuse(image, samples ? "it has several samples" : "it has no pixels");
  for (unsigned channel = 0; channel < 4; ++channel)
    glGetNamedRenderbufferParameteriv(image.name, gl::renderbufferRedSize + channel,
                                      &bits[channel]);
  if (!bits[0])
    return refuse(image, noFormat);
  const GLObject framebuffer = makeFramebuffer();
  glNamedFramebufferRenderbuffer(framebuffer, gl::colorAttachment0, gl::renderbuffer,
                                 image.name);
  glGetNamedFramebufferAttachmentParameteriv(framebuffer, gl::colorAttachment0,
                                             gl::attachmentComponentType, &kind);
  glGetNamedFramebufferAttachmentParameteriv(framebuffer, gl::colorAttachment0,
                                             gl::attachmentColorEncoding, &encoding);
  if (encoding != gl::linear ||
      !describe(bits, static_cast<unsigned>(kind), image.layout))
    return refuse(image, noFormat);
  image.width = static_cast<unsigned>(width);
  image.height = static_cast<unsigned>(height);
  return cudaSuccess;
}

void OpenGL::blit(const GLImage &renderbuffer, unsigned texture, bool isRead) const {
  const GLObject its = makeFramebuffer(), own = makeFramebuffer();
  glNamedFramebufferRenderbuffer(its, gl::colorAttachment0, gl::renderbuffer,
                                 renderbuffer.name);
  glNamedFramebufferTexture(own, gl::colorAttachment0, texture, 0);
  const bool isCut = glIsEnabled(gl::scissorTest);
  if (isCut)
    glDisable(gl::scissorTest);
  const int width = static_cast<int>(renderbuffer.width),
            height = static_cast<int>(renderbuffer.height);
  glBlitNamedFramebuffer(isRead ? its : own, isRead ? own : its, 0, 0, width, height, 0,
                         0, width, height, gl::colorBufferBit, gl::nearest);
  if (isCut)
    glEnable(gl::scissorTest);
}

void OpenGL::read(const GLImage &image, unsigned level,
                  std::vector<char> &content) const {
  PixelTransfer transfer(*this);
  content.resize(image.bytesOf(level));
  const auto readTexture = [&](unsigned texture) {
    glGetTextureImage(texture, static_cast<int>(level), image.layout.pixels,
                      image.layout.type, static_cast<int>(content.size()),
                      content.data());
  };
  if (image.target != gl::renderbuffer)
    return readTexture(image.name);
  const GLObject copy = makeTexture(image);
  blit(image, copy, true);
  readTexture(copy);
}

void OpenGL::write(const GLImage &image, unsigned level,
                   const std::vector<char> &content) const {
  PixelTransfer transfer(*this);
  const cudaExtent extent = image.extentOf(level);
  const int number = static_cast<int>(level), width = static_cast<int>(extent.width),
            height = static_cast<int>(extent.height);
  const unsigned pixels = image.layout.pixels, type = image.layout.type;
  if (image.planes)
    return glTextureSubImage3D(image.name, number, 0, 0, 0, width, height,
                               static_cast<int>(extent.depth), pixels, type,
                               content.data());
  const auto writeTexture = [&](unsigned texture) {
    glTextureSubImage2D(texture, number, 0, 0, width, height, pixels, type,
                        content.data());
  };
  if (image.target != gl::renderbuffer)
    return writeTexture(image.name);
  const GLObject copy = makeTexture(image);
  writeTexture(copy);
  blit(image, copy, false);
}

} // namespace het::cuda
