#include "ingot/runtime/SmallVector.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace ingot {
namespace {

using List = SmallVector<std::shared_ptr<int>, 2>;

List list_of(int n) {
  List list;
  for (int i = 0; i < n; ++i)
    list.push_back(std::make_shared<int>(i));
  return list;
}

void expect_count(const List &list, int n) {
  ASSERT_EQ(list.size(), std::size_t(n));
  for (int i = 0; i < n; ++i) {
    EXPECT_EQ(*list[std::size_t(i)], i);
    EXPECT_EQ(list[std::size_t(i)].use_count(), 1);
  }
}

TEST(SmallVector, HoldsElementsInsideAndOutside) {
  for (int n : {0, 1, 2, 3, 4, 5, 9})
    expect_count(list_of(n), n);
}

TEST(SmallVector, MovesLeaveTheSourceEmptyAndUsable) {
  for (int n : {0, 2, 3, 8})
    for (int old : {0, 2, 5}) {
      List from = list_of(n), to = list_of(old);
      to = std::move(from);
      expect_count(to, n);
      EXPECT_TRUE(from.empty());
      from = list_of(old);
      expect_count(from, old);
      List third(std::move(to));
      expect_count(third, n);
    }
}

TEST(SmallVector, AnElementCanBeAppendedToItsOwnList) {
  SmallVector<std::string, 2> list;
  list.push_back(std::string(40, 'a'));
  for (int i = 0; i < 6; ++i)
    list.push_back(list[0]);
  for (const std::string &text : list)
    EXPECT_EQ(text, std::string(40, 'a'));
}

TEST(SmallVector, ClearKeepsTheListUsable) {
  List list = list_of(5);
  list.clear();
  EXPECT_TRUE(list.empty());
  list.push_back(std::make_shared<int>(0));
  expect_count(list, 1);
}

} // namespace
} // namespace ingot
