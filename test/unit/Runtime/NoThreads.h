// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process in which no thread can be made.

#ifndef HET_TEST_RUNTIME_NOTHREADS_H
#define HET_TEST_RUNTIME_NOTHREADS_H

#include <pthread.h>

/// While it exists: new threads are to have a stack that no address space holds.
class NoThreads {
public:
  NoThreads() {
    pthread_getattr_default_np(&before);
    pthread_attr_t attributes;
    pthread_getattr_default_np(&attributes);
    pthread_attr_setstacksize(&attributes, size_t(1) << 50);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
  }
  ~NoThreads() {
    pthread_setattr_default_np(&before);
    pthread_attr_destroy(&before);
  }
  NoThreads(const NoThreads &) = delete;
  NoThreads &operator=(const NoThreads &) = delete;

private:
  pthread_attr_t before;
};

#endif // HET_TEST_RUNTIME_NOTHREADS_H
