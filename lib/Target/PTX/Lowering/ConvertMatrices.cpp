// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on matrices: the machine's instructions, as assembly, since LLVM has
// intrinsics for some only. Where the machine lacks one, the device library's function
// for a lane (runtime/devicelib/matrix_lanes.c).
//
// Source: PTX ISA, "Warp-level Matrix Instructions".

#include "../../Support/Lowering/TargetLowering.h"
#include "ConvertToPTX.h"
#include "Passes.h"
#include "het/IR/Matrix.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace mlir;

namespace het::ptx {
namespace {

/// Whether the machine has an instruction; otherwise what it needs.
struct Need {
  unsigned capability, version;
  bool isMetBy(const Machine &machine) const {
    return machine.capability >= capability && machine.version >= version;
  }
};

constexpr Need loadNeed{75, 65};

Need needOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Need>(op)
      .Case([](ir::MatrixMultiplyOp multiply) -> Need {
        const ir::MatrixForm &form = ir::matrixForm(multiply);
        const bool isAnd = multiply.getKind() == ir::MatrixKind::AndCount;
        const bool isHalfSum =
            form.elements == "f8" && (multiply.getCType() == ir::MatrixType::F16 ||
                                      multiply.getDType() == ir::MatrixType::F16);
        return {isAnd ? std::max(form.capability, 80u) : form.capability,
                std::max(form.version, isHalfSum ? 87u
                                       : isAnd   ? 71u
                                                 : 0u)};
      })
      .Case([](ir::MatrixStoreOp) -> Need { return {90, 78}; })
      .Case([](ir::MatrixTransposeOp) -> Need { return {75, 78}; })
      .Default(loadNeed);
}

class MatrixConverter {
public:
  explicit MatrixConverter(Operation *op) : op(op), builder(op->getLoc(), op) {}

  void run();

private:
  /// Appends registers to the text's operands, as values of a type.
  void addInputs(ValueRange values, Type type, StringRef open = "{",
                 StringRef close = "}");
  void addAddress(Value pointer);
  void addResults(unsigned count, Type type);
  SmallVector<Value> emit(const Twine &instruction, bool touchesMemory);
  void replaceBy(ValueRange values);
  void replace(const Twine &instruction, bool touchesMemory) {
    replaceBy(emit(instruction, touchesMemory));
  }

  void multiply(ir::MatrixMultiplyOp multiply);
  SmallVector<Value> widen(ValueRange halves);
  SmallVector<Value> narrow(ValueRange floats);
  Type typeOf(ir::MatrixType type, const ir::MatrixForm &form);

  Operation *op;
  ImplicitLocOpBuilder builder;
  SmallVector<std::string> texts, constraints; ///< In the order of the text.
  SmallVector<Value> inputs;
  SmallVector<Type> results;
  unsigned next = 0; ///< The next operand's number.
};

StringRef letterOf(Type type) {
  return type.isF32() ? "f" : type.isF64() ? "d" : type.isInteger(32) ? "r" : "l";
}

void MatrixConverter::addInputs(ValueRange values, Type type, StringRef open,
                                StringRef close) {
  SmallVector<std::string> numbers;
  for (Value value : values) {
    if (value.getType() != type)
      value = LLVM::BitcastOp::create(builder, type, value);
    inputs.push_back(value);
    constraints.push_back(letterOf(type).str());
    numbers.push_back("$" + std::to_string(next++));
  }
  texts.push_back((open + llvm::join(numbers, ", ") + close).str());
}

/// An address in the space of `op`'s pointer.
void MatrixConverter::addAddress(Value pointer) {
  Value address = LLVM::PtrToIntOp::create(builder, builder.getI64Type(), pointer);
  addInputs(address, address.getType(), "[", "]");
}

void MatrixConverter::addResults(unsigned count, Type type) {
  SmallVector<std::string> numbers;
  for (unsigned i = 0; i < count; ++i) {
    results.push_back(type);
    constraints.push_back("=" + letterOf(type).str());
    numbers.push_back("$" + std::to_string(next++));
  }
  texts.push_back("{" + llvm::join(numbers, ", ") + "}");
}

/// One instruction; its results.
SmallVector<Value> MatrixConverter::emit(const Twine &instruction, bool touchesMemory) {
  Type type;
  if (results.size() == 1)
    type = results.front();
  else if (!results.empty())
    type = LLVM::LLVMStructType::getLiteral(builder.getContext(), results);
  auto made = LLVM::InlineAsmOp::create(
      builder, type ? TypeRange(type) : TypeRange(), inputs,
      (instruction + " " + llvm::join(texts, ", ") + ";").str(),
      llvm::join(constraints, ","), touchesMemory, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  if (results.size() < 2)
    return made.getResults();
  SmallVector<Value> values;
  for (int64_t index = 0; index < static_cast<int64_t>(results.size()); ++index)
    values.push_back(LLVM::ExtractValueOp::create(builder, made.getResult(0),
                                                  ArrayRef<int64_t>{index}));
  return values;
}

void MatrixConverter::replaceBy(ValueRange values) {
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values)) {
    if (value.getType() != result.getType())
      value = LLVM::BitcastOp::create(builder, result.getType(), value);
    result.replaceAllUsesWith(value);
  }
  op->erase();
}

/// Two halves of each register as numbers of f32.
SmallVector<Value> MatrixConverter::widen(ValueRange halves) {
  Type pair = VectorType::get(2, builder.getF16Type());
  Type wide = VectorType::get(2, builder.getF32Type());
  SmallVector<Value> floats;
  for (Value word : halves) {
    Value both = LLVM::FPExtOp::create(builder, wide,
                                       LLVM::BitcastOp::create(builder, pair, word));
    for (int i : {0, 1})
      floats.push_back(
          LLVM::ExtractElementOp::create(builder, both, constantI32(builder, i)));
  }
  return floats;
}

/// The reverse of `widen`, rounded to nearest even.
SmallVector<Value> MatrixConverter::narrow(ValueRange floats) {
  Type pair = VectorType::get(2, builder.getF16Type());
  SmallVector<Value> halves;
  for (size_t first = 0; first < floats.size(); first += 2) {
    Value both = LLVM::PoisonOp::create(builder, pair);
    for (int i : {0, 1})
      both = LLVM::InsertElementOp::create(
          builder, both,
          LLVM::FPTruncOp::create(builder, builder.getF16Type(), floats[first + i]),
          constantI32(builder, i));
    halves.push_back(LLVM::BitcastOp::create(builder, builder.getI32Type(), both));
  }
  return halves;
}

/// What a register of C or D is declared as.
Type MatrixConverter::typeOf(ir::MatrixType type, const ir::MatrixForm &form) {
  return type == ir::MatrixType::F32   ? Type(builder.getF32Type())
         : type == ir::MatrixType::F64 ? Type(builder.getF64Type())
                                       : builder.getIntegerType(form.registerBits());
}

void MatrixConverter::multiply(ir::MatrixMultiplyOp multiply) {
  const ir::MatrixForm &form = ir::matrixForm(multiply);
  const ValueRange registers = multiply.getRegisters();
  ir::MatrixType cType = multiply.getCType(), dType = multiply.getDType();
  SmallVector<Value> sums(
      registers.drop_front(form.registersOfA() + form.registersOfB()));
  // The instruction has C and D of one type.
  const bool isWidened = cType != dType, isNarrow = dType == ir::MatrixType::F16;
  if (isWidened) {
    if (cType == ir::MatrixType::F16)
      sums = widen(sums);
    cType = dType = ir::MatrixType::F32;
  }
  const Type element =
      form.bits == 64 ? Type(builder.getF64Type()) : Type(builder.getI32Type());
  addResults(form.registersOfSum(dType), typeOf(dType, form));
  addInputs(registers.take_front(form.registersOfA()), element);
  addInputs(registers.slice(form.registersOfA(), form.registersOfB()), element);
  addInputs(sums, typeOf(cType, form));
  std::string name = ("mma.sync.aligned.m" + Twine(form.m) + "n" + Twine(form.n) + "k" +
                      Twine(form.k) + ".row.col")
                         .str();
  if (multiply.getSaturate())
    name += ".satfinite";
  for (ir::MatrixType type : {dType, multiply.getAType(), multiply.getBType(), cType})
    name += ("." + ir::stringifyMatrixType(type)).str();
  if (multiply.getKind() != ir::MatrixKind::Multiply)
    name += multiply.getKind() == ir::MatrixKind::AndCount ? ".and.popc" : ".xor.popc";
  SmallVector<Value> made = emit(name, /*touchesMemory=*/false);
  replaceBy(isWidened && isNarrow ? narrow(made) : made);
}

std::string accessName(StringRef name, unsigned count, bool isTransposed, Value address) {
  const bool isShared =
      cast<LLVM::LLVMPointerType>(address.getType()).getAddressSpace() == ir::sharedSpace;
  return (name + ".sync.aligned.m8n8.x" + Twine(count) + (isTransposed ? ".trans" : "") +
          (isShared ? ".shared" : "") + ".b16")
      .str();
}

void MatrixConverter::run() {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ir::MatrixMultiplyOp product) { multiply(product); })
      .Case([&](ir::MatrixLoadOp load) {
        const unsigned count = load.getNumResults();
        addResults(count, builder.getI32Type());
        addAddress(load.getAddress());
        replace(accessName("ldmatrix", count, load.getTransposed(), load.getAddress()),
                /*touchesMemory=*/true);
      })
      .Case([&](ir::MatrixStoreOp store) {
        const unsigned count = store.getMatrices().size();
        addAddress(store.getAddress());
        addInputs(store.getMatrices(), builder.getI32Type());
        replace(accessName("stmatrix", count, store.getTransposed(), store.getAddress()),
                /*touchesMemory=*/true);
      })
      .Case([&](ir::MatrixTransposeOp transpose) {
        addResults(1, builder.getI32Type());
        addInputs(transpose.getMatrix(), builder.getI32Type());
        texts = {"$0", "$1"};
        replace("movmatrix.sync.aligned.m8n8.trans.b16", /*touchesMemory=*/false);
      });
}

/// Calls the device library's function for a lane.
class LaneCall {
public:
  explicit LaneCall(Operation *op) : op(op), builder(op->getLoc(), op) {}

  void run();

private:
  void defineExchange();
  Value createArray(Type type, unsigned count);
  Value element(Value array, Type type, unsigned index);
  Value store(ValueRange values);

  Operation *op;
  ImplicitLocOpBuilder builder;
};

/// `__het_exchange`: what lane `from` of the team has passed.
void LaneCall::defineExchange() {
  static constexpr StringLiteral name = "__het_exchange";
  auto module = op->getParentOfType<ModuleOp>();
  if (module.lookupSymbol(name))
    return;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module.getBody());
  Type i32 = builder.getI32Type();
  auto function = LLVM::LLVMFuncOp::create(builder, name,
                                           LLVM::LLVMFunctionType::get(i32, {i32, i32}));
  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToEnd(entry);
  Value result = callIntrinsic(builder, "llvm.nvvm.shfl.sync.idx.i32", i32,
                               {constantI32(builder, ~0u), entry->getArgument(0),
                                entry->getArgument(1), constantI32(builder, 31)});
  LLVM::ReturnOp::create(builder, result);
}

/// A local object, which is made once for each call of the function.
Value LaneCall::createArray(Type type, unsigned count) {
  OpBuilder::InsertionGuard guard(builder);
  auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
  builder.setInsertionPointToStart(&function.getBody().front());
  return LLVM::AllocaOp::create(builder, LLVM::LLVMPointerType::get(builder.getContext()),
                                type, constantI32(builder, count));
}

Value LaneCall::element(Value array, Type type, unsigned index) {
  return LLVM::GEPOp::create(builder, array.getType(), type, array,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
}

/// Registers in memory.
Value LaneCall::store(ValueRange values) {
  Type type = values.front().getType();
  Value array = createArray(type, values.size());
  for (auto [index, value] : llvm::enumerate(values))
    LLVM::StoreOp::create(builder, value, element(array, type, index));
  return array;
}

void LaneCall::run() {
  defineExchange();
  Value lane =
      callIntrinsic(builder, "llvm.nvvm.read.ptx.sreg.laneid", builder.getI32Type(), {});
  SmallVector<Value> arguments{constantI32(builder, ir::matrixFlags(op)), lane};
  ValueRange rest = op->getOperands().drop_front(); // behind the mask
  if (isa<LLVM::LLVMPointerType>(rest.front().getType())) {
    Value address = target::toGeneric(builder, rest.front());
    arguments.push_back(LLVM::PtrToIntOp::create(builder, builder.getI64Type(), address));
    rest = rest.drop_front();
  }
  if (!rest.empty())
    arguments.push_back(store(rest));
  Value results;
  if (op->getNumResults()) {
    results = createArray(op->getResult(0).getType(), op->getNumResults());
    arguments.push_back(results);
  }
  target::callFunction(builder, "__het_lane_" + ir::matrixFunction(op), nullptr,
                       arguments);
  for (auto [index, result] : llvm::enumerate(op->getResults())) {
    Type type = result.getType();
    Value value = LLVM::LoadOp::create(builder, type, element(results, type, index));
    result.replaceAllUsesWith(value);
  }
  op->erase();
}

} // namespace

bool hasMatrixLoads(const Machine &machine) { return loadNeed.isMetBy(machine); }

void convertMatrixOperation(Operation *op, const Machine &machine) {
  if (needOf(op).isMetBy(machine))
    MatrixConverter(op).run();
  else
    LaneCall(op).run();
}

/// Whether all lanes of a team must come to a call together.
static bool isOfTeam(const llvm::CallInst &call) {
  if (auto *code = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    return llvm::StringRef(code->getAsmString()).contains(".sync.aligned.");
  const llvm::Function *callee = call.getCalledFunction();
  return callee && (callee->getName() == "__het_exchange" ||
                    callee->getName().starts_with("__het_lane_"));
}

/// Neither MLIR's translation nor the device library says it.
void keepTeamsTogether(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (!call || !isOfTeam(*call))
        continue;
      call->setConvergent();
      if (llvm::Function *callee = call->getCalledFunction()) {
        callee->setConvergent();
        function.setConvergent();
      } else {
        call->setDoesNotThrow();
        if (!llvm::cast<llvm::InlineAsm>(call->getCalledOperand())->hasSideEffects())
          call->setDoesNotAccessMemory();
      }
    }
}

} // namespace het::ptx
