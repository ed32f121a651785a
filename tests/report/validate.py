#!/usr/bin/env python3
"""Validates rtxbench reports against configs/report.schema.json, and that they are strict JSON in UTF-8.

    tests/report/validate.py [--schema FILE] REPORT.json...

Exit 0: all valid; 1: at least one is not, with the JSON path of each fault; 2: usage, or jsonschema is missing.
"""
import argparse
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    sys.exit("validate.py needs the Python package jsonschema:  apt-get install python3-jsonschema")

DEFAULT_SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "configs" / "report.schema.json"


def strict_json(text):
    """json.loads, without the NaN and Infinity that Python takes and JSON lacks, and without keys given twice."""

    def refuse_constant(name):
        raise ValueError(f"{name} is not JSON")

    def unique(pairs):
        keys = [key for key, _ in pairs]
        twice = {key for key in keys if keys.count(key) > 1}
        if twice:
            raise ValueError(f"keys given twice: {sorted(twice)}")
        return dict(pairs)

    return json.loads(text, parse_constant=refuse_constant, object_pairs_hook=unique)


def load_validator(path=DEFAULT_SCHEMA):
    schema = strict_json(pathlib.Path(path).read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def json_path(parts):
    text = ""
    for part in parts:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return text.lstrip(".") or "document"


def faults(validator, document):
    """One line per fault, in document order."""
    found = sorted(validator.iter_errors(document), key=lambda error: [str(part) for part in error.absolute_path])
    return [f"{json_path(error.absolute_path)}: {error.message[:200]}" for error in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--schema", default=DEFAULT_SCHEMA)
    parser.add_argument("reports", nargs="+", metavar="REPORT.json")
    arguments = parser.parse_args()
    validator = load_validator(arguments.schema)
    bad = 0
    for name in arguments.reports:
        try:
            lines = faults(validator, strict_json(pathlib.Path(name).read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            lines = [str(error)]
        for line in lines:
            print(f"{name}: {line}", file=sys.stderr)
        if not lines:
            print(f"{name}: valid")
        bad += bool(lines)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
