"""One thread that waits for whatever comes: messages of processes, children that end, times."""
import heapq
import json
import os
import selectors
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Message = dict[str, Any]


class Line:
    """The driver's end of the line to a process. `hello` is its first message."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.hello: Message = {}
        self.ended_ns: int | None = None
        self.buffer = b""

    def order(self, do: str, **members: Any) -> bool:
        """Tells the process to do something; False where it is not there any more."""
        try:
            self.connection.sendall((json.dumps({"do": do, **members}) + "\n").encode())
        except OSError:
            return False
        return True


Hear = Callable[[Line, Message], None]


class Loop:
    """Calls what is due. `hear` gets each message of a line, and {"what": "gone"} at its end."""

    def __init__(self, path: Path, hear: Hear, reaped: Callable[[int, int], None]) -> None:
        self._hear = hear
        self._reaped = reaped
        self._selector = selectors.DefaultSelector()
        self._timers: list[tuple[int, int, Callable[[], None]]] = []
        self._count = 0
        self.stopped = False
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(str(path))
        self._listener.listen(256)
        self._selector.register(self._listener, selectors.EVENT_READ, self._accept)
        read, write = os.pipe()
        os.set_blocking(write, False)
        os.set_blocking(read, False)
        signal.set_wakeup_fd(write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        self._selector.register(read, selectors.EVENT_READ, lambda: self._children(read))

    def watch(self, file: int, call: Callable[[], None]) -> None:
        """Calls when something can be read."""
        self._selector.register(file, selectors.EVENT_READ, call)

    def unwatch(self, file: int) -> None:
        """Ends that."""
        self._selector.unregister(file)

    def at(self, when_ns: int, call: Callable[[], None]) -> None:
        """Calls at that moment of CLOCK_MONOTONIC, or as soon as possible."""
        self._count += 1
        heapq.heappush(self._timers, (when_ns, self._count, call))

    def after(self, seconds: float, call: Callable[[], None]) -> None:
        """Calls so much later."""
        self.at(time.monotonic_ns() + round(seconds * 1e9), call)

    def stop(self) -> None:
        """Has `run` return."""
        self.stopped = True

    def run(self) -> None:
        """Until it is stopped."""
        while not self.stopped:
            wait_s = 1.0
            if self._timers:
                wait_s = min(1.0, max(0.0, (self._timers[0][0] - time.monotonic_ns()) / 1e9))
            for key, _ in self._selector.select(wait_s):
                key.data()
            while self._timers and not self.stopped \
                    and self._timers[0][0] <= time.monotonic_ns():
                heapq.heappop(self._timers)[2]()

    def _children(self, read: int) -> None:
        try:
            os.read(read, 4096)
        except BlockingIOError:
            pass
        self.reap()

    def reap(self) -> None:
        """Takes in all children that have ended, adopted ones among them."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            self._reaped(pid, os.waitstatus_to_exitcode(status))

    def _accept(self) -> None:
        connection, _ = self._listener.accept()
        line = Line(connection)
        self._selector.register(connection, selectors.EVENT_READ, lambda: self._read(line))

    def _read(self, line: Line) -> None:
        try:
            data = line.connection.recv(1 << 16)
        except OSError:
            data = b""
        line.buffer += data
        *whole, line.buffer = line.buffer.split(b"\n")
        for text in whole:
            message = json.loads(text)
            if message["what"] == "hello":
                line.hello = message
            self._hear(line, message)
        if not data:
            line.ended_ns = time.monotonic_ns()
            self._selector.unregister(line.connection)
            line.connection.close()
            self._hear(line, {"what": "gone", "t_ns": line.ended_ns})
