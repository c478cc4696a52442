// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are words (FakeKernels.h).

#include "FakeState.h"

namespace {

class WordProgram : public FakeProgram {
public:
  explicit WordProgram(const std::string &code) : code(code) {}

  std::string name() const override { return code; }
  std::string native() const override { return fake.hasNativeBinaries ? code : ""; }
  uint32_t maxThreads() const override { return fake.maxGroupSize; }

  void run(const FakeWork &work) override {
    size_t items = 1;
    for (int axis = 0; axis < 3; ++axis)
      items *= size_t(work.groups[axis]) * work.group[axis];
    runFakeKernel({code, items}, work.record, viewOf(work.context));
  }

private:
  const std::string code;
};

} // namespace

std::unique_ptr<FakeProgram> buildProgram(const std::string &code, bool isNative,
                                          std::string &log) {
  if (!isNative && code == "broken") {
    log = "line 7: it is broken";
    return nullptr;
  }
  return std::make_unique<WordProgram>(code);
}

void startEngine() {}

bool hostReachesDevice() { return false; }

void misuse(const std::string &what) { fake.misuses.push_back(what); }
