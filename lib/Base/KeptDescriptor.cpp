// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors told from others of the same number by the file that they stand for.

#include "het/Base/KeptDescriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace het;

Descriptor het::moveUpTo(int least, Descriptor opened) {
  if (opened < 0 || opened >= least)
    return opened;
  return Descriptor(::fcntl(opened, F_DUPFD_CLOEXEC, least));
}

KeptDescriptor::KeptDescriptor(Descriptor opened) {
  Descriptor moved = moveUpTo(STDERR_FILENO + 1, std::move(opened));
  struct stat about;
  if (moved < 0 || ::fstat(moved, &about) != 0)
    return;
  number = moved.release();
  device = about.st_dev;
  node = about.st_ino;
}

KeptDescriptor::KeptDescriptor(KeptDescriptor &&other) noexcept
    : number(std::exchange(other.number, -1)), device(other.device), node(other.node) {}

KeptDescriptor &KeptDescriptor::operator=(KeptDescriptor &&other) noexcept {
  std::swap(number, other.number);
  std::swap(device, other.device);
  std::swap(node, other.node);
  return *this;
}

int KeptDescriptor::get() const {
  struct stat about;
  const bool isOurs = number >= 0 && ::fstat(number, &about) == 0 &&
                      about.st_dev == device && about.st_ino == node;
  return isOurs ? number : -1;
}

void KeptDescriptor::close() {
  if (const int held = get(); held >= 0)
    ::close(held);
  number = -1;
}
