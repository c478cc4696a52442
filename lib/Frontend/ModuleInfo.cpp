// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the kernels and variables of a device module for the package's records.

#include "ModuleInfo.h"
#include "ConstantBytes.h"
#include "Messages.h"
#include "Optimize.h"
#include "Raise.h"
#include "Relocatable.h"

#include "het/DeviceABI/DeviceLaunches.h"
#include "het/DeviceABI/Heap.h"
#include "het/IR/Module.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"

using namespace het;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static Parameter layOut(const Argument &argument, uint32_t &offset,
                        const DataLayout &layout) {
  Type *type = argument.getType();
  Align alignment = layout.getABITypeAlign(type);
  if (argument.hasByValAttr()) {
    type = argument.getParamByValType();
    alignment = argument.getParamAlign().value_or(layout.getABITypeAlign(type));
  }
  Parameter parameter;
  parameter.size = layout.getTypeAllocSize(type);
  parameter.alignment = alignment.value();
  parameter.offset = alignTo(offset, alignment);
  offset = parameter.offset + parameter.size;
  return parameter;
}

/// Launch bounds are "x", "x,y" or "x,y,z": the bound is on their product.
static uint32_t boundOf(const Function &kernel, StringRef name) {
  uint32_t product = 0;
  SmallVector<StringRef> parts;
  kernel.getFnAttribute(name).getValueAsString().split(parts, ',');
  for (StringRef part : parts) {
    uint32_t number = 0;
    if (!part.trim().getAsInteger(10, number))
      product = product ? product * number : number;
  }
  return product;
}

static KernelInfo describeKernel(const Function &kernel) {
  KernelInfo info;
  info.name = kernel.getName().str();
  info.displayName = demangle(withoutId(kernel.getName()));
  const DataLayout &layout = kernel.getDataLayout();
  uint32_t offset = 0;
  for (const Argument &argument : kernel.args())
    info.parameters.push_back(layOut(argument, offset, layout));
  info.maxThreadsPerBlock = boundOf(kernel, "nvvm.maxntid");
  info.minBlocksPerMultiprocessor = boundOf(kernel, "nvvm.minctasm");
  kernel.getFnAttribute(architectureAttribute)
      .getValueAsString()
      .getAsInteger(10, info.architecture);
  if (kernel.hasFnAttribute(clusterAttribute))
    info.capabilities.push_back(
        std::string(clusterSizeCapability) +
        kernel.getFnAttribute(clusterAttribute).getValueAsString().str());
  return info;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// Whether an object outlives blocks, so that it has one place for all of them.
static bool outlivesBlocks(const GlobalVariable &object) {
  return object.getAddressSpace() != ir::sharedSpace && object.hasInitializer();
}

/// Whether an object can change, or its value has the address of one in it that can, or
/// of a constant of which that is true.
static bool leadsToVariable(const GlobalVariable &object) {
  SetVector<const Constant *> parts;
  parts.insert(&object);
  for (unsigned i = 0; i < parts.size(); ++i) {
    const auto *part = dyn_cast<GlobalVariable>(parts[i]);
    if (part && outlivesBlocks(*part) &&
        (part->isExternallyInitialized() || !part->isConstant()))
      return true;
    for (const Use &operand : parts[i]->operands())
      if (const auto *value = dyn_cast<Constant>(operand))
        parts.insert(value);
  }
  return false;
}

bool het::isVariable(const GlobalVariable &object) {
  return outlivesBlocks(object) && !object.getName().starts_with("llvm.") &&
         leadsToVariable(object);
}

namespace {

class VariableCollector {
public:
  VariableCollector(Module &module, ModuleInfo &info, Messages &messages)
      : module(module), info(info), messages(messages) {}

  bool run() {
    for (GlobalVariable &variable : module.globals())
      if (isVariable(variable))
        add(variable);
    // Values may refer to constants, which then must have one address for all.
    for (unsigned i = 0; i < order.size(); ++i)
      describe(*order[i], i);
    for (GlobalVariable *variable : order) {
      variable->setInitializer(nullptr);
      variable->setLinkage(GlobalValue::ExternalLinkage);
    }
    return ok;
  }

private:
  uint32_t add(GlobalVariable &variable) {
    auto [entry, inserted] = info.variableIndex.try_emplace(
        variable.getName(), static_cast<uint32_t>(order.size()));
    if (inserted)
      order.push_back(&variable);
    return entry->second;
  }

  void describe(GlobalVariable &variable, unsigned index) {
    const DataLayout &layout = module.getDataLayout();
    VariableInfo described;
    described.name = variable.getName().str();
    described.size = layout.getTypeAllocSize(variable.getValueType());
    described.alignment = layout.getPreferredAlign(&variable).value();
    described.external = variable.isExternallyInitialized();
    if (variable.getName() == HET_HEAP_NAME)
      described.kind = VariableKind::Heap;
    else if (variable.getName() == HET_LAUNCHES_NAME)
      described.kind = VariableKind::Launches;
    else if (variable.hasAttribute(managedAttribute))
      described.kind = VariableKind::Managed;
    else if (variable.getAddressSpace() == ir::constantSpace)
      described.kind = VariableKind::Constant;
    Error error = writeConstant(
        *variable.getInitializer(), layout, described.size, described.initial,
        [&](GlobalVariable &target, uint64_t offset, int64_t addend) {
          described.relocations.push_back({offset, add(target), addend});
        });
    if (error) {
      messages.show(Severity::Error, Messages::Place(),
                    "variable '" + demangle(variable.getName()) +
                        "': " + toString(std::move(error)));
      ok = false;
    }
    info.variables.push_back(std::move(described));
  }

  Module &module;
  ModuleInfo &info;
  Messages &messages;
  std::vector<GlobalVariable *> order;
  bool ok = true;
};

/// Adds a variable that the runtime has for all packages.
void addVariable(Module &module, StringRef name, uint64_t bytes) {
  Type *type = ArrayType::get(Type::getInt8Ty(module.getContext()), bytes);
  auto *variable =
      new GlobalVariable(module, type, /*isConstant=*/false, GlobalValue::InternalLinkage,
                         Constant::getNullValue(type), name, nullptr,
                         GlobalValue::NotThreadLocal, ir::globalSpace);
  variable->setAlignment(Align(16));
}

/// Where kernels allocate, and where they leave what they launch.
void addRuntimeVariables(Module &module) {
  auto isCalled = [&](StringRef name) {
    const Function *function = module.getFunction(name);
    return function && function->isDeclaration() && !function->use_empty();
  };
  if (any_of(allocatingFunctions, isCalled) || any_of(releasingFunctions, isCalled))
    addVariable(module, HET_HEAP_NAME, sizeof(HetHeap));
  if (isCalled(HET_LAUNCHES_FUNCTION))
    addVariable(module, HET_LAUNCHES_NAME, HET_LAUNCHES_BYTES);
}

} // namespace

bool het::takeModuleInfo(Module &module, ModuleInfo &info, Messages &messages) {
  for (const Function &function : module)
    if (!function.isDeclaration() && isKernelFunction(function))
      info.kernels[function.getName()] = describeKernel(function);
  addRuntimeVariables(module);
  return VariableCollector(module, info, messages).run();
}
