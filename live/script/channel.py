"""The line between a process of the job and the driver: what it tells, and what it is told to do.

It is a Unix socket, which cuts of the network leave alone, with an object of JSON a line. Times are
whole nanoseconds of CLOCK_MONOTONIC, which all processes of a machine share.
"""
import json
import os
import socket
import threading
import time
from pathlib import Path
from typing import Any

Message = dict[str, Any]

PATH = "AFTERSHOCK_LIVE_CHANNEL"
NODE = "AFTERSHOCK_LIVE_NODE"
_TICKS = os.sysconf("SC_CLK_TCK")


class EarlyReturn(Exception):
    """The script is to return although steps are left."""


class Injected(RuntimeError):
    """The exception that a scenario has a worker raise."""


def started_ns() -> int:
    """When this process was started, to a tick of the kernel (10 ms)."""
    # Names of programs may have blanks, and end with the last parenthesis.
    after = Path("/proc/self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    since_boot_ns = int(after[19]) * (1_000_000_000 // _TICKS)
    asleep_ns = time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.monotonic_ns()
    return since_boot_ns - asleep_ns


class Channel:
    """One process's end of the line. Without a path it tells nobody, for tests."""

    def __init__(self, path: str | None, **hello: Any) -> None:
        """`hello` says who it is: "role" ("worker" or "agent"), "node", and of a worker "rank" and
        whatever its backend counts attempts by."""
        self._woken = threading.Condition()
        self._write = threading.Lock()
        self._orders: list[Message] = []
        self._hangs = False
        self.noticed = False  # a notice has come that a node will be taken away
        self.slowdown = 1.0
        self._socket: socket.socket | None = None
        if path is None:
            return
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(path)
        self.tell("hello", pid=os.getpid(), started_ns=started_ns(), **hello)
        threading.Thread(target=self._listen, args=(self._socket,), daemon=True).start()

    def tell(self, what: str, at_ns: int | None = None, **members: Any) -> None:
        """Tells the driver. A process that nobody hears any more ends."""
        if self._socket is None:
            return
        line = json.dumps({"what": what, "t_ns": at_ns or time.monotonic_ns(), **members}) + "\n"
        try:
            with self._write:
                self._socket.sendall(line.encode())
        except OSError:
            os._exit(1)

    def wait(self, seconds: float) -> None:
        """Sleeps so long. Raises at once what the driver orders: Injected or EarlyReturn. Does not
        come back while the driver has it hang."""
        until = time.monotonic() + seconds
        with self._woken:
            while True:
                if self._orders:
                    self._obey(self._orders.pop(0))
                left = until - time.monotonic()
                if self._hangs:
                    self._woken.wait()
                elif left <= 0:
                    return
                else:
                    self._woken.wait(left)

    def heard(self, do: str, seconds: float) -> bool:
        """Waits so long for an order that `wait` knows nothing of; whether it came."""
        def found() -> list[Message]:
            return [order for order in self._orders if order["do"] == do]

        with self._woken:
            self._woken.wait_for(found, seconds)
            for order in found():
                self._orders.remove(order)
                return True
        return False

    def _obey(self, order: Message) -> None:
        if order["do"] == "return":
            raise EarlyReturn
        if order["do"] == "raise":
            raise Injected(order.get("message", "an injected exception"))

    def _listen(self, line: socket.socket) -> None:
        try:
            with line.makefile("r", encoding="utf-8") as lines:
                for text in lines:
                    self._hear(json.loads(text))
        except (OSError, ValueError):
            pass
        os._exit(1)  # nobody is there any more

    def _hear(self, order: Message) -> None:
        """Orders: raise (else_exit_s: how long it may go unheard before the process ends as by an
        exception), return, hang, go_on, notice, slow (factor), exit (code), allocate."""
        match order["do"]:
            case "exit":
                os._exit(order["code"])
            case "notice":
                self.noticed = True
            case "slow":
                self.slowdown = order["factor"]
            case "hang" | "go_on":
                with self._woken:
                    self._hangs = order["do"] == "hang"
                    self._woken.notify_all()
            case "allocate":
                threading.Thread(target=_allocate, daemon=True).start()
            case _:
                with self._woken:
                    self._orders.append(order)
                    self._woken.notify_all()
                if "else_exit_s" in order:
                    late = threading.Timer(order["else_exit_s"], self._raise_late, [order])
                    late.daemon = True
                    late.start()

    def _raise_late(self, order: Message) -> None:
        """The main thread is in a call that no exception reaches, such as a collective."""
        with self._woken:
            if order not in self._orders:
                return
        self.tell("raises", error="Injected", text="while it was in a call")
        os._exit(1)


def _allocate() -> None:
    """Takes memory until the kernel ends the process."""
    taken = []
    while True:
        taken.append(b"x" * (4 << 20))
