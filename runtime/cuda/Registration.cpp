// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry points of host code's constructors, and the tables of what they
// registered. The tables live until the process is gone: calls during static
// destruction, and unregistration after it, find them intact.

#include "Registration.h"
#include "Context.h"
#include "Errors.h"
#include "Memory.h"
#include "Module.h"
#include "PointerTable.h"
#include "Textures.h"

#include "core/Runtime.h"
#include "core/Shutdown.h"
#include "core/code/Preload.h"
#include "het/Base/Log.h"

#include <algorithm>
#include <memory>
#include <vector>

using namespace het;
using namespace het::cuda;

namespace {

constexpr uint32_t wrapperMagic = 0x466243b1;

/// The head of what __cudaRegisterFatBinary is given.
struct Wrapper {
  uint32_t magic;
  uint32_t version;
  const void *data;
};

struct Registry {
  std::mutex mutex; ///< For writers; the tables are read without it.
  std::vector<std::shared_ptr<Binary>> binaries;
  PointerTable<Function> functionTable;
  PointerTable<Variable> variableTable;
};

Registry &registry() {
  static Registry *instance = new Registry;
  return *instance;
}

Binary *binaryOf(void **handle) { return reinterpret_cast<Binary *>(handle); }

} // namespace

namespace het::cuda {

Function *findFunction(const void *stub) { return registry().functionTable.find(stub); }

void listFunction(const void *handle, Function &function) {
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.functionTable.insert(handle, &function);
}

void unlistFunction(const void *handle) {
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.functionTable.erase(handle);
}

Variable *findVariable(const void *shadow) {
  return registry().variableTable.find(shadow);
}

void *findStorage(const Binary &binary, const std::string &name) {
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  for (const Variable &variable : binary.variables)
    if (name == variable.name)
      return variable.storage;
  return nullptr;
}

/// For who does something with each that takes its lock: a thread that opens one has that
/// lock when it asks for the registry's.
static std::vector<std::shared_ptr<Binary>> allBinaries() {
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  return all.binaries;
}

std::vector<HeldLibrary> loadAhead(Device &device) {
  std::vector<HeldLibrary> libraries;
  if (core::mayLoadAhead(device.device))
    for (const std::shared_ptr<Binary> &binary : allBinaries())
      libraries.push_back(loadAhead(*binary, device));
  return libraries;
}

void forgetLoaded(int device) {
  unloadLeft();
  const std::vector<std::shared_ptr<Binary>> binaries = allBinaries();
  for (const std::shared_ptr<Binary> &binary : binaries)
    forget(*binary, device);
  std::lock_guard<std::mutex> lock(registry().mutex);
  for (const std::shared_ptr<Binary> &binary : binaries)
    for (Function &function : binary->functions)
      forget(function, device);
}

} // namespace het::cuda

void **__cudaRegisterFatBinary(void *data) {
  const auto *wrapper = static_cast<const Wrapper *>(data);
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  Binary &binary = *all.binaries.emplace_back(std::make_shared<Binary>());
  binary.owner = all.binaries.back();
  if (wrapper && wrapper->magic == wrapperMagic)
    binary.data = wrapper->data;
  else
    log(Level::Error,
        "fat binary: found another magic number than %#x in its "
        "wrapper; build the program with hetcc",
        wrapperMagic);
  return reinterpret_cast<void **>(&binary);
}

void __cudaRegisterFatBinaryEnd(void **handle) {
  if (handle && binaryOf(handle)->hasVariables)
    initialiseManaged(*binaryOf(handle));
}

/// Takes a binary's names out of the tables. Graphs may keep its functions.
static void unlist(Binary &binary) {
  Registry &all = registry();
  markGone(binary);
  for (Function &function : binary.functions) {
    all.functionTable.erase(function.stub);
    all.functionTable.erase(function.handle.get());
    forget(function);
  }
  for (const Variable &variable : binary.variables) {
    all.variableTable.erase(variable.shadow);
    forgetManagedVariable(variable.storage); // where it is one
  }
}

void __cudaUnregisterFatBinary(void **handle) {
  if (!handle)
    return;
  // At the end of the process devices may have ended already, or be busy for ever; what
  // was loaded goes with it.
  if (core::Shutdown::hasBegun() || core::Runtime::isForked())
    return close(*binaryOf(handle));
  leave(*binaryOf(handle));
  for (const Variable &variable : binaryOf(handle)->variables)
    forgetReference(variable.shadow);
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  unlist(*binaryOf(handle));
  auto isIt = [=](const std::shared_ptr<Binary> &binary) {
    return binary.get() == binaryOf(handle);
  };
  all.binaries.erase(std::remove_if(all.binaries.begin(), all.binaries.end(), isIt),
                     all.binaries.end());
}

int __cudaRegisterFunction(void **handle, const char *stub, char *, const char *name, int,
                           void *, void *, void *, void *, int *) {
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  Function &function = binaryOf(handle)->functions.emplace_back();
  function.stub = stub;
  function.name = name;
  function.binary = binaryOf(handle);
  all.functionTable.insert(stub, &function);
  return 0;
}

static Variable &addVariable(void **handle, const void *shadow, const char *name,
                             size_t size) {
  Registry &all = registry();
  Variable &variable = binaryOf(handle)->variables.emplace_back();
  variable.shadow = shadow;
  variable.storage = const_cast<void *>(shadow);
  variable.name = name;
  variable.binary = binaryOf(handle);
  variable.binary->hasVariables = true;
  variable.size = size;
  all.variableTable.insert(shadow, &variable);
  return variable;
}

void __cudaRegisterVar(void **handle, char *shadow, char *, const char *name, int,
                       size_t size, int, int) {
  std::lock_guard<std::mutex> lock(registry().mutex);
  addVariable(handle, shadow, name, size);
}

void __cudaRegisterTexture(void **handle, const textureReference *reference,
                           const void **, const char *name, int, int mode, int) {
  std::lock_guard<std::mutex> lock(registry().mutex);
  addVariable(handle, reference, name, sizeof(uint64_t)).isReadNormalized = mode;
}

void __cudaRegisterSurface(void **handle, const surfaceReference *reference,
                           const void **, const char *name, int, int) {
  std::lock_guard<std::mutex> lock(registry().mutex);
  addVariable(handle, reference, name, sizeof(uint64_t));
}

void __cudaRegisterManagedVar(void **handle, void **slot, void *initial, const char *name,
                              size_t size, unsigned) {
  std::lock_guard<std::mutex> lock(registry().mutex);
  *slot = initial;
  addVariable(handle, slot, name, size).storage = initial;
}

char __cudaInitModule(void **) { return 1; }
