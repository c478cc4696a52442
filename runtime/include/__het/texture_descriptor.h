// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a texture or surface object is: the address of this record in device memory. The
// runtime writes it, fetches read it (docs/design/textures.md).
//
// Programs have its layout compiled in: fields are only ever added, in place of reserved
// ones.

#ifndef HET_TEXTURE_DESCRIPTOR_H
#define HET_TEXTURE_DESCRIPTOR_H

// Elements of one level. A cube is six layers.
struct __het_texture_level {
  unsigned long long base;  // address of the first element
  unsigned long long pitch; // bytes from row to row
  unsigned long long plane; // bytes from slice to slice, and from layer to layer
  int size[3];              // elements: of a row, rows, slices or layers; at least 1
  int reserved;
};

enum {
  __het_texture_normalized = 1,    // coordinates are parts of the size
  __het_texture_linear = 2,        // elements are filtered
  __het_texture_linear_mip = 4,    // so are levels
  __het_texture_converts = 8,      // what is read is not the element's own bits
  __het_texture_seamless_cube = 16 // a cube's edges are filtered across faces
};

struct __het_texture {
  int bits;     // of a channel: 8, 16 or 32
  int channels; // 1, 2 or 4
  int kind;     // cudaChannelFormatKind
  int flags;
  int address_mode[3]; // cudaTextureAddressMode, as it takes effect
  int levels;
  unsigned border[4];          // as it is read
  float bias, lowest, highest; // of the level
  int reserved;
  unsigned long long line_unit;        // the device's own handle: of elements by number
  unsigned long long srgb;             // address of 256 floats; 0: elements are linear
  unsigned long long plane_unit;       // likewise: of places in a line or plane; 0: none
  struct __het_texture_level level[1]; // as many as there are levels
};

#endif // HET_TEXTURE_DESCRIPTOR_H
