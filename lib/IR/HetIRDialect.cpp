// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect: registration, versions, operations' own checks.

#include "het/IR/FlushedArithmetic.h"
#include "het/IR/Module.h"
#include "het/IR/Textures.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include "het/IR/HetIRDialect.cpp.inc"
#include "het/IR/HetIREnums.cpp.inc"
#include "het/IR/HetIRInterfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "het/IR/HetIRAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "het/IR/HetIROps.cpp.inc"

using namespace mlir;

namespace het::ir {
namespace {

struct Version : DialectVersion {
  Version(uint64_t major, uint64_t minor) : major(major), minor(minor) {}
  uint64_t major, minor;
};

/// Writes the dialect's version into bytecode, and refuses newer ones.
struct VersionInterface : BytecodeDialectInterface {
  explicit VersionInterface(Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const override {
    writer.writeVarInt(dialectMajor);
    writer.writeVarInt(dialectMinor);
  }

  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const override {
    uint64_t major, minor;
    if (failed(reader.readVarInt(major)) || failed(reader.readVarInt(minor)))
      return nullptr;
    if (major > dialectMajor || (major == dialectMajor && minor > dialectMinor)) {
      reader.emitError() << "hetIR version: found " << major << "." << minor
                         << ", expected at most " << dialectMajor << "." << dialectMinor
                         << "; update hetcc's runtime";
      return nullptr;
    }
    return std::make_unique<Version>(major, minor);
  }

  LogicalResult upgradeFromVersion(Operation *, const DialectVersion &) const override {
    return success(); // 0.1 is the first
  }
};

} // namespace

void HetIRDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "het/IR/HetIRAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "het/IR/HetIROps.cpp.inc"
      >();
  addInterface<VersionInterface>();
}

/// Whether a module's `hetir.version` is one that this dialect can read.
static LogicalResult verifyVersion(Operation *op, Attribute attribute) {
  auto text = dyn_cast<StringAttr>(attribute);
  unsigned major = 0, minor = 0;
  auto [majorText, minorText] = (text ? text.getValue() : StringRef()).split('.');
  if (majorText.getAsInteger(10, major) || minorText.getAsInteger(10, minor))
    return op->emitError() << "'" << versionAttrName << "': found " << attribute
                           << ", expected \"<major>.<minor>\"";
  if (std::pair(major, minor) > std::pair(dialectMajor, dialectMinor))
    return op->emitError() << "hetIR version: found " << major << "." << minor
                           << ", expected at most " << dialectMajor << "." << dialectMinor
                           << "; update hetcc's runtime";
  return success();
}

LogicalResult HetIRDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kernelAttrName && !isa<LLVM::LLVMFuncOp>(op))
    return op->emitError() << "'" << name << "' belongs on a function";
  if (name == textureCodeAttrName && !isa<LLVM::LLVMFuncOp>(op))
    return op->emitError() << "'" << name << "' belongs on a function";
  if (name == variableAttrName && !isa<LLVM::GlobalOp>(op))
    return op->emitError() << "'" << name << "' belongs on a global";
  if (name == alignedAttrName && syncScope(op) != SyncScope::Block)
    return op->emitError() << "'" << name << "' belongs on a barrier of a block";
  if (name == copyAttrName && !isa<LLVM::StoreOp>(op))
    return op->emitError() << "'" << name << "' belongs on a store";
  bool ofModule =
      name == versionAttrName || name == lineInfoAttrName || name == nativeMathAttrName;
  if (ofModule && !isa<ModuleOp>(op))
    return op->emitError() << "'" << name << "' belongs on a module";
  if (name == lineInfoAttrName && !isa<StringAttr>(attribute.getValue()))
    return op->emitError() << "'" << name << "' is a folder's name";
  if (name == versionAttrName)
    return verifyVersion(op, attribute.getValue());
  if (name == slotsAttrName && !isa<SafePointOp>(op))
    return op->emitError() << "'" << name << "' belongs on a safe point";
  auto text = dyn_cast<StringAttr>(attribute.getValue());
  if (name == safePointsAttrName &&
      (!text || (text != noSafePoints && text != safePointsAtBarriers)))
    return op->emitError() << "'" << name << "': found " << attribute.getValue()
                           << ", expected \"" << noSafePoints << "\" or \""
                           << safePointsAtBarriers << "\"";
  if (name == copyAttrName && (!text || (text != "ca" && text != "cg")))
    return op->emitError() << "'" << name << "': found " << attribute.getValue()
                           << ", expected \"ca\" or \"cg\"";
  if (name == uniformAttrName && !isa<LevelAttr>(attribute.getValue()))
    return op->emitError() << "'" << name << "' is a level";
  return success();
}

LogicalResult BarrierOp::verify() {
  return getId() <= 15 ? success() : emitOpError("has an id above 15");
}

/// Operands of functions that flush and are operations otherwise; others the device
/// library knows.
static bool fits(MathOp op) {
  StringRef function = op.getFunction();
  const bool isNarrowing = function == "float_ftz";
  unsigned count = function == flushFunction || isNarrowing ? 1 : 0;
  if (function.consume_back(flushSuffix) && !isNarrowing)
    if (const FlushedOperation *known = findFlushedOperation(function))
      count = known->operands;
  return count == 0 || (op.getArguments().size() == count && op.getType().isF32() &&
                        llvm::all_of(op.getArguments().getTypes(), [&](Type type) {
                          return isNarrowing ? type.isF64() : type.isF32();
                        }));
}

LogicalResult MathOp::verify() {
  if (getFunction().empty())
    return emitOpError("names no function");
  return fits(*this) ? success()
                     : emitOpError("found other operands or another result than '")
                           << getFunction() << "' has";
}

LogicalResult TextureFetchOp::verify() {
  TypeRange types = getCoordinates().getTypes();
  const bool isNumber = types.size() == 1 && types[0].isInteger();
  const bool isPlace = types.size() == 2 && types[0].isF32() && types[1].isF32();
  return isNumber || isPlace ? success()
                             : emitOpError("found coordinates (")
                                   << types << "), expected one i32 or two f32";
}

LogicalResult ClockOp::verify() {
  unsigned width = getKind() == ClockKind::Cycles32 ? 32 : 64;
  return getType().isInteger(width)
             ? success()
             : emitOpError("has a result of another width than its clock's");
}

LogicalResult SafePointOp::verify() {
  auto slots = (*this)->getAttrOfType<DenseI32ArrayAttr>(slotsAttrName);
  if (slots && slots.size() != static_cast<int64_t>(getLive().size()))
    return emitOpError("has ") << slots.size() << " slots for " << getLive().size()
                               << " live values";
  return success();
}

Operation *SafePointOp::getSyncPoint() {
  Operation *next = getOperation()->getNextNode();
  switch (getReason()) {
  case SafePointReason::Barrier:
  case SafePointReason::Team:
    return isSyncPoint(next) ? next : nullptr;
  case SafePointReason::Poll: // without a barrier, threads poll one by one
    return isa<BarrierOp>(next) ? next : nullptr;
  default:
    return nullptr;
  }
}

bool namesAllLanes(Value mask) {
  APInt lanes;
  return matchPattern(mask, m_ConstantInt(&lanes)) && lanes.isAllOnes();
}

/// Lanes with different masks get different answers.
static Level levelOfTeamResult(Value mask) {
  return namesAllLanes(mask) ? Level::Team : Level::Divergent;
}

Level BallotOp::inferResultLevel(unsigned, ArrayRef<Level>) {
  return levelOfTeamResult(getMask());
}

Level VoteOp::inferResultLevel(unsigned, ArrayRef<Level>) {
  return levelOfTeamResult(getMask());
}

Level TeamReduceOp::inferResultLevel(unsigned, ArrayRef<Level>) {
  return levelOfTeamResult(getMask());
}

bool isKernel(LLVM::LLVMFuncOp function) { return function->hasAttr(kernelAttrName); }

SyncScope syncScope(Operation *op) {
  auto sync = dyn_cast<SyncPointOpInterface>(op);
  return sync ? sync.getSyncScope() : SyncScope::None;
}

bool isSyncPoint(Operation *op) { return isa<SyncPointOpInterface>(op); }

bool isWholeBarrier(Operation *op) {
  auto sync = dyn_cast<SyncPointOpInterface>(op);
  return sync && sync.isWholeBarrier();
}

bool usesCluster(Operation *op) {
  if (auto barrier = dyn_cast<GridBarrierOp>(op))
    return barrier.getCluster();
  return isa<ClusterDimOp, ClusterGivenOp, ClusterArriveOp, ClusterMapOp, ClusterRankOp,
             ClusterAddressOp, ClusterPointerOp>(op);
}

static std::string suffixOf(Type type) {
  if (isa<BFloat16Type>(type))
    return "bf16";
  if (isa<FloatType>(type))
    return "f" + std::to_string(type.getIntOrFloatBitWidth());
  if (isa<IntegerType>(type))
    return "i" + std::to_string(type.getIntOrFloatBitWidth());
  return "ptr";
}

std::string deviceLibraryName(MathOp op) {
  Type type = op->getNumOperands() ? op->getOperand(0).getType() : op.getType();
  // The type that names the function is the floating-point one, where there is one.
  for (Type operand : op->getOperandTypes())
    if (isa<FloatType>(operand)) {
      type = operand;
      break;
    }
  std::string name = "__het_" + op.getFunction().str();
  if (op.getAccuracy() == Accuracy::Approx)
    name += "_approx";
  return name + "_" + suffixOf(type);
}

void registerAllHetDialects(DialectRegistry &registry) {
  registry.insert<HetIRDialect, LLVM::LLVMDialect, DLTIDialect, BuiltinDialect>();
}

LogicalResult writeBytecode(ModuleOp module, llvm::raw_ostream &out) {
  std::string producer = llvm::formatv("hetIR {0}.{1}", dialectMajor, dialectMinor).str();
  BytecodeWriterConfig config(producer);
  return writeBytecodeToFile(module, out, config);
}

} // namespace het::ir
