"""Every command that README.md and docs/ show in a `sh` block is one that this build accepts. usage: readme_commands.py README RTXBENCH

Commands of rtxbench run; those that would measure get --dry-run, and what they write goes to an empty folder. Of other commands
the scripts and presets they name must exist.
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

# These print and end by themselves.
HARMLESS = {"list", "info", "schema", "report", "--version", "--help"}


def commands(text):
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            if words:
                yield line, words


def check_rtxbench(program, arguments, folder):
    end = arguments.index(">") if ">" in arguments else len(arguments)
    arguments = arguments[:end]
    if "|" in arguments:
        arguments = arguments[:arguments.index("|")]
    if not arguments or arguments[0] not in HARMLESS:
        if "--out" in arguments:  # a dry run has no report to keep
            place = arguments.index("--out")
            arguments = arguments[:place] + arguments[place + 2:]
        arguments = arguments + ["--dry-run"]
    if arguments[:1] == ["report"]:
        return None  # needs a kept report; the tests of the command line run it
    # On whatever machine this runs, a command for a card must parse; that there is no such card (5) is not its fault.
    result = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    return None if result.returncode in (0, 5) else f"exit {result.returncode}: {result.stderr.strip()}"


def check_other(words, root):
    if words[0].startswith(("scripts/", ".ci/")) and not (root / words[0]).is_file():
        return f"{words[0]} does not exist"
    if words[0] == "cmake" and "--preset" in words:
        presets = json.loads((root / "CMakePresets.json").read_text(encoding="utf-8"))
        kind = {"--workflow": "workflowPresets", "--build": "buildPresets"}.get(words[1], "configurePresets")
        name = words[words.index("--preset") + 1]
        if name not in {preset["name"] for preset in presets[kind]}:
            return f"no {kind} entry {name}"
    return None


def main():
    readme, program = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
    root = readme.parent
    failures, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for file in [readme, root / "CONTRIBUTING.md", *sorted((root / "docs").glob("*.md"))]:
            for line, words in commands(file.read_text(encoding="utf-8")):
                count += 1
                mine = words[0] == "scripts/run" or pathlib.PurePath(words[0]).name == "rtxbench"
                problem = (check_rtxbench(program, words[1:], folder) if mine else None) or check_other(words, root)
                if problem:
                    failures.append(f"{file.name}: {line}\n  {problem}")
    if count < 5:
        failures.append(f"only {count} commands found: has the format of the documents changed?")
    print("\n".join(failures) or f"{count} commands")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
