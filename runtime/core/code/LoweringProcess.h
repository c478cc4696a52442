// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowering in another process. Packages are untrusted and compilers are large: what
// crashes, hangs or takes all memory there is an error here. The program does not load
// LLVM at all, and has no child that its wait() would see.

#ifndef HET_RUNTIME_CORE_CODE_LOWERINGPROCESS_H
#define HET_RUNTIME_CORE_CODE_LOWERINGPROCESS_H

#include "het/Base/Bytes.h"
#include "het/Base/Status.h"
#include "het/Target/TargetABI.h"

#include <functional>
#include <memory>
#include <string>

namespace het::core {

namespace lowering {
enum class Verb : uint8_t;
}

/// The program of a lowering process and the plug-in that it opens.
struct LoweringProgram {
  std::string worker, plugin;
};

/// Lowers a kernel, at the calling thread's priority. A process serves one thread at a
/// time; those that are idle are kept for a while.
Result<Bytes> lowerElsewhere(const LoweringProgram &program,
                             const HetLowerRequest &request);

/// A lowering that its process has begun. Its end, before a reply, ends the process.
class OngoingLowering {
public:
  /// Begins it, at the calling thread's priority.
  static Result<OngoingLowering> begin(const LoweringProgram &program,
                                       const HetLowerRequest &request);
  OngoingLowering(OngoingLowering &&other) noexcept;
  OngoingLowering &operator=(OngoingLowering &&other) noexcept;
  ~OngoingLowering();

  /// The artifact. Once.
  Result<Bytes> wait();
  /// The same, or `unavailable` soon after `stops` says so.
  Result<Bytes> waitUnless(const std::function<bool()> &stops);
  /// Whether the reply has begun, after so much time at most.
  bool answersWithin(int milliseconds) const;
  /// Waits for the reply of one of two. Whether it is this one's.
  bool answersBefore(const OngoingLowering &other) const;

  /// A request of any kind, and its reply.
  static Result<Bytes> ask(lowering::Verb verb, const LoweringProgram &program,
                           const HetLowerRequest &request);

private:
  class Exchange;
  static Result<OngoingLowering> begin(lowering::Verb verb,
                                       const LoweringProgram &program,
                                       const HetLowerRequest &request);
  explicit OngoingLowering(std::unique_ptr<Exchange> exchange);
  std::unique_ptr<Exchange> exchange;
};

/// HetLoweringABI::explain, likewise.
Result<HetExplanation> explainElsewhere(const LoweringProgram &program,
                                        const HetLowerRequest &request);

/// An architecture that a user has named (HetLoweringABI::findArch).
struct NamedArch {
  std::string arch, suffix; ///< HetArchitecture's.
  std::string version;      ///< HetLoweringABI's: of what is lowered for it.
};
Result<NamedArch> findArchElsewhere(const LoweringProgram &program,
                                    const std::string &name);

/// HetLoweringABI::extractCode, likewise.
Result<Bytes> extractCodeElsewhere(const LoweringProgram &program, ByteView artifact);

/// Ends the idle processes: for who saves this process with all that it has open.
void endIdleLowerings();

} // namespace het::core

#endif // HET_RUNTIME_CORE_CODE_LOWERINGPROCESS_H
