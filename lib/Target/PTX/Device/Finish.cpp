// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX to cubin by the driver's compiler, and what that compiler says. It adds no line
// information unless it is asked to.

#include "PTXDevice.h"

#include <cstring>
#include <memory>

namespace het::ptx {

CompilerLog::CompilerLog()
    : names{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
            CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
            CU_JIT_OPTIMIZATION_LEVEL},
      // The numbers stand in place of pointers, in their low 32 bits.
      values{errors, reinterpret_cast<void *>(sizeof(errors) - 1), notes,
             reinterpret_cast<void *>(sizeof(notes) - 1),
             reinterpret_cast<void *>(uintptr_t(4))} {}

std::string CompilerLog::text() const {
  std::string all = errors;
  if (*notes)
    all += (all.empty() ? "" : "\n") + std::string(notes);
  while (!all.empty() && (all.back() == '\n' || all.back() == ' '))
    all.pop_back();
  return all;
}

int32_t reportCode(HetDevice &device, CUresult result, const std::string &kernel,
                   const CompilerLog &log, HetStatus *status) {
  int32_t code = HET_INVALID;
  std::string advice;
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    code = HET_UNAVAILABLE;
  } else if (result == CUDA_ERROR_JIT_COMPILER_NOT_FOUND) {
    code = HET_UNAVAILABLE;
    advice = "; install libnvidia-ptxjitcompiler.so.1 of the driver's version";
  } else if (result == CUDA_ERROR_JIT_COMPILATION_DISABLED) {
    code = HET_UNAVAILABLE;
    advice = "; unset CUDA_DISABLE_PTX_JIT";
  }
  std::string message =
      kernelText(kernel) + ": " + device.driver.text(result) + advice;
  if (device.failed(result))
    code = HET_UNAVAILABLE;
  if (std::string said = log.text(); !said.empty())
    message += ": " + said;
  return report(status, code, message);
}

namespace {

/// A link of one input, with the log that must outlive it.
struct Link {
  HetDevice &device;
  CompilerLog log;
  CUlinkState state = nullptr;

  explicit Link(HetDevice &device) : device(device) {}
  ~Link() {
    if (state)
      device.driver.cuLinkDestroy(state);
  }
  /// The code stays until the link is destroyed.
  CUresult run(const Container &container, void *&code, size_t &size) {
    const Driver &driver = device.driver;
    if (CUresult result = enter(device))
      return result;
    if (CUresult result = driver.cuLinkCreate(log.count(), log.options(),
                                              log.optionValues(), &state)) {
      state = nullptr;
      return result;
    }
    if (CUresult result = driver.cuLinkAddData(
            state, CU_JIT_INPUT_PTX, const_cast<uint8_t *>(container.code),
            container.header.codeBytes, container.kernel.c_str(), 0, nullptr, nullptr))
      return result;
    return driver.cuLinkComplete(state, &code, &size);
  }
};

} // namespace

int32_t finishArtifact(HetDevice *device, const uint8_t *data, size_t size,
                       HetLowering *out, HetStatus *status) {
  Container container;
  if (!readContainer(data, size, container, status))
    return status->code;
  auto finished = std::make_unique<std::vector<uint8_t>>(data, data + size);
  if (container.header.form == HET_PTX_TEXT) {
    Link link(*device);
    void *code = nullptr;
    size_t codeBytes = 0;
    if (CUresult result = link.run(container, code, codeBytes))
      return reportCode(*device, result, container.kernel, link.log, status);
    container.header.form = HET_PTX_CUBIN;
    container.header.codeBytes = codeBytes;
    finished->resize(container.code - data);
    std::memcpy(finished->data(), &container.header, sizeof(HetPtxArtifact));
    auto *bytes = static_cast<const uint8_t *>(code);
    finished->insert(finished->end(), bytes, bytes + codeBytes);
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

} // namespace het::ptx
