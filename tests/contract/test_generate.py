"""generate.py refuses a table with a hole."""

import pathlib
import sys
import tomllib
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from generate import faults  # noqa: E402

ERROR = {"id": "2.1/a", "text": "t", "family": "Dispatch", "trigger": "when", "remedy": "then", "scenario": "s"}
OUTCOME = {"id": "1.2/a", "outcome": "o", "scenario": "s"}
UNKNOWN = {"id": "2.9/a", "text": "t", "reason": "because"}


class Generate(unittest.TestCase):
    def test_whole_rows_are_taken(self):
        self.assertEqual(faults([ERROR, OUTCOME, UNKNOWN]), [])

    def test_the_table_is_whole(self):
        table = tomllib.loads((pathlib.Path(__file__).parent / "table.toml").read_text())
        self.assertEqual(faults(table["row"]), [])
        sections = {row["id"].split("/")[0] for row in table["row"]}
        self.assertLessEqual(set(table["sections"]), sections)

    def test_holes_are_named(self):
        for row, says in ((({**OUTCOME, "reason": "r"}), "either a scenario or a reason"),
                          ({k: v for k, v in OUTCOME.items() if k != "scenario"}, "either a scenario or a reason"),
                          ({k: v for k, v in OUTCOME.items() if k != "outcome"}, "either a text or an outcome"),
                          ({k: v for k, v in ERROR.items() if k != "family"}, "the family"),
                          ({**ERROR, "family": "Other"}, "the family"),
                          ({k: v for k, v in ERROR.items() if k != "remedy"}, "a trigger and a remedy"),
                          ({**UNKNOWN, "reason": ""}, "an empty reason"),
                          ({**UNKNOWN, "color": "red"}, "the unknown field color")):
            with self.subTest(row=row):
                self.assertTrue(any(says in fault for fault in faults([row])), faults([row]))
        self.assertEqual(faults([OUTCOME, OUTCOME]), ["1.2/a is there twice"])


if __name__ == "__main__":
    unittest.main()
