"""Imports that nobody should have to wait for: each is refused with its place, in bounded time and
memory, and leaves nothing behind; see hostile_imports.sh."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from expecting import PROGRAM, check, failures

BASE = "scenarios/quickstart.json"
MOST_SECONDS = 60.0  # of a sanitized build on a busy machine; the release takes a second
MOST_KIB = 1_500_000

HEAD = b"time,kind,target,detail\n"
CRASH = b"1h,node_crash,node:gpu-3,lasts=2h\n"
MANY = 200_001  # one more row than any format takes


def rows(head, row, count):
    return head + row * count


# name, whether it is an incident, its bytes, what its error says
HOSTILE = [
    ("incident_of_many_rows", True, rows(HEAD, CRASH, MANY), "more than 200000 rows"),
    ("incident_of_one_long_cell", True, HEAD + b"1h,node_crash,node:" + b"g" * 20_000_000 + b",\n",
     "incident_of_one_long_cell:2:"),
    ("incident_of_one_long_head", True, b"time,kind,target," + b"d" * 5_000_000 + b"\n", ":1:"),
    ("incident_of_many_columns", True, HEAD + b"," * 5_000_000 + b"\n", "more than 64 columns"),
    ("incident_of_open_quote", True, HEAD + b'1h,node_crash,"' + b"x\n" * 2_000_000,
     "never closed"),
    ("incident_cut_in_a_row", True, HEAD + CRASH + CRASH[:9], ":3:"),
    ("incident_cut_in_a_glyph", True, HEAD + b"1h,node_crash,node:\xe2\x82", "UTF-8"),
    ("incident_of_far_times", True, HEAD + b"1e300,node_crash,node:gpu-3,\n", ":2:1"),
    ("incident_of_a_far_year", True, HEAD + b"99999-01-01T00:00:00Z,node_crash,node:gpu-3,\n",
     ":2:1"),
    ("incident_of_nan", True, HEAD + b"nan,node_crash,node:gpu-3,\n", ":2:1"),
    ("incident_of_a_far_node", True, HEAD + b"1h,node_crash,node:gpu-99999999999999999999,\n",
     ":2:"),
    ("csv_of_many_rows", False, rows(b"node,down\n", b"a,1h\n", MANY), "more than 200000 outages"),
    ("csv_of_many_nodes", False,
     b"node,down,up\n" + b"".join(b"n%d,1h,2h\n" % i for i in range(MANY)), "200000"),
    ("csv_that_goes_back", False, b"node,down,up\na,2h,1h\n", ":2:"),
    ("csv_of_nul", False, b"node,down\n" + b"\0" * 1_000_000, "NUL"),
    ("json_that_nests", False, b"[" * 5_000_000, "json_that_nests"),
    ("json_cut", False, b'[{"node_id": "a", "fault_start', "json_cut"),
    ("json_of_numbers", False, b"[" + b"1," * 3_000_000 + b"1]", "json_of_numbers"),
    ("json_of_one_text", False, b'["' + b"a" * 20_000_000 + b'"]', "json_of_one_text"),
    ("bamboo_of_many_rows", False, rows(b"", b"0,add,a\n", MANY), "bamboo_of_many_rows"),
    ("bamboo_of_many_nodes", False, b"0,add,a\n99999999999999999999,add,b\n", ":2:"),
    ("noise", False, bytes(range(256)) * 40_000, "noise"),
    ("nothing", False, b"", "nothing"),
]

# Details of these rows beyond the known ones are dropped, and the rest is taken.
DROPPED = [
    ("quotes", HEAD + b'1h,node_crash,node:gpu-3,"' + b'""' * 4_000_000 + b'"\n'),
    ("details", HEAD + b'1h,node_crash,node:gpu-3,"' + b"lasts=1h;" * 1_000_000 + b'"\n'),
    ("no_rows", HEAD),
]


def measured(words):
    """Exit code, standard error, seconds, and the most memory in KiB."""
    began = time.monotonic()
    child = subprocess.Popen([PROGRAM, *map(str, words)], stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True, errors="replace")
    told = child.stderr.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, told, time.monotonic() - began, used.ru_maxrss


def bounded(name, words, code):
    got, told, seconds, kib = measured(words)
    check(got == code, f"{name}: exit {got}, wanted {code}: {told[-300:]}")
    check(len(told) < 100_000, f"{name}: is told in {len(told)} characters")
    check(seconds < MOST_SECONDS, f"{name}: takes {seconds:.1f} s")
    check(kib < MOST_KIB, f"{name}: takes {kib} KiB")
    return told


def refused(name, words, part, out):
    told = bounded(name, words, 2)
    check(part in told, f"{name}: no {part!r} in {told[:400]!r}")
    check(not out.exists(), f"{name}: leaves {out}")


with tempfile.TemporaryDirectory() as where:
    folder = pathlib.Path(where)
    for name, incident, content, part in HOSTILE:
        path, out = folder / name, folder / (name + ".json")
        path.write_bytes(content)
        words = ["import", path, "--out", out]
        words += ["--from", "incident", "--into", BASE] if incident else []
        refused(name, words, part, out)
        path.unlink()
    for name, content in DROPPED:
        path, out = folder / name, folder / (name + ".json")
        path.write_bytes(content)
        bounded(name, ["import", path, "--from", "incident", "--into", BASE, "--out", out], 0)
        check(out.stat().st_size < 20_000_000, f"{name}: makes {out.stat().st_size} bytes")
        path.unlink()
        out.unlink()
    # A file without an end.
    out = folder / "endless.json"
    refused("endless", ["import", "/dev/zero", "--out", out], "/dev/zero", out)
    left = [one.name for one in folder.iterdir()]
    check(not left, f"left behind: {left}")
sys.exit(1 if failures else 0)
