// Lint of configs/gpus.json.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "rtxbench/embedded.hpp"

namespace rtxbench {
namespace {
using nlohmann::json;

const json& table() {
  static const json parsed = json::parse(embedded::gpus_json());
  return parsed;
}

std::string text(const json& row, const char* key) { return row.value(key, ""); }

// TFLOPS by the formula, the larger of tensor and CUDA cores, each at the vendor's own clock for it.
double formula_tflops(const json& gpu, const json& sheet) {
  double best = 0;
  for (const json& rate : table()["rates"]) {
    const bool fits = rate["compute_capability"] == gpu["compute_capability"] && rate["multiply"] == sheet["multiply"] &&
                      rate["accumulate"] == sheet["accumulate"] && (!rate.contains("class") || rate["class"] == gpu["class"]);
    if (!fits) continue;
    const double boost = gpu["boost_mhz"];
    const double clock = rate["unit"] == "tensor_core" ? gpu.value("tensor_mhz", boost) : boost;
    best = std::max(best, gpu["multiprocessors"].get<double>() * clock * 1e-6 * rate["flop_per_sm_per_clock"].get<double>());
  }
  return best;
}

TEST(GpusJson, HoldsEveryArchitectureAndCard) {
  std::set<std::string> capabilities, names;
  for (const json& rate : table()["rates"]) capabilities.insert(text(rate, "compute_capability"));
  EXPECT_EQ(capabilities, (std::set<std::string>{"10.0", "12.0", "7.5", "8.0", "8.6", "8.9", "9.0"}));
  for (const json& gpu : table()["gpus"]) names.insert(text(gpu, "name"));
  EXPECT_EQ(names.size(), table()["gpus"].size()) << "a name stands twice";
  EXPECT_GE(names.size(), 11U);
  for (const std::string& name : names) EXPECT_EQ(name.rfind("NVIDIA ", 0), 0U) << name << " is not how a driver names it";
}

TEST(GpusJson, EveryRowHasAKnownSource) {
  for (const char* list : {"rates", "gpus"}) {
    for (const json& row : table()[list]) {
      EXPECT_FALSE(text(table()["sources"], text(row, "source").c_str()).empty()) << row.dump();
    }
  }
}

TEST(GpusJson, EverySourceIsUsed) {
  std::set<std::string> used;
  for (const char* list : {"rates", "gpus"}) {
    for (const json& row : table()[list]) used.insert(text(row, "source"));
  }
  for (const auto& [key, title] : table()["sources"].items()) EXPECT_TRUE(used.contains(key)) << key;
}

TEST(GpusJson, RatesAreWellFormedAndUnique) {
  std::set<std::string> seen;
  for (const json& rate : table()["rates"]) {
    const std::string kind = text(rate, "class"), unit = text(rate, "unit");
    EXPECT_TRUE(kind.empty() || kind == "geforce" || kind == "professional") << rate.dump();
    EXPECT_TRUE(unit == "cuda_core" || unit == "tensor_core") << rate.dump();
    const auto flop = rate["flop_per_sm_per_clock"].get<int>();
    EXPECT_TRUE(flop > 0 && (flop & (flop - 1)) == 0) << "no power of two: " << rate.dump();
    const std::string key = text(rate, "compute_capability") + text(rate, "multiply") + "+" + text(rate, "accumulate") + unit;
    EXPECT_TRUE(seen.insert(key + kind).second) << "twice: " << rate.dump();
    // A rate for both classes excludes one for a single class.
    if (!kind.empty()) {
      EXPECT_FALSE(seen.contains(key)) << rate.dump();
    }
  }
}

TEST(GpusJson, GeForceRatesNeverExceedProfessionalOnes) {
  for (const json& a : table()["rates"]) {
    for (const json& b : table()["rates"]) {
      const bool pair = text(a, "class") == "geforce" && text(b, "class") == "professional" && a["unit"] == b["unit"] &&
                        a["compute_capability"] == b["compute_capability"] && a["multiply"] == b["multiply"] &&
                        a["accumulate"] == b["accumulate"];
      if (pair) {
        EXPECT_EQ(2 * a["flop_per_sm_per_clock"].get<int>(), b["flop_per_sm_per_clock"].get<int>()) << a.dump();
      }
    }
  }
}

TEST(GpusJson, GpusAreComplete) {
  std::set<std::string> ids;
  for (const json& gpu : table()["gpus"]) {
    const std::string kind = text(gpu, "class"), name = text(gpu, "name");
    EXPECT_TRUE(kind == "geforce" || kind == "professional") << name;
    EXPECT_EQ(kind == "geforce", name.find("GeForce") != std::string::npos) << name;
    for (const char* key : {"multiprocessors", "boost_mhz", "gb_per_s", "l2_mb", "power_w"}) {
      EXPECT_GT(gpu.value(key, 0.0), 0) << name << " " << key;
    }
    EXPECT_FALSE(gpu["data_sheet"].empty()) << name;
    for (const json& id : gpu.value("pci_device_ids", json::array())) {
      EXPECT_THAT(id.get<std::string>(), testing::MatchesRegex("10de:[0-9a-f]{4}")) << name;
      EXPECT_TRUE(ids.insert(id).second) << name << " " << id << " stands twice";
    }
  }
}

TEST(GpusJson, Fault19_DataSheetValuesAreDenseAndFitTheFormula) {
  for (const json& gpu : table()["gpus"]) {
    for (const json& sheet : gpu["data_sheet"]) {
      const double formula = formula_tflops(gpu, sheet), listed = sheet["tflops"];
      const std::string where = text(gpu, "name") + " " + sheet.dump();
      ASSERT_GT(formula, 0) << where;
      const double difference = std::fabs(listed / formula - 1);
      if (text(sheet, "deviation").empty()) {
        EXPECT_LE(difference, 0.03) << where << " formula " << formula;
      } else {
        EXPECT_GT(difference, 0.03) << where << ": the reason explains nothing";
        EXPECT_LE(difference, 0.25) << where << ": no reason covers this much; a sparse figure is twice the dense one";
      }
    }
  }
}

TEST(GpusJson, Fault19_NoSparseFigureIsNamed) {
  const std::string text(embedded::gpus_json());
  EXPECT_EQ(text.find("sparse"), std::string::npos);
  EXPECT_EQ(text.find("sparsity"), std::string::npos);
}

}  // namespace
}  // namespace rtxbench
