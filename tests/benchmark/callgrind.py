"""Instructions that a command and its children execute, counted so that they repeat."""

from __future__ import annotations

import collections
import dataclasses
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from workloads import ROOT, Workload

# The facts by which a library chooses its code. Valgrind shows a program one of three processors,
# after what the real one has: without these the three are alike to the C library.
_FEATURES = (
    "AVX AVX2 AVX512F AVX512VL AVX512BW BMI1 BMI2 ERMS FMA FMA4 FSRM LZCNT MOVBE POPCNT RTM SSE4_1 "
    "SSE4_2 SSSE3 XSAVE XSAVEC AVX_Fast_Unaligned_Load Fast_Copy_Backward Fast_Rep_String "
    "Fast_Unaligned_Copy Fast_Unaligned_Load Prefer_PMINUB_for_stringop Slow_BSF Slow_SSE4_2"
)
# Sizes of caches, which decide how large blocks are copied.
_CACHES = (
    "x86_data_cache_size=32768 x86_shared_cache_size=1048576 x86_non_temporal_threshold=786432"
)


class CutOff(Exception):
    """A process ended before callgrind had written what it counted."""


class Refused(Exception):
    """The program did not do what it was asked: what it said, in a line."""


@dataclasses.dataclass(frozen=True)
class Count:
    """Of all processes of a command together."""

    instructions: int
    processes: int
    functions: dict[str, int]  # by name, what each executes itself
    output: str


def environment(end_gently: Path) -> dict[str, str]:
    """The same on every machine: nothing of the caller's passes through."""
    tunables = ["cpu.hwcaps=" + ",".join(f"-{name}" for name in _FEATURES.split())]
    tunables += [f"cpu.{size}" for size in _CACHES.split()]
    return {
        "PATH": "/usr/bin:/bin",
        "LC_ALL": "C",
        "GLIBC_TUNABLES": ":".join(f"glibc.{each}" for each in tunables),
        "SIMDJSON_FORCE_IMPLEMENTATION": "westmere",
        "LD_PRELOAD": str(end_gently.resolve()),
    }


def count(workload: Workload, program: Path, end_gently: Path) -> Count:
    """Runs the workload once under callgrind, about thirty times slower than without."""
    # A path is resolved folder by folder, so what a tree deep in others takes is another count:
    # scenarios are copied to where they lie equally deep on every machine.
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        scratch = Path(name)
        profiles = scratch / "profiles"
        profiles.mkdir()
        # One may extend others of its folder.
        folder = Path(workload.scenario).parent
        shutil.copytree(ROOT / folder, scratch / folder)
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--trace-children=yes", "--quiet"]
            + [f"--callgrind-out-file={profiles}/%p"]
            + workload.command(program.resolve(), scratch),
            cwd=scratch,
            env=environment(end_gently),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise Refused(complaint(done.stderr, done.returncode))
        return read(profiles, done.stdout)


def complaint(said: str, code: int) -> str:
    """The first line that a program wrote before it failed; valgrind's own begin with ==."""
    lines = [line for line in said.splitlines() if line.strip() and not line.startswith("==")]
    return lines[0] if lines else f"exits with {code}"


def read(profiles: Path, output: str = "") -> Count:
    """What callgrind wrote in a folder, a file a process."""
    instructions = 0
    functions: collections.Counter[str] = collections.Counter()
    files = sorted(profiles.iterdir())
    if not files:
        raise CutOff(f"callgrind wrote nothing in {profiles}")
    for file in files:
        text = file.read_text(errors="replace")
        instructions += total(text, file.name)
        functions.update(own_costs(text))
    return Count(instructions, len(files), dict(functions), output)


def total(text: str, process: str) -> int:
    """The instructions of a profile, whose last line is what they are together."""
    found = re.search(r"^totals: (\d+)$", text, re.M)
    if found is None or not text.endswith("\n"):
        raise CutOff(f"process {process} ended before its instructions were written")
    return int(found.group(1))


def own_costs(text: str) -> dict[str, int]:
    """{function: instructions it executes itself}. The format names a function once, by number
    afterwards; the line behind calls= is what the function called cost."""
    names: dict[str, str] = {}
    costs: collections.Counter[str] = collections.Counter()
    function, called = "", False
    for line in text.splitlines():
        if named := re.match(r"(c?fn)=\((\d+)\)(?: (.+))?", line):
            kind, number, name = named.groups()
            if name:
                names[number] = name
            if kind == "fn":
                function = names.get(number, number)
        elif line.startswith("calls="):
            called = True
        elif cost := re.match(r"(?:[+-]?\d+|\*) (\d+)$", line):
            if not called:
                costs[function] += int(cost.group(1))
            called = False
    return dict(costs)
