// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// het-mutate: hostile hetIR whose digests are right. Damages the bytecode of a package's
// kernels in ways that a seed determines, has a target lower each mutant as the runtime
// does, and counts what came of it: code, an error of the reader or the lowering, or the
// end of the lowering's process. This process must outlive all of them.
//
//   het-mutate PACKAGE --library=LIB --target=host [--arch=A] [--seed=N] [--count=N]
//              [--keep=FOLDER]      mutants that ended the process go there
//   het-mutate PACKAGE --replace=BYTECODE -o OUT
//                                   the package with this code for its first kernel

#include "core/Target.h"
#include "het/Base/File.h"
#include "het/Package/Embedded.h"
#include "het/Package/Package.h"
#include "het/Package/PackageWriter.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>

using namespace het;

namespace {

struct Options {
  std::string package, library, target = "host", arch, keep, replace, output;
  uint64_t seed = 1, count = 1000;
};

[[noreturn]] void fail(const std::string &text) {
  std::fprintf(stderr, "het-mutate: %s\n", text.c_str());
  std::exit(2);
}

template <typename T> T must(Result<T> result) {
  if (!result.ok())
    fail(result.status().text());
  return result.take();
}

Options parse(int argc, char **argv) {
  Options options;
  auto take = [](const std::string &argument, const char *name, std::string &value) {
    const std::string prefix = std::string("--") + name + "=";
    if (argument.compare(0, prefix.size(), prefix) != 0)
      return false;
    value = argument.substr(prefix.size());
    return true;
  };
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i], number;
    if (argument == "-o" && i + 1 < argc)
      options.output = argv[++i];
    else if (take(argument, "seed", number))
      options.seed = std::strtoull(number.c_str(), nullptr, 10);
    else if (take(argument, "count", number))
      options.count = std::strtoull(number.c_str(), nullptr, 10);
    else if (!take(argument, "library", options.library) &&
             !take(argument, "target", options.target) &&
             !take(argument, "arch", options.arch) &&
             !take(argument, "keep", options.keep) &&
             !take(argument, "replace", options.replace))
      options.package = argument;
  }
  if (options.package.empty())
    fail("no package");
  return options;
}

struct Kernel {
  std::string name;
  Bytes code;
};

std::vector<Kernel> readKernels(const std::string &path) {
  const Bytes file = must(readFile(path));
  std::vector<Kernel> kernels;
  for (const EmbeddedPackage &one : findPackages(file, path).packages) {
    const Package package = must(Package::open(one.bytes, path));
    for (uint32_t i = 0; i < package.kernelCount(); ++i)
      kernels.push_back({must(package.kernel(i)).name, must(package.kernelCode(i))});
  }
  if (kernels.empty())
    fail(path + ": found no kernel");
  return kernels;
}

//===----------------------------------------------------------------------===//
// Mutation
//===----------------------------------------------------------------------===//

class Mutator {
public:
  explicit Mutator(uint64_t seed) : random(seed) {}

  /// A number below `end`; the same on every machine.
  size_t below(size_t end) { return end ? random() % end : 0; }

  Bytes mutate(const Bytes &original, const Bytes &other) {
    Bytes code = original;
    for (size_t changes = 1 + below(below(4) ? 2 : 16); changes; --changes)
      change(code, other);
    return code;
  }

private:
  void change(Bytes &code, const Bytes &other) {
    const size_t at = below(code.size());
    const size_t length = std::min(1 + below(16), code.size() - at);
    switch (below(9)) {
    case 0: // a bit
      if (!code.empty())
        code[at] ^= uint8_t(1u << below(8));
      break;
    case 1: // a byte
      if (!code.empty())
        code[at] = uint8_t(random());
      break;
    case 2: // a number that is off by little
      if (!code.empty())
        code[at] = uint8_t(code[at] + 2 * int(below(9)) - 8);
      break;
    case 3: // a number of the longest kind
      code.insert(code.begin() + at,
                  {0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f});
      break;
    case 4:
      code.erase(code.begin() + at, code.begin() + at + length);
      break;
    case 5: { // twice the same
      const Bytes part(code.begin() + at, code.begin() + at + length);
      code.insert(code.begin() + at, part.begin(), part.end());
      break;
    }
    case 6: { // a part of another kernel, or another place
      const size_t from = below(other.size());
      for (size_t i = 0; i < length && from + i < other.size(); ++i)
        code[at + i] = other[from + i];
      break;
    }
    case 7:
      std::fill_n(code.begin() + at, length, below(2) ? 0 : 0xff);
      break;
    case 8:
      if (!below(8))
        code.resize(at);
      break;
    }
  }

  std::mt19937_64 random;
};

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

/// What came of a mutant.
const char *kindOf(const Result<Bytes> &result) {
  if (result.ok())
    return "lowered";
  switch (result.status().code) {
  case Code::Internal:
    return "ended the process";
  case Code::Unavailable:
    return "had no memory";
  default:
    return "refused";
  }
}

void keep(const Options &options, uint64_t number, const Bytes &code,
          const Status &status) {
  if (options.keep.empty())
    return;
  const std::string path = options.keep + "/" + std::to_string(options.seed) + "-" +
                           std::to_string(number) + ".mlirbc";
  (void)writeFileAtomically(path, code).ok();
  std::printf("%s: %s\n", path.c_str(), status.text().c_str());
}

int lowerMutants(const Options &options) {
  const std::vector<Kernel> kernels = readKernels(options.package);
  std::shared_ptr<core::Target> target =
      must(core::Target::openForLowering(options.target, options.library));
  const std::string devicelib = options.library + "/het/devicelib.bc";
  std::map<std::string, uint64_t> counts;
  for (uint64_t number = 0; number < options.count; ++number) {
    // Each mutant can be made again by itself.
    Mutator mutator(options.seed * 0x9e3779b97f4a7c15 + number);
    const Kernel &kernel = kernels[mutator.below(kernels.size())];
    const Bytes code =
        mutator.mutate(kernel.code, kernels[mutator.below(kernels.size())].code);
    const HetLowerRequest request = {
        code.data(),          code.size(), kernel.name.c_str(),
        options.arch.c_str(), "",          devicelib.c_str()};
    const Result<Bytes> result = target->lower(request);
    const std::string kind = kindOf(result);
    ++counts[kind];
    if (!result.ok() && kind != "refused")
      keep(options, number, code, result.status());
  }
  for (const auto &[kind, count] : counts)
    std::printf("%s: %llu\n", kind.c_str(), static_cast<unsigned long long>(count));
  return 0;
}

int replaceCode(const Options &options) {
  const Bytes file = must(readFile(options.package));
  const EmbeddedPackages found = findPackages(file, options.package);
  if (found.packages.empty())
    fail(options.package + ": found no package");
  const Package package = must(Package::open(found.packages[0].bytes, options.package));
  PackageWriter writer("het-mutate");
  Status status =
      writer.addKernel(must(package.kernel(0)), must(readFile(options.replace)));
  if (!status.ok())
    fail(status.text());
  status = writeFileAtomically(options.output, must(writer.finish()));
  if (!status.ok())
    fail(status.text());
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  const Options options = parse(argc, argv);
  return options.replace.empty() ? lowerMutants(options) : replaceCode(options);
}
