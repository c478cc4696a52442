// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file descriptor that is kept while a program runs which does not know it. Programs
// close descriptors that are not theirs (closefrom() of a daemon, a loop over all
// numbers), and open others that get the same number. What is another's now is neither
// used nor closed.

#ifndef HET_BASE_KEPTDESCRIPTOR_H
#define HET_BASE_KEPTDESCRIPTOR_H

#include "het/Base/File.h"

#include <sys/types.h>

namespace het {

/// The same file under a number of `least` or more, closed by exec; nothing where there
/// is no such number (errno).
Descriptor moveUpTo(int least, Descriptor opened);

class KeptDescriptor {
public:
  KeptDescriptor() = default;
  /// Keeps a file whose identity tells it from others: a socket, a pipe, a file. Moves it
  /// away from the numbers of the standard streams: a program that has closed these may
  /// write there all the same. Holds nothing where that fails (errno).
  explicit KeptDescriptor(Descriptor opened);
  KeptDescriptor(KeptDescriptor &&other) noexcept;
  KeptDescriptor &operator=(KeptDescriptor &&other) noexcept;
  ~KeptDescriptor() { close(); }

  /// The number; -1 where nothing is held, or the program has closed it.
  int get() const;

  /// Closes what is still held. In the child of a fork(), too.
  void close();

private:
  int number = -1;
  dev_t device = 0;
  ino_t node = 0;
};

} // namespace het

#endif // HET_BASE_KEPTDESCRIPTOR_H
