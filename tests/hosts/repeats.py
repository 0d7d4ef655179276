#!/usr/bin/env python3
"""A hosted run is the same each time: ten transcripts of each scenario that a host is held to.

  tests/hosts/repeats.py AFTERSHOCK NAME [COMMAND]

COMMAND decides in the place of the installed host. By hand, as it takes minutes; of hosts without a
port unported.py looks at the same. Of Volcano, whose controller races in what it stores,
transcripts may differ in stored objects, and in nothing else.
"""
import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_REPEATS = 10
_STORES_IN_ANY_ORDER = ("volcano",)


def _scenarios(name: str) -> list[str]:
    listed = ROOT / f"policies/external/hosts/conform/{name}.json"
    return [case["scenario"] for case in json.loads(listed.read_text())["cases"]]


def _without_stored(line: str) -> str:
    """The line of a transcript without the objects that another process of the host is to find."""
    told = json.loads(line)
    told.pop("hash", None)
    for message in (told.get("from"), *told.get("to", {}).get("events", ())):
        if isinstance(message, dict):
            message.pop("durable", None)
    return json.dumps(told)


def _talk(program: str, scenario: str, words: list[str], file: Path) -> tuple[str, str]:
    """The digest of one run's transcript, and that of it without stored objects."""
    subprocess.run([program, "run", scenario, *words, "--transcript", str(file), "--json"],
                   cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    text = file.read_text()
    file.unlink()
    rest = "".join(map(_without_stored, text.splitlines()))
    return hashlib.md5(text.encode()).hexdigest(), hashlib.md5(rest.encode()).hexdigest()


def main() -> int:
    """Runs all scenarios of the host's list."""
    program, name = str(Path(sys.argv[1]).resolve()), sys.argv[2]
    words = ["--policy-cmd", sys.argv[3]] if len(sys.argv) > 3 else \
        ["--policy", f"{name}@installed"]
    scenarios = _scenarios(name)
    others = 0
    with tempfile.TemporaryDirectory() as folder:
        for scenario in scenarios:
            talks = {_talk(program, scenario, words, Path(folder) / "talk.ndjson")
                     for _ in range(_REPEATS)}
            decided = {rest for _, rest in talks}
            if len(talks) > 1:
                others += len(decided) > 1 or name not in _STORES_IN_ANY_ORDER
                print(f"{scenario}: {len(talks)} transcripts in {_REPEATS} runs, and "
                      f"{len(decided)} without what is stored")
    print(f"{len(scenarios)} scenarios of {name}, each {_REPEATS} times: {others} not the same")
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main())
