#include "cli/hints.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rtxbench {
namespace {

using testing::HasSubstr;

TEST(Hints, OptionsOfOtherToolsLeadToOurs) {
  for (const auto& [word, ours] : {std::pair{"size", "--m"},
                                   {"warmup", "--regime sustained"},
                                   {"runs", "--max-time"},
                                   {"export-json", "--out"},
                                   {"csv", "--json"},
                                   {"gpus", "--device"},
                                   {"verbose", "stderr"}}) {
    EXPECT_THAT(habit_hint(word), HasSubstr(ours)) << word;
    EXPECT_EQ(habit_hint(word).rfind("; ", 0), 0U) << word;
  }
}

TEST(Hints, WhatNobodyKnowsGetsNone) {
  for (const char* word : {"", " ", "size sizes", "siz", "frobnicate"}) EXPECT_EQ(habit_hint(word), "") << word;
}

}  // namespace
}  // namespace rtxbench
