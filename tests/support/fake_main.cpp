// rtxbench with parts that exist nowhere: what the tests of the command line run. See support/fake_parts.hpp.
#include "cli/cli.hpp"
#include "support/fake_parts.hpp"

int main(int argc, char** argv) {
  rtxbench::fake::misbehave_at_start(argc > 1 ? argv[1] : "");
  return rtxbench::run_cli(argc, argv, rtxbench::fake::make_fake_registry());
}
