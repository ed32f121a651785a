"""The arrows between the rooms: which folder may include which. usage: include_order.py TREE

Prints each include against the flow as file:line and exits 1; silent and 0 when there is none.
"""
import pathlib
import re
import sys

# Room -> what it may include besides its own folder. A room is the longest of these prefixes that fits the file.
ALLOWED = {
    "include/rtxbench": ["rtxbench/"],
    "src/core": ["rtxbench/"],
    "src/stats": ["rtxbench/", "core/"],
    "src/plan": ["rtxbench/", "core/"],
    "src/env": ["rtxbench/", "core/"],
    "src/report": ["rtxbench/", "core/"],
    "src/run": ["rtxbench/", "core/", "plan/", "stats/"],
    "src/cli": ["rtxbench/", "core/", "stats/", "plan/", "env/", "report/", "run/"],
    "src/main.cpp": ["cli/"],
    "src/backend": ["rtxbench/"],
    "kernels": ["rtxbench/"],
    "kernels/cuda": ["rtxbench/", "backend/cuda/check.hpp", "backend/cuda/*_library.hpp"],
    "benchmarks": ["rtxbench/"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
SUFFIXES = {".cpp", ".hpp", ".cu", ".cuh"}


def room_of(path):
    rooms = [room for room in ALLOWED if path == room or path.startswith(room + "/")]
    return max(rooms, key=len) if rooms else None


def own_folder(path):
    """How files of the same folder are included: from src/ without it, elsewhere from the root. kernels/cuda/sm90a and a
    backend's subfolders belong to kernels/cuda and backend/<name>."""
    parts = path.split("/")
    depth = 3 if parts[:2] == ["src", "backend"] else 2
    folder = "/".join(parts[:depth]) + "/"
    return folder.removeprefix("src/").removeprefix("include/")


def allowed(path, target):
    patterns = ALLOWED[room_of(path)] + [own_folder(path)]
    return any(target.startswith(p) if p.endswith("/") else pathlib.PurePath(target).match(p) for p in patterns)


def violations(tree):
    found = []
    for folder in ("include", "src", "kernels", "benchmarks"):
        for file in sorted((tree / folder).rglob("*")):
            if file.suffix not in SUFFIXES:
                continue
            path = file.relative_to(tree).as_posix()
            if room_of(path) is None:
                found.append(f"{path}:1: lies in no known room (tests/build/include_order.py lists them)")
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                include = INCLUDE.match(line)
                if include and not allowed(path, include.group(1)):
                    found.append(f'{path}:{number}: {room_of(path)} must not include "{include.group(1)}"')
    return found


def main():
    tree = pathlib.Path(sys.argv[1])
    if not (tree / "include/rtxbench").is_dir():
        sys.exit(f"{tree} is not a tree of rtxbench")
    found = violations(tree)
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
