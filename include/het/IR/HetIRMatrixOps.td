// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations by which a team computes with small matrices whose elements lie in its
// lanes' registers. What elements a lane holds is part of what they mean. The distribution
// is that of NVIDIA's PTX ISA, "Warp-level matrix instructions".

#ifndef HET_IR_HETIRMATRIXOPS_TD
#define HET_IR_HETIRMATRIXOPS_TD

include "het/IR/HetIRBase.td"

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

def HetIR_MatrixMultiplyOp : HetIR_MaskedTeamOp<"matrix_multiply"> {
  let summary = "multiply two matrices and add a third";
  let description = [{
    D = A B + C, where A has m rows and k columns, B k rows and n columns, C and D m rows
    and n columns. Since 0.6. Takes part: all lanes of the team, which must be complete;
    `mask` names them all. What happens otherwise is not defined.

    `aType` and `bType` are both floating point (`f16`, `bf16`, `tf32` or `f64`, the same
    of both), both of 8 bits (`s8`, `u8`), of 4 bits (`s4`, `u4`), `b1`, or both `e4m3`
    or `e5m2` of FP8. `cType` and `dType` are `f32`, and `f16` if A's elements are `f16`
    or FP8; `f64` if A's are; `s32` of integers and `b1`. The shapes are those of
    `include/het/DeviceABI/MatrixForms.def`.

    **Distribution.** Registers are i32, but i64 where elements are `f64`; a register
    holds p elements, the first in its lowest bits (`tf32` and `f32`: a whole i32, of
    which `tf32` has the upper 19 bits). Let g be lane / 4, t be lane modulo 4, and i the
    element's place in its register. Lane l holds

    - of A, in register r: row g + 8 (r mod h), column 4p ⌊r / h⌋ + p t + i, where h = m / 8;
    - of B, in register r: row 4p r + p t + i, column g;
    - of C and D, as element e of m n / 32, counted over the registers: row
      g + 8 ⌊e / 2⌋, column 2 t + (e mod 2).

    `registers` are those of A, then B, then C.

    **Arithmetic.** `multiply` of integers: the exact sum, modulo 2^32; with `saturate`
    cut off at the least and greatest `s32`. `xor_count` and `and_count` of `b1`: C plus
    the number of places where row and column differ, or both are 1.
    `multiply` of floating point: beginning with C's element, for k = 0, 1, …: sum =
    fma(A's element, B's element, sum), rounded to nearest even, in `f64` if elements are
    that, else in `f32`; then rounded to `dType` once. Subnormal numbers count. The bits of
    `tf32` below the upper 19 are taken for zero. A result that is not a number is
    0x7FFFFFFF, of `f16` 0x7FFF, of `f64` 0x7FF8000000000000.

    A target with an instruction of its own for floating point may add in another order,
    and round or cut off sums in between as that instruction does. Where all products and
    all sums of them are exact in any order, results are the same on every target.
  }];
  let arguments = (ins HetIR_MatrixKindAttr:$kind, I32Attr:$m, I32Attr:$n, I32Attr:$k,
                       HetIR_MatrixTypeAttr:$aType, HetIR_MatrixTypeAttr:$bType,
                       HetIR_MatrixTypeAttr:$cType, HetIR_MatrixTypeAttr:$dType,
                       UnitAttr:$saturate, I32:$mask,
                       Variadic<AnyTypeOf<[I32, I64]>>:$registers);
  let results = (outs Variadic<AnyTypeOf<[I32, I64]>>:$d);
  let assemblyFormat = [{
    $kind $m `x` $n `x` $k $aType `,` $bType `,` $cType `->` $dType
    (`saturate` $saturate^)? `,` $mask `(` $registers `)` attr-dict
    `:` functional-type($registers, $d)
  }];
  let hasVerifier = 1;
}

def HetIR_MatrixLoadOp : HetIR_SyncPointOp<"matrix_load", "Team", [
    MemoryEffects<[MemRead, MemWrite<HetIR_Convergence>]>]> {
  let summary = "load matrices of 8 rows of 16 bytes";
  let description = [{
    As many matrices of 8 by 8 elements of 16 bits as there are results: 1, 2 or 4. Since
    0.6. Takes part: as in `hetir.matrix_multiply`. Row r of matrix j begins at the
    `address` that lane 8 j + r gives, which is aligned to 16 bytes and leads to shared
    memory; addresses of other lanes do not count. With g = lane / 4 and t = lane modulo 4,
    result j of a lane has in its lower half the element of row g and column 2 t of matrix
    j, in its upper half that of column 2 t + 1; `transposed`: those of rows 2 t and 2 t +
    1 of column g.
  }];
  let arguments = (ins UnitAttr:$transposed, I32:$mask, LLVM_AnyPointer:$address);
  let results = (outs Variadic<I32>:$matrices);
  let assemblyFormat = [{
    (`transposed` $transposed^)? $mask `,` $address attr-dict
    `:` functional-type($address, $matrices)
  }];
  let extraClassDeclaration = scopeMethod # [{
    ::mlir::Value getTeamMask() { return getMask(); }
  }];
  let hasVerifier = 1;
}

def HetIR_MatrixLoadRowsOp : HetIR_Op<"matrix_load_rows", [
    MemoryEffects<[MemRead, MemWrite<HetIR_Convergence>]>, UniformityOpInterface]> {
  let summary = "load matrices whose rows lie at equal distances";
  let description = [{
    As many matrices of 8 rows of 16 bytes as there are results, beside and below each
    other in a larger one: matrix j has rows 8 ⌊j / depth⌋ to 8 ⌊j / depth⌋ + 7 and of
    each the 16 bytes from 16 (j mod depth) on. `downwards`: they are counted down first,
    so that of the `height` below each other (the results over `depth`) matrix j has rows
    from 8 (j mod height) on and bytes from 16 ⌊j / height⌋ on; since 0.7. Row r begins
    `stride` r bytes behind `address`. Since 0.6. With g = lane / 4 and t = lane modulo 4, result j of a lane has
    the bytes from 4 t on of row g of matrix j. `transposed`: elements have 16 bits, and
    the larger matrix lies in memory by columns, of which one begins `stride` bytes behind
    the one before.

    Takes part: all lanes of the team, with the same address and stride, which are
    multiples of 16 bytes; but nobody waits: each lane may load what it gets by itself.
  }];
  let arguments = (ins UnitAttr:$transposed, UnitAttr:$downwards,
                       ConfinedAttr<I32Attr, [IntPositive]>:$depth,
                       LLVM_AnyPointer:$address, I64:$stride);
  let results = (outs Variadic<I32>:$matrices);
  let assemblyFormat = [{
    (`transposed` $transposed^)? (`downwards` $downwards^)? `depth` $depth $address `,` $stride attr-dict
    `:` functional-type($address, $matrices)
  }];
  let extraClassDeclaration = HetIR_ResultLevel<"Divergent">.method;
  let hasVerifier = 1;
}

def HetIR_MatrixStoreOp : HetIR_SyncPointOp<"matrix_store", "Team", [
    MemoryEffects<[MemWrite, MemWrite<HetIR_Convergence>]>]> {
  let summary = "store matrices of 8 rows of 16 bytes";
  let description = [{
    The reverse of `hetir.matrix_load`: the matrices go to the rows that the lanes'
    addresses name. Rows must not overlap.
  }];
  let arguments = (ins UnitAttr:$transposed, I32:$mask, LLVM_AnyPointer:$address,
                       Variadic<I32>:$matrices);
  let assemblyFormat = [{
    (`transposed` $transposed^)? $mask `,` $address `(` $matrices `)` attr-dict
    `:` type($address) `,` type($matrices)
  }];
  let extraClassDeclaration = scopeMethod # [{
    ::mlir::Value getTeamMask() { return getMask(); }
  }];
  let hasVerifier = 1;
}

def HetIR_MatrixTransposeOp : HetIR_MaskedTeamOp<"matrix_transpose"> {
  let summary = "transpose a matrix of 8 by 8 elements";
  let description = [{
    A matrix of elements of 16 bits in the distribution of `hetir.matrix_load`. Since 0.6.
    Takes part: as in `hetir.matrix_multiply`.
  }];
  let arguments = (ins I32:$mask, I32:$matrix);
  let results = (outs I32:$result);
  let assemblyFormat = "$mask `,` $matrix attr-dict";
}

#endif // HET_IR_HETIRMATRIXOPS_TD
