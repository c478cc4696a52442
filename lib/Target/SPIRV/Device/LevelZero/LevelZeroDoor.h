// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The door through Level Zero. Device memory lies in the window by the driver's virtual
// memory; records of launches and what kernels leave in memory of the driver's that the
// host reaches too. Other memory of the process is copied through such memory.

#ifndef HET_LIB_TARGET_SPIRV_DEVICE_LEVELZERO_LEVELZERODOOR_H
#define HET_LIB_TARGET_SPIRV_DEVICE_LEVELZERO_LEVELZERODOOR_H

#include "LevelZeroContext.h"
#include "ReachedRanges.h"

#include <mutex>

namespace het::spirv {

class LevelZeroDoor : public Door {
public:
  /// Null with a status where the device can not be opened.
  static std::unique_ptr<Door> open(const LevelZero &ze, const LevelZeroGPU &gpu,
                                    HetStatus *status);
  ~LevelZeroDoor() override;

  /// Whether there can be memory of Place::Both.
  static bool hasCommonMemory(const ze_device_memory_access_properties_t &access);

  int32_t readFacts(HetDeviceProperties &out, HetStatus *status) override;
  uint8_t *allocate(size_t bytes, size_t alignment, Place place) override;
  void release(uint8_t *memory) override;
  bool sharesWhileRunning() const override;
  int32_t mapMemory(uint64_t address, uint64_t size, HetStatus *status) override;
  int32_t unmapMemory(uint64_t address, uint64_t size, HetStatus *status) override;
  int32_t allocateManaged(uint64_t size, uint64_t *address, HetStatus *status) override;
  int32_t freeManaged(uint64_t address, HetStatus *status) override;
  int32_t pinMemory(uint64_t address, uint64_t size, HetStatus *status) override;
  int32_t unpinMemory(uint64_t address, HetStatus *status) override;
  std::unique_ptr<Commands> createCommands(HetStatus *status) override;
  std::unique_ptr<Code> load(const Source &source, HetStatus *status) override;
  int32_t compile(const Source &module, std::vector<uint8_t> &program,
                  HetStatus *status) override;

  /// Whether copies and kernels reach a range as it lies.
  bool reaches(uint64_t address, uint64_t size);

  LevelZeroContext context;

private:
  LevelZeroDoor(const LevelZero &ze, const LevelZeroGPU &gpu) : context(ze, gpu, lost) {}
  ze_result_t drop(uint64_t address, ReachedRange &range);
  bool reachesAll() const;
  ze_module_handle_t build(const Source &source, HetStatus *status);

  std::mutex pinning; ///< held while memory is pinned or unpinned
  ReachedRanges ranges;
};

class LevelZeroCode : public Code {
public:
  explicit LevelZeroCode(const LevelZero &ze) : ze(ze) {}
  ~LevelZeroCode() override;

  const LevelZero &ze;
  ze_module_handle_t module = nullptr;
  ze_kernel_handle_t kernel = nullptr;
  bool isSegmented = false;
  std::mutex mutex; ///< the kernel is set up and put into a list under it
};

class LevelZeroCommands : public Commands {
public:
  LevelZeroCommands(LevelZeroDoor &door, ze_command_list_handle_t list)
      : door(door), list(list) {}
  ~LevelZeroCommands() override;

  std::string run(Code &code, const void *record, size_t sharedBytes,
                  const Items &items) override;
  std::string copy(uint64_t to, uint64_t from, size_t size) override;
  std::string copyRows(const Rows &rows) override;
  std::string fill(uint64_t to, uint32_t pattern, uint32_t patternBytes,
                   size_t size) override;

private:
  std::string finish(ze_result_t result, const char *what);
  ze_result_t append(LevelZeroCode &code, const void *record, size_t sharedBytes,
                     const Items &items, const char *&what);
  bool reachesRows(uint64_t address, size_t pitch, const Rows &rows);
  std::string copyReached(const Rows &rows);
  std::string copyStaged(const Rows &rows, bool toDevice);

  LevelZeroDoor &door;
  const ze_command_list_handle_t list;
  Memory staging; ///< for copies of memory that the device does not reach
};

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_DEVICE_LEVELZERO_LEVELZERODOOR_H
