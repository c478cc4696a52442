// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.m8n8k4 of f16, Volta's: four products of 8 by 8 by 4, each by two quads of lanes,
// l to l + 3 and l + 16 to l + 19 with l = 0, 4, 8, 12 (PTX ISA, Matrix Fragments for
// mma.m8n8k4 with .f16). Lanes read what others hold by shuffles; sums are those of
// hetir.matrix_multiply.

#include "Matrices.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace het;
using namespace het::ptx;
using namespace llvm;

namespace {

class QuadPairs {
public:
  explicit QuadPairs(Emitter &e);
  void run();

private:
  using Halves = SmallVector<Value *, 4>;

  Value *read(Value *word, Value *lane);
  Value *half(ArrayRef<Value *> words, unsigned index);
  Value *half(ArrayRef<Value *> words, Value *index);
  Halves rowOfA(Value *row);
  Halves columnOfB(Value *column, unsigned upper);
  Value *sum(ArrayRef<Value *> row, ArrayRef<Value *> column, Value *start);
  void addWide();
  void addNarrow();

  Emitter &e;
  IRBuilder<> &b;
  bool rowsOfA, rowsOfB, isWide;
  Value *lane, *quad, *own; ///< The pair's first lane; 16 in its second quad, else 0.
  SmallVector<Value *> wordsA, wordsB;
};

QuadPairs::QuadPairs(Emitter &e) : e(e), b(e.b) {
  SmallVector<StringRef, 2> layouts;
  for (StringRef word : e.instruction.modifiers)
    if (word == "row" || word == "col")
      layouts.push_back(word);
  rowsOfA = layouts[0] == "row";
  rowsOfB = layouts[1] == "row";
  isWide = e.has("f32");
  lane = b.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
  quad = b.CreateAnd(lane, 12);
  own = b.CreateAnd(lane, 16);
}

/// A register of another lane.
Value *QuadPairs::read(Value *word, Value *lane) {
  return b.CreateIntrinsic(Intrinsic::nvvm_shfl_sync_idx_i32,
                           {b.getInt32(-1), word, lane, b.getInt32(31)});
}

/// One of four halves in two registers, as a float.
Value *QuadPairs::half(ArrayRef<Value *> words, Value *index) {
  Value *word = b.CreateSelect(b.CreateICmpULT(index, b.getInt32(2)), words[0], words[1]);
  Value *bits = b.CreateLShr(word, b.CreateShl(b.CreateAnd(index, 1), 4));
  Value *number = b.CreateBitCast(b.CreateTrunc(bits, b.getInt16Ty()), b.getHalfTy());
  return b.CreateFPExt(number, b.getFloatTy());
}

Value *QuadPairs::half(ArrayRef<Value *> words, unsigned index) {
  return half(words, b.getInt32(index));
}

/// The four elements of row `row` (0 to 3) of this quad's half of A.
QuadPairs::Halves QuadPairs::rowOfA(Value *row) {
  Halves elements;
  Value *first = b.CreateAdd(quad, own);
  for (unsigned k = 0; k < 4; ++k) {
    Value *from = b.CreateAdd(first, rowsOfA ? row : b.getInt32(k));
    Value *words[] = {read(wordsA[0], from), read(wordsA[1], from)};
    elements.push_back(rowsOfA ? half(words, k) : half(words, row));
  }
  return elements;
}

/// The four elements of column `column` (0 to 3) of a half of B.
QuadPairs::Halves QuadPairs::columnOfB(Value *column, unsigned upper) {
  Halves elements;
  Value *first = b.CreateAdd(quad, b.getInt32(16 * upper));
  for (unsigned k = 0; k < 4; ++k) {
    Value *from = b.CreateAdd(first, rowsOfB ? b.getInt32(k) : column);
    Value *words[] = {read(wordsB[0], from), read(wordsB[1], from)};
    elements.push_back(rowsOfB ? half(words, column) : half(words, k));
  }
  return elements;
}

Value *QuadPairs::sum(ArrayRef<Value *> row, ArrayRef<Value *> column, Value *start) {
  for (auto [left, right] : zip(row, column))
    start = b.CreateIntrinsic(Intrinsic::fma, {b.getFloatTy()}, {left, right, start});
  return start;
}

/// Element i of f32 is in row (l & 1) + (i & 2), column (i & 4) + (l & 2) + (i & 1).
void QuadPairs::addWide() {
  SmallVector<Value *> sums = readParts(e, 3, 32);
  Value *odd = b.CreateAnd(lane, 1), *even = b.CreateAnd(lane, 2);
  const Halves rows[] = {rowOfA(odd), rowOfA(b.CreateAdd(odd, b.getInt32(2)))};
  SmallVector<Halves> columns;
  for (unsigned upper : {0, 1})
    for (unsigned low : {0, 1})
      columns.push_back(columnOfB(b.CreateAdd(even, b.getInt32(low)), upper));
  for (auto [i, place] : enumerate(partsOf(e.operand(0)))) {
    Value *start = b.CreateBitCast(sums[i], b.getFloatTy());
    Value *result = sum(rows[i / 2 % 2], columns[i / 4 * 2 + i % 2], start);
    Value *isNumber = b.CreateFCmpORD(result, result);
    e.result(place, b.CreateSelect(isNumber, b.CreateBitCast(result, b.getInt32Ty()),
                                   b.getInt32(0x7FFFFFFF)));
  }
}

/// Element i of f16 is in row l % 4, column i.
void QuadPairs::addNarrow() {
  SmallVector<Value *> sums = readParts(e, 3, 32);
  const Halves row = rowOfA(b.CreateAnd(lane, 3));
  for (auto [r, place] : enumerate(partsOf(e.operand(0)))) {
    Value *word = b.getInt32(0);
    for (unsigned i = 0; i < 2; ++i) {
      const unsigned column = 2 * r + i;
      Value *words[] = {sums[r], sums[r]};
      Value *result =
          sum(row, columnOfB(b.getInt32(column % 4), column / 4), half(words, i));
      Value *isNumber = b.CreateFCmpORD(result, result);
      Value *bits =
          b.CreateBitCast(b.CreateFPTrunc(result, b.getHalfTy()), b.getInt16Ty());
      bits = b.CreateSelect(isNumber, bits, b.getInt16(0x7FFF));
      word = b.CreateOr(word, b.CreateShl(b.CreateZExt(bits, b.getInt32Ty()), 16 * i));
    }
    e.result(place, word);
  }
}

void QuadPairs::run() {
  const unsigned count = isWide ? 8 : 4;
  if (!hasParts(e, 0, count) || !hasParts(e, 1, 2) || !hasParts(e, 2, 2) ||
      !hasParts(e, 3, count))
    return;
  wordsA = readParts(e, 1, 32);
  wordsB = readParts(e, 2, 32);
  if (isWide)
    addWide();
  else
    addNarrow();
}

} // namespace

void het::ptx::emitQuadPairMultiply(Emitter &e) { QuadPairs(e).run(); }
