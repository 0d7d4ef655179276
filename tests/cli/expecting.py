"""What tests of commands have in common: the program is run, and what is wrong with it is told."""
import json
import os
import pathlib
import re
import subprocess
import time

PROGRAM = os.path.abspath(os.environ["AFTERSHOCK_EXECUTABLE"])
failures = []


def check(good, what):
    if not good:
        failures.append(what)
        print("FAILED:", what)


def run(*words, code=0, env=None, cwd=None):
    """The program with these words, which ends with this exit code; None: with any."""
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=600,
                          env={**os.environ, **(env or {})}, cwd=cwd)
    check(code in (None, done.returncode),
          f"{' '.join(map(str, words))}: exit {done.returncode}, wanted {code}: "
          f"{done.stdout[-300:]}{done.stderr[-300:]}")
    return done


def has(text, *parts):
    for part in parts:
        check(part in text, f"no {part!r} in {text[-600:]!r}")


def unwrapped(text):
    """A run's report with the lines in one that were too wide for one."""
    return re.sub(r"\n  (?=[^ |])", " ", text)


def extend(path, place):
    """Another scenario file that is that one."""
    whole = str(pathlib.Path(path).resolve())
    pathlib.Path(os.fsdecode(place)).write_text(json.dumps({"extends": whole}))


def children(pid):
    """The processes that one has started, by whichever of its threads; none once it has ended."""
    try:
        return [int(child) for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children")
                for child in task.read_text().split()]
    except OSError:
        return []


def begun(path, process):
    """Waits, however slow the machine is, until a sweep has its file and workers, or is over."""
    while process.poll() is None and not (path.exists() and children(process.pid)):
        time.sleep(0.01)


def advise(*words, code=0):
    return json.loads(run("advise", *words, "--json", code=code).stdout)


def a_starter(folder):
    path = folder / "starter.json"
    if not path.exists():
        run("init", "--gpu", 1024, "--policy", "ray_train", "--out", path)
    return path
