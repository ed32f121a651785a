#include "cli/terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "rtxbench/error.hpp"

namespace rtxbench {
namespace {

// 0, or the errno of what went wrong.
int write_all(int file_descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file_descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {  // a pipe or terminal that another program has made non-blocking
      pollfd full{file_descriptor, POLLOUT, 0};
      (void)::poll(&full, 1, -1);
      continue;
    }
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

Terminal inspect_terminal(int file_descriptor) {
  Terminal terminal;
  terminal.tty = ::isatty(file_descriptor) == 1;
  if (!terminal.tty) return terminal;
  const char* kind = std::getenv("TERM");
  terminal.redraw = kind != nullptr && std::strcmp(kind, "dumb") != 0;
  terminal.colour = terminal.redraw && !is_set("NO_COLOR");  // https://no-color.org: any value that is not empty
  winsize size{};
  if (::ioctl(file_descriptor, TIOCGWINSZ, &size) == 0) terminal.width = size.ws_col;
  return terminal;
}

void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) (void)::open("/dev/null", O_RDONLY);  // gets the lowest free number
  }
}

void write_stdout(std::string_view text) {
  const int cause = write_all(STDOUT_FILENO, text);
  if (cause != 0 && cause != EPIPE) throw Error(std::string("cannot write to standard output: ") + std::strerror(cause));
}

void write_stderr(std::string_view text) { (void)write_all(STDERR_FILENO, text); }

}  // namespace rtxbench
