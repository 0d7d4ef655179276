"""Simulated nodes: groups of real processes, each with the agent of a controller."""
import os
import signal
import subprocess
import time
from pathlib import Path

from live.driver import room
from live.driver.loop import Line
from live.script import channel

# A process that the kernel does not end for so long is left to the end of the run.
_KILL_S = 5.0


class Worker:
    """A process of the job that has said who it is."""

    def __init__(self, line: Line, attempt: int) -> None:
        self.line = line
        self.attempt = attempt
        self.pid: int = line.hello["pid"]
        self.rank: int = line.hello["rank"]
        self.node: str = line.hello["node"]
        self.code: int | None = None  # as far as anybody knows
        self.why = ""  # what it says of its end
        self.ended = False

    def kill(self, number: int) -> bool:
        """Sends a signal; False where it has ended already."""
        if self.ended:
            return False
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            return False
        if number not in (signal.SIGSTOP, signal.SIGCONT):
            self.code = -number
        return True


class Node:
    """One of them. `number` counts from 0, in the order of the plan."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.number = number
        self.up = False
        self.ends_alone = False  # its agent was ended apart from the node
        self.agent: subprocess.Popen[bytes] | None = None
        self.workers: list[Worker] = []

    @property
    def has_agent(self) -> bool:
        """Whether its agent runs."""
        return self.agent is not None and self.agent.returncode is None


class Processes:
    """Starts and ends the processes of nodes."""

    def __init__(self, home: room.Room) -> None:
        self._home = home
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("TORCH", "PET_", "RAY_", "NVRX_"))}
        self.environment |= {room.TOKEN: home.token, "TMPDIR": str(home.folder),
                             "PYTHONDONTWRITEBYTECODE": "1",
                             channel.PATH: str(home.folder / "line")}

    def log(self, node: Node) -> Path:
        """The output of the processes of a node."""
        return self._home.folder / f"{node.name}.log"

    def start(self, node: Node, command: list[str], variables: dict[str, str]) -> None:
        """Starts the agent of a node."""
        with self.log(node).open("ab") as log:
            node.agent = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self._home.folder,
                env=self.environment | variables | {channel.NODE: node.name},
                start_new_session=True)

    def of(self, node: Node) -> list[int]:
        """All processes of a node."""
        wanted = f"{channel.NODE}={node.name}".encode()
        found = []
        for pid in room.left(self._home.token):
            try:
                if wanted in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                    found.append(pid)
            except OSError:
                continue
        return found

    def kill(self, node: Node) -> None:
        """Ends all processes of a node by SIGKILL: those that are known first, at one moment."""
        for worker in node.workers:
            worker.kill(signal.SIGKILL)
        if node.agent is not None and node.agent.returncode is None:
            os.kill(node.agent.pid, signal.SIGKILL)
        until = time.monotonic() + _KILL_S
        while (pids := self.of(node)) and time.monotonic() < until:
            for pid in pids:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
