#!/usr/bin/env python3
"""Starts a host: the installed code of another project, as a policy in a process of its own.

  aftershock run SCENARIO --policy-cmd 'VENV/bin/python policies/external/hosts/run.py ray_train'

The Python that runs it is the one whose packages are hosted.
"""
import importlib
import sys
from pathlib import Path

HOSTS = ("ray_train",)


def main() -> int:
    """Runs the host of that name; exit code 2 for an unknown name."""
    if len(sys.argv) != 2 or sys.argv[1] not in HOSTS:
        print(f"usage: run.py {'|'.join(HOSTS)}", file=sys.stderr)
        return 2
    sys.path[0] = str(Path(__file__).resolve().parent)
    try:
        host = importlib.import_module(sys.argv[1] + ".host")
    except ModuleNotFoundError as missing:
        print(f"run.py: {sys.executable} has no package {missing.name}; "
              f"requirements-{sys.argv[1]}.txt lists what the host needs", file=sys.stderr)
        return 2
    host.main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
