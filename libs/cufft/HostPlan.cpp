// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds FFTW, and makes plans by its guru interface, whose dimensions are what layouts
// here are. FFTW 3.3 manual: chapters 4.5 and 4.6.

#include "HostPlan.h"
#include "het/Base/Log.h"
#include "het/Base/SystemLibrary.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime_api.h>
#include <dlfcn.h>

namespace het::fft {
namespace {

/// FFTW's description of a dimension.
struct Dimension {
  ptrdiff_t n, in, out;
};
constexpr unsigned unaligned = 1u << 1, preserveInput = 1u << 4, estimate = 1u << 6;

/// The functions of a precision. Those of threads may be missing.
template <class R> struct Fftw {
  void *(*planComplex)(int rank, const Dimension *n, int batchRank,
                       const Dimension *batch, void *in, void *out, int sign,
                       unsigned flags);
  void *(*planForward)(int rank, const Dimension *n, int batchRank,
                       const Dimension *batch, R *in, void *out, unsigned flags);
  void *(*planBackward)(int rank, const Dimension *n, int batchRank,
                        const Dimension *batch, void *in, R *out, unsigned flags);
  void (*executeComplex)(void *plan, void *in, void *out);
  void (*executeForward)(void *plan, R *in, void *out);
  void (*executeBackward)(void *plan, void *in, R *out);
  void (*destroy)(void *plan);
  int (*alignmentOf)(R *place);
  void (*setThreads)(int count);
  int (*getThreads)();
};
template <class R> Fftw<R> &fftw() {
  static Fftw<R> instance = {};
  return instance;
}

/// FFTW makes and destroys one plan at a time.
std::mutex planning;
/// Processors of the device.
int threadCount = 1;
/// Points of which a transform is worth threads.
constexpr Index worthThreads = 1 << 15;

/// Threads, where their library is there: FFTW then guards its planner against the
/// program's own use of it.
template <class R> void findThreads(const std::string &prefix, const std::string &file) {
  void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto find = [&](const char *name) {
    return library ? dlsym(library, (prefix + name).c_str()) : nullptr;
  };
  const auto initialise = reinterpret_cast<int (*)()>(find("init_threads"));
  const auto guard = reinterpret_cast<void (*)()>(find("make_planner_thread_safe"));
  if (!initialise || !guard || !initialise())
    return;
  guard();
  fftw<R>().setThreads = reinterpret_cast<void (*)(int)>(find("plan_with_nthreads"));
  fftw<R>().getThreads = reinterpret_cast<int (*)()>(find("planner_nthreads"));
}

template <class R> Status open(const std::string &prefix, const std::string &file) {
  void *library = dlopen((file + ".so.3").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return unavailable(file + ".so.3: not found (" + dlerror() +
                       "); install FFTW (Debian's libfftw3-single3, libfftw3-double3)");
  std::string missing;
  const auto find = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        dlsym(library, (prefix + name).c_str()));
    if (!function)
      missing += " " + prefix + name;
  };
  Fftw<R> &all = fftw<R>();
  find(all.planComplex, "plan_guru64_dft");
  find(all.planForward, "plan_guru64_dft_r2c");
  find(all.planBackward, "plan_guru64_dft_c2r");
  find(all.executeComplex, "execute_dft");
  find(all.executeForward, "execute_dft_r2c");
  find(all.executeBackward, "execute_dft_c2r");
  find(all.destroy, "destroy_plan");
  find(all.alignmentOf, "alignment_of");
  if (!missing.empty())
    return unavailable(fileOf(library) + ": it lacks" + missing);
  findThreads<R>(prefix, file + "_threads.so.3");
  log(Level::Info, "cuFFT: %s is the host's", fileOf(library).c_str());
  return Status::success();
}

Status openAll() {
  if (cudaDeviceGetAttribute(&threadCount, cudaDevAttrMultiProcessorCount, 0) !=
      cudaSuccess)
    threadCount = 1;
  Status status = open<float>("fftwf_", "libfftw3f");
  return status.ok() ? open<double>("fftw_", "libfftw3") : status;
}

/// Has FFTW plan for as many threads as the work is worth, and then as before.
template <class R> class Threads {
public:
  explicit Threads(Index points) {
    const Fftw<R> &all = fftw<R>();
    if (!all.setThreads)
      return;
    before = all.getThreads ? all.getThreads() : 1;
    all.setThreads(points >= worthThreads ? threadCount : 1);
  }
  Threads(const Threads &) = delete;
  ~Threads() {
    if (fftw<R>().setThreads)
      fftw<R>().setThreads(before);
  }

private:
  int before = 1;
};

Index pointsOf(const Problem &problem) {
  Index points = problem.batch;
  for (int i = 0; i < problem.rank; ++i)
    points *= problem.n[i];
  return points;
}

/// Elements from a side's first to its last.
Index spanOf(const Problem &problem, const Side &side) {
  Index last = (problem.batch - 1) * side.layout.distance;
  for (int i = 0; i < problem.rank; ++i)
    last += (problem.sizeOf(side, i) - 1) * side.layout.step[i];
  return last + 1;
}

/// FFTW overwrites the input of a backward transform to real numbers of several
/// dimensions, which is then given a copy.
bool overwritesInput(const Problem &problem) {
  return problem.in.form == Form::Hermitian && problem.rank > 1;
}

} // namespace

Status openFftw() {
  static const Status opened = openAll();
  return opened;
}

template <class R>
std::shared_ptr<void> HostPlan::planFor(const Kind &kind, void *in, void *out) {
  const std::lock_guard lock(mutex);
  std::shared_ptr<void> &plan = plans[kind.inPlace][kind.inverse][kind.aligned];
  if (plan)
    return plan;
  const Problem own = kind.inPlace ? problem.inPlace() : problem;
  Dimension n[maxRank];
  for (int i = 0; i < own.rank; ++i)
    n[i] = {static_cast<ptrdiff_t>(own.n[i]),
            static_cast<ptrdiff_t>(own.in.layout.step[i]),
            static_cast<ptrdiff_t>(own.out.layout.step[i])};
  const Dimension batch = {static_cast<ptrdiff_t>(own.batch),
                           static_cast<ptrdiff_t>(own.in.layout.distance),
                           static_cast<ptrdiff_t>(own.out.layout.distance)};
  // Numbers are not touched by estimates.
  const unsigned flags = estimate | (kind.aligned ? 0 : unaligned) |
                         (kind.inPlace || overwritesInput(own) ? 0 : preserveInput);
  const std::lock_guard planner(planning);
  const Threads<R> threads(pointsOf(own));
  void *made = own.in.form == Form::Real
                   ? fftw<R>().planForward(own.rank, n, 1, &batch, static_cast<R *>(in),
                                           out, flags)
               : own.out.form == Form::Real
                   ? fftw<R>().planBackward(own.rank, n, 1, &batch, in,
                                            static_cast<R *>(out), flags)
                   : fftw<R>().planComplex(own.rank, n, 1, &batch, in, out,
                                           kind.inverse ? 1 : -1, flags);
  if (made)
    plan = std::shared_ptr<void>(made, [](void *old) {
      const std::lock_guard lock(planning);
      fftw<R>().destroy(old);
    });
  return plan;
}

template <class R>
libs::Given HostPlan::run(CUstream_st *stream, void *in, void *out, bool inverse,
                          int &error) {
  const bool inPlace = in == out;
  std::shared_ptr<void> copy;
  size_t copied = 0;
  void *from = in;
  if (!inPlace && overwritesInput(problem)) {
    constexpr size_t alignment = 64;
    copied = static_cast<size_t>(spanOf(problem, problem.in)) * 2 * sizeof(R);
    copy = std::shared_ptr<void>(
        std::aligned_alloc(alignment, (copied + alignment - 1) / alignment * alignment),
        std::free);
    from = copy.get();
    if (!from) {
      error = cudaErrorMemoryAllocation;
      return libs::Given::Failed;
    }
  }
  const bool aligned = fftw<R>().alignmentOf(static_cast<R *>(from)) == 0 &&
                       fftw<R>().alignmentOf(static_cast<R *>(out)) == 0;
  const std::shared_ptr<void> plan = planFor<R>({inPlace, inverse, aligned}, from, out);
  if (!plan)
    return libs::Given::UseKernels;
  const auto work = [=, readsReal = problem.in.form == Form::Real,
                     writesReal = problem.out.form == Form::Real] {
    if (copy)
      std::memcpy(copy.get(), in, copied);
    if (readsReal)
      fftw<R>().executeForward(plan.get(), static_cast<R *>(from), out);
    else if (writesReal)
      fftw<R>().executeBackward(plan.get(), from, static_cast<R *>(out));
    else
      fftw<R>().executeComplex(plan.get(), from, out);
  };
  return libs::giveToHost(stream, work, error);
}

libs::Given HostPlan::execute(CUstream_st *stream, void *in, void *out, bool inverse,
                              int &error) {
  if (problem.in.storage != Storage::Plain || problem.out.storage != Storage::Plain)
    return libs::Given::UseKernels;
  return problem.doubles ? run<double>(stream, in, out, inverse, error)
                         : run<float>(stream, in, out, inverse, error);
}

} // namespace het::fft
