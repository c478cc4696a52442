// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A simulation that moves from device to device while its kernel runs. Each block simulates
// a ring of cells for many steps; the program only waits, and draws how far it is and where.
// What comes out does not depend on the way:
//
//   hetcc migrate.cu -o migrate
//   ./migrate                                   undisturbed
//   hetrun --hop=20ms:host,host ./migrate       two devices of the host in turn
//   hetrun --hop=20ms:ptx:0,host ./migrate      a GPU and the host
//
// With --profile=FILE, hetrun writes when the kernel was where (chrome://tracing shows it).
// An argument is the number of steps. They are made in parts, each a launch, so that there
// is something to draw; it is in their middle that the kernel moves.
#include <cstdio>
#include <cstdlib>
#include <het/migrate.h>
#include <mutex>
#include <string>
#include <unistd.h>
#include <vector>

constexpr int blocks = 64, cells = 256;

__global__ void simulate(unsigned *state, int first, int steps) {
  __shared__ unsigned ring[2][cells];
  int t = threadIdx.x;
  ring[first & 1][t] = state[blockIdx.x * cells + t];
  __syncthreads();
  for (int step = first; step < first + steps; ++step) {
    const unsigned *now = ring[step & 1];
    unsigned left = now[(t + cells - 1) % cells], right = now[(t + 1) % cells];
    unsigned mixed = now[t] * 1664525u + (left ^ (right >> 5)) + step;
    ring[~step & 1][t] = mixed ^ (mixed >> 15);
    __syncthreads();
  }
  state[blockIdx.x * cells + t] = ring[(first + steps) & 1][t];
}

/// Where the simulation is, and how far.
class Picture {
public:
  explicit Picture(int parts) : parts(parts), isTerminal(isatty(STDERR_FILENO)) {}

  /// Called by the runtime's thread that moves the device.
  void noteMove(const char *to) {
    std::lock_guard<std::mutex> lock(mutex);
    ++moves;
    place = to;
    draw();
  }
  void noteDone(int count) {
    std::lock_guard<std::mutex> lock(mutex);
    done = count;
    draw();
  }
  void end(bool canMove) {
    std::lock_guard<std::mutex> lock(mutex);
    if (isTerminal)
      std::fputc('\n', stderr);
    if (canMove)
      std::fprintf(stderr, "%d moves\n", moves);
  }

private:
  /// One line: over the one before, where that can be done.
  void draw() {
    constexpr int width = 40;
    const int filled = done * width / parts;
    std::string bar(filled, '#');
    bar.resize(width, '.');
    std::fprintf(stderr, "%s[%s] %3d%%  %s%s", isTerminal ? "\r" : "", bar.c_str(),
                 done * 100 / parts, place.c_str(), isTerminal ? "\x1b[K" : "\n");
  }

  const int parts;
  const bool isTerminal;
  std::mutex mutex; // guards what follows
  int done = 0, moves = 0;
  std::string place = "where it began";
};

static void tellMove(int, const char *, const char *to, int succeeded, void *picture) {
  if (succeeded)
    static_cast<Picture *>(picture)->noteMove(to);
}

int main(int count, char **arguments) {
  int steps = count > 1 ? std::atoi(arguments[1]) : 100000;
  const int parts = 20;
  Picture &picture = *new Picture(parts); // moves are told to the end of the process
  bool canMove = hetOnMove(nullptr, tellMove, &picture) == 0; // under hetrun
  std::vector<unsigned> host(blocks * cells);
  for (size_t i = 0; i < host.size(); ++i)
    host[i] = i * 2654435761u;

  unsigned *state = nullptr;
  size_t bytes = host.size() * sizeof(unsigned);
  cudaMalloc(&state, bytes);
  cudaMemcpy(state, host.data(), bytes, cudaMemcpyHostToDevice);
  for (int part = 0; part < parts; ++part) {
    const int first = static_cast<long long>(steps) * part / parts;
    const int next = static_cast<long long>(steps) * (part + 1) / parts;
    simulate<<<blocks, cells>>>(state, first, next - first);
    if (cudaError_t error = cudaDeviceSynchronize()) {
      std::fprintf(stderr, "\nerror: %s\n", cudaGetErrorString(error));
      return 1;
    }
    picture.noteDone(part + 1);
  }
  cudaMemcpy(host.data(), state, bytes, cudaMemcpyDeviceToHost);
  cudaFree(state);

  unsigned digest = 0;
  for (unsigned cell : host)
    digest = digest * 31 + cell;
  picture.end(canMove);
  std::printf("digest %08x\n", digest);
}
