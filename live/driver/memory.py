"""Memory cgroups in which a worker finds too little, and is ended by the kernel.

The end of a pid namespace ends processes and leaves cgroups. So each is removed as soon as it is
empty, and a run that makes one removes those that killed runs have left.
"""
import contextlib
import time
from pathlib import Path

from live.driver.loop import Loop

_ROOM_BYTES = 64 << 20
_LOOK_S = 0.02
_PREFIX = "aftershock-live-"  # of all tokens
_VERSION_1 = Path("/sys/fs/cgroup/memory")
_OLD_S = 10.0
_ENDING_S = 2.0  # of processes that have just been killed


def _parent() -> Path:
    return _VERSION_1 if _VERSION_1.is_dir() else Path("/sys/fs/cgroup")


def remove_all(token: str) -> None:
    """Removes the groups of a run, whose processes have just been killed."""
    groups = list(_parent().glob(f"{token}-*"))
    for _ in range(round(_ENDING_S / _LOOK_S)):
        groups = [group for group in groups if not _removed(group)]
        if not groups:
            return
        time.sleep(_LOOK_S)


class MemoryGroups:
    """Those of one run, whose token names them."""

    def __init__(self, token: str, loop: Loop) -> None:
        self._token = token
        self._loop = loop
        self._groups: list[Path] = []
        self._parent = _parent()
        self._limit = "memory.limit_in_bytes" if self._parent == _VERSION_1 else "memory.max"

    def confine(self, pid: int) -> None:
        """Puts the process into one. Raises OSError where none can be written."""
        self._remove_old()
        group = self._parent / f"{self._token}-{pid}"
        group.mkdir()
        self._groups.append(group)
        (group / "cgroup.procs").write_text(str(pid), encoding="utf-8")
        (group / self._limit).write_text(str(_ROOM_BYTES), encoding="utf-8")
        self._loop.after(_LOOK_S, self._look)

    def clean(self) -> None:
        """Removes those that are empty."""
        self._groups = [group for group in self._groups if not _removed(group)]

    def _look(self) -> None:
        self.clean()
        if self._groups:
            self._loop.after(_LOOK_S, self._look)

    def _remove_old(self) -> None:
        for group in self._parent.glob(f"{_PREFIX}*"):
            with contextlib.suppress(OSError):
                if time.time() - group.stat().st_mtime > _OLD_S:
                    group.rmdir()


def _removed(group: Path) -> bool:
    try:
        group.rmdir()
    except FileNotFoundError:
        pass
    except OSError:  # it has processes
        return False
    return True
