// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lnccl
//
// Communicators: parts of others, settings, memory, wrong arguments, and what happens to
// the others when a rank gives up.
// not timed: a rank goes while others wait for it, or before; both are errors

#include "Inputs/collectives.h"
#include <thread>

using namespace coll;

constexpr int ranks = 4;

/// Who waits for the others in a new communicator hears of a rank that goes instead.
static void checkShrinkWithout() {
  std::vector<ncclComm_t> comms(ranks);
  NCCL(ncclCommInitAll(comms.data(), ranks, nullptr));
  int excluded = 2;
  ncclComm_t parts[2] = {};
  ncclResult_t results[2] = {};
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 2; ++rank)
    threads.emplace_back([&, rank] {
      results[rank] = ncclCommShrink(comms[rank], &excluded, 1, &parts[rank], nullptr,
                                     NCCL_SHRINK_DEFAULT);
    });
  usleep(100000);
  NCCL(ncclCommAbort(comms[3]));
  for (std::thread &thread : threads)
    thread.join();
  for (int rank = 0; rank < 2; ++rank) {
    CHECK_TRUE(results[rank] != ncclSuccess);
    CHECK_TRUE(!parts[rank]);
  }
  for (int rank = 0; rank < 3; ++rank)
    NCCL(ncclCommAbort(comms[rank]));
}

static void checkSplit(World &world) {
  // Ranks 3 and 0 in this order, 1 alone, 2 not at all.
  const int colors[ranks] = {7, 2, NCCL_SPLIT_NOCOLOR, 7}, keys[ranks] = {5, 0, 0, -1};
  std::vector<ncclComm_t> parts(ranks);
  NCCL(ncclGroupStart());
  for (int rank = 0; rank < ranks; ++rank)
    NCCL(ncclCommSplit(world.comms[rank], colors[rank], keys[rank], &parts[rank],
                       nullptr));
  NCCL(ncclGroupEnd());
  CHECK_TRUE(!parts[2]);
  int rank = -1, count = -1;
  NCCL(ncclCommUserRank(parts[0], &rank));
  NCCL(ncclCommCount(parts[0], &count));
  CHECK_EQ(rank, 1);
  CHECK_EQ(count, 2);
  NCCL(ncclCommUserRank(parts[1], &rank));
  CHECK_EQ(rank, 0);
  Arrays<int> data(ranks, 1);
  data.fill([](int from, size_t) { return 10 + from; });
  NCCL(ncclGroupStart());
  for (int i : {0, 1, 3})
    NCCL(ncclBroadcast(data[i], data[i], 1, ncclInt, 0, parts[i], world.streams[i]));
  NCCL(ncclGroupEnd());
  world.wait();
  data.get();
  CHECK_EQ(data[0].host[0], 13);
  CHECK_EQ(data[1].host[0], 11);
  CHECK_EQ(data[3].host[0], 13);
  for (ncclComm_t part : parts)
    NCCL(ncclCommDestroy(part));
}

static void checkShrink(World &world) {
  int without[] = {1};
  std::vector<ncclComm_t> parts(ranks);
  NCCL(ncclGroupStart());
  for (int rank : {0, 2, 3})
    NCCL(ncclCommShrink(world.comms[rank], without, 1, &parts[rank], nullptr,
                        NCCL_SHRINK_DEFAULT));
  NCCL(ncclGroupEnd());
  Arrays<int> data(ranks, 1);
  data.fill([](int from, size_t) { return 1 << from; });
  NCCL(ncclGroupStart());
  for (int i : {0, 2, 3})
    NCCL(ncclAllReduce(data[i], data[i], 1, ncclInt, ncclSum, parts[i],
                       world.streams[i]));
  NCCL(ncclGroupEnd());
  world.wait();
  data.get();
  CHECK_EQ(data[2].host[0], 13);
  for (ncclComm_t part : parts)
    NCCL(ncclCommDestroy(part));
}

static void checkSettings() {
  int version = 0;
  NCCL(ncclGetVersion(&version));
  CHECK_EQ(version, NCCL_VERSION_CODE);
  ncclUniqueId id;
  NCCL(ncclGetUniqueId(&id));
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  std::vector<ncclComm_t> comms(2);
  for (int rank = 0; rank < 2; ++rank) { // without a group: it does not wait
    CUDA(cudaSetDevice(rank));
    NCCL_ERROR(ncclCommInitRankConfig(&comms[rank], 2, id, rank, &config),
               ncclInProgress);
  }
  for (ncclComm_t comm : comms) {
    ncclResult_t state = ncclInProgress;
    while (state == ncclInProgress) {
      NCCL(ncclCommGetAsyncError(comm, &state));
      std::this_thread::yield();
    }
    CHECK_EQ(state, ncclSuccess);
  }
  void *place = nullptr, *handle = nullptr;
  ncclWindow_t window = nullptr;
  CUDA(cudaSetDevice(0));
  NCCL(ncclMemAlloc(&place, 4096));
  NCCL(ncclCommRegister(comms[0], place, 4096, &handle));
  NCCL_ERROR(ncclCommDeregister(comms[1], handle), ncclInvalidArgument);
  NCCL(ncclCommDeregister(comms[0], handle));
  NCCL(ncclCommWindowRegister(comms[0], place, 4096, &window, NCCL_WIN_COLL_SYMMETRIC));
  NCCL(ncclCommWindowDeregister(comms[0], window));
  NCCL(ncclMemFree(place));
  for (ncclComm_t comm : comms)
    NCCL(ncclCommDestroy(comm));
  config.magic = 1;
  NCCL_ERROR(ncclCommInitRankConfig(&comms[0], 2, id, 0, &config), ncclInvalidArgument);
}

static void checkArguments(World &world) {
  ncclComm_t comm = world.comms[0], none = nullptr;
  ncclUniqueId id;
  int devices[] = {0, 1, 0}, found;
  check::Array<float> data(4);
  NCCL_ERROR(ncclGetVersion(nullptr), ncclInvalidArgument);
  NCCL_ERROR(ncclGetUniqueId(nullptr), ncclInvalidArgument);
  NCCL(ncclGetUniqueId(&id));
  NCCL_ERROR(ncclCommInitRank(&none, 2, id, 2), ncclInvalidArgument);
  NCCL_ERROR(ncclCommInitRank(&none, 0, id, 0), ncclInvalidArgument);
  NCCL_ERROR(ncclCommInitRank(nullptr, 1, id, 0), ncclInvalidArgument);
  memset(&id, 3, sizeof(id));
  NCCL_ERROR(ncclCommInitRank(&none, 2, id, 0), ncclInvalidArgument);
  CHECK_TRUE(!none);
  NCCL_ERROR(ncclCommInitAll(&none, 3, devices), ncclInvalidUsage);
  NCCL_ERROR(ncclCommInitAll(&none, 1, &ranks), ncclInvalidArgument);
  NCCL_ERROR(ncclCommCount(nullptr, &found), ncclInvalidArgument);
  const auto reduce = [&](const void *from, size_t count, int type, int op) {
    return ncclAllReduce(from, data, count, ncclDataType_t(type), ncclRedOp_t(op), comm,
                         nullptr);
  };
  NCCL_ERROR(reduce(data, 4, ncclNumTypes, ncclSum), ncclInvalidArgument);
  NCCL_ERROR(reduce(data, 4, -1, ncclSum), ncclInvalidArgument);
  NCCL_ERROR(reduce(data, 4, ncclFloat, ncclNumOps), ncclInvalidArgument);
  NCCL_ERROR(reduce(data, 4, ncclFloat, -1), ncclInvalidArgument);
  NCCL_ERROR(reduce(nullptr, 4, ncclFloat, ncclSum), ncclInvalidArgument);
  NCCL_ERROR(reduce(data, SIZE_MAX / 4, ncclFloat, ncclSum), ncclInvalidArgument);
  NCCL(reduce(nullptr, 0, ncclFloat, ncclSum));
  NCCL_ERROR(ncclBroadcast(data, data, 4, ncclFloat, ranks, comm, nullptr),
             ncclInvalidArgument);
  NCCL_ERROR(ncclSend(data, 4, ncclFloat, -1, comm, nullptr), ncclInvalidArgument);
  NCCL_ERROR(ncclRedOpDestroy(ncclSum, comm), ncclInvalidArgument);
  NCCL_ERROR(ncclGroupEnd(), ncclInvalidUsage);
  // A wrong call in a group is what the group returns, and nothing of it is done.
  NCCL(ncclGroupStart());
  NCCL(reduce(data, 4, ncclFloat, ncclSum));
  NCCL_ERROR(reduce(data, 4, ncclNumTypes, ncclSum), ncclInvalidArgument);
  NCCL_ERROR(ncclGroupEnd(), ncclInvalidArgument);
  CUDA(cudaDeviceSynchronize());
  CHECK_TRUE(strstr(ncclGetLastError(comm), "type") != nullptr);
  CHECK_TRUE(!strcmp(ncclGetErrorString(ncclSuccess), "no error"));
}

// Ranks that say different numbers of ranks.
static void checkCounts() {
  ncclUniqueId id;
  NCCL(ncclGetUniqueId(&id));
  ncclResult_t results[2];
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 2; ++rank)
    threads.emplace_back([&, rank] {
      CUDA(cudaSetDevice(rank));
      ncclComm_t comm;
      results[rank] = ncclCommInitRank(&comm, rank ? 3 : 2, id, rank);
      CHECK_TRUE(!comm);
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK_TRUE(results[0] != ncclSuccess && results[1] != ncclSuccess);
}

// Those that are left go on without rank 0.
static void checkShrinkAfter(World *world) {
  int without[] = {0};
  std::vector<ncclComm_t> parts(ranks);
  Arrays<int> data(ranks, 1);
  data.fill([](int from, size_t) { return 1 << from; });
  NCCL(ncclGroupStart());
  for (int rank = 1; rank < ranks; ++rank)
    NCCL(ncclCommShrink(world->comms[rank], without, 1, &parts[rank], nullptr,
                        NCCL_SHRINK_ABORT));
  NCCL(ncclGroupEnd());
  NCCL(ncclGroupStart());
  for (int rank = 1; rank < ranks; ++rank)
    NCCL(ncclAllReduce(data[rank], data[rank], 1, ncclInt, ncclSum, parts[rank],
                       world->streams[rank]));
  NCCL(ncclGroupEnd());
  for (int rank = 1; rank < ranks; ++rank) {
    CUDA(cudaSetDevice(rank));
    CUDA(cudaStreamSynchronize(world->streams[rank]));
    CHECK_EQ(data[rank].get()[0], 14);
    NCCL(ncclCommDestroy(parts[rank]));
  }
}

// A graph's operations are done again and again, and not when the communicator is gone.
static void checkGraphs() {
  World world(1);
  Arrays<int> data(1, 1), sums(1, 1);
  data.fill([](int, size_t) { return 5; });
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStream_t stream = world.streams[0];
  ncclComm_t comm;
  ncclUniqueId id;
  NCCL(ncclGetUniqueId(&id));
  NCCL(ncclCommInitRank(&comm, 1, id, 0));
  CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  NCCL(ncclAllReduce(data[0], sums[0], 1, ncclInt, ncclSum, comm, stream));
  CUDA(cudaStreamEndCapture(stream, &graph));
  CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CUDA(cudaGraphDestroy(graph));
  for (int round = 1; round < 3; ++round) {
    data.fill([=](int, size_t) { return round; });
    CUDA(cudaGraphLaunch(exec, stream));
    CUDA(cudaStreamSynchronize(stream));
    CHECK_EQ(sums[0].get()[0], round);
  }
  NCCL(ncclCommDestroy(comm));
  CUDA(cudaGraphLaunch(exec, stream));
  CUDA(cudaStreamSynchronize(stream));
  CUDA(cudaGraphExecDestroy(exec));
}

// A rank gives up while the others wait for it: they hear of it.
static void checkAbort() {
  World *world = new World(ranks); // its ranks end by ncclCommAbort
  Arrays<float> data(ranks, 1000);
  NCCL(ncclGroupStart());
  for (int rank = 1; rank < ranks; ++rank)
    NCCL(ncclAllReduce(data[rank], data[rank], 1000, ncclFloat, ncclSum,
                       world->comms[rank], world->streams[rank]));
  NCCL(ncclGroupEnd());
  NCCL(ncclCommAbort(world->comms[0]));
  for (int rank = 1; rank < ranks; ++rank) {
    CUDA(cudaSetDevice(rank));
    CUDA(cudaStreamSynchronize(world->streams[rank]));
    ncclResult_t result = ncclSuccess;
    NCCL(ncclCommGetAsyncError(world->comms[rank], &result));
    CHECK_EQ(result, ncclRemoteError);
    NCCL_ERROR(ncclAllReduce(data[rank], data[rank], 1, ncclFloat, ncclSum,
                             world->comms[rank], nullptr),
               ncclRemoteError);
  }
  checkShrinkAfter(world);
  for (int rank = 1; rank < ranks; ++rank)
    NCCL(ncclCommAbort(world->comms[rank]));
}

// Counts that differ are an error, not a wrong result.
static void checkSizes() {
  World world(2);
  Arrays<float> data(2, 1000);
  NCCL(ncclGroupStart());
  for (int rank = 0; rank < 2; ++rank)
    NCCL(ncclAllGather(data[rank], data[rank], 100 + rank, ncclFloat, world.comms[rank],
                       world.streams[rank]));
  NCCL(ncclGroupEnd());
  for (int rank = 0; rank < 2; ++rank) {
    CUDA(cudaSetDevice(rank));
    CUDA(cudaStreamSynchronize(world.streams[rank]));
    ncclResult_t result = ncclSuccess;
    NCCL(ncclCommGetAsyncError(world.comms[rank], &result));
    CHECK_TRUE(result != ncclSuccess);
  }
}

int main(int, char **arguments) {
  wantDevices(ranks, arguments);
  {
    World world(ranks);
    checkSplit(world);
    checkShrink(world);
    checkArguments(world);
  }
  checkSettings();
  checkCounts();
  checkAbort();
  checkSizes();
  checkGraphs();
  checkShrinkWithout();
  return check::finish("communicators");
}
