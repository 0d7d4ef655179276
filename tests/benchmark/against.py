#!/usr/bin/env python3
"""Compares two builds of the program on the workloads: processor time, and instructions.

Processor time is that of a workload's processes together, in user and in system mode. Builds take
turns, old new, new old, so that what else the machine does falls on both alike; a ratio is the
median of the pairs, with an interval of 95 %. Instructions are counted once: they repeat.
Both builds read the scenarios of this tree.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import callgrind
import instructions
import ratios
from workloads import ROOT, WORKLOADS, Workload

_FUNCTIONS = 10
_LONGEST_NAME = 84


@dataclasses.dataclass(frozen=True)
class Row:
    """A workload, compared; `refused` is what the old build said that does not know it."""

    name: str
    refused: str = ""
    old_seconds: float = 0
    new_seconds: float = 0
    seconds: ratios.Ratio | None = None
    old_instructions: int = 0
    new_instructions: int = 0
    same_output: bool = True
    risen: tuple[tuple[str, int], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The row for programs."""
        if self.seconds is None:
            return {"name": self.name, "not_in_rev": self.refused}
        return {
            "name": self.name,
            "seconds": {
                "old": self.old_seconds,
                "new": self.new_seconds,
                "ratio": self.seconds.median,
                "low": self.seconds.low,
                "high": self.seconds.high,
            },
            "instructions": {
                "old": self.old_instructions,
                "new": self.new_instructions,
                "ratio": self.new_instructions / self.old_instructions,
            },
            "same_output": self.same_output,
            "risen": [{"function": name, "by": rise} for name, rise in self.risen],
        }

    def as_text(self, rev: str) -> str:
        """The row of the table."""
        if self.seconds is None:
            return f"{self.name:24} not in {rev}: {self.refused}"
        time = self.seconds
        return (
            f"{self.name:24} {self.old_seconds:9.4f} {self.new_seconds:9.4f} "
            f"{time.median:7.3f} ({time.low:.3f} to {time.high:.3f}) "
            f"{self.old_instructions:15,} {self.new_instructions:15,} "
            f"{self.new_instructions / self.old_instructions:7.4f}"
            f"{'' if self.same_output else '  prints something else'}"
        )


HEAD = (
    f"{'workload':24} {'old, s':>9} {'new, s':>9} {'ratio (95 %)':>24} "
    f"{'old, instr.':>15} {'new, instr.':>15} {'ratio':>7}"
)


def sample(workload: Workload, program: Path) -> float:
    """Seconds of processor time that one run of the workload takes, children included."""
    total = 0.0
    for _ in range(workload.repeats):
        with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryFile("w+") as said:
            child = subprocess.Popen(
                workload.command(program, Path(scratch)),
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=said,
            )
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode != 0:
                said.seek(0)
                raise callgrind.Refused(callgrind.complaint(said.read(), child.returncode))
            total += usage.ru_utime + usage.ru_stime
    return total / workload.repeats


def timed(workload: Workload, old: Path, new: Path, pairs: int) -> tuple[list[float], list[float]]:
    """Pairs of samples, the old build before the new one in every other pair."""
    before: list[float] = []
    after: list[float] = []
    for pair in range(pairs):
        turns = [(before, old), (after, new)]
        for measured, program in turns if pair % 2 == 0 else reversed(turns):
            measured.append(sample(workload, program))
    return before, after


def without_host_time(output: str) -> str:
    """The output of a build without the time it took."""
    return re.sub(r"simulated in [\d.]+ s", "simulated", output)


def compare(workload: Workload, arguments: argparse.Namespace) -> Row:
    """Raises Refused if this tree's build does not do the workload."""
    old, new = arguments.old.resolve(), arguments.new.resolve()
    sample(workload, new)
    try:
        sample(workload, old)
    except callgrind.Refused as refused:
        return Row(workload.name, refused=str(refused))
    before, after = timed(workload, old, new, arguments.runs)
    counted_old = callgrind.count(workload, old, arguments.end_gently)
    counted_new = callgrind.count(workload, new, arguments.end_gently)
    change = counted_new.instructions - counted_old.instructions
    rose = 100 * change > instructions.LIMIT_PERCENT * counted_old.instructions
    return Row(
        workload.name,
        old_seconds=statistics.median(before),
        new_seconds=statistics.median(after),
        seconds=ratios.ratio(before, after),
        old_instructions=counted_old.instructions,
        new_instructions=counted_new.instructions,
        same_output=without_host_time(counted_old.output) == without_host_time(counted_new.output),
        risen=tuple(ratios.risen(counted_old.functions, counted_new.functions, _FUNCTIONS))
        if rose
        else (),
    )


def details(row: Row) -> list[str]:
    """Below the table: where the instructions of a workload rose."""
    if not row.risen:
        return []
    width = max(len(f"{rise:,}") for _, rise in row.risen)
    return [f"{row.name}: the functions that execute more instructions, themselves"] + [
        f"  +{rise:{width},}  {name[:_LONGEST_NAME]}" for name, rise in row.risen
    ]


def parse() -> argparse.Namespace:
    """The command line of `./dev bench --against REV`, which adds where the builds are."""
    parser = argparse.ArgumentParser(
        prog="./dev bench --against REV", allow_abbrev=False, add_help=False
    )
    parser.add_argument("--runs", type=int, default=15, metavar="N")
    parser.add_argument("--json", action="store_true")
    for built in ("--old", "--new", "--end-gently"):
        parser.add_argument(built, type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--rev", help=argparse.SUPPRESS)
    # Nothing but a look at the arguments, before minutes of building.
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.runs < ratios.FEWEST_PAIRS:
        parser.error(f"--runs is {ratios.FEWEST_PAIRS} at least: fewer make no interval of 95 %")
    return arguments


def main() -> int:
    """0 where all workloads could be compared or are not in the old build."""
    arguments = parse()
    if arguments.check:
        return 0
    rows: list[Row] = []
    failed = 0
    if not arguments.json:
        print(f"against {arguments.rev}, {arguments.runs} pairs; ratios are new over old")
        print(HEAD, flush=True)
    for workload in WORKLOADS:
        try:
            row = compare(workload, arguments)
        except (callgrind.Refused, callgrind.CutOff) as error:
            print(f"{workload.name}: {error}", file=sys.stderr)
            failed = 1
            continue
        rows.append(row)
        if not arguments.json:
            print(row.as_text(arguments.rev), flush=True)
    if arguments.json:
        shown = [row.as_json() for row in rows]
        document = {"rev": arguments.rev, "runs": arguments.runs, "workloads": shown}
        print(json.dumps(document, indent=1))
    else:
        for line in [line for row in rows for line in details(row)]:
            print(line)
    return failed


if __name__ == "__main__":
    sys.exit(main())
