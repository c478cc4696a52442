// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetpkg extract: the hetIR of kernels, as bytecode or, by the tool het-opt
// that stands beside this one, as text.

#include "Verbs.h"
#include "het/Base/File.h"

#include <cstring>
#include <filesystem>
#include <set>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace het;

extern char **environ;

namespace {
/// A kernel to extract: its package and its place there.
struct Choice {
  const InputPackage *input;
  uint32_t index;

  const std::string &name() const { return input->kernels[index].name; }
  Result<Bytes> code() const { return input->package.kernelCode(index); }
};
} // namespace

static Result<std::vector<Choice>> choose(const Input &input,
                                          const ExtractOptions &options) {
  std::vector<Choice> choices;
  for (const InputPackage &one : input.packages)
    for (uint32_t i = 0; i < one.kernels.size(); ++i)
      if (options.all || one.kernels[i].name == options.kernel)
        choices.push_back({&one, i});
  if (choices.empty() && !options.all)
    return unavailable(foundExpected("kernel '" + options.kernel + "'",
                                     "none of this name",
                                     "the mangled name of one in it",
                                     "see them with 'hetpkg show'"),
                       input.path);
  std::set<std::string> names;
  for (const Choice &choice : choices)
    if (!names.insert(choice.name()).second)
      return invalid(foundExpected("kernel '" + choice.name() + "'",
                                   "more than one of this name", "one",
                                   "extract from each object by itself"),
                     input.path);
  return choices;
}

//===----------------------------------------------------------------------===//
// Text, by het-opt
//===----------------------------------------------------------------------===//

static Result<std::string> findHetOpt() {
  std::error_code error;
  std::filesystem::path self =
      std::filesystem::read_symlink("/proc/self/exe", error);
  std::filesystem::path tool = self.parent_path() / "het-opt";
  if (!error && ::access(tool.c_str(), X_OK) == 0)
    return tool.string();
  return unavailable("--hetir: found no het-opt in '" +
                     self.parent_path().string() +
                     "', expected it beside hetpkg; extract the bytecode "
                     "without --hetir and give it to het-opt");
}

/// An unnamed file in memory.
static int memoryFile(ByteView contents) {
  int file = ::memfd_create("hetir", MFD_CLOEXEC);
  if (file < 0)
    return -1;
  while (!contents.empty()) {
    ssize_t written = ::write(file, contents.data, contents.size);
    if (written <= 0) {
      ::close(file);
      return -1;
    }
    contents.data += written;
    contents.size -= static_cast<size_t>(written);
  }
  ::lseek(file, 0, SEEK_SET);
  return file;
}

static Status runHetOpt(const std::string &tool, int input, int output,
                        const std::string &kernel) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  std::string program = tool, source = "-";
  char *arguments[] = {program.data(), source.data(), nullptr};
  pid_t child = 0;
  int error = ::posix_spawn(&child, tool.c_str(), &actions, nullptr, arguments,
                            environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    return unavailable("cannot start: " + std::string(std::strerror(error)),
                       tool);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return invalid("hetIR of kernel '" + kernel +
                       "': found bytecode that het-opt refuses, expected what "
                       "this version reads; see its message above",
                   tool);
  return Status::success();
}

static Result<Bytes> disassemble(const std::string &tool, const Bytes &code,
                                 const std::string &kernel) {
  int input = memoryFile(code), output = memoryFile({});
  Status status = input < 0 || output < 0
                      ? internal("no memory for a temporary file")
                      : runHetOpt(tool, input, output, kernel);
  Result<Bytes> text = status.ok()
                           ? readFile("/proc/self/fd/" + std::to_string(output))
                           : Result<Bytes>(status);
  for (int file : {input, output})
    if (file >= 0)
      ::close(file);
  return text;
}

/// All texts in one, between MLIR's own separators.
static Result<Bytes> textOf(const std::vector<Choice> &choices) {
  Result<std::string> tool = findHetOpt();
  if (!tool.ok())
    return tool.status();
  ByteWriter text;
  for (const Choice &choice : choices) {
    if (&choice != &choices.front())
      text.bytes(ByteView(std::string_view("\n// -----\n\n")));
    Result<Bytes> code = choice.code();
    if (!code.ok())
      return code.status();
    Result<Bytes> part = disassemble(*tool, *code, choice.name());
    if (!part.ok())
      return part.status();
    text.bytes(*part);
  }
  return text.take();
}

//===----------------------------------------------------------------------===//
// Bytecode
//===----------------------------------------------------------------------===//

/// A file name for a kernel: its own name where that is harmless, else a cut
/// one with a hash that tells it from others.
static std::string fileNameFor(const std::string &kernel) {
  constexpr size_t longest = 180;
  std::string name;
  for (char c : kernel.substr(0, longest)) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                 (c >= '0' && c <= '9') || c == '_' || c == '$' ||
                 (c == '.' && !name.empty());
    name += plain ? c : '_';
  }
  if (name != kernel)
    name += "-" + hex(sha256(ByteView(kernel))).substr(0, 16);
  return name + ".mlirbc";
}

static Status writeFolder(const std::vector<Choice> &choices,
                          const std::string &folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return invalid("cannot make the folder: " + error.message(), folder);
  for (const Choice &choice : choices) {
    Result<Bytes> code = choice.code();
    if (!code.ok())
      return code.status();
    std::string path = folder + "/" + fileNameFor(choice.name());
    if (Status status = writeFileAtomically(path, *code); !status.ok())
      return status;
  }
  return Status::success();
}

Status het::extract(const Input &input, const ExtractOptions &options) {
  Result<std::vector<Choice>> choices = choose(input, options);
  if (!choices.ok())
    return choices.status();
  if (options.hetir) {
    Result<Bytes> text = textOf(*choices);
    return text.ok() ? writeOutput(options.output, *text) : text.status();
  }
  if (options.all)
    return options.output == "-"
               ? invalid("--all: found standard output, expected a folder for "
                         "one file of bytecode a kernel; say -o FOLDER")
               : writeFolder(*choices, options.output);
  Result<Bytes> code = choices->front().code();
  return code.ok() ? writeOutput(options.output, *code) : code.status();
}
