// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Watches launches, makes specialisations in the background, and chooses among them.

#include "core/code/Specialisations.h"
#include "core/Device.h"
#include "core/Kernel.h"
#include "core/Worker.h"
#include "core/code/Artifacts.h"
#include "het/Base/Log.h"
#include "het/Base/Passing.h"

namespace het::core {

/// Specialisations of one kernel, those that came to nothing included.
static constexpr unsigned mostVariants = 4;
static constexpr unsigned mostVariantsNow = 64; ///< The same under Specialise::Always.
/// Bytes of hetIR. To lower more takes so long that a program may have to wait for it
/// at its end.
static constexpr uint64_t mostCode = 128 << 10;

Specialisations::Specialisations(const Kernel &kernel, General general, Specialise when)
    : kernel(kernel), general(std::move(general)), when(when),
      argumentBytes(kernel.argumentBytes()), launches(kernel.info()) {}

std::unique_ptr<Specialisations> Specialisations::create(const Kernel &kernel,
                                                         General general) {
  const Specialise when = (*Runtime::get())->specialise();
  if (!kernel.device().properties().takesConstants || when == Specialise::Never ||
      (when == Specialise::Usually && kernel.hetIRBytes() > mostCode) ||
      !kernel.device().primary().target().canLower())
    return nullptr;
  return std::unique_ptr<Specialisations>(
      new Specialisations(kernel, std::move(general), when));
}

Specialisations::~Specialisations() {
  for (Variant *variant = latest.load(); variant;)
    delete std::exchange(variant, variant->next);
}

HetArtifact *Specialisations::find(const LaunchShape &shape, const uint8_t *arguments,
                                   bool &found) {
  for (Variant *variant = latest.load(std::memory_order_acquire); variant;
       variant = variant->next)
    if ((found = variant->constants.match(shape, arguments)))
      return variant->usable.load(std::memory_order_relaxed) ? variant->artifact
                                                             : nullptr;
  return nullptr;
}

HetArtifact *Specialisations::choose(const LaunchShape &shape, const void *arguments,
                                     size_t size) {
  // How many blocks of a cooperative launch fit was asked of the general code.
  if (shape.cooperative || size < argumentBytes)
    return nullptr;
  auto *packed = static_cast<const uint8_t *>(arguments);
  bool found = false;
  HetArtifact *artifact = find(shape, packed, found);
  if (found)
    return artifact;
  if (when == Specialise::Always)
    return makeNow(shape, packed);
  if (phase.load(std::memory_order_relaxed) == Phase::Watching)
    watch(shape, packed);
  return nullptr;
}

void Specialisations::drop(const HetArtifact *artifact) {
  for (Variant *variant = latest.load(std::memory_order_acquire); variant;
       variant = variant->next)
    if (variant->artifact == artifact)
      variant->usable.store(false, std::memory_order_relaxed);
}

void Specialisations::watch(const LaunchShape &shape, const uint8_t *arguments) {
  std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
  if (!lock || phase.load() != Phase::Watching)
    return; // another thread's launch serves as well
  launches.add(shape, arguments, std::chrono::steady_clock::now());
  if (!launches.suffices())
    return;
  LaunchConstants constants = launches.constants();
  launches.restart();
  if (constants.empty()) {
    if (++attempts == mostVariants)
      phase.store(Phase::Done);
    return;
  }
  if (!Worker::get().add(this, [this, constants] { makeBeside(constants); }))
    return; // too many wait: later, if it is still so then
  phase.store(Phase::Making);
  ++attempts;
}

HetArtifact *Specialisations::makeNow(const LaunchShape &shape,
                                      const uint8_t *arguments) {
  std::lock_guard<std::mutex> lock(mutex);
  bool found = false;
  HetArtifact *artifact = find(shape, arguments, found);
  if (found || attempts == mostVariantsNow)
    return artifact;
  ++attempts;
  launches.restart();
  launches.add(shape, arguments, {});
  make(launches.constants(), LoweringThread::Callers);
  return find(shape, arguments, found);
}

/// Whether the code is likely to be no slower: it keeps nothing more in memory, and at
/// least half as many blocks run at once.
bool Specialisations::pays(HetArtifact *artifact, const LaunchConstants &constants) {
  const HetDeviceABI &abi = kernel.device().abi();
  HetArtifact *other = general();
  HetStatus status = {};
  HetArtifactInfo now = {}, before = {};
  if (abi.describeArtifact && (abi.describeArtifact(artifact, &now, &status) != HET_OK ||
                               abi.describeArtifact(other, &before, &status) != HET_OK ||
                               now.localBytes > before.localBytes))
    return false;
  if (!abi.residentBlocks || !constants.hasBlock)
    return true;
  uint32_t threads = constants.block[0] * constants.block[1] * constants.block[2];
  uint32_t blocksNow = 0, blocksBefore = 0;
  return abi.residentBlocks(artifact, threads, 0, &blocksNow, &status) == HET_OK &&
         abi.residentBlocks(other, threads, 0, &blocksBefore, &status) == HET_OK &&
         blocksNow >= (blocksBefore + 1) / 2;
}

void Specialisations::make(const LaunchConstants &constants, LoweringThread thread) {
  const char *name = kernel.info().name.c_str();
  std::string words = constants.words();
  Result<HetArtifact *> made = kernel.make(kernel.device().primary(), words, thread);
  bool isUsed = false;
  if (!made.ok()) {
    log(made.status().code == Code::Internal ? Level::Warn : Level::Info,
        "kernel %s: no code for %s, the general one stays: %s", name, words.c_str(),
        made.status().text().c_str());
  } else {
    isUsed = when == Specialise::Always || pays(*made, constants);
    log(Level::Info, "kernel %s: code for %s %s", name, words.c_str(),
        isUsed ? "is ready" : "does not pay, the general one stays");
  }
  if (!made.ok() && mayPass(made.status()))
    return; // attempts are counted
  // A specialisation that came to nothing is kept too, so that it is not tried again.
  auto *variant = new Variant{constants, made.ok() ? *made : nullptr, latest.load()};
  variant->usable = isUsed;
  latest.store(variant, std::memory_order_release);
}

void Specialisations::makeBeside(const LaunchConstants &constants) {
  make(constants, LoweringThread::Background);
  std::lock_guard<std::mutex> lock(mutex);
  phase.store(attempts < mostVariants ? Phase::Watching : Phase::Done);
}

void Specialisations::finish() {
  phase.store(Phase::Done);
  Worker::get().forget(this);
}

void Specialisations::unload() {
  for (Variant *variant = latest.load(); variant; variant = variant->next)
    if (variant->artifact)
      kernel.device().abi().unloadArtifact(variant->artifact);
}

} // namespace het::core
