// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the PTX target says it can do, for the contract suite, on the fake driver, whose
// kernels do what their names say.

#include "Contract.h"
#include "PTXDeviceTest.h"

namespace het::contract {

static std::string useFakeDriver() {
  setenv("HET_CUDA_DRIVER", HET_TEST_FAKE_DRIVER, 1);
  return "";
}

static Bytes nameKernel(const std::string &kernel) {
  const bool isVariable = kernel == "variable";
  return makeArtifact(kernel, "kernel " + kernel + (isVariable ? " variables 1" : ""),
                      isVariable);
}

const Subject &subject() {
  static const Subject ptx = {"ptx",
                              HET_TEST_TARGETS,
                              {Capability::Launches, Capability::Constants,
                               Capability::Graphs, Capability::Suspends},
                              useFakeDriver,
                              nameKernel};
  return ptx;
}

} // namespace het::contract
