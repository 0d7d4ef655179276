#!/usr/bin/env python3
"""Every host beside its port, in its newest version and in the older ones that are pinned:
versions.py AFTERSHOCK [HOST...]

An older version is a list `conform/HOST-VERSION.json` and pins `requirements-ENVIRONMENT-VERSION`;
its environment is made in the user's cache folder, under a name with a digest of the pins. Another
version of what a host in Go is built with is a file `go-VERSION.mod` beside its go.mod, by which
the same sources are built and held to the same list. Ends with 1 where one differs beyond its list,
or cannot be run.
"""
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

HOSTS = Path(__file__).resolve().parents[2] / "policies/external/hosts"
# Which pins an older version of a host stands beside.
ENVIRONMENTS = {"ray_train": "ray", "ray_tune": "ray", "torchrun": "torch", "nvrx": "torch"}
# Which hosts a go-VERSION.mod has all modules of.
BUILT_ANEW = {"kubernetes": ("job", "jobset")}


def say(text: str) -> None:
    """Tells what goes on; the table alone goes to standard output."""
    print(text, file=sys.stderr, flush=True)


def cache() -> Path:
    """The folder of all hosts' environments."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "aftershock/hosts"


def python_for(pins: Path) -> str:
    """A Python that the pins are for: those of an old version may have no wheel for a new one."""
    for name in ("python3.11", "python3.12", "python3.13", "python3"):
        asked = [name, "-c", "import sys, venv; print(sys.version_info >= (3, 11))"]
        try:
            answer = subprocess.run(asked, capture_output=True, text=True, check=False)
        except OSError:
            continue
        if answer.stdout.strip() == "True":
            return name
    raise SystemExit(f"versions.py: {pins.name} takes Python 3.11 with its module venv")


def environment(name: str, version: str) -> Path:
    """The Python of the version's environment, which is made where it is not there."""
    pins = HOSTS / f"requirements-{ENVIRONMENTS[name]}-{version}.txt"
    digest = hashlib.sha256(pins.read_bytes()).hexdigest()[:16]
    folder = cache() / f"{ENVIRONMENTS[name]}-{version}-{digest}"
    python = folder / "bin/python"
    if not (folder / "ready").exists():
        say(f"making {folder}, some 600 MB")
        subprocess.run([python_for(pins), "-m", "venv", "--clear", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", "--no-deps",
                        "--require-hashes", "--only-binary=:all:", "-r", str(pins)], check=True)
        (folder / "ready").touch()
    return python


def conform(program: str, asked: list[str]) -> tuple[dict[str, object], str]:
    """The JSON of `policies conform`, and the word for its exit code."""
    ran = subprocess.run([program, "policies", "conform", *asked, "--json"],
                         stdout=subprocess.PIPE, text=True, check=False)
    if ran.returncode not in (0, 7):
        return {}, f"exit code {ran.returncode}"
    told: dict[str, object] = json.loads(ran.stdout)
    return told, "agrees" if ran.returncode == 0 else "differs"


def newest(program: str, name: str) -> tuple[dict[str, object], str]:
    """The host by the pins that users get."""
    say(f"{name}: the newest version")
    listed = subprocess.run([program, "hosts", "list", "--json"], capture_output=True, text=True,
                            check=True)
    there = {host["name"] for host in json.loads(listed.stdout) if host["there"]}
    if name not in there:
        subprocess.run([program, "hosts", "setup", name, "--yes"], stdout=sys.stderr, check=True)
    return conform(program, [name])


def older(program: str, name: str, version: str) -> tuple[dict[str, object], str]:
    """The host with an older version of what it hosts."""
    say(f"{name}: version {version}")
    return conform(program, [f"{name}@{version}", "--python", str(environment(name, version))])


def built_anew(chosen: list[str]) -> list[tuple[str, str, Path]]:
    """Hosts in Go by their other pins: name, version and these."""
    found = []
    for folder, names in BUILT_ANEW.items():
        for pins in sorted((HOSTS / folder).glob("go-*.mod")):
            version = pins.stem.partition("-")[2]
            found += [(name, version, pins) for name in names if not chosen or name in chosen]
    return found


def anew(program: str, name: str, version: str, pins: Path) -> tuple[dict[str, object], str]:
    """The host built with other pins."""
    say(f"{name}: built with {pins.name}")
    binary = cache() / f"{pins.parent.name}-{version}" / name
    binary.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["go", "build", "-C", str(pins.parent), f"-modfile={pins.name}", "-trimpath",
                    "-buildvcs=false", "-ldflags=-s -w", "-o", str(binary), f"./cmd/{name}"],
                   check=True)
    return conform(program, [name, "--policy-cmd", str(binary)])


def main() -> int:
    """Runs all, or those of these hosts."""
    program, *chosen = sys.argv[1:]
    lists = sorted(file.stem for file in (HOSTS / "conform").glob("*.json"))
    known = sorted(stem for stem in lists if "-" not in stem)
    if unknown := sorted(set(chosen) - set(known)):
        say(f"conform: no such host: {' '.join(unknown)}; there are: {' '.join(known)}")
        return 2
    rows: list[list[str]] = []

    def add(name: str, version: str, told: dict[str, object], result: str) -> None:
        rows.append([name, version, *(str(told.get(count, "")) for count in (
            "scenarios", "runs", "decisions", "charges", "differ", "beyond_the_list")), result])

    for stem in lists:
        name, _, version = stem.partition("-")
        if chosen and name not in chosen:
            continue
        try:
            told, result = (older(program, name, version) if version else newest(program, name))
        except subprocess.CalledProcessError as failed:
            told, result = {}, f"its environment cannot be made ({failed.returncode})"
        add(name, version or "newest", told, result)
    for name, version, pins in built_anew(chosen):
        try:
            told, result = anew(program, name, version, pins)
        except subprocess.CalledProcessError as failed:
            told, result = {}, f"it cannot be built ({failed.returncode})"
        add(name, version, told, result)
    head = ["host", "version", "scenarios", "runs", "decisions", "charges", "differ", "unlisted",
            "result"]
    widths = [max(len(row[at]) for row in [head, *rows]) for at in range(len(head))]
    for row in [head, *rows]:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())
    return 0 if all(row[-1] == "agrees" for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
