#!/usr/bin/env python3
"""Takes nvidia-resiliency-ext into the environment of the Python that runs this.

  VENV/bin/python policies/external/hosts/nvrx/prepare.py

Its wheel is marked as one for glibc 2.39 and CPython 3.12, so that pip elsewhere finds an old
version alone. All that a host imports of it is Python, which runs on 3.11 or newer.
"""
import importlib.metadata
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

_NAME = "nvidia-resiliency-ext"
_VERSION = "0.7.0"
_HASH = "e0c646ccae211de81a4c2b5bb5cff96a5e12af1373fb0eb818a40716eef685ad"


def installed() -> bool:
    """Whether the environment has the version."""
    try:
        return importlib.metadata.version(_NAME) == _VERSION
    except importlib.metadata.PackageNotFoundError:
        return False


def main() -> int:
    """0 where the version is there afterwards, else the exit code of pip."""
    if installed():
        return 0
    with tempfile.TemporaryDirectory() as folder:
        requirements = Path(folder, "requirements.txt")
        requirements.write_text(f"{_NAME}=={_VERSION} --hash=sha256:{_HASH}\n", encoding="utf-8")
        return subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
             "--no-deps", "--require-hashes", "--only-binary=:all:", "--upgrade",
             "--platform", "manylinux_2_39_x86_64", "--python-version", "3.12",
             "--target", sysconfig.get_paths()["purelib"], "--requirement", str(requirements)],
            check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
