#include "cli/cli.hpp"

int main(int argc, char** argv) { return rtxbench::run_cli(argc, argv, rtxbench::make_registry()); }
