#!/usr/bin/env python3
"""The scenarios of scenarios/live on real processes, beside the simulated runs of the same:
suite.py AFTERSHOCK [--repeats N] [--shard K/N] [--results FILE] [NAME...]

NAME is a backend, or BACKEND/SCENARIO. Each live run is a line of FILE, so that a suite which was
broken off goes on where it stopped. The table on standard output has a row a scenario: how often
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


def one_run(program: str, name: str, nth: int, folder: Path) -> Row:
    """A live run of the scenario beside its simulated one, as a line of the results."""
    backend = name.split("/")[0]
    path = SCENARIOS / f"{name}.json"
    simulated, live = folder / "simulated.aftershock", folder / "live.aftershock"
    for old in (simulated, live):
        old.unlink(missing_ok=True)
    run([program, "run", str(path), "--record", str(simulated), "--quiet"])
    done = run([program, "live", str(path), "--backend", backend, "--record", str(live), "--json"])
    row: Row = {"scenario": name, "nth": nth}
    if not done.stdout:
        return {**row, "problem": done.stderr.strip()[-300:] or f"exit code {done.returncode}"}
    told = json.loads(done.stdout)
    if told["verdict"] == "invalid":
        return {**row, "problem": told["verdict_reason"]}
    row["versions"] = told["live"]["versions"]
    row["isolation"] = told["live"]["isolation"]
    row["lines"] = compare(program, simulated, live)["lines"]
    row["installed"] = installed(program, path, backend, live, folder)
    return row


def installed(program: str, path: Path, backend: str, live: Path,
              folder: Path) -> list[Row] | None:
    """The third way: the installed code in simulated time beside the live run. None: it has no
    such run."""
    family = {"ray": "ray_train"}.get(backend, backend)
    hosted = folder / "installed.aftershock"
    hosted.unlink(missing_ok=True)
    run([program, "run", str(path), "--policy", f"{family}@installed", "--record", str(hosted),
         "--quiet"])
    if not hosted.exists():
        return None
    try:
        lines: list[Row] = compare(program, hosted, live)["lines"]
    except RuntimeError:
        return None
    return lines


def kept(results: Path | None) -> list[Row]:
    """The runs of an earlier suite; a line that was cut off is made again."""
    rows: list[Row] = []
    if results is not None and results.exists():
        for line in results.read_text().splitlines():
            try:
                rows.append(json.loads(line))
            except json.JSONDecodeError:
                say("suite.py: the last line of the results was cut off")
    return [row for row in rows if "problem" not in row]


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
    of = {name: [row for row in rows if row["scenario"] == name and "lines" in row]
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
        mine = [row for row in rows if row["scenario"] == name and "lines" in row]
        if not mine:
            continue
        cells = [agreed(mine, part) for part in PARTS]
        cells += [third_way(mine), times(mine, "to the decision"), times(mine, "to running"),
                  differences(mine), carries(name)]
        lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description="scenarios/live beside their simulated runs")
    parser.add_argument("program")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--shard", default="1/1", help="K/N: every Nth scenario from the Kth on")
    parser.add_argument("--results", type=Path, help="a line of JSON a run; it is gone on with")
    arguments = parser.parse_args()
    nth, of = (int(number) for number in arguments.shard.split("/"))
    if not 1 <= nth <= of:
        parser.error("--shard K/N: K is from 1 to N")
    names = scenarios(arguments.names)[nth - 1::of]
    rows = kept(arguments.results)
    done = {(row["scenario"], row["nth"]) for row in rows}
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            for number in range(1, arguments.repeats + 1):
                if (name, number) in done:
                    continue
                say(f"{name}, run {number}")
                row = one_run(arguments.program, name, number, Path(folder))
                if "problem" in row:
                    failed = True
                    say(f"{name}: {row['problem']}")
                rows.append(row)
                if arguments.results is not None:
                    with arguments.results.open("a") as out:
                        out.write(json.dumps(row) + "\n")
    print(table(rows, names))
    print()
    print(sums(rows, names))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
