// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code for the vector unit on the tile model's: words, registers, and arithmetic whose
// bits are this machine's.

#include "Tensix/Lowering/Vector/VectorMath.h"
#include "VectorUnit.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <random>
#include <tuple>

using namespace het::tensix;
using tilemodel::VectorUnit;

namespace {

constexpr unsigned laneCount = 32, resultSlot = 3, doubtSlot = 4;

float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

/// Lane i of a slot's first 32.
uint32_t rowOf(unsigned slot, unsigned lane) { return slot * slotRows + lane / 8; }
uint32_t columnOf(unsigned lane) { return (lane & 7) * 2; }

std::vector<unsigned> freeSlots() {
  std::vector<unsigned> slots;
  for (unsigned slot = 20; slot < slotCount; ++slot)
    slots.push_back(slot);
  return slots;
}

/// Bits that are often special, or near each other.
class Operands {
public:
  explicit Operands(uint64_t seed) : chance(seed) {}
  uint32_t any() {
    constexpr uint32_t special[] = {
        0,          0x80000000, 1,          0x80000001, 0x7FFFFF,   0x807FFFFF,
        0x800000,   0x80800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFF800001,
        0x7F7FFFFF, 0xFF7FFFFF, 0x3F800000, 0xBF800000, 0x3F800001, 0x34000000,
        0x33800000, 0x4B000000, 0x4B7FFFFF, 0x01000000, 0x00FFFFFF};
    switch (chance() % 6) {
    case 0:
      return special[chance() % std::size(special)];
    case 1:
      return withExponent(120, 16);
    case 2:
      return withExponent(0, 3);
    case 3:
      return withExponent(60, 10);
    case 4:
      return static_cast<uint32_t>(chance() & 0xFFFC0000) + chance() % 3 - 1;
    default:
      return chance();
    }
  }
  uint32_t withExponent(unsigned first, unsigned count) {
    return (chance() & 0x807FFFFF) | static_cast<uint32_t>(first + chance() % count)
                                         << 23;
  }
  uint64_t operator()() { return chance(); }

private:
  std::mt19937_64 chance;
};

uint32_t expected(Routine routine, const uint32_t (&in)[3]) {
  const float a = floatOf(in[0]), b = floatOf(in[1]), c = floatOf(in[2]);
  switch (routine) {
  case Routine::Add:
    return bitsOf(a + b);
  case Routine::Multiply:
    return bitsOf(a * b);
  case Routine::MultiplyIntegers:
    return in[0] * in[1];
  default:
    return bitsOf(std::fma(a, b, c));
  }
}

bool isSame(Routine routine, uint32_t a, uint32_t b) {
  const bool isFloat = routine != Routine::MultiplyIntegers;
  return a == b || (isFloat && std::isnan(floatOf(a)) && std::isnan(floatOf(b)));
}

/// A routine, and whether the unit is Blackhole's.
class VectorRoutines : public testing::TestWithParam<std::tuple<Routine, bool>> {
protected:
  /// Results of 32 lanes; where there is a doubt, `doubts` has a bit.
  void run(const uint32_t (&in)[3][laneCount], uint32_t (&out)[laneCount],
           uint32_t &doubts) {
    unit.execute(sfpu::enableAll);
    unit.execute(sfpu::encodeImmediate(doubtRegister, sfpu::zeroExtended, 0));
    for (unsigned i = 0; i < 3; ++i) {
      for (unsigned lane = 0; lane < laneCount; ++lane)
        unit.writeDst(rowOf(i, lane), columnOf(lane), in[i][lane]);
      unit.execute(sfpu::encodeDst(sfpu::SFPLOAD, i, i * slotRows));
    }
    for (const VectorWord &word : *words)
      unit.execute(word.word);
    unit.execute(sfpu::encodeDst(sfpu::SFPSTORE, 0, resultSlot * slotRows));
    unit.execute(sfpu::encodeDst(sfpu::SFPSTORE, doubtRegister, doubtSlot * slotRows));
    doubts = 0;
    for (unsigned lane = 0; lane < laneCount; ++lane) {
      out[lane] = unit.readDst(rowOf(resultSlot, lane), columnOf(lane));
      if (isNative())
        doubts |= unit.readDst(rowOf(doubtSlot, lane), columnOf(lane)) >> 31 << lane;
    }
  }
  bool isNative() const { return routine == Routine::NativeMultiplyAdd; }
  const Routine routine = std::get<0>(GetParam());
  VectorUnit unit{std::get<1>(GetParam())};
  std::optional<llvm::SmallVector<VectorWord, 0>> words =
      assemble(makeRoutine(routine), freeSlots(),
               isNative() || routine == Routine::MultiplyIntegers);
};

TEST_P(VectorRoutines, HaveTheBitsOfThisMachine) {
  ASSERT_TRUE(words);
  Operands operands(static_cast<uint64_t>(routine) + 1);
  unsigned doubted = 0, steps = 3000;
  for (unsigned step = 0; step < steps; ++step) {
    uint32_t in[3][laneCount], out[laneCount], doubts;
    for (unsigned lane = 0; lane < laneCount; ++lane) {
      for (auto &operand : in)
        operand[lane] = step % 2 ? operands.any() : operands.withExponent(110, 30);
      if (operands() % 4 == 0) // what cancels
        in[1][lane] = (in[0][lane] ^ 0x80000000) + operands() % 5 - 2;
      if (operands() % 4 == 0)
        in[2][lane] =
            bitsOf(-(floatOf(in[0][lane]) * floatOf(in[1][lane]))) + operands() % 5 - 2;
    }
    run(in, out, doubts);
    for (unsigned lane = 0; lane < laneCount; ++lane) {
      const uint32_t one[3] = {in[0][lane], in[1][lane], in[2][lane]};
      doubted += doubts >> lane & 1;
      if (!(doubts >> lane & 1))
        ASSERT_TRUE(isSame(routine, out[lane], expected(routine, one)))
            << std::hex << one[0] << ' ' << one[1] << ' ' << one[2] << ": found "
            << out[lane] << ", expected " << expected(routine, one);
    }
  }
  if (!isNative())
    EXPECT_EQ(doubted, 0u);
  else // usual numbers are in no doubt
    EXPECT_LT(doubted, steps * laneCount / 2);
}

INSTANTIATE_TEST_SUITE_P(All, VectorRoutines,
                         testing::Combine(testing::Values(Routine::Add, Routine::Multiply,
                                                          Routine::MultiplyAdd,
                                                          Routine::MultiplyIntegers,
                                                          Routine::NativeMultiplyAdd),
                                          testing::Bool()),
                         [](const auto &info) {
                           return std::string(nameOf(std::get<0>(info.param))) +
                                  (std::get<1>(info.param) ? "_blackhole" : "_wormhole");
                         });

using Compute = Lanes (*)(VectorCode &, Lanes, Lanes);
uint32_t computeOn(VectorUnit unit, Compute made, uint32_t a, uint32_t b) {
  VectorCode code;
  code.store(resultSlot, made(code, code.load(0), code.load(1)));
  auto words = assemble(code, freeSlots());
  unit.execute(sfpu::enableAll);
  for (unsigned lane = 0; lane < laneCount; ++lane) {
    unit.writeDst(rowOf(0, lane), columnOf(lane), a);
    unit.writeDst(rowOf(1, lane), columnOf(lane), b);
  }
  for (const VectorWord &word : *words)
    unit.execute(word.word);
  return unit.readDst(rowOf(resultSlot, 17), columnOf(17));
}

/// What code computes of two slots, in one lane each; on both chips.
uint32_t compute(Compute made, uint32_t a, uint32_t b) {
  const uint32_t result = computeOn(VectorUnit(false), made, a, b);
  EXPECT_EQ(computeOn(VectorUnit(true), made, a, b), result) << a << ' ' << b;
  return result;
}

TEST(VectorIntegers, ComparesAndShifts) {
  constexpr uint32_t values[] = {0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x12345678};
  for (uint32_t a : values)
    for (uint32_t b : values) {
      EXPECT_EQ(compute(isLessSigned, a, b), int32_t(a) < int32_t(b)) << a << ' ' << b;
      EXPECT_EQ(compute(isLessUnsigned, a, b), a < b) << a << ' ' << b;
      EXPECT_EQ(compute(isEqual, a, b), a == b) << a << ' ' << b;
      EXPECT_EQ(compute(shiftRightSigned, a, b & 31), uint32_t(int32_t(a) >> (b & 31)));
    }
}

TEST(VectorFloats, ComparesAndConverts) {
  constexpr uint32_t values[] = {0,          0x80000000, 1,          0x80000001,
                                 0x7F800000, 0xFF800000, 0x3F800000, 0xBF800000};
  for (uint32_t a : values)
    for (uint32_t b : values) {
      EXPECT_EQ(compute(isLessOrdered, a, b), floatOf(a) < floatOf(b));
      EXPECT_EQ(compute(isEqualOrdered, a, b), floatOf(a) == floatOf(b));
    }
  for (uint32_t a : {0u, 1u, 16777217u, 16777219u, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu,
                     0xFFFFFF7Fu, 0x80000081u}) {
    EXPECT_EQ(compute([](VectorCode &code, Lanes x,
                         Lanes) { return floatFromUnsigned(code, x); },
                      a, 0),
              bitsOf(static_cast<float>(a)));
    EXPECT_EQ(
        compute([](VectorCode &code, Lanes x, Lanes) { return floatFromSigned(code, x); },
                a, 0),
        bitsOf(static_cast<float>(static_cast<int32_t>(a))));
  }
}

/// 20 multiples of the first operand, and their exclusive or in the other order.
Lanes mixMultiples(VectorCode &code, Lanes first, Lanes) {
  Lanes multiples[20] = {first};
  for (unsigned i = 1; i < 20; ++i)
    multiples[i] = code.add(multiples[i - 1], first);
  Lanes result = multiples[0];
  for (unsigned i = 1; i < 20; ++i)
    result = code.bitXor(result, multiples[i]);
  return result;
}

TEST(VectorRegisters, KeepsMoreValuesThanThereAreRegisters) {
  uint32_t expected = 0;
  for (uint32_t i = 1; i <= 20; ++i)
    expected ^= i * 0x01234567;
  EXPECT_EQ(compute(mixMultiples, 0x01234567, 0), expected);
  VectorCode code;
  code.store(resultSlot, mixMultiples(code, code.load(0), code.load(1)));
  EXPECT_FALSE(assemble(code, {})) << "where there is no slot, it must not fit";
}

TEST(VectorInstructions, AreTheDocumentsWords) {
  // SFPIADD L3 = L5 + 7, flags as they are; SFPMAD L2 = L0 * L1 + L9.
  EXPECT_EQ(sfpu::encode(sfpu::SFPIADD, 3, 5, 5, 7), 0x79007535u);
  EXPECT_EQ(sfpu::encode(sfpu::SFPSHFT, 3, 0, 1, -8), 0x7AFF8031u);
  EXPECT_EQ(sfpu::encodeMad(sfpu::SFPMAD, 2, 0, 1, 9), 0x84001920u);
  EXPECT_EQ(sfpu::encodeDst(sfpu::SFPLOAD, 4, 32), 0x70440020u);
  EXPECT_EQ(sfpu::encodeImmediate(1, sfpu::lower, 0xABCD), 0x711AABCDu);
  EXPECT_EQ(sfpu::enableAll, 0x8A00300Au);
  EXPECT_EQ(sfpu::pushed(0x8F000000), 0x3C000002u);
}

using VectorUnitDeath = testing::Test;

TEST(VectorUnitDeath, RefusesWhatIsNotDocumented) {
  auto run = [](std::initializer_list<uint32_t> words) {
    VectorUnit unit(false);
    unit.execute(sfpu::enableAll);
    for (uint32_t word : words)
      unit.execute(word);
  };
  EXPECT_DEATH(run({sfpu::encodeMad(sfpu::SFPMUL, 0, 10, 10, 9),
                    sfpu::encode(sfpu::SFPMOV, 1, 0, 0)}),
               "still writes");
  EXPECT_DEATH(run({sfpu::pushFlags, sfpu::pushFlags, sfpu::pushFlags, sfpu::pushFlags,
                    sfpu::pushFlags, sfpu::pushFlags, sfpu::pushFlags, sfpu::pushFlags,
                    sfpu::pushFlags}),
               "flag stack is full");
  EXPECT_DEATH(run({sfpu::popFlags}), "flag stack is empty");
  EXPECT_DEATH(run({0x93000000}), "not modelled");
  EXPECT_DEATH(run({sfpu::encode(sfpu::SFPMOV, 9, 0, 0)}), "can not be written");
}

} // namespace
