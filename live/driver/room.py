"""Where a run lives: a folder, and what ends all of its processes when the driver ends.

In a pid namespace the driver is its first process, and the kernel does it. Elsewhere a guardian
waits for the driver's end: a process of its own, that finds what is left by a variable in the
environment.
"""
import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOKEN = "AFTERSHOCK_LIVE_RUN"
_PRIVATE = ("/tmp", "/dev/shm")
_BIND, _SUBREAPER = 4096, 36
_libc = ctypes.CDLL(None, use_errno=True)


def isolated() -> bool:
    """Whether this is the first process of a pid namespace."""
    return os.getpid() == 1


def mount(source: str, target: Path, kind: str, flags: int = 0, data: str = "") -> None:
    """mount(2). Raises OSError."""
    if _libc.mount(source.encode(), str(target).encode(), kind.encode(), flags,
                   data.encode()) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"mount on {target}: {os.strerror(error)}")


def make_private(kept: list[Path]) -> None:
    """Puts empty file systems of its own on /tmp and /dev/shm. `kept` are folders that stay
    visible where they lie beneath one of these."""
    open_folders = [(path, os.open(path, os.O_RDONLY | os.O_DIRECTORY)) for path in kept
                    if path.exists() and any(path.is_relative_to(root) for root in _PRIVATE)]
    for root in _PRIVATE:
        if Path(root).is_dir():
            mount("tmpfs", Path(root), "tmpfs", 0, "size=1g,mode=1777")
    for path, folder in open_folders:
        path.mkdir(parents=True, exist_ok=True)
        mount(f"/proc/self/fd/{folder}", path, "", _BIND)
        os.close(folder)
    if open_folders:
        os.chdir("/")
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)


def left(token: str) -> list[int]:
    """Processes that have the token in their environment, but for this one."""
    wanted = f"{TOKEN}={token}".encode()
    found = []
    for entry in os.scandir("/proc"):
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                environment = Path(entry.path, "environ").read_bytes()
            except OSError:
                continue
            if wanted in environment.split(b"\0"):
                found.append(int(entry.name))
    return sorted(found)


def kill_left(token: str, seconds: float) -> bool:
    """Kills them until none is found any more; False if that takes longer."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pids = left(token)
        if not pids:
            return True
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.05)
    return False


def _guard(token: str, folder: Path, driver: int) -> None:
    """The guardian's whole life. `driver` is a pipe that ends with the driver."""
    os.setsid()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    os.chdir("/")
    os.read(driver, 1)
    # A process may be between fork and exec: what is found last is looked for once more.
    for _ in range(2):
        kill_left(token, 45.0)
        time.sleep(0.2)
    shutil.rmtree(folder, ignore_errors=True)


class Room:
    """The folder of a run and its guardian."""

    def __init__(self, code: Path) -> None:
        """`code` has this program. Raises OSError where a namespace cannot be furnished."""
        self.isolated = isolated()
        if self.isolated:
            make_private([code, Path(sys.prefix), Path(sys.base_prefix)])
        else:
            _libc.prctl(_SUBREAPER, 1, 0, 0, 0)  # orphans of agents come to the driver
        self.folder = Path(tempfile.mkdtemp(prefix="aftershock-live-", dir="/tmp"))
        self.token = self.folder.name
        self._pipe: int | None = None
        if not self.isolated:
            self._start_guardian()

    def _start_guardian(self) -> None:
        read, self._pipe = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(self._pipe)
            try:
                _guard(self.token, self.folder, read)
            finally:
                os._exit(0)
        os.close(read)

    def clean(self) -> None:
        """Ends all processes of the run, and removes its folder."""
        kill_left(self.token, 4.0)
        if not self.isolated:
            shutil.rmtree(self.folder, ignore_errors=True)
