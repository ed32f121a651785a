// A complete registry without hardware: devices in virtual time, the operator `fake` (Out = 2 In + 1), its providers and its
// benchmark. The environment variable RTXBENCH_FAKE makes cases misbehave: a JSON object from patterns of case ids (* and ?) to
// behaviours, with two keys of its own: "devices" (number of GPUs; 0 for none) and "start" (what workers do at their
// start: "crash", "hang" or "garbage", a first answer that cannot be read).
//   RTXBENCH_FAKE='{"*n=64*":"crash","devices":2}'
#pragma once

#include <string>

#include "rtxbench/registry.hpp"
#include "support/fake_device.hpp"

namespace rtxbench::fake {

// What a case does instead of its work.
enum class Behaviour : std::uint8_t {
  good,
  crash,        // SIGSEGV in the first call
  hang,         // never returns from the first call
  sticky,       // DeviceError that spoils the process
  fail,         // "throw": another exception
  wrong,        // writes wrong numbers
  unwritten,    // leaves elements as they were
  corrupt,      // right at first, wrong under load
  slow,         // 50 ms of real time a call
  unsupported,  // says so in prepare
  memory,       // needs more workspace than there is
  garbage,      // a line that is no JSON goes to the supervisor
  deep,         // a line of a million opening brackets does
  cut,          // half a line does, then the process ends
};

// Axes n (elements) and the engine's. 2 n 4096 FLOP of fp16 with fp32 accumulate, as a peak has to be looked up for something.
class FakeBenchmark final : public Benchmark {
 public:
  [[nodiscard]] std::string_view name() const override { return "fake"; }
  [[nodiscard]] std::string_view op() const override { return "fake"; }
  [[nodiscard]] std::string_view summary() const override { return "doubles numbers, for tests"; }
  [[nodiscard]] const std::vector<AxisSpec>& axes() const override;
  [[nodiscard]] Defaults defaults(const DeviceInfo& device, Effort effort) const override;
  [[nodiscard]] std::unique_ptr<Problem> problem(const AxisValues& values) const override;
};

class FakeBackend final : public Backend {
 public:
  FakeBackend(std::string name, std::vector<Script> devices) : name_(std::move(name)), devices_(std::move(devices)) {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::vector<DeviceInfo> enumerate(std::string& reason_if_none) const override;
  [[nodiscard]] std::unique_ptr<Device> open(const DeviceInfo& info) const override;
  [[nodiscard]] std::map<std::string, std::string> software() const override {
    return {{"fake " + name_, "1.0, in this binary"}};
  }

 private:
  std::string name_;
  std::vector<Script> devices_;
};

// A provider whose cases behave as RTXBENCH_FAKE says, or all as `always`.
[[nodiscard]] std::unique_ptr<Provider> make_fake_provider(std::string name, std::string backend,
                                                           Behaviour always = Behaviour::good);

// Providers `double` and `twice` on cuda, `double` on cpu. `devices`: the GPUs' scripts.
[[nodiscard]] Registry make_fake_registry(std::vector<Script> devices);
// As RTXBENCH_FAKE says.
[[nodiscard]] Registry make_fake_registry();

// Does what RTXBENCH_FAKE wants of workers at their start.
void misbehave_at_start(const std::string& command);

}  // namespace rtxbench::fake
