"""Processes by what the kernel says of them."""
import contextlib
import os
import signal
from pathlib import Path


def _parents() -> dict[int, int]:
    """The parent of each process that lives; of a zombie there is nothing left to kill."""
    parents = {}
    for entry in sorted(Path("/proc").glob("[0-9]*")):
        with contextlib.suppress(OSError):
            after = (entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            if after[0] != "Z":
                parents[int(entry.name)] = int(after[1])
    return parents


def below(roots: list[int]) -> list[int]:
    """These processes and all that they have started, as far as those have not been orphaned."""
    parents = _parents()
    found = [pid for pid in roots if pid in parents]
    for pid in found:  # grows while it is walked over
        found += sorted(child for child, parent in parents.items() if parent == pid)
    return found


def in_network(inode: int) -> list[int]:
    """All processes of a network namespace, orphans among them."""
    found = []
    for pid in sorted(_parents()):
        with contextlib.suppress(OSError):
            if os.stat(f"/proc/{pid}/ns/net").st_ino == inode:
                found.append(pid)
    return found


def kill(pids: list[int], sent: signal.Signals = signal.SIGKILL) -> None:
    """Sends a signal to each that is there."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, sent)


def name_of(pid: int) -> str:
    """The title that the process has given itself."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(
            errors="replace").strip()
    return ""
