#!/usr/bin/env python3
"""The scenarios of scenarios/live on real processes, beside the simulated runs of the same:
suite.py AFTERSHOCK [--repeats N] [--shard K/N] [--recordings FOLDER] [NAME...]

NAME is a backend, or BACKEND/SCENARIO. Live runs are kept in FOLDER, so that a suite which was
broken off goes on where it stopped, and a model that was mended is held against the same runs.
The table on standard output has a row a scenario: how often
outcome, attempts, charges and decisions were those of the simulated run, and how long the live
runs took. Ends with 1 where a run could not be made; a difference is a finding and not a failure.
"""
import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = ROOT / "scenarios/live"
PARTS = ("outcome", "attempts", "charges", "decisions")

Row = dict[str, Any]

# Whether decisions of agents about a fault of this kind would be the same over NCCL, and why. Gloo
# sees that a peer's socket closes, at once; NCCL's ranks wait for their watchdog.
_OWN = "the own agent's: yes, it waits for its processes; the peer's: no"
_NCCL = {
    "worker_crash": _OWN,
    "hang": "no: gloo's timeout ends it, over NCCL the watchdog's",
    "node_crash": "the store's answers: yes; the peer's collective: no",
    "partition": "the store's answers: yes; the peer's collective: no",
    "one_way_partition": "the store's answers: yes; the peer's collective: no",
    "full_disk": _OWN,
    "policy_crash": "the agents': yes; the ranks' collective: no",
    "user_interrupt": "yes: signals to agents",
}
_RAY = "yes: by actors and nodes, without a collective"


def say(text: str) -> None:
    """Tells what goes on; the table alone goes to standard output."""
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


def compare(program: str, simulated: Path, live: Path) -> Row:
    """What `compare` says of two recordings."""
    done = run([program, "compare", str(simulated), str(live), "--json"])
    if not done.stdout:
        raise RuntimeError(done.stderr.strip()[-300:])
    answer: Row = json.loads(done.stdout)
    return answer


def made_live(program: str, name: str, recording: Path) -> str:
    """Makes the live run of a scenario unless it is there; the reason why it could not be."""
    if recording.exists():
        return ""
    made = recording.with_name(f"part-{recording.name}")
    made.unlink(missing_ok=True)
    done = run([program, "live", str(SCENARIOS / f"{name}.json"), "--backend", name.split("/")[0],
                "--record", str(made), "--json"])
    if not done.stdout:
        return done.stderr.strip()[-300:] or f"exit code {done.returncode}"
    told = json.loads(done.stdout)
    if told["verdict"] == "invalid":
        return str(told["verdict_reason"])
    made.rename(recording)
    return ""


def held(program: str, name: str, simulated: Path, lives: list[Path],
         words: list[str]) -> list[list[Row]] | None:
    """The lines of `compare` for the scenario's run in simulated time beside each of the live
    runs. None: it has no such run."""
    run([program, "run", str(SCENARIOS / f"{name}.json"), *words, "--record", str(simulated),
         "--quiet"])
    if not simulated.exists():
        return None
    try:
        return [compare(program, simulated, live)["lines"] for live in lives]
    except RuntimeError:
        return None
    finally:
        simulated.unlink()


def rows_of(program: str, name: str, lives: list[Path]) -> list[Row]:
    """A row a live run: the model, and the installed code in simulated time, beside it."""
    family = {"ray": "ray_train"}.get(name.split("/")[0], name.split("/")[0])
    with tempfile.TemporaryDirectory() as folder:
        simulated = Path(folder) / "simulated.aftershock"
        model = held(program, name, simulated, lives, [])
        if model is None:
            raise RuntimeError(f"{name}: its simulated run cannot be compared")
        hosted = held(program, name, simulated, lives, ["--policy", f"{family}@installed"])
    return [{"scenario": name, "lines": lines, "installed": None if hosted is None else hosted[i]}
            for i, lines in enumerate(model)]


def agreed(rows: list[Row], part: str, way: str = "lines") -> str:
    """In how many of the runs every line of that part agreed."""
    good = sum(all(line["agrees"] for line in row[way] if line["what"] == part) for row in rows)
    return f"{good}/{len(rows)}"


def third_way(rows: list[Row]) -> str:
    """Charges and decisions of the installed code in simulated time."""
    ran = [row for row in rows if row.get("installed")]
    return ", ".join(agreed(ran, part, "installed") for part in ("charges", "decisions")) \
        if ran else "-"


def seconds(text: str) -> float | None:
    """The number of "1.25 s"; none for "-"."""
    return float(text.split()[0]) if text.endswith(" s") else None


def measured(rows: list[Row], what: str) -> tuple[list[float], float | None]:
    """The live lengths and the model's of the first fault that has such a time."""
    live: list[float] = []
    model: float | None = None
    for row in rows:
        for line in row["lines"]:
            if line["what"] == what and (value := seconds(line["live"])) is not None:
                live.append(value)
                model = seconds(line["simulated"]) if model is None else model
                break
    return live, model


def times(rows: list[Row], what: str) -> str:
    """"2.1 (1.9 to 3.0), model 2.0"."""
    live, model = measured(rows, what)
    if not live:
        return "-"
    middle = statistics.median(live)
    spread = f" ({min(live):.1f} to {max(live):.1f})" if len(live) > 1 else ""
    return f"{middle:.1f}{spread}, model {'-' if model is None else f'{model:.1f}'}"


def repeats(rows: list[Row]) -> bool:
    """Whether all live runs of a scenario decided and charged alike."""
    told = [[(line["fault"], line["what"], line["live"]) for line in row["lines"]
             if line["what"] in PARTS] for row in rows]
    return all(one == told[0] for one in told)


def sums(rows: list[Row], names: list[str]) -> str:
    """How many scenarios agree: decisions that repeat live, and times, as docs/live.md has them."""
    of = {name: [row for row in rows if row["scenario"] == name]
          for name in names}
    ran = {name: mine for name, mine in of.items() if mine}
    same = {name: mine for name, mine in ran.items() if repeats(mine)}
    agree = [name for name, mine in same.items()
             if all(line["agrees"] for row in mine for line in row["lines"]
                    if line["what"] in PARTS)]
    lines = [f"{len(ran)} scenarios, {sum(map(len, ran.values()))} live runs",
             f"live runs of a scenario decide and charge alike: {len(same)} of {len(ran)}",
             f"of these the model does, too: {len(agree)} of {len(same)}"]
    for what in ("to the decision", "to running"):
        pairs = [(live, model) for live, model in (measured(mine, what) for mine in ran.values())
                 if live and model]
        near = sum(abs(statistics.median(live) - model) <= 0.15 * model for live, model in pairs)
        inside = sum(0.8 * min(live) <= model <= 1.2 * max(live) for live, model in pairs)
        lines.append(f"time {what}: the median is within 15 % of the model's in {near} of "
                     f"{len(pairs)}, the model within the live range and 20 % in {inside}")
    return "\n".join(lines)


def differences(rows: list[Row]) -> str:
    """What did not agree: the first of each part, with how often."""
    found: dict[str, int] = {}
    for row in rows:
        for line in row["lines"]:
            if not line["is_time"] and not line["agrees"]:
                words = f"{line['what']}: {line['simulated']} live {line['live']}"
                found[words] = found.get(words, 0) + 1
    return "; ".join(f"{words} ({times} of {len(rows)})" for words, times in found.items())


def carries(name: str) -> str:
    """Whether the row carries over to NCCL."""
    if name.startswith("ray/"):
        return _RAY
    scenario = json.loads((SCENARIOS / f"{name}.json").read_text())
    kinds = list(dict.fromkeys(fault["kind"] for fault in scenario.get("faults", [])))
    return "; ".join(_NCCL.get(kind, f"{kind}: not looked into") for kind in kinds) or "yes"


def table(rows: list[Row], names: list[str]) -> str:
    """The results in Markdown, a row a scenario."""
    lines = [f"| scenario | {' | '.join(PARTS)} | installed code: charges, decisions |"
             " s to the decision | s to running | differs | carries over to NCCL |",
             "|---" * (len(PARTS) + 6) + "|"]
    for name in names:
        mine = [row for row in rows if row["scenario"] == name]
        if not mine:
            continue
        cells = [agreed(mine, part) for part in PARTS]
        cells += [third_way(mine), times(mine, "to the decision"), times(mine, "to running"),
                  differences(mine), carries(name)]
        lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def played(program: str, names: list[str], repeats: int, kept: Path) -> tuple[list[Row], bool]:
    """All rows, and whether a run could not be made. The first runs of all scenarios come before
    the second ones, so that a suite that is broken off has something of each."""
    failed = False
    for number in range(1, repeats + 1):
        for name in names:
            recording = kept / f"{name.replace('/', '-')}-{number}.aftershock"
            if not recording.exists():
                say(f"{name}, run {number}")
            if problem := made_live(program, name, recording):
                failed = True
                say(f"{name}: {problem}")
    rows: list[Row] = []
    for name in names:
        mine = sorted(kept.glob(f"{name.replace('/', '-')}-[0-9]*.aftershock"))
        rows += rows_of(program, name, mine) if mine else []
    return rows, failed


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description="scenarios/live beside their simulated runs")
    parser.add_argument("program")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--repeats", type=int, default=1,
                        help="of each at least; 0: those that are kept")
    parser.add_argument("--shard", default="1/1", help="K/N: every Nth scenario from the Kth on")
    parser.add_argument("--recordings", type=Path,
                        help="where live runs are kept, and taken from where they are there")
    arguments = parser.parse_args()
    nth, of = (int(number) for number in arguments.shard.split("/"))
    if not 1 <= nth <= of:
        parser.error("--shard K/N: K is from 1 to N")
    names = scenarios(arguments.names)[nth - 1::of]
    with tempfile.TemporaryDirectory() as folder:
        kept: Path = arguments.recordings or Path(folder)
        kept.mkdir(parents=True, exist_ok=True)
        rows, failed = played(arguments.program, names, arguments.repeats, kept)
    print(table(rows, names))
    print()
    print(sums(rows, names))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
