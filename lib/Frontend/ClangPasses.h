// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two passes of Clang over a CUDA file, free of Clang's headers.

#ifndef HET_LIB_FRONTEND_CLANGPASSES_H
#define HET_LIB_FRONTEND_CLANGPASSES_H

#include "het/Frontend/Frontend.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace het {

class IncludedFiles;
class Messages;

/// The name under which Clang finds the package. A message that has it is about a failure
/// that has been shown.
inline constexpr const char *imagePath = "/het-embedded-package";

/// The bytes that the host object will carry, handed over by the thread that
/// makes them to the one that needs them.
class PendingImage {
public:
  void provide(Bytes bytes);
  void fail();
  /// Waits. Nothing if the maker failed.
  const Bytes *wait();

private:
  std::mutex mutex;
  std::condition_variable ready;
  std::optional<Bytes> image;
  bool failed = false;
};

/// The device pass: unoptimised LLVM IR for NVPTX, with line tables. Null with
/// the reason shown.
std::unique_ptr<llvm::Module> runDevicePass(const CompileOptions &options,
                                            llvm::LLVMContext &context,
                                            Messages &messages, IncludedFiles &included);

/// The preprocessor of the device pass, for what it includes or, with a path or "-", for
/// its output.
bool preprocessDevice(const CompileOptions &options, const std::string &output,
                      Messages &messages, IncludedFiles &included);

/// The host pass. For an object or assembly, Clang asks for `image` only when
/// the whole source has been read. Returns false with the reason shown; a
/// failure to make the image is not shown again.
bool runHostPass(const CompileOptions &options, HostStage stage, PendingImage *image,
                 const std::string &output, Messages &messages, IncludedFiles &included);

} // namespace het

#endif // HET_LIB_FRONTEND_CLANGPASSES_H
