// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products of four warps (PTX ISA, Asynchronous Warpgroup Level Matrix
// Instructions). Warp w of the four has rows 16 w to 16 w + 15 of A and D, in registers
// as mma has them, so that each warp computes its rows by mma's products, one for each 8
// columns. All is done at once, which is one of the orders that wgmma may have; so
// fences, groups and waits have nothing to order.
//
// B, and often A, lies in shared memory as a descriptor of 64 bits says:
//
//   0..13  where it begins, in units of 16 bytes, of the address's 18 lowest bits
//   16..29 leading, 32..45 stride dimension: distances in units of 16 bytes
//   49..51 how far the pattern of the swizzle is moved, in units of 128 bytes
//   62..63 swizzle: none, 128, 64 or 32 bytes

#include "Matrices.h"

#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace het;
using namespace het::ptx;
using namespace llvm;

namespace {

/// A matrix in shared memory. `line` is a row of A or a column of B; elements of a line
/// are counted in bytes.
class SharedMatrix {
public:
  SharedMatrix(Emitter &e, Value *descriptor, bool isTransposed);

  /// A word of 32 bits with the elements of a line that begin at a byte, of which
  /// `chunk` are whole units of 16 and `inner` is less.
  Value *loadWord(Value *line, unsigned chunk, Value *inner) const;

private:
  Value *field(unsigned first, unsigned width) const;
  Value *pointerTo(Value *offset) const;
  Value *alongLines(Value *line, unsigned chunk, Value *inner) const;
  Value *acrossLines(Value *line, Value *element) const;

  Emitter &e;
  IRBuilder<> &b;
  Value *descriptor, *start, *leading, *stride, *pitch, *isPlain, *mask, *moved;
  bool isTransposed;
};

} // namespace

static Value *dynamicShared(Emitter &e) {
  static constexpr StringLiteral name = "__het_warpgroup_shared";
  Module &module = e.body.module();
  GlobalVariable *object = module.getNamedGlobal(name);
  if (!object)
    object = new GlobalVariable(module, ArrayType::get(e.b.getInt8Ty(), 0), false,
                                GlobalValue::ExternalLinkage, nullptr, name, nullptr,
                                GlobalValue::NotThreadLocal, Shared);
  object->setAlignment(Align(128));
  return object;
}

/// Bytes of shared objects, which lie before dynamic shared memory, and some more.
static uint64_t bytesBefore(const Module &module) {
  constexpr uint64_t more = 16384;
  uint64_t bytes = more;
  for (const GlobalVariable &object : module.globals())
    if (object.getAddressSpace() == Shared && object.hasInitializer())
      bytes += module.getDataLayout().getTypeAllocSize(object.getValueType());
  return bytes;
}

Value *SharedMatrix::field(unsigned first, unsigned width) const {
  return b.CreateTrunc(
      b.CreateAnd(b.CreateLShr(descriptor, first), (uint64_t(1) << width) - 1),
      b.getInt32Ty());
}

/// Offsets are from the beginning of dynamic shared memory. There patterns of swizzles
/// begin, as with NVIDIA's devices, where it is aligned to their 1024 bytes.
SharedMatrix::SharedMatrix(Emitter &e, Value *descriptor, bool isTransposed)
    : e(e), b(e.b), descriptor(descriptor), isTransposed(isTransposed) {
  constexpr uint32_t window = 1 << 18; // the lowest bits of an address
  Value *low =
      b.CreateTrunc(b.CreatePtrToInt(dynamicShared(e), b.getInt64Ty()), b.getInt32Ty());
  Value *before = b.getInt32(static_cast<uint32_t>(bytesBefore(e.body.module())));
  Value *distance = b.CreateSub(b.CreateShl(field(0, 14), 4), low);
  start = b.CreateSub(b.CreateAnd(b.CreateAdd(distance, before), window - 1), before);
  leading = b.CreateShl(field(16, 14), 4);
  stride = b.CreateShl(field(32, 14), 4);
  moved = b.CreateShl(field(49, 3), 7);
  // Units of 16 bytes that lie side by side: 1, 8, 4 or 2.
  Value *swizzle = field(62, 2);
  isPlain = b.CreateIsNull(swizzle);
  pitch = b.CreateSelect(isPlain, b.getInt32(1), b.CreateLShr(b.getInt32(16), swizzle));
  mask = b.CreateShl(b.CreateSub(pitch, b.getInt32(1)), 4);
}

Value *SharedMatrix::pointerTo(Value *offset) const {
  offset = b.CreateAdd(start, offset);
  Value *pattern = b.CreateLShr(b.CreateSub(offset, moved), 3);
  offset = b.CreateXor(offset, b.CreateAnd(pattern, mask));
  return b.CreatePtrAdd(dynamicShared(e), b.CreateSExt(offset, b.getInt64Ty()));
}

/// Lines lie along memory: groups of 8 lines are `stride` apart.
Value *SharedMatrix::alongLines(Value *line, unsigned chunk, Value *inner) const {
  Value *offset = b.CreateMul(b.CreateShl(b.CreateAnd(line, 7), 4), pitch);
  offset = b.CreateAdd(offset, b.CreateMul(b.CreateLShr(line, 3), stride));
  if (chunk)
    offset = b.CreateAdd(offset, b.CreateSelect(isPlain, leading, b.getInt32(16)));
  return b.CreateAdd(offset, inner);
}

/// Lines lie across memory: neighbours there are elements of 16 bits of 8 lines.
Value *SharedMatrix::acrossLines(Value *line, Value *element) const {
  Value *chunk = b.CreateLShr(line, 3);
  Value *beside = b.CreateURem(chunk, pitch), *group = b.CreateUDiv(chunk, pitch);
  // Without a swizzle the two distances change places.
  Value *forGroup = b.CreateSelect(isPlain, stride, leading);
  Value *forEight = b.CreateSelect(isPlain, leading, stride);
  Value *offset = b.CreateAdd(b.CreateShl(beside, 4), b.CreateMul(group, forGroup));
  Value *inEight = b.CreateMul(b.CreateShl(b.CreateAnd(element, 7), 4), pitch);
  offset = b.CreateAdd(offset, inEight);
  offset = b.CreateAdd(offset, b.CreateMul(b.CreateLShr(element, 3), forEight));
  return b.CreateAdd(offset, b.CreateShl(b.CreateAnd(line, 7), 1));
}

Value *SharedMatrix::loadWord(Value *line, unsigned chunk, Value *inner) const {
  if (!isTransposed)
    return b.CreateAlignedLoad(b.getInt32Ty(), pointerTo(alongLines(line, chunk, inner)),
                               Align(4));
  Value *element = b.CreateAdd(b.CreateLShr(inner, 1), b.getInt32(chunk * 8));
  Value *word = nullptr;
  for (unsigned half = 2; half-- > 0;) {
    Value *own = b.CreateAdd(element, b.getInt32(half));
    Value *loaded = b.CreateZExt(
        b.CreateAlignedLoad(b.getInt16Ty(), pointerTo(acrossLines(line, own)), Align(2)),
        b.getInt32Ty());
    word = word ? b.CreateOr(b.CreateShl(word, 16), loaded) : loaded;
  }
  return word;
}

namespace {

class WarpgroupProduct {
public:
  explicit WarpgroupProduct(Emitter &e);
  void emit();

private:
  bool readModifiers();
  bool readConstants();
  SmallVector<Value *> registersOfA();
  SmallVector<Value *> negated(SmallVector<Value *> registers) const;
  Value *laneGroup() { return b.CreateLShr(lane, 2); }
  Value *laneInner() { return b.CreateShl(b.CreateAnd(lane, 3), 2); }

  Emitter &e;
  IRBuilder<> &b;
  MatrixProduct tile; ///< Of a warp and 8 columns.
  unsigned columns = 0;
  bool isNegated = false, isATransposed = false, isBTransposed = false;
  Value *lane = nullptr;
};

WarpgroupProduct::WarpgroupProduct(Emitter &e) : e(e), b(e.b) {}

bool WarpgroupProduct::readModifiers() {
  SmallVector<ir::MatrixType *> types{&tile.d, &tile.a, &tile.b};
  auto *next = types.begin();
  MatrixProduct whole;
  for (StringRef word : e.instruction.modifiers)
    if (auto type = ir::symbolizeMatrixType(word); type && next != types.end())
      **next++ = *type;
    else
      (void)readShape(word, whole);
  tile.m = 16, tile.n = 8, tile.k = whole.k, tile.c = tile.d;
  columns = whole.n;
  tile.saturates = e.has("satfinite");
  if (e.has("popc"))
    tile.kind = ir::MatrixKind::AndCount;
  const bool isShape =
      whole.m == 64 && columns % 8 == 0 && columns >= 8 && columns <= 256;
  // Lines of A and B have 32 bytes.
  if (isShape && tile.form() && tile.form()->registersOfA() == 4)
    return true;
  e.fail("the types do not have this shape");
  return false;
}

/// Behind the predicate: signs of A and B, and which of those in memory are transposed.
bool WarpgroupProduct::readConstants() {
  SmallVector<uint64_t> values;
  for (unsigned i = 4; i < e.count(); ++i)
    values.push_back(e.constant(i));
  const bool isAInMemory = e.operand(1).kind != Operand::Kind::Vector;
  const bool is16Bits = tile.a == ir::MatrixType::F16 || tile.a == ir::MatrixType::BF16;
  const bool hasSigns =
      tile.form()->registerBits() == 32 && tile.d != ir::MatrixType::S32;
  const size_t expected = (hasSigns ? 2 : 0) + (is16Bits ? (isAInMemory ? 2 : 1) : 0);
  bool isValid = values.size() == expected;
  for (auto [index, value] : enumerate(values))
    isValid &= hasSigns && index < 2 ? value == 1 || value == ~uint64_t(0) : value <= 1;
  if (!isValid) {
    e.fail("found other constants than " + Twine(expected) +
           ": signs that are 1 or -1, transpositions that are 0 or 1");
    return false;
  }
  if (hasSigns)
    isNegated = values[0] != values[1];
  if (is16Bits) {
    isBTransposed = values.back() == 1;
    isATransposed = isAInMemory && values[2] == 1;
  }
  return true;
}

SmallVector<Value *> WarpgroupProduct::negated(SmallVector<Value *> registers) const {
  if (!isNegated)
    return registers;
  uint32_t signs = 0x80000000;
  if (tile.a == ir::MatrixType::F16 || tile.a == ir::MatrixType::BF16)
    signs = 0x80008000;
  else if (tile.a != ir::MatrixType::TF32)
    signs = 0x80808080;
  for (Value *&value : registers)
    value = b.CreateXor(value, signs);
  return registers;
}

SmallVector<Value *> WarpgroupProduct::registersOfA() {
  constexpr unsigned count = 4;
  if (e.operand(1).kind == Operand::Kind::Vector) {
    if (!hasParts(e, 1, count))
      return {};
    return negated(readParts(e, 1, 32));
  }
  const SharedMatrix matrix(e, e.bits(1, 64), isATransposed);
  // The block's threads are numbered by x, then y, then z.
  auto read = [&](Intrinsic::ID id) { return b.CreateIntrinsic(id, {}); };
  Value *plane = b.CreateAdd(b.CreateMul(read(Intrinsic::nvvm_read_ptx_sreg_tid_z),
                                         read(Intrinsic::nvvm_read_ptx_sreg_ntid_y)),
                             read(Intrinsic::nvvm_read_ptx_sreg_tid_y));
  Value *thread =
      b.CreateAdd(b.CreateMul(plane, read(Intrinsic::nvvm_read_ptx_sreg_ntid_x)),
                  read(Intrinsic::nvvm_read_ptx_sreg_tid_x));
  Value *warp = b.CreateAnd(b.CreateLShr(thread, 5), 3);
  Value *row = b.CreateAdd(b.CreateShl(warp, 4), laneGroup());
  SmallVector<Value *> registers;
  for (unsigned i = 0; i < count; ++i)
    registers.push_back(
        matrix.loadWord(b.CreateAdd(row, b.getInt32((i & 1) * 8)), i / 2, laneInner()));
  return negated(registers);
}

void WarpgroupProduct::emit() {
  if (!readModifiers() || !readConstants())
    return;
  const unsigned sums = tile.form()->registersOfSum(tile.d);
  if (!hasParts(e, 0, columns / 8 * sums))
    return;
  lane = b.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
  const SmallVector<Value *> a = registersOfA();
  if (a.empty())
    return;
  const SharedMatrix matrix(e, e.bits(2, 64), isBTransposed);
  Value *isAdded = e.predicate(3);
  ArrayRef<Operand> d = partsOf(e.operand(0));
  for (unsigned first = 0; first < columns; first += 8) {
    Value *column = b.CreateAdd(laneGroup(), b.getInt32(first));
    SmallVector<Value *> registers = a;
    for (unsigned chunk = 0; chunk < 2; ++chunk)
      registers.push_back(matrix.loadWord(column, chunk, laneInner()));
    const ArrayRef<Operand> own = d.slice(first / 8 * sums, sums);
    for (const Operand &part : own)
      registers.push_back(
          b.CreateSelect(isAdded, e.source(part, ptx::Type::ofBits(32)), b.getInt32(0)));
    for (auto [part, value] : zip(own, multiplyMatrices(e, tile, registers)))
      e.result(part, value);
  }
}

} // namespace

void het::ptx::emitWarpgroupMultiply(Emitter &e) { WarpgroupProduct(e).emit(); }
