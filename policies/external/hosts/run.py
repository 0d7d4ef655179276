#!/usr/bin/env python3
"""Starts a host: the installed code of another project, as a policy in a process of its own.

  aftershock run SCENARIO --policy-cmd 'VENV/bin/python policies/external/hosts/run.py ray_train'

The Python that runs it is the one whose packages are hosted.
"""
import importlib
import inspect
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def main() -> int:
    """Runs the host of that name; exit code 2 for an unknown name."""
    hosts = sorted(file.parent.name for file in FOLDER.glob("*/host.py"))
    if len(sys.argv) < 2 or sys.argv[1] not in hosts:
        print(f"usage: run.py {'|'.join(hosts)} [ARGUMENTS OF THE HOST]", file=sys.stderr)
        return 2
    sys.path[0] = str(FOLDER)
    try:
        host = importlib.import_module(sys.argv[1] + ".host")
    except ModuleNotFoundError as missing:
        print(f"run.py: {sys.executable} has no package {missing.name}; "
              f"`aftershock hosts setup {sys.argv[1]}` makes an environment that has all",
              file=sys.stderr)
        return 2
    takes_words = bool(inspect.signature(host.main).parameters)
    if len(sys.argv) > 2 and not takes_words:
        print(f"run.py: the host {sys.argv[1]} takes no arguments", file=sys.stderr)
        return 2
    host.main(*([sys.argv[2:]] if takes_words else []))
    return 0


if __name__ == "__main__":
    sys.exit(main())
