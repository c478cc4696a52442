// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kernel's launch and all that comes of it: a depth-first walk, whose stack lies in the
// device's memory, so that a checkpoint has it.

#ifndef HET_RUNTIME_CORE_LAUNCHTREE_H
#define HET_RUNTIME_CORE_LAUNCHTREE_H

#include "core/Queue.h"
#include "core/Stream.h"
#include "het/Base/Bytes.h"
#include "include/__het/launch_records.h"

#include <vector>

namespace het::core {

class Device;
class Kernel;
class Module;

/// One thread uses it, while no other kernel that may launch runs on the device.
class LaunchTree {
public:
  /// `variable`: the address of the device's HetLaunches. What is launched are kernels of
  /// the modules.
  LaunchTree(Device &device, Queue &queue, std::vector<Module *> modules, void *variable)
      : device(device), queue(queue), modules(std::move(modules)),
        variable(static_cast<char *>(variable)) {}

  /// Returns when all is done, or the device has a fault.
  Status run(Kernel &kernel, const LaunchShape &shape, const void *arguments,
             size_t argumentBytes);
  /// The same for what lies in the device's memory already.
  Status resume();

private:
  /// A record, and its arguments if they do not fit into it.
  struct Pending {
    HetLaunchRecord record = {};
    Bytes large;
    const uint8_t *arguments() const {
      return large.empty() ? record.arguments : large.data();
    }
  };

  Status readHead();
  Status writeHead();
  Status runGrid(Kernel &kernel, const LaunchShape &shape, const void *arguments,
                 size_t argumentBytes);
  Result<std::shared_ptr<Kernel>> kernelOf(uint64_t number);
  Status walk();
  Status collect();
  Status read(std::vector<Pending> &made);
  Status write(const std::vector<Pending> &made);
  Status carryOut(const Pending &work);
  Status launch(const Pending &work);
  Status move(const Pending &work);
  Status copy(void *to, const void *from, size_t size);
  bool hasFault() const;

  Device &device;
  Queue &queue;
  const std::vector<Module *> modules;
  char *const variable;
  HetLaunches state = {}; ///< As it is on the device, but for errors and attributes.
  std::vector<Pending> stack; ///< The next one last, as on the device.
  bool isAhead = false; ///< Less is on the stack here than on the device.
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_LAUNCHTREE_H
