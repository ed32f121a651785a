// Terminal columns of any UTF-8 text. A table of ranges instead of wcwidth(): wcwidth answers for the process's LC_CTYPE, says
// -1 for everything beyond ASCII under LANG=C (containers, CI), and setting a locale would be a side effect on the whole
// process.
#pragma once

#include <string>
#include <string_view>

namespace rtxbench {

// Columns: 2 for East Asian wide characters and emoji, 0 for combining and invisible ones, 1 otherwise; each invalid byte 1.
[[nodiscard]] int display_width(std::string_view text);

// Safe to print on one line: line breaks and tabs become blanks; control characters (escape codes), characters that reorder
// text, and invalid bytes become U+FFFD.
[[nodiscard]] std::string printable(std::string_view text);

// Filled with blanks to `width` columns, on the left when `right`.
[[nodiscard]] std::string padded(std::string_view text, int width, bool right = false);

// Cut off so that it takes at most `width` columns.
[[nodiscard]] std::string clipped(std::string_view text, int width);

// Broken at blanks so that lines end before column `width` (0: never broken); the text starts at column `indent`, and so do the
// lines after it.
[[nodiscard]] std::string wrapped(std::string_view text, int width, int indent);

}  // namespace rtxbench
