#include "run/supervisor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "rtxbench/error.hpp"
#include "rtxbench/json.hpp"
#include "run/outcome.hpp"
#include "run/pool.hpp"
#include "run/worker_slot.hpp"

namespace rtxbench {
namespace {

constexpr double kDiscoverLimit = 120;  // s to list devices; a driver may have to be loaded first
constexpr int kNoWake = -1;

Progress progress_from_json(const Json& json) {
  const auto number = [&](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? found->get<double>() : 0.0;
  };
  Progress progress{.phase = json.value("phase", ""),
                    .samples = static_cast<std::uint64_t>(number("samples")),
                    .median_s = number("median_s"),
                    .relative_half_width = number("relative_half_width")};
  if (json.contains("clock_hz")) progress.clock_hz = number("clock_hz");
  return progress;
}

std::map<std::string, std::string> texts(const Json& json) { return json.get<std::map<std::string, std::string>>(); }

std::string request_line(const Json& request) {
  std::string line = dump_line(request);
  if (line.empty() || line.back() != '\n') line += '\n';
  return line;
}

// One run over a plan.
class PlanRun {
 public:
  PlanRun(WorkerSlot& slot, const std::vector<DeviceInfo>& devices, const Parameters& parameters, const Registry& registry,
          const RunOptions& options, SignalWatch& signals, const RunEvents& events)
      : slot_(slot),
        devices_(devices),
        parameters_(parameters),
        registry_(registry),
        options_(options),
        signals_(signals),
        events_(events) {}

  [[nodiscard]] int run(const Plan& plan);

 private:
  [[nodiscard]] DeviceInfo device_of(const Case& test) const;
  [[nodiscard]] Record ended(const Case& test, Status status, std::string reason) const;
  void finish(Record record) const {
    if (events_.finished) events_.finished(std::move(record));
  }
  // Nothing when a signal came.
  [[nodiscard]] std::optional<Record> run_case(const Case& test);
  [[nodiscard]] std::optional<Record> run_once(const Case& test, bool fresh);
  [[nodiscard]] std::optional<Record> wait_for_record(const Case& test);
  [[nodiscard]] std::optional<Record> record_in(const Case& test, const std::string& line);
  [[nodiscard]] int stop();

  WorkerSlot& slot_;
  const std::vector<DeviceInfo>& devices_;
  const Parameters& parameters_;
  const Registry& registry_;
  const RunOptions& options_;
  SignalWatch& signals_;
  const RunEvents& events_;
};

DeviceInfo PlanRun::device_of(const Case& test) const {
  const auto found = std::ranges::find(devices_, test.device, &DeviceInfo::id);
  return found == devices_.end() ? DeviceInfo{.id = test.device} : *found;
}

Record PlanRun::ended(const Case& test, Status status, std::string reason) const {
  Record record = blank_record(test, device_of(test), registry_);
  end_without_measurement(record, status, std::move(reason));
  return record;
}

int PlanRun::run(const Plan& plan) {
  for (const Skip& skip : plan.skips) {
    finish(ended(skip.test, skip.unsupported ? Status::unsupported : Status::skipped, skip.reason));
  }
  const double started_s = steady_seconds();
  for (std::size_t i = 0; i < plan.cases.size(); ++i) {
    const Case& test = plan.cases[i].test;
    if (const int signal = signals_.take(); signal != 0) {
      slot_.kill();
      return signal;
    }
    if (options_.budget_s > 0 && steady_seconds() - started_s >= options_.budget_s) {
      finish(ended(test, Status::skipped,
                   fmt::format("the budget of {:g} s was spent: raise --budget or select fewer cases", options_.budget_s)));
      continue;
    }
    if (events_.started) events_.started(test);
    std::optional<Record> record = run_case(test);
    if (!record) return stop();
    finish(std::move(*record));
  }
  return 0;
}

std::optional<Record> PlanRun::run_case(const Case& test) {
  if (options_.processes <= 1) return run_once(test, false);
  std::vector<Record> records;
  for (int process = 1; process <= options_.processes; ++process) {
    std::optional<Record> record = run_once(test, true);
    if (!record) return std::nullopt;
    if (record->status != Status::passed) {  // the others would say the same, or could not make it good
      record->reason = fmt::format("process {} of {}: {}", process, options_.processes, record->reason);
      return record;
    }
    records.push_back(std::move(*record));
  }
  return pool_processes(std::move(records), parameters_);
}

std::optional<Record> PlanRun::run_once(const Case& test, bool fresh) {
  switch (slot_.start(fresh, signals_.fd())) {
    case Start::signal:
      return std::nullopt;
    case Start::failed:
      return ended(test, Status::error, slot_.failure());
    case Start::ready:
      break;
  }
  slot_.worker().used = true;
  const Json run{{"case", test.id}, {"device", to_json(device_of(test))}, {"parameters", to_json(parameters_)}};
  // Where nobody listens any more, waiting finds out how the worker ended.
  static_cast<void>(slot_.worker().send(request_line({{"run", run}})));
  return wait_for_record(test);
}

std::optional<Record> PlanRun::wait_for_record(const Case& test) {
  const double deadline_s = steady_seconds() + parameters_.case_timeout_s;
  for (std::string line;;) {
    switch (slot_.worker().receive(line, deadline_s, signals_.fd())) {
      case Wait::line:
        if (auto record = record_in(test, line)) return record;
        break;
      case Wait::signal:
        return std::nullopt;
      case Wait::timeout:
        slot_.kill();
        return ended(test, Status::error,
                     fmt::format("timeout after {:g} s: the worker process was killed; raise --timeout if the "
                                 "case is known to need longer",
                                 parameters_.case_timeout_s));
      case Wait::ended: {
        const std::string how = slot_.worker().ending();
        slot_.kill();
        return ended(test, Status::error,
                     fmt::format("the worker process {} during this case; later cases run in a fresh one", how));
      }
    }
  }
}

// The record of a line, or nothing for progress.
std::optional<Record> PlanRun::record_in(const Case& test, const std::string& line) {
  try {
    const Json json = Json::parse(line);
    if (json.contains("progress")) {
      if (events_.progress) events_.progress(progress_from_json(json.at("progress")));
      return std::nullopt;
    }
    if (json.contains("error")) return ended(test, Status::error, json.at("error").get<std::string>());
    Record record = record_from_json(json.at("record"), "record");
    if (json.value("replace_worker", false)) {
      slot_.close();
    }
    return record;
  } catch (const Json::exception& error) {
    slot_.kill();
    return ended(test, Status::error, fmt::format("the worker process sent a line that cannot be read: {}", error.what()));
  } catch (const UsageError& error) {
    slot_.kill();
    return ended(test, Status::error, fmt::format("the worker process sent a record that cannot be read: {}", error.what()));
  }
}

int PlanRun::stop() {
  const int signal = signals_.take();
  slot_.terminate(signals_.fd());
  return signal;
}

}  // namespace

struct Supervisor::Impl {
  WorkerSlot slot;
};

Supervisor::Supervisor() : impl_(std::make_unique<Impl>()) {}

Supervisor::~Supervisor() = default;

Discovery Supervisor::discover() {
  if (impl_->slot.start(false, kNoWake) != Start::ready) throw Error(impl_->slot.failure());
  static_cast<void>(impl_->slot.worker().send(request_line({{"enumerate", Json::object()}})));
  std::string line;
  const Wait wait = impl_->slot.worker().receive(line, steady_seconds() + kDiscoverLimit, kNoWake);
  if (wait != Wait::line) {
    const std::string how =
        wait == Wait::timeout ? fmt::format("gave no answer for {} s", kDiscoverLimit) : impl_->slot.worker().ending();
    impl_->slot.kill();
    throw Error(
        fmt::format("the worker process that lists the devices {}: a driver or library may be broken, see stderr", how));
  }
  try {
    const Json json = Json::parse(line);
    if (json.contains("error")) throw Error(json.at("error").get<std::string>());
    Discovery discovery{.none_reasons = texts(json.at("reasons")), .software = texts(json.at("software"))};
    for (const Json& device : json.at("devices")) discovery.devices.push_back(device_info_from_json(device, "devices"));
    return discovery;
  } catch (const Json::exception& error) {
    impl_->slot.kill();
    throw Error(fmt::format("the worker process that lists the devices sent a line that cannot be read: {}", error.what()));
  }
}

int Supervisor::run(const Plan& plan, const std::vector<DeviceInfo>& devices, const Parameters& parameters,
                    const Registry& registry, const RunOptions& options, SignalWatch& signals, const RunEvents& events) {
  return PlanRun(impl_->slot, devices, parameters, registry, options, signals, events).run(plan);
}

}  // namespace rtxbench
