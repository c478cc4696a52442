// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages between processes by UCX, whose library is opened when it is needed. UCX
// chooses the way: shared memory, sockets, or the hardware that a machine has.

#include "Network.h"
#include "Ucx.h"

#include "het/Base/Log.h"

#include <algorithm>
#include <csignal>
#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

namespace het::nccl {
namespace {

/// UCX's functions that are used.
#define HET_UCX_FUNCTIONS(FUNCTION)                                                      \
  FUNCTION(ucp_config_read)                                                              \
  FUNCTION(ucp_config_release)                                                           \
  FUNCTION(ucp_init_version)                                                             \
  FUNCTION(ucp_cleanup)                                                                  \
  FUNCTION(ucp_worker_create)                                                            \
  FUNCTION(ucp_worker_destroy)                                                           \
  FUNCTION(ucp_worker_get_address)                                                       \
  FUNCTION(ucp_worker_release_address)                                                   \
  FUNCTION(ucp_worker_progress)                                                          \
  FUNCTION(ucp_worker_flush_nbx)                                                         \
  FUNCTION(ucp_ep_create)                                                                \
  FUNCTION(ucp_ep_close_nbx)                                                             \
  FUNCTION(ucp_tag_send_nbx)                                                             \
  FUNCTION(ucp_tag_recv_nbx)                                                             \
  FUNCTION(ucp_tag_recv_request_test)                                                    \
  FUNCTION(ucp_request_check_status)                                                     \
  FUNCTION(ucp_request_cancel)                                                           \
  FUNCTION(ucp_request_free)                                                             \
  FUNCTION(ucs_status_string)

struct Ucx {
  // NOLINTBEGIN(readability-identifier-naming): UCX's names
#define HET_UCX_MEMBER(name) decltype(&::name) name = nullptr;
  HET_UCX_FUNCTIONS(HET_UCX_MEMBER)
#undef HET_UCX_MEMBER
  // NOLINTEND(readability-identifier-naming)
  ucp_context_h context = nullptr;

  Outcome failure(const char *what, ucs_status_t status) const {
    return {ncclSystemError,
            std::string("UCX: ") + what + ": " + ucs_status_string(status)};
  }
  Outcome open();
};

/// UCX takes over what happens at a fault of the process; that stays the program's.
class SignalsKept {
public:
  SignalsKept() {
    for (size_t i = 0; i < std::size(signals); ++i)
      sigaction(signals[i], nullptr, &actions[i]);
  }
  ~SignalsKept() {
    for (size_t i = 0; i < std::size(signals); ++i)
      sigaction(signals[i], &actions[i], nullptr);
  }
  SignalsKept(const SignalsKept &) = delete;
  SignalsKept &operator=(const SignalsKept &) = delete;

private:
  static constexpr int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM};
  struct sigaction actions[std::size(signals)];
};

Outcome Ucx::open() {
  const SignalsKept kept;
  void *library = dlopen("libucp.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return {ncclSystemError, std::string("ranks of several processes need UCX: ") +
                                 dlerror() + "; install libucx0"};
#define HET_UCX_FIND(name)                                                               \
  name = reinterpret_cast<decltype(name)>(dlsym(library, #name));                        \
  if (!name)                                                                             \
    return {ncclSystemError, "libucp.so.0: found no " #name "; install UCX 1.13"};
  HET_UCX_FUNCTIONS(HET_UCX_FIND)
#undef HET_UCX_FIND
  ucp_config_t *config = nullptr;
  if (ucs_status_t status = ucp_config_read(nullptr, nullptr, &config))
    return failure("its settings", status);
  ucp_params_t params = {};
  params.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_MT_WORKERS_SHARED;
  params.features = UCP_FEATURE_TAG;
  params.mt_workers_shared = 1;
  const ucs_status_t status =
      ucp_init_version(UCP_API_MAJOR, UCP_API_MINOR, &params, config, &context);
  ucp_config_release(config);
  return status ? failure("starting", status) : Outcome();
}

/// Opened by the first who needs it, for as long as the process lives.
Outcome openUcx(const Ucx *&ucx) {
  static Ucx &own = *new Ucx;
  static const Outcome outcome = own.open();
  ucx = &own;
  return outcome;
}

/// How often a wait looks again at once, and then how long it sleeps, in microseconds.
constexpr unsigned eagerLooks = 200, sleepTime = 20;

class UcxNetwork : public Network {
public:
  UcxNetwork(const Ucx &ucx, int rank) : ucx(ucx), rank(rank) {}
  ~UcxNetwork() override;
  Outcome open();

  std::string address() const override { return own; }
  Outcome connect(const std::vector<std::string> &addresses) override;
  Outcome send(int peer, const void *data, size_t size) override;
  Outcome receive(int peer, void *buffer, size_t size) override;
  Outcome progress() override;
  bool isReceived() const override { return receiving.empty(); }
  bool isSent() const override { return sending.empty() && !isFlushNeeded; }
  void wait(int milliseconds) override;
  void cancel() override;

private:
  struct Request {
    void *request;
    int peer;
    size_t size;
  };
  Outcome add(ucs_status_ptr_t request, std::vector<Request> &list, int peer,
              size_t size);
  Outcome look(std::vector<Request> &list, bool isReceive);

  const Ucx &ucx;
  const int rank;
  ucp_worker_h worker = nullptr;
  std::string own;
  std::vector<ucp_ep_h> ends;
  std::vector<uint32_t> sent, received; ///< Messages to and from each rank.
  std::vector<Request> sending, receiving;
  void *flush = nullptr;
  bool isFlushNeeded = false, isGivenUp = false;
  unsigned looks = 0;
};

Outcome UcxNetwork::open() {
  ucp_worker_params_t params = {};
  params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  params.thread_mode = UCS_THREAD_MODE_SERIALIZED;
  if (ucs_status_t status = ucx.ucp_worker_create(ucx.context, &params, &worker))
    return ucx.failure("a worker", status);
  ucp_address_t *address = nullptr;
  size_t size = 0;
  if (ucs_status_t status = ucx.ucp_worker_get_address(worker, &address, &size))
    return ucx.failure("its address", status);
  own.assign(reinterpret_cast<const char *>(address), size);
  ucx.ucp_worker_release_address(worker, address);
  return {};
}

UcxNetwork::~UcxNetwork() {
  if (!worker || isGivenUp)
    return; // it may still read memory of what was given up
  ucp_request_param_t none = {};
  for (ucp_ep_h end : ends) {
    if (!end)
      continue;
    ucs_status_ptr_t request = ucx.ucp_ep_close_nbx(end, &none);
    if (!UCS_PTR_IS_PTR(request))
      continue;
    for (int i = 0; i < 20000 && ucx.ucp_request_check_status(request) == UCS_INPROGRESS;
         ++i)
      if (!ucx.ucp_worker_progress(worker))
        usleep(sleepTime);
    ucx.ucp_request_free(request);
  }
  ucx.ucp_worker_destroy(worker);
}

Outcome UcxNetwork::connect(const std::vector<std::string> &addresses) {
  ends.resize(addresses.size());
  sent.resize(addresses.size());
  received.resize(addresses.size());
  for (size_t peer = 0; peer < addresses.size(); ++peer) {
    if (addresses[peer].empty())
      continue;
    ucp_ep_params_t params = {};
    params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS;
    params.address = reinterpret_cast<const ucp_address_t *>(addresses[peer].data());
    if (ucs_status_t status = ucx.ucp_ep_create(worker, &params, &ends[peer]))
      return ucx.failure("the way to another rank", status);
  }
  return {};
}

static uint64_t tagOf(int sender, uint32_t number) {
  return static_cast<uint64_t>(sender) << 32 | number;
}

Outcome UcxNetwork::add(ucs_status_ptr_t request, std::vector<Request> &list, int peer,
                        size_t size) {
  looks = 0;
  isFlushNeeded = true;
  if (UCS_PTR_IS_ERR(request))
    return ucx.failure("a message", UCS_PTR_STATUS(request));
  if (request)
    list.push_back({request, peer, size});
  return {};
}

Outcome UcxNetwork::send(int peer, const void *data, size_t size) {
  ucp_request_param_t params = {};
  params.op_attr_mask = UCP_OP_ATTR_FIELD_MEMORY_TYPE;
  params.memory_type = UCS_MEMORY_TYPE_HOST;
  return add(
      ucx.ucp_tag_send_nbx(ends[peer], data, size, tagOf(rank, sent[peer]++), &params),
      sending, peer, size);
}

Outcome UcxNetwork::receive(int peer, void *buffer, size_t size) {
  ucp_request_param_t params = {};
  // There is always a request, which knows the message's length.
  params.op_attr_mask = UCP_OP_ATTR_FIELD_MEMORY_TYPE | UCP_OP_ATTR_FLAG_NO_IMM_CMPL;
  params.memory_type = UCS_MEMORY_TYPE_HOST;
  return add(ucx.ucp_tag_recv_nbx(worker, buffer, size, tagOf(peer, received[peer]++),
                                  ~uint64_t(0), &params),
             receiving, peer, size);
}

/// Takes out what is done.
Outcome UcxNetwork::look(std::vector<Request> &list, bool isReceive) {
  Outcome outcome;
  list.erase(std::remove_if(list.begin(), list.end(),
                            [&](const Request &one) {
                              ucp_tag_recv_info_t info = {};
                              info.length = one.size;
                              const ucs_status_t status =
                                  isReceive
                                      ? ucx.ucp_tag_recv_request_test(one.request, &info)
                                      : ucx.ucp_request_check_status(one.request);
                              if (status == UCS_INPROGRESS)
                                return false;
                              ucx.ucp_request_free(one.request);
                              if (status == UCS_ERR_MESSAGE_TRUNCATED ||
                                  (!status && info.length != one.size))
                                outcome =
                                    wrongSize(rank, one.peer, info.length, one.size);
                              else if (status)
                                outcome = ucx.failure("a message", status);
                              return true;
                            }),
             list.end());
  return outcome;
}

Outcome UcxNetwork::progress() {
  if (ucx.ucp_worker_progress(worker))
    looks = 0;
  if (Outcome outcome = look(receiving, true); !outcome.ok())
    return outcome;
  if (Outcome outcome = look(sending, false); !outcome.ok())
    return outcome;
  // Nobody goes on with what is left when an operation is over: it has to be on its way.
  if ((!isFlushNeeded && !flush) || !sending.empty() || !receiving.empty())
    return {};
  if (!flush) {
    isFlushNeeded = false; // what is sent from now on needs another one
    ucp_request_param_t none = {};
    flush = ucx.ucp_worker_flush_nbx(worker, &none);
    if (UCS_PTR_IS_ERR(flush))
      return ucx.failure("sending", UCS_PTR_STATUS(std::exchange(flush, nullptr)));
  }
  if (flush && ucx.ucp_request_check_status(flush) == UCS_INPROGRESS)
    return {};
  if (flush)
    ucx.ucp_request_free(flush);
  flush = nullptr;
  return {};
}

void UcxNetwork::wait(int milliseconds) {
  if (++looks < eagerLooks)
    sched_yield();
  else
    usleep(std::min(sleepTime, milliseconds * 1000u));
}

void UcxNetwork::cancel() {
  isGivenUp = true;
  for (const std::vector<Request> *list : {&receiving, &sending})
    for (const Request &one : *list)
      ucx.ucp_request_cancel(worker, one.request);
  for (int i = 0; i < 100; ++i)
    ucx.ucp_worker_progress(worker);
  receiving.clear();
  sending.clear();
  isFlushNeeded = false;
}

} // namespace

Outcome openNetwork(int rank, std::unique_ptr<Network> &network) {
  const Ucx *ucx = nullptr;
  if (Outcome outcome = openUcx(ucx); !outcome.ok())
    return outcome;
  auto made = std::make_unique<UcxNetwork>(*ucx, rank);
  Outcome outcome = made->open();
  network = std::move(made);
  return outcome;
}

} // namespace het::nccl
