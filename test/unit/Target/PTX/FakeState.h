// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the fake driver's parts share. All is guarded by the state's one mutex.

#ifndef HET_TEST_TARGET_PTX_FAKESTATE_H
#define HET_TEST_TARGET_PTX_FAKESTATE_H

#include "FakeDriver.h"

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>

namespace fake {

struct Context {
  int device;
  int retained = 0;
  CUresult dead = CUDA_SUCCESS;
};

struct Stream;

/// What a record put into a stream is waited for by.
struct Record {
  Stream *stream;
  bool reached = false;
  double milliseconds = 0;
};

struct Event {
  Context *context;
  bool timed;
  std::shared_ptr<Record> latest;
};

struct Stream {
  Context *context;
  std::deque<std::function<void()>> work;
  bool isBusy = false;    ///< One of the work is being done.
  bool isWaiting = false; ///< The first of the work is, for a word in memory.
  bool records = false;   ///< Nothing of the work is done.
  bool isSpoilt = false;  ///< The recording is, by a wait.
};

struct Function {
  struct Module *module;
  std::string name;
  int dynamicShared;
};

struct Module {
  Context *context;
  std::string text;
  std::vector<uint64_t> variables;
  int staticShared = 0;
  std::vector<std::unique_ptr<Function>> functions;
};

struct Graph;

struct GraphNode {
  Graph *graph;
  bool isLaunch;
  std::function<void(Stream &)> work;
  int type = 0;
  size_t children = 0; ///< Nodes of a child graph; 0: it is none.
};

struct Graph {
  Context *context;
  std::vector<std::unique_ptr<GraphNode>> nodes;
};

/// The work of the nodes of a graph that still is there.
struct GraphExec {
  Context *context;
  Graph *graph;
  std::vector<std::pair<GraphNode *, std::function<void(Stream &)>>> work;
};

/// What all nodes of a graph do, one after the other.
std::function<void(Stream &)> workOf(const Graph &graph);

/// What a kernel is launched with.
struct Launch {
  CUfunction function;
  const unsigned *grid, *block;
  unsigned dynamicShared;
  void **parameters;
  bool cooperative;
};

struct Compilation {
  std::string text;
  std::vector<char> code;
};

struct Range {
  size_t size;
  Context *context; ///< of managed and pinned memory
};

struct Allocation {
  size_t size;
  int device;
  int uses; ///< its handle and its mappings
};

struct Mapping {
  size_t size;
  CUmemGenericAllocationHandle memory;
  std::set<int> devices; ///< that reach it
};

class State : public FakeDriver {
public:
  void reset() override;
  std::string alive() override;
  void runAll() override;
  std::vector<std::string> takeCalls() override;
  std::set<int> reaching(uint64_t address) override;

  /// Counts a call; what it is to fail with.
  CUresult enter(const char *symbol);
  /// Notes a mistake of the plug-in.
  CUresult misuse(const char *symbol, const char *what);
  /// Of a function that works in the calling thread's context; its death included.
  CUresult enterContext(const char *symbol);
  /// As enterContext, for an object of a context that must be the current one.
  CUresult enterContextOf(const char *symbol, Context *owner);
  bool holds(const Context &context);
  /// Drops all that a context holds.
  void destroyContext(Context &context);
  /// Takes one use of an allocation away.
  void drop(CUmemGenericAllocationHandle memory);
  /// Does a stream's work in order, as far as its context lives.
  /// Up to this record, where there is one.
  void drain(Stream &stream, const Record *last = nullptr);

  std::recursive_mutex mutex;
  std::map<int, Context> contexts; ///< by device; they are never moved
  std::set<Stream *> streams;
  std::set<Event *> events;
  std::set<Module *> modules;
  std::set<Compilation *> compilations;
  std::set<Graph *> graphs;
  std::set<GraphExec *> graphExecs;
  std::map<uint64_t, size_t> reservations;
  std::map<uint64_t, Mapping> mappings;
  std::map<CUmemGenericAllocationHandle, Allocation> allocations;
  std::map<uint64_t, Range> managed, pinned;
  std::map<uint64_t, Range> memory, hostMemory; ///< that the driver has placed
  std::map<CUtexObject, CUDA_RESOURCE_DESC> textures;
  size_t usedBytes = 0;

private:
  std::vector<std::string> calls;
};

State &state();
/// The calling thread's.
extern thread_local Context *current;
/// What a launch in the current context will do.
CUresult prepareLaunch(const char *symbol, const Launch &launch,
                       std::function<void()> &work);
/// Puts a record of the event, and a wait for it, into a stream.
void record(Event &event, Stream &stream);
void wait(Event &event, Stream &stream);
/// Whether a context that got this result is dead.
bool isFatal(CUresult result);

inline Context *unwrap(CUcontext c) { return reinterpret_cast<Context *>(c); }
inline Stream *unwrap(CUstream s) { return reinterpret_cast<Stream *>(s); }
inline Event *unwrap(CUevent e) { return reinterpret_cast<Event *>(e); }
inline Module *unwrap(CUmodule m) { return reinterpret_cast<Module *>(m); }
inline Graph *unwrap(CUgraph g) { return reinterpret_cast<Graph *>(g); }
inline GraphNode *unwrap(CUgraphNode n) { return reinterpret_cast<GraphNode *>(n); }
inline GraphExec *unwrap(CUgraphExec e) { return reinterpret_cast<GraphExec *>(e); }
inline Function *unwrap(CUfunction f) { return reinterpret_cast<Function *>(f); }

} // namespace fake

/// Begins a function: the lock, the record, the failure asked for.
#define FAKE(kind, ...)                                                                  \
  auto &fakeState = fake::state();                                                       \
  std::unique_lock<std::recursive_mutex> lock(fakeState.mutex);                          \
  if (CUresult failure = fakeState.kind(__func__ __VA_OPT__(, ) __VA_ARGS__))            \
    return failure;

#define EXPORTED extern "C" __attribute__((visibility("default")))

#endif // HET_TEST_TARGET_PTX_FAKESTATE_H
