"""What a missing package or toolkit says at configuration. usage: configure_messages.py TREE CMAKE"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TREE, CMAKE = sys.argv[1:3]
PACKAGES = {
    "fmt": "libfmt-dev",
    "CLI11": "libcli11-dev",
    "nlohmann_json": "nlohmann-json3-dev",
    "GTest": "libgtest-dev",
    "OpenBLAS": "libopenblas-dev",
}


class ConfigureMessages(unittest.TestCase):
    def configure(self, *options, nvcc):
        with tempfile.TemporaryDirectory() as build:
            environment = {**os.environ, "CUDACXX": nvcc}
            result = subprocess.run([CMAKE, "-S", TREE, "-B", build, "-G", "Ninja", *options], capture_output=True, text=True,
                                    env=environment, check=False)
            # CMake breaks lines of its own accord.
            return result.returncode, re.sub(r"\s+", " ", result.stdout + result.stderr)

    def test_each_missing_package_is_named_with_what_to_install(self):
        for package, apt in PACKAGES.items():
            with self.subTest(package=package):
                code, text = self.configure("-DRTXBENCH_CUDA=OFF", f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON", nvcc="")
                self.assertNotEqual(code, 0)
                self.assertIn(f"rtxbench needs {package}", text)
                self.assertRegex(text, rf"apt-get install [a-z0-9 -]*{apt}")

    def test_without_a_toolkit_auto_builds_for_the_cpu_and_on_refuses(self):
        code, text = self.configure(nvcc="/nowhere/nvcc")
        self.assertEqual(code, 0, text)
        self.assertIn("CPU only, because no CUDA Toolkit was found", text)
        code, text = self.configure("-DRTXBENCH_CUDA=ON", nvcc="/nowhere/nvcc")
        self.assertNotEqual(code, 0)
        self.assertIn("RTXBENCH_CUDA=ON needs a CUDA Toolkit >= 12.8, but no CUDA Toolkit was found", text)
        self.assertEqual(text.count("CMake Error"), 1, text)

    def test_an_old_toolkit_is_named_with_its_version(self):
        with tempfile.TemporaryDirectory() as folder:
            nvcc = pathlib.Path(folder) / "nvcc"
            nvcc.write_text("#!/bin/sh\necho 'Cuda compilation tools, release 11.8, V11.8.89'\n", encoding="utf-8")
            nvcc.chmod(0o755)
            code, text = self.configure(nvcc=str(nvcc))
            self.assertEqual(code, 0, text)
            self.assertIn("CPU only, because the CUDA Toolkit found is 11.8", text)
            code, text = self.configure("-DRTXBENCH_CUDA=ON", nvcc=str(nvcc))
            self.assertNotEqual(code, 0)
            self.assertIn("the CUDA Toolkit found is 11.8", text)

    def test_another_value_of_the_option_is_refused(self):
        code, text = self.configure("-DRTXBENCH_CUDA=maybe", nvcc="")
        self.assertNotEqual(code, 0)
        self.assertIn("RTXBENCH_CUDA=maybe, but it takes AUTO, ON or OFF", text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
