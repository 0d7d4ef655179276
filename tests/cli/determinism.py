"""Same scenario, seed and version: the same recording to the byte, hash and exit code. Each shipped
scenario is run again with the other variants of the C library's arithmetic and compressed, inside
SimGrid where nothing can contend, and by a debug build ($AFTERSHOCK_DEBUG_EXECUTABLE). Where a run
of two differences at once is another one, each is run by itself, to name the culprit."""
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

from expecting import PROGRAM, check, failures

DEBUG = os.environ.get("AFTERSHOCK_DEBUG_EXECUTABLE", "")
# The names that glibc 2.33 and later take (2.26 to 2.32 have FMA_Usable and AVX2_Usable).
TUNABLES = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-AVX2"}
# LeakSanitizer's tracer now and then faults itself ("Tracer caught signal 11"), which is another
# exit code. This test is about bytes; those of the code look for leaks.
NO_LEAKS = {"ASAN_OPTIONS": "detect_leaks=0"}
ZSTD = shutil.which("zstd")
MOST_FAILURES = 10


@dataclasses.dataclass
class Way:
    """One way to make a run; nothing of it may be seen in the recording."""
    name: str
    program: str = PROGRAM
    words: tuple = ()
    environment: dict = dataclasses.field(default_factory=dict)
    packed: bool = False


@dataclasses.dataclass
class Made:
    code: int
    hashes: list
    recording: bytes | None
    contends: bool
    told: str = ""
    story: bytes = b""


AGAIN = Way("second run")
OTHER_SUMS = Way(f"second run with {TUNABLES['GLIBC_TUNABLES']}", environment=TUNABLES)
PACKED = Way("compressed", packed=True)
BOTH = Way("second run, compressed", environment=TUNABLES, packed=True)
SIMGRID = Way("inside SimGrid", words=("--driver", "simgrid"))


def story(path):
    """The report that a compressed recording is held to in place of bytes, without zstd."""
    return subprocess.run([PROGRAM, "why", path], capture_output=True, timeout=600).stdout


def bytes_of(path, packed):
    if packed and ZSTD is None:
        return None
    if packed:
        return subprocess.run([ZSTD, "-dqc", path], capture_output=True, timeout=600).stdout
    return path.read_bytes()


def make(way, scenario, folder):
    path = folder / ("run.aftershock.zst" if way.packed else "run.aftershock")
    path.unlink(missing_ok=True)
    done = subprocess.run([way.program, "run", scenario, "--json", "--record", path, *way.words],
                          capture_output=True, timeout=600, env={**os.environ, **way.environment})
    if not (path.exists() and path.stat().st_size > 0):
        check(False, f"{scenario}, {way.name}: exit {done.returncode} and no recording: "
                     f"{done.stderr.decode(errors='replace')[:400]}")
        return None
    lines = done.stdout.splitlines()
    return Made(done.returncode, [line for line in lines if b'"hash"' in line],
                bytes_of(path, way.packed),
                sum(b'"vendor_state"' in line for line in lines) != 1,
                done.stderr.decode(errors="replace"), b"" if ZSTD else story(path))


def difference(first, other):
    """In words, or nothing."""
    if other is None:
        return "no recording"
    if (first.code, first.hashes) != (other.code, other.hashes):
        return (f"exit {first.code} with {first.hashes}, then {other.code} with {other.hashes}: "
                f"{other.told[-400:]}")
    if other.recording is None:
        return "" if first.story == other.story else "another story"
    one, two = first.recording, other.recording
    if one == two:
        return ""
    at = next((i for i, (a, b) in enumerate(zip(one, two)) if a != b), min(len(one), len(two)))
    line = one.count(b"\n", 0, at) + 1
    shown = slice(max(0, at - 60), at + 60)
    return f"the recordings part at byte {at}, line {line}: {one[shown]!r}, then {two[shown]!r}"


def compare(scenario, folder):
    """Whether it was run inside SimGrid, too."""
    first = make(Way("first run"), scenario, folder)
    if first is None:
        return False
    at_once = [BOTH] if ZSTD else [OTHER_SUMS, PACKED]
    if any(difference(first, make(way, scenario, folder)) for way in at_once):
        told = [(way, difference(first, make(way, scenario, folder)))
                for way in (AGAIN, OTHER_SUMS, PACKED)]
        for way, said in told:
            check(not said, f"{scenario}, {way.name}: {said}")
        check(any(said for _, said in told), f"{scenario}: one run differed, three more did not")
    # Transfers of one job never share a way.
    if not first.contends:
        said = difference(first, make(SIMGRID, scenario, folder))
        check(not said, f"{scenario}, {SIMGRID.name}: {said}")
    if DEBUG:
        debug = Way("debug build", program=DEBUG, environment=NO_LEAKS)
        said = difference(first, make(debug, scenario, folder))
        check(not said, f"{scenario}, {debug.name}: {said}")
    return not first.contends


def commit_of(program, folder):
    path = folder / "commit.aftershock"
    subprocess.run([program, "run", "scenarios/quickstart.json", "--quiet", "--record", path],
                   capture_output=True, check=True, timeout=600,
                   env={**os.environ, **NO_LEAKS})
    return json.loads(path.read_bytes().partition(b"\n")[0])["commit"]


def digits(environment):
    """awk computes with the C library's double exp."""
    words = 'BEGIN {for (i = 1; i < 20000; ++i) printf "%.17g ", exp(i / 300)}'
    return subprocess.run(["awk", words], capture_output=True, check=True,
                          env={**os.environ, **environment}).stdout


def main():
    if digits({}) == digits(TUNABLES):
        print(f"note: {TUNABLES} changes nothing in exp() here, so that it tests nothing")
    if not DEBUG:
        print("note: AFTERSHOCK_DEBUG_EXECUTABLE is not set: no comparison with a debug build")
    scenarios = sorted(path for path in pathlib.Path("scenarios").rglob("*.json")
                       if not path.name.endswith(".schema.json"))
    check(scenarios, "no scenarios")
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        # A line's check goes over the header, too.
        commits = {commit_of(program, folder) for program in (PROGRAM, DEBUG) if program}
        if len(commits) > 1:
            print(f"FAILED: the two programs are of different commits: {sorted(commits)}")
            return 1
        in_simgrid = 0
        for done, scenario in enumerate(scenarios):
            if len(failures) >= MOST_FAILURES:
                print(f"{len(scenarios) - done} scenarios are left out after as many failures")
                break
            in_simgrid += compare(scenario, folder)
    check(in_simgrid or failures, "no scenario without contention")
    print(f"{len(scenarios)} scenarios, {in_simgrid} of them inside SimGrid, too")
    return 1 if failures else 0


sys.exit(main())
