// Finds copies of the system's libm, under a name the loader does not know, in folder trees laid out as toolkits and Python
// environments are.
#include "rtxbench/dynamic_library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "rtxbench/embedded.hpp"
#include "rtxbench/error.hpp"

namespace rtxbench {
namespace {
namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kSoname = "librtxbenchabsent.so.7";

class DynamicLibraryTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "rtxbench-library-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = fs::canonical(pattern);
    for (const char* name : {"PATH", "CUDA_HOME", "CUDA_PATH", "RTXBENCH_FAKE"}) {
      if (const char* value = std::getenv(name)) saved_[name] = value;
    }
    set("PATH", (root_ / "empty").string());
    for (const char* name : {"CUDA_HOME", "CUDA_PATH", "RTXBENCH_FAKE"}) unsetenv(name);
  }
  void TearDown() override {
    for (const char* name : {"PATH", "CUDA_HOME", "CUDA_PATH", "RTXBENCH_FAKE"}) unsetenv(name);
    for (const auto& [name, value] : saved_) set(name, value);
    fs::remove_all(root_);
  }

  static void set(const std::string& name, const std::string& value) { setenv(name.c_str(), value.c_str(), 1); }

  // A working library at `folder` below the root.
  fs::path place(const std::string& folder, const std::string& file = kSoname) {
    static const fs::path libm = [] {
      std::string reason;
      return fs::path(DynamicLibrary::open({.name = "libm", .sonames = {"libm.so.6"}}, reason).value().path());
    }();
    fs::create_directories(root_ / folder);
    fs::copy_file(libm, root_ / folder / file);
    return root_ / folder / file;
  }
  fs::path write(const std::string& file, const std::string& text = "") {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
    return root_ / file;
  }

  static LibrarySearch search() {
    return {
        .name = "Fake", .sonames = {kSoname}, .variable = "RTXBENCH_FAKE", .python_folder = "fake/lib", .cuda_toolkit = true};
  }
  // Where the search ends, or "" with `reason_` set.
  std::string found(const LibrarySearch& what = search()) {
    reason_.clear();
    const auto library = DynamicLibrary::open(what, reason_);
    return library ? library->path() : "";
  }

  fs::path root_;
  std::string reason_;

 private:
  std::map<std::string, std::string> saved_;
};

TEST_F(DynamicLibraryTest, TheLoadersOwnPathsAndFunctions) {
  const auto library = DynamicLibrary::open({.name = "libm", .sonames = {"libmabsent.so.1", "libm.so.6"}}, reason_);
  ASSERT_TRUE(library);
  EXPECT_TRUE(fs::path(library->path()).is_absolute());
  EXPECT_TRUE(fs::exists(library->path()));
  EXPECT_FALSE(fs::is_symlink(library->path()));  // resolved
  EXPECT_DOUBLE_EQ(library->function<double(double)>("cbrt")(27.0), 3.0);
  EXPECT_NE(library->optional_function<double(double)>("cbrt"), nullptr);
}

TEST_F(DynamicLibraryTest, Fault38_AMissingFunctionNamesLibraryAndPlace) {
  const auto library = DynamicLibrary::open({.name = "Mathematics", .sonames = {"libm.so.6"}}, reason_);
  ASSERT_TRUE(library);
  EXPECT_EQ(library->optional_function<void()>("rtxbench_absent"), nullptr);
  try {
    (void)library->function<void()>("rtxbench_absent");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("Mathematics"), HasSubstr(library->path()), HasSubstr("rtxbench_absent")));
  }
}

TEST_F(DynamicLibraryTest, FunctionsOutliveCopiesOfTheHandle) {
  auto first = DynamicLibrary::open({.name = "libm", .sonames = {"libm.so.6"}}, reason_);
  const DynamicLibrary second = *first;
  first.reset();
  EXPECT_DOUBLE_EQ(second.function<double(double)>("cbrt")(8.0), 2.0);
}

TEST_F(DynamicLibraryTest, TheVariableNamesAFileOrAFolder) {
  const fs::path chosen = place("chosen", "renamed.so");
  set("RTXBENCH_FAKE", chosen.string());
  EXPECT_EQ(found(), chosen);
  const fs::path inside = place("folder");
  set("RTXBENCH_FAKE", (root_ / "folder").string());
  EXPECT_EQ(found(), inside);
}

TEST_F(DynamicLibraryTest, TheVariableComesBeforeEveryOtherPlace) {
  const fs::path chosen = place("chosen");
  place("toolkit/lib64");
  set("CUDA_HOME", (root_ / "toolkit").string());
  set("RTXBENCH_FAKE", (root_ / "chosen").string());
  EXPECT_EQ(found(), chosen);
  LibrarySearch libm = search();
  libm.sonames = {"libm.so.6"};
  fs::copy_file(chosen, root_ / "chosen" / "libm.so.6");
  EXPECT_EQ(found(libm), root_ / "chosen" / "libm.so.6");  // before the loader's own
}

TEST_F(DynamicLibraryTest, AVariableThatDoesNotWorkIsNotPassedOver) {
  place("toolkit/lib64");
  set("CUDA_HOME", (root_ / "toolkit").string());
  ASSERT_NE(found(), "");

  const std::string absent = (root_ / "nowhere").string();
  set("RTXBENCH_FAKE", absent);
  EXPECT_EQ(found(), "");
  EXPECT_THAT(reason_,
              AllOf(HasSubstr("Fake"), HasSubstr("RTXBENCH_FAKE=" + absent), HasSubstr("neither a file nor a folder")));

  fs::create_directories(root_ / "empty-folder");
  set("RTXBENCH_FAKE", (root_ / "empty-folder").string());
  EXPECT_EQ(found(), "");
  EXPECT_THAT(reason_, AllOf(HasSubstr("does not work"), HasSubstr(kSoname), HasSubstr("unset it")));

  set("RTXBENCH_FAKE", write("broken.so", "no library").string());
  EXPECT_EQ(found(), "");
  EXPECT_THAT(reason_, AllOf(HasSubstr("does not work"), HasSubstr("broken.so")));

  set("RTXBENCH_FAKE", "");  // empty counts as not set
  EXPECT_NE(found(), "");
}

TEST_F(DynamicLibraryTest, ToolkitFoldersInTheirOrder) {
  const fs::path path_lib = place("path/lib");
  set("CUDA_PATH", (root_ / "path").string());
  EXPECT_EQ(found(), path_lib);
  const fs::path home_lib = place("home/lib");
  set("CUDA_HOME", (root_ / "home").string());
  EXPECT_EQ(found(), home_lib);
  const fs::path home_lib64 = place("home/lib64");
  EXPECT_EQ(found(), home_lib64);
}

TEST_F(DynamicLibraryTest, ToolkitFoldersAreLeftOutUnlessAskedFor) {
  place("home/lib64");
  set("CUDA_HOME", (root_ / "home").string());
  LibrarySearch without = search();
  without.cuda_toolkit = false;
  EXPECT_EQ(found(without), "");
}

TEST_F(DynamicLibraryTest, PythonEnvironmentsOnPathInTheirOrder) {
  const std::string packages = "/lib/python3.11/site-packages/nvidia/";
  const fs::path other_wheel = place("second" + packages + "cu13/lib");
  write("second/bin/python3");
  place("unused" + packages + "fake/lib");  // its bin folder holds no python3
  fs::create_directories(root_ / "unused/bin");
  const auto path = [&](const char* folder) { return (root_ / folder).string(); };
  set("PATH", path("absent") + ":" + path("unused/bin") + "::" + path("second/bin"));
  EXPECT_EQ(found(), other_wheel);

  const fs::path named = place("second" + packages + "fake/lib");  // the wheel that the search names comes first
  EXPECT_EQ(found(), named);

  const fs::path first = place("first/lib64/python3.12/site-packages/nvidia/fake/lib");
  write("first/bin/python3");
  set("PATH", path("first/bin") + ":" + path("second/bin"));
  EXPECT_EQ(found(), first);

  LibrarySearch without = search();
  without.python_folder.clear();
  EXPECT_EQ(found(without), "");
}

TEST_F(DynamicLibraryTest, TheToolkitComesBeforePython) {
  const fs::path wheel = place("env/lib/python3.11/site-packages/nvidia/fake/lib");
  write("env/bin/python3");
  set("PATH", (root_ / "env/bin").string());
  EXPECT_EQ(found(), wheel);
  const fs::path toolkit = place("home/lib64");
  set("CUDA_HOME", (root_ / "home").string());
  EXPECT_EQ(found(), toolkit);
}

TEST_F(DynamicLibraryTest, AFileThatDoesNotLoadIsPassedOverForTheNextPlace) {
  write(std::string("home/lib64/") + kSoname, "no library");
  const fs::path good = place("home/lib");
  set("CUDA_HOME", (root_ / "home").string());
  EXPECT_EQ(found(), good);
}

TEST_F(DynamicLibraryTest, SonamesAreTriedInOrderAtEachPlace) {
  LibrarySearch both = search();
  both.sonames = {"librtxbenchabsent.so.8", kSoname};
  const fs::path old = place("home/lib64");
  place("path/lib64", "librtxbenchabsent.so.8");
  set("CUDA_HOME", (root_ / "home").string());
  set("CUDA_PATH", (root_ / "path").string());
  EXPECT_EQ(found(both), old);  // an earlier place outranks a newer name
  const fs::path recent = place("home/lib64", "librtxbenchabsent.so.8");
  EXPECT_EQ(found(both), recent);
}

TEST_F(DynamicLibraryTest, Fault32_AMissingLibraryListsEveryPlaceAndItsError) {
  fs::create_directories(root_ / "home/lib64");
  write(std::string("path/lib/") + kSoname, "no library");
  set("CUDA_HOME", (root_ / "home").string());
  set("CUDA_PATH", (root_ / "path").string());
  fs::create_directories(root_ / "env/lib/python3.11/site-packages/nvidia/cu13/lib");
  write("env/bin/python3");
  set("PATH", (root_ / "env/bin").string());
  EXPECT_EQ(found(), "");
  const auto in_root = [&](const char* place) { return HasSubstr((root_ / place).string()); };
  EXPECT_THAT(reason_, AllOf(HasSubstr("Fake not found or not loadable"), HasSubstr("cannot open shared object file"),
                             in_root("home/lib64: holds no"), in_root("home/lib: holds no"), in_root("path/lib64: holds no")));
  EXPECT_THAT(reason_,
              AllOf(in_root("path/lib/librtxbenchabsent.so.7"), in_root("env/lib/python3.11/site-packages/nvidia/fake/lib"),
                    in_root("env/lib/python3.11/site-packages/nvidia/cu13/lib"), HasSubstr("RTXBENCH_FAKE may name")));
  if (!embedded::cuda_toolkit_libraries().empty()) {
    EXPECT_THAT(reason_, HasSubstr(fs::weakly_canonical(embedded::cuda_toolkit_libraries()).string()));
  }
  set("PATH", "");
  EXPECT_EQ(found(), "");
  EXPECT_THAT(reason_, Not(HasSubstr("site-packages")));
}

}  // namespace
}  // namespace rtxbench
