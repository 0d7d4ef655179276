"""ByteRobust's standbys (oracles.md O10), a thousand days of each size; see published.sh.

Published: 2, 2, 3 and 4 standbys are the 99th percentile for 128, 256, 512 and 1,024 machines. With
these the binomial law has standbys short on at most one day of a hundred, with one fewer on more;
how often they are short in the simulation is held to that law within four standard errors.
"""
import math
import os
import pathlib
import sqlite3
import subprocess
import tempfile

PROGRAM = os.environ["AFTERSHOCK_EXECUTABLE"]
SCENARIO = "scenarios/published/byterobust_standby.json"
FAILS = 0.0012
PUBLISHED = {128: 2, 256: 2, 512: 3, 1024: 4}
DAYS = 1000
STUCK = 3  # a job that lost more machines than there are standbys never goes on


def short_of(machines, standbys):
    """P(more machines fail than there are standbys)."""
    return 1 - sum(math.comb(machines, k) * FAILS ** k * (1 - FAILS) ** (machines - k)
                   for k in range(standbys + 1))


def main():
    cells = [(machines, count - fewer) for machines, count in PUBLISHED.items()
             for fewer in (0, 1)]
    failed = False
    with tempfile.TemporaryDirectory() as name:
        out = pathlib.Path(name) / "days.sqlite"
        vary = (f"/cluster/pools/0/nodes={','.join(str(n) for n, _ in cells)} "
                f"/jobs/0/workers={','.join(str(16 * n) for n, _ in cells)} "
                f"/cluster/pools/0/spares={','.join(str(s) for _, s in cells)}")
        done = subprocess.run([PROGRAM, "sweep", SCENARIO, "--out", str(out), "--runs", str(DAYS),
                               "--quiet", "--vary", vary], timeout=600, check=False)
        assert done.returncode == STUCK, done.returncode
        with sqlite3.connect(out) as database:
            counts = database.execute("select sum(waiting_for_capacity_us > 0) from run "
                                      "group by cell order by cell").fetchall()
    for (machines, standbys), (days,) in zip(cells, counts, strict=True):
        law = short_of(machines, standbys)
        enough = standbys == PUBLISHED[machines]
        if (law <= 0.01) != enough:
            print(f"FAILED: {standbys} for {machines} are short on {law:.2%} of the days")
            failed = True
        errors = (days - DAYS * law) / math.sqrt(DAYS * law * (1 - law))
        if abs(errors) > 4:
            print(f"FAILED: {standbys} for {machines} were short on {days} of {DAYS} days, "
                  f"{errors:.1f} standard errors from the law's {DAYS * law:.1f}")
            failed = True
    raise SystemExit(1 if failed else 0)


main()
