// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A batch of launches and copies that follow each other in a stream, given to one
// backend: in order, without waiting for one another, also those that come meanwhile; but
// behind a launch that can be suspended only such launches, so that what is behind a
// suspended one has not begun.

#ifndef HET_RUNTIME_MIGRATION_SUBMISSION_H
#define HET_RUNTIME_MIGRATION_SUBMISSION_H

#include "core/DeviceWork.h"
#include "core/Stream.h"
#include "het/Base/Bytes.h"
#include "migration/CodeTiers.h"
#include "migration/InFlightThrottle.h"
#include "migration/LaunchState.h"
#include "migration/LaunchTimer.h"
#include "migration/MigratableCode.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace het::core {

class Backend;
class MigratableDevice;
class Runtime;

/// A launch with everything that it needs, and how far it is.
struct MigratableLaunch {
  Kernel *kernel;
  LaunchShape shape;
  Bytes arguments;
  std::optional<LaunchState> state; ///< Once it was given to a backend.
  std::optional<size_t> saved;      ///< Its place in the last checkpoint that has it.

  MigratableCode &code() const { return MigratableCode::of(*kernel); }
};

/// A launch, or a copy or fill.
struct MigratablePiece {
  std::unique_ptr<MigratableLaunch> launch; ///< Null: it is the other.
  DeviceWork work;
};

/// Pieces that follow each other in a stream.
struct LaunchBatch {
  std::deque<MigratablePiece> pieces; ///< Those that have not ended.
  // Used by the running task:
  std::deque<MigratablePiece *> known; ///< The first of them.
  size_t given = 0;    ///< So many of these, from the first on, are under way.
  size_t parkable = 0; ///< Likewise, of those that can be suspended; behind the others.
  bool isLong = false; ///< One of these may take long.
};

/// How many pieces of a stream have not ended.
struct Backlog {
  static constexpr size_t maxPieces = 1 << 14; ///< Before who gives more has to wait.

  std::mutex mutex; ///< Guards the count, and the stream's batches.
  std::condition_variable room;
  size_t pieces = 0;

  /// With the mutex held.
  void remove(size_t ended) {
    pieces -= ended;
    room.notify_all();
  }
};

/// A stream's objects on one backend.
struct BackendPlace {
  HetQueue *queue = nullptr;
  std::unique_ptr<InFlightThrottle> feed;
  std::unique_ptr<LaunchTimer> timer;
};

/// The time that a copy or fill is expected to take: by a bus that is not slow, and by a
/// memory that is not fast.
InFlightThrottle::Time expectedTime(Runtime &runtime, const DeviceWork &work);

/// Gives a batch to the active backend. Used by one thread, which is inside of the
/// device's gate.
class Submission {
public:
  /// `track` is the stream's in a trace.
  Submission(MigratableDevice &device, Backlog &backlog, LaunchBatch &batch,
             Backend &backend, unsigned track)
      : device(device), backlog(backlog), batch(batch), backend(backend), track(track) {}

  /// Gives the pieces that have not ended, also those that come meanwhile, and waits.
  void run(BackendPlace &on);
  /// Takes out those that have ended, of the first `most`, which came to an end or were
  /// suspended. What a backend that is lost says of them means nothing.
  void settle(size_t most);

private:
  MigratablePiece *next();
  bool give(MigratablePiece &piece);
  bool giveLaunch(MigratableLaunch &launch);
  void tellTimes(size_t most);
  bool makeWay(CodeTiers::Choice &choice);
  bool giveTo(MigratableLaunch &launch, CodeTiers::Choice &choice);
  bool givePlain(MigratableLaunch &launch, HetLaunch given, const std::string &why);
  bool catchUp();
  void noteParking(MigratableLaunch &launch);
  bool hasEnded(MigratablePiece &piece);

  MigratableDevice &device;
  Backlog &backlog;
  LaunchBatch &batch;
  Backend &backend;
  BackendPlace *place = nullptr; ///< Once it runs.
  const unsigned track;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_SUBMISSION_H
