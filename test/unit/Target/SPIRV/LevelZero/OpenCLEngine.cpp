// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are SPIR-V, run by the first OpenCL device that takes them. Level Zero's
// functions stay as strict as for unit tests: a misuse ends the process.

#include "FakeState.h"
#include "SPIRV/Device/OpenCL/OpenCLDoor.h"
#include "SPIRV/SPIRVArtifact.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

/// The OpenCL device and a queue; stay until the process ends.
struct Engine {
  std::unique_ptr<Door> door;
  std::unique_ptr<Commands> commands;
};

[[noreturn]] void endProcess(const std::string &what) {
  std::fprintf(stderr, "Level Zero on OpenCL: %s\n", what.c_str());
  std::abort();
}

Engine *makeEngine() {
  HetStatus status = {};
  const OpenCL *cl = OpenCL::open(&status);
  if (!cl)
    endProcess(status.message);
  Offers offers;
  findOffers(*cl, offers);
  if (offers.devices.empty())
    endProcess(offers.reason);
  auto *engine = new Engine;
  if (!(engine->door = offers.devices[0].open(&status)) ||
      !(engine->commands = engine->door->createCommands(&status)))
    endProcess(status.message);
  HetDeviceProperties facts = {};
  if (engine->door->readFacts(facts, &status))
    endProcess(status.message);
  fake.name = offers.devices[0].name;
  fake.localBytes = facts.sharedBytesPerBlockOptIn + HET_SPIRV_MOST_SCRATCH;
  fake.totalMemory = facts.totalMemory;
  fake.maxMemory = facts.totalMemory;
  return engine;
}

Engine &engine() {
  static Engine *made = makeEngine();
  return *made;
}

class OpenCLProgram : public FakeProgram {
public:
  OpenCLProgram(const std::string &code, bool isNative)
      : code(code), isNative(isNative) {}

  bool build(std::string &log) {
    HetStatus status = {};
    if ((loaded = engine().door->load(source(), &status)))
      return true;
    log = status.message;
    return false;
  }

  std::string name() const override { return "a kernel"; }
  uint32_t maxThreads() const override { return loaded->maxThreads; }
  std::string native() const override {
    const auto &built = static_cast<const OpenCLCode &>(*loaded);
    size_t bytes = 0;
    built.cl.clGetProgramInfo(built.program, CL_PROGRAM_BINARY_SIZES, sizeof(bytes),
                              &bytes, nullptr);
    std::string program(bytes, '\0');
    char *place = program.data();
    if (built.cl.clGetProgramInfo(built.program, CL_PROGRAM_BINARIES, sizeof(place),
                                  &place, nullptr) != CL_SUCCESS)
      return "";
    return program;
  }
  void run(const FakeWork &work) override {
    Items items;
    std::copy_n(work.groups, 3, items.groups);
    std::copy_n(work.group, 3, items.group);
    static_cast<OpenCLCode &>(*loaded).isSegmented = work.localBytes == 0;
    const std::string wrong = engine().commands->run(
        *loaded, reinterpret_cast<const void *>(work.record), work.localBytes, items);
    if (!wrong.empty())
      endProcess(wrong);
  }

private:
  Source source() const {
    return {"kernel",    isNative, false, reinterpret_cast<const uint8_t *>(code.data()),
            code.size(), 0};
  }

  const std::string code;
  const bool isNative;
  std::unique_ptr<Code> loaded;
};

} // namespace

std::unique_ptr<FakeProgram> buildProgram(const std::string &code, bool isNative,
                                          std::string &log) {
  auto program = std::make_unique<OpenCLProgram>(code, isNative);
  if (program->build(log))
    return program;
  return nullptr;
}

void startEngine() { engine(); }

bool hostReachesDevice() { return true; }

void misuse(const std::string &what) { endProcess("misuse: " + what); }
