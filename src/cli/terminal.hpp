// Where text goes: data to stdout, talk to stderr, and what the terminal behind them can do.
#pragma once

#include <string_view>

namespace rtxbench {

struct Terminal {
  bool tty = false;
  bool colour = false;  // a terminal, and neither NO_COLOR nor TERM=dumb
  bool redraw = false;  // a terminal that understands control sequences
  int width = 0;        // columns, 0 when unknown or not a terminal
};
[[nodiscard]] Terminal inspect_terminal(int file_descriptor);

// Sees to it that file descriptors 0 to 2 are taken: where the caller has closed one, the next file or pipe opened would get
// its number, and text for stderr would end up in a report. Writing to such a stream stays an error.
void occupy_standard_streams();

// Writes all of it. A reader that went away (`rtxbench list | head`) is no error; anything else throws Error with the cause.
void write_stdout(std::string_view text);
// Never throws: there is nobody left to tell.
void write_stderr(std::string_view text);

}  // namespace rtxbench
