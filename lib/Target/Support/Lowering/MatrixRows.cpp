// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetir.matrix_load_rows, before any form: where a target has an instruction that loads
// matrices of shared memory, hetir.matrix_load; else loads by which each lane gets what
// it holds by itself, so that nobody waits.

#include "BuilderPieces.h"
#include "TargetLowering.h"

using namespace mlir;

namespace het::target {
namespace {

class Rows {
public:
  explicit Rows(ir::MatrixLoadRowsOp op)
      : op(op), builder(op.getLoc(), op), depth(op.getDepth()),
        height(op.getNumResults() / depth), isTransposed(op.getTransposed()) {
    lane = LLVM::ZExtOp::create(builder, builder.getI64Type(),
                                ir::LaneIdOp::create(builder));
  }

  void loadByLane();
  void loadTogether();

private:
  Value number(uint64_t value) { return constantI64(builder, value); }
  Value add(Value a, Value b) { return LLVM::AddOp::create(builder, a, b); }
  Value multiply(Value a, Value b) { return LLVM::MulOp::create(builder, a, b); }
  Value at(Value row, Value place);
  Value loadWord(unsigned matrix);
  Value rowOfLane(unsigned firstMatrix);
  void replace(ArrayRef<Value> values);

  ir::MatrixLoadRowsOp op;
  ImplicitLocOpBuilder builder;
  const unsigned depth, height;
  const bool isTransposed;
  Value lane;
};

/// The address of a byte of a row of the larger matrix; transposed: of a column.
Value Rows::at(Value row, Value place) {
  return addressAt(builder, op.getAddress(), add(multiply(row, op.getStride()), place));
}

/// Loads the word that a lane holds of a matrix.
Value Rows::loadWord(unsigned matrix) {
  const unsigned below = op.getDownwards() ? matrix % height : matrix / depth;
  const unsigned beside = op.getDownwards() ? matrix / height : matrix % depth;
  Value group = LLVM::LShrOp::create(builder, lane, number(2));
  Value inGroup = LLVM::AndOp::create(builder, lane, number(3));
  Value row = add(group, number(8 * below));
  Type word = builder.getI32Type();
  if (!isTransposed)
    return LLVM::LoadOp::create(
        builder, word, at(row, add(multiply(inGroup, number(4)), number(16 * beside))),
        /*alignment=*/4);
  Value first = add(multiply(inGroup, number(2)), number(8 * beside));
  Value place = multiply(row, number(2));
  auto half = [&](unsigned index) -> Value {
    Value bits = LLVM::LoadOp::create(builder, builder.getI16Type(),
                                      at(add(first, number(index)), place),
                                      /*alignment=*/2);
    return LLVM::ZExtOp::create(builder, word, bits);
  };
  Value low = half(0);
  Value high = LLVM::ShlOp::create(builder, half(1), constantI32(builder, 16));
  return LLVM::OrOp::create(builder, low, high);
}

void Rows::loadByLane() {
  SmallVector<Value> words;
  for (unsigned matrix = 0; matrix < op.getNumResults(); ++matrix)
    words.push_back(loadWord(matrix));
  replace(words);
}

/// Where the row begins that a lane names, of up to four matrices.
Value Rows::rowOfLane(unsigned firstMatrix) {
  Value inMatrix = LLVM::AndOp::create(builder, lane, number(7));
  Value place = LLVM::AndOp::create(
      builder, LLVM::LShrOp::create(builder, lane, number(3)), number(3));
  Value matrix = add(place, number(firstMatrix));
  Value first = number(op.getDownwards() ? height : depth);
  Value below = LLVM::UDivOp::create(builder, matrix, first);
  Value beside = LLVM::URemOp::create(builder, matrix, first);
  if (isTransposed != op.getDownwards())
    std::swap(below, beside);
  return at(add(multiply(below, number(8)), inMatrix), multiply(beside, number(16)));
}

void Rows::loadTogether() {
  const unsigned count = op.getNumResults();
  SmallVector<Value> words;
  while (words.size() < count) {
    const size_t rest = count - words.size(), now = rest >= 4 ? 4 : rest >= 2 ? 2 : 1;
    const SmallVector<Type> types(now, builder.getI32Type());
    auto load =
        ir::MatrixLoadOp::create(builder, types, isTransposed, constantI32(builder, ~0u),
                                 rowOfLane(static_cast<unsigned>(words.size())));
    llvm::append_range(words, load.getMatrices());
  }
  replace(words);
}

void Rows::replace(ArrayRef<Value> values) {
  op->replaceAllUsesWith(values);
  op.erase();
}

bool isShared(ir::MatrixLoadRowsOp op) {
  return cast<LLVM::LLVMPointerType>(op.getAddress().getType()).getAddressSpace() ==
         ir::sharedSpace;
}

} // namespace

void loadMatrixRows(ModuleOp module, bool hasInstruction) {
  SmallVector<ir::MatrixLoadRowsOp> loads;
  module.walk([&](ir::MatrixLoadRowsOp op) { loads.push_back(op); });
  for (ir::MatrixLoadRowsOp op : loads)
    if (hasInstruction && isShared(op))
      Rows(op).loadTogether();
    else
      Rows(op).loadByLane();
}

} // namespace het::target
