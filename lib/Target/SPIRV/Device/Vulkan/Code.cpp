// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shader modules and the pipelines that are made of them: one for each size of a group
// and of its shared memory.

#include "VulkanDoor.h"

#include <cstring>

namespace het::spirv {

/// Makes addresses of the words that are places among the constants (SPIRVArtifact.h).
static bool relocate(uint8_t *constants, size_t bytes) {
  auto wordAt = [&](size_t at) {
    uint64_t word = 0;
    std::memcpy(&word, constants + at, sizeof(word));
    return word;
  };
  constexpr size_t size = sizeof(uint64_t);
  if (bytes < size || bytes % size)
    return false;
  const uint64_t count = wordAt(bytes - size);
  if (count > bytes / size - 1)
    return false;
  const size_t list = bytes - (count + 1) * size;
  for (uint64_t index = 0; index < count; ++index) {
    const uint64_t at = wordAt(list + index * size);
    if (at > list || list - at < size)
      return false;
    const uint64_t address = wordAt(at) + reinterpret_cast<uint64_t>(constants);
    std::memcpy(constants + at, &address, size);
  }
  return true;
}

/// A pipeline depends on the launch, so there is no program before it.
int32_t VulkanDoor::compile(const Source &, std::vector<uint8_t> &, HetStatus *status) {
  return success(status);
}

std::unique_ptr<Code> VulkanDoor::load(const Source &source, HetStatus *status) {
  const std::string what = "kernel '" + source.name + "': ";
  if (source.isProgram || source.constantBytes > source.size ||
      (source.size - source.constantBytes) % sizeof(uint32_t)) {
    report(status, HET_INVALID, what + "found no whole SPIR-V module in its code");
    return nullptr;
  }
  auto code = std::make_unique<VulkanCode>(*this, source.isSegmented);
  const size_t bytes = source.size - source.constantBytes;
  if (source.constantBytes) {
    code->constants = spirv::allocate(*this, source.constantBytes);
    if (!code->constants) {
      report(status, HET_UNAVAILABLE, what + "no memory for its constants");
      return nullptr;
    }
    std::memcpy(code->constants.get(), source.code + bytes, source.constantBytes);
    if (!relocate(code->constants.get(), source.constantBytes)) {
      report(status, HET_INVALID, what + "its constants do not agree");
      return nullptr;
    }
  }
  std::vector<uint32_t> words(bytes / sizeof(uint32_t));
  std::memcpy(words.data(), source.code, bytes);
  constexpr size_t header = 5;               // words
  constexpr uint32_t firstWord = 0x07230203; // SPIR-V, "Magic Number"
  if (words.size() < header || words[0] != firstWord) {
    report(status, HET_INVALID, what + "found no SPIR-V module in its code");
    return nullptr;
  }
  VkShaderModuleCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  info.codeSize = bytes;
  info.pCode = words.data();
  if (check(vulkan.vkCreateShaderModule(device, &info, nullptr, &code->module),
            HET_INVALID, what + "the driver does not take its code", status))
    return nullptr;
  return code;
}

VulkanCode::~VulkanCode() {
  for (auto &[shape, pipeline] : pipelines)
    door.vulkan.vkDestroyPipeline(door.device, pipeline, nullptr);
  door.vulkan.vkDestroyShaderModule(door.device, module, nullptr);
}

VkResult VulkanCode::createPipeline(const Shape &shape, VkPipeline &pipeline) {
  VkSpecializationMapEntry entries[std::tuple_size_v<Shape>];
  for (uint32_t number = 0; number < std::size(entries); ++number)
    entries[number] = {number, static_cast<uint32_t>(number * sizeof(uint32_t)),
                       sizeof(uint32_t)};
  const VkSpecializationInfo constants = {std::size(entries), entries, sizeof(Shape),
                                          shape.data()};
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo lanes = {};
  lanes.sType =
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
  lanes.requiredSubgroupSize = door.subgroup;
  VkComputePipelineCreateInfo info = {
      VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      nullptr,
      0,
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0,
       VK_SHADER_STAGE_COMPUTE_BIT, module, HET_SPIRV_ENTRY, &constants},
      door.layout,
      VK_NULL_HANDLE,
      0};
  if (door.subgroup && !isSegmented)
    info.stage.pNext = &lanes;
  return door.vulkan.vkCreateComputePipelines(door.device, VK_NULL_HANDLE, 1, &info,
                                              nullptr, &pipeline);
}

VkResult VulkanCode::findPipeline(const uint32_t *group, size_t sharedBytes,
                                  VkPipeline &pipeline) {
  const auto words =
      static_cast<uint32_t>((sharedBytes + sizeof(uint32_t) - 1) / sizeof(uint32_t));
  const Shape shape = {group[0], group[1], group[2], words ? words : 1};
  std::lock_guard<std::mutex> lock(mutex);
  VkPipeline &known = pipelines[shape];
  if (!known)
    if (VkResult result = createPipeline(shape, known)) {
      pipelines.erase(shape);
      return result;
    }
  pipeline = known;
  return VK_SUCCESS;
}

} // namespace het::spirv
