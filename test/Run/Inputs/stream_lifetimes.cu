// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and the process around them: what ends while work runs, what others may wait for,
// and what threads, signals and children of the process see. The argument says which.

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

__device__ int counter;

__global__ void increment() { atomicAdd(&counter, 1); }
__global__ void touchNothing() { *reinterpret_cast<volatile int *>(16) = 1; }

/// Host functions that wait for a flag hold a stream up.
static std::atomic<bool> isOpen{false};
static void waitUntilOpen(void *) {
  while (!isOpen)
    usleep(100); // not timed: until it is open
}

static int count() {
  int value = -1;
  cudaMemcpyFromSymbol(&value, counter, sizeof(value));
  return value;
}

/// A destroyed stream does not keep its owner, but finishes its work.
static void destroyed() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaLaunchHostFunc(stream, waitUntilOpen, nullptr);
  increment<<<1, 1, 0, stream>>>();
  std::printf("destroy: %s\n", cudaGetErrorName(cudaStreamDestroy(stream)));
  isOpen = true;
  std::printf("synchronize: %s, ", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("count %d\n", count());
}

/// Streams come and go, also those of threads, while others wait for the device.
static void churned() {
  std::atomic<bool> stop{false};
  std::atomic<int> launches{0};
  auto make = [&] {
    while (!stop) {
      cudaStream_t stream;
      cudaStreamCreate(&stream);
      increment<<<1, 1, 0, stream>>>();
      launches += cudaGetLastError() == cudaSuccess;
      cudaStreamDestroy(stream);
      std::thread([&] {
        increment<<<1, 1, 0, cudaStreamPerThread>>>();
        launches += cudaGetLastError() == cudaSuccess;
      }).join();
    }
  };
  std::thread first(make), second(make);
  for (int round = 0; round < 300; ++round) {
    void *memory = nullptr;
    cudaMalloc(&memory, 1 << 12);
    cudaFree(memory);
    cudaDeviceSynchronize();
  }
  stop = true;
  first.join();
  second.join();
  std::printf("all launches counted: %s\n", count() == launches ? "yes" : "no");
}

/// A wait is for the work before it, though another thread goes on.
static void overtaken() {
  std::atomic<bool> stop{false}, isWaiting{true};
  std::atomic<int> given{0};
  std::thread giver([&] {
    while (!stop || isWaiting) {
      increment<<<1, 1>>>();
      ++given;
    }
  });
  while (given < 100)
    std::this_thread::yield();
  for (int round = 0; round < 20; ++round) {
    cudaStreamSynchronize(nullptr);
    (void)count();
  }
  isWaiting = false;
  stop = true;
  giver.join();
  std::printf("waits ended\n");
}

/// After a fault callbacks hear of it, and host functions are not called.
static void faulty() {
  static int heard = -1;
  static bool isCalled = false;
  touchNothing<<<1, 1>>>();
  std::printf("%s ", cudaGetErrorName(cudaStreamAddCallback(
                         nullptr, [](cudaStream_t, cudaError_t error, void *) {
                           heard = error;
                         }, nullptr, 0)));
  std::printf("%s\n", cudaGetErrorName(cudaLaunchHostFunc(
                          nullptr, [](void *) { isCalled = true; }, nullptr)));
  std::printf("synchronize: %s; ", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("heard %s, called %d\n", cudaGetErrorName(cudaError_t(heard)), isCalled);
}

/// A child of fork() is told that it has no devices.
static void forked() {
  increment<<<1, 1>>>();
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaDeviceSynchronize();
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    void *memory = nullptr;
    std::printf("malloc: %s, ", cudaGetErrorName(cudaMalloc(&memory, 64)));
    increment<<<1, 1>>>();
    std::printf("launch: %s, ", cudaGetErrorName(cudaGetLastError()));
    std::printf("create: %s, ", cudaGetErrorName(cudaStreamCreate(&stream)));
    std::printf("destroy: %s, ", cudaGetErrorName(cudaStreamDestroy(stream)));
    std::printf("synchronize: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    std::exit(3);
  }
  int status = 0;
  waitpid(child, &status, 0);
  increment<<<1, 1>>>();
  std::printf("child: %d; parent: count %d\n", WEXITSTATUS(status), count());
}

/// A signal that the program's threads block waits for sigwait().
static void signalled() {
  increment<<<8, 1>>>();
  cudaDeviceSynchronize();
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  kill(getpid(), SIGUSR1);
  int number = 0;
  sigwait(&set, &number);
  std::printf("signal: %s\n", number == SIGUSR1 ? "SIGUSR1" : "another");
}

/// Far more launches than a queue holds.
static void flooded() {
  const int launches = 50000;
  // not timed: it only lets the queue grow
  cudaLaunchHostFunc(nullptr, [](void *) { usleep(20000); }, nullptr);
  for (int i = 0; i < launches; ++i)
    increment<<<1, 1>>>();
  std::printf("launches: %s, count %d of %d\n", cudaGetErrorName(cudaGetLastError()),
              count(), launches);
}

int main(int, char **arguments) {
  const struct {
    const char *name;
    void (*run)();
  } all[] = {{"destroyed", destroyed}, {"churned", churned},     {"overtaken", overtaken},
             {"faulty", faulty},       {"forked", forked},       {"signalled", signalled},
             {"flooded", flooded}};
  for (const auto &one : all)
    if (!std::strcmp(arguments[1], one.name))
      one.run();
}
