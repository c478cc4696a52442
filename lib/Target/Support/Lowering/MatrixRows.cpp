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
        isTransposed(op.getTransposed()) {
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
  SmallVector<unsigned> orderOf(unsigned first, unsigned count);
  Value rowOfLane(ArrayRef<unsigned> order);
  void replace(ArrayRef<Value> values);

  ir::MatrixLoadRowsOp op;
  ImplicitLocOpBuilder builder;
  const unsigned depth;
  const bool isTransposed;
  Value lane;
};

/// The address of a byte of a row of the larger matrix; transposed: of a column.
Value Rows::at(Value row, Value place) {
  return addressAt(builder, op.getAddress(), add(multiply(row, op.getStride()), place));
}

/// Loads the word that a lane holds of a matrix.
Value Rows::loadWord(unsigned matrix) {
  const unsigned below = matrix / depth, beside = matrix % depth;
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

/// So many matrices from `first` on in the order in which a product takes all of them,
/// whose instruction wants registers that follow each other; else as they come.
SmallVector<unsigned> Rows::orderOf(unsigned first, unsigned count) {
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq(first, first + count));
  for (Operation *user : op->getResult(first).getUsers()) {
    auto product = dyn_cast<ir::MatrixMultiplyOp>(user);
    if (!product)
      continue;
    auto placeOf = [&](unsigned matrix) {
      return llvm::find(product.getRegisters(), op->getResult(matrix)) -
             product.getRegisters().begin();
    };
    const auto none = static_cast<ptrdiff_t>(product.getRegisters().size());
    if (llvm::all_of(order, [&](unsigned matrix) { return placeOf(matrix) != none; })) {
      llvm::sort(order, [&](unsigned a, unsigned b) { return placeOf(a) < placeOf(b); });
      return order;
    }
  }
  return order;
}

/// Where the row begins that a lane names of these matrices.
Value Rows::rowOfLane(ArrayRef<unsigned> order) {
  constexpr unsigned bits = 8;
  uint64_t table = 0;
  for (auto [place, matrix] : llvm::enumerate(order))
    table |= uint64_t(matrix) << (place * bits);
  Value inMatrix = LLVM::AndOp::create(builder, lane, number(7));
  Value place = LLVM::AndOp::create(
      builder, LLVM::LShrOp::create(builder, lane, number(3)), number(3));
  Value matrix = LLVM::AndOp::create(
      builder,
      LLVM::LShrOp::create(builder, number(table), multiply(place, number(bits))),
      number((1u << bits) - 1));
  Value below = LLVM::UDivOp::create(builder, matrix, number(depth));
  Value beside = LLVM::URemOp::create(builder, matrix, number(depth));
  if (isTransposed)
    std::swap(below, beside);
  return at(add(multiply(below, number(8)), inMatrix), multiply(beside, number(16)));
}

void Rows::loadTogether() {
  const unsigned count = op.getNumResults();
  SmallVector<Value> words(count);
  for (unsigned first = 0; first < count;) {
    const unsigned rest = count - first, now = rest >= 4 ? 4 : rest >= 2 ? 2 : 1;
    const SmallVector<unsigned> order = orderOf(first, now);
    const SmallVector<Type> types(now, builder.getI32Type());
    auto load = ir::MatrixLoadOp::create(builder, types, isTransposed,
                                         constantI32(builder, ~0u), rowOfLane(order));
    for (auto [matrix, word] : llvm::zip_equal(order, load.getMatrices()))
      words[matrix] = word;
    first += now;
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

/// Replaces members of structures by what they were made of: registers come as such.
void lookThroughStructures(ModuleOp module) {
  module.walk([](LLVM::ExtractValueOp member) {
    SmallVector<OpFoldResult> results;
    if (failed(member->fold(results)) || results.empty())
      return;
    if (auto value = dyn_cast<Value>(results.front())) {
      member.replaceAllUsesWith(value);
      member.erase();
    }
  });
}

} // namespace

void loadMatrixRows(ModuleOp module, bool hasInstruction) {
  SmallVector<ir::MatrixLoadRowsOp> loads;
  module.walk([&](ir::MatrixLoadRowsOp op) { loads.push_back(op); });
  if (hasInstruction && !loads.empty())
    lookThroughStructures(module);
  for (ir::MatrixLoadRowsOp op : loads)
    if (hasInstruction && isShared(op))
      Rows(op).loadTogether();
    else
      Rows(op).loadByLane();
}

} // namespace het::target
