#include "bristle/core/error.hpp"

#include <exception>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

namespace bristle {
namespace {

TEST(Fault, FullFaultIsOneReadableLine) {
  const Fault fault{.message = "unknown parameter of law 'lugre'",
                    .file = "stick.toml",
                    .line = 12,
                    .key = "mu_S",
                    .value = "0.3",
                    .expected = "one of 'mu_s', 'mu_k'",
                    .nearest = "mu_s"};
  EXPECT_EQ(to_string(fault),
            "stick.toml:12: key 'mu_S' = '0.3': unknown parameter of law 'lugre'; expected one of "
            "'mu_s', 'mu_k'; did you mean 'mu_s'?");
}

TEST(Fault, EmptyPartsAreLeftOut) {
  EXPECT_EQ(to_string({.message = "bad"}), "bad");
  EXPECT_EQ(to_string({.message = "bad", .file = "a.csv"}), "a.csv: bad");
  EXPECT_EQ(to_string({.message = "bad", .file = "a.csv", .line = 3}), "a.csv:3: bad");
  EXPECT_EQ(to_string({.message = "bad", .line = 3}), "line 3: bad");
  EXPECT_EQ(to_string({.message = "bad", .key = "k"}), "key 'k': bad");
  EXPECT_EQ(to_string({.message = "bad", .value = "v"}), "value 'v': bad");
  EXPECT_EQ(to_string({.message = "bad", .expected = "better"}), "bad; expected better");
  EXPECT_EQ(to_string({.message = "bad", .nearest = "n"}), "bad; did you mean 'n'?");
}

TEST(Fault, ControlCharactersCannotBreakTheLine) {
  EXPECT_EQ(to_string({.message = "bad\r\n", .key = "a\tb", .value = "\x1b[2J"}),
            "key 'a\\tb' = '\\x1b[2J': bad\\r\\n");
}

TEST(Fault, C1ControlsCannotSteerATerminal) {
  EXPECT_EQ(to_string({.message = "bad", .value = "\u009b2J"}), "value '\\u009b2J': bad");
}

TEST(Fault, LongValueIsShortened) {
  const std::string text = to_string({.message = "bad", .value = std::string(100000, 'x')});
  EXPECT_LT(text.size(), 120u);
  EXPECT_NE(text.find("x...': bad"), std::string::npos) << text;
  const std::string endless(100000, 'x');
  EXPECT_LT(to_string({.message = endless, .expected = endless}).size(), 11000u);
}

TEST(InputError, WhatIsTheFaultAsText) {
  const Fault fault{.message = "bad", .file = "a.csv", .line = 3, .key = "k", .value = "v"};
  const InputError error(fault);
  EXPECT_EQ(std::string(error.what()), to_string(fault));
  EXPECT_EQ(error.fault().file, "a.csv");
  EXPECT_EQ(error.fault().line, 3);
  EXPECT_EQ(error.fault().key, "k");
  EXPECT_EQ(error.fault().value, "v");
}

TEST(InputError, CopyingCannotThrow) {
  EXPECT_TRUE(std::is_nothrow_copy_constructible_v<InputError>);
  std::exception_ptr kept;
  try {
    throw InputError({.message = "bad"});
  } catch (const InputError& error) {
    kept = std::make_exception_ptr(error);
  }
  try {
    std::rethrow_exception(kept);
  } catch (const InputError& copy) {
    EXPECT_EQ(copy.fault().message, "bad");
  }
}

}  // namespace
}  // namespace bristle
