// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One job for each kernel, target and form. Lowering is done by processes of their own,
// as many as there are threads that wait for them.

#include "Precompile.h"
#include "Merger.h"
#include "NamedTarget.h"
#include "Verbs.h"
#include "het/Base/File.h"
#include "het/Base/Parallel.h"
#include "het/Base/ProgressBar.h"
#include "het/Package/ProgramPackages.h"

#include <algorithm>
#include <cstdio>
#include <thread>
#include <unistd.h>

using namespace het;

/// Words for the lowering (docs/spec/target-abi.md): plain code, and what a process that
/// may move asks for beside it.
static std::vector<std::string> formsFor(const PrecompileOptions &options) {
  if (options.movable)
    return {"", "parkable", "parkable=entry"};
  return {""};
}

namespace {

/// One artifact to make.
struct Job {
  const InputPackage *input;
  uint32_t kernel;
  const NamedTarget *target;
  std::string form;
  Result<Bytes> artifact = unavailable("not lowered");

  const std::string &name() const { return input->kernels[kernel].name; }
  void run() {
    Result<Bytes> code = input->package.kernelCode(kernel);
    artifact = code.ok() ? target->lower(*code, name(), form) : code.status();
  }
};

} // namespace

static std::vector<Job> listJobs(const Input &input,
                                 const std::vector<NamedTarget> &targets,
                                 const std::vector<std::string> &forms) {
  std::vector<Job> jobs;
  for (const InputPackage &one : input.packages)
    for (uint32_t kernel = 0; kernel < one.kernels.size(); ++kernel)
      for (const NamedTarget &target : targets)
        for (const std::string &form : forms)
          jobs.push_back({&one, kernel, &target, form});
  return jobs;
}

/// What a user can get past by leaving the kernel out: all else is a fault of the machine
/// or of ours.
static bool isRefusal(const Status &status) { return status.code == Code::Unsupported; }

static Status runJobs(std::vector<Job> &jobs, bool keepGoing) {
  ProgressBar bar("lowering", STDERR_FILENO, ProgressBar::Clock::now,
                  ProgressBar::Unit::Items);
  std::atomic<uint64_t> done{0};
  auto work = [&](const std::function<uint64_t()> &next) {
    for (uint64_t number; (number = next()) < jobs.size();) {
      Job &job = jobs[number];
      job.run();
      bar.update(++done, jobs.size());
      const Status status = job.artifact.status();
      if (!status.ok() && !(keepGoing && isRefusal(status)))
        return status;
    }
    return Status::success();
  };
  return inParallel(jobs.size(), std::max(std::thread::hardware_concurrency(), 1u), work);
}

/// The package with the artifacts of its jobs; older ones of the same kinds go.
static Result<Bytes> rewrite(const InputPackage &input, const std::vector<Job> &jobs) {
  std::vector<ArtifactKind> made;
  for (const Job &job : jobs)
    made.push_back(job.target->kind(job.form));
  Merger merger(input.package.producer());
  Status status = merger.add(input, [&](const ArtifactKind &kind) {
    return std::none_of(made.begin(), made.end(),
                        [&](const ArtifactKind &one) { return one.replaces(kind); });
  });
  for (const Job &job : jobs) {
    if (!status.ok())
      return status;
    if (job.input == &input && job.artifact.ok())
      status = merger.target().addArtifact(job.target->kind(job.form), job.name(),
                                           *job.artifact);
  }
  return status.ok() ? merger.finish() : Result<Bytes>(status);
}

/// Fails where the input has parts that can not be written again in one file.
static Status checkInput(const Input &input) {
  for (const InputPackage &one : input.packages)
    if (one.isBeside)
      return invalid(
          foundExpected(
              "program", "its package beside it, in '" + one.package.origin() + "'",
              "a package or a program with packages inside", "precompile that file"),
          input.path);
  return Status::success();
}

static Status write(const Input &input, std::vector<Bytes> packages,
                    const std::string &output) {
  if (!input.embedded)
    return writeOutput(output, packages.front());
  std::vector<PackageExchange> exchanges;
  for (size_t i = 0; i < packages.size(); ++i)
    exchanges.push_back({input.packages[i].offset, input.packages[i].package.view(),
                         std::move(packages[i])});
  Result<Bytes> program = exchangePackages(*input.storage.front(), exchanges, input.path);
  if (!program.ok())
    return program.status();
  return output == "-" ? writeOutput(output, *program)
                       : writeFileAtomically(output, *program, FileAccess::Program);
}

Status het::precompile(const Input &input, const PrecompileOptions &options) {
  if (Status status = checkInput(input); !status.ok())
    return status;
  Result<std::vector<NamedTarget>> targets = NamedTarget::openAll(options.targets);
  if (!targets.ok())
    return targets.status();
  std::vector<Job> jobs = listJobs(input, *targets, formsFor(options));
  if (Status status = runJobs(jobs, options.keepGoing); !status.ok())
    return isRefusal(status)
               ? unsupported(status.message + "; --keep-going leaves out such kernels")
               : status;
  for (const Job &job : jobs)
    if (!job.artifact.ok())
      std::fprintf(stderr, "warning: left out: %s\n",
                   job.artifact.status().text().c_str());
  std::vector<Bytes> packages;
  for (const InputPackage &one : input.packages) {
    Result<Bytes> package = rewrite(one, jobs);
    if (!package.ok())
      return package.status();
    packages.push_back(package.take());
  }
  return write(input, std::move(packages), options.output);
}
