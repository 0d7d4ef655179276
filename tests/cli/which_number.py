"""Each row of the table in docs/which-number.md: its numbers are those of the program, and of its
two policies the one with the higher ETTR has the less useful work."""
import json
import subprocess
import sys

sys.dont_write_bytecode = True

from expecting import PROGRAM

PAGE = "docs/which-number.md"
ROWS = 12


def rows():
    with open(PAGE, encoding="utf-8") as page:
        for line in page:
            if line.startswith("| `scenarios/"):
                yield [cell.strip().strip("`") for cell in line.strip().strip("|").split("|")]


def told(scenario, policy):
    done = subprocess.run([PROGRAM, "run", scenario, "--policy", policy, "--json"],
                          capture_output=True, text=True, check=False)
    job = json.loads(done.stdout)["jobs"][0]
    return [f"{job['ettr']:.4f}", f"{job['useful_share']:.4f}", job["at_end"]]


def main():
    wrong = []
    seen = set()
    for scenario, first, *rest in rows():
        other, values = rest[3], (rest[:3], rest[4:])
        for policy, shown in ((first, values[0]), (other, values[1])):
            if (now := told(scenario, policy)) != shown:
                wrong.append(f"{scenario}, {policy}: shows {shown}, the program says {now}")
        ettr, useful = ([float(value[i]) for value in values] for i in (0, 1))
        if not (ettr[0] > ettr[1] + 0.005 and useful[0] < useful[1] - 0.005):
            wrong.append(f"{scenario}: {first} and {other} are not ranked differently")
        seen.add(scenario)
    if len(seen) != ROWS:
        wrong.append(f"{PAGE}: {len(seen)} scenarios, expected {ROWS}")
    for line in wrong:
        print("FAILED:", line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
