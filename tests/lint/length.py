"""How long files, functions and lines may be."""
import re

import cpp
from tree import Finding

FILE_LIMIT = 400
README_LIMIT = 200
FUNCTION_LIMIT = 70
COLUMNS = 100
BYTES = 150_000
PICTURE_BYTES = 200_000
BASELINE_BYTES = 2_000_000  # a line a run, read as diffs
SCHEMA_BYTES = 400_000  # made by a command, read by editors

# Nothing is longer without a name here and a reason; twice the limit is never allowed.
LONG_FILES = {
    "scenarios/aftershock.schema.json": "made by `aftershock schema`",
    "policies/external/messages.schema.json": "made by `aftershock policies schema`",
    "tests/baselines/ci.json": "a line a run, of which a random scenario has eight",
    "policies/external/hosts/kubernetes/go.sum": "made by `go mod tidy`",
    "LICENSE": "the licence",
}


def file_length(files):
    """Files, functions and their sizes."""
    for file in files:
        count = file.text.count("\n")
        is_picture = file.path.endswith(".png")
        if count > FILE_LIMIT and file.path not in LONG_FILES and not is_picture:
            yield Finding(file.path, FILE_LIMIT, f"{count} lines",
                          f"at most {FILE_LIMIT}: one concept a file, so there are two here")
        if file.path == "README.md" and count >= README_LIMIT:
            yield Finding(file.path, README_LIMIT, f"{count} lines",
                          f"fewer than {README_LIMIT}: what a question is about goes to docs/")
        most = PICTURE_BYTES if is_picture \
            else BASELINE_BYTES if file.path.startswith(("tests/baselines/", "tests/data/hosts/")) \
            else SCHEMA_BYTES if file.path.endswith(".schema.json") else BYTES
        if len(file.bytes) > most:
            yield Finding(file.path, 1, f"{len(file.bytes)} bytes",
                          f"at most {most}: make it where it is used")
        if file.is_cpp:
            for found in cpp.declarations(file.text):
                lines = found.end - found.line + 1
                # A table of cases is data.
                if found.kind == "function" and lines > FUNCTION_LIMIT \
                        and not found.name.startswith("INSTANTIATE_"):
                    yield Finding(file.path, found.line, f"{found.name} has {lines} lines",
                                  f"at most {FUNCTION_LIMIT}: name a part of it")
    paths = {file.path for file in files}
    for path in LONG_FILES:
        if "tests/lint/length.py" in paths and path not in paths:
            yield Finding("tests/lint/length.py", 1, f"{path} is not in the tree",
                          "take it out of the exceptions")


def columns(files):
    """clang-format sees to C++, but for what it cannot break."""
    for file in files:
        if file.path in LONG_FILES or not re.search(
                r"\.(h|cpp|css|go|js|py|sh|txt|cmake)$|(^|/)(dev|run)$", file.path):
            continue
        raw = cpp.raw_lines(file.text) if file.is_cpp else set()
        for i, line in enumerate(file.lines):
            # Of a table, a line is a case.
            if len(line) > COLUMNS and i + 1 not in raw and not re.match(
                    r"(input=\S+ )?expect |echo '\{", line):
                yield Finding(file.path, i + 1, f"{len(line)} columns", f"at most {COLUMNS}")
