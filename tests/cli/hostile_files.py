"""Results and recordings that were made to do harm: each is refused with its place, in bounded time
and memory, runs nothing and leaves nothing behind; see hostile_files.sh."""
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

from expecting import PROGRAM, check, failures, run

SCENARIO = "scenarios/quickstart.json"
MOST_SECONDS = 60.0  # of a sanitized build on a busy machine; the release takes a second
MOST_KIB = 1_500_000
COUNT = "with recursive c(n) as (select 0 union all select n + 1 from c) select "
ABOUT = "update sweep set about = json_set(about, "

# Name, what is done to a good file of results, and what its error says behind the path.
RESULTS = [
    ("no_shards", ABOUT + "'$.shards', 0)", "it is shard 1 of 0"),
    ("endless_cells", "alter table cell rename to old; create view cell as " + COUNT +
     "n as cell, 'a' as label, 'b' as policy, '{}' as parameters from c",
     "its cell is a view, not a table"),
    ("endless_recordings", "drop table recording; create view recording as " + COUNT +
     "0 as cell, n as replica, '' as path from c", "its recording is a view, not a table"),
    ("computed", "drop table trouble; create table trouble (cell, replica, what as "
     "(hex(zeroblob(500000000))))", "its table trouble computes the column what"),
    ("command", ABOUT + "'$.flags', '; touch pwned')", "its flags cannot be read"),
    ("substitution", ABOUT + "'$.flags', ' --set $(touch pwned)')", "its flags cannot be read"),
    ("far_cell", "update run set cell = 4294967296", "its column cell holds 4294967296"),
    ("far_replica", "update run set replica = 4294967295 where replica = 1; "
     "update sweep set about = json_set(about, '$.replicas', 4294967296)",
     "its replicas cannot be read"),
    ("many_replicas", ABOUT + "'$.replicas', 4294967295)", "is missing"),
    ("text_seed", "update run set seed = 'many'", "its column seed holds text"),
    ("infinite", "update run set wall_us = 9e999", "its column wall_us holds inf"),
    ("deep", "update sweep set about = replace(hex(zeroblob(5000000)), '00', '[')",
     "cannot be read"),
    ("two_sweeps", "insert into sweep select * from sweep", "its table sweep has several rows"),
    ("schema", "pragma user_version = 99", "is of schema 99"),
]


def cut(content):
    return content[:len(content) // 2 // 4096 * 4096]


def overwritten(content):
    return content[:4096] + b"\xff" * (len(content) - 4096)


# The same of its bytes.
DAMAGED = [
    ("cut", cut, "malformed"),
    ("overwritten", overwritten, ""),
    ("no_database", lambda content: b"SQLite format 3\0" + b"x" * 5000, ""),
]


def measured(words, cwd):
    """Exit code, what it said, seconds, and the most memory in KiB."""
    began = time.monotonic()
    child = subprocess.Popen([PROGRAM, *map(str, words)], stdout=subprocess.PIPE, cwd=cwd,
                             stderr=subprocess.STDOUT, text=True, errors="replace")
    told = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, told, time.monotonic() - began, used.ru_maxrss


def refused(name, words, part, folder):
    before = sorted(folder.iterdir())
    got, told, seconds, kib = measured(words, folder)
    check(got == 2, f"{name}: {words[0]}: exit {got}, wanted 2: {told[-300:]!r}")
    check(name in told and part in told, f"{name}: {words[0]}: no {part!r} in {told[:400]!r}")
    check(len(told) < 10_000, f"{name}: is told in {len(told)} characters")
    check(seconds < MOST_SECONDS, f"{name}: takes {seconds:.1f} s")
    check(kib < MOST_KIB, f"{name}: takes {kib} KiB")
    left = [one.name for one in sorted(folder.iterdir()) if one not in before]
    check(not left, f"{name}: {words[0]} leaves {left}")


def hostile_results(good, folder):
    content = good.read_bytes()
    path = folder / "file.sqlite"
    for name, change, part in RESULTS + DAMAGED:
        path = folder / f"{name}.sqlite"
        if callable(change):
            path.write_bytes(change(content))
        else:
            shutil.copy(good, path)
            with sqlite3.connect(path) as database:
                database.executescript(change)
            database.close()
        refused(name, ["sweep", "merge", "merged.sqlite", path.name], part, folder)
        if name != "many_replicas":  # which is a whole file to whoever reads it alone
            refused(name, ["report", path.name, "--out", "page.html"], part, folder)
        path.unlink()


def repeated(byte, blocks):
    """A zstd frame of so many blocks of 128 KiB, each of which repeats one byte (RFC 8878)."""
    frame = bytearray(b"\x28\xb5\x2f\xfd\x00\x68")
    for i in range(blocks):
        frame += ((i == blocks - 1) | 1 << 1 | 131072 << 3).to_bytes(3, "little") + byte
    return bytes(frame)


def recordings(lines):
    """Name, bytes, and what its error says."""
    head, begin = lines[0], next(line for line in lines if b'"r":"begin"' in line)
    counter = b'{"t":%d,"r":"counter","on":"pool:gpu","name":"nodes_up","value":17}'

    def file(*rows):
        return b"".join(row + b"\n" for row in rows)

    return [
        ("nested", b'{"r":"header","schema":1,"version":"","commit":"","scenario":' +
         b"[" * 3_000_000, "ends within its header"),
        ("long", head + b'\n{"t":0,"r":"instant","on":"' + b"x" * 200_000_000,
         "line 2: it is longer than 64 MiB"),
        ("packed", repeated(b"x", 60_000), "is not a recording"),
        ("packed_lines", repeated(b"\n", 20_000), "is not a recording"),
        ("noise", bytes(range(256)) * 40_000, "is not a recording"),
        ("nothing", b"", "is empty"),
        ("other_schema", file(head.replace(b'"schema":1,"version"', b'"schema":99,"version"')),
         "has recording schema 99"),
        ("headless", file(*lines[1:]), "is not a recording"),
        ("far_time", file(head, counter % (10**20 - 1)), "line 2: "),
        ("time_that_goes_back", file(head, lines[1], counter % 5, counter % 1), "line 4: "),
        ("zeros", file(head, b"\0" * 1_000_000), "line 2: "),
        ("no_text", file(head, begin.replace(b"deciding", b"\xff\xfe")), "line 2: "),
        ("line_taken_out", file(*lines[:5], *lines[6:]), "it says that the run has "),
        ("another_line", file(*lines[:5], lines[5].replace(b'"t":', b'"t": '), *lines[6:]),
         ": its check does not match"),
    ]


# Name, what is done to a recorded scenario, which is run again, and what its error says.
SCENARIOS = [
    ("extends", lambda scenario: {"extends": "/etc/passwd"}, "/extends: a recorded scenario"),
    ("extends_fifo", lambda scenario: {**scenario, "extends": "fifo"}, "/extends: a recorded"),
    ("many_nodes", lambda scenario: changed(scenario, "nodes", 4_000_000_000),
     "/cluster/pools/0/nodes: 4000000000 is out of range"),
    ("no_scenario", lambda scenario: [], "its header cannot be read"),
]


def changed(scenario, key, value):
    scenario["cluster"]["pools"][0][key] = value
    return scenario


def hostile_recordings(good, folder):
    lines = good.read_bytes().splitlines()
    for name, content, part in recordings(lines):
        path = folder / (name + (".aftershock.zst" if "packed" in name else ".aftershock"))
        path.write_bytes(content)
        for words in (["why", path.name], ["report", path.name, "--out", "page.html"],
                      ["export", path.name, "--chrome", "--out", "trace.json"]):
            refused(name, words, part, folder)
        path.unlink()
    os.mkfifo(folder / "fifo")  # whoever opens it waits for ever
    for name, change, part in SCENARIOS:
        head = json.loads(lines[0])
        head["scenario"] = change(head["scenario"])
        path = folder / f"{name}.aftershock"
        path.write_bytes(b"\n".join([json.dumps(head).encode(), *lines[1:], b""]))
        refused(name, ["replay", path.name], part, folder)
        talk = folder / f"{name}.ndjson"
        talk.write_text(json.dumps({"transcript": 1, "scenario": head["scenario"]}) + "\n" +
                        '{"verdict":"passed","run_hash":"00"}\n')
        if "extends" in name:
            refused(name, ["replay", "--transcript", talk.name], part, folder)
        path.unlink()
        talk.unlink()


def texts_drive_no_terminal(good, folder):
    """Names of a good file of results are anybody's, and a terminal or a CI shall not obey them."""
    path = folder / "names.sqlite"
    shutil.copy(good, path)
    wild = "\x1b]0;title\x07\x1b[2J\n::error::owned\r\u009b2J\u202e"
    with sqlite3.connect(path) as database:
        database.execute("update cell set label = ?", [wild])
        database.execute("insert into trouble values (0, 0, ?)", [wild])
        database.execute("insert into recording values (0, 0, ?)", [wild])
        database.execute("update run set verdict = 'failed', verdict_reason = ?", [wild])
        database.execute("update sweep set about = json_set(about, '$.scenario', ?)", [wild])
    database.close()
    for words in (["sweep", "merge", "merged.sqlite", path.name],
                  ["sweep", "merge", "merged.sqlite", path.name, "--json"],
                  ["sweep", "merge", "merged.sqlite", path.name, "--format", "csv"],
                  ["report", path.name, "--out", "page.html"]):
        done = subprocess.run([PROGRAM, *words], capture_output=True, cwd=folder, timeout=600)
        for stream in (done.stdout, done.stderr):
            text = stream.decode()
            found = re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
            check(not found, f"{words}: {found} in {text[:300]!r}")
            check(not re.search(r"^\s*::", text, re.MULTILINE), f"{words}: a command in {text!r}")
        for name in ("merged.sqlite", "page.html"):
            (folder / name).unlink(missing_ok=True)


with tempfile.TemporaryDirectory() as where:
    files, place = pathlib.Path(where) / "good", pathlib.Path(where) / "place"
    files.mkdir()
    place.mkdir()
    results, recording = files / "results.sqlite", files / "run.aftershock"
    run("sweep", SCENARIO, "--runs", 3, "--set", "/expect=[]", "--set", "/until=1d", "--out",
        results, code=None)
    run("run", SCENARIO, "--quiet", "--set", "/until=1d", "--record", recording, code=None)
    hostile_results(results, place)
    hostile_recordings(recording, place)
    texts_drive_no_terminal(results, place)
sys.exit(1 if failures else 0)
