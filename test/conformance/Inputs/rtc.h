// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs that compile while they run share.

#ifndef HET_CONFORMANCE_RTC_H
#define HET_CONFORMANCE_RTC_H

#include "check.h"
#include <cuda.h>
#include <nvrtc.h>
#include <string>
#include <vector>

namespace rtc {

struct Header {
  const char *name, *text;
};

/// A program of NVRTC's, and what came of it.
class Program {
public:
  explicit Program(const char *source, const char *name = "test.cu",
                   std::vector<Header> headers = {}) {
    std::vector<const char *> names, texts;
    for (const Header &header : headers) {
      names.push_back(header.name);
      texts.push_back(header.text);
    }
    CHECK_TRUE(nvrtcCreateProgram(&program, source, name, int(headers.size()),
                                  texts.data(), names.data()) == NVRTC_SUCCESS);
  }
  Program(const Program &) = delete;
  ~Program() { CHECK_TRUE(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS && !program); }

  nvrtcResult compile(std::vector<const char *> options = {"-arch=sm_80"}) {
    const nvrtcResult result =
        nvrtcCompileProgram(program, int(options.size()), options.data());
    if (result != NVRTC_SUCCESS && isLoud)
      std::printf("%s\n", log().c_str());
    return result;
  }
  /// Does not print what is expected.
  Program &quiet() {
    isLoud = false;
    return *this;
  }
  void name(const char *expression) {
    CHECK_TRUE(nvrtcAddNameExpression(program, expression) == NVRTC_SUCCESS);
  }
  std::string lowered(const char *expression) {
    const char *name = nullptr;
    CHECK_TRUE(nvrtcGetLoweredName(program, expression, &name) == NVRTC_SUCCESS);
    return name ? name : "";
  }
  std::string log() { return text(nvrtcGetProgramLogSize, nvrtcGetProgramLog); }
  std::string ptx() { return text(nvrtcGetPTXSize, nvrtcGetPTX); }
  std::vector<char> cubin() { return bytes(nvrtcGetCUBINSize, nvrtcGetCUBIN); }
  std::vector<char> ltoir() { return bytes(nvrtcGetLTOIRSize, nvrtcGetLTOIR); }

  nvrtcProgram program = nullptr;

private:
  template <class Size, class Get> std::vector<char> bytes(Size getSize, Get get) {
    size_t size = 0;
    CHECK_TRUE(getSize(program, &size) == NVRTC_SUCCESS);
    std::vector<char> all(size);
    if (size)
      CHECK_TRUE(get(program, all.data()) == NVRTC_SUCCESS);
    return all;
  }
  template <class Size, class Get> std::string text(Size getSize, Get get) {
    std::vector<char> all = bytes(getSize, get);
    CHECK_TRUE(!all.empty() && all.back() == 0);
    return all.empty() ? "" : std::string(all.data());
  }

  bool isLoud = true;
};

/// A module of the driver API, of text or a cubin.
class Module {
public:
  explicit Module(const void *image) {
    CHECK_TRUE(cuModuleLoadData(&module, image) == CUDA_SUCCESS);
  }
  Module(const Module &) = delete;
  ~Module() { CHECK_TRUE(cuModuleUnload(module) == CUDA_SUCCESS); }

  CUfunction function(const std::string &name) {
    CUfunction found = nullptr;
    CHECK_TRUE(cuModuleGetFunction(&found, module, name.c_str()) == CUDA_SUCCESS);
    return found;
  }
  template <class... Arguments>
  void launch(const std::string &name, unsigned blocks, unsigned threads,
              Arguments... arguments) {
    void *places[] = {&arguments..., nullptr};
    CHECK_TRUE(cuLaunchKernel(function(name), blocks, 1, 1, threads, 1, 1, 0, nullptr,
                              places, nullptr) == CUDA_SUCCESS);
    CHECK_TRUE(cuCtxSynchronize() == CUDA_SUCCESS);
  }

  CUmodule module = nullptr;
};

/// Makes the device's context current.
inline void begin() { CHECK_TRUE(cudaFree(nullptr) == cudaSuccess); }

} // namespace rtc

#endif // HET_CONFORMANCE_RTC_H
