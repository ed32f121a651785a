#include "tests/cli/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace rtxbench::process {
namespace {

constexpr auto kLimit = std::chrono::seconds(120);

struct Pipe {
  int read_end = -1, write_end = -1;
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
    read_end = ends[0];
    write_end = ends[1];
  }
};

[[noreturn]] void become(const std::string& program, const std::vector<std::string>& arguments, const Conditions& conditions,
                         int out, int err) {
  if (!conditions.stdout_to.empty()) out = ::open(conditions.stdout_to.c_str(), O_WRONLY | O_CLOEXEC);
  ::dup2(::open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  for (const auto& [name, value] : conditions.environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  ::_exit(127);
}

// Appends what is there; false at the end of the stream.
bool drain(int file_descriptor, std::string& text) {
  std::array<char, 65536> buffer{};
  const ssize_t count = ::read(file_descriptor, buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0;
}

}  // namespace

Outcome run(const std::string& program, const std::vector<std::string>& arguments, const Conditions& conditions) {
  const Pipe out, err;
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork");
  if (child == 0) become(program, arguments, conditions, out.write_end, err.write_end);
  ::close(out.write_end);
  ::close(err.write_end);

  Outcome outcome;
  bool signalled = conditions.signal == 0;
  const auto start = std::chrono::steady_clock::now();
  std::array<pollfd, 2> open{pollfd{out.read_end, POLLIN, 0}, pollfd{err.read_end, POLLIN, 0}};
  bool late = false;
  while ((open[0].fd >= 0 || open[1].fd >= 0) && !late) {
    ::poll(open.data(), open.size(), 1000);
    if (open[0].revents != 0 && !drain(out.read_end, outcome.out)) open[0].fd = -1;
    if (open[1].revents != 0 && !drain(err.read_end, outcome.err)) open[1].fd = -1;
    if (!signalled && outcome.err.find(conditions.signal_when) != std::string::npos) {
      ::kill(child, conditions.signal);
      signalled = true;
    }
    late = std::chrono::steady_clock::now() - start > kLimit;
  }
  if (late) ::kill(child, SIGKILL);
  ::close(out.read_end);
  ::close(err.read_end);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!late) outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

TemporaryFolder::TemporaryFolder() {
  std::string path = (std::filesystem::temp_directory_path() / "rtxbench-test-XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("mkdtemp");
  path_ = path;
}

TemporaryFolder::~TemporaryFolder() { std::filesystem::remove_all(path_); }

std::vector<std::string> TemporaryFolder::names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) names.push_back(entry.path().filename().string());
  return names;
}

std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace rtxbench::process
