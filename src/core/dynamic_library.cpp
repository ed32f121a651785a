#include "rtxbench/dynamic_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "rtxbench/embedded.hpp"
#include "rtxbench/error.hpp"

namespace rtxbench {
namespace {
namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Folders in `parent` whose names begin with `prefix`, in descending order; none where it cannot be read.
std::vector<fs::path> subfolders(const fs::path& parent, std::string_view prefix) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(parent, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().filename().string().starts_with(prefix) && entry->is_directory(error)) found.push_back(entry->path());
  }
  std::ranges::sort(found, std::greater<>{});
  return found;
}

void append_once(std::vector<fs::path>& folders, const fs::path& folder) {
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(folder, error);
  const fs::path& kept = error ? folder : resolved;
  if (std::ranges::find(folders, kept) == folders.end()) folders.push_back(kept);
}

// The nvidia/*/lib folders of every Python environment on PATH, found by their layout: starting an interpreter costs tens of
// milliseconds and may fail. The folder the search names comes first in its environment.
std::vector<fs::path> python_folders(const std::string& preferred) {
  std::vector<fs::path> folders;
  const std::string path = variable("PATH");
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const fs::path programs = path.substr(begin, end - begin);
    begin = end + 1;
    std::error_code error;
    if (programs.empty() || !fs::exists(programs / "python3", error)) continue;
    for (const char* library : {"lib", "lib64"}) {
      for (const fs::path& version : subfolders(programs.parent_path() / library, "python3")) {
        for (const char* packages : {"site-packages", "dist-packages"}) {
          const fs::path nvidia = version / packages / "nvidia";
          if (!fs::is_directory(nvidia, error)) continue;
          append_once(folders, nvidia / preferred);
          for (const fs::path& wheel : subfolders(nvidia, "")) {
            if (fs::is_directory(wheel / "lib", error)) append_once(folders, wheel / "lib");
          }
        }
      }
    }
  }
  return folders;
}

std::vector<fs::path> toolkit_folders() {
  std::vector<fs::path> folders;
  if (!embedded::cuda_toolkit_libraries().empty()) append_once(folders, fs::path(embedded::cuda_toolkit_libraries()));
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    const std::string root = variable(name);
    if (root.empty()) continue;
    for (const char* library : {"lib64", "lib"}) append_once(folders, fs::path(root) / library);
  }
  return folders;
}

// Tries places one after the other and remembers what was wrong with each.
class Attempts {
 public:
  explicit Attempts(const std::vector<std::string>& sonames) : sonames_(sonames) {}

  // A path, or a bare name for the loader's own search.
  void* load(const std::string& file) {
    void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      const char* error = dlerror();
      failures_.emplace_back(error != nullptr ? error : file + ": dlopen failed without a reason");
    }
    return handle;
  }

  void* load_from_loader() {
    for (const std::string& soname : sonames_) {
      if (void* handle = load(soname)) return handle;
    }
    return nullptr;
  }

  void* load_from(const fs::path& folder) {
    std::error_code error;
    bool present = false;
    for (const std::string& soname : sonames_) {
      if (!fs::exists(folder / soname, error)) continue;
      present = true;
      if (void* handle = load((folder / soname).string())) return handle;
    }
    if (!present) failures_.push_back(fmt::format("{}: holds no {}", folder.string(), fmt::join(sonames_, ", ")));
    return nullptr;
  }

  [[nodiscard]] std::string failures() const { return fmt::format("{}", fmt::join(failures_, "; ")); }

 private:
  const std::vector<std::string>& sonames_;
  std::vector<std::string> failures_;
};

// What a set variable names, or nothing with the reason: the user asked for exactly this one.
void* load_named(const LibrarySearch& search, const std::string& place, Attempts& attempts, std::string& reason) {
  std::error_code error;
  if (!fs::exists(place, error)) {
    reason =
        fmt::format("{}: {}={} is neither a file nor a folder; correct it or unset it", search.name, search.variable, place);
    return nullptr;
  }
  void* handle = fs::is_directory(place, error) ? attempts.load_from(place) : attempts.load(fs::absolute(place).string());
  if (handle == nullptr) {
    reason = fmt::format("{}: {}={} does not work ({}); correct it or unset it", search.name, search.variable, place,
                         attempts.failures());
  }
  return handle;
}

void* search_places(const LibrarySearch& search, Attempts& attempts, std::string& reason) {
  if (void* handle = attempts.load_from_loader()) return handle;
  std::vector<fs::path> folders;
  if (search.cuda_toolkit) folders = toolkit_folders();
  if (!search.python_folder.empty()) {
    for (const fs::path& folder : python_folders(search.python_folder)) append_once(folders, folder);
  }
  for (const fs::path& folder : folders) {
    if (void* handle = attempts.load_from(folder)) return handle;
  }
  reason = fmt::format("{} not found or not loadable: {}", search.name, attempts.failures());
  if (!search.variable.empty()) reason += fmt::format("; {} may name its file or folder", search.variable);
  return nullptr;
}

std::string resolved_path(void* handle) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0 || map == nullptr) return "";
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(map->l_name, error);
  return error ? map->l_name : resolved.string();
}

}  // namespace

std::optional<DynamicLibrary> DynamicLibrary::open(const LibrarySearch& search, std::string& reason) {
  Attempts attempts(search.sonames);
  const std::string named = search.variable.empty() ? "" : variable(search.variable.c_str());
  void* handle = named.empty() ? search_places(search, attempts, reason) : load_named(search, named, attempts, reason);
  if (handle == nullptr) return std::nullopt;
  DynamicLibrary library;
  library.handle_ = std::shared_ptr<void>(handle, [](void* open) { dlclose(open); });
  library.path_ = resolved_path(handle);
  library.name_ = search.name;
  return library;
}

void* DynamicLibrary::address(const char* symbol, bool required) const {
  void* found = dlsym(handle_.get(), symbol);
  if (found == nullptr && required) {
    throw Error(fmt::format("{} ({}) has no function {}; another version of {} is needed", name_, path_, symbol, name_));
  }
  return found;
}

}  // namespace rtxbench
