// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs about NCCL share: several devices, of which the one that is tested is the
// first and the last, with hosts between; an array of each; and calls for all.

#ifndef CONFORMANCE_COLLECTIVES_H
#define CONFORMANCE_COLLECTIVES_H

#include "check.h"
#include <functional>
#include <memory>
#include <nccl.h>
#include <unistd.h>

#define NCCL(...) CHECK_EQ(__VA_ARGS__, ncclSuccess)
#define NCCL_ERROR(call, error) CHECK_EQ(call, error)

namespace coll {

// Runs the program again with the device that it was started with and so many in all.
inline void wantDevices(int count, char **arguments) {
  const char *names = getenv("HET_DEVICES");
  const std::string first = names && *names ? names : "host";
  if (first.find(',') != std::string::npos)
    return;
  std::string all = first;
  for (int i = 2; i < count; ++i)
    all += ",host";
  // A process has one simulator.
  const bool isSimulated = first.compare(0, 6, "tensix") == 0;
  setenv("HET_DEVICES", (all + "," + (isSimulated ? "host" : first)).c_str(), 1);
  execv("/proc/self/exe", arguments);
  perror("execv");
  exit(1);
}

// A communicator of all devices, with a stream for each.
struct World {
  int ranks;
  std::vector<ncclComm_t> comms;
  std::vector<cudaStream_t> streams;

  explicit World(int ranks) : ranks(ranks), comms(ranks), streams(ranks) {
    NCCL(ncclCommInitAll(comms.data(), ranks, nullptr));
    for (int rank = 0; rank < ranks; ++rank) {
      CUDA(cudaSetDevice(rank));
      CUDA(cudaStreamCreate(&streams[rank]));
    }
  }
  World(const World &) = delete;
  ~World() {
    for (int rank = 0; rank < ranks; ++rank) {
      NCCL(ncclCommDestroy(comms[rank]));
      CUDA(cudaStreamDestroy(streams[rank]));
    }
  }
  // Calls for each rank, in a group, and waits.
  void all(const std::function<ncclResult_t(int)> &call) {
    NCCL(ncclGroupStart());
    for (int rank = 0; rank < ranks; ++rank)
      NCCL(call(rank));
    NCCL(ncclGroupEnd());
    wait();
  }
  void wait() {
    for (int rank = 0; rank < ranks; ++rank) {
      CUDA(cudaStreamSynchronize(streams[rank]));
      ncclResult_t result = ncclSystemError;
      NCCL(ncclCommGetAsyncError(comms[rank], &result));
      CHECK_EQ(result, ncclSuccess);
    }
  }
};

// An array on each device.
template <class T> struct Arrays {
  std::vector<std::unique_ptr<check::Array<T>>> of;

  Arrays(int ranks, size_t count) {
    for (int rank = 0; rank < ranks; ++rank) {
      CUDA(cudaSetDevice(rank));
      of.push_back(std::make_unique<check::Array<T>>(count));
    }
  }
  check::Array<T> &operator[](int rank) { return *of[rank]; }
  void fill(const std::function<T(int, size_t)> &value) {
    for (size_t rank = 0; rank < of.size(); ++rank) {
      CUDA(cudaSetDevice(int(rank)));
      for (size_t i = 0; i < of[rank]->size(); ++i)
        of[rank]->host[i] = value(int(rank), i);
      of[rank]->put();
    }
  }
  void get() {
    for (size_t rank = 0; rank < of.size(); ++rank) {
      CUDA(cudaSetDevice(int(rank)));
      of[rank]->get();
    }
  }
};

} // namespace coll

#endif // CONFORMANCE_COLLECTIVES_H
