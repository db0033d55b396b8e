// A map that knows which of its entries were not used for the longest time.
#pragma once

#include <list>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ingot {

template <class Key, class Value> class LruMap {
public:
  /// Null for none; else the most recently used from now on.
  Value *find(const Key &key) {
    auto found = positions.find(key);
    if (found == positions.end())
      return nullptr;
    order.splice(order.begin(), order, found->second);
    return &found->second->second;
  }

  /// `key` must be new.
  void insert(const Key &key, Value value) {
    order.emplace_front(key, std::move(value));
    positions.emplace(key, order.begin());
  }

  /// Drops the least recently used until at most `most` are left, and gives them.
  std::vector<Value> shrink(std::size_t most) {
    std::vector<Value> dropped;
    while (order.size() > most) {
      positions.erase(order.back().first);
      dropped.push_back(std::move(order.back().second));
      order.pop_back();
    }
    return dropped;
  }

  std::size_t size() const { return order.size(); }

private:
  std::list<std::pair<Key, Value>> order; // most recently used first
  std::unordered_map<Key, typename std::list<std::pair<Key, Value>>::iterator> positions;
};

} // namespace ingot
