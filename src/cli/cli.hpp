// The command line: text in, exit code out. main() is one call of this.
#pragma once

#include "rtxbench/registry.hpp"

namespace rtxbench {

[[nodiscard]] int run_cli(int argc, char** argv, const Registry& registry);

}  // namespace rtxbench
