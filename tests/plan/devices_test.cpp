#include "tests/plan/fakes.hpp"

namespace rtxbench {
namespace {

using fakes::cpu;
using fakes::gpu;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

using Reasons = std::map<std::string, std::string>;

struct Selection {
  std::vector<std::string> ids;
  std::string note, usage, no_device;
};

Selection select(const char* text, const std::vector<DeviceInfo>& found, const Reasons& reasons = {}) {
  Selection result;
  try {
    for (const DeviceInfo& device : select_devices(text, found, reasons, result.note)) result.ids.push_back(device.id);
  } catch (const UsageError& error) {
    result.usage = error.what();
  } catch (const NoDeviceError& error) {
    result.no_device = error.what();
  }
  return result;
}

const std::string kFirst = gpu(0).id, kSecond = gpu(1).id;

TEST(SelectDevices, AutoTakesTheFirstGpuAndSaysNothing) {
  const Selection result = select("auto", {gpu(0), gpu(1), cpu()});
  EXPECT_THAT(result.ids, ElementsAre(kFirst));
  EXPECT_EQ(result.note, "");
}

TEST(SelectDevices, AutoFallsBackToTheCpuAndSaysWhy) {
  const Selection result = select("auto", {cpu()}, {{"cuda", "driver 470 is too old for runtime 12.8"}});
  EXPECT_THAT(result.ids, ElementsAre("cpu"));
  EXPECT_THAT(result.note, AllOf(HasSubstr("no usable CUDA device"), HasSubstr("driver 470 is too old"), HasSubstr("CPU")));
  EXPECT_THAT(select("auto", {cpu()}).note, HasSubstr("this build has no CUDA backend"));
}

TEST(SelectDevices, Fault14_AnEmptyMachineIsNoDeviceWithTheReasons) {
  EXPECT_THAT(select("auto", {}, {{"cuda", "CUDA_VISIBLE_DEVICES is empty"}}).no_device,
              HasSubstr("CUDA_VISIBLE_DEVICES is empty"));
  EXPECT_THAT(select("all", {}).no_device, HasSubstr("no usable device"));
  EXPECT_THAT(select("cpu", {gpu()}).no_device, HasSubstr("no cpu device"));
}

TEST(SelectDevices, AllTakesEverything) {
  EXPECT_THAT(select("all", {gpu(0), gpu(1), cpu()}).ids, ElementsAre(kFirst, kSecond, "cpu"));
}

TEST(SelectDevices, Fault35_ByIndexUuidAndPci) {
  const std::vector<DeviceInfo> found{gpu(0), gpu(1), cpu()};
  EXPECT_THAT(select("cuda:1", found).ids, ElementsAre(kSecond));
  EXPECT_THAT(select("GPU-12222222-bbbb", found).ids, ElementsAre(kSecond));
  EXPECT_THAT(select("gpu-122", found).ids, ElementsAre(kSecond));
  EXPECT_THAT(select("0a:00.0", found).ids, ElementsAre(kFirst));
  EXPECT_THAT(select("0001:0A:00.0", found).ids, ElementsAre(kSecond));
  EXPECT_THAT(select("00000001:0a:00.0", found).ids, ElementsAre(kSecond));
  EXPECT_THAT(select("cpu", found).ids, ElementsAre("cpu"));
  for (const char* first : {"0", "cuda", "gpu"}) EXPECT_THAT(select(first, found).ids, ElementsAre(kFirst)) << first;
  EXPECT_THAT(select("1", found).ids, ElementsAre(kSecond));
  EXPECT_THAT(select("cuda:1,cuda:0,cuda:1", found).ids, ElementsAre(kSecond, kFirst));
}

TEST(SelectDevices, AbsentDevicesAreNamedWithWhatExists) {
  const std::vector<DeviceInfo> found{gpu(0), cpu()};
  EXPECT_THAT(select("cuda:9", found).no_device, AllOf(HasSubstr("--device cuda:9"), HasSubstr("cuda:0"), HasSubstr(kFirst)));
  EXPECT_THAT(select("9", found).no_device, HasSubstr("--device 9: no such device"));
  EXPECT_THAT(select("0b:00.0", found).no_device, AllOf(HasSubstr("0b:00.0"), HasSubstr("00000000:0a:00.0")));
  EXPECT_THAT(select("GPU-99", found).no_device, HasSubstr("no device of this UUID"));
}

TEST(SelectDevices, Fault37_AnExplicitGpuWithoutCudaCarriesTheDriversReason) {
  const Reasons reasons{{"cuda", "no driver; runtime 13.0 needs 580 or newer"}};
  for (const char* text : {"cuda:0", "0", "cuda", "gpu", "0a:00.0", "GPU-1"}) {
    EXPECT_THAT(select(text, {cpu()}, reasons).no_device, AllOf(HasSubstr(text), HasSubstr("needs 580 or newer"))) << text;
  }
}

TEST(SelectDevices, WrongTextsAreUsageErrors) {
  const std::vector<DeviceInfo> found{gpu(0), gpu(1), cpu()};
  EXPECT_THAT(select("gpu-1", found).usage, HasSubstr("more than one UUID"));
  EXPECT_THAT(select("cuda:x", found).usage, HasSubstr("'x' is not a device number"));
  EXPECT_THAT(select("cuda:-1", found).usage, HasSubstr("'-1' is not a device number"));
  EXPECT_THAT(select("cdua:0", found).usage, AllOf(HasSubstr("'cdua:0' names no device"), HasSubstr("did you mean cuda:0?")));
  EXPECT_THAT(select("", found).usage, HasSubstr("accepted: auto, all, cpu"));
}

}  // namespace
}  // namespace rtxbench
