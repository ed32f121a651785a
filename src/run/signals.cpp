#include "run/signals.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "rtxbench/error.hpp"

namespace rtxbench {
namespace {

std::atomic<int> write_end{-1};  // a handler takes no argument of ours

void on_signal(int signal) {
  const int saved = errno;
  const auto byte = static_cast<char>(signal);
  if (::write(write_end.load(), &byte, 1) < 0) {  // full: enough signals are waiting already
  }
  errno = saved;
}

}  // namespace

SignalWatch::SignalWatch() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
    throw Error(fmt::format("cannot watch for signals: pipe: {}", std::strerror(errno)));
  }
  read_fd_ = ends[0];
  write_fd_ = ends[1];
  write_end = write_fd_;
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], nullptr, &before_[i]);
    const bool nohup = kSignals[i] == SIGHUP && before_[i].sa_handler == SIG_IGN;
    if (!nohup) ::sigaction(kSignals[i], &action, nullptr);
  }
}

SignalWatch::~SignalWatch() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
  write_end = -1;
  ::close(read_fd_);
  ::close(write_fd_);
}

int SignalWatch::take() {
  char byte = 0;
  return ::read(read_fd_, &byte, 1) == 1 ? byte : 0;
}

}  // namespace rtxbench
