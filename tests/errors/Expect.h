// What a wrong program is told: the class, the exact text, and the line of the call.
#pragma once

#include "ingot/capture/Ingot.h"

#include <gtest/gtest.h>

#include <functional>
#include <source_location>
#include <string>

namespace ingot {

/// `f` must throw an E with this very text and this place.
template <class E, class F> void expect_error(std::source_location at, F &&f, const std::string &text) {
  const std::string here = std::string(at.file_name()) + ":" + std::to_string(at.line());
  try {
    f();
  } catch (const E &error) {
    EXPECT_EQ(error.message(), text) << here;
    EXPECT_EQ(error.where(), SourceLocation(at)) << here;
    EXPECT_EQ(error.what(), text + " (" + error.where().str() + ")") << here;
    return;
  } catch (const std::exception &error) {
    ADD_FAILURE() << here << ": another error: " << error.what();
    return;
  }
  ADD_FAILURE() << here << ": nothing was thrown";
}

} // namespace ingot

/// As a macro, whose parts all lie on the line where it begins.
#define EXPECT_ERROR(E, ...) ::ingot::expect_error<E>(std::source_location::current(), __VA_ARGS__)
