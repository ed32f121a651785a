#include "rtxbench/peaks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rtxbench {
namespace {
using testing::HasSubstr;

DeviceInfo gpu(const std::string& name, int major, int minor, int multiprocessors, double clock_hz) {
  DeviceInfo info;
  info.backend = "cuda";
  info.name = name;
  info.cc_major = major;
  info.cc_minor = minor;
  info.multiprocessors = multiprocessors;
  info.max_clock_hz = clock_hz;
  return info;
}

DeviceInfo h200() { return gpu("NVIDIA H200", 9, 0, 132, 1980e6); }
DeviceInfo rtx4090() { return gpu("NVIDIA GeForce RTX 4090", 8, 9, 128, 2520e6); }

constexpr MathMode kFp64{DType::fp64, DType::fp64}, kFp32{DType::fp32, DType::fp32}, kTf32{DType::tf32, DType::fp32},
    kFp16{DType::fp16, DType::fp32}, kBf16{DType::bf16, DType::fp32}, kFp16Fp16{DType::fp16, DType::fp16};

TEST(Peaks, FormulaUsesTheDriversMultiprocessorsAndClock) {
  const Peak peak = peak_for(h200(), kFp16);
  EXPECT_EQ(peak.flop_per_sm_per_clock, 4096);
  EXPECT_DOUBLE_EQ(peak.flops_at_max_clock.value(), 132 * 1980e6 * 4096);
  EXPECT_THAT(peak.basis, HasSubstr("132 SMs x 1980 MHz x 4096 FLOP per SM per clock (fp16 with fp32 accumulate, dense"));
  EXPECT_THAT(peak.basis, HasSubstr("OpenXLA"));

  const DeviceInfo slower = gpu("NVIDIA H200", 9, 0, 100, 1000e6);
  EXPECT_DOUBLE_EQ(peak_for(slower, kFp16).flops_at_max_clock.value(), 100 * 1000e6 * 4096);
}

TEST(Peaks, RatesByTypes) {
  EXPECT_EQ(peak_for(h200(), kFp64).flop_per_sm_per_clock, 256);  // tensor cores, not the 128 of the CUDA cores
  EXPECT_EQ(peak_for(h200(), kFp32).flop_per_sm_per_clock, 256);
  EXPECT_EQ(peak_for(h200(), kTf32).flop_per_sm_per_clock, 2048);
  EXPECT_EQ(peak_for(h200(), kBf16).flop_per_sm_per_clock, 4096);
  EXPECT_EQ(peak_for(gpu("NVIDIA A100-SXM4-80GB", 8, 0, 108, 1410e6), kFp32).flop_per_sm_per_clock, 128);
  EXPECT_EQ(peak_for(gpu("NVIDIA B200", 10, 0, 148, 1965e6), kFp16).flop_per_sm_per_clock, 8192);
  EXPECT_EQ(peak_for(gpu("NVIDIA GeForce RTX 5090", 12, 0, 170, 2407e6), kFp64).flop_per_sm_per_clock, 4);
}

TEST(Peaks, Fault41_AccumulateTypeAndPartClassDecideTheRate) {
  const DeviceInfo l4 = gpu("NVIDIA L4", 8, 9, 58, 2040e6);
  EXPECT_EQ(peak_for(rtx4090(), kFp16).flop_per_sm_per_clock, 512);
  EXPECT_EQ(peak_for(rtx4090(), kFp16Fp16).flop_per_sm_per_clock, 1024);
  EXPECT_EQ(peak_for(l4, kFp16).flop_per_sm_per_clock, 1024);
  EXPECT_EQ(peak_for(l4, kFp16Fp16).flop_per_sm_per_clock, 1024);
  EXPECT_EQ(peak_for(rtx4090(), kTf32).flop_per_sm_per_clock, 256);
  EXPECT_EQ(peak_for(l4, kTf32).flop_per_sm_per_clock, 512);
  EXPECT_THAT(peak_for(rtx4090(), kFp16).basis, HasSubstr("geforce part"));
}

TEST(Peaks, UnverifiedRatesSaySo) {
  EXPECT_THAT(peak_for(gpu("NVIDIA GeForce RTX 5090", 12, 0, 170, 2407e6), kTf32).basis, HasSubstr("unverified"));
  EXPECT_THAT(peak_for(h200(), kTf32).basis, testing::Not(HasSubstr("unverified")));
}

TEST(Peaks, Fault18_UnknownGpuHasNoPeakButAReason) {
  const Peak peak = peak_for(gpu("NVIDIA Foo 9000", 9, 0, 132, 1980e6), kFp16);
  EXPECT_FALSE(peak.flop_per_sm_per_clock);
  EXPECT_FALSE(peak.flops_at_max_clock);
  EXPECT_THAT(peak.basis, HasSubstr("\"NVIDIA Foo 9000\" is not in configs/gpus.json"));
}

TEST(Peaks, Fault19_VariantsNeverMatchByPrefix) {
  for (const char* name : {"NVIDIA GeForce RTX 4090 Laptop GPU", "NVIDIA GeForce RTX 4090 D", "NVIDIA GeForce RTX 409",
                           "RTX 4090", "NVIDIA GeForce RTX 4080 SUPER", "NVIDIA GeForce RTX 3080 Ti", "NVIDIA L40", "NVIDIA"}) {
    EXPECT_FALSE(peak_for(gpu(name, 8, 9, 128, 2520e6), kFp16).flops_at_max_clock) << name;
  }
  for (const char* name : {"NVIDIA H100 PCIe", "NVIDIA H100 NVL", "NVIDIA H100", "NVIDIA H200 NVL", "NVIDIA GH200 480GB", ""}) {
    EXPECT_FALSE(peak_for(gpu(name, 9, 0, 114, 1755e6), kFp16).flops_at_max_clock) << name;
  }
  EXPECT_TRUE(peak_for(gpu("NVIDIA H100 80GB HBM3", 9, 0, 132, 1980e6), kFp16).flops_at_max_clock);
}

TEST(Peaks, Fault19_PciDeviceIdMatchesWhereTheNameDoesNot) {
  DeviceInfo renamed = gpu("Graphics Device", 8, 9, 128, 2520e6);
  renamed.pci_device_id = 0x10de2684;
  EXPECT_EQ(peak_for(renamed, kFp16).flop_per_sm_per_clock, 512);
  renamed.pci_device_id = 0x10de2685;  // RTX 4090 D
  EXPECT_FALSE(peak_for(renamed, kFp16).flop_per_sm_per_clock);
  renamed.pci_device_id = 0x268410de;  // device and vendor exchanged
  EXPECT_FALSE(peak_for(renamed, kFp16).flop_per_sm_per_clock);
  renamed.pci_device_id.reset();
  EXPECT_FALSE(peak_for(renamed, kFp16).flop_per_sm_per_clock);
}

TEST(Peaks, TypesThatAPartLacksHaveNoPeak) {
  const Peak peak = peak_for(h200(), {DType::bf16, DType::bf16});
  EXPECT_FALSE(peak.flop_per_sm_per_clock);
  EXPECT_THAT(peak.basis, HasSubstr("no rate of bf16 with bf16 accumulate is listed for compute capability 9.0"));
}

TEST(Peaks, WhatTheDriverDoesNotReportIsNotInvented) {
  DeviceInfo device = h200();
  device.max_clock_hz.reset();
  Peak peak = peak_for(device, kFp16);
  EXPECT_EQ(peak.flop_per_sm_per_clock, 4096);
  EXPECT_FALSE(peak.flops_at_max_clock);
  EXPECT_THAT(peak.basis, HasSubstr("does not report the maximum clock"));
  device = h200();
  device.multiprocessors.reset();
  peak = peak_for(device, kFp16);
  EXPECT_FALSE(peak.flops_at_max_clock);
  EXPECT_THAT(peak.basis, HasSubstr("does not report the number of SMs"));
}

TEST(Peaks, AComputeCapabilityThatContradictsTheTableGivesNoPeak) {
  EXPECT_FALSE(peak_for(gpu("NVIDIA H200", 10, 0, 132, 1980e6), kFp16).flop_per_sm_per_clock);
  EXPECT_TRUE(peak_for(gpu("NVIDIA H200", 0, 0, 132, 1980e6), kFp16).flop_per_sm_per_clock);  // not asked yet
}

TEST(Peaks, Fault33_MigSliceHasNoPeak) {
  DeviceInfo device = h200();
  device.max_memory_clock_hz = 3201e6;
  device.memory_bus_bits = 6016;
  device.mig = true;
  EXPECT_FALSE(peak_for(device, kFp16).flops_at_max_clock);
  EXPECT_THAT(peak_for(device, kFp16).basis, HasSubstr("MIG"));
  EXPECT_FALSE(bandwidth_peak(device));
}

TEST(Peaks, CpusHaveNone) {
  DeviceInfo cpu = h200();  // even with every field filled in
  cpu.backend = "cpu";
  EXPECT_FALSE(peak_for(cpu, kFp32).flops_at_max_clock);
  EXPECT_THAT(peak_for(cpu, kFp32).basis, HasSubstr("CPU"));
}

TEST(BandwidthPeak, ClockTimesDataRateTimesBusWidth) {
  DeviceInfo device = h200();
  device.max_memory_clock_hz = 3201e6;
  device.memory_bus_bits = 6016;
  EXPECT_DOUBLE_EQ(bandwidth_peak(device).value(), 4814.304e9);
  device.memory_bus_bits.reset();
  EXPECT_FALSE(bandwidth_peak(device));
  device.memory_bus_bits = 6016;
  device.max_memory_clock_hz.reset();
  EXPECT_FALSE(bandwidth_peak(device));
}

}  // namespace
}  // namespace rtxbench
