#!/usr/bin/env python3
"""Compares the bytes of two builds of the program: recordings, summaries, texts and transcripts.

Each shipped scenario and each random one runs under both builds. A case is a difference where the
exit code, the output, the messages or the recording differ; the commit that a recording names and
the time that a run took do not count. Every tenth random scenario runs its policies in a process
of their own, too, and the transcripts of that are compared.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXTENDED = ROOT / "scenarios/modelarts/four_nodes.json"
_LONGEST_SECONDS = 120
_MOST_PRINTED = 20
_TRANSCRIPT_EVERY = 10


@dataclasses.dataclass(frozen=True)
class Case:
    """A scenario and the way in which it runs: "json", "text" or "transcript"."""

    scenario: Path
    way: str


def arguments_of(case: Case, program: Path, written: Path) -> list[str]:
    """The arguments behind the program's name; `written` is the file beside the output."""
    run = ["run", str(case.scenario)]
    if case.way == "json":
        return [*run, "--json", "--record", str(written)]
    if case.way == "transcript":
        serve = ["--policy-cmd", f"'{program}' policies serve", "--transcript", str(written)]
        return [*run, "--json", *serve]
    return run


def without_build(data: bytes, program: Path) -> bytes:
    """The bytes without the commit, the program's path and the time that the run took."""
    data = re.sub(rb'"commit":"[^"]*"', b'"commit":""', data, count=1)
    # The digest of all lines, that with the commit too; "hash" is that of the records.
    data = re.sub(rb'"check":"[0-9a-f]{16}"}\n', b'"check":""}\n', data)
    data = re.sub(rb'"elapsed_s": [^\n]*', b'"elapsed_s"', data)
    data = re.sub(rb"simulated in [\d.]+ s", b"simulated", data)
    return data.replace(os.fsencode(program), b"PROGRAM")


def run(case: Case, program: Path) -> dict[str, bytes]:
    """Each thing that the run leaves, by name."""
    with tempfile.TemporaryDirectory() as scratch:
        # Messages name the file, so both builds write to files of one name.
        written = Path("written.aftershock")
        try:
            done = subprocess.run(
                [str(program), *arguments_of(case, program, written)],
                cwd=scratch,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_LONGEST_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return {"time": f"more than {_LONGEST_SECONDS} s".encode()}
        left = Path(scratch) / written
        return {
            "exit code": str(done.returncode).encode(),
            "output": without_build(done.stdout, program),
            "messages": without_build(done.stderr, program),
            "file": without_build(left.read_bytes(), program) if left.exists() else b"none",
        }


def difference(case: Case, old: Path, new: Path) -> str:
    """The first thing that differs, with both sides of it, or nothing."""
    before, after = run(case, old), run(case, new)
    for name in ("time", "messages", "exit code", "output", "file"):
        one, other = before.get(name, b"none"), after.get(name, b"none")
        if one != other:
            at = len(os.path.commonprefix([one, other]))
            near = slice(max(0, at - 60), at + 60)
            return (
                f"{case.scenario} ({case.way}): the {name} differs at byte {at}:\n"
                f"  old {one[near]!r}\n  new {other[near]!r}"
            )
    return ""


def cases_of(random_cases: Path, count: int, folder: Path) -> list[Case]:
    """The shipped scenarios as text and as JSON, and `count` random ones, written to `folder`."""
    shipped = [
        path
        for path in sorted((ROOT / "scenarios").rglob("*.json"))
        if not path.name.endswith(".schema.json")
    ]
    shutil.copy(EXTENDED, folder)
    subprocess.run([str(random_cases), str(folder), str(count)], check=True)
    random = [folder / f"{number}.json" for number in range(count)]
    return [
        *(Case(path, way) for path in shipped for way in ("json", "text")),
        *(Case(path, "json") for path in random),
        *(Case(path, "transcript") for path in random[::_TRANSCRIPT_EVERY]),
    ]


def main() -> int:
    """0: the same bytes; 1: there are differences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--old", type=Path, required=True, help="the program to compare with")
    parser.add_argument("--new", type=Path, required=True)
    parser.add_argument("--random-cases", type=Path, required=True, help="aftershock_random_cases")
    parser.add_argument("--count", type=int, default=2000, help="of random scenarios")
    given = parser.parse_args()
    old, new = given.old.resolve(), given.new.resolve()
    with (
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool,
    ):
        cases = cases_of(given.random_cases.resolve(), given.count, Path(folder))
        found = [text for text in pool.map(lambda case: difference(case, old, new), cases) if text]
    for text in found[:_MOST_PRINTED]:
        print(text)
    if len(found) > _MOST_PRINTED:
        print(f"... and {len(found) - _MOST_PRINTED} more")
    print(f"{len(cases)} cases, {len(found)} of them differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
