// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kernel's launch and all that comes of it: a depth-first walk, whose stack lies in
// the device's memory, so that a checkpoint has it.

#ifndef HET_RUNTIME_CORE_LAUNCHTREE_H
#define HET_RUNTIME_CORE_LAUNCHTREE_H

#include "core/LaunchWork.h"
#include "core/Queue.h"
#include "core/Stream.h"

#include <vector>

namespace het::core {

class Device;
class Kernel;
class Module;

/// One thread uses it, while no other kernel that may launch runs on the device.
class LaunchTree {
public:
  /// `variable`: the address of the device's HetLaunches.
  LaunchTree(Device &device, Queue &queue, void *variable)
      : device(device), queue(queue), variable(static_cast<char *>(variable)) {}

  /// Returns when all is done, or the device has a fault.
  Status run(Kernel &kernel, const LaunchShape &shape, const void *arguments,
             size_t argumentBytes);
  /// The same for a graph, by its handle, and what it does.
  Status run(uint64_t graph, const DeviceGraphWork &work);
  /// The same for what lies in the device's memory already. What is launched are kernels
  /// of these modules.
  Status resume(std::vector<Module *> modules);

private:
  Status readHead();
  Status writeHead();
  Status runGrid(Kernel &kernel, const LaunchShape &shape, const void *arguments,
                 size_t argumentBytes);
  Result<std::shared_ptr<Kernel>> kernelOf(const LaunchWork &work);
  Status walk();
  Status collect(Module *module);
  void pushTail(LaunchWork work);
  Status read(std::vector<LaunchWork> &made);
  Status write(const std::vector<LaunchWork> &made);
  Status carryOut(const LaunchWork &work);
  void expand(uint64_t graph, const DeviceGraphWork &work);
  Status launchGraph(uint64_t graph);
  Status launch(const LaunchWork &work);
  Status move(const LaunchWork &work);
  Status copy(void *to, const void *from, size_t size);
  bool hasFault() const;

  Device &device;
  Queue &queue;
  char *const variable;
  std::vector<Module *> resumed; ///< Where kernels are found of which no more is known.
  HetLaunches state = {}; ///< As it is on the device, but for errors and attributes.
  std::vector<LaunchWork> stack; ///< The next one last.
  bool isOnDevice = true;        ///< The stack is there, too. Not with graphs.
  bool isAhead = false;          ///< Less is on the stack here than on the device.
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_LAUNCHTREE_H
