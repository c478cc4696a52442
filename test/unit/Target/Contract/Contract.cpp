// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens the plug-ins, and gives back what a test has made.

#include "Contract.h"

#include <algorithm>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace het::contract {

namespace {

/// A plug-in's table, which stays open to the end of the process.
template <class Table>
const Table *openTable(const std::string &target, const char *part, const char *entry) {
  const std::string path =
      std::string(subject().folder) + "/het-" + target + "-" + part + ".so";
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    ADD_FAILURE() << dlerror();
    return nullptr;
  }
  auto function = reinterpret_cast<const Table *(*)()>(dlsym(library, entry));
  EXPECT_TRUE(function) << path << " has no " << entry;
  return function ? function() : nullptr;
}

/// Why the device is not here; empty: it is.
const std::string &whyNotHere() {
  static const std::string reason = subject().prepare ? subject().prepare() : "";
  return reason;
}

} // namespace

void Gate::open() {
  std::lock_guard<std::mutex> lock(mutex);
  isOpen = true;
  changed.notify_all();
}

void Gate::pass(void *gate) {
  auto *self = static_cast<Gate *>(gate);
  std::unique_lock<std::mutex> lock(self->mutex);
  self->changed.wait(lock, [self] { return self->isOpen; });
}

Bytes readBytes(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path << ": can not be read";
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

void ContractTest::SetUp() {
  if (!whyNotHere().empty())
    GTEST_SKIP() << whyNotHere();
  openPlugins(subject().target);
}

void ContractTest::openPlugins(const char *target) {
  const auto *device = openTable<HetDeviceABI>(target, "device", "hetDeviceABI");
  const auto *code = openTable<HetLoweringABI>(target, "lowering", "hetLoweringABI");
  ASSERT_TRUE(device && code);
  ASSERT_EQ(device->abiVersion, HET_TARGET_ABI_VERSION);
  ASSERT_EQ(code->abiVersion, HET_TARGET_ABI_VERSION);
  abi = device;
  lowering = code;
}

void ContractTest::expectReason(int32_t code) {
  EXPECT_EQ(status.code, code);
  const std::string message = status.message;
  EXPECT_NE(message, "");
  EXPECT_NE(message.rfind("error:", 0), 0u) << message;
  status = {};
}

void DeviceTest::SetUp() {
  ContractTest::SetUp();
  if (!HasFatalFailure() && !IsSkipped())
    openDevice();
}

void DeviceTest::changeTo(const char *target) {
  TearDown();
  openPlugins(target);
  if (!HasFatalFailure())
    openDevice();
}

void DeviceTest::openDevice() {
  next = core::windowBase;
  CONTRACT_OK(abi->open(0, &device, &status));
  CONTRACT_OK(abi->properties(device, &facts, &status));
  queue = newQueue();
}

void DeviceTest::TearDown() {
  openGates();
  for (HetQueue *each : std::exchange(queues, {}))
    abi->destroyQueue(each);
  for (HetEvent *event : std::exchange(events, {}))
    abi->destroyEvent(event);
  for (auto [address, size] : std::exchange(mapped, {}))
    EXPECT_EQ(abi->unmapMemory(device, address, size, &status), HET_OK) << status.message;
  queue = nullptr;
  if (HetDevice *last = std::exchange(device, nullptr))
    abi->close(last);
}

HetQueue *DeviceTest::newQueue() {
  HetQueue *made = nullptr;
  EXPECT_EQ(abi->createQueue(device, &made, &status), HET_OK) << status.message;
  queues.push_back(made);
  return made;
}

HetEvent *DeviceTest::newEvent() {
  HetEvent *made = nullptr;
  EXPECT_EQ(abi->createEvent(device, &made, &status), HET_OK) << status.message;
  events.push_back(made);
  return made;
}

uint64_t DeviceTest::allocate(uint64_t size) {
  const uint64_t granule = facts.memoryGranularity;
  const uint64_t rounded = (size + granule - 1) / granule * granule;
  const uint64_t address = next;
  EXPECT_EQ(abi->mapMemory(device, address, rounded, &status), HET_OK) << status.message;
  mapped.emplace_back(address, rounded);
  next += rounded;
  return address;
}

void DeviceTest::copy(HetQueue *to, uint64_t target, uint64_t from, size_t size) {
  CONTRACT_OK(abi->enqueueCopy(to, target, from, size, &status));
}

Gate &DeviceTest::close(HetQueue *queue) {
  Gate &gate = gates.emplace_back();
  EXPECT_EQ(abi->enqueueCall(queue, Gate::pass, &gate, &status), HET_OK)
      << status.message;
  return gate;
}

void DeviceTest::openGates() {
  for (Gate &gate : gates)
    gate.open();
}

void LaunchTest::TearDown() {
  openGates();
  if (queue)
    abi->synchronize(queue);
  while (!artifacts.empty())
    unload(artifacts.back());
  DeviceTest::TearDown();
}

int32_t LaunchTest::lower(const std::string &kernel, const std::string &options,
                          Bytes &out) {
  static const Bytes kernels = readBytes(HET_CONTRACT_KERNELS "/Kernels.mlirbc"),
                     variable = readBytes(HET_CONTRACT_KERNELS "/Variable.mlirbc");
  const Bytes &code = kernel == "variable" ? variable : kernels;
  HetLowerRequest request = {code.data(), code.size(),     kernel.c_str(),
                             facts.arch,  options.c_str(), HET_CONTRACT_DEVICELIB};
  HetLowering lowered = {};
  if (int32_t failure = lowering->lower(&request, &lowered, &status))
    return failure;
  out.assign(lowered.data, lowered.data + lowered.size);
  lowering->release(&lowered);
  return HET_OK;
}

Bytes LaunchTest::artifactOf(const std::string &kernel, const std::string &options) {
  Bytes bytes;
  if (subject().artifact)
    return subject().artifact(kernel);
  EXPECT_EQ(lower(kernel, options, bytes), HET_OK) << status.message;
  if (!abi->finishArtifact || bytes.empty())
    return bytes;
  HetLowering finished = {};
  EXPECT_EQ(abi->finishArtifact(device, bytes.data(), bytes.size(), &finished, &status),
            HET_OK)
      << status.message;
  bytes.assign(finished.data, finished.data + finished.size);
  abi->releaseFinished(&finished);
  return bytes;
}

int32_t LaunchTest::tryLoad(const Bytes &bytes, HetArtifact *&out,
                            const std::vector<uint64_t> &variables) {
  const int32_t result =
      abi->loadArtifact(device, bytes.data(), bytes.size(), variables.data(),
                        variables.size(), &out, &status);
  if (result == HET_OK)
    artifacts.push_back(out);
  return result;
}

HetArtifact *LaunchTest::load(const std::string &kernel,
                              const std::vector<uint64_t> &variables,
                              const std::string &options) {
  HetArtifact *loaded = nullptr;
  if (tryLoad(artifactOf(kernel, options), loaded, variables) != HET_OK)
    throw std::runtime_error(kernel + ": " + status.message); // ends the test
  return loaded;
}

void LaunchTest::unload(HetArtifact *artifact) {
  artifacts.erase(std::find(artifacts.begin(), artifacts.end(), artifact));
  abi->unloadArtifact(artifact);
}

HetLaunch LaunchTest::shape(HetArtifact *artifact, uint32_t blocks, uint32_t threads) {
  HetLaunch launch = {};
  launch.artifact = artifact;
  launch.grid[0] = blocks;
  launch.block[0] = threads;
  launch.grid[1] = launch.grid[2] = launch.block[1] = launch.block[2] = 1;
  return launch;
}

} // namespace het::contract
