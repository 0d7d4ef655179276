"""Kills recordings at 50 moments (kill -9); `why` is to open each file and say where it ends.

A moment is an amount of bytes that the file has reached and a short time behind it, both drawn from
a fixed seed, so that the kills are spread over the recording whatever the speed of the machine.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

PROGRAM = os.environ["AFTERSHOCK_EXECUTABLE"]
KILLS = 25  # of each kind of file
SCENARIO = [
    "scenarios/quickstart.json", "--quiet", "--set", "/until=5d", "--set", "/jobs/0/step=1s",
    "--set", "/jobs/0/steps=20000000", "--set", "/jobs/0/checkpoint/every=1min", "--set",
    "/faults=[]", "--set", "/expect=[]",
]  # fmt: skip


def record(path):
    return subprocess.Popen([PROGRAM, "run", *SCENARIO, "--record", path])


def size_of(path):
    try:
        return os.path.getsize(path)
    except FileNotFoundError:
        return 0


def wait_for_size(process, written, size):
    deadline = time.monotonic() + 60
    while size_of(written()) < size and process.poll() is None:
        if time.monotonic() > deadline:
            process.kill()
            raise SystemExit(f"FAILED: {written()} does not grow to {size} bytes")
        time.sleep(0.0005)


def kill_at(path, size, moment):
    """True when the process was killed while it wrote, and not after its end."""
    if os.path.exists(path):
        os.remove(path)
    process = record(path)
    wait_for_size(process, lambda: path, size)
    time.sleep(moment)
    process.kill()
    return process.wait() == -9


def kill_another(path):
    """A recording that is to take the place of an earlier one is killed: what is wrong then."""
    with open(path, "rb") as file:
        earlier = file.read()
    process = record(path)
    part = f"{path}.{process.pid}.part"
    wait_for_size(process, lambda: part, 1)
    process.kill()
    if process.wait() != -9:
        return "it was faster than the kill"
    with open(path, "rb") as file:
        return None if file.read() == earlier else "the earlier recording is another one"


def why(path):
    return subprocess.run([PROGRAM, "why", path], capture_output=True, text=True, check=False)


def duration_us(text):
    """ "2d 03:12:07", "25 s", "1.5 s", "3 ms"."""
    clock = re.fullmatch(r"(?:(\d+)d )?(\d+):(\d+):(\d+)", text)
    if clock:
        days, hours, minutes, seconds = (int(part or 0) for part in clock.groups())
        return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000_000
    number, unit = re.fullmatch(r"([\d.]+) (s|ms|us)", text).groups()
    return round(float(number) * {"s": 1_000_000, "ms": 1_000, "us": 1}[unit])


def last_whole(path):
    """Number and time of the last line that parses, as far as there are whole lines."""
    number, t_us = 0, 0
    with open(path, "rb") as file:
        for line in file.read().split(b"\n"):
            try:
                t_us = json.loads(line).get("t", 0)
            except ValueError:
                break
            number += 1
    return number, t_us


def check(path):
    told = why(path)
    text = " ".join(told.stdout.split())
    match = re.match(r"The recording ends at (.+?) \(line (\d+)\) without the end of the run", text)
    if told.returncode != 0 or not match:
        return f"exit {told.returncode}: {told.stdout[:300]}{told.stderr[:300]}"
    if "llm had not ended" not in text or "completed" in text:
        return f"looks whole: {text[:300]}"
    if path.endswith(".zst"):
        return None if int(match[2]) > 0 else "no line could be read"
    number, t_us = last_whole(path)
    # Durations are shown to the second, from a minute on.
    if int(match[2]) != number or abs(duration_us(match[1]) - t_us) > 1_000_000:
        return f"says line {match[2]} at {match[1]}; the file ends with line {number} at {t_us} us"
    return None


def main():
    failed = 0
    rng = random.Random(20260101)
    with tempfile.TemporaryDirectory() as folder:
        for name in "run.aftershock", "run.aftershock.zst":
            path = f"{folder}/{name}"
            ends = "completed|at the end|still running"
            if record(path).wait() != 0 or not re.search(ends, why(path).stdout):
                print(f"FAILED: {name}: the run that is not killed does not come to its end")
                return 1
            problem = kill_another(path)
            if problem:
                print(f"FAILED: {name}, recorded again and killed: {problem}")
                failed = 1
            whole = size_of(path)
            sizes = set()
            kills = late = 0
            while kills < KILLS and late < 20:
                if not kill_at(path, rng.randrange(1, whole * 8 // 10), rng.random() * 0.002):
                    late += 1  # it was faster than we are
                    continue
                if size_of(path) >= whole:
                    late += 1  # all was written, and only the process had not ended
                    continue
                kills += 1
                sizes.add(size_of(path))
                problem = check(path)
                if problem:
                    print(
                        f"FAILED: {name}, killed with {size_of(path)} of {whole} bytes: {problem}"
                    )
                    failed = 1
            print(
                f"{name}: {whole} bytes, killed {kills} times, at {len(sizes)} sizes; "
                f"{late} came too late"
            )
            if late >= 20:
                failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
