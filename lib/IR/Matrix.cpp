// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of matrix multiplications, and what makes operations on matrices valid.

#include "het/IR/Matrix.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace het::ir {

static constexpr MatrixForm forms[] = {
#define HET_MATRIX(elements, m, n, k, bits, capability, version)                         \
  {#elements, m, n, k, bits, capability, version},
#include "het/DeviceABI/MatrixForms.def"
};

unsigned MatrixForm::registersOfSum(MatrixType type) const {
  return type == MatrixType::F16 ? m / 8 : m / 4;
}

ArrayRef<MatrixForm> matrixForms() { return forms; }

StringRef matrixElements(MatrixType type) {
  switch (type) {
  case MatrixType::S8:
  case MatrixType::U8:
    return "i8";
  case MatrixType::S4:
  case MatrixType::U4:
    return "i4";
  case MatrixType::E4M3:
  case MatrixType::E5M2:
    return "f8";
  case MatrixType::F32:
  case MatrixType::S32:
    return "";
  default:
    return stringifyMatrixType(type);
  }
}

const MatrixForm *findMatrixForm(MatrixType a, MatrixType b, unsigned m, unsigned n,
                                 unsigned k) {
  const StringRef elements = matrixElements(a);
  if (matrixElements(b) != elements)
    return nullptr;
  for (const MatrixForm &form : forms)
    if (form.elements == elements && form.m == m && form.n == n && form.k == k)
      return &form;
  return nullptr;
}

bool isMatrixSum(const MatrixForm &form, MatrixType type) {
  if (form.elements == "f64")
    return type == MatrixType::F64;
  if (form.elements.starts_with("i") || form.elements == "b1")
    return type == MatrixType::S32;
  return type == MatrixType::F32 ||
         (type == MatrixType::F16 && (form.elements == "f16" || form.elements == "f8"));
}

const MatrixForm &matrixForm(MatrixMultiplyOp op) {
  return *findMatrixForm(op.getAType(), op.getBType(), op.getM(), op.getN(), op.getK());
}

LogicalResult MatrixMultiplyOp::verify() {
  const MatrixForm *form = findMatrixForm(getAType(), getBType(), getM(), getN(), getK());
  if (!form)
    return emitOpError("has no shape of MatrixForms.def");
  if (!isMatrixSum(*form, getCType()) || !isMatrixSum(*form, getDType()))
    return emitOpError("has a sum of a type that its elements have not");
  if ((getKind() == MatrixKind::Multiply) == (form->elements == "b1"))
    return emitOpError("combines elements in a way that they have not");
  const bool isInteger = form->elements.starts_with("i");
  if (getSaturate() && !isInteger)
    return emitOpError("saturates what is no sum of integers");
  const unsigned inputs =
      form->registersOfA() + form->registersOfB() + form->registersOfSum(getCType());
  const unsigned outputs = form->registersOfSum(getDType());
  if (getRegisters().size() != inputs || getD().size() != outputs)
    return emitOpError("found ")
           << getRegisters().size() << " registers and " << getD().size()
           << " results, expected " << inputs << " and " << outputs;
  auto isOther = [&](Type type) { return !type.isInteger(form->registerBits()); };
  if (llvm::any_of(getRegisters().getTypes(), isOther) ||
      llvm::any_of(getD().getTypes(), isOther))
    return emitOpError("has a register of another width than its elements ask for");
  return success();
}

static LogicalResult verifyCount(Operation *op, size_t count) {
  return count == 1 || count == 2 || count == 4
             ? success()
             : op->emitOpError("found ") << count << " matrices, expected 1, 2 or 4";
}

LogicalResult MatrixLoadOp::verify() { return verifyCount(*this, getMatrices().size()); }
LogicalResult MatrixLoadRowsOp::verify() {
  const size_t count = getMatrices().size();
  return count && count % getDepth() == 0
             ? success()
             : emitOpError("found ")
                   << count << " matrices, expected a multiple of its depth";
}
LogicalResult MatrixStoreOp::verify() { return verifyCount(*this, getMatrices().size()); }

//===----------------------------------------------------------------------===//
// The device library's functions
//===----------------------------------------------------------------------===//

bool isMatrixOperation(Operation *sync) {
  return isa<MatrixMultiplyOp, MatrixLoadOp, MatrixStoreOp, MatrixTransposeOp>(sync);
}

std::string matrixFunction(Operation *sync) {
  return llvm::TypeSwitch<Operation *, std::string>(sync)
      .Case([](MatrixMultiplyOp op) {
        return "matrix_" + matrixElements(op.getAType()).str() + "_" +
               std::to_string(op.getM()) + "_" + std::to_string(op.getN()) + "_" +
               std::to_string(op.getK());
      })
      .Case([](MatrixLoadOp) { return "matrix_load"; })
      .Case([](MatrixStoreOp) { return "matrix_store"; })
      .Default([](Operation *) { return "matrix_transpose"; });
}

/// Whether elements are the second of two types that one function has.
static bool isOther(MatrixType type) {
  return type == MatrixType::S8 || type == MatrixType::S4 || type == MatrixType::E5M2;
}

unsigned matrixFlags(Operation *sync) {
  enum { aIsOther = 1, bIsOther = 2, saturates = 4, cIsHalf = 8, dIsHalf = 16 };
  enum { isAnd = 32, isTransposed = 8 };
  return llvm::TypeSwitch<Operation *, unsigned>(sync)
      .Case([](MatrixMultiplyOp op) {
        return (isOther(op.getAType()) ? aIsOther : 0) |
               (isOther(op.getBType()) ? bIsOther : 0) |
               (op.getSaturate() ? saturates : 0) |
               (op.getCType() == MatrixType::F16 ? cIsHalf : 0) |
               (op.getDType() == MatrixType::F16 ? dIsHalf : 0) |
               (op.getKind() == MatrixKind::AndCount ? isAnd : 0);
      })
      .Case<MatrixLoadOp, MatrixStoreOp>([](auto op) {
        return static_cast<unsigned>(op.getMatrices().size()) |
               (op.getTransposed() ? isTransposed : 0);
      })
      .Default([](Operation *) { return 0u; });
}

} // namespace het::ir
