#include "run/worker.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <iostream>
#include <string>

#include "plan/plan.hpp"
#include "rtxbench/error.hpp"
#include "rtxbench/json.hpp"
#include "run/outcome.hpp"

namespace rtxbench {
namespace {

constexpr int kOut = 3;
constexpr std::chrono::milliseconds kProgressPeriod{100};

// Returns false when nobody reads any more.
bool write_line(const Json& json) {
  std::string line = dump_line(json);
  if (line.empty() || line.back() != '\n') line += '\n';
  for (std::size_t written = 0; written < line.size();) {
    const ssize_t count = ::write(kOut, line.data() + written, line.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    written += static_cast<std::size_t>(count);
  }
  return true;
}

Json progress_json(const Progress& progress) {
  Json json{{"phase", progress.phase},
            {"samples", progress.samples},
            {"median_s", progress.median_s},
            {"relative_half_width", progress.relative_half_width}};
  if (progress.clock_hz) json["clock_hz"] = *progress.clock_hz;
  return json;
}

struct OpenDevice {
  std::unique_ptr<Device> device;
  ProtocolState state;
};

class Worker {
 public:
  explicit Worker(const Registry& registry) : registry_(registry) {}

  // The answer to one line, whose progress has been written on the way.
  Json answer(const Json& request) {
    if (request.contains("enumerate")) return enumerate();
    if (request.contains("run")) return run(request.at("run"));
    throw UsageError("a worker is asked to enumerate or to run, not: " + dump_line(request));
  }

 private:
  [[nodiscard]] Json enumerate() const;
  [[nodiscard]] Json run(const Json& request);
  [[nodiscard]] OpenDevice& open(const DeviceInfo& info);
  void tell(const Progress& progress);

  const Registry& registry_;
  std::map<std::string, OpenDevice> devices_;  // by id, kept open between cases
  std::chrono::steady_clock::time_point last_progress_{};
};

Json Worker::enumerate() const {
  Json devices = Json::array(), reasons = Json::object(), software = Json::object();
  for (const auto& backend : registry_.backends) {
    const std::string name(backend->name());
    try {
      std::string reason;
      const std::vector<DeviceInfo> found = backend->enumerate(reason);
      for (const DeviceInfo& info : found) devices.push_back(to_json(info));
      if (found.empty()) reasons[name] = reason;
      for (const auto& [part, text] : backend->software()) software[part] = text;
    } catch (const std::exception& error) {  // one backend that fails must not hide the others
      reasons[name] = error.what();
    }
  }
  return {{"devices", devices}, {"reasons", reasons}, {"software", software}};
}

OpenDevice& Worker::open(const DeviceInfo& info) {
  OpenDevice& open = devices_[info.id];
  if (open.device == nullptr) {
    const Backend* backend = registry_.find_backend(info.backend);
    if (backend == nullptr) throw NoDeviceError("this build has no backend " + info.backend);
    open.device = backend->open(info);
  }
  return open;
}

void Worker::tell(const Progress& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_progress_ < kProgressPeriod) return;
  last_progress_ = now;
  write_line({{"progress", progress_json(progress)}});
}

Json Worker::run(const Json& request) {
  const auto info = device_info_from_json(request.at("device"), "device");
  const auto parameters = parameters_from_json(request.at("parameters"), "parameters");
  Case test = parse_case_id(request.at("case").get<std::string>(), registry_);
  test.device = info.id;
  bool replace = false;
  // Opening the device is part of the first case on it, and fails like one.
  const ExecuteResult result = guarded(blank_record(test, info, registry_), [&](Record& record) {
    OpenDevice& opened = open(info);
    ExecuteResult executed = execute_case(test, parameters, registry_, *opened.device, opened.state,
                                          [&](const Progress& progress) { tell(progress); });
    record = std::move(executed.record);
    replace = executed.replace_worker;
  });
  return {{"record", to_json(result.record)}, {"replace_worker", replace || result.replace_worker}};
}

// Lines end up in the supervisor, prints of libraries on stderr; the worker ends with its parent, and not at a Ctrl-C of which
// the supervisor decides.
void take_place() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGPIPE, SIG_IGN);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  ::fcntl(kOut, F_SETFD, FD_CLOEXEC);
}

}  // namespace

int worker_main(const Registry& registry) {
  if (::fcntl(kOut, F_GETFD) < 0) {
    std::cerr << "rtxbench: `worker` is started by rtxbench itself and answers on file descriptor 3, which is not open\n";
    return static_cast<int>(ExitCode::usage);
  }
  take_place();
  Worker worker(registry);
  bool heard = write_line({{"ready", {{"pid", ::getpid()}}}});
  for (std::string line; heard && std::getline(std::cin, line);) {
    Json answer;
    try {
      answer = worker.answer(Json::parse(line));
    } catch (const std::exception& error) {
      answer = {{"error", error.what()}};
    }
    heard = write_line(answer);
  }
  return static_cast<int>(ExitCode::ok);
}

}  // namespace rtxbench
