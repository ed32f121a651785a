#include "run/execute.hpp"

#include "plan/plan.hpp"
#include "plan/sizing.hpp"
#include "run/protocol_fixture.hpp"
#include "support/fake_parts.hpp"

namespace rtxbench::fake {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// One case on one fake device, the providers `double` (good) and one a behaviour.
struct House {
  explicit House(Script script = {}, Behaviour behaviour = Behaviour::good) : device(std::move(script)) {
    registry.benchmarks.push_back(std::make_unique<FakeBenchmark>());
    registry.providers.push_back(make_fake_provider("double", device.info().backend, behaviour));
  }
  ExecuteResult run(const std::string& id = "fake[n=4096]@double") {
    Case test = parse_case_id(id, registry);
    test.device = device.info().id;
    return execute_case(test, parameters, registry, device, state, [](const Progress&) {});
  }
  FakeDevice device;
  Registry registry;
  Parameters parameters;
  ProtocolState state;
};

Record run_with(Behaviour behaviour) { return House({}, behaviour).run().record; }

TEST(Execute, GoodCaseIsMeasuredAndDescribed) {
  House house;
  const ExecuteResult result = house.run();
  const Record& record = result.record;
  EXPECT_FALSE(result.replace_worker);
  ASSERT_EQ(record.status, Status::passed) << record.reason;
  EXPECT_EQ(record.reason, "");
  EXPECT_EQ(record.operation, "fake");
  EXPECT_EQ(record.device.backend, "cuda");
  EXPECT_EQ(record.device.id, house.device.info().id);
  EXPECT_EQ(record.work.flop, 4096U * 8192U);
  EXPECT_DOUBLE_EQ(record.measurement.value().time.median, 1e-3);
  EXPECT_TRUE(record.verification.value().passed);
  EXPECT_EQ(record.verification->checked, 4096U);
  EXPECT_EQ(record.details.at("algorithm"), "loop");
  EXPECT_THAT(record.kernels, ElementsAre("fake_kernel"));
  EXPECT_DOUBLE_EQ(record.estimated_call_s, 1e-3);
  EXPECT_THAT(record.flags, IsEmpty());
}

TEST(Execute, EverythingIsGivenBack) {
  House house;
  static_cast<void>(house.run());
  EXPECT_EQ(house.device.free_bytes(), house.device.script().memory_bytes);
}

TEST(Execute, SustainedWarmCaseByItsId) {
  House house(constant(5e-3));
  const Record record = house.run("fake[n=4096,regime=sustained,cache=warm]@double").record;
  ASSERT_EQ(record.status, Status::passed) << record.reason;
  EXPECT_EQ(record.measurement->method.cache, "warm");
  EXPECT_EQ(record.measurement->method.steady, true);
}

TEST(Execute, Fault13_WrongResultsHaveNoSpeed) {
  for (const Behaviour behaviour : {Behaviour::wrong, Behaviour::unwritten}) {
    const Record record = run_with(behaviour);
    EXPECT_EQ(record.status, Status::wrong);
    EXPECT_FALSE(record.measurement.has_value());
    EXPECT_FALSE(record.verification.value().passed);
    EXPECT_NE(record.reason, "");
  }
  EXPECT_EQ(run_with(Behaviour::unwritten).verification->unwritten, 2048U);
}

TEST(Execute, Fault13_ResultsThatGoWrongUnderLoadHaveNoSpeed) {
  const Record record = run_with(Behaviour::corrupt);
  EXPECT_EQ(record.status, Status::wrong);
  EXPECT_FALSE(record.measurement.has_value());
  EXPECT_THAT(record.reason, HasSubstr("after the run"));
}

TEST(Execute, ErrorsBecomeRows) {
  House sticky({}, Behaviour::sticky);
  const ExecuteResult spoilt = sticky.run();
  EXPECT_EQ(spoilt.record.status, Status::error);
  EXPECT_THAT(spoilt.record.reason, HasSubstr("illegal memory access"));
  EXPECT_TRUE(spoilt.replace_worker);

  House failing({}, Behaviour::fail);
  const ExecuteResult failed = failing.run();
  EXPECT_EQ(failed.record.status, Status::error);
  EXPECT_EQ(failed.record.reason, "the fake operator failed");
  EXPECT_FALSE(failed.replace_worker);
}

TEST(Execute, UnsupportedIsAValueWithItsReason) {
  EXPECT_EQ(run_with(Behaviour::unsupported).status, Status::unsupported);
  EXPECT_EQ(run_with(Behaviour::unsupported).reason, "the fake library lacks this");
  const Record statically = House().run("fake[n=13]@double").record;
  EXPECT_EQ(statically.status, Status::unsupported);
  EXPECT_EQ(statically.reason, "13 elements are not offered; use 14");
}

TEST(Execute, Fault42_MemoryThatDoesNotFitIsSkippedWithFiguresAndNeverShrunk) {
  // 2^33 elements: 64 GiB of operands, and 256 MiB for the flush.
  for (const std::uint64_t free : {std::uint64_t{0}, 117 * kMiB, 8 * kGiB, 24 * kGiB, 64 * kGiB}) {
    Script script;
    script.memory_bytes = free;
    House house(std::move(script));
    const Record record = house.run("fake[n=8589934592]@double").record;
    EXPECT_EQ(record.status, Status::skipped) << free;
    EXPECT_THAT(record.reason, HasSubstr("needs 64.25 GiB, free ")) << free;
    EXPECT_FALSE(record.measurement.has_value());
    EXPECT_EQ(house.device.log().calls, 0U);
  }
  EXPECT_THAT(run_with(Behaviour::memory).reason, HasSubstr("free 80.00 GiB"));
  EXPECT_EQ(run_with(Behaviour::memory).status, Status::skipped);
}

TEST(Execute, Fault42_SmallCaseFitsIntoLittleMemory) {
  Script script;
  script.memory_bytes = 300 * kMiB;
  const Record record = House(std::move(script)).run().record;
  EXPECT_EQ(record.status, Status::passed) << record.reason;
}

TEST(Execute, Fault24_OperandSetsExceedThreeCachesOfEverySize) {
  for (const std::uint64_t cache : {6 * kMiB, 72 * kMiB, 96 * kMiB, 126 * kMiB}) {
    Script script = constant(1e-5);  // in graphs, hence rotating
    script.info.cache_bytes = cache;
    script.fill_first_set_only = true;
    House house(std::move(script));
    house.parameters.min_time_s = 0;
    house.parameters.min_samples = house.parameters.max_samples = 6;   // the fake really computes each call
    const Record record = house.run("fake[n=1048576]@double").record;  // 8 MiB a set
    ASSERT_EQ(record.status, Status::passed) << record.reason;
    EXPECT_GE(record.measurement->method.operand_sets * 8 * kMiB, 3 * cache);
    EXPECT_LT((record.measurement->method.operand_sets - 1) * 8 * kMiB, 3 * cache);
    EXPECT_EQ(record.measurement->method.cache, "rotate");
    EXPECT_THAT(flag_names(record.flags), Not(Contains("not-cold")));
  }
}

TEST(Execute, Fault24_OperandsThatStayInTheCacheAreNotCalledCold) {
  Script script = constant(1e-5);
  script.info.cache_bytes = 126 * kMiB;
  const Record record = House(std::move(script)).run("fake[n=4096]@double").record;  // 64 sets are 2 MiB
  ASSERT_EQ(record.status, Status::passed) << record.reason;
  EXPECT_THAT(flag_names(record.flags), ElementsAre("not-cold"));
  EXPECT_THAT(record.flags[0].remedy,
              HasSubstr("64 operand sets of 2.000 MiB in all are less than 3 x the cache of 126.0 MiB"));
  EXPECT_THAT(record.measurement->method.cache, HasSubstr("x cache"));
}

Script h200(double call_s) {
  Script script = constant(call_s);
  script.info.name = "NVIDIA H200";
  script.resolution_s = 1e-9;
  script.floor_s = 1e-9;
  return script;
}

TEST(Execute, Fault18_UnknownDeviceHasNoPeak) {
  const Record record = House().run().record;  // "Fake GPU 9000"
  EXPECT_FALSE(record.peak.peak_flops.has_value());
  EXPECT_FALSE(record.peak.share_of_peak.has_value());
  EXPECT_THAT(record.peak.basis, HasSubstr("Fake GPU 9000"));
}

TEST(Execute, Fault18_SharesOfAKnownPeak) {
  const Record record = House(h200(1e-6)).run().record;
  ASSERT_EQ(record.status, Status::passed) << record.reason;
  const double flops = 4096.0 * 8192 / 1e-6;
  EXPECT_NEAR(record.peak.share_of_peak.value(), flops / (132 * 1.98e9 * 4096), 1e-9);
  EXPECT_NEAR(record.peak.share_at_measured_clock.value(), flops / (132 * 1.5e9 * 4096), 1e-9);
  EXPECT_THAT(flag_names(record.flags), Not(Contains("suspicious")));
}

TEST(Execute, Fault18_AboveThePeakIsSuspicious) {
  const Record record = House(h200(2e-8)).run().record;
  ASSERT_EQ(record.status, Status::passed) << record.reason;
  EXPECT_GT(record.peak.share_of_peak.value(), 1.0);
  EXPECT_THAT(flag_names(record.flags), Contains("suspicious"));
}

TEST(Execute, Fault24_ReadingFasterThanTheMemoryIsSuspiciousUnlessWarm) {
  Script script = constant(1e-3);
  script.info.max_memory_clock_hz = 1e6;  // 2 x 1 MHz x 8 bit / 8 = 2 MB/s; the case reads 16 MB/s
  script.info.memory_bus_bits = 8;
  EXPECT_THAT(flag_names(House(script).run().record.flags), ElementsAre("suspicious"));
  EXPECT_THAT(flag_names(House(script).run("fake[n=4096,cache=warm]@double").record.flags), IsEmpty());
}

TEST(Execute, CaseFarBeyondMaxTimeIsSkippedWithItsEstimate) {
  const Record record = House(constant(4.0)).run().record;  // 30 x 4 s > 20 x 5 s
  EXPECT_EQ(record.status, Status::skipped);
  EXPECT_THAT(record.reason, HasSubstr("takes about 4.00 s"));
  EXPECT_THAT(record.reason, HasSubstr("123 s"));  // 120 s and thirty pauses
  EXPECT_DOUBLE_EQ(record.estimated_call_s, 4.0);

  House patient(constant(4.0));
  patient.parameters.max_time_s = 10;
  EXPECT_EQ(patient.run().record.status, Status::passed);

  House endless(constant(1000.0));
  EXPECT_EQ(endless.run().record.status, Status::skipped);
  EXPECT_EQ(endless.device.log().calls, 1U);  // the one that was verified
}

TEST(Execute, PreparationIsNotPartOfTheSamples) {
  const Record record = House().run().record;
  EXPECT_EQ(record.measurement->preparation_s, 0);  // virtual time stands still in prepare
}

TEST(Execute, UnknownProviderAndBenchmarkAreRowsToo) {
  House house;
  Case test = parse_case_id("fake[n=4096]@double", house.registry);
  test.provider = "triple";
  const Record record = execute_case(test, {}, house.registry, house.device, house.state, {}).record;
  EXPECT_EQ(record.status, Status::unsupported);
  EXPECT_THAT(record.reason, HasSubstr("triple"));
  test.benchmark = "nothing";
  EXPECT_EQ(execute_case(test, {}, house.registry, house.device, house.state, {}).record.status, Status::error);
}

}  // namespace
}  // namespace rtxbench::fake
