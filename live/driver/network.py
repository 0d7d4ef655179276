"""Nodes in network namespaces of their own, on one bridge, so that links can be cut.

It needs a network namespace in which the driver is root. The namespace of a node lives as long as
its holder, a process that sleeps.
"""
import os
import subprocess
import time
from pathlib import Path

_BRIDGE = "live0"
_DEVICE = "eth0"


def _ip(*arguments: str, inside: int | None = None) -> None:
    enter = [] if inside is None else ["nsenter", f"--net=/proc/{inside}/ns/net"]
    done = subprocess.run([*enter, "ip", *arguments], check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise OSError(f"ip {' '.join(arguments)}: {done.stderr.strip()}")


class Network:
    """The bridge and its links. `several` is False where all nodes share the loopback."""

    def __init__(self, several: bool, environment: dict[str, str]) -> None:
        self.several = several
        self._environment = environment
        self._holders: dict[str, int] = {}
        self._addresses: dict[str, str] = {}
        if several:
            _ip("link", "add", _BRIDGE, "type", "bridge")
            _ip("link", "set", _BRIDGE, "up")

    @property
    def device(self) -> str:
        """The name of the interface that nodes talk by."""
        return _DEVICE if self.several else "lo"

    def add(self, node: str) -> None:
        """Gives a node its place."""
        number = len(self._addresses) + 1
        if not self.several:
            self._addresses[node] = "127.0.0.1"
            return
        self._addresses[node] = f"10.77.0.{number}"
        holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"],
                                  env=self._environment).pid
        own = os.readlink("/proc/self/ns/net")
        while os.readlink(f"/proc/{holder}/ns/net") == own:
            time.sleep(0.002)
        self._holders[node] = holder
        _ip("link", "add", f"v{number}", "type", "veth", "peer", "name", f"p{number}")
        _ip("link", "set", f"p{number}", "netns", str(holder), "name", _DEVICE)
        _ip("link", "set", f"v{number}", "master", _BRIDGE, "up")
        _ip("addr", "add", f"{self._addresses[node]}/24", "dev", _DEVICE, inside=holder)
        _ip("link", "set", _DEVICE, "up", inside=holder)
        _ip("link", "set", "lo", "up", inside=holder)

    def address(self, node: str) -> str:
        """Its address."""
        return self._addresses[node]

    def enter(self, node: str) -> list[str]:
        """The words before a command that make it run there."""
        return [f"{_nsenter()}", f"--net=/proc/{self._holders[node]}/ns/net"] \
            if self.several else []

    def cut(self, node: str, whole: bool) -> None:
        """Takes the link of a node down, or up again."""
        number = self._addresses[node].rpartition(".")[2]
        _ip("link", "set", f"v{number}", "up" if whole else "down")

    def cut_one_way(self, node: str, outwards: bool, whole: bool) -> None:
        """Drops what the node sends to the others, or what they send to it."""
        do = "del" if whole else "add"
        for other in self._holders:
            if other != node:
                at, to = (node, other) if outwards else (other, node)
                _ip("route", do, "blackhole", f"{self._addresses[to]}/32",
                    inside=self._holders[at])


def _nsenter() -> Path:
    for folder in ("/usr/bin", "/bin"):
        path = Path(folder, "nsenter")
        if path.exists():
            return path
    return Path("nsenter")
