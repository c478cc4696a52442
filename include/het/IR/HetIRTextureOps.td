// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Textures that the device's own units sample.

#ifndef HET_IR_HETIRTEXTUREOPS_TD
#define HET_IR_HETIRTEXTUREOPS_TD

include "het/IR/HetIRBase.td"

def HetIR_TextureUnitsOp : HetIR_Op<"texture_units", [Pure]> {
  let summary = "can the device sample textures by itself";
  let description = [{
    Whether `hetir.texture_fetch` may be executed. The same for all threads. A target
    without texture units answers no when it lowers a kernel. Since 0.7.
  }];
  let results = (outs I1:$result);
  let assemblyFormat = "attr-dict";
}

def HetIR_TextureFetchOp : HetIR_Op<"texture_fetch", [MemoryEffects<[MemRead]>,
                                                      UniformityOpInterface]> {
  let summary = "sample a texture by the device's texture unit";
  let description = [{
    `texture` is the device's own handle of a texture. One integer is the number of an
    element of a line; two floats are the coordinates of a place in a plane. The result
    has the four channels, floats by their bits. What is written while the kernel runs may
    not be seen. Not defined where `hetir.texture_units` is false. Since 0.7.
  }];
  let arguments = (ins I64:$texture, Variadic<AnyTypeOf<[I32, F32]>>:$coordinates);
  let results = (outs FixedVectorOfLengthAndType<[4], [I32]>:$channels);
  let assemblyFormat = [{
    $texture `[` $coordinates `]` attr-dict `:` functional-type($coordinates, $channels)
  }];
  let extraClassDeclaration = HetIR_ResultLevel<"Divergent">.method;
  let hasVerifier = 1;
}

#endif // HET_IR_HETIRTEXTUREOPS_TD
