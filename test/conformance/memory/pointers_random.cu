// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random walks over a graph of global and local nodes, steered by random instructions: a
// walker keeps pointers in a stack, in structures, and by way of pointers to these. The
// same function runs here and on the device, and must come to the same sum.

#include "Inputs/check.h"

struct Node {
  Node *next[3];
  unsigned key;
};
struct Mark {
  unsigned char used;
  Node *node;
  Node **place;
};
constexpr int count = 200, walkers = 96, length = 400, stackSize = 19;

__host__ __device__ unsigned walk(Node *nodes, const unsigned char *instructions, int walker) {
  Node own[6], *at = nodes + walker % count, *stack[stackSize];
  Mark marks[5];
  int depth = 0;
  unsigned sum = walker;
  for (int i = 0; i < 6; ++i)
    own[i] = {{&own[(i + 1) % 6], nodes + (walker * 7 + i) % count, &own[i * 5 % 6]},
              unsigned(i * 101 + walker)};
  for (int i = 0; i < 5; ++i)
    marks[i] = {0, nodes + i, &own[i].next[i % 3]};
  for (int i = 0; i < length; ++i) {
    const unsigned word = instructions[i], which = word / 16;
    Mark &mark = marks[which % 5];
    switch ((word + at->key) % 10) {
    case 0: // goes on, along any edge
    case 1:
    case 2:
      at = at->next[which % 3];
      break;
    case 3: // remembers
      if (depth < stackSize)
        stack[depth++] = at;
      break;
    case 4: // goes back
      if (depth > 0)
        at = stack[--depth];
      break;
    case 5: // marks
      mark.node = at;
      ++mark.used;
      break;
    case 6: // changes places with a mark
    {
      Node *other = mark.node;
      mark.node = at;
      at = other;
      break;
    }
    case 7: // an own edge leads elsewhere, by way of a pointer to it
      *mark.place = depth ? stack[which % depth] : at;
      mark.place = &own[which % 6].next[word % 3];
      break;
    case 8: // looks one deeper into the stack
      if (depth > 1)
        for (int k = depth / 2; k > 0; --k) {
          Node *kept = stack[k - 1];
          stack[k - 1] = stack[depth - k];
          stack[depth - k] = kept;
        }
      break;
    default: // into own memory
      at = &own[which % 6];
      break;
    }
    sum = sum * 31 + at->key + depth;
  }
  for (const Mark &mark : marks)
    sum = sum * 17 + mark.node->key + mark.used + (*mark.place)->key;
  while (depth > 0)
    sum = sum * 13 + stack[--depth]->key;
  return sum;
}

__global__ void run(Node *nodes, const unsigned char *instructions, unsigned *out) {
  const int walker = blockIdx.x * blockDim.x + threadIdx.x;
  out[walker] = walk(nodes, instructions + walker * length, walker);
}

int main() {
  unsigned state = unsigned(check::setting("HET_RANDOM_SEED", 1)) * 2654435761u | 1;
  for (int round = 0; round < 5; ++round) {
    check::Array<Node> nodes(count);
    check::Array<unsigned char> instructions(walkers * length);
    check::Array<unsigned> out(walkers);
    std::vector<Node> here(count);
    for (int i = 0; i < count; ++i) {
      here[i].key = nodes.host[i].key = check::random(state) >> 8;
      for (int side = 0; side < 3; ++side) {
        const unsigned to = check::random(state) % count;
        here[i].next[side] = &here[to];
        nodes.host[i].next[side] = nodes + to;
      }
    }
    for (unsigned char &instruction : instructions.host)
      instruction = check::random(state) >> 11;
    nodes.put(), instructions.put();
    run<<<3, walkers / 3>>>(nodes, instructions, out);
    out.get();
    for (int walker = 0; walker < walkers; ++walker)
      CHECK_AT(walker, out.host[walker],
               walk(here.data(), &instructions.host[walker * length], walker));
  }
  return check::finish("pointers_random");
}
