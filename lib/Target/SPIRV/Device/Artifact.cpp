// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SPIR-V to the driver's own program, which the cache keeps, and from there to kernels.

#include "SPIRVDevice.h"
#include "het/Base/Log.h"

#include <algorithm>
#include <cstring>

namespace het::spirv {
namespace {

/// An artifact's bytes, whose sizes have been checked.
struct Container {
  HetSpirvArtifact header = {};
  std::string name;
  const uint8_t *code = nullptr;
};

int32_t readContainer(const uint8_t *data, size_t size, Container &out,
                      HetStatus *status) {
  const char *advice = "; remove the artifact from the cache";
  if (size < sizeof(HetSpirvArtifact))
    return report(status, HET_INVALID,
                  "artifact: found " + std::to_string(size) + " bytes" + advice);
  std::memcpy(&out.header, data, sizeof(HetSpirvArtifact));
  if (out.header.magic != HET_SPIRV_MAGIC || out.header.form > HET_SPIRV_PROGRAM)
    return report(status, HET_INVALID,
                  std::string("artifact: not one of this version") + advice);
  size -= sizeof(HetSpirvArtifact);
  if (out.header.nameBytes > size ||
      out.header.codeBytes != size - out.header.nameBytes)
    return report(status, HET_INVALID,
                  std::string("artifact: its sizes do not agree") + advice);
  data += sizeof(HetSpirvArtifact);
  out.name.assign(reinterpret_cast<const char *>(data), out.header.nameBytes);
  out.code = data + out.header.nameBytes;
  return success(status);
}

std::string buildLog(HetDevice &device, cl_program program) {
  size_t size = 0;
  const OpenCL &cl = device.cl;
  if (cl.clGetProgramBuildInfo(program, device.candidate.device, CL_PROGRAM_BUILD_LOG, 0,
                               nullptr, &size) != CL_SUCCESS)
    return "";
  std::string log(size, '\0');
  cl.clGetProgramBuildInfo(program, device.candidate.device, CL_PROGRAM_BUILD_LOG, size,
                           log.data(), nullptr);
  log.resize(std::strlen(log.c_str()));
  return log;
}

/// The program of a container, built; null with a status.
cl_program build(HetDevice &device, const Container &container, HetStatus *status) {
  const OpenCL &cl = device.cl;
  const std::string what = "kernel '" + container.name + "': ";
  cl_int error = CL_SUCCESS;
  cl_program program = nullptr;
  size_t size = container.header.codeBytes;
  const uint8_t *code = container.code;
  if (container.header.form == HET_SPIRV_MODULE)
    program = cl.clCreateProgramWithIL(device.context, code, size, &error);
  else
    program = cl.clCreateProgramWithBinary(device.context, 1, &device.candidate.device,
                                           &size, &code, nullptr, &error);
  if (error) {
    report(status, HET_INVALID,
           what + "the driver does not take its code (error " + std::to_string(error) +
               ")");
    return nullptr;
  }
  error = cl.clBuildProgram(program, 1, &device.candidate.device, "", nullptr, nullptr);
  if (error == CL_SUCCESS)
    return program;
  report(status, HET_UNSUPPORTED,
         what + "the driver does not compile it (error " + std::to_string(error) +
             "): " + buildLog(device, program));
  cl.clReleaseProgram(program);
  return nullptr;
}

int32_t finishArtifact(HetDevice *device, const uint8_t *data, size_t size,
                       HetLowering *out, HetStatus *status) {
  Container container;
  if (readContainer(data, size, container, status))
    return status->code;
  auto finished = std::make_unique<std::vector<uint8_t>>(data, data + size);
  if (container.header.form == HET_SPIRV_MODULE) {
    const OpenCL &cl = device->cl;
    cl_program program = build(*device, container, status);
    if (!program)
      return status->code;
    size_t bytes = 0;
    cl.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, nullptr);
    size_t head = container.code - data;
    std::vector<uint8_t> code(bytes);
    uint8_t *place = code.data();
    // Where there is none the module stays what it is.
    if (bytes && cl.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(place), &place,
                                     nullptr) == CL_SUCCESS) {
      container.header.form = HET_SPIRV_PROGRAM;
      container.header.codeBytes = bytes;
      std::memcpy(finished->data(), &container.header, sizeof(HetSpirvArtifact));
      finished->resize(head);
      finished->insert(finished->end(), code.begin(), code.end());
    }
    cl.clReleaseProgram(program);
  }
  out->data = finished->data();
  out->size = finished->size();
  out->owner = finished.release();
  return success(status);
}

void releaseFinished(HetLowering *finished) {
  delete static_cast<std::vector<uint8_t> *>(finished->owner);
  *finished = {};
}

void unloadArtifact(HetArtifact *artifact) {
  const OpenCL &cl = artifact->device->cl;
  if (artifact->kernel)
    cl.clReleaseKernel(artifact->kernel);
  if (artifact->program)
    cl.clReleaseProgram(artifact->program);
  delete artifact;
}

int32_t createKernel(HetArtifact &artifact, HetStatus *status) {
  HetDevice &device = *artifact.device;
  cl_int error = CL_SUCCESS;
  artifact.kernel = device.cl.clCreateKernel(artifact.program, HET_SPIRV_ENTRY, &error);
  if (error)
    return report(status, HET_INVALID,
                  "kernel '" + artifact.name + "': not in its code (error " +
                      std::to_string(error) + ")");
  auto ask = [&](cl_uint what, uint64_t &value) {
    device.cl.clGetKernelWorkGroupInfo(artifact.kernel, device.candidate.device, what,
                                       sizeof(value), &value, nullptr);
  };
  ask(CL_KERNEL_WORK_GROUP_SIZE, artifact.maxThreads);
  ask(CL_KERNEL_PRIVATE_MEM_SIZE, artifact.localBytes);
  uint64_t most = device.facts.maxThreadsPerBlock;
  if (artifact.isSegmented() || !artifact.maxThreads || artifact.maxThreads > most)
    artifact.maxThreads = most;
  if (uint32_t bound = artifact.header.maxThreads; bound && bound < artifact.maxThreads)
    artifact.maxThreads = bound;
  return success(status);
}

/// How the kernel is run; what decides is Lowering/ChooseForm.cpp.
const char *formOf(uint32_t flags) {
  if (flags & HET_SPIRV_SEGMENTED)
    return "segmented: a block is one work-item";
  if (flags & HET_SPIRV_SPLIT)
    return "split: a team is several sub-groups";
  return flags & HET_SPIRV_FLAT ? "flat: a team is a sub-group" : "native";
}

int32_t loadArtifact(HetDevice *device, const uint8_t *data, size_t size,
                     const uint64_t *variables, size_t variableCount, HetArtifact **out,
                     HetStatus *status) {
  Container container;
  if (readContainer(data, size, container, status))
    return status->code;
  if (container.header.variableCount != variableCount)
    return report(status, HET_INVALID,
                  "artifact: found a kernel of " +
                      std::to_string(container.header.variableCount) +
                      " variables, expected " + std::to_string(variableCount));
  auto *artifact = new HetArtifact;
  artifact->device = device;
  artifact->header = container.header;
  artifact->name = container.name;
  artifact->variables.assign(variables, variables + variableCount);
  artifact->program = build(*device, container, status);
  if (artifact->program && createKernel(*artifact, status) == HET_OK) {
    *out = artifact;
    log(Level::Info, "spirv: kernel '%s' runs %s", artifact->name.c_str(),
        formOf(artifact->header.flags));
    return success(status);
  }
  unloadArtifact(artifact);
  return status->code;
}

int32_t describeArtifact(HetArtifact *artifact, HetArtifactInfo *out,
                         HetStatus *status) {
  *out = {0, static_cast<uint32_t>(artifact->localBytes),
          static_cast<uint32_t>(artifact->maxThreads), 0};
  return success(status);
}

} // namespace

void fillInArtifacts(HetDeviceABI &table) {
  table.loadArtifact = loadArtifact;
  table.unloadArtifact = unloadArtifact;
  table.describeArtifact = describeArtifact;
  table.finishArtifact = finishArtifact;
  table.releaseFinished = releaseFinished;
}

} // namespace het::spirv
