// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes straight-line code for the vector unit, instruction by instruction.

#include "VectorCode.h"

namespace het::tensix {

Lanes VectorCode::make(VectorOp op, llvm::ArrayRef<Lanes> operands, uint32_t imm) {
  VectorInst inst{op, {values}, {}, imm};
  for (Lanes operand : operands)
    inst.operands.push_back(operand.number);
  insts.push_back(inst);
  return {values++};
}

/// One value for the same constant, wherever it is asked for.
template <class Make>
static Lanes once(llvm::DenseMap<std::pair<unsigned, uint32_t>, Lanes> &known,
                  VectorOp op, uint32_t imm, Make make) {
  auto [it, isNew] = known.try_emplace({static_cast<unsigned>(op), imm}, Lanes());
  if (isNew)
    it->second = make();
  return it->second;
}

Lanes VectorCode::fixed(uint32_t reg) {
  return once(pure, VectorOp::Fixed, reg, [&] { return make(VectorOp::Fixed, {}, reg); });
}

Lanes VectorCode::constant(uint32_t value) {
  if (value == 0)
    return fixed(sfpu::zero);
  if (value == 0x3F800000)
    return fixed(sfpu::one);
  return once(pure, VectorOp::Constant, value,
              [&] { return make(VectorOp::Constant, {}, value); });
}

Lanes VectorCode::broadcast(unsigned scalar) {
  return once(pure, VectorOp::Broadcast, scalar,
              [&] { return make(VectorOp::Broadcast, {}, scalar); });
}

Lanes VectorCode::load(unsigned slot) {
  return once(pure, VectorOp::Load, slot, [&] { return make(VectorOp::Load, {}, slot); });
}

void VectorCode::store(unsigned slot, Lanes value) {
  insts.push_back({VectorOp::Store, {}, {value.number}, slot});
}

void VectorCode::doubt(Lanes negative) {
  insts.push_back({VectorOp::Doubt, {}, {negative.number}, 0});
}

Lanes VectorCode::add(Lanes a, int32_t b) {
  constexpr int32_t most = 2047, least = -2048;
  if (b < least || b > most)
    return add(a, constant(b));
  return b ? make(VectorOp::AddConstant, {a}, b) : a;
}

Lanes VectorCode::shiftLeft(Lanes a, unsigned bits) {
  return bits ? make(VectorOp::ShiftLeft, {a}, bits) : a;
}

Lanes VectorCode::shiftRight(Lanes a, unsigned bits) {
  return bits ? make(VectorOp::ShiftRight, {a}, bits) : a;
}

Lanes VectorCode::select(Lanes condition, Lanes a, Lanes b) {
  return select(condition, llvm::ArrayRef(a), llvm::ArrayRef(b)).front();
}

llvm::SmallVector<Lanes, 4> VectorCode::select(Lanes condition, llvm::ArrayRef<Lanes> a,
                                               llvm::ArrayRef<Lanes> b) {
  constexpr size_t most = 2; // so that registers do
  if (a.size() > most) {
    auto results = select(condition, a.take_front(most), b.take_front(most));
    results.append(select(condition, a.drop_front(most), b.drop_front(most)));
    return results;
  }
  VectorInst inst{VectorOp::Select, {}, {condition.number}, 0};
  for (Lanes value : a)
    inst.operands.push_back(value.number);
  for (Lanes value : b)
    inst.operands.push_back(value.number);
  llvm::SmallVector<Lanes, 4> results;
  for (unsigned i = 0; i < a.size(); ++i) {
    results.push_back({values});
    inst.results.push_back(values++);
  }
  insts.push_back(inst);
  return results;
}

Lanes VectorCode::call(unsigned routine, llvm::ArrayRef<Lanes> operands) {
  return make(VectorOp::Call, operands, routine);
}

Lanes VectorCode::argument(unsigned number) {
  while (given.size() <= number)
    given.push_back({values++});
  return given[number];
}

} // namespace het::tensix
