"""Work that takes long, such as the start of a node, beside the loop."""
import collections
import os
import threading
from collections.abc import Callable

from live.driver.loop import Loop


class Background:
    """Runs functions in threads of their own. What comes after them runs in the loop."""

    def __init__(self, loop: Loop, failed: Callable[[str], None]) -> None:
        """`failed` is called in the loop with what a function has raised."""
        self._failed = failed
        self._done: collections.deque[Callable[[], None]] = collections.deque()
        read, self._write = os.pipe()
        os.set_blocking(read, False)
        loop.watch(read, lambda: self._take(read))

    def run(self, work: Callable[[], None], then: Callable[[], None]) -> None:
        """Calls `work` beside the loop, and `then` in it."""
        def both() -> None:
            try:
                work()
                self._done.append(then)
            except Exception as error:
                why = f"{type(error).__name__}: {error}"
                self._done.append(lambda: self._failed(why))
            os.write(self._write, b".")

        threading.Thread(target=both, daemon=True).start()

    def _take(self, read: int) -> None:
        os.read(read, 4096)
        while self._done:
            self._done.popleft()()
