"""Sweeps under an MPI launcher; see sweep_mpi.sh."""
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

from expecting import PROGRAM, check, children, failures

MODULE = pathlib.Path(PROGRAM).parent.parent / "lib/aftershock/aftershock_mpi.so"
QUICK = "scenarios/quickstart.json"
LONG = "scenarios/reference_54_days.json"
# Containers have few processors, run as root, and may lack what faster transports need.
LAUNCH = ["mpirun", "--oversubscribe", "--mca", "btl", "self,vader",
          "--mca", "btl_vader_single_copy_mechanism", "none", "--mca", "plm_rsh_agent", "false"]
# Files that Open MPI leaves behind at its end are not ours.
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0")


def start(ranks, *words):
    return subprocess.Popen([*LAUNCH, "-n", str(ranks), PROGRAM, *map(str, words)],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=ENVIRONMENT)


def finish(process, code):
    output, errors = process.communicate(timeout=300)
    check(process.returncode == code,
          f"{process.args[8:]}: exit {process.returncode}, wanted {code}: {errors[-400:]}")
    return output, errors


def rows(path):
    with sqlite3.connect(path) as database:
        return (database.execute("select * from run order by cell, replica").fetchall(),
                database.execute("select complete from sweep").fetchall())


def workers_of(launcher):
    """What the ranks have started; rank 0 starts nothing."""
    return [worker for rank in children(launcher) for worker in children(rank)]


def same_rows(folder):
    words = ["sweep", QUICK, "--runs", 40, "--vary", "/jobs/0/policy/config/max_failures=1..3"]
    alone = subprocess.run([PROGRAM, *map(str, words), "-j", "1", "--out", folder / "alone"],
                           capture_output=True, text=True, timeout=300)
    for ranks, more in ((4, []), (2, ["-j", 2]), (1, [])):
        out = folder / f"ranks{ranks}"
        output, _ = finish(start(ranks, *words, *more, "--out", out), alone.returncode)
        check(rows(out) == rows(folder / "alone"), f"{ranks} ranks give the rows of one process")
        check(output.replace(str(out), "") == alone.stdout.replace(str(folder / "alone"), ""),
              f"{ranks} ranks: what is printed comes once, and is the same")
    finish(start(3, *words, "--keep", "worst:2", "--out", folder / "kept"), alone.returncode)
    check(len(list((folder / "kept.recordings").glob("*"))) == 2, "two recordings")


def policies_live_elsewhere(folder):
    """Every rank starts the processes that its own workers ask."""
    words = ["sweep", QUICK, "--runs", 6, "--policy-cmd", f"'{PROGRAM}' policies serve"]
    alone = subprocess.run([PROGRAM, *map(str, words), "-j", "1", "--out", folder / "stdio"],
                           capture_output=True, text=True, timeout=300)
    finish(start(3, *words, "--out", folder / "stdio3"), alone.returncode)
    check(len(rows(folder / "stdio")[0]) == 6, "six runs")
    check(rows(folder / "stdio3") == rows(folder / "stdio"), "ranks ask --policy-cmd, too")


def a_worker_costs_its_run(folder):
    process = start(3, "sweep", LONG, "--runs", 400, "--out", folder / "killed")
    workers = []
    while len(workers) < 2 and process.poll() is None:
        time.sleep(0.02)
        workers = workers_of(process.pid)
    check(len(workers) == 2, f"two workers: {workers}")
    for worker in workers[-1:]:
        os.kill(worker, signal.SIGKILL)
    finish(process, 0)
    done = rows(folder / "killed")
    check(len(done[0]) == 400 and done[1] == [(1,)], f"every run has its row: {len(done[0])}")


def a_task_for_a_dead_worker_is_given_again(folder):
    """A worker dies after its task is done; rank 0, which was held up, gives it another first."""
    process = start(3, "sweep", LONG, "--runs", 2000, "--out", folder / "crossed")
    working = []
    while len(working) < 2 and process.poll() is None:
        time.sleep(0.02)
        working = [rank for rank in children(process.pid) if children(rank)]
    root = [rank for rank in children(process.pid) if rank not in working]
    check(len(root) == 1 and len(working) == 2, f"rank 0 is {root}, others are {working}")
    time.sleep(0.5)
    for rank in root:
        os.kill(rank, signal.SIGSTOP)
    time.sleep(2)  # for both to do all that they were given
    for worker in children(working[0]):
        os.kill(worker, signal.SIGKILL)
    time.sleep(0.5)
    for rank in root:
        os.kill(rank, signal.SIGCONT)
    finish(process, 0)
    done = rows(folder / "crossed")
    check(len(done[0]) == 2000 and done[1] == [(1,)], f"every run has its row: {len(done[0])}")


def an_end_leaves_rows(folder):
    # A file, since Open MPI 5 does not pass on what ranks say when it ends.
    process = subprocess.Popen(
        [*LAUNCH, "-n", "3", "bash", "-c", 'exec "$@" 2>>"$0"', folder / "said", PROGRAM, "sweep",
         LONG, "--runs", "3000", "--out", folder / "ended"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
    while len(workers_of(process.pid)) < 2 and process.poll() is None:
        time.sleep(0.02)
    time.sleep(2)
    process.send_signal(signal.SIGTERM)
    output, _ = process.communicate(timeout=60)
    check(process.returncode != 0, "an interrupted sweep is no success")
    said = (folder / "said").read_text()
    check("go on with --resume" in said, f"it says how to go on: {said[-300:]}")
    done = rows(folder / "ended")
    check(0 < len(done[0]) < 3000 and done[1] == [(0,)], f"{len(done[0])} rows are safe")
    check(output == "", "there is no result yet")


def what_is_wrong_is_said(folder):
    _, errors = finish(start(3, "sweep", "missing.json", "--out", folder / "never"), 2)
    check(errors.count("missing.json") == 1, f"one rank tells: {errors[:300]}")
    _, errors = finish(start(2, "sweep", QUICK, "--rare"), 2)
    check("works in one process" in errors, "--rare refuses a launcher")
    (folder / "bin").mkdir()
    shutil.copy(PROGRAM, folder / "bin/aftershock")
    done = subprocess.run([folder / "bin/aftershock", "sweep", QUICK, "--out", folder / "never"],
                          env=dict(ENVIRONMENT, PMIX_RANK="0"), capture_output=True, text=True,
                          timeout=60)
    check(done.returncode == 2 and "libopenmpi-dev" in done.stderr,
          f"a program without the module says what is missing: {done.stderr}")
    check(not (folder / "never").exists(), "what was refused leaves no file")


def main():
    if shutil.which("mpirun") is None or not MODULE.exists():
        print("skipped: no mpirun, or a program built without MPI")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for test in (same_rows, policies_live_elsewhere, a_worker_costs_its_run,
                     a_task_for_a_dead_worker_is_given_again,
                     an_end_leaves_rows, what_is_wrong_is_said):
            test(folder)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
