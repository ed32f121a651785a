#include "rtxbench/case.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <string>

namespace rtxbench {
namespace {

AxisValues values() { return {.items = {{"dtype", "fp16"}, {"m", "4096"}, {"beta", "-0.5"}}}; }

TEST(AxisValues, FindAndAt) {
  const AxisValues v = values();
  ASSERT_NE(v.find("m"), nullptr);
  EXPECT_EQ(*v.find("m"), "4096");
  EXPECT_EQ(v.find("M"), nullptr);
  EXPECT_EQ(v.find(""), nullptr);
  EXPECT_EQ(v.at("dtype"), "fp16");
  try {
    (void)v.at("regime");
    FAIL();
  } catch (const std::out_of_range& error) {
    EXPECT_STREQ(error.what(), "no axis regime");
  }
}

TEST(AxisValues, SetReplacesInPlaceOrAppends) {
  AxisValues v = values();
  v.set("m", "17");
  v.set("regime", "burst");
  EXPECT_EQ(v, (AxisValues{.items = {{"dtype", "fp16"}, {"m", "17"}, {"beta", "-0.5"}, {"regime", "burst"}}}));
  EXPECT_NE(v, values());
}

TEST(AxisValues, OrderIsPartOfTheValue) {
  EXPECT_NE((AxisValues{.items = {{"m", "1"}, {"n", "2"}}}), (AxisValues{.items = {{"n", "2"}, {"m", "1"}}}));
}

TEST(AxisValues, TypedReadings) {
  const AxisValues v = values();
  EXPECT_EQ(integer_at(v, "m"), 4096);
  EXPECT_EQ(real_at(v, "beta"), -0.5);
  EXPECT_EQ(real_at(v, "m"), 4096);
  EXPECT_EQ(integer_at({.items = {{"m", "-9223372036854775808"}}}, "m"), std::numeric_limits<std::int64_t>::min());
}

TEST(AxisValues, Fault15_WhatIsNotANumberIsRefusedWithTheAxis) {
  for (const char* text : {"", "abc", "12x", " 12", "1e3", "0x10", "+5", "99999999999999999999"}) {
    try {
      (void)integer_at({.items = {{"m", text}}}, "m");
      ADD_FAILURE() << text;
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(std::string(error.what()), "axis m is not canonical: " + std::string(text));
    }
  }
  for (const char* text : {"", "abc", "1.5.2", "1e999"}) {
    EXPECT_THROW((void)real_at({.items = {{"beta", text}}}, "beta"), std::invalid_argument) << text;
  }
  EXPECT_THROW((void)integer_at(values(), "absent"), std::out_of_range);
}

}  // namespace
}  // namespace rtxbench
