#!/usr/bin/env python3
"""Tests of the reckoning: ratios, intervals, verdicts, and the reading of callgrind's files."""

from __future__ import annotations

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import against
import callgrind
import instructions
import ratios
from workloads import ROOT, WORKLOADS

# As callgrind 3.19 writes it: a name stands where its number is met first, and the line behind
# calls= is what the called function cost in all.
PROFILE = """\
# callgrind format
version: 1
positions: line
events: Ir
summary: 165

ob=(1) /lib/x.so
fl=(1) x.cpp
fn=(1) main
0 10
+4 5
cfn=(2) play(int)
calls=2 +3
* 150

fn=(2)
12 100
-2 20
cfn=(3) draw
calls=1 0
0 30

fn=(3)
0 30

totals: 165
"""


def counted(number: int, processes: int = 1) -> callgrind.Count:
    """A count without functions."""
    return callgrind.Count(number, processes, {}, "")


class Reading(unittest.TestCase):
    """Files of callgrind."""

    def test_functions_have_what_they_execute_themselves(self) -> None:
        self.assertEqual(callgrind.own_costs(PROFILE), {"main": 15, "play(int)": 120, "draw": 30})

    def test_processes_are_added_up(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for process in ("11", "12", "13"):
                (Path(folder) / process).write_text(PROFILE)
            found = callgrind.read(Path(folder))
        self.assertEqual((found.instructions, found.processes), (495, 3))
        self.assertEqual(found.functions["play(int)"], 360)

    def test_a_profile_cut_off_anywhere_is_an_error(self) -> None:
        for length in range(len(PROFILE)):
            with self.assertRaises(callgrind.CutOff):
                callgrind.total(PROFILE[:length], "11")

    def test_no_profile_is_an_error(self) -> None:
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(callgrind.CutOff):
            callgrind.read(Path(folder))

    def test_a_complaint_is_the_first_line_of_the_program(self) -> None:
        said = "==12== Warning\n\na.json:1:1: no such key\nmore\n"
        self.assertEqual(callgrind.complaint(said, 2), "a.json:1:1: no such key")
        self.assertEqual(callgrind.complaint("", 2), "exits with 2")


class Ratios(unittest.TestCase):
    """Pairs and their intervals."""

    def test_as_many_are_left_out_as_the_tables_of_the_sign_test_say(self) -> None:
        table = {5: -1, 6: 0, 8: 0, 9: 1, 12: 2, 15: 3, 20: 5, 25: 7, 30: 9, 50: 17, 100: 39}
        for pairs, left_out in table.items():
            self.assertEqual(ratios.left_out_at_each_end(pairs), left_out, pairs)

    def test_the_median_of_pairs_lies_in_its_interval(self) -> None:
        found = ratios.ratio([1.0] * 15, [0.9 + each / 100 for each in range(15)])
        self.assertAlmostEqual(found.median, 0.97)
        self.assertAlmostEqual(found.low, 0.93)
        self.assertAlmostEqual(found.high, 1.01)

    def test_three_disturbed_runs_do_not_move_it(self) -> None:
        found = ratios.ratio([2.0] * 15, [1.0] * 12 + [50.0] * 3)
        self.assertEqual(found, ratios.Ratio(0.5, 0.5, 0.5))

    def test_a_drift_that_both_share_does_not_show(self) -> None:
        old = [1.0 + each for each in range(10)]
        self.assertEqual(ratios.ratio(old, [2 * each for each in old]), ratios.Ratio(2, 2, 2))

    def test_too_few_pairs_and_halves_of_pairs_are_errors(self) -> None:
        for old, new in (([1.0] * 5, [1.0] * 5), ([1.0] * 8, [1.0] * 7)):
            with self.assertRaises(ValueError):
                ratios.ratio(old, new)

    def test_what_rose_most_comes_first_and_what_fell_not_at_all(self) -> None:
        old = {"a": 10, "b": 10, "c": 10}
        new = {"a": 11, "b": 5, "c": 40, "d": 7, "e": 7}
        self.assertEqual(ratios.risen(old, new, 3), [("c", 30), ("d", 7), ("e", 7)])
        self.assertEqual(ratios.risen(old, new, 9)[-1], ("a", 1))


class Judging(unittest.TestCase):
    """Counts and their baseline."""

    KEPT = {"instructions": 1_000_000, "processes": 2}

    def test_two_percent_either_way_are_allowed(self) -> None:
        for number in (980_000, 1_000_000, 1_020_000):
            self.assertEqual(instructions.judge("quickstart", counted(number), self.KEPT), "")

    def test_more_says_how_to_find_out(self) -> None:
        said = instructions.judge("quickstart", counted(1_031_000, 3), self.KEPT)
        for part in (
            "quickstart executes 3.1 % more",
            "2 % are allowed",
            "1,031,000 in 3 process",
            "1,000,000 in 2 process",
            "1.0310",
            "instructions.py --workload quickstart\n",
            "./dev bench --against REV",
            "--workload quickstart --accept",
        ):
            self.assertIn(part, said)

    def test_fewer_says_how_to_keep_it(self) -> None:
        said = instructions.judge("quickstart", counted(979_000), self.KEPT)
        self.assertIn("2.1 % fewer", said)
        self.assertIn("keep the gain", said)

    def test_a_new_workload_has_no_baseline(self) -> None:
        self.assertIn("--accept", instructions.judge("quickstart", counted(1), None))

    def test_a_baseline_of_another_place_says_which(self) -> None:
        held = {"system": "debian 12", "compiler": "gcc 12"}
        self.assertEqual(instructions.elsewhere(held, dict(held)), "")
        self.assertEqual(
            instructions.elsewhere(held, {"system": "debian 12", "compiler": "gcc 14"}),
            "compiler is gcc 14, not gcc 12",
        )

    def test_a_program_says_its_compiler(self) -> None:
        gcc = b"\0GCC: (Debian 12.2.0-14) 12.2.0\0"
        self.assertEqual(instructions.compiler(gcc), "gcc 12")
        self.assertEqual(instructions.compiler(gcc + b"clang version 19.1.7\0"), "clang 19")
        self.assertEqual(instructions.compiler(b""), "unknown")


class Comparing(unittest.TestCase):
    """Rows of two builds."""

    ROW = against.Row(
        "quickstart",
        old_seconds=0.02,
        new_seconds=0.01,
        seconds=ratios.Ratio(0.5, 0.48, 0.53),
        old_instructions=1000,
        new_instructions=1100,
        risen=(("play(int)", 90), ("draw", 8)),
    )

    def test_a_row_has_both_ratios(self) -> None:
        text = self.ROW.as_text("v1")
        for part in ("0.500 (0.480 to 0.530)", "1,000", "1,100", "1.1000"):
            self.assertIn(part, text)
        self.assertEqual(self.ROW.as_json()["instructions"]["ratio"], 1.1)
        self.assertEqual(against.details(self.ROW)[1], "  +90  play(int)")

    def test_a_workload_that_the_old_build_refuses_says_why(self) -> None:
        row = against.Row("quickstart", refused="no such command")
        self.assertIn("not in v1: no such command", row.as_text("v1"))
        self.assertEqual(row.as_json(), {"name": "quickstart", "not_in_rev": "no such command"})

    def test_host_time_is_no_other_output(self) -> None:
        texts = ("seed 1, simulated in 0.01 s", "seed 1, simulated in 12.5 s")
        self.assertEqual(*map(against.without_host_time, texts))

    def test_a_program_that_fails_is_refused(self) -> None:
        with self.assertRaises(callgrind.Refused), contextlib.redirect_stderr(io.StringIO()):
            against.sample(WORKLOADS[0], Path("/bin/false"))
        self.assertGreater(against.sample(WORKLOADS[0], Path("/bin/true")), 0)


class Workloads(unittest.TestCase):
    """The table itself."""

    def test_scenarios_are_in_the_tree_and_written_files_are_not(self) -> None:
        for workload in WORKLOADS:
            command = workload.command(Path("aftershock"), Path("there"))
            self.assertTrue((ROOT / workload.scenario).is_file(), command)
            self.assertFalse(any("SCRATCH" in word for word in command), command)

    def test_nothing_of_the_caller_is_in_the_environment(self) -> None:
        shown = callgrind.environment(Path("a.so"))
        self.assertIn("-AVX2,", shown["GLIBC_TUNABLES"])
        self.assertNotIn("HOME", shown)


if __name__ == "__main__":
    unittest.main()
