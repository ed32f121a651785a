"""A new benchmark and a new provider are one new file each. usage: one_file_each.py TREE COPY CMAKE OPTION...

Copies the tree, adds the two files of tests/build/example/, builds without CUDA and runs what was added. Nothing else is touched.
"""
import json
import pathlib
import shutil
import subprocess
import sys

TREE, COPY, CMAKE = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
OPTIONS = sys.argv[4:]
ADDED = {"benchmark.cpp": "benchmarks/example.cpp", "provider.cpp": "kernels/cpu/gemm_example.cpp"}


def run(*command, **keywords):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **keywords)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nended with {result.returncode}:\n{result.stdout}{result.stderr}")
    return result.stdout


def require(condition, message):
    if not condition:
        sys.exit(message)


def main():
    source = COPY / "source"
    # The build folder is kept beside it, so that a second run compiles only what changed.
    shutil.rmtree(source, ignore_errors=True)
    for name in ("CMakeLists.txt", "LICENSE", "README.md", "cmake", "configs", "docs", "include", "src", "kernels",
                 "benchmarks"):
        copy = shutil.copytree if (TREE / name).is_dir() else shutil.copy2
        source.mkdir(parents=True, exist_ok=True)
        copy(TREE / name, source / name)
    build = COPY / "build"
    run(CMAKE, "-S", source, "-B", build, "-G", "Ninja", "-DRTXBENCH_CUDA=OFF", "-DBUILD_TESTING=OFF", *OPTIONS)
    before = set(path.relative_to(source) for path in source.rglob("*"))
    for example, target in ADDED.items():
        shutil.copy2(pathlib.Path(__file__).parent / "example" / example, source / target)
    added = set(path.relative_to(source).as_posix() for path in source.rglob("*")) - set(p.as_posix() for p in before)
    require(added == set(ADDED.values()), f"added {added}")
    run(CMAKE, "--build", build, "--target", "rtxbench")  # finds the new files without being configured again

    program = build / "bin/rtxbench"
    listed = json.loads(run(program, "list", "--json"))
    require("example" in json.dumps(listed), f"list does not name the new benchmark: {listed}")
    report = json.loads(run(program, "example", "--device", "cpu", "--provider", "example", "--m", "64", "--quick", "--json", "-"))
    records = report["records"]
    require(len(records) == 1, f"one case was asked for, {len(records)} came")
    require(records[0]["status"] == "passed", f"the new provider did not pass: {records[0]}")
    require("@example" in json.dumps(records[0]), f"the row does not name the provider: {records[0]}")


if __name__ == "__main__":
    main()
