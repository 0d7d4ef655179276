#!/usr/bin/env python3
"""A host of what has no port: its scenarios come to what they expect, and to the same each time.

  tests/hosts/unported.py AFTERSHOCK NAME [COMMAND]

COMMAND decides in the place of the installed host. Invariants that a scenario expects to be
violated, by their places, are findings about the real code; any other is an error here.
"""
import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
_REPEATS = 10


def _policy(name: str, command: list[str]) -> list[str]:
    return ["--policy-cmd", command[0]] if command else ["--policy", f"{name}@installed"]


def _problems(scenario: Path, summary: dict[str, Any]) -> list[str]:
    problems = [f"{one['at']} is {one['got']!r}" for one in summary["expect"] if not one["ok"]]
    expected = {one["is"] for one in json.loads(scenario.read_text())["expect"]
                if one["at"].startswith("/invariants/violated/")}
    problems += [f"{one['id']}: {one['what']}" for one in summary["invariants"]["violated"]
                 if one["id"] not in expected]
    if summary["verdict"] not in ("passed", "failed") or \
            summary["verdict"] == "failed" and not expected and not problems:
        problems.append(f"verdict {summary['verdict']}: {summary['verdict_reason']}")
    return problems


def _run(program: str, scenario: Path, words: list[str], talk: Path) -> str:
    command = [program, "run", str(scenario.relative_to(ROOT)), *words, "--transcript", str(talk),
               "--json"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout


def main() -> int:
    """Runs all scenarios of the host."""
    program, name = str(Path(sys.argv[1]).resolve()), sys.argv[2]
    words = _policy(name, sys.argv[3:])
    scenarios = sorted((ROOT / "policies/external/hosts/scenarios" / name).glob("*.json"))
    if len(scenarios) < 20:
        print(f"{name} has {len(scenarios)} scenarios")
        return 1
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for scenario in scenarios:
            talks: set[str] = set()
            for repeat in range(_REPEATS):
                talk = Path(folder) / "talk.ndjson"
                text = _run(program, scenario, words, talk)
                talks.add(hashlib.md5(talk.read_bytes()).hexdigest())
                for problem in _problems(scenario, json.loads(text)) if repeat == 0 else ():
                    failed += 1
                    print(f"{scenario.stem}: {problem}")
            if len(talks) != 1:
                failed += 1
                print(f"{scenario.stem}: {len(talks)} transcripts in {_REPEATS} runs")
    print(f"{len(scenarios)} scenarios of {name}, each {_REPEATS} times: {failed} problems")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
