// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vendor's back end: where all ranks of a communicator have devices of NVIDIA's and
// its library, operations are that library's.

#ifndef HET_LIBS_NCCL_VENDOR_H
#define HET_LIBS_NCCL_VENDOR_H

#include "Library.h"

#include <atomic>
#include <memory>
#include <vector>

namespace het::nccl {

struct Call;

/// NVIDIA's communicator behind one of ours.
class VendorComm {
public:
  /// Whether a device can have NVIDIA's library (HET_LIBRARIES); fails where it can have
  /// no back end.
  static Outcome find(int device, bool &isThere);
  /// What NVIDIA's ranks meet by; one of them makes it.
  static Outcome makeId(int device, std::string &id);
  /// Meets the others.
  static Outcome join(int device, const std::string &id, int ranks, int rank,
                      std::unique_ptr<VendorComm> &made);
  ~VendorComm();
  VendorComm(const VendorComm &) = delete;
  VendorComm &operator=(const VendorComm &) = delete;

  ncclComm_t get() const { return handle; }
  /// What has become of operations that are under way.
  Outcome state();
  /// Ends them: streams go on.
  void abort();

private:
  explicit VendorComm(int device) : device(device) {}
  const int device;
  std::atomic<ncclComm_t> handle{nullptr}; ///< NVIDIA's; null: it has ended.
};

/// Hands all calls of a thread's group, whose communicators have NVIDIA's, to its library
/// at once: ranks of one thread wait for each other there.
Outcome enqueueByVendor(const std::vector<Call> &calls);

} // namespace het::nccl

#endif // HET_LIBS_NCCL_VENDOR_H
