#!/usr/bin/env python3
"""Makes stubs of the CUDA libraries that this Python's torch links against.

  VENV/bin/python policies/external/hosts/torchrun/prepare.py

There is no build of torch for x86_64 without CUDA on PyPI, and the libraries are gigabytes that no
agent calls. Each one that the machine does not have becomes a library of functions that return 100,
"no device", beside torch's own. Stubs that are there already are left alone.
It needs gcc and binutils.
"""
import ctypes
import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

_UNVERSIONED = ""
_TOOLS = ("gcc", "nm", "readelf")
# Symbols that the interpreter itself has.
_OF_PYTHON = re.compile(r"_?Py")


def _output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def libraries_of_torch(folder: Path) -> list[Path]:
    """The shared objects of an installed torch, in order."""
    return sorted([*folder.glob("lib/*.so*"), *folder.glob("_C*.so")])


def is_there(name: str) -> bool:
    """Whether the loader finds the library by itself."""
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def needed(library: Path) -> Iterator[str]:
    """The names of libraries that it links against."""
    for line in _output("readelf", "-dW", str(library)).splitlines():
        if match := re.search(r"\(NEEDED\).*\[(.+)\]", line):
            yield match[1]


def versions(library: Path) -> Iterator[tuple[str, str]]:
    """Versions of symbols that it asks for, each with the library that is to have it."""
    owner = ""
    for line in _output("readelf", "-VW", str(library)).splitlines():
        if match := re.search(r"\bFile: (\S+)", line):
            owner = match[1]
        elif owner and (match := re.search(r"\bName: (\S+)\s+Flags:", line)):
            yield match[1], owner


def symbols(library: Path, kind: str) -> Iterator[tuple[str, str]]:
    """Names and versions of the dynamic symbols that nm lists: --undefined-only for those it
    asks for, --defined-only for its own."""
    for line in _output("nm", "-D", kind, str(library)).splitlines():
        word = line.split()
        if len(word) >= 2 and word[-2] not in "wv":  # weak ones may stay undefined
            name, _, version = word[-1].partition("@")
            yield name, version.lstrip("@")


def missing_symbols(libraries: Iterable[Path],
                    missing: list[str]) -> dict[str, dict[str, set[str]]]:
    """Of each missing library the symbols that it is to have, by version. Those without a version
    can be anywhere, and are in the first."""
    owners: dict[str, str] = {}
    asked: set[tuple[str, str]] = set()
    own: set[str] = set()
    for library in libraries:
        owners.update(versions(library))
        asked.update(symbols(library, "--undefined-only"))
        own.update(name for name, _ in symbols(library, "--defined-only"))
    wanted: dict[str, dict[str, set[str]]] = {name: {} for name in missing}
    for name, version in asked:
        owner = owners.get(version, "") if version else missing[0]
        if owner in wanted and name not in own and not _OF_PYTHON.match(name):
            wanted[owner].setdefault(version, set()).add(name)
    return wanted


def build(target: Path, by_version: dict[str, set[str]]) -> None:
    """Compiles a library of that name with these symbols."""
    with tempfile.TemporaryDirectory() as folder:
        source, script = Path(folder, "stub.c"), Path(folder, "versions")
        named = sorted({name for names in by_version.values() for name in names})
        source.write_text("".join(f"int {name}(void) {{ return 100; }}\n" for name in named),
                          encoding="utf-8")
        script.write_text("".join(
            f"{version} {{ {'; '.join(sorted(names))}; }};\n"
            for version, names in sorted(by_version.items()) if version != _UNVERSIONED),
            encoding="utf-8")
        made = target.with_name(target.name + ".part")
        command = ["gcc", "-shared", "-fPIC", "-nostdlib", "-fno-builtin", "-w",
                   f"-Wl,-soname,{target.name}"]
        if script.stat().st_size:
            command.append(f"-Wl,--version-script={script}")
        subprocess.run([*command, "-o", str(made), str(source)], check=True)
        made.rename(target)


def main() -> int:
    """0 where torch can be imported now; else 1 with the reason."""
    found = importlib.util.find_spec("torch")
    if found is None or not found.submodule_search_locations:
        print(f"prepare.py: {sys.executable} has no torch", file=sys.stderr)
        return 1
    folder = Path(found.submodule_search_locations[0])
    libraries = libraries_of_torch(folder)
    there = {library.name for library in libraries}
    names = sorted({name for library in libraries for name in needed(library)} - there)
    missing = [name for name in names if not is_there(name)]
    if missing:
        lacking = [tool for tool in _TOOLS if shutil.which(tool) is None]
        if lacking:
            print(f"prepare.py: {', '.join(lacking)} not found; on Debian: "
                  "apt-get install gcc binutils", file=sys.stderr)
            return 1
        for name, by_version in missing_symbols(libraries, missing).items():
            build(folder / "lib" / name, by_version)
    done = subprocess.run([sys.executable, "-c", "import torch.distributed"], check=False)
    print(f"{len(missing)} stubs made in {folder / 'lib'}")
    return 1 if done.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
