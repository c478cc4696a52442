// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A package on a device: variables placed, kernels lowered when they are first used.

#include "core/Module.h"
#include "core/DeviceLaunches.h"
#include "core/Executor.h"
#include "core/Heap.h"
#include "core/OpenPackage.h"
#include "core/Runtime.h"

#include <algorithm>
#include <cstring>

namespace het::core {

Module::Module(Device &device, Package package)
    : owner(device), package(std::move(package)),
      precompiled(this->package, (*Runtime::get())->usesPrecompiled()) {}

Result<std::shared_ptr<Module>> Module::open(Device &device, ByteView bytes,
                                             const std::string &origin,
                                             const Placement &place) {
  if (Status status = device.primary().openStatus(); !status.ok())
    return status;
  Result<Package> package = openPackage(bytes, origin);
  if (!package.ok())
    return package.status();
  std::shared_ptr<Module> module(new Module(device, package.take()));
  Result<std::vector<VariableInfo>> infos = module->package.variables();
  if (!infos.ok())
    return infos.status();
  module->infos = infos.take();
  if (Status status = module->placeVariables(place); !status.ok())
    return std::move(status).from(origin);
  device.executor().add(*module);
  return module;
}

/// Gives every variable its memory.
Status Module::placeVariables(const Placement &place) {
  std::vector<bool> given(infos.size());
  allocated.reserve(infos.size());
  addresses.reserve(infos.size());
  for (size_t i = 0; i < infos.size(); ++i) {
    void *address = place ? place(infos[i]) : nullptr;
    const VariableKind kind = infos[i].kind;
    if (kind == VariableKind::Heap || kind == VariableKind::Launches) {
      Result<void *> own = kind == VariableKind::Heap
                               ? owner.heap().variable(address)
                               : owner.launches().variable(address);
      if (!own.ok())
        return own.status();
      address = *own;
    }
    given[i] = address != nullptr;
    if (address && !owner.memory().find(address)) // in the host's memory
      if (Status status = owner.pinPages(address, infos[i].size); !status.ok())
        return status;
    if (!address) {
      Result<void *> memory = owner.memory().allocate(
          std::max<uint64_t>(infos[i].size, 1), infos[i].kind == VariableKind::Managed);
      if (!memory.ok())
        return memory.status();
      allocated.push_back(address = *memory);
    }
    addresses.push_back(address);
  }
  // Variables that the caller gave memory for are initialised by the caller.
  return allocated.empty() ? Status::success() : initialise(given);
}

/// Gives the variables their values, but those that the caller has given. Nothing else
/// knows of their memory yet, so that waits for no work of the program's.
Status Module::initialise(const std::vector<bool> &given) {
  std::vector<Bytes> values(infos.size()); // until the stream has read them
  Result<std::shared_ptr<Stream>> stream = Stream::create(owner, StreamKind::NonBlocking);
  if (!stream.ok())
    return stream.status();
  for (size_t i = 0; i < infos.size(); ++i)
    if (!given[i])
      if (Status status = initialise(**stream, i, values[i]); !status.ok())
        return status;
  (*stream)->synchronize();
  return Status::success();
}

/// Puts a variable's initial value, with the addresses in it, on its way. It is
/// read from `value`.
Status Module::initialise(Stream &stream, size_t variable, Bytes &value) {
  const VariableInfo &info = infos[variable];
  if (info.initial.empty())
    return stream.fill(addresses[variable], 0, 1, info.size);
  value = info.initial;
  for (const Relocation &relocation : info.relocations) {
    uint64_t number =
        reinterpret_cast<uint64_t>(addresses[relocation.variable]) + relocation.addend;
    std::memcpy(value.data() + relocation.offset, &number, sizeof(number));
  }
  return stream.copy(addresses[variable], value.data(), value.size());
}

Module::~Module() {
  for (auto &[name, kernel] : kernels)
    kernel->code().finish();
  owner.synchronize();
  owner.executor().remove(*this);
  for (auto &[name, kernel] : kernels)
    kernel->code().unload();
  for (void *address : allocated)
    (void)owner.memory().free(address);
}

Result<std::shared_ptr<Kernel>> Module::kernel(const std::string &name) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = kernels.find(name);
  if (it != kernels.end())
    return it->second;
  Result<uint32_t> index = package.findKernel(name);
  if (!index.ok())
    return index.status();
  Result<KernelInfo> info = package.kernel(*index);
  if (!info.ok())
    return info.status();
  std::shared_ptr<Kernel> kernel(new Kernel(*this, owner, info.take(), *index));
  kernels[name] = kernel;
  return kernel;
}

Result<std::shared_ptr<Kernel>> Module::kernelOfNumber(uint64_t number) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto known = kernelsByNumber.find(number); known != kernelsByNumber.end())
      return known->second;
  }
  Result<std::vector<std::string>> names = kernelNames();
  if (!names.ok())
    return names.status();
  for (const std::string &name : *names)
    if (kernelNumber(name) == number) {
      Result<std::shared_ptr<Kernel>> found = kernel(name);
      std::lock_guard<std::mutex> lock(mutex);
      if (found.ok())
        kernelsByNumber[number] = *found;
      return found;
    }
  return unavailable("there is no kernel of the number " + std::to_string(number) +
                     " in the package");
}

Result<std::vector<std::string>> Module::kernelNames() const {
  Result<std::vector<KernelInfo>> kernels = package.kernels();
  if (!kernels.ok())
    return kernels.status();
  std::vector<std::string> names;
  for (KernelInfo &kernel : *kernels)
    names.push_back(std::move(kernel.name));
  return names;
}

std::vector<std::shared_ptr<Kernel>> Module::knownKernels() {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<std::shared_ptr<Kernel>> known;
  for (auto &[name, kernel] : kernels)
    known.push_back(kernel);
  return known;
}

Result<VariableAddress> Module::variable(const std::string &name) {
  for (size_t i = 0; i < infos.size(); ++i)
    if (infos[i].name == name)
      return VariableAddress{addresses[i], infos[i].size};
  return unavailable("there is no variable '" + name + "' in the package");
}

} // namespace het::core
