#!/usr/bin/env python3
"""What the program writes fits configs/report.schema.json, and what is damaged does not.

    schema_test.py PROGRAM    PROGRAM DIRECTORY writes full.json (every field filled), bare.json (everything optional absent) and
                              hostile.json (non-finite numbers, invalid UTF-8) there.
"""
import copy
import pathlib
import subprocess
import sys
import tempfile
import unittest

import validate

PROGRAM = sys.argv.pop() if len(sys.argv) > 1 else None
RECORD = ("records", 0)

# (where, new value); None as the last step's value means: delete the key.
DAMAGE = [
    ((), "schema_version", 2), ((), "schema_version", None), ((), "records", None), ((), "record", []),
    ((), "processes", 0), (("environment",), "devises", []), (("environment",), "memory_bytes", 0),
    (("environment",), "started_at", "yesterday"), (("environment", "variables"), "A", 1),
    (("parameters",), "seed", -1), (("parameters",), "min_time", 0.5), (("parameters",), "spin", "yes"),
    (RECORD, "status", "fine"), (RECORD, "metrics", None), (RECORD, "telemetry", {}),
    (RECORD + ("case",), "id", ""), (RECORD + ("case", "values"), "m", [4096]), (RECORD + ("work",), "flop", 1.5),
    (RECORD + ("math",), "multiply", "fp12"), (RECORD + ("telemetry",), "power_w", "high"),
    (RECORD + ("telemetry",), "powerw", 1), (RECORD + ("verification",), "coverage", "some"),
    (RECORD + ("measurement", "time"), "median_s", "fast"), (RECORD + ("measurement",), "samples_s", ["1"]),
    (RECORD + ("measurement",), "stop_reason", "tired"), (RECORD + ("measurement", "method"), "calls_per_sample", 0),
    (RECORD + ("device",), "pci_device_id", 0), (RECORD + ("peak",), "share_of_peak", -0.1), (RECORD, "flags", [{"name": ""}]),
]


class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.validator = validate.load_validator()
        cls.folder = tempfile.TemporaryDirectory()
        subprocess.run([PROGRAM, cls.folder.name], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def read(self, name):
        return validate.strict_json((pathlib.Path(self.folder.name) / name).read_text(encoding="utf-8"))

    def test_reports_are_valid(self):
        for name in ("full.json", "bare.json", "hostile.json"):
            with self.subTest(name):
                self.assertEqual(validate.faults(self.validator, self.read(name)), [])

    def test_every_field_of_the_schema_is_filled_in_full_json(self):
        """So that the first test cannot pass by nulls alone."""
        def check(value, path):
            self.assertNotIn(value, (None, "", [], {}), path)
            for key, item in (value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()):
                if path != "records.0.measurement.group_clocks_hz" and not path.endswith("processes.0.group_clocks_hz") \
                        and not path.endswith("processes.1.group_clocks_hz"):
                    check(item, f"{path}.{key}".lstrip("."))
        check(self.read("full.json"), "")

    def test_damage_is_refused(self):
        full = self.read("full.json")
        for path, key, value in DAMAGE:
            with self.subTest(path=path, key=key, value=value):
                document = copy.deepcopy(full)
                place = document
                for step in path:
                    place = place[step]
                if value is None:
                    del place[key]
                else:
                    place[key] = value
                self.assertTrue(validate.faults(self.validator, document))

    def test_fault13_a_record_that_failed_shows_no_speed_and_says_why(self):
        document = self.read("full.json")
        document["records"][0]["status"] = "wrong"
        self.assertTrue(validate.faults(self.validator, document))  # still has metrics
        document["records"][0]["metrics"] = None
        self.assertEqual(validate.faults(self.validator, document), [])
        document["records"][0]["reason"] = ""
        self.assertTrue(validate.faults(self.validator, document))

    def test_fault10_bare_nan_is_refused(self):
        for text in ('{"a": NaN}', '{"a": -Infinity}', '{"a": 1, "a": 2}'):
            with self.assertRaises(ValueError):
                validate.strict_json(text)

    def test_the_script_tells_valid_from_damaged(self):
        folder = pathlib.Path(self.folder.name)
        (folder / "cut.json").write_text((folder / "full.json").read_text()[:500])
        script = [sys.executable, validate.__file__]
        run = lambda *files: subprocess.run(script + [str(folder / f) for f in files], capture_output=True, text=True)
        self.assertEqual(run("full.json", "bare.json").returncode, 0)
        cut = run("full.json", "cut.json")
        self.assertEqual(cut.returncode, 1)
        self.assertIn("cut.json", cut.stderr)
        self.assertEqual(run("missing.json").returncode, 1)


if __name__ == "__main__":
    if PROGRAM is None:
        sys.exit(__doc__)
    unittest.main()
