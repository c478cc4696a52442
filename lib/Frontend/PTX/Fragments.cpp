// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wmma: larger matrices, whose distribution over the lanes is each implementation's own
// (PTX ISA, Matrix Fragments for WMMA). Here they are made of tiles as mma has them, so
// that a product is one or two of mma's:
//
//   A and B   blocks of 8 rows of A, or columns of B, one after the other. Register r of
//             a block holds, of row or column g, the elements 4 p r + p t + i
//   C and D   four elements for each tile of 16 by 8, as mma has them. Tiles are side
//             by side along the longer side. m8n32k16 is computed transposed
//
// where g is lane / 4, t is lane modulo 4, and p elements are in a register. An A or B of
// f16 has 8 registers always; those left over repeat the others.

#include "Matrices.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace het;
using namespace het::ptx;
using namespace llvm;

namespace {

/// Which matrix a fragment is of.
enum class Part { A, B, Sum };

class Fragments {
public:
  /// Reads shape and types off the modifiers.
  explicit Fragments(Emitter &e);

  void load();
  void store();
  void multiply();

private:
  bool isTransposed() const { return m == 8 && n == 32; }
  unsigned tiles() const { return m * n / (tile.m * tile.n); }
  unsigned bits(ir::MatrixType type) const;
  unsigned registerBits(ir::MatrixType type) const { return bits(type) == 64 ? 64 : 32; }
  unsigned perRegister(ir::MatrixType type) const {
    return registerBits(type) / bits(type);
  }
  /// Registers of a block of A or B, and blocks.
  unsigned depth(ir::MatrixType type) const { return k / (4 * perRegister(type)); }
  unsigned blocks(Part part) const { return (part == Part::A ? m : n) / 8; }
  /// As many as the instruction has.
  unsigned registers(Part part, ir::MatrixType type) const;
  unsigned sums(ir::MatrixType type) const { return m * n / 32 / perRegister(type); }

  Value *index(Value *row, Value *column, bool isByRows, Value *stride);
  Value *at(Value *base, Value *index, ir::MatrixType type);
  /// Whether elements are neighbours by k in memory, along A's rows and B's columns.
  bool isAlong(Part part) const { return e.has("row") == (part == Part::A); }
  /// Whether blocks of A or B are what hetir.matrix_load_rows loads.
  bool hasRows(Part part) const {
    return registerBits(type) == 32 && (isAlong(part) || bits(type) == 16);
  }
  SmallVector<Value *> loadRows(Part part);
  Value *loadRegister(Part part, unsigned number);
  Value *loadSums(unsigned number, bool isByRows);
  std::pair<Value *, Value *> placeOfSum(unsigned element);
  Value *stride(unsigned operand, bool isByRows, unsigned rows, unsigned columns);
  Value *constant(unsigned value) { return e.b.getInt64(value); }

  Emitter &e;
  IRBuilder<> &b;
  unsigned m = 0, n = 0, k = 0;
  ir::MatrixType type = ir::MatrixType::F16; ///< Of what is loaded or stored.
  MatrixProduct tile;
  Value *group = nullptr, *lane = nullptr, *base = nullptr, *step = nullptr;
};

Fragments::Fragments(Emitter &e) : e(e), b(e.b) {
  MatrixProduct whole;
  SmallVector<ir::MatrixType> types;
  for (StringRef word : e.instruction.modifiers)
    if (auto found = ir::symbolizeMatrixType(word))
      types.push_back(*found);
    else if (word.starts_with("m"))
      (void)readShape(word, whole);
  m = whole.m, n = whole.n, k = whole.k;
  type = types.front();
  tile.m = m == 8 && n == 8 ? 8 : 16;
  tile.n = 8, tile.k = k;
  tile.d = types.front(), tile.c = types.back();
  if (types.size() == 4)
    tile.a = types[1], tile.b = types[2];
  tile.saturates = e.has("satfinite");
  if (e.has("popc"))
    tile.kind = e.has("and") ? ir::MatrixKind::AndCount : ir::MatrixKind::XorCount;
}

unsigned Fragments::bits(ir::MatrixType type) const {
  switch (type) {
  case ir::MatrixType::F16:
  case ir::MatrixType::BF16:
    return 16;
  case ir::MatrixType::S8:
  case ir::MatrixType::U8:
    return 8;
  case ir::MatrixType::S4:
  case ir::MatrixType::U4:
    return 4;
  case ir::MatrixType::B1:
    return 1;
  case ir::MatrixType::F64:
    return 64;
  default:
    return 32;
  }
}

unsigned Fragments::registers(Part part, ir::MatrixType type) const {
  if (part == Part::Sum)
    return sums(type);
  return type == ir::MatrixType::F16 ? 8 : blocks(part) * depth(type);
}

/// Elements between rows, or columns: an operand, or as many as there are.
Value *Fragments::stride(unsigned operand, bool isByRows, unsigned rows,
                         unsigned columns) {
  if (operand < e.count())
    return b.CreateZExt(e.bits(operand, 32), b.getInt64Ty());
  return constant(isByRows ? columns : rows);
}

Value *Fragments::index(Value *row, Value *column, bool isByRows, Value *stride) {
  Value *far = isByRows ? row : column, *near = isByRows ? column : row;
  return b.CreateAdd(b.CreateMul(far, stride), near);
}

Value *Fragments::at(Value *base, Value *index, ir::MatrixType type) {
  Value *position = b.CreateMul(index, constant(bits(type)));
  return b.CreatePtrAdd(base, b.CreateLShr(position, constant(3)));
}

/// All registers of A or B. Matrices come in the order in which a product takes them: of
/// its first operand, whose tiles are 16 high, two by two.
SmallVector<Value *> Fragments::loadRows(Part part) {
  const unsigned deep = depth(type), all = blocks(part);
  const bool isTall = (part == Part::A) != isTransposed();
  const unsigned high = isTall ? 2 : all;
  Value *pitch = b.CreateLShr(b.CreateMul(step, constant(bits(type))), 3);
  const MatrixRows rows{high * deep, deep, /*isTransposed=*/!isAlong(part),
                        /*isDownwards=*/isTall};
  SmallVector<Value *> registers(all * deep);
  for (unsigned first = 0; first < all; first += high) {
    Value *far = isAlong(part) ? b.CreateMul(pitch, constant(8)) : constant(16);
    Value *begin = b.CreatePtrAdd(base, b.CreateMul(far, constant(first)));
    for (auto [number, value] : enumerate(loadMatrixRows(e, rows, begin, pitch))) {
      const size_t block = isTall ? number % high : number / deep;
      const size_t r = isTall ? number / high : number % deep;
      registers[(first + block) * deep + r] = value;
    }
  }
  return registers;
}

/// A register of A or B.
Value *Fragments::loadRegister(Part part, unsigned number) {
  const unsigned per = perRegister(type), deep = depth(type);
  Value *line = b.CreateAdd(group, constant(number / deep * 8));
  Value *first =
      b.CreateAdd(b.CreateMul(lane, constant(per)), constant(number % deep * 4 * per));
  llvm::Type *word = e.integer(registerBits(type));
  if (isAlong(part))
    return b.CreateAlignedLoad(word, at(base, index(line, first, true, step), type),
                               Align(registerBits(type) / 8));
  Value *all = ConstantInt::get(word, 0);
  for (unsigned i = 0; i < per; ++i) {
    Value *place = b.CreateAdd(first, constant(i));
    Value *element = b.CreateAlignedLoad(e.integer(bits(type)),
                                         at(base, index(line, place, false, step), type),
                                         Align(bits(type) / 8));
    all = b.CreateOr(all, b.CreateShl(b.CreateZExt(element, word), i * bits(type)));
  }
  return all;
}

/// Row and column of an element of C or D that a lane holds.
std::pair<Value *, Value *> Fragments::placeOfSum(unsigned element) {
  const unsigned inTile = tile.m * tile.n / 32;
  const unsigned which = element / inTile, rest = element % inTile;
  Value *along = b.CreateAdd(group, constant(8 * (rest / 2)));
  Value *across = b.CreateAdd(b.CreateMul(lane, constant(2)), constant(rest % 2));
  if (isTransposed())
    return {across, b.CreateAdd(along, constant(16 * which))};
  if (m == 32)
    return {b.CreateAdd(along, constant(16 * which)), across};
  return {along, b.CreateAdd(across, constant(8 * which))};
}

/// A register of C or D.
Value *Fragments::loadSums(unsigned number, bool isByRows) {
  llvm::Type *word = e.integer(registerBits(type));
  Value *all = ConstantInt::get(word, 0);
  for (unsigned i = 0; i < perRegister(type); ++i) {
    auto [row, column] = placeOfSum(number * perRegister(type) + i);
    Value *element = b.CreateAlignedLoad(
        e.integer(bits(type)), at(base, index(row, column, isByRows, step), type),
        Align(bits(type) / 8));
    all = b.CreateOr(all, b.CreateShl(b.CreateZExt(element, word), i * bits(type)));
  }
  return all;
}

void findLane(IRBuilder<> &b, Value *&group, Value *&lane) {
  Value *id = b.CreateZExt(b.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {}),
                           b.getInt64Ty());
  group = b.CreateLShr(id, 2);
  lane = b.CreateAnd(id, 3);
}

void Fragments::load() {
  const Part part = e.has("a") ? Part::A : e.has("b") ? Part::B : Part::Sum;
  const unsigned count = registers(part, type);
  if (!hasParts(e, 0, count))
    return;
  const bool isByRows = e.has("row");
  findLane(b, group, lane);
  base = e.address(1);
  step = stride(2, isByRows, part == Part::B ? k : m, part == Part::A ? k : n);
  SmallVector<Value *> values;
  if (part == Part::Sum)
    for (unsigned number = 0; number < count; ++number)
      values.push_back(loadSums(number, isByRows));
  else if (hasRows(part))
    values = loadRows(part);
  else
    for (unsigned number = 0; number < blocks(part) * depth(type); ++number)
      values.push_back(loadRegister(part, number));
  for (auto [number, place] : enumerate(partsOf(e.operand(0))))
    e.result(place, values[number % values.size()]);
}

void Fragments::store() {
  if (!hasParts(e, 1, sums(type)))
    return;
  const bool isByRows = e.has("row");
  findLane(b, group, lane);
  base = e.address(0);
  step = stride(2, isByRows, m, n);
  for (auto [number, value] : enumerate(readParts(e, 1, registerBits(type))))
    for (unsigned i = 0; i < perRegister(type); ++i) {
      auto [row, column] = placeOfSum(number * perRegister(type) + i);
      Value *element =
          b.CreateTrunc(b.CreateLShr(value, i * bits(type)), e.integer(bits(type)));
      b.CreateAlignedStore(element, at(base, index(row, column, isByRows, step), type),
                           Align(bits(type) / 8));
    }
}

void Fragments::multiply() {
  if (!hasParts(e, 0, sums(tile.d)) || !hasParts(e, 1, registers(Part::A, tile.a)) ||
      !hasParts(e, 2, registers(Part::B, tile.b)) || !hasParts(e, 3, sums(tile.c)))
    return;
  const unsigned deep = depth(tile.a), width = registerBits(tile.a);
  SmallVector<Value *> tall = readParts(e, 1, width), wide = readParts(e, 2, width),
                       sum = readParts(e, 3, width);
  if (isTransposed()) {
    std::swap(tall, wide);
    std::swap(tile.a, tile.b);
  }
  const unsigned high = tile.m / 8;
  const bool movesDown = m == 32 || isTransposed(); // else to the right
  const unsigned ofTile = sums(tile.c) / tiles();
  SmallVector<Value *> results;
  for (unsigned which = 0; which < tiles(); ++which) {
    SmallVector<Value *> values;
    for (unsigned r = 0; r < deep; ++r)
      for (unsigned block = 0; block < high; ++block)
        values.push_back(tall[((movesDown ? which * high : 0) + block) * deep + r]);
    for (unsigned r = 0; r < deep; ++r)
      values.push_back(wide[(movesDown ? 0 : which) * deep + r]);
    append_range(values, ArrayRef(sum).slice(which * ofTile, ofTile));
    append_range(results, multiplyMatrices(e, tile, values));
  }
  for (auto [place, value] : zip(partsOf(e.operand(0)), results))
    e.result(place, value);
}

} // namespace

void het::ptx::emitFragmentLoad(Emitter &e) { Fragments(e).load(); }
void het::ptx::emitFragmentStore(Emitter &e) { Fragments(e).store(); }
void het::ptx::emitFragmentMultiply(Emitter &e) { Fragments(e).multiply(); }
