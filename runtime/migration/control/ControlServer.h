// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The thread that answers at the socket of a migratable process.

#ifndef HET_RUNTIME_MIGRATION_CONTROL_CONTROLSERVER_H
#define HET_RUNTIME_MIGRATION_CONTROL_CONTROLSERVER_H

#include "het/Base/KeptDescriptor.h"
#include "het/Base/Status.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace het::core {

class Runtime;

class ControlServer {
public:
  /// Opens the socket and starts the thread. Once.
  Status start(Runtime &runtime);

  /// The process is about to end.
  void stop();

  /// Answers a line: for tests, too. `tell` sends lines before the answer.
  static std::string answer(Runtime &runtime, const std::string &line,
                            const std::function<void(const std::string &)> &tell);

private:
  Status open();
  void run();
  void wake();
  void serve(const KeptDescriptor &client);

  Runtime *runtime = nullptr;
  std::string path;
  KeptDescriptor listener;

  std::mutex mutex; ///< Guards what follows.
  std::condition_variable changed;
  bool stops = false; ///< It is to end.
  bool ended = false;
  int process = 0; ///< The one that has the thread.
  std::thread thread;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_CONTROL_CONTROLSERVER_H
