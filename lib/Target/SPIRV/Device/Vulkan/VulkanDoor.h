// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The door through Vulkan, to devices whose kernels reach the process's memory.

#ifndef HET_LIB_TARGET_SPIRV_DEVICE_VULKAN_VULKANDOOR_H
#define HET_LIB_TARGET_SPIRV_DEVICE_VULKAN_VULKANDOOR_H

#include "../../SPIRVArtifact.h"
#include "../ProcessMemory.h"
#include "VulkanLibrary.h"

#include <map>
#include <mutex>

namespace het::spirv {

class VulkanDoor : public ProcessMemoryDoor {
public:
  /// Null with a status where the device can not be opened.
  static std::unique_ptr<Door> open(const Vulkan &vulkan, const VulkanGPU &gpu,
                                    HetStatus *status);
  ~VulkanDoor() override;

  int32_t readFacts(HetDeviceProperties &out, HetStatus *status) override;
  std::unique_ptr<Commands> createCommands(HetStatus *status) override;
  std::unique_ptr<Code> load(const Source &source, HetStatus *status) override;
  int32_t compile(const Source &module, std::vector<uint8_t> &program,
                  HetStatus *status) override;

  /// Whether the result is an error; a lost device is noted.
  bool failed(VkResult result);
  /// Reports an error under `code`, unless it is want of memory or the device is lost.
  int32_t check(VkResult result, int32_t code, const std::string &what,
                HetStatus *status);

  const Vulkan &vulkan;
  const VulkanGPU gpu;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  std::mutex submitting; ///< held while the queue is used
  VkPipelineLayout layout = VK_NULL_HANDLE;
  unsigned subgroup = 0; ///< Lanes that kernels ask for; 0: none.

private:
  VulkanDoor(const Vulkan &vulkan, const VulkanGPU &gpu) : vulkan(vulkan), gpu(gpu) {}
  VkResult createDevice();
  VkResult createLayout();
  bool reachesProcess();
};

class VulkanCode : public Code {
public:
  VulkanCode(VulkanDoor &door, bool isSegmented) : door(door), isSegmented(isSegmented) {}
  ~VulkanCode() override;

  /// The pipeline for groups of such a size with so much shared memory, made at its first
  /// use.
  VkResult findPipeline(const uint32_t *group, size_t sharedBytes, VkPipeline &pipeline);

  VulkanDoor &door;
  const bool isSegmented;
  VkShaderModule module = VK_NULL_HANDLE;
  Memory constants;

private:
  using Shape = std::array<uint32_t, 4>; ///< The specialisation constants.
  VkResult createPipeline(const Shape &shape, VkPipeline &pipeline);

  std::mutex mutex;
  std::map<Shape, VkPipeline> pipelines;
};

class VulkanCommands : public ProcessMemoryCommands {
public:
  explicit VulkanCommands(VulkanDoor &door) : door(door) {}
  ~VulkanCommands() override;
  VkResult open();

  std::string run(Code &code, const void *record, size_t sharedBytes,
                  const Items &items) override;

private:
  VkResult record(VulkanCode &code, const void *launch, size_t sharedBytes,
                  const Items &items);
  void dispatch(HetVulkanPushed &pushed, const Items &items);
  VkResult submit();

  VulkanDoor &door;
  VkCommandPool pool = VK_NULL_HANDLE;
  VkCommandBuffer buffer = VK_NULL_HANDLE;
  VkFence fence = VK_NULL_HANDLE;
};

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_DEVICE_VULKAN_VULKANDOOR_H
