// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raises operations on matrices (MatrixCalls.h).

#include "MatrixCalls.h"
#include "Raise.h"

using namespace het;
using namespace mlir;

std::string MatrixProduct::callName() const {
  std::string name = "__het_matrix_multiply";
  auto add = [&](const Twine &part) { name += ("." + part).str(); };
  add(ir::stringifyMatrixKind(kind));
  for (unsigned size : {m, n, k})
    add(Twine(size));
  for (ir::MatrixType type : {a, b, c, d})
    add(ir::stringifyMatrixType(type));
  if (saturates)
    add("satfinite");
  return name;
}

static std::string nameOf(StringRef what, unsigned count, bool isTransposed) {
  return (what + (isTransposed ? ".transposed." : ".") + Twine(count)).str();
}

std::string het::matrixLoadName(unsigned count, bool isTransposed) {
  return nameOf("__het_matrix_load", count, isTransposed);
}

std::string het::matrixStoreName(unsigned count, bool isTransposed) {
  return nameOf("__het_matrix_store", count, isTransposed);
}

std::string MatrixRows::callName() const {
  const StringRef prefix = isShared ? sharedRowsPrefix : matrixRowsPrefix;
  return nameOf(prefix, count, isTransposed) + (isDownwards ? ".down." : ".") +
         std::to_string(depth);
}

void het::forEachMatrixRows(llvm::function_ref<void(const MatrixRows &)> visit) {
  for (unsigned depth : {1, 2})
    for (unsigned blocks : {1, 2, 4})
      for (bool isTransposed : {false, true})
        for (bool isDownwards : {false, true})
          for (bool isShared : {false, true})
            visit({blocks * depth, depth, isTransposed, isDownwards, isShared});
}

/// Calls `visit` with each way to combine and to add up that a shape has.
static void forEachSum(const ir::MatrixForm &form, MatrixProduct product,
                       llvm::function_ref<void(const MatrixProduct &)> visit) {
  using Kind = ir::MatrixKind;
  const bool isBits = form.elements == "b1", isInteger = form.elements.starts_with("i");
  for (auto c : {ir::MatrixType::F16, ir::MatrixType::F32, ir::MatrixType::F64,
                 ir::MatrixType::S32})
    for (auto d : {ir::MatrixType::F16, ir::MatrixType::F32, ir::MatrixType::F64,
                   ir::MatrixType::S32})
      for (Kind kind : {Kind::Multiply, Kind::XorCount, Kind::AndCount})
        for (bool saturates : {false, true}) {
          if (!ir::isMatrixSum(form, c) || !ir::isMatrixSum(form, d) ||
              (kind == Kind::Multiply) == isBits || (saturates && !isInteger))
            continue;
          product.c = c, product.d = d;
          product.kind = kind, product.saturates = saturates;
          visit(product);
        }
}

void het::forEachMatrixProduct(llvm::function_ref<void(const MatrixProduct &)> visit) {
  for (const ir::MatrixForm &form : ir::matrixForms())
    for (unsigned a = 0; a <= ir::getMaxEnumValForMatrixType(); ++a)
      for (unsigned b = 0; b <= ir::getMaxEnumValForMatrixType(); ++b) {
        MatrixProduct product;
        product.a = static_cast<ir::MatrixType>(a);
        product.b = static_cast<ir::MatrixType>(b);
        product.m = form.m, product.n = form.n, product.k = form.k;
        if (product.form() == &form)
          forEachSum(form, product, visit);
      }
}

/// Several results as the struct that the call returns.
static Value packAll(RaisedCall &call, ValueRange values) {
  if (!isa<LLVM::LLVMStructType>(call.type()))
    return values.front();
  Value all = LLVM::PoisonOp::create(call.builder, call.type());
  for (auto [index, value] : llvm::enumerate(values))
    all = LLVM::InsertValueOp::create(call.builder, all, value,
                                      ArrayRef<int64_t>{static_cast<int64_t>(index)});
  return all;
}

static RaiseHandler multiply(const MatrixProduct &product) {
  return [=](RaisedCall &call) -> RaiseResult {
    auto &b = call.builder;
    const ir::MatrixForm &form = *product.form();
    const SmallVector<Type> types(form.registersOfSum(product.d),
                                  b.getIntegerType(form.registerBits()));
    auto op = ir::MatrixMultiplyOp::create(
        b, types, product.kind, product.m, product.n, product.k, product.a, product.b,
        product.c, product.d, product.saturates, call.constant(-1), call.arguments);
    return packAll(call, op.getD());
  };
}

/// The address in shared memory that a generic one was made of, where that can be seen.
static Value addressOf(RaisedCall &call) {
  Value address = call.arguments[0];
  auto cast = address.getDefiningOp<LLVM::AddrSpaceCastOp>();
  return cast ? cast.getArg() : address;
}

static RaiseHandler load(unsigned count, bool isTransposed) {
  return [=](RaisedCall &call) -> RaiseResult {
    const SmallVector<Type> types(count, call.builder.getI32Type());
    auto op = ir::MatrixLoadOp::create(call.builder, types, isTransposed,
                                       call.constant(-1), addressOf(call));
    return packAll(call, op.getMatrices());
  };
}

static RaiseHandler loadRows(const MatrixRows &rows) {
  return [=](RaisedCall &call) -> RaiseResult {
    const SmallVector<Type> types(rows.count, call.builder.getI32Type());
    auto op = ir::MatrixLoadRowsOp::create(call.builder, types, rows.isTransposed,
                                           rows.isDownwards, rows.depth,
                                           call.arguments[0], call.arguments[1]);
    return packAll(call, op.getMatrices());
  };
}

static RaiseHandler store(bool isTransposed) {
  return [=](RaisedCall &call) -> RaiseResult {
    ir::MatrixStoreOp::create(call.builder, isTransposed, call.constant(-1),
                              addressOf(call), call.arguments.drop_front());
    return Value();
  };
}

static RaiseResult transpose(RaisedCall &call) {
  return ir::MatrixTransposeOp::create(call.builder, call.type(), call.constant(-1),
                                       call.arguments[0])
      .getResult();
}

void het::addMatrixRaises(RaiseTable &table) {
  forEachMatrixProduct([&](const MatrixProduct &product) {
    table[product.callName()] = multiply(product);
  });
  for (unsigned count : {1, 2, 4})
    for (bool isTransposed : {false, true}) {
      table[matrixLoadName(count, isTransposed)] = load(count, isTransposed);
      table[matrixStoreName(count, isTransposed)] = store(isTransposed);
    }
  forEachMatrixRows(
      [&](const MatrixRows &rows) { table[rows.callName()] = loadRows(rows); });
  table[matrixTransposeName] = transpose;
}
