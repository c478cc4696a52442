// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModuleBuilder.h"

#include "../ModuleInfo.h"
#include "Body.h"
#include "Calls.h"
#include "ModuleParser.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace het::ptx;
using het::architectureAttribute;
using namespace llvm;
using PtxType = het::ptx::Type;

namespace {

class ModuleBuilder {
public:
  ModuleBuilder(llvm::Module &module, Fault &fault)
      : module(module), context(module.getContext()), fault(fault) {}

  bool build(const ParsedModule &text);

private:
  bool fail(unsigned line, const Twine &why) {
    fault = {line, why.str()};
    return false;
  }
  bool declareFunction(const ParsedFunction &parsed);
  FunctionType *typeOfFunction(const ParsedFunction &parsed) const;
  void setAttributes(llvm::Function &function, const ParsedFunction &parsed);
  bool declareVariable(const ModuleVariable &parsed);
  bool setValue(const ModuleVariable &parsed);
  Constant *valueOf(const Operand &operand, PtxType type);
  bool makeBody(const ParsedFunction &parsed);
  void addParameters(Body &body, llvm::Function &function, const ParsedFunction &parsed);

  llvm::Module &module;
  LLVMContext &context;
  Fault &fault;
  Symbols symbols;
};

} // namespace

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Functions of the runtime take and give pointers, which PTX has as numbers.
static FunctionType *runtimeType(StringRef name, LLVMContext &context) {
  llvm::Type *pointer = PointerType::get(context, 0);
  llvm::Type *word = IntegerType::get(context, 32), *wide = IntegerType::get(context, 64);
  if (name == "vprintf")
    return FunctionType::get(word, {pointer, pointer}, false);
  if (name == "malloc")
    return FunctionType::get(pointer, {wide}, false);
  if (name == "free")
    return FunctionType::get(llvm::Type::getVoidTy(context), {pointer}, false);
  if (name == "__assertfail")
    return FunctionType::get(llvm::Type::getVoidTy(context),
                             {pointer, pointer, word, pointer, wide}, false);
  return nullptr;
}

FunctionType *ModuleBuilder::typeOfFunction(const ParsedFunction &parsed) const {
  FunctionType *type = functionTypeOf(parsed.signature, context, parsed.isEntry);
  FunctionType *known = parsed.linkage == Linkage::Extern && !parsed.body
                            ? runtimeType(parsed.name, context)
                            : nullptr;
  return known && type && known->getNumParams() == type->getNumParams() &&
                 known->getReturnType()->isVoidTy() == type->getReturnType()->isVoidTy()
             ? known
             : type;
}

void ModuleBuilder::setAttributes(llvm::Function &function,
                                  const ParsedFunction &parsed) {
  function.addFnAttr(Attribute::Convergent);
  function.addFnAttr(Attribute::NoUnwind);
  const unsigned shift =
      !parsed.signature.results.empty() && isByAddress(parsed.signature.results.front());
  if (parsed.isEntry) {
    function.setCallingConv(CallingConv::PTX_Kernel);
    const unsigned *threads = parsed.maxThreads;
    if (threads[0])
      function.addFnAttr(
          "nvvm.maxntid",
          (Twine(threads[0]) + "," + Twine(threads[1]) + "," + Twine(threads[2])).str());
    if (parsed.cluster[0])
      function.addFnAttr(het::clusterAttribute,
                         (Twine(parsed.cluster[0]) + "," + Twine(parsed.cluster[1]) +
                          "," + Twine(parsed.cluster[2]))
                             .str());
    if (parsed.minBlocks)
      function.addFnAttr("nvvm.minctasm", std::to_string(parsed.minBlocks));
  }
  for (unsigned i = 0; i < parsed.signature.parameters.size(); ++i) {
    const Variable &parameter = parsed.signature.parameters[i];
    if (!isByAddress(parameter))
      continue;
    AttrBuilder attributes(context);
    attributes.addByValAttr(typeOf(parameter, context));
    attributes.addAlignmentAttr(
        Align(std::max(parameter.alignment, std::max(parameter.type.width() / 8, 1u))));
    function.addParamAttrs(i + shift, attributes);
  }
}

/// Names by which the front end calls things of its own, and LLVM.
static bool isReserved(StringRef name) {
  return name.starts_with("llvm.") || name.starts_with("__het") ||
         name.starts_with("het.");
}

bool ModuleBuilder::declareFunction(const ParsedFunction &parsed) {
  if (isReserved(parsed.name))
    return fail(parsed.line, "'" + parsed.name + "': this name is reserved");
  FunctionType *type = typeOfFunction(parsed);
  if (!type)
    return fail(parsed.line,
                "'" + parsed.name + "': more than one result is not supported");
  for (const std::vector<Variable> *part :
       {&parsed.signature.results, &parsed.signature.parameters})
    for (const Variable &variable : *part)
      if (variable.isOpen || variable.bytes() > (1 << 16) || variable.type.isPredicate())
        return fail(parsed.line, "'" + parsed.name + "': the parameter '" +
                                     variable.name + "' has a type that none can have");
  auto known = symbols.find(parsed.name);
  if (known != symbols.end()) {
    auto *function = dyn_cast<llvm::Function>(known->second.value);
    if (!function || (function->getFunctionType() != type && parsed.body))
      return fail(parsed.line, "'" + parsed.name + "' is declared twice");
    if (parsed.body)
      known->second.signature = &parsed.signature;
    return true;
  }
  auto *function =
      llvm::Function::Create(type, GlobalValue::ExternalLinkage, parsed.name, module);
  setAttributes(*function, parsed);
  symbols[parsed.name] = {Symbol::Kind::Function, 64, function, nullptr, nullptr,
                          &parsed.signature};
  return true;
}

/// Parameters are variables that are loaded from, or registers.
void ModuleBuilder::addParameters(Body &body, llvm::Function &function,
                                  const ParsedFunction &parsed) {
  IRBuilder<> &b = body.builder;
  unsigned index = 0;
  for (const Variable &result : parsed.signature.results) {
    if (isByAddress(result)) {
      body.addVariable(result.name, function.getArg(index++));
      continue;
    }
    AllocaInst *variable = body.addRegister(result.name, result.type.width());
    body.setResult(variable);
    if (result.space == "param")
      body.addVariable(result.name, variable);
  }
  for (const Variable &parameter : parsed.signature.parameters) {
    Argument *argument = function.getArg(index++);
    if (isByAddress(parameter)) {
      body.addVariable(parameter.name, argument);
      continue;
    }
    AllocaInst *variable = body.addRegister(parameter.name, parameter.type.width());
    b.CreateStore(b.CreateBitCast(argument, b.getIntNTy(parameter.type.width())),
                  variable);
    if (parameter.space == "param")
      body.addVariable(parameter.name, variable);
  }
}

bool ModuleBuilder::makeBody(const ParsedFunction &parsed) {
  auto *function = cast<llvm::Function>(symbols[parsed.name].value);
  if (!function->empty())
    return fail(parsed.line, "'" + parsed.name + "' is defined twice");
  Body body(*function, /*isVolatile=*/false, &symbols);
  addParameters(body, *function, parsed);
  if (!body.run(*parsed.body)) {
    fault = body.fault();
    return false;
  }
  body.createReturn();
  removeUnreachableBlocks(*function);
  if (parsed.linkage == Linkage::Weak)
    function->setLinkage(GlobalValue::WeakAnyLinkage);
  else if (parsed.linkage == Linkage::Internal && !parsed.isEntry)
    function->setLinkage(GlobalValue::InternalLinkage);
  return true;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

static unsigned spaceOf(const Variable &variable) {
  if (variable.space == "shared")
    return Shared;
  return variable.space == "const" ? ConstantSpace : Global;
}

bool ModuleBuilder::declareVariable(const ModuleVariable &parsed) {
  const Variable &variable = parsed.variable;
  static constexpr uint64_t mostBytes = uint64_t(1) << 31;
  if (isReserved(variable.name))
    return fail(parsed.line, "'" + variable.name + "': this name is reserved");
  if (variable.bytes() > mostBytes)
    return fail(parsed.line, "'" + variable.name + "': found " + Twine(variable.bytes()) +
                                 " bytes, expected at most " + Twine(mostBytes));
  if (auto known = symbols.find(variable.name); known != symbols.end()) {
    if (parsed.linkage == Linkage::Extern)
      return true;
    return fail(parsed.line, "'" + variable.name + "' is declared twice");
  }
  const unsigned space = spaceOf(variable);
  const bool isOutside = parsed.linkage == Linkage::Extern;
  const bool isEmpty = variable.isOpen && variable.values.empty();
  llvm::Type *type =
      ArrayType::get(IntegerType::get(context, 8), isEmpty ? 0 : variable.bytes());
  Constant *initial = nullptr;
  if (!isOutside)
    initial = space == Shared ? static_cast<Constant *>(PoisonValue::get(type))
                              : ConstantAggregateZero::get(type);
  // The host can name those of this text alone, too: a static variable of CUDA is one.
  const bool isNamed = parsed.linkage != Linkage::Internal && space != Shared;
  GlobalValue::LinkageTypes linkage = GlobalValue::InternalLinkage;
  if (isNamed || isOutside)
    linkage = parsed.linkage == Linkage::Weak ? GlobalValue::WeakAnyLinkage
                                              : GlobalValue::ExternalLinkage;
  auto *made =
      new GlobalVariable(module, type, space == ConstantSpace, linkage, initial,
                         variable.name, nullptr, GlobalValue::NotThreadLocal, space,
                         /*isExternallyInitialized=*/space != Shared && !isOutside);
  made->setAlignment(
      Align(std::max(variable.alignment, std::max(variable.type.width() / 8, 1u))));
  symbols[variable.name] = {Symbol::Kind::Variable, 0, made};
  return true;
}

/// A value of a variable; null if it is none that is supported.
Constant *ModuleBuilder::valueOf(const Operand &operand, PtxType type) {
  if (operand.kind == Operand::Kind::Name) {
    auto symbol = symbols.find(operand.name);
    auto *target =
        symbol == symbols.end() ? nullptr : dyn_cast<Constant>(symbol->second.value);
    if (!target || type.width() != 64 || operand.isNegated)
      return nullptr;
    Constant *address = ConstantExpr::getPointerBitCastOrAddrSpaceCast(
        target, PointerType::get(context, 0));
    if (!operand.integer)
      return address;
    return ConstantExpr::getGetElementPtr(
        IntegerType::get(context, 8), address,
        ConstantInt::get(IntegerType::get(context, 64), operand.integer));
  }
  if (operand.kind == Operand::Kind::Integer && !type.isFloat())
    return ConstantInt::get(context,
                            APInt(64, operand.integer).sextOrTrunc(type.width()));
  if (operand.kind != Operand::Kind::Real || (type.width() != 32 && type.width() != 64))
    return nullptr;
  APFloat value(bit_cast<double>(operand.integer));
  bool loses = false;
  value.convert(type.width() == 64 ? APFloat::IEEEdouble() : APFloat::IEEEsingle(),
                APFloat::rmNearestTiesToEven, &loses);
  return ConstantInt::get(context, value.bitcastToAPInt());
}

/// Replaces the zeros of a variable by its values, with zeros behind them.
bool ModuleBuilder::setValue(const ModuleVariable &parsed) {
  const Variable &variable = parsed.variable;
  if (variable.values.empty())
    return true;
  auto *zeros = cast<GlobalVariable>(symbols[variable.name].value);
  const uint64_t unit = std::max(variable.type.width() / 8, 1u);
  const uint64_t given = variable.values.size() * unit;
  const uint64_t all = variable.isOpen ? given : variable.bytes();
  if (given > all || !zeros->hasInitializer() || zeros->getAddressSpace() == Shared)
    return fail(parsed.line, "'" + variable.name + "': found " +
                                 Twine(variable.values.size()) +
                                 " values, expected no more than it has room for");
  SmallVector<Constant *> parts;
  for (const Operand &operand : variable.values) {
    Constant *value = valueOf(operand, variable.type);
    if (!value)
      return fail(parsed.line, "'" + variable.name +
                                   "': a value of this kind is not "
                                   "supported");
    parts.push_back(value);
  }
  if (all > given)
    parts.push_back(ConstantAggregateZero::get(
        ArrayType::get(IntegerType::get(context, 8), all - given)));
  Constant *value = ConstantStruct::getAnon(context, parts, /*Packed=*/true);
  auto *made = new GlobalVariable(module, value->getType(), zeros->isConstant(),
                                  zeros->getLinkage(), value, "", zeros,
                                  GlobalValue::NotThreadLocal, zeros->getAddressSpace(),
                                  zeros->isExternallyInitialized());
  made->setAlignment(zeros->getAlign());
  made->takeName(zeros);
  zeros->replaceAllUsesWith(made);
  zeros->eraseFromParent();
  symbols[variable.name].value = made;
  return true;
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

bool ModuleBuilder::build(const ParsedModule &text) {
  for (const ModuleVariable &variable : text.variables)
    if (!declareVariable(variable))
      return false;
  for (const ParsedFunction &function : text.functions)
    if (!declareFunction(function))
      return false;
  if (text.architecture)
    for (llvm::Function &function : module)
      if (function.getCallingConv() == CallingConv::PTX_Kernel)
        function.addFnAttr(architectureAttribute, std::to_string(text.architecture));
  for (const ModuleVariable &variable : text.variables)
    if (!setValue(variable))
      return false;
  for (const ParsedFunction &function : text.functions)
    if (function.body && !makeBody(function))
      return false;
  return true;
}

std::unique_ptr<llvm::Module> het::ptx::readModule(StringRef text, LLVMContext &context,
                                                   Fault &fault) {
  ModuleParser parser(text);
  std::optional<ParsedModule> parsed = parser.parseModule();
  if (!parsed) {
    fault = parser.fault();
    return nullptr;
  }
  auto module = std::make_unique<llvm::Module>("ptx", context);
  if (!ModuleBuilder(*module, fault).build(*parsed))
    return nullptr;
  defineRuntimeFunctions(*module);
  // What no rule above has foreseen goes no further.
  std::string problem;
  raw_string_ostream stream(problem);
  if (!verifyModule(*module, &stream))
    return module;
  fault = {0, "found what makes no valid code: " + problem.substr(0, problem.find('\n'))};
  return nullptr;
}
