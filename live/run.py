#!/usr/bin/env python3
"""Plays a plan on real processes: `run.py BACKEND` reads it from the standard input, one line of
JSON, and writes facts to the standard output.

The standard input stays open for as long as the run is wanted. Exit code 0 after a last fact, 1
where the run means nothing, 2 where the plan cannot be carried out.
"""
import importlib
import os
import signal
import sys
import traceback
from pathlib import Path

# Not this folder: live/ray is not the package that Ray has.
sys.path[0] = str(Path(__file__).resolve().parent.parent)

from live.driver import facts, memory, plan, room  # noqa: E402

_BACKENDS = ("torchrun", "nvrx", "ray")


def _first_line() -> str:
    """Without what Python would buffer: the rest of the input is waited for elsewhere."""
    line = b""
    while not line.endswith(b"\n"):
        part = os.read(0, 1)
        if not part:
            break
        line += part
    return line.decode()


def _write(line: str) -> None:
    data = line.encode()
    while data:
        data = data[os.write(1, data):]


def main(arguments: list[str]) -> int:
    """The exit code."""
    if len(arguments) != 1 or arguments[0] not in _BACKENDS:
        print(f"usage: run.py {'|'.join(_BACKENDS)}", file=sys.stderr)
        return 2
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda got, frame: sys.exit(128 + got))
    told = facts.Facts(_write)
    ours: room.Room | None = None
    try:
        wanted = plan.read(_first_line(), arguments[0])
        ours = room.Room(Path(__file__).resolve().parent)
        importlib.import_module(f"live.{arguments[0]}.backend").run(wanted, told, ours)
    except plan.Unfit as error:
        print(f"run.py: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 1
    except Exception as error:
        traceback.print_exc()
        told.invalid(f"{type(error).__name__}: {error}")
        return 1
    finally:
        if ours is not None:
            ours.clean()
            memory.remove_all(ours.token)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
