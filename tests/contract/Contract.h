// One test per row of table.toml: a row names the scenario that makes it happen.
#pragma once

#include "ingot/capture/Ingot.h"

#include <gtest/gtest.h>

#include <functional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot::contract {

struct Row {
  std::string_view id, outcome, text, family, scenario, reason;
};
std::span<const Row> rows();

using Scenario = void (*)(const Row &);
struct Registration {
  Registration(const char *name, Scenario run);
};

/// What stands for the holes of a row's text.
using Holes = std::vector<std::pair<std::string, std::string>>;

/// `f` throws the row's error: its family's class, its very text, and this place.
void expect_refusal(const Row &row, std::source_location at, const std::function<void()> &f, const Holes &holes = {});

} // namespace ingot::contract

/// A scenario, by the name that rows know it by. `row` is the row at hand.
#define SCENARIO(NAME)                                                                                                 \
  static void NAME(const ::ingot::contract::Row &);                                                                    \
  static const ::ingot::contract::Registration NAME##_registration(#NAME, NAME);                                       \
  static void NAME([[maybe_unused]] const ::ingot::contract::Row &row)

/// As a macro, whose parts all lie on the line where it begins.
#define EXPECT_REFUSAL(...) ::ingot::contract::expect_refusal(row, std::source_location::current(), __VA_ARGS__)
