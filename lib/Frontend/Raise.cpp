// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks an imported module and raises each call and intrinsic, by the file of its kind.

#include "Raise.h"
#include "LibraryCalls.h"
#include "Locations.h"
#include "Messages.h"
#include "ModuleInfo.h"
#include "het/IR/Textures.h"
#include "het/Transforms/Frame.h"
#include "het/Transforms/WaitingLoops.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Demangle/Demangle.h"

using namespace het;
using namespace mlir;

//===----------------------------------------------------------------------===//
// RaisedCall
//===----------------------------------------------------------------------===//

Value RaisedCall::constant(int32_t value) {
  return LLVM::ConstantOp::create(builder, builder.getI32Type(),
                                  builder.getI32IntegerAttr(value));
}

std::optional<int64_t> RaisedCall::constantArgument(unsigned index) const {
  auto constant = arguments[index].getDefiningOp<LLVM::ConstantOp>();
  if (!constant)
    return std::nullopt;
  if (auto number = dyn_cast<IntegerAttr>(constant.getValue()))
    return number.getInt();
  return std::nullopt;
}

Value RaisedCall::predicate(unsigned index) {
  Value value = arguments[index];
  if (value.getType().isInteger(1))
    return value;
  Value zero = LLVM::ConstantOp::create(builder, value.getType(),
                                        builder.getIntegerAttr(value.getType(), 0));
  return LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ne, value, zero);
}

Value RaisedCall::fromPredicate(Value predicate) {
  if (type() == predicate.getType())
    return predicate;
  return LLVM::ZExtOp::create(builder, type(), predicate);
}

Value RaisedCall::pack(Value first, Value second) {
  Value result = LLVM::PoisonOp::create(builder, type());
  result = LLVM::InsertValueOp::create(builder, result, first, ArrayRef<int64_t>{0});
  return LLVM::InsertValueOp::create(builder, result, second, ArrayRef<int64_t>{1});
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {

const RaiseTable &raiseTable() {
  static const RaiseTable table = [] {
    RaiseTable filled;
    addPositionRaises(filled);
    addTeamRaises(filled);
    addMemoryRaises(filled);
    addSystemRaises(filled);
    return filled;
  }();
  return table;
}

} // namespace

bool het::isKnownFunction(StringRef name) {
  return name.starts_with("llvm.") || name.starts_with(mathMarkerPrefix) ||
         name.starts_with("__nv_") || raiseTable().contains(name);
}

namespace {

class Raiser {
public:
  Raiser(ModuleOp module, Messages &messages)
      : module(module), symbols(module), messages(messages) {}

  LogicalResult run() {
    findDynamicShared();
    SmallVector<Operation *> work;
    module.walk([&](Operation *op) {
      if (isa<LLVM::CallOp, LLVM::CallIntrinsicOp, LLVM::InlineAsmOp, LLVM::Trap,
              LLVM::DebugTrap, LLVM::AddressOfOp, LLVM::AtomicRMWOp,
              LLVM::AtomicCmpXchgOp, LLVM::LoadOp, LLVM::StoreOp, LLVM::FenceOp>(op))
        work.push_back(op);
    });
    for (Operation *op : work)
      raise(op);
    return failure(failed);
  }

private:
  void raise(Operation *op);
  void raiseCall(LLVM::CallOp call);
  void raiseIntrinsic(LLVM::CallIntrinsicOp call);
  void raiseMath(LLVM::CallOp call, StringRef marker);
  void raiseAddress(LLVM::AddressOfOp address);
  void raiseScope(Operation *op);
  void finish(RaisedCall &call, RaiseResult result, const Twine &what);
  void findDynamicShared();

  void error(Operation *op, const Twine &text) {
    failed = true;
    showAt(messages, Severity::Error, op->getLoc(), text);
  }

  ModuleOp module;
  SymbolTable symbols;
  Messages &messages;
  llvm::StringSet<> dynamicShared;
  bool failed = false;
};

/// A thing's name as the user would write it: C++ names are shown demangled.
std::string shown(StringRef name) {
  return llvm::demangle(std::string_view(name.data(), name.size()));
}

void Raiser::finish(RaisedCall &call, RaiseResult result, const Twine &what) {
  if (auto *reason = std::get_if<std::string>(&result)) {
    error(call.op, what + ": " + *reason);
    return;
  }
  Value value = std::get<Value>(result);
  if (call.op->getNumResults())
    call.op->getResult(0).replaceAllUsesWith(value);
  call.op->erase();
}

/// het.math.<function>.<exact|approx>.<types>
void Raiser::raiseMath(LLVM::CallOp call, StringRef marker) {
  auto [function, rest] = marker.split('.');
  auto accuracy = rest.starts_with("approx") ? ir::Accuracy::Approx : ir::Accuracy::Exact;
  OpBuilder builder(call);
  auto math = ir::MathOp::create(builder, call.getLoc(), call.getResultTypes(),
                                 builder.getStringAttr(function), accuracy,
                                 call.getArgOperands());
  call->replaceAllUsesWith(math);
  call.erase();
}

void Raiser::raiseCall(LLVM::CallOp call) {
  std::optional<StringRef> callee = call.getCallee();
  if (!callee)
    return; // Through a pointer: a function of this module.
  auto function = symbols.lookup<LLVM::LLVMFuncOp>(*callee);
  if (function && !function.isExternal())
    return;
  StringRef name = *callee;
  if (name.consume_front(mathMarkerPrefix))
    return raiseMath(call, name);
  auto handler = raiseTable().find(*callee);
  if (handler != raiseTable().end()) {
    RaisedCall raised(call, call.getArgOperands());
    return finish(raised, handler->second(raised), "'" + shown(*callee) + "'");
  }
  if (callee->starts_with("__nv_"))
    return error(call, "the device function '" + callee->drop_front(5) +
                           "' is not supported yet");
  error(call, "'" + shown(*callee) +
                  "' is called but not defined in this file; compile it and the "
                  "file that defines it with -rdc=true");
}

void Raiser::raiseIntrinsic(LLVM::CallIntrinsicOp call) {
  StringRef name = call.getIntrin();
  RaisedCall raised(call, call.getArgs());
  // An overloaded intrinsic's types stand behind its name.
  for (StringRef stem = name; !stem.empty(); stem = stem.rsplit('.').first) {
    auto handler = raiseTable().find(stem);
    if (handler != raiseTable().end())
      return finish(raised, handler->second(raised), "'" + name + "'");
    if (!stem.contains('.'))
      break;
  }
  if (name.starts_with("llvm.nvvm."))
    error(call, "'" + name + "' has no meaning in hetIR yet");
}

//===----------------------------------------------------------------------===//
// Shared memory and scopes
//===----------------------------------------------------------------------===//

void Raiser::findDynamicShared() {
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (global.getAddrSpace() == ir::sharedSpace && !global.getValueOrNull() &&
        global.getInitializerRegion().empty() &&
        global.getLinkage() == LLVM::Linkage::External)
      dynamicShared.insert(global.getSymName());
}

void Raiser::raiseAddress(LLVM::AddressOfOp address) {
  if (!dynamicShared.contains(address.getGlobalName()))
    return;
  OpBuilder builder(address);
  auto shared = ir::DynamicSharedOp::create(builder, address.getLoc(), address.getType());
  address->replaceAllUsesWith(shared);
  address.erase();
}

/// The name of a scope in hetIR; nothing if it has none there.
std::optional<StringRef> scopeName(StringRef scope) {
  return llvm::StringSwitch<std::optional<StringRef>>(scope)
      .Cases({"", "sys", "system", "one-as"}, "")
      .Cases({"device", "agent", "gpu", "gl", "cluster"}, "device")
      .Cases({"block", "workgroup", "cta"}, "block")
      .Cases({"warp", "wavefront", "subgroup", "team"}, "team")
      .Case("singlethread", "singlethread")
      .Default(std::nullopt);
}

void Raiser::raiseScope(Operation *op) {
  auto scope = op->getAttrOfType<StringAttr>("syncscope");
  if (!scope)
    return;
  std::optional<StringRef> name = scopeName(scope.getValue());
  if (!name)
    return error(op, "the scope '" + scope.getValue() +
                         "' of an atomic operation has no meaning in hetIR");
  if (name->empty())
    op->removeAttr("syncscope");
  else
    op->setAttr("syncscope", StringAttr::get(op->getContext(), *name));
}

void Raiser::raise(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return raiseCall(call);
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return raiseIntrinsic(call);
  if (auto address = dyn_cast<LLVM::AddressOfOp>(op))
    return raiseAddress(address);
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op)) {
    RaisedCall raised(op, assembly.getOperands());
    return finish(raised, raiseInlineAssembly(raised), "inline assembly");
  }
  if (isa<LLVM::Trap, LLVM::DebugTrap>(op)) {
    OpBuilder builder(op);
    ir::TrapOp::create(builder, op->getLoc());
    op->erase();
    return;
  }
  raiseScope(op);
}

//===----------------------------------------------------------------------===//
// Functions and module
//===----------------------------------------------------------------------===//

/// Launch bounds as a dictionary; null if there are none.
DictionaryAttr launchBounds(LLVM::LLVMFuncOp kernel) {
  Builder builder(kernel.getContext());
  SmallVector<NamedAttribute> bounds;
  ArrayAttr attributes = kernel.getPassthroughAttr();
  for (Attribute attribute : attributes ? attributes.getValue() : ArrayRef<Attribute>()) {
    auto pair = dyn_cast<ArrayAttr>(attribute);
    if (!pair || pair.size() != 2)
      continue;
    StringRef key = cast<StringAttr>(pair[0]).getValue();
    StringRef name = llvm::StringSwitch<StringRef>(key)
                         .Case("nvvm.maxntid", "max_threads")
                         .Case("nvvm.minctasm", "min_blocks")
                         .Default("");
    if (name.empty())
      continue;
    int32_t product = 1;
    SmallVector<StringRef> parts;
    cast<StringAttr>(pair[1]).getValue().split(parts, ',');
    for (StringRef part : parts) {
      int32_t number = 1;
      if (!part.trim().getAsInteger(10, number))
        product *= number;
    }
    bounds.push_back(builder.getNamedAttr(name, builder.getI32IntegerAttr(product)));
  }
  return bounds.empty() ? DictionaryAttr() : builder.getDictionaryAttr(bounds);
}

void cleanFunction(LLVM::LLVMFuncOp function) {
  if (function.getCConv() == LLVM::CConv::PTX_Kernel) {
    function->setAttr(ir::kernelAttrName, UnitAttr::get(function.getContext()));
    if (DictionaryAttr bounds = launchBounds(function))
      function->setAttr(ir::infoAttrName, bounds);
    function.removeNoInlineAttr();
  }
  function.setCConv(LLVM::CConv::C);
  if (ArrayAttr attributes = function.getPassthroughAttr();
      attributes && llvm::is_contained(attributes, StringAttr::get(function.getContext(),
                                                                   textureCodeAttribute)))
    function->setAttr(ir::textureCodeAttrName, UnitAttr::get(function.getContext()));
  function.removePassthroughAttr();
  function.removeTargetCpuAttr();
  function.removeTargetFeaturesAttr();
  function.removeTuneCpuAttr();
  function.removeComdatAttr();
  function.removeFramePointerAttr();
  function.removeUnnamedAddrAttr();
  function.removeConvergentAttr();
  function.setDsoLocal(false);
}

void cleanModule(ModuleOp module) {
  for (StringRef name : {LLVM::LLVMDialect::getTargetTripleAttrName(),
                         LLVM::LLVMDialect::getModuleLevelAsmAttrName(),
                         StringRef("llvm.ident"), StringRef("llvm.commandline")})
    module->removeAttr(name);
  ir::setDataLayout(module);
  module->setAttr(
      ir::versionAttrName,
      StringAttr::get(module.getContext(), std::to_string(ir::dialectMajor) + "." +
                                               std::to_string(ir::dialectMinor)));
  for (Operation &op : llvm::make_early_inc_range(module.getOps())) {
    if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op)) {
      if (function.isExternal())
        op.erase();
      else
        cleanFunction(function);
    } else if (auto global = dyn_cast<LLVM::GlobalOp>(op)) {
      global.setDsoLocal(false);
      global.removeComdatAttr();
    } else {
      op.erase(); // Module flags, comdats and the like.
    }
  }
}

} // namespace

/// Kernels are cut where threads meet; a function that could not be inlined into
/// its kernels is in the way.
static LogicalResult checkSyncPoints(ModuleOp module, Messages &messages) {
  bool found = false;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (ir::isKernel(function))
      continue;
    function.walk([&](Operation *op) {
      if (!ir::isSyncPoint(op))
        return;
      found = true;
      showAt(messages, Severity::Error, op->getLoc(),
             "threads meet here in '" + shown(function.getName()) +
                 "', which is recursive; that is "
                 "not supported yet");
    });
  }
  return failure(found);
}

/// Where threads run one after another, kernels alone can let others run.
static void warnOfWaitingLoops(ModuleOp module, Messages &messages) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (ir::isKernel(function))
      continue;
    if (Operation *loop = transforms::findWaitingLoop(function))
      showAt(messages, Severity::Warning, loop->getLoc(),
             "a loop waits for other threads here in '" + shown(function.getName()) +
                 "', which is recursive; only devices whose threads make progress "
                 "independently of each other take kernels that call it");
  }
}

/// Local and shared objects are at places that a target chooses; parameters are copied
/// to such places.
static LogicalResult checkAlignments(ModuleOp module, Messages &messages) {
  bool found = false;
  auto check = [&](Location place, uint64_t alignment, const Twine &object) {
    if (alignment <= transforms::maxAlignment)
      return;
    found = true;
    showAt(messages, Severity::Error, place,
           object + " is aligned to " + Twine(alignment) + " bytes; more than " +
               Twine(transforms::maxAlignment) + " is not supported yet");
  };
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (global.getAddrSpace() == ir::sharedSpace)
      check(global.getLoc(), global.getAlignment().value_or(1),
            "the shared object '" + shown(global.getSymName()) + "'");
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (auto alignment = function.getArgAttrOfType<IntegerAttr>(
              i, LLVM::LLVMDialect::getAlignAttrName());
          alignment && function.getArgAttr(i, LLVM::LLVMDialect::getByValAttrName()))
        check(function.getLoc(), alignment.getInt(),
              "parameter " + Twine(i + 1) + " of '" + shown(function.getName()) + "'");
    function.walk([&](LLVM::AllocaOp object) {
      check(function.getLoc(), object.getAlignment().value_or(1),
            "a local object of '" + shown(function.getName()) + "'");
    });
  }
  return failure(found);
}

/// A thread's frame has room for each local object once, and its size must be known.
static LogicalResult checkLocalObjects(ModuleOp module, Messages &messages) {
  bool found = false;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    function.walk([&](LLVM::AllocaOp object) {
      if (transforms::isOfFrame(object))
        return;
      found = true;
      const bool isConstant = matchPattern(object.getArraySize(), m_Constant());
      showAt(messages, Severity::Error, object.getLoc(),
             "a local object of '" + shown(function.getName()) +
                 (isConstant
                      ? "': found alloca in a loop that may look at the objects of "
                        "earlier rounds, expected one object; call alloca before the loop"
                      : "': found alloca of a size that varies, expected a constant; "
                        "use the largest size that there can be"));
    });
  return failure(found);
}

LogicalResult het::raiseModule(ModuleOp module, Messages &messages) {
  if (failed(Raiser(module, messages).run()))
    return failure();
  cleanModule(module);
  warnOfWaitingLoops(module, messages);
  const bool points = succeeded(checkSyncPoints(module, messages));
  const bool alignments = succeeded(checkAlignments(module, messages));
  const bool objects = succeeded(checkLocalObjects(module, messages));
  return success(points && alignments && objects);
}
