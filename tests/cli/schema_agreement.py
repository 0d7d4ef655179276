"""Holds the JSON Schema and the program's reader against each other.

For every scenario, every bad scenario and some thousand mutations of good ones: what the schema
refuses the reader refuses, and what only the reader refuses it calls an error of meaning
(arithmetic, several places of the file, names that the program knows), of JSON, or of files.
"""

import copy
import glob
import json
import os
import random
import subprocess
import sys
import tempfile

import jsonschema

PROGRAM = os.environ["AFTERSHOCK_EXECUTABLE"]
BAD = "tests/data/bad_scenarios"

failures = []


def complain(text):
    failures.append(text)
    if len(failures) <= 20:
        print("FAILED:", text)


def ecma(schema):
    """Python's `$` matches before a last newline; in a schema it does not."""
    if isinstance(schema, dict):
        return {
            key: value.replace("$", r"\Z")
            if key == "pattern" and isinstance(value, str)
            else ecma(value)
            for key, value in schema.items()
        }
    return [ecma(each) for each in schema] if isinstance(schema, list) else schema


def load_schema():
    with open("scenarios/aftershock.schema.json", encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(ecma(schema))


def load(path):
    """The value of a JSON file, or None when it is not one."""

    def refuse(word):
        raise ValueError(word)

    def finite(text):
        if abs(float(text)) == float("inf"):
            raise ValueError(text)
        return float(text)

    def once(pairs):
        if len({key for key, _ in pairs}) < len(pairs):
            raise ValueError("duplicate key")
        return dict(pairs)

    try:
        with open(path, encoding="utf-8") as file:
            return json.load(
                file, parse_constant=refuse, parse_float=finite, object_pairs_hook=once
            )
    except (ValueError, RecursionError, IsADirectoryError):
        return None


def validate(paths, *options):
    """The reader's verdict on each file, in one process."""
    run = subprocess.run(
        [PROGRAM, "validate", "--json", *options, *paths],
        capture_output=True,
        text=True,
        check=False,
    )
    results = json.loads(run.stdout)
    assert [result["file"] for result in results] == paths
    assert run.returncode == (0 if all(result["ok"] for result in results) else 2), run.returncode
    return results


def kinds(result):
    return {error["kind"] for error in result.get("errors", [])}


def check_good(schema):
    paths = [
        path
        for path in sorted(glob.glob("scenarios/**/*.json", recursive=True))
        if not path.endswith(".schema.json")
    ]
    for result in validate(paths, "--composed"):
        path = result["file"]
        if not result["ok"]:
            complain(f"{path}: the reader refuses it")
            continue
        for what, value in ("as a file", load(path)), ("composed", result["scenario"]):
            for error in schema.iter_errors(value):
                complain(
                    f"{path}: the schema refuses it {what}: {error.json_path}: {error.message}"
                )
    return paths


def check_bad(schema):
    paths = sorted(glob.glob(f"{BAD}/*.json"))
    for result in validate(paths):
        path = result["file"]
        with open(path.removesuffix(".json") + ".expected", encoding="utf-8") as file:
            remark = next(line for line in file if line.startswith("# schema: ")).strip()
        sees = remark == "# schema: sees it"
        if not sees and not remark.startswith("# schema: cannot see it: "):
            complain(f"{path}: says neither that the schema sees it nor why not")
        if result["ok"]:
            complain(f"{path}: the reader accepts it")
            continue
        value = load(path)
        if value is None:
            if sees or not kinds(result) <= {"json", "file"}:
                complain(f"{path}: is not JSON, yet the verdict is one of {kinds(result)}")
            continue
        if schema.is_valid(value) == sees:
            complain(f"{path}: the schema {'accepts' if sees else 'refuses'} it, but: {remark}")
        patch = isinstance(value, dict) and "extends" in value
        if not patch and not sees and "form" in kinds(result):
            complain(f"{path}: the reader calls it an error of form, but: {remark}")
        if not patch and sees and "form" not in kinds(result) and "json" not in kinds(result):
            complain(f"{path}: the schema sees what the reader calls {kinds(result)}")


# Values that may come in the place of any value: types, signs, units, ranges.
REPLACEMENTS = [
    None, True, False, 0, -1, 1, 1.5, -0.0, 7.0, 65, 1e6, 1e15, 1e18, 1e300, 2**63, 2**64 - 1,
    2**64, 10**30, "", "x", "llm", "-5s", "10", "10 s", "10sec", "5m", "0s", "0.0s", "90s",
    "90s\n", "\n90s", "1.5h", ".5h", "1.h", "+1s", "1e3s", "0x10s", "٣s", "0.0000001s",
    "99999999999999999999d", "36525d", "36526d", "0B", "1.5B", "2TB", "2Tb", "50GB/s", "1bit/s",
    "0GB/s", "50%", "150%", "0.00001%", "3.79/1000 node-days", "0/node-day", "1/0 node-days",
    "1/0000000000000 node-days", "1/99999999999999 node-days", "0.0000000000000000001/node-day",
    "1/rack-day", "1/2node-days", "none", "repair", "node:", "node:gpu-0", "node:gpu-999",
    "head:head-0", "pool:gpu", "rack:gpu/0", "job:llm/rank:0", "job:llm/rank:x", "a b", "a:b",
    "/jobs/0/outcome", "/jobs/9/outcome", "/jobs/~2", "/nonsense", "jobs", "2026-02-29T00:00:00Z",
    "2026-02-31T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01", "\u0000", "\u007f", "é", "𝄞", [],
    {}, [[]], [{}], {"x": 1}, ["90s", "30s"], ["30s", "90s"], {"uniform": ["30s", "90s"]},
    {"uniform": ["90s", "30s"]}, {"uniform": ["30s"]}, {"exponential": {"mean": "1h"}},
    {"exponential": {"mean": "0s"}}, {"exponential": {}},
    {"lognormal": {"median": "1h", "mean": "1h", "sigma": 1}},
    {"lognormal": {"median": "1h", "sigma": 0}}, {"weibull": {"mean": "1h", "shape": 0.05}},
    {"gamma": {"mean": "1h", "shape": 2}, "max": "1s"}, {"empirical": []},
    {"empirical": ["1h"], "min": "2h"}, {"exponential": {"mean": "1h"}, "uniform": ["1s", "2s"]},
    {"min": "1s"}, {"at": "/jobs/0/outcome"},
]  # fmt: skip


def places(value, path=()):
    yield path
    if isinstance(value, dict):
        for key, child in value.items():
            yield from places(child, (*path, key))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from places(child, (*path, index))


def changes(parent, key):
    """Functions that each spoil one member in its own way."""

    def remove(box):
        del box[key]

    def put(value):
        return lambda box: box.__setitem__(key, copy.deepcopy(value))

    def rename(name):
        return lambda box: box.__setitem__(name, box.pop(key))

    value = parent[key]
    yield remove
    for replacement in REPLACEMENTS:
        yield put(replacement)
    yield put([value])
    yield put({"value": value})
    if isinstance(parent, dict):
        for name in key + "s", key[:-1], key.upper(), key[1:] + key[:1], "":
            yield rename(name)
    if isinstance(value, dict):
        yield put({**value, "unknown": 1})
        yield put({**value, "min": "1s"})
    if isinstance(value, list) and value:
        yield put(value + value[:1])
        yield put(value[:-1])
    if isinstance(value, str):
        for text in value + "x", value.upper(), value[1:], " " + value, value * 40:
            yield put(text)
    if isinstance(value, int) and not isinstance(value, bool):
        for number in -value, value * 10**6, value + 0.5, float(value), str(value):
            yield put(number)


def mutations(paths, count):
    rng = random.Random(20260101)
    every = []
    for path in paths:
        value = load(path)
        for place in places(value):
            # Below `config` and `is` all is anybody's; `extends` makes another kind of file.
            if not place or "extends" in value:
                continue
            parent = value
            for step in place[:-1]:
                parent = parent[step]
            every += [
                (path, place, number) for number in range(len(list(changes(parent, place[-1]))))
            ]
    for path, place, number in rng.sample(every, min(count, len(every))):
        value = load(path)
        parent = value
        for step in place[:-1]:
            parent = parent[step]
        list(changes(parent, place[-1]))[number](parent)
        yield f"{path}/{'/'.join(map(str, place))} #{number}", value


def check_mutations(schema, paths, count):
    with tempfile.TemporaryDirectory() as folder:
        tried = []
        for number, (name, value) in enumerate(mutations(paths, count)):
            path = f"{folder}/{number}.json"
            with open(path, "w", encoding="utf-8") as file:
                json.dump(value, file)
            tried.append((path, name, value))
        verdicts = {"both accept": 0, "both refuse": 0, "only the reader refuses": 0}
        for (path, name, value), result in zip(tried, validate([path for path, _, _ in tried])):
            valid = schema.is_valid(value)
            what = [error for error in result.get("errors", [])]
            if not valid and result["ok"]:
                complain(
                    f"{name}: only the schema refuses it: {next(schema.iter_errors(value)).message}"
                )
            elif valid and "form" in kinds(result):
                complain(f"{name}: the schema accepts it, the reader has an error of form: {what}")
            elif not valid and not kinds(result) & {"form", "json"}:
                complain(f"{name}: the schema refuses it, the reader has no error of form: {what}")
            verdicts[
                "both accept"
                if result["ok"]
                else "only the reader refuses"
                if valid
                else "both refuse"
            ] += 1
    print(
        f"{len(tried)} mutations: " + ", ".join(f"{n} {verdict}" for verdict, n in verdicts.items())
    )
    if min(verdicts.values()) < count / 100:
        complain("the mutations are lopsided")


def main():
    schema = load_schema()
    paths = check_good(schema)
    check_bad(schema)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    check_mutations(schema, paths + sorted(glob.glob("tests/data/scenarios/*.json")), count)
    print(f"{len(failures)} disagreements")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
