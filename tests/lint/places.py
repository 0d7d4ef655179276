"""What lies where: the top level, scripts, and a test for every folder and header."""
import os
import re
import subprocess

from tree import ROOMS, ROOT, Finding

_TOP = {"CMakeLists.txt", "CMakePresets.json", "README.md", "CONTRIBUTING.md", "CHANGELOG.md",
        "LICENSE", "dev", "base", "policies", "reports", "sim", "gui", "live", "scenarios",
        "tests", "docs"}
_TESTS = {"unit", "property", "conformance", "validation", "cli", "gui", "fuzz", "mutants",
          "baselines", "benchmark", "hosts", "lint", "live", "data",
          "same_bytes", "CMakeLists.txt"}


def top_level(files):
    for file in files:
        parts = file.path.split("/")
        if parts[0] not in _TOP and not parts[0].startswith("."):
            yield Finding(file.path, 1, f"{parts[0]} at the top level",
                          "it holds " + " ".join(sorted(_TOP)) + " and dotfiles")
        if parts[0] == "tests" and parts[1] not in _TESTS | {".clang-tidy"}:
            yield Finding(file.path, 1, f"{parts[1]} in tests/",
                          "it holds " + " ".join(sorted(_TESTS)))
        if not file.path.startswith("tests/data/") and re.search(
                r"[^\w./\-]|[A-Z]", file.path) and os.path.basename(file.path) not in (
                "CMakeLists.txt", "CMakePresets.json", "README.md", "CONTRIBUTING.md",
                "CHANGELOG.md", "LICENSE"):
            yield Finding(file.path, 1, "its name", "lower_case_with_underscores")
        kinds = (".h", ".cpp", ".cmake", "CMakeLists.txt", "README.md", ".svg", ".qrc", ".map",
                 ".desktop", ".xml")
        # Assets of pages are written as a browser takes them.
        if file.folder == "reports/html":
            kinds += (".html", ".css", ".js")
        # And what a policy in another process is made of, as its language takes it.
        if file.folder.startswith("policies/external"):
            kinds += (".py", ".json", ".ndjson")
        # And hosts of what is written in Go, with their modules.
        if file.folder.startswith("policies/external/hosts/"):
            kinds += (".go", ".mod", ".sum")
        # Packages that hosts take, as their installer reads them.
        if file.folder == "policies/external/hosts":
            kinds += (".txt",)
        if file.room in ROOMS and not file.path.endswith(kinds):
            yield Finding(file.path, 1, "no source", "data of tests is in tests/data, questions in "
                          "scenarios/")
        if parts[0] == "docs" and not file.path.endswith((".md", ".png")):
            yield Finding(file.path, 1, "no page", "docs/ holds pages, and the pictures in them")


# Where the tests of a folder are that has none of its own under tests/unit.
_TESTED_IN = {"policies/external/shared_object": "tests/cli", "sim/cli": "tests/cli",
              "sim/cli/inspect": "tests/cli", "sim/cli/run": "tests/cli",
              "sim/cli/live": "tests/cli",
              "sim/cli/search": "tests/cli",
              "sim/sweep/mpi": "tests/cli",
              "sim/engine/simgrid": "tests/unit/sim/engine"}


def tested(files):
    """A test for every folder with sources, under its own path in tests/unit, and none astray."""
    paths = {file.path for file in files}
    sources = {file.folder for file in files if file.room in ROOMS and file.path.endswith(".cpp")}
    folders = {file.folder for file in files if file.room in ROOMS and file.is_cpp}
    for folder in sorted(sources):
        homes = [_TESTED_IN.get(folder, f"tests/unit/{folder}")]
        # Parts of the viewer that need a window are tested apart.
        if folder.split("/")[0] == "gui":
            homes.append("tests/gui")
        if not any(path.startswith(home + "/") and path.endswith(("_test.cpp", ".sh"))
                   for path in paths for home in homes):
            yield Finding(folder, 1, "sources without a test", f"add {homes[0]}/..._test.cpp")
    for file in files:
        if file.path.startswith("tests/unit/") and file.path.endswith("_test.cpp") and \
                file.folder.removeprefix("tests/unit/") not in folders:
            yield Finding(file.path, 1, "a test of no folder", "tests/unit mirrors the tree")


def scripts(files):
    """Scripts can be run, and bash can read them."""
    for file in files:
        if not file.text.startswith("#!"):
            if file.path.endswith(".sh"):
                yield Finding(file.path, 1, "no #! line", "#!/usr/bin/env bash")
            continue
        if "bash" in file.lines[0]:
            checked = subprocess.run(["bash", "-n"], input=file.text, capture_output=True,
                                     text=True, check=False)
            if checked.returncode:
                yield Finding(file.path, 1, "bash cannot read it", checked.stderr.strip())
            if not re.search(r"^set -[a-z]*u", file.text, re.M):
                yield Finding(file.path, 1, "unset variables are empty", "set -u")
        elif file.lines[0] != "#!/usr/bin/env python3":
            yield Finding(file.path, 1, file.lines[0], "#!/usr/bin/env bash, or python3")
        if (ROOT / file.path).exists() and not os.access(ROOT / file.path, os.X_OK):
            yield Finding(file.path, 1, "not executable", f"chmod +x {file.path}")
