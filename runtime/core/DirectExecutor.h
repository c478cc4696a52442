// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The executor of a device whose work stays on its primary backend.

#ifndef HET_RUNTIME_CORE_DIRECTEXECUTOR_H
#define HET_RUNTIME_CORE_DIRECTEXECUTOR_H

#include "core/Executor.h"

namespace het::core {

class DirectExecutor final : public Executor {
public:
  explicit DirectExecutor(Device &device) : device(device) {}

  void open(Backend &primary, MemoryManager &) override { backend = &primary; }
  void close() override { backend = nullptr; }
  std::unique_lock<std::mutex> hold() override { return {}; }

  Result<std::unique_ptr<Queue>> createQueue(const std::string &name) override;
  Result<std::shared_ptr<Event>> createEvent() override;
  std::unique_ptr<KernelCode> createCode(Kernel &kernel) override;
  bool takesGraphs() const override { return true; }
  bool usesOwnHeap() const override { return !backend->properties().hasHeap; }
  std::string loweringOptions(const Backend &) const override { return ""; }

  Fault fault() override { return backend->fault(); }
  int32_t faultKind() override { return backend->faultKind(); }

  Status pin(uint64_t address, uint64_t size, bool) override {
    return backend->pin(address, size);
  }
  Status unpin(uint64_t address) override { return backend->unpin(address); }
  Status setLimit(uint32_t limit, uint64_t value) override {
    return backend->setLimit(limit, value);
  }

  bool sharesHostMemory() const override { return backend->sharesHostMemory(); }
  bool keepsMemory() const override { return true; }
  bool setAccess(Device &device, Device &other, bool isGiven) override;

  void noteManaged(int) override {}
  void noteHostVariable() override {}
  void add(Module &) override {}
  void remove(Module &) override {}

private:
  Device &device;
  Backend *backend = nullptr;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_DIRECTEXECUTOR_H
