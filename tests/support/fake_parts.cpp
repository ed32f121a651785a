#include "support/fake_parts.hpp"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "plan/plan.hpp"
#include "plan/text.hpp"
#include "rtxbench/error.hpp"

namespace rtxbench::fake {
namespace {

constexpr std::uint64_t kFlopPerElement = 2 * 4096;

nlohmann::ordered_json script_from_environment() {
  const char* text = std::getenv("RTXBENCH_FAKE");
  return text == nullptr ? nlohmann::ordered_json::object() : nlohmann::ordered_json::parse(text);
}

Behaviour parse_behaviour(const std::string& text) {
  static const std::map<std::string, Behaviour> kNames{{"good", Behaviour::good},
                                                       {"crash", Behaviour::crash},
                                                       {"hang", Behaviour::hang},
                                                       {"sticky", Behaviour::sticky},
                                                       {"throw", Behaviour::fail},
                                                       {"wrong", Behaviour::wrong},
                                                       {"unwritten", Behaviour::unwritten},
                                                       {"corrupt", Behaviour::corrupt},
                                                       {"slow", Behaviour::slow},
                                                       {"memory", Behaviour::memory},
                                                       {"garbage", Behaviour::garbage},
                                                       {"deep", Behaviour::deep},
                                                       {"cut", Behaviour::cut},
                                                       {"unsupported", Behaviour::unsupported}};
  const auto found = kNames.find(text);
  if (found == kNames.end()) throw std::invalid_argument("RTXBENCH_FAKE: no behaviour " + text);
  return found->second;
}

Behaviour behaviour_of(const std::string& id) {
  const auto script = script_from_environment();
  for (const auto& [pattern, behaviour] : script.items()) {
    if (behaviour.is_string() && pattern != "start" && glob_matches(pattern, id))
      return parse_behaviour(behaviour.get<std::string>());
  }
  return Behaviour::good;
}

// Past the worker's own writer.
void to_supervisor(std::string_view text) {
  constexpr int kOut = 3;
  while (!text.empty()) {
    const ssize_t count = ::write(kOut, text.data(), text.size());
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

class FakeProblem final : public Problem {
 public:
  explicit FakeProblem(AxisValues values) : values_(std::move(values)), n_(integer_at(values_, "n")) {}
  [[nodiscard]] std::string_view op() const override { return "fake"; }
  [[nodiscard]] std::vector<TensorSpec> tensors() const override {
    return {{"In", DType::fp32, {n_}, TensorRole::input}, {"Out", DType::fp32, {n_}, TensorRole::output}};
  }
  [[nodiscard]] Work work() const override {
    const auto n = static_cast<std::uint64_t>(n_);
    return {.flop = kFlopPerElement * n, .read_bytes = 4 * n, .written_bytes = 4 * n};
  }
  [[nodiscard]] MathMode math() const override { return {DType::fp16, DType::fp32}; }
  [[nodiscard]] Verification verify(const ResultView& result, std::uint64_t seed) const override;
  [[nodiscard]] const AxisValues& values() const { return values_; }

 private:
  AxisValues values_;
  std::int64_t n_;
};

Verification FakeProblem::verify(const ResultView& result, std::uint64_t /*seed*/) const {
  std::vector<std::uint64_t> indices(static_cast<std::size_t>(n_));
  std::iota(indices.begin(), indices.end(), std::uint64_t{0});
  const std::vector<double> output = result.output(1, indices);
  Verification verification{.passed = true, .reference = "fake", .checked = indices.size(), .tolerance = 1e-6};
  for (const std::uint64_t i : indices) {
    const double expected = round_to_storage(DType::fp32, 2 * result.input(0, i) + 1);
    if (output[i] == expected) continue;
    verification.passed = false;
    verification.relative_error = 1;
    verification.detail =
        "Out[" + std::to_string(i) + "] = " + std::to_string(output[i]) + ", expected " + std::to_string(expected);
    break;
  }
  return verification;
}

class FakeInvocation final : public Invocation {
 public:
  FakeInvocation(std::vector<TensorSet> sets, Behaviour behaviour) : sets_(std::move(sets)), behaviour_(behaviour) {}
  void enqueue(Stream& stream, std::size_t set) override {
    note_call(stream);
    misbehave();
    ++calls_;
    const bool wrong = behaviour_ == Behaviour::wrong || (behaviour_ == Behaviour::corrupt && calls_ > 10);
    const TensorSet& tensors = sets_[set];
    const std::uint64_t elements = tensors[0].spec.elements();
    const std::uint64_t written = behaviour_ == Behaviour::unwritten ? elements / 2 : elements;
    const auto* in = static_cast<const float*>(tensors[0].data);
    auto* out = static_cast<float*>(tensors[1].data);
    for (std::uint64_t i = 0; i < written; ++i) out[i] = 2 * in[i] + (wrong ? 1.5F : 1.0F);
  }
  [[nodiscard]] std::map<std::string, std::string> details() const override { return {{"algorithm", "loop"}}; }

 private:
  void misbehave() const {
    switch (behaviour_) {
      case Behaviour::crash:
        std::signal(SIGSEGV, SIG_DFL);
        std::raise(SIGSEGV);
        break;
      case Behaviour::hang:
        for (;;) ::pause();
      case Behaviour::sticky:
        throw DeviceError("an illegal memory access was encountered (fake)", true);
      case Behaviour::fail:
        throw std::runtime_error("the fake operator failed");
      case Behaviour::garbage:
        to_supervisor("Segmentation fault, said a library\n");
        break;
      case Behaviour::deep:
        to_supervisor(std::string(1'000'000, '[') + "\n");
        break;
      case Behaviour::cut:
        to_supervisor("{\"record\": {\"case\"");
        ::_exit(0);
      case Behaviour::slow:
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        break;
      default:
        break;
    }
  }
  std::vector<TensorSet> sets_;
  Behaviour behaviour_;
  std::uint64_t calls_ = 0;
};

class FakeProvider final : public TypedProvider<FakeProblem> {
 public:
  FakeProvider(std::string name, std::string backend, Behaviour always)
      : name_(std::move(name)), backend_(std::move(backend)), always_(always) {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::string_view op() const override { return "fake"; }
  [[nodiscard]] std::string_view backend() const override { return backend_; }
  [[nodiscard]] std::string_view summary() const override { return "a loop, for tests"; }

 protected:
  [[nodiscard]] Support supports_typed(const FakeProblem& problem, const DeviceInfo& /*device*/) const override {
    if (problem.values().at("n") == "13") return Support::no("13 elements are not offered; use 14");
    return {};
  }
  [[nodiscard]] Prepared prepare_typed(const FakeProblem& problem, std::span<const TensorSet> sets,
                                       Device& device) const override {
    Behaviour behaviour = always_;
    if (behaviour == Behaviour::good) behaviour = behaviour_of(make_case_id(FakeBenchmark(), problem.values(), name_));
    if (behaviour == Behaviour::unsupported) return Unsupported{"the fake library lacks this"};
    if (behaviour == Behaviour::memory) return NeedsMemory{device.free_bytes() + kGiB};
    return std::make_unique<FakeInvocation>(std::vector<TensorSet>(sets.begin(), sets.end()), behaviour);
  }

 private:
  std::string name_, backend_;
  Behaviour always_;
};

}  // namespace

const std::vector<AxisSpec>& FakeBenchmark::axes() const {
  static const std::vector<AxisSpec> axes{{.name = "n", .help = "elements", .max = std::int64_t{1} << 45}};
  return axes;
}

Defaults FakeBenchmark::defaults(const DeviceInfo& /*device*/, Effort effort) const {
  Defaults defaults;
  defaults.axes = {
      {"n", effort == Effort::quick ? std::vector<std::string>{"4096"} : std::vector<std::string>{"4096", "8192"}}};
  defaults.providers = {{"double"}};
  return defaults;
}

std::unique_ptr<Problem> FakeBenchmark::problem(const AxisValues& values) const {
  return std::make_unique<FakeProblem>(values);
}

std::vector<DeviceInfo> FakeBackend::enumerate(std::string& reason_if_none) const {
  std::vector<DeviceInfo> infos;
  for (const Script& script : devices_) infos.push_back(script.info);
  if (infos.empty()) reason_if_none = "no fake device is plugged in";
  return infos;
}

std::unique_ptr<Device> FakeBackend::open(const DeviceInfo& info) const {
  for (const Script& script : devices_) {
    if (script.info.id == info.id) return std::make_unique<FakeDevice>(script);
  }
  throw NoDeviceError("there is no fake device " + info.id);
}

std::unique_ptr<Provider> make_fake_provider(std::string name, std::string backend, Behaviour always) {
  return std::make_unique<FakeProvider>(std::move(name), std::move(backend), always);
}

Registry make_fake_registry(std::vector<Script> devices) {
  Registry registry;
  Script host{.info = cpu(), .memory_bytes = 8 * kGiB, .no_spin = "CPU calls run at once"};
  registry.backends.push_back(std::make_unique<FakeBackend>("cuda", std::move(devices)));
  registry.backends.push_back(std::make_unique<FakeBackend>("cpu", std::vector<Script>{host}));
  registry.providers.push_back(make_fake_provider("double", "cuda"));
  registry.providers.push_back(make_fake_provider("twice", "cuda"));
  registry.providers.push_back(make_fake_provider("double", "cpu"));
  registry.benchmarks.push_back(std::make_unique<FakeBenchmark>());
  return registry;
}

Registry make_fake_registry() {
  std::vector<Script> devices(script_from_environment().value("devices", std::size_t{1}));
  for (std::size_t i = 0; i < devices.size(); ++i) devices[i].info = gpu(static_cast<int>(i));
  return make_fake_registry(std::move(devices));
}

void misbehave_at_start(const std::string& command) {
  const std::string start = command == "worker" ? script_from_environment().value("start", "") : "";
  if (start == "crash") {
    std::signal(SIGABRT, SIG_DFL);
    std::raise(SIGABRT);
  }
  while (start == "hang") ::pause();
  if (start == "garbage") to_supervisor("{}\n[1, 2\n");  // taken for "ready" and for the list of devices
}

}  // namespace rtxbench::fake
