#include "report/text_table.hpp"

#include <algorithm>
#include <array>

#include "report/display_width.hpp"

namespace rtxbench {
namespace {

constexpr int kGap = 2;  // blanks between columns

struct Layout {
  std::vector<int> widths;
  std::vector<bool> shown;
  [[nodiscard]] int total() const {
    int sum = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) sum += shown[i] ? widths[i] + (sum > 0 ? kGap : 0) : 0;
    return sum;
  }
};

Layout measure(const TextTable& table) {
  Layout layout;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    int width = display_width(table.columns[i].title);
    for (const Row& row : table.rows) {
      if (i < row.cells.size()) width = std::max(width, display_width(row.cells[i]));
    }
    layout.widths.push_back(width);
  }
  layout.shown.assign(table.columns.size(), true);
  return layout;
}

// Hides columns, the most expendable first, until the rest fits.
void narrow(const TextTable& table, int width, Layout& layout, std::vector<std::string>& left_out) {
  while (width > 0 && layout.total() > width) {
    std::size_t victim = table.columns.size();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (!layout.shown[i] || table.columns[i].keep == 0) continue;
      if (victim == table.columns.size() || table.columns[i].keep < table.columns[victim].keep) victim = i;
    }
    if (victim == table.columns.size()) return;
    layout.shown[victim] = false;
    left_out.push_back(table.columns[victim].title);
  }
}

std::string line(const TextTable& table, const Layout& layout, const Row& row, bool heading, int width, bool colour) {
  std::string text;
  int column = 0;
  std::string blanks;  // held back, so that no line ends in blanks
  for (std::size_t i = 0; i < row.cells.size() && i < table.columns.size(); ++i) {
    if (!layout.shown[i]) continue;
    const std::string cell = padded(row.cells[i], layout.widths[i], table.columns[i].right);
    const auto end = cell.find_last_not_of(' ');
    if (end != std::string::npos) {
      const auto begin = cell.find_first_not_of(' ');
      const Style style = heading ? Style::bold : table.columns[i].style;
      text += blanks + cell.substr(0, begin) + painted(cell.substr(begin, end + 1 - begin), style, colour);
      blanks = cell.substr(end + 1);
    } else {
      blanks += cell;
    }
    blanks.append(kGap, ' ');
    column += layout.widths[i] + kGap;
  }
  if (!row.rest.empty()) {
    std::string rest = wrapped(row.rest, width, column);
    text += blanks + painted(rest, row.style, colour);
  }
  return text + "\n";
}

}  // namespace

std::string painted(std::string_view text, Style style, bool colour) {
  if (!colour || style == Style::plain || text.empty()) return std::string(text);
  constexpr std::array<std::string_view, 5> kCodes{"", "\x1b[1m", "\x1b[2m", "\x1b[33m", "\x1b[31m"};
  return std::string(kCodes[static_cast<std::size_t>(style)]) + std::string(text) + "\x1b[0m";
}

Rendered render(const TextTable& table, int width, bool colour) {
  Rendered rendered;
  Layout layout = measure(table);
  narrow(table, width, layout, rendered.left_out);
  Row heading;
  for (const Column& column : table.columns) heading.cells.push_back(column.title);
  rendered.text = line(table, layout, heading, true, width, colour);
  for (const Row& row : table.rows) rendered.text += line(table, layout, row, false, width, colour);
  return rendered;
}

}  // namespace rtxbench
