// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NCCL between processes that fork() makes: nccl-processes RANKS EACH [death]. Each process
// has EACH ranks, on devices of its own, in one group. With `death` the last process ends
// before the last operation.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <nccl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#define CHECK(call)                                                                      \
  do {                                                                                   \
    const int failure = int(call);                                                         \
    if (failure) {                                                                       \
      printf("line %d: %s: %d\n", __LINE__, #call, failure);                             \
      fflush(stdout);                                                                    \
      _exit(1);                                                                          \
    }                                                                                    \
  } while (0)

static int ranks, each, first;

struct Rank {
  ncclComm_t comm;
  cudaStream_t stream;
  int *in, *out;
};
static std::vector<Rank> mine;

static int value(int rank, size_t i) { return int(i * 3 + rank * 77777); }

static void fill(size_t count) {
  std::vector<int> host(count);
  for (int k = 0; k < each; ++k) {
    CHECK(cudaSetDevice(k));
    for (size_t i = 0; i < count; ++i)
      host[i] = value(first + k, i);
    CHECK(cudaMemcpy(mine[k].in, host.data(), count * sizeof(int),
                     cudaMemcpyHostToDevice));
  }
}

static void all(const std::function<ncclResult_t(int, Rank &)> &call) {
  CHECK(ncclGroupStart());
  for (int k = 0; k < each; ++k)
    CHECK(call(first + k, mine[k]));
  CHECK(ncclGroupEnd());
  for (int k = 0; k < each; ++k) {
    CHECK(cudaSetDevice(k));
    CHECK(cudaStreamSynchronize(mine[k].stream));
  }
}

static void compare(const char *what, size_t count,
                    const std::function<int(int, size_t)> &expected) {
  std::vector<int> host(count);
  for (int k = 0; k < each; ++k) {
    CHECK(cudaSetDevice(k));
    CHECK(cudaMemcpy(host.data(), mine[k].out, count * sizeof(int),
                     cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < count; ++i)
      if (host[i] != expected(first + k, i)) {
        printf("%s: rank %d: [%zu]: found %d, expected %d\n", what, first + k, i, host[i],
               expected(first + k, i));
        fflush(stdout);
        _exit(1);
      }
  }
}

static void operations(size_t count) {
  fill(count * ranks);
  all([&](int, Rank &r) {
    return ncclAllReduce(r.in, r.out, count, ncclInt, ncclSum, r.comm, r.stream);
  });
  compare("all-reduce", count, [&](int, size_t i) {
    int sum = 0;
    for (int rank = 0; rank < ranks; ++rank)
      sum += value(rank, i);
    return sum;
  });
  all([&](int, Rank &r) {
    return ncclAllGather(r.in, r.out, count, ncclInt, r.comm, r.stream);
  });
  compare("all-gather", count * ranks,
          [&](int, size_t i) { return value(int(i / count), i % count); });
  all([&](int, Rank &r) {
    return ncclBroadcast(r.in, r.out, count, ncclInt, ranks - 1, r.comm, r.stream);
  });
  compare("broadcast", count, [&](int, size_t i) { return value(ranks - 1, i); });
  all([&](int, Rank &r) {
    return ncclReduceScatter(r.in, r.out, count, ncclInt, ncclMax, r.comm, r.stream);
  });
  compare("reduce-scatter", count,
          [&](int rank, size_t i) { return value(ranks - 1, rank * count + i); });
  all([&](int rank, Rank &r) {
    CHECK(ncclSend(r.in, count, ncclInt, (rank + 1) % ranks, r.comm, r.stream));
    return ncclRecv(r.out, count, ncclInt, (rank + ranks - 1) % ranks, r.comm, r.stream);
  });
  compare("ring", count,
          [&](int rank, size_t i) { return value((rank + ranks - 1) % ranks, i); });
}

/// The survivors' operation ends, and says why; so does the communicator.
static void survive(bool isDying) {
  if (isDying)
    _exit(0);
  all([&](int, Rank &r) {
    return ncclAllReduce(r.in, r.out, 100000, ncclInt, ncclSum, r.comm, r.stream);
  });
  for (Rank &r : mine) {
    ncclResult_t result = ncclSuccess;
    CHECK(ncclCommGetAsyncError(r.comm, &result));
    if (result != ncclRemoteError)
      printf("found %s\n", ncclGetErrorString(result));
    CHECK(result != ncclRemoteError);
    CHECK(ncclCommAbort(r.comm));
  }
}

static void run(int process, const ncclUniqueId &id, bool withDeath) {
  first = process * each;
  mine.resize(each);
  CHECK(ncclGroupStart());
  for (int k = 0; k < each; ++k) {
    CHECK(cudaSetDevice(k));
    CHECK(cudaStreamCreate(&mine[k].stream));
    CHECK(cudaMalloc(&mine[k].in, size_t(1200000) * ranks * sizeof(int)));
    CHECK(cudaMalloc(&mine[k].out, size_t(1200000) * ranks * sizeof(int)));
    CHECK(ncclCommInitRank(&mine[k].comm, ranks, id, first + k));
  }
  CHECK(ncclGroupEnd());
  for (size_t count : {1, 1000, 100003, 1200000})
    operations(count);
  if (withDeath)
    return survive(process == ranks / each - 1);
  for (Rank &r : mine)
    CHECK(ncclCommDestroy(r.comm));
}

int main(int count, char **arguments) {
  ranks = count > 1 ? atoi(arguments[1]) : 2;
  each = count > 2 ? atoi(arguments[2]) : 1;
  const bool withDeath = count > 3;
  int ends[2];
  CHECK(pipe(ends));
  const int processes = ranks / each;
  for (int process = 0; process < processes; ++process)
    if (!fork()) {
      ncclUniqueId id;
      if (process == 0) {
        CHECK(ncclGetUniqueId(&id));
        for (int other = 1; other < processes; ++other)
          CHECK(write(ends[1], &id, sizeof(id)) != sizeof(id));
      } else {
        CHECK(read(ends[0], &id, sizeof(id)) != sizeof(id));
      }
      run(process, id, withDeath);
      _exit(0);
    }
  bool isFine = true;
  for (int process = 0; process < processes; ++process) {
    int status = 0;
    wait(&status);
    isFine &= WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  puts(isFine ? "PASSED" : "FAILED");
  return !isFine;
}
