#include "run/worker_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>

#include "rtxbench/error.hpp"

extern char** environ;

namespace rtxbench {
namespace {

constexpr double kEndingGrace = 1.0;  // s between the end of the worker's output and its exit
constexpr double kReapStep = 0.005;   // s between looks at a process that is about to end
constexpr double kKillGrace = 10.0;   // s for SIGKILL; a process that waits inside a driver may never obey it

[[noreturn]] void fail(const char* what, int error) {
  throw Error(fmt::format("cannot start a worker process: {}: {}", what, std::strerror(error)));
}

// Moves a descriptor out of the way of 0 and 3, which the child needs, keeping it closed in every other child.
int high(int fd) {
  const int moved = ::fcntl(fd, F_DUPFD_CLOEXEC, 10);
  const int error = errno;
  ::close(fd);
  if (moved < 0) fail("fcntl", error);
  return moved;
}

int poll_timeout_ms(double deadline_s) {
  const double left_ms = std::ceil((deadline_s - steady_seconds()) * 1e3);
  return static_cast<int>(std::clamp(left_ms, 0.0, 3.6e6));
}

struct SpawnSettings {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  SpawnSettings(int in, int out) {
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, 0);
    posix_spawn_file_actions_adddup2(&actions, out, 3);
    posix_spawnattr_init(&attributes);
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) sigaddset(&defaults, signal);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    // A group of its own: a Ctrl-C reaches the supervisor alone, and a kill reaches the worker's children too.
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
};

}  // namespace

double steady_seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

WorkerProcess::WorkerProcess() {
  // The way in is a socket, because a write to it can be told not to raise SIGPIPE.
  std::array<int, 2> in{}, out{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in.data()) != 0) fail("socketpair", errno);
  if (::pipe2(out.data(), O_CLOEXEC) != 0) {
    const int error = errno;
    ::close(in[0]);
    ::close(in[1]);
    fail("pipe", error);
  }
  in_ = high(in[0]);
  out_ = high(out[0]);
  const int child_in = high(in[1]), child_out = high(out[1]);
  const SpawnSettings settings(child_in, child_out);
  std::array<char, 9> name{"rtxbench"};
  std::array<char, 7> command{"worker"};
  std::array<char*, 3> argv{name.data(), command.data(), nullptr};
  const int error = posix_spawn(&pid_, "/proc/self/exe", &settings.actions, &settings.attributes, argv.data(), environ);
  ::close(child_in);
  ::close(child_out);
  if (error != 0) {
    ::close(in_);
    ::close(out_);
    fail("posix_spawn of /proc/self/exe", error);
  }
}

WorkerProcess::~WorkerProcess() {
  kill_group();
  if (in_ >= 0) ::close(in_);
  ::close(out_);
}

bool WorkerProcess::send(const std::string& line) {
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t count = ::send(in_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

Wait WorkerProcess::receive(std::string& line, double deadline_s, int wake_fd) {
  for (;;) {
    if (const auto end = buffer_.find('\n'); end != std::string::npos) {
      line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return Wait::line;
    }
    std::array<pollfd, 2> fds{{{out_, POLLIN, 0}, {wake_fd, POLLIN, 0}}};  // poll skips a negative descriptor
    const int ready = ::poll(fds.data(), fds.size(), poll_timeout_ms(deadline_s));
    if (fds[1].revents != 0) return Wait::signal;
    if (ready < 0 && errno != EINTR) throw Error(fmt::format("poll: {}", std::strerror(errno)));
    if (ready == 0 && steady_seconds() >= deadline_s) return Wait::timeout;
    if (ready <= 0 || fds[0].revents == 0) continue;
    std::array<char, 65536> chunk{};
    const ssize_t count = ::read(out_, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      reap(steady_seconds() + kEndingGrace, -1);
      return Wait::ended;
    }
    buffer_.append(chunk.data(), static_cast<std::size_t>(count));
  }
}

// Waits for the process to end by itself until the deadline; false when it has not.
bool WorkerProcess::reap(double deadline_s, int wake_fd) {
  while (!reaped_) {
    const pid_t ended = ::waitpid(pid_, &status_, WNOHANG);
    if (ended == pid_ || (ended < 0 && errno != EINTR)) reaped_ = true;
    if (reaped_ || steady_seconds() >= deadline_s) break;
    pollfd wake{wake_fd, POLLIN, 0};
    if (::poll(&wake, 1, static_cast<int>(kReapStep * 1e3)) > 0) break;
  }
  return reaped_;
}

void WorkerProcess::kill_group() {
  if (reaped_) return;
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
  reap(steady_seconds() + kKillGrace, -1);
}

void WorkerProcess::close(double grace_s) {
  if (in_ >= 0) ::close(in_);
  in_ = -1;
  if (!reap(steady_seconds() + grace_s, -1)) kill_group();
}

void WorkerProcess::terminate(double grace_s, int wake_fd) {
  if (!reaped_) ::kill(pid_, SIGTERM);
  if (!reap(steady_seconds() + grace_s, wake_fd)) kill_group();
}

std::string WorkerProcess::ending() {
  if (!reaped_) return "closed its output without ending";
  if (WIFSIGNALED(status_)) {
    const int signal = WTERMSIG(status_);
    const char* name = sigabbrev_np(signal);
    return fmt::format("was ended by signal {} (SIG{}){}", signal, name != nullptr ? name : "?",
                       signal == SIGKILL ? ", as the kernel does when the host's memory runs out" : "");
  }
  return fmt::format("ended with exit code {}", WEXITSTATUS(status_));
}

}  // namespace rtxbench
