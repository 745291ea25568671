#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables that bench/table.py renders: what is reached, missed, not built, and where they go."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
sys.dont_write_bytecode = True
import table  # noqa: E402


def result(name, median, peers=None, not_built=(), unit="ns"):
    cost = {"median": median, "p25": median, "p75": median}
    peers = peers or {}
    return {
        "name": name, "shape": "", "unit": unit, "better": "lower", "ours": cost, "not_built": list(not_built),
        "peers": {peer: {"median": value} for peer, value in peers.items()},
        "ratio": {peer: value / median for peer, value in peers.items() if median},
    }


class Table(unittest.TestCase):
    def verdict(self, target, measured):
        return table.verdict(target, measured)[2]

    def test_a_bound_on_the_time(self):
        self.assertTrue(self.verdict({"ns": 15}, result("a", 15)))
        self.assertFalse(self.verdict({"ns": 15}, result("a", 16)))

    def test_a_bound_on_the_ratio(self):
        target = {"peer": "p", "ratio": 1.5}
        self.assertTrue(self.verdict(target, result("a", 10, {"p": 15})))
        self.assertFalse(self.verdict(target, result("a", 10, {"p": 14})))

    def test_a_bound_beyond_a_peer(self):
        target = {"peer": "p", "beyond": True, "ns": 5}
        self.assertTrue(self.verdict(target, result("a", 8, {"p": 3})))
        self.assertFalse(self.verdict(target, result("a", 9, {"p": 3})))

    def test_a_peer_that_was_not_built_is_said_and_one_that_has_no_such_row_is_left_out(self):
        target = {"peer": "p", "ratio": 1}
        self.assertEqual(table.verdict(target, result("a", 1, not_built=["p"]))[0], "not built")
        self.assertIsNone(table.verdict(target, result("a", 1)))

    def test_the_count_of_reached_targets(self):
        targets = [{"row": "r", "cases": "^a", "ns": 5}]
        lines = table.target_table(targets, [result("a1", 4), result("a2", 6), result("b", 4)])
        self.assertEqual(lines[0], "1 of 2 comparisons reach their target.")
        self.assertIn("**missed**", lines[5])

    def test_the_tables_go_between_their_marks(self):
        text = f"before\n{table.BEGIN}\nold\n{table.END}\nafter\n"
        self.assertEqual(table.replace_between(text, "new"), f"before\n{table.BEGIN}\nnew\n{table.END}\nafter\n")
        with self.assertRaises(SystemExit):
            table.replace_between("no marks", "new")


if __name__ == "__main__":
    unittest.main()
