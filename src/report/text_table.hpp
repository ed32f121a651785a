// Columns of text with one width each, for a terminal of any width.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rtxbench {

enum class Style { plain, bold, dim, warning, failure };
// With escape codes when `colour`, else unchanged.
[[nodiscard]] std::string painted(std::string_view text, Style style, bool colour);

struct Column {
  std::string title;
  bool right = false;  // alignment
  int keep = 0;        // 0: always shown; otherwise the smallest is left out first where the table is too wide
  Style style = Style::plain;
};

struct Row {
  std::vector<std::string> cells;  // one a column; fewer with `rest`
  std::string rest;                // instead of the columns after the cells given, e.g. why a row has no numbers
  Style style = Style::plain;      // of `rest`
};

struct TextTable {
  std::vector<Column> columns;
  std::vector<Row> rows;
};

struct Rendered {
  std::string text;                   // lines, each ended
  std::vector<std::string> left_out;  // titles of columns that the width had no room for
};

// width 0: unlimited. Too narrow even without every column that may go: the lines are as long as they must be.
[[nodiscard]] Rendered render(const TextTable& table, int width, bool colour);

}  // namespace rtxbench
