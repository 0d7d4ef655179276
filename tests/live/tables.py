"""Tables of live runs beside simulated ones, in Markdown, and the pages that have them."""
import json
import statistics
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = ROOT / "scenarios/live"
PARTS = ("outcome", "attempts", "charges", "decisions")
CONTROLLERS = {"ray": "Ray Train", "torchrun": "torchrun", "nvrx": "NVRx"}
_INSTALLED = "installed code: charges, decisions"

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
    """How many scenarios agree: decisions that repeat live, and times."""
    of = {name: [row for row in rows if row["scenario"] == name]
          for name in names}
    ran = {name: mine for name, mine in of.items() if mine}
    again = {name: mine for name, mine in ran.items() if len(mine) > 1}
    same = {name: mine for name, mine in ran.items() if repeats(mine)}
    agree = [name for name, mine in same.items()
             if all(line["agrees"] for row in mine for line in row["lines"]
                    if line["what"] in PARTS)]
    lines = [f"* {len(ran)} scenarios and {sum(map(len, ran.values()))} live runs."]
    if again:
        alike = sum(name in same for name in again)
        lines.append(f"* {len(again)} scenarios have more than one live run: these decide and "
                     f"charge alike in {alike}.")
    else:
        lines.append("* Each scenario has one live run, so that nothing here shows what varies "
                     "between live runs.")
    lines.append(f"* The model decides and charges as the live runs do in {len(agree)} of "
                 f"{len(same)} scenarios.")
    for what in ("to the decision", "to running"):
        pairs = [(live, model) for live, model in (measured(mine, what) for mine in ran.values())
                 if live and model]
        near = sum(abs(statistics.median(live) - model) <= 0.15 * model for live, model in pairs)
        inside = sum(0.8 * min(live) <= model <= 1.2 * max(live) for live, model in pairs)
        lines.append(f"* The median time {what} is within 15 % of the model's in {near} of "
                     f"{len(pairs)} scenarios; the model's is within the live range and 20 % in "
                     f"{inside}.")
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


def controllers(rows: list[Row]) -> str:
    """A row a controller: in how many of its live runs the model has the same."""
    lines = [f"| controller | scenarios | {' | '.join(PARTS)} |", "|---" * (len(PARTS) + 2) + "|"]
    for backend, title in CONTROLLERS.items():
        mine = [row for row in rows if row["scenario"].startswith(backend + "/")]
        if mine:
            cells = [agreed(mine, part).replace("/", " of ") for part in PARTS]
            count = len({row["scenario"] for row in mine})
            lines.append(f"| {title} | {count} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def without(text: str, column: str) -> str:
    """A table without the column of that title."""
    cells = [line.split(" | ") for line in text.splitlines()]
    if not cells or column not in cells[0]:
        return text
    at = cells[0].index(column)
    return "\n".join(" | ".join(line[:at] + line[at + 1:]) if len(line) > 1 else line[0]
                     for line in cells)


class Page:
    """A page with tables between `<!-- live: NAME -->` and `<!-- live: end -->`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text()

    def _place(self, name: str) -> tuple[int, int] | None:
        begin = f"<!-- live: {name} -->\n"
        at = self.text.find(begin)
        if at < 0:
            return None
        return at + len(begin), self.text.index("\n<!-- live: end -->", at)

    def write(self, name: str, table_text: str) -> None:
        """Puts the table there where the page has its place."""
        if place := self._place(name):
            self.text = self.text[:place[0]] + table_text + self.text[place[1]:]
            self.path.write_text(self.text)

    def first_difference(self, name: str, table_text: str, installed: bool) -> str:
        """The first line that is another one; the installed code's column is left out where it
        was not run."""
        place = self._place(name)
        if place is None:
            return ""
        there = self.text[place[0]:place[1]]
        if not installed:
            there, table_text = without(there, _INSTALLED), without(table_text, _INSTALLED)
        if there == table_text:
            return ""
        pairs = list(zip(there.splitlines() + [""], table_text.splitlines() + [""], strict=False))
        old, new = next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))
        return f"{self.path.relative_to(ROOT)} has\n  {old}\nand kept live runs make it\n  {new}"
