// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hash table from host addresses (of kernel stubs and shadow variables) to
// entries, made for the launch path: find() takes no lock and never waits.
//
// Writers are serialised by the owner. A table that is full is copied into a
// larger one and published with one store; older tables are kept until the end,
// because a reader may still stand in one (their sizes are a geometric series,
// so together they are no larger than the newest). A key that was taken out leaves its
// slot to the next one that passes there, or to nobody where no search goes on from it,
// so a table is as large as what was ever in it at once.

#ifndef HET_RUNTIME_CUDA_POINTERTABLE_H
#define HET_RUNTIME_CUDA_POINTERTABLE_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace het::cuda {

template <typename Entry> class PointerTable {
public:
  /// The entry of `key`, or null. Any thread, at any time.
  Entry *find(const void *key) const {
    const Table *table = current.load(std::memory_order_acquire);
    if (!table || !key)
      return nullptr;
    for (size_t at = hash(key);; ++at) {
      const Slot &slot = table->slots[at & table->mask];
      const void *found = slot.key.load(std::memory_order_acquire);
      if (found == key)
        return slot.entry.load(std::memory_order_acquire);
      if (!found)
        return nullptr;
    }
  }

  /// Adds `key`, or gives it another entry. One writer at a time.
  void insert(const void *key, Entry *entry) {
    if (!current.load(std::memory_order_relaxed) || 2 * (used + 1) > capacity())
      grow();
    put(*tables.back(), key, entry);
  }

  /// Takes `key` out. Nobody looks for it any more. One writer at a time.
  void erase(const void *key) {
    if (tables.empty() || !find(key))
      return;
    Table &table = *tables.back();
    size_t at = hash(key);
    while (table.at(at).key.load(std::memory_order_relaxed) != key)
      ++at;
    table.at(at).entry.store(nullptr, std::memory_order_release);
    // Empty slots before an empty one are where searches end anyway.
    if (table.at(at + 1).key.load(std::memory_order_relaxed))
      return;
    for (; table.at(at).isFree(); --at, --used)
      table.at(at).key.store(nullptr, std::memory_order_release);
  }

  /// How many slots there are.
  size_t size() const { return tables.empty() ? 0 : capacity(); }

private:
  struct Slot {
    std::atomic<const void *> key{nullptr};
    std::atomic<Entry *> entry{nullptr};

    /// Whether its key was taken out.
    bool isFree() const {
      return key.load(std::memory_order_relaxed) &&
             !entry.load(std::memory_order_relaxed);
    }
  };
  struct Table {
    explicit Table(size_t size) : slots(new Slot[size]), mask(size - 1) {}
    Slot &at(size_t place) const { return slots[place & mask]; }
    std::unique_ptr<Slot[]> slots;
    size_t mask; ///< The number of slots, a power of two, less one.
  };

  static size_t hash(const void *key) {
    uint64_t bits = reinterpret_cast<uintptr_t>(key);
    return static_cast<size_t>((bits * 0x9e3779b97f4a7c15u) >> 20);
  }

  size_t capacity() const { return tables.back()->mask + 1; }

  /// The slot that has the key, or the first that it can have.
  static Slot &slotFor(const Table &table, const void *key) {
    Slot *free = nullptr;
    for (size_t at = hash(key);; ++at) {
      Slot &slot = table.at(at);
      const void *found = slot.key.load(std::memory_order_relaxed);
      if (found == key)
        return slot;
      if (!found)
        return free ? *free : slot;
      if (!free && slot.isFree())
        free = &slot;
    }
  }

  void put(const Table &table, const void *key, Entry *entry) {
    Slot &slot = slotFor(table, key);
    used += slot.key.load(std::memory_order_relaxed) ? 0 : 1;
    slot.entry.store(entry, std::memory_order_release);
    slot.key.store(key, std::memory_order_release);
  }

  void grow() {
    const Table *old = current.load(std::memory_order_relaxed);
    auto table = std::make_unique<Table>(old ? 4 * capacity() : 64);
    used = 0;
    for (size_t at = 0; old && at <= old->mask; ++at)
      if (Entry *entry = old->slots[at].entry.load(std::memory_order_relaxed))
        put(*table, old->slots[at].key.load(std::memory_order_relaxed), entry);
    tables.push_back(std::move(table));
    current.store(tables.back().get(), std::memory_order_release);
  }

  std::atomic<const Table *> current{nullptr};
  std::vector<std::unique_ptr<Table>> tables; ///< All ever used, newest last.
  size_t used = 0; ///< Slots of the newest table with a key, also one taken out.
};

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_POINTERTABLE_H
