#include "report/report_writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "rtxbench/error.hpp"
#include "rtxbench/json.hpp"

namespace rtxbench {
namespace {

constexpr std::chrono::seconds kInterval{2};
constexpr std::size_t kMaxBytes = std::size_t{1} << 30;  // of a report that is read: the largest runs make tens of MB
constexpr int kMaxLinks = 40;                            // as the kernel follows

struct SystemError {
  std::string step;  // "create", "write to", ...
  int code = 0;
  [[nodiscard]] std::string message(const std::string& path) const {
    return fmt::format("cannot {} {}: {}", step, path, std::strerror(code));
  }
};

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  // Some file systems report a full disk or an exhausted quota only here.
  [[nodiscard]] bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

// Beside the report, since rename works within one file system only. The process id keeps two runs apart.
std::string temporary_path(const std::string& path) { return fmt::format("{}.{}.tmp", path, ::getpid()); }

// fsync where the file system has it: EINVAL says that it does not.
bool synchronise(int fd) { return ::fsync(fd) == 0 || errno == EINVAL; }

void write_all(const std::string& path, std::string_view text) {
  FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.get() < 0) throw SystemError{"create", errno};
  while (!text.empty()) {
    const ssize_t written = ::write(file.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;  // Ctrl-C: the report of what was measured still has to be written
    if (written < 0) throw SystemError{"write to", errno};
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (!synchronise(file.get())) throw SystemError{"write to", errno};
  if (!file.close()) throw SystemError{"write to", errno};
}

// Makes the rename itself survive a power failure.
void synchronise_folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const FileDescriptor handle(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (handle.get() >= 0) (void)synchronise(handle.get());  // the file is in place and complete whatever comes of this
}

// What of an existing path must not be replaced by a regular file.
void check_target(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return;  // not there yet
    throw UsageError(SystemError{"write the report", errno}.message(path));
  }
  if (S_ISDIR(status.st_mode)) throw UsageError(fmt::format("cannot write the report {}: it is a folder", path));
  if (!S_ISREG(status.st_mode)) {
    throw UsageError(fmt::format("cannot write the report {}: not a regular file (--json - writes to standard output)", path));
  }
  if (::access(path.c_str(), W_OK) != 0) throw UsageError(SystemError{"write the report", errno}.message(path));
}

// Follows symbolic links, so that the file they name is made or replaced and not the link.
std::string resolved(const std::string& path) {
  std::error_code error;
  std::filesystem::path target = path;
  for (int links = 0; links < kMaxLinks && std::filesystem::is_symlink(target, error); ++links) {
    target = target.parent_path() / std::filesystem::read_symlink(target, error);
  }
  return target.string();
}

std::string read_all(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) throw SystemError{"read", errno};
  std::string text;
  std::string chunk(std::size_t{1} << 16, '\0');
  for (;;) {
    const ssize_t got = ::read(file.get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw SystemError{"read", errno};
    if (got == 0) return text;
    text.append(chunk, 0, static_cast<std::size_t>(got));
    if (text.size() > kMaxBytes) throw SystemError{"read", EFBIG};
  }
}

std::string describe_parse_error(std::string_view text, std::size_t byte) {
  if (byte > text.size()) return fmt::format("truncated: the JSON breaks off at its end (byte {})", text.size());
  const std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  return fmt::format("not JSON (line {}, byte {})", line, byte);
}

}  // namespace

ReportWriter::ReportWriter(std::string path) : path_(std::move(path)) {
  if (path_.empty()) throw UsageError("cannot write the report: the path is empty");
  check_target(path_);
  const std::string temporary = temporary_path(resolved(path_));
  try {
    write_all(temporary, "\n");  // one byte, so that a full disk shows now
  } catch (const SystemError& error) {
    (void)::unlink(temporary.c_str());
    throw UsageError(SystemError{"write the report", error.code}.message(path_));
  }
  (void)::unlink(temporary.c_str());
}

ReportWriter::~ReportWriter() = default;

void ReportWriter::update(const Report& report) {
  if (std::chrono::steady_clock::now() - last_write_ >= kInterval) flush(report);
}

void ReportWriter::flush(const Report& report) {
  const std::string target = resolved(path_);
  const std::string temporary = temporary_path(target);
  try {
    write_all(temporary, dump_pretty(to_json(report)));
    if (::rename(temporary.c_str(), target.c_str()) != 0) throw SystemError{"replace", errno};
  } catch (const SystemError& error) {
    (void)::unlink(temporary.c_str());
    const bool written = last_write_ != std::chrono::steady_clock::time_point{};
    throw Error(error.message(path_) + (written ? " (the report as last written is untouched)" : ""));
  }
  synchronise_folder_of(target);
  last_write_ = std::chrono::steady_clock::now();
}

Report read_report(const std::string& path) {
  std::string text;
  try {
    text = read_all(path);
  } catch (const SystemError& error) {
    throw UsageError(error.message(path));
  }
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw UsageError(path + ": empty, not an rtxbench report");
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw UsageError(fmt::format("{}: {}", path, describe_parse_error(text, error.byte)));
  } catch (const Json::exception&) {
    throw UsageError(path + ": not JSON (a number is out of range)");
  }
  return report_from_json(json, path);
}

}  // namespace rtxbench
