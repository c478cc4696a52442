// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of OpenGL's registry, under its names without their prefix.

#ifndef HET_RUNTIME_CUDA_GRAPHICS_OPENGLCONSTANTS_H
#define HET_RUNTIME_CUDA_GRAPHICS_OPENGLCONSTANTS_H

namespace het::cuda::gl {

enum : unsigned {
  version = 0x1F02,
  extensions = 0x1F03,
  numExtensions = 0x821D,
  contextProfileMask = 0x9126,
  contextCoreProfileBit = 0x1,
  scissorTest = 0x0C11,

  copyReadBuffer = 0x8F36,
  copyWriteBuffer = 0x8F37,
  bufferSize = 0x8764,
  bufferMapped = 0x88BC,
  bufferAccessFlags = 0x911F,
  streamDraw = 0x88E0,
  streamRead = 0x88E1,
  mapRead = 0x1,
  mapWrite = 0x2,
  mapPersistent = 0x40,

  pixelPackBuffer = 0x88EB,
  pixelUnpackBuffer = 0x88EC,
  pixelPackBufferBinding = 0x88ED,
  pixelUnpackBufferBinding = 0x88EF,
  unpackSwapBytes = 0x0CF0,
  unpackRowLength = 0x0CF2,
  unpackSkipRows = 0x0CF3,
  unpackSkipPixels = 0x0CF4,
  unpackAlignment = 0x0CF5,
  unpackSkipImages = 0x806D,
  unpackImageHeight = 0x806E,
  packSwapBytes = 0x0D00,
  packRowLength = 0x0D02,
  packSkipRows = 0x0D03,
  packSkipPixels = 0x0D04,
  packAlignment = 0x0D05,
  packSkipImages = 0x806B,
  packImageHeight = 0x806C,

  texture2D = 0x0DE1,
  texture3D = 0x806F,
  textureRectangle = 0x84F5,
  textureCubeMap = 0x8513,
  texture2DArray = 0x8C1A,
  renderbuffer = 0x8D41,
  textureTarget = 0x1006,
  textureWidth = 0x1000,
  textureHeight = 0x1001,
  textureDepth = 0x8071,
  textureRedSize = 0x805C, ///< Green, blue and alpha follow.
  textureRedType = 0x8C10,
  renderbufferWidth = 0x8D42,
  renderbufferHeight = 0x8D43,
  renderbufferRedSize = 0x8D50, ///< Likewise.
  renderbufferSamples = 0x8CAB,
  colorAttachment0 = 0x8CE0,
  attachmentColorEncoding = 0x8210,
  attachmentComponentType = 0x8211,
  linear = 0x2601,
  nearest = 0x2600,
  colorBufferBit = 0x4000,

  byte = 0x1400,
  unsignedByte = 0x1401,
  shortInt = 0x1402,
  unsignedShort = 0x1403,
  integer = 0x1404,
  unsignedInt = 0x1405,
  floating = 0x1406,
  halfFloat = 0x140B,
  unsignedNormalized = 0x8C17,
  red = 0x1903,
  rg = 0x8227,
  rgba = 0x1908,
  redInteger = 0x8D94,
  rgInteger = 0x8228,
  rgbaInteger = 0x8D99,
};

} // namespace het::cuda::gl

#endif // HET_RUNTIME_CUDA_GRAPHICS_OPENGLCONSTANTS_H
