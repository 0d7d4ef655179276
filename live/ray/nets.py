"""A network namespace for each node, on one bridge: nodes have addresses, and links that fail."""
import ctypes
import os
import subprocess
import threading

_CLONE_NEWNET = 0x40000000
_BRIDGE = "live0"
_HERE = "10.77.0.1"


class NoNetworks(RuntimeError):
    """Network namespaces are not to be had here."""


def _ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NoNetworks(f"ip {' '.join(words)}: {done.stderr.strip()}")


class Net:
    """The namespace of one node. `address` is its own on the bridge."""

    def __init__(self, number: int) -> None:
        self.address = f"10.77.{number // 200}.{number % 200 + 2}"
        self._outer = f"lv{number}"
        self._fd = _new_namespace()
        inner = f"lw{number}"
        _ip("link", "add", self._outer, "type", "veth", "peer", "name", inner)
        _ip("link", "set", inner, "netns", self.path)
        _ip("link", "set", self._outer, "master", _BRIDGE, "up")
        self._inside("ip", "link", "set", "lo", "up")
        self._inside("ip", "link", "set", inner, "name", "eth0")
        self._inside("ip", "addr", "add", f"{self.address}/16", "dev", "eth0")
        self._inside("ip", "link", "set", "eth0", "up")

    @property
    def path(self) -> str:
        """The namespace as a file, for this process and those that it starts."""
        return f"/proc/{os.getpid()}/fd/{self._fd}"

    @property
    def inode(self) -> int:
        """The number that tells the processes in it from others."""
        return os.fstat(self._fd).st_ino

    def prefix(self) -> list[str]:
        """The words before a command that is to run in it."""
        return ["nsenter", f"--net={self.path}", "--"]

    def cut(self) -> None:
        """Takes the link down: peers see nothing any more, not even closed connections."""
        _ip("link", "set", self._outer, "down")

    def heal(self) -> None:
        """Takes the link up again."""
        _ip("link", "set", self._outer, "up")

    def drop(self, direction: str) -> None:
        """Loses what goes one way. "outwards": what the node sends; "inwards": what it is sent."""
        if direction == "outwards":
            self._inside("ip", "route", "add", "blackhole", "10.77.0.0/17")
            self._inside("ip", "route", "add", "blackhole", "10.77.128.0/17")
        else:
            _ip("route", "add", "blackhole", f"{self.address}/32")

    def pass_again(self, direction: str) -> None:
        """Ends `drop`."""
        if direction == "outwards":
            self._inside("ip", "route", "del", "blackhole", "10.77.0.0/17")
            self._inside("ip", "route", "del", "blackhole", "10.77.128.0/17")
        else:
            _ip("route", "del", "blackhole", f"{self.address}/32")

    def _inside(self, *command: str) -> None:
        done = subprocess.run([*self.prefix(), *command], capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            raise NoNetworks(f"{' '.join(command)}: {done.stderr.strip()}")


def make_bridge() -> None:
    """Makes the bridge that nodes are on; this process has an address on it, too. Raises
    NoNetworks. It wants a network namespace that nobody else uses."""
    _ip("link", "set", "lo", "up")
    _ip("link", "add", _BRIDGE, "type", "bridge")
    _ip("addr", "add", f"{_HERE}/16", "dev", _BRIDGE)
    _ip("link", "set", _BRIDGE, "up")


def _new_namespace() -> int:
    """A descriptor of a new network namespace, which lives as long as that is open."""
    made: list[int] = []
    libc = ctypes.CDLL(None, use_errno=True)

    def make() -> None:
        if libc.unshare(_CLONE_NEWNET) == 0:
            made.append(os.open(f"/proc/self/task/{threading.get_native_id()}/ns/net",
                                os.O_RDONLY))

    thread = threading.Thread(target=make)
    thread.start()
    thread.join()
    if not made:
        raise NoNetworks(os.strerror(ctypes.get_errno()))
    return made[0]
