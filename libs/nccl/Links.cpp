// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges messages with ranks of this process and of others.

#include "Links.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace het::nccl {

using namespace std::chrono_literals;

Links::Links(int rank, std::vector<bool> isLocal, std::shared_ptr<Mailboxes> mailboxes)
    : me(rank), isLocal(std::move(isLocal)), mailboxes(std::move(mailboxes)) {}

/// Without the lock held: the message is this rank's alone.
void Links::receive(Incoming &incoming, Posted *message, Outcome &outcome) {
  if (message->size != incoming.size) {
    if (outcome.ok())
      outcome = wrongSize(me, incoming.peer, message->size, incoming.size);
    return;
  }
  incoming.data = incoming.mayStay ? message->data : incoming.buffer;
  if (!incoming.mayStay && incoming.size)
    std::memmove(incoming.buffer, message->data, incoming.size);
}

/// Takes what has arrived from ranks of this process; whether there was any.
bool Links::receiveLocal(std::vector<Incoming *> &pending,
                         std::unique_lock<std::mutex> &lock, Outcome &outcome) {
  bool found = false;
  std::vector<int> waitedFor; // messages of a rank come in order
  for (auto at = pending.begin(); at != pending.end();) {
    Incoming &incoming = **at;
    const bool isNext =
        std::find(waitedFor.begin(), waitedFor.end(), incoming.peer) == waitedFor.end();
    Posted *message = isNext ? mailboxes->take(incoming.peer, me) : nullptr;
    if (!message) {
      waitedFor.push_back(incoming.peer);
      ++at;
      continue;
    }
    found = true;
    at = pending.erase(at);
    lock.unlock();
    receive(incoming, message, outcome);
    lock.lock();
    if (incoming.mayStay && incoming.data)
      kept.push_back(message);
    else
      mailboxes->finish(message);
  }
  return found;
}

/// Waits for a change, for a short time.
Outcome Links::wait(std::unique_lock<std::mutex> &lock) {
  if (network) {
    lock.unlock();
    if (Outcome outcome = network->progress(); !outcome.ok()) {
      lock.lock();
      return outcome;
    }
    network->wait(1);
    lock.lock();
  } else {
    mailboxes->changed.wait_for(lock, 50ms);
  }
  const auto now = std::chrono::steady_clock::now();
  if (!watch || now - lastLook < 10ms)
    return {};
  lastLook = now;
  lock.unlock();
  Outcome outcome = watch();
  lock.lock();
  return outcome;
}

Outcome Links::exchange(const std::vector<Outgoing> &outgoing,
                        std::vector<Incoming> &incoming) {
  Outcome outcome;
  std::vector<Incoming *> pending;
  for (Incoming &one : incoming) {
    if (!one.size)
      continue;
    if (isLocal[one.peer]) {
      pending.push_back(&one);
      continue;
    }
    one.data = one.buffer;
    if (outcome = network->receive(one.peer, one.buffer, one.size); !outcome.ok())
      return outcome;
  }
  std::unique_lock<std::mutex> lock(mailboxes->mutex);
  for (const Outgoing &one : outgoing) {
    if (!one.size)
      continue;
    if (isLocal[one.peer]) {
      sent.push_back({one.data, one.size});
      mailboxes->post(me, one.peer, &sent.back());
      continue;
    }
    lock.unlock();
    outcome = network->send(one.peer, one.data, one.size);
    lock.lock();
    if (!outcome.ok())
      return outcome;
  }
  while (outcome.ok()) {
    const bool found = receiveLocal(pending, lock, outcome);
    if (outcome.ok() && pending.empty() && (!network || network->isReceived()))
      break;
    if (outcome.ok() && !found)
      outcome = wait(lock);
  }
  return outcome;
}

void Links::release() {
  if (kept.empty())
    return;
  std::lock_guard<std::mutex> lock(mailboxes->mutex);
  for (Posted *message : kept)
    mailboxes->finish(message);
  kept.clear();
}

Outcome Links::finish() {
  release();
  Outcome outcome;
  std::unique_lock<std::mutex> lock(mailboxes->mutex);
  const auto isDone = [&] {
    return std::all_of(sent.begin(), sent.end(),
                       [](const Posted &p) { return p.state == Posted::State::Done; }) &&
           (!network || network->isSent());
  };
  while (outcome.ok() && !isDone())
    outcome = wait(lock);
  if (outcome.ok())
    sent.clear();
  return outcome;
}

void Links::progress() {
  if (network)
    (void)network->progress(); // what fails then fails in an operation, too
}

void Links::withdraw() {
  release();
  std::unique_lock<std::mutex> lock(mailboxes->mutex);
  mailboxes->withdraw(me);
  // A rank that reads of it now is not stopped.
  mailboxes->changed.wait(lock, [&] {
    return std::all_of(sent.begin(), sent.end(),
                       [](const Posted &p) { return p.state == Posted::State::Done; });
  });
  sent.clear();
  lock.unlock();
  if (network)
    network->cancel();
}

} // namespace het::nccl
