#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes kernels of random 32-bit arithmetic on neighbouring words, which the vector unit
# can run: random_vectors.py SEED COUNT > FILE.cu. The program prints each kernel's results.
import random
import sys

HEAD = """#include <cstdio>
#include <vector>
using Word = unsigned;
__device__ inline float real(Word word) { return __uint_as_float(word); }
"""

MAIN = """
static Word state = 2463534242u;
static Word chance() {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}
static Word any(int kind) {
  if (kind == 0) // usual floats
    return (chance() & 0x807FFFFF) | (118 + chance() % 16) << 23;
  const Word special[] = {0, 0x80000000, 1, 0x807FFFFF, 0x7F800000, 0x7FC00000, 0x3F800000};
  return chance() % 3 ? chance() : special[chance() % 7];
}
using Kernel = void (*)(const Word *, const Word *, Word *, Word, int);
int main() {
  const Kernel kernels[] = {KERNELS};
  const int n = 333, words = 512;
  int number = 0;
  for (Kernel kernel : kernels)
    for (int kind = 0; kind < 2; ++kind) {
      Word *in[3];
      std::vector<Word> host(words);
      for (Word *&each : in) {
        for (Word &word : host)
          word = any(kind);
        cudaMalloc(&each, words * 4);
        cudaMemcpy(each, host.data(), words * 4, cudaMemcpyHostToDevice);
      }
      kernel<<<3, 160>>>(in[0] + 1, in[1], in[2] + 2, any(kind), n);
      printf("%d %s\\n", number++ / 2, cudaGetErrorString(cudaDeviceSynchronize()));
      cudaMemcpy(host.data(), in[2], words * 4, cudaMemcpyDeviceToHost);
      for (Word word : host)
        printf("%08x\\n", word);
      for (Word *each : in)
        cudaFree(each);
    }
}
"""


class Kernel:
    def __init__(self, chance):
        self.chance = chance
        self.ints = ["a[i]", "b[i]", "a[i + 1]", "(Word)i", "by", "(Word)threadIdx.x"]
        self.floats = ["real(a[i])", "real(b[i])", "real(by)"]
        self.lines = []

    def constant(self):
        return "%du" % self.chance.choice([0, 1, 2, 7, 31, 255, 65537, 2**31, 2**32 - 1])

    def int(self):
        return self.chance.choice(self.ints + [self.constant()])

    def float(self):
        return self.chance.choice(self.floats + ["1.5f", "-0.25f", "3.0f"])

    def truth(self):
        if self.chance.random() < 0.5:
            operator = self.chance.choice(["<", ">", "<=", ">=", "==", "!="])
            return "%s %s %s" % (self.float(), operator, self.float())
        operator = self.chance.choice(["<", ">", "<=", "=="])
        kind = self.chance.choice(["int", "Word"])
        return "(%s)%s %s (%s)%s" % (kind, self.int(), operator, kind, self.int())

    def make_int(self):
        choice = self.chance.randrange(8)
        if choice < 4:
            operator = self.chance.choice(["+", "-", "*", "&", "|", "^"])
            return "%s %s %s" % (self.int(), operator, self.int())
        if choice == 4:
            operator = self.chance.choice(["<<", ">>"])
            return "(%s)%s %s (%s & 31)" % (
                self.chance.choice(["int", "Word"]), self.int(), operator, self.int())
        if choice == 5:
            return "(Word)%s((int)%s, (int)%s)" % (
                self.chance.choice(["min", "max"]), self.int(), self.int())
        return "%s ? %s : %s" % (self.truth(), self.int(), self.int())

    def make_float(self):
        choice = self.chance.randrange(7)
        if choice < 3:
            return "%s %s %s" % (self.float(), self.chance.choice("+-*"), self.float())
        if choice == 3:
            return "fmaf(%s, %s, %s)" % (self.float(), self.float(), self.float())
        if choice == 4:
            return "(float)(%s)%s" % (self.chance.choice(["int", "Word"]), self.int())
        if choice == 5:
            return "fabsf(%s)" % self.float()
        return "%s ? %s : -(%s)" % (self.truth(), self.float(), self.float())

    def define(self, number, indent):
        if self.chance.random() < 0.5:
            self.lines.append("%sWord u%d = %s;" % (indent, number, self.make_int()))
            self.ints.append("u%d" % number)
        else:
            self.lines.append("%sfloat f%d = %s;" % (indent, number, self.make_float()))
            self.floats.append("f%d" % number)

    def loop(self):
        self.lines.append("  Word sum = %s;" % self.int())
        self.lines.append("  float total = %s;" % self.float())
        self.lines.append("  for (int k = 0; k < n %% %d; ++k) {" % self.chance.choice([4, 5]))
        self.lines.append("    sum = sum * 5 + (a[i] ^ b[k]) + k;")
        self.lines.append("    if (%s) total = total * 0.5f + real(b[k]); else sum += 3;" % self.truth())
        self.lines.append("  }")
        self.ints.append("sum")
        self.floats.append("total")

    def write(self, number):
        for i in range(self.chance.randrange(2, 7)):
            self.define(i, "  ")
        if self.chance.random() < 0.4:
            self.loop()
        for i in range(7, self.chance.randrange(8, 11)):
            self.define(i, "  ")
        result = self.floats[-1]
        guard = self.chance.choice(["i >= n", "i < 2 || i > n", "i > n + 40", "false"])
        return "\n".join([
            "__global__ void kernel%d(const Word *a, const Word *b, Word *c, Word by, int n) {" % number,
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;",
            "  if (%s) return;" % guard] + self.lines + [
            "  float last = %s;" % result,
            "  c[i] = %s ^ (last != last ? 77u : __float_as_uint(last));" % self.int(), "}"])


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    chance = random.Random(seed)
    print(HEAD)
    for i in range(count):
        print(Kernel(chance).write(i))
    print(MAIN.replace("KERNELS", ", ".join("kernel%d" % i for i in range(count))))


main()
