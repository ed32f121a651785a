"""Plants includes into small trees and checks that include_order.py allows and refuses the right ones."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).with_name("include_order.py")
REFUSED = [
    ("src/core/a.cpp", "plan/plan.hpp"),
    ("src/stats/a.cpp", "run/protocol.hpp"),
    ("src/plan/a.cpp", "stats/stats.hpp"),
    ("src/report/a.cpp", "run/supervisor.hpp"),
    ("src/env/a.cpp", "cli/cli.hpp"),
    ("src/run/a.cpp", "report/sinks.hpp"),
    ("src/run/a.cpp", "backend/cpu/cpu_device.hpp"),
    ("src/cli/a.cpp", "backend/cuda/cuda_device.hpp"),
    ("src/main.cpp", "run/worker.hpp"),
    ("src/backend/cpu/a.cpp", "backend/cuda/check.hpp"),
    ("src/backend/cpu/a.cpp", "core/json_archive.hpp"),
    ("kernels/cpu/a.cpp", "backend/cpu/cpu_device.hpp"),
    ("kernels/cuda/a.cu", "backend/cuda/cuda_device.hpp"),
    ("kernels/cuda/a.cu", "kernels/cpu/common_convert.hpp"),
    ("benchmarks/a.cpp", "plan/plan.hpp"),
    ("include/rtxbench/a.hpp", "core/json_archive.hpp"),
    ("src/elsewhere/a.cpp", "rtxbench/error.hpp"),
]
ALLOWED = [
    ("src/core/a.cpp", "core/json_archive.hpp"),
    ("src/run/a.cpp", "plan/plan.hpp"),
    ("src/cli/a.cpp", "run/supervisor.hpp"),
    ("src/main.cpp", "cli/cli.hpp"),
    ("src/backend/cpu/a.cpp", "backend/cpu/cpu_device.hpp"),
    ("kernels/cuda/a.cu", "backend/cuda/check.hpp"),
    ("kernels/cuda/sm90a/a.cu", "backend/cuda/cublas_library.hpp"),
    ("kernels/cuda/sm90a/a.cu", "kernels/cuda/tiles.hpp"),
    ("benchmarks/a.cpp", "rtxbench/problems/gemm.hpp"),
    ("include/rtxbench/a.hpp", "rtxbench/error.hpp"),
]


class IncludeOrder(unittest.TestCase):
    def check(self, path, target, directive="#include"):
        with tempfile.TemporaryDirectory() as tree:
            (pathlib.Path(tree) / "include/rtxbench").mkdir(parents=True)
            file = pathlib.Path(tree) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f'// first line\n{directive} "{target}"\n', encoding="utf-8")
            return subprocess.run([sys.executable, CHECKER, tree], capture_output=True, text=True, check=False)

    def test_refuses_includes_against_the_flow(self):
        for path, target in REFUSED:
            with self.subTest(path=path, target=target):
                result = self.check(path, target)
                self.assertEqual(result.returncode, 1)
                self.assertIn(path, result.stdout)

    def test_allows_includes_along_the_flow(self):
        for path, target in ALLOWED:
            with self.subTest(path=path, target=target):
                self.assertEqual(self.check(path, target).stdout, "")
                self.assertEqual(self.check(path, target).returncode, 0)

    def test_spaces_in_the_directive_hide_nothing(self):
        result = self.check("src/core/a.cpp", "plan/plan.hpp", "  #  include")
        self.assertIn("src/core/a.cpp:2:", result.stdout)


if __name__ == "__main__":
    unittest.main()
