#!/usr/bin/env python3
"""Plays the rows of tests/live/plans/BACKEND.json on real processes, two at a time.

  PYTHON tests/live/backend.py BACKEND [--all] [--only NAME] [--bare] [--keep FOLDER]

Rows that are not `quick` are played with --all. PYTHON has the backend.
"""
import argparse
import concurrent.futures
import json
import subprocess
import sys
import time
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent.parent.parent)

from tests.live import driver  # noqa: E402


def wrong(expected: driver.Fact, got: driver.Fact) -> list[str]:
    """Unmet expectations: values, one of several in a list, or rules that are to be there."""
    found = []
    for key, value in expected.items():
        if key == "rules":
            found += [f"no decision by {rule}" for rule in value if rule not in got["rules"]]
        elif not (got[key] in value if isinstance(value, list) and key != "causes"
                  and key != "faults" else got[key] == value):
            found.append(f"{key}: expected {json.dumps(value)}, got {json.dumps(got[key])}")
    return found


def play_row(row: driver.Fact, base: driver.Fact, bare: bool, keep: Path | None) -> bool:
    """Whether the row holds; prints what does not."""
    plan = driver.merged(base, row["plan"])
    began = time.monotonic()
    facts, code = driver.play(plan, sys.executable, bare,
                              None if keep is None else (keep / f"{row['name']}.err").open("wb"))
    took_s = time.monotonic() - began
    got = driver.summary(facts)
    failed = wrong(row["expect"], got) if facts else ["no facts"]
    if facts and (breach := driver.out_of_order(facts)):
        failed.append(breach)
    if code != 0:
        failed.append(f"exit code {code}")
    if keep is not None:
        (keep / f"{row['name']}.facts.ndjson").write_text(
            "".join(json.dumps(fact, separators=(",", ":")) + "\n" for fact in facts),
            encoding="utf-8")
    print(f"{'FAIL' if failed else 'ok  '} {row['name']} {took_s:.1f} s: {got['outcome']} "
          f"{got['reason']} attempts {got['attempts']} charges {got['charges']} "
          f"{'; '.join(failed)}", flush=True)
    return not failed


def main() -> int:
    """0 where all rows hold."""
    parser = argparse.ArgumentParser()
    parser.add_argument("backend")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--bare", action="store_true")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    table = json.loads((driver.ROOT / "tests/live/plans" / f"{given.backend}.json").read_text())
    bare = given.bare or not driver.namespaces()
    rows = [row for row in table["rows"]
            if (row["name"] in given.only if given.only else given.all or row.get("quick"))
            and not (bare and row.get("namespaces"))]
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        held = list(pool.map(lambda row: play_row(row, table["base"], bare, given.keep), rows))
    print(f"{sum(held)} of {len(held)} rows hold")
    return 0 if all(held) and held else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.SubprocessError as error:
        sys.exit(str(error))
