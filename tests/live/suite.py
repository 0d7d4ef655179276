#!/usr/bin/env python3
"""The scenarios of scenarios/live on real processes, beside the simulated runs of the same:
suite.py AFTERSHOCK [--repeats N] [--shard K/N] [--facts FOLDER] [--pages write|hold] [NAME...]

NAME is a backend, or BACKEND/SCENARIO. The facts of live runs are kept in FOLDER, so that a suite
which was broken off goes on where it stopped, and a model that was mended is held against the same
runs; those of the project are in tests/data/live/runs. `--repeats 0` makes no run and reads those
that are kept. The table on standard output has a row a scenario: how often outcome, attempts,
charges and decisions were those of the simulated run, and how long the live runs took. Pages have
these tables: `write` puts them there, `hold` ends with 1 where a page has another one. Else it
ends with 1 where a run could not be made, and a difference is a finding and not a failure.
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).resolve().parents[2])

from tests.live.tables import (  # noqa: E402
    ROOT,
    SCENARIOS,
    Page,
    Row,
    controllers,
    sums,
    table,
)

PAGES = (ROOT / "docs/live.md", ROOT / "README.md")


def say(text: str) -> None:
    """Tells what goes on; the tables alone go to standard output."""
    print(text, file=sys.stderr, flush=True)


def scenarios(names: list[str]) -> list[str]:
    """Those that are asked for, as BACKEND/SCENARIO, in order."""
    every = [f"{path.parent.name}/{path.stem}" for path in sorted(SCENARIOS.glob("*/*.json"))]
    if not names:
        return every
    chosen = [one for one in every if one in names or one.split("/")[0] in names]
    for name in names:
        if not any(one == name or one.startswith(name + "/") for one in every):
            raise SystemExit(f"suite.py: {name}: no such backend or scenario in scenarios/live")
    return chosen


def run(words: list[str]) -> subprocess.CompletedProcess[str]:
    """Runs a command whose own limits end it; the suite waits for ten minutes at most."""
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=600)


def live(program: str, name: str, words: list[str]) -> tuple[dict[str, Any], str]:
    """What `live` says of a scenario's run, or why there is none."""
    done = run([program, "live", str(SCENARIOS / f"{name}.json"), "--backend", name.split("/")[0],
                "--json", *words])
    if not done.stdout:
        return {}, done.stderr.strip()[-300:] or f"exit code {done.returncode}"
    told: dict[str, Any] = json.loads(done.stdout)
    return told, str(told["verdict_reason"]) if told["verdict"] == "invalid" else ""


def make_live(program: str, name: str, kept: Path) -> str:
    """Makes the live run of a scenario unless it is there; the reason why it could not be."""
    if kept.exists():
        return ""
    kept.parent.mkdir(parents=True, exist_ok=True)
    made = kept.with_name(f"part-{kept.name}")
    made.unlink(missing_ok=True)
    _, problem = live(program, name, ["--keep-facts", str(made)])
    if not problem:
        made.rename(kept)
    return problem


def recorded(program: str, name: str, facts: list[Path], folder: Path) -> list[Path]:
    """The recordings that kept facts make."""
    recordings = []
    for number, kept in enumerate(facts):
        recording = folder / f"live-{number}.aftershock"
        _, problem = live(program, name, ["--facts", str(kept), "--record", str(recording)])
        if problem:
            raise RuntimeError(problem)
        recordings.append(recording)
    return recordings


def held(program: str, name: str, simulated: Path, lives: list[Path],
         words: list[str]) -> list[list[Row]] | None:
    """The lines of `compare` for the scenario's run in simulated time beside each of the live
    runs. None: it has no such run."""
    run([program, "run", str(SCENARIOS / f"{name}.json"), *words, "--record", str(simulated),
         "--quiet"])
    if not simulated.exists():
        return None
    compared = [run([program, "compare", str(simulated), str(one), "--json"]) for one in lives]
    simulated.unlink()
    if any(not done.stdout for done in compared):
        return None
    return [json.loads(done.stdout)["lines"] for done in compared]


def rows_of(program: str, name: str, facts: list[Path], installed: bool) -> list[Row]:
    """A row a live run: the model, and the installed code in simulated time, beside it."""
    family = {"ray": "ray_train"}.get(name.split("/")[0], name.split("/")[0])
    with tempfile.TemporaryDirectory() as folder:
        simulated = Path(folder) / "simulated.aftershock"
        lives = recorded(program, name, facts, Path(folder))
        model = held(program, name, simulated, lives, [])
        if model is None:
            raise RuntimeError(f"{name}: its simulated run cannot be compared")
        hosted = held(program, name, simulated, lives, ["--policy", f"{family}@installed"]) \
            if installed else None
    return [{"scenario": name, "lines": lines, "installed": None if hosted is None else hosted[i]}
            for i, lines in enumerate(model)]


def played(program: str, names: list[str], repeats: int, kept: Path,
           installed: bool) -> tuple[list[Row], bool]:
    """All rows, and whether a run could not be made or read. The first runs of all scenarios come
    before the second ones, so that a suite that is broken off has something of each."""
    failed = False
    for number in range(1, repeats + 1):
        for name in names:
            facts = kept / f"{name}-{number}.facts.ndjson.zst"
            if not facts.exists():
                say(f"{name}, run {number}")
            if problem := make_live(program, name, facts):
                failed = True
                say(f"{name}: {problem}")
    rows: list[Row] = []
    for name in names:
        mine = sorted(kept.glob(f"{name}-[0-9]*.facts.ndjson.zst"))
        try:
            rows += rows_of(program, name, mine, installed) if mine else []
        except RuntimeError as problem:
            failed = True
            say(f"{name}: {problem}")
    return rows, failed


def hold(tables: dict[str, str], installed: bool) -> bool:
    """Whether the pages have these tables; says what else they have."""
    different = [word for page in map(Page, PAGES) for name, text in tables.items()
                 if (word := page.first_difference(name, text, installed))]
    for word in different:
        say(word + "\n./dev live --repeats 0 --facts tests/data/live/runs --pages write")
    return not different


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description="scenarios/live beside their simulated runs")
    parser.add_argument("program")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--repeats", type=int, default=1,
                        help="of each at least; 0: those that are kept")
    parser.add_argument("--shard", default="1/1", help="K/N: every Nth scenario from the Kth on")
    parser.add_argument("--facts", type=Path,
                        help="where facts of live runs are kept, and taken from if they are there")
    parser.add_argument("--pages", choices=("write", "hold"), help="the tables in pages")
    parser.add_argument("--no-installed", action="store_true",
                        help="without the installed code in simulated time")
    arguments = parser.parse_intermixed_args()
    nth, of = (int(number) for number in arguments.shard.split("/"))
    if not 1 <= nth <= of:
        parser.error("--shard K/N: K is from 1 to N")
    names = scenarios(arguments.names)[nth - 1::of]
    if arguments.pages and (arguments.names or of > 1):
        parser.error("--pages: pages have the tables of all scenarios")
    installed = not arguments.no_installed
    with tempfile.TemporaryDirectory() as folder:
        rows, failed = played(arguments.program, names, arguments.repeats,
                              arguments.facts or Path(folder), installed)
    tables = {"scenarios": table(rows, names), "controllers": controllers(rows),
              "sums": sums(rows, names)}
    print("\n\n".join(tables.values()))
    if arguments.pages == "write":
        for page in map(Page, PAGES):
            for name, text in tables.items():
                page.write(name, text)
    elif arguments.pages == "hold":
        failed = not hold(tables, installed) or failed
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
