#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <locale>

#include "report/display_width.hpp"
#include "report/text_table.hpp"

namespace rtxbench {
namespace {

TEST(DisplayWidth, CountsColumnsOfAnyText) {
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("± µs"), 4);
  EXPECT_EQ(display_width("矩阵"), 4);
  EXPECT_EQ(display_width("한국"), 4);
  EXPECT_EQ(display_width("\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB"), 2);  // the same syllable in jamo
  EXPECT_EQ(display_width("e\xCC\x81"), 1);                             // combining acute
  EXPECT_EQ(display_width("a\xE2\x80\x8B"
                          "b"),
            2);  // zero-width space
  EXPECT_EQ(display_width("🚀"), 2);
  EXPECT_EQ(display_width("\xF0\xA0\x80\x80"), 2);  // CJK extension B
  EXPECT_EQ(display_width("\xEF\xBC\xA1"), 2);      // fullwidth A
  EXPECT_EQ(display_width("ｱ"), 1);                 // halfwidth katakana
  EXPECT_EQ(display_width("नि"), 2);                // vowel sign with a width of its own (Mc)
  EXPECT_EQ(display_width("\xC2\xAD"), 1);          // soft hyphen
}

TEST(DisplayWidth, EveryInvalidByteIsOneColumn) {
  EXPECT_EQ(display_width("\xff"), 1);
  EXPECT_EQ(display_width("\xE2\x82"), 2);          // cut off
  EXPECT_EQ(display_width("\xC0\x80"), 2);          // overlong
  EXPECT_EQ(display_width("\xED\xA0\x80"), 3);      // surrogate
  EXPECT_EQ(display_width("\xF4\x90\x80\x80"), 4);  // beyond U+10FFFF
  EXPECT_EQ(display_width("\xE2z\x82\xAC"), 4);
}

TEST(Printable, KeepsTextAndReplacesWhatWouldActOnATerminal) {
  EXPECT_EQ(printable("plain ± 矩阵"), "plain ± 矩阵");
  EXPECT_EQ(printable("a\nb\tc\r"), "a b c ");
  EXPECT_EQ(printable("\x1b[31m"), "\xEF\xBF\xBD[31m");
  EXPECT_EQ(printable(std::string("\0", 1)), "\xEF\xBF\xBD");
  EXPECT_EQ(printable("\xC2\x9B"
                      "1m"),
            "\xEF\xBF\xBD"
            "1m");  // C1 control sequence introducer
  EXPECT_EQ(printable("\xE2\x80\xAE"
                      "x"),
            "\xEF\xBF\xBD"
            "x");  // right-to-left override
  EXPECT_EQ(printable("\xff"), "\xEF\xBF\xBD");
}

TEST(Padded, FillsByColumnsNotBytes) {
  EXPECT_EQ(padded("矩", 4), "矩  ");
  EXPECT_EQ(padded("µs", 4, true), "  µs");
  EXPECT_EQ(padded("long", 2), "long");
}

TEST(Wrapped, BreaksAtBlanksAndHangs) {
  EXPECT_EQ(wrapped("one two three", 0, 4), "one two three");
  EXPECT_EQ(wrapped("aaaaaaaaaa bbbbbbbbbb cc", 24, 2), "aaaaaaaaaa bbbbbbbbbb\n  cc");
  EXPECT_EQ(wrapped("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa b", 24, 2), "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n  b");
  EXPECT_EQ(wrapped("too narrow to wrap at all here", 10, 2), "too narrow to wrap at all here");
}

TEST(Clipped, CutsAtColumnsAndNeverWithinACharacter) {
  EXPECT_EQ(clipped("1.5 µs", 5), "1.5 µ");
  EXPECT_EQ(clipped("1.5 µs", 4), "1.5 ");
  EXPECT_EQ(clipped("a矩", 2), "a");
  EXPECT_EQ(clipped("short", 80), "short");
  EXPECT_EQ(clipped("any", 0), "");
}

TEST(TextTable, AlignsAndEndsNoLineInBlanks) {
  const TextTable table{{{"name"}, {"n", true}, {"last"}}, {{{"a", "1", ""}, {}, {}}, {{"bcdefg", "100", "x"}, {}, {}}}};
  EXPECT_EQ(render(table, 0, false).text, "name      n  last\na         1\nbcdefg  100  x\n");
}

TEST(TextTable, LeavesOutTheLeastImportantFirst) {
  const TextTable table{{{"name"}, {"minor", true, 1}, {"major", true, 2}}, {{{"a", "1", "2"}, {}, {}}}};
  EXPECT_EQ(render(table, 18, false).text, "name  minor  major\na         1      2\n");
  const Rendered narrow = render(table, 17, false);
  EXPECT_EQ(narrow.text, "name  major\na         2\n");
  EXPECT_EQ(narrow.left_out, std::vector<std::string>{"minor"});
  EXPECT_EQ(render(table, 1, false).text, "name\na\n");
}

TEST(TextTable, RestTakesThePlaceOfTheColumnsAfterIt) {
  const TextTable table{{{"name"}, {"n", true}}, {{{"a"}, "skipped: no room", Style::warning}}};
  EXPECT_EQ(render(table, 0, false).text, "name  n\na     skipped: no room\n");
  EXPECT_EQ(render(table, 0, true).text, "\x1b[1mname\x1b[0m  \x1b[1mn\x1b[0m\na     \x1b[33mskipped: no room\x1b[0m\n");
}

}  // namespace
}  // namespace rtxbench
