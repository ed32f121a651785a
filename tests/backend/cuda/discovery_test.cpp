// What enumeration says on machines that this one is not.
#include <driver_types.h>
#include <gtest/gtest.h>

#include <array>

#include "backend/cuda/check.hpp"
#include "backend/cuda/discovery.hpp"
#include "rtxbench/error.hpp"

namespace rtxbench::cuda {
namespace {

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(Discovery, Fault37_NoDriverIsOneLineWithRuntimeDriverAndMinimum) {
  const std::string reason = no_device_reason({.error = cudaErrorInsufficientDriver, .runtime_version = 13000});
  EXPECT_TRUE(contains(reason, "no NVIDIA driver was found")) << reason;
  EXPECT_TRUE(contains(reason, "CUDA runtime 13.0, driver none, minimum driver 580.65.06")) << reason;
  EXPECT_FALSE(contains(reason, "\n")) << reason;
}

TEST(Discovery, Fault37_AnOldDriverIsNamedWithItsOwnCudaVersion) {
  const std::string reason =
      no_device_reason({.error = cudaErrorInsufficientDriver, .runtime_version = 12080, .driver_version = 11040});
  EXPECT_TRUE(contains(reason, "too old")) << reason;
  EXPECT_TRUE(contains(reason, "CUDA runtime 12.8, driver for CUDA 11.4, minimum driver 525.60.13")) << reason;
}

TEST(Discovery, Fault14_AnEmptyCudaVisibleDevicesIsSaid) {
  const std::string reason =
      no_device_reason({.error = cudaErrorNoDevice, .runtime_version = 13000, .driver_version = 13000, .visible = ""});
  EXPECT_TRUE(contains(reason, "CUDA_VISIBLE_DEVICES is set and empty")) << reason;
}

TEST(Discovery, Fault14_ACudaVisibleDevicesThatNamesNoGpuIsQuoted) {
  const std::string reason =
      no_device_reason({.error = cudaErrorNoDevice, .runtime_version = 13000, .driver_version = 13000, .visible = "7"});
  EXPECT_TRUE(contains(reason, "CUDA_VISIBLE_DEVICES=7 names no GPU")) << reason;
}

TEST(Discovery, AnEmptyCudaVisibleDevicesIsNotBlamedForAMissingDriver) {
  const std::string reason = no_device_reason({.error = cudaErrorInsufficientDriver, .runtime_version = 13000, .visible = ""});
  EXPECT_FALSE(contains(reason, "CUDA_VISIBLE_DEVICES")) << reason;
}

TEST(Discovery, AnyOtherErrorKeepsTheDriversOwnWords) {
  const std::string reason = no_device_reason({.error = cudaErrorSystemNotReady,
                                               .error_text = "system not yet initialized (cudaErrorSystemNotReady)",
                                               .runtime_version = 13000,
                                               .driver_version = 13000});
  EXPECT_TRUE(contains(reason, "system not yet initialized (cudaErrorSystemNotReady)")) << reason;
}

TEST(Discovery, Fault36_ACubinOfTheCardsOwnFamilyIsPreferredToPtx) {
  EXPECT_EQ(choose_code("75,80,86,90", 8, 9).text, "sm_86 cubin");
  EXPECT_EQ(choose_code("75,90a-real", 9, 0).text, "sm_90a cubin");
  EXPECT_EQ(choose_code("100f-real", 10, 3).text, "sm_100f cubin");
}

TEST(Discovery, Fault36_PtxCompiledAtStartIsReported) {
  EXPECT_EQ(choose_code("75", 9, 0).text, "PTX of compute_75 compiled at start");
  EXPECT_EQ(choose_code("80-real,89-virtual,75", 12, 0).text, "PTX of compute_89 compiled at start");
  EXPECT_EQ(choose_code("90-virtual", 9, 0).text, "PTX of compute_90 compiled at start");
}

TEST(Discovery, Fault36_ACardThatNeitherFitsGetsTheRemedy) {
  for (const auto& [built, major, minor] : {std::tuple{"75", 6, 1}, std::tuple{"90a-real", 10, 0}, std::tuple{"80-real", 9, 0},
                                            std::tuple{"90a", 12, 0}, std::tuple{"86-real", 8, 0}}) {
    const CodeChoice code = choose_code(built, major, minor);
    EXPECT_FALSE(code.runs) << built << " on " << major << minor << ": " << code.text;
    const std::string remedy = "-DCMAKE_CUDA_ARCHITECTURES=" + std::to_string(major) + std::to_string(minor);
    EXPECT_TRUE(contains(code.text, remedy)) << code.text;
  }
}

TEST(Discovery, Fault36_ABuildForWhateverCardIsThereIsDecidedWhenOpened) { EXPECT_TRUE(choose_code("native", 9, 0).runs); }

TEST(Discovery, Fault35_UuidAndPciIdAreWrittenAsNvidiaSmiWritesThem) {
  const std::array<char, 16> bytes{'\x01', '\x23', '\x45', '\x67', '\x89', '\xab', '\xcd', '\xef',
                                   '\x00', '\x11', '\x22', '\x33', '\x44', '\x55', '\x66', '\xff'};
  EXPECT_EQ(uuid_text(bytes), "01234567-89ab-cdef-0011-2233445566ff");
  EXPECT_EQ(pci_text(0, 10, 0), "00000000:0a:00.0");
  EXPECT_EQ(pci_text(1, 255, 31), "00000001:ff:1f.0");
}

TEST(Discovery, LaunchesBlockOnlyForASetNonZeroVariable) {
  EXPECT_FALSE(launches_block(nullptr));
  EXPECT_FALSE(launches_block(""));
  EXPECT_FALSE(launches_block("0"));
  EXPECT_TRUE(launches_block("1"));
}

TEST(Check, Fault43_ErrorsThatLoseTheContextAreSticky) {
  for (const cudaError_t status :
       {cudaErrorIllegalAddress, cudaErrorLaunchFailure, cudaErrorAssert, cudaErrorMisalignedAddress, cudaErrorInvalidPc,
        cudaErrorLaunchTimeout, cudaErrorECCUncorrectable, cudaErrorIllegalInstruction, cudaErrorHardwareStackError}) {
    try {
      check(status);
      FAIL() << cudaGetErrorName(status) << " was not thrown";
    } catch (const DeviceError& error) {
      EXPECT_TRUE(error.sticky()) << error.what();
      EXPECT_TRUE(contains(error.what(), cudaGetErrorName(status))) << error.what();
      EXPECT_TRUE(contains(error.what(), "discovery_test.cpp:")) << error.what();
    }
  }
}

TEST(Check, ErrorsThatLeaveTheContextAloneAreNot) {
  for (const cudaError_t status : {cudaErrorInvalidValue, cudaErrorInvalidConfiguration, cudaErrorNotSupported,
                                   cudaErrorLaunchOutOfResources, cudaErrorStreamCaptureUnsupported}) {
    try {
      check(status);
      FAIL() << cudaGetErrorName(status) << " was not thrown";
    } catch (const DeviceError& error) {
      EXPECT_FALSE(error.sticky()) << error.what();
    }
  }
}

TEST(Check, AFailedAllocationHasATypeOfItsOwn) {
  EXPECT_THROW(check(cudaErrorMemoryAllocation), OutOfMemoryError);
  EXPECT_NO_THROW(check(cudaSuccess));
}

TEST(Check, Fault36_ACardWithoutCodeGetsTheRemedy) {
  try {
    check(cudaErrorNoKernelImageForDevice);
    FAIL();
  } catch (const DeviceError& error) {
    EXPECT_TRUE(contains(error.what(), "CMAKE_CUDA_ARCHITECTURES")) << error.what();
  }
}

}  // namespace
}  // namespace rtxbench::cuda
