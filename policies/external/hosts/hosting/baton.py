"""Blocking code under simulated time.

The hosted code blocks: it sleeps, waits for workers, asks the cluster. It runs in a thread of its
own, and of the two threads one moves at a time: where it would block it says what it waits for and
hands the baton back, and the host resumes it once the simulator has told of that. So a run is the
same each time, and no real time passes for it.
"""
import threading
from collections.abc import Callable
from typing import Any


class Abandoned(BaseException):
    """Raised in a thread whose run is over, so that it unwinds. No `except Exception` holds it."""


class Ended:
    """The thread's function has returned, or raised `error`."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


class Baton:
    """One thread that runs `body`, and stands still but while it is resumed."""

    def __init__(self, body: Callable[[], None]) -> None:
        self._body = body
        self._go = threading.Semaphore(0)
        self._back = threading.Semaphore(0)
        self._answer: Any = None
        self._waits_for: Any = None
        self._abandoned = False
        self._thread = threading.Thread(target=self._run, name="hosted", daemon=True)
        self._started = False

    def resume(self, answer: Any = None) -> Any:
        """Lets the thread go on with `answer` to what it waits for, until it waits for something
        else, which is returned, or has Ended."""
        if isinstance(self._waits_for, Ended):
            raise RuntimeError("the hosted code has ended")
        self._answer = answer
        if self._started:
            self._go.release()
        else:
            self._started = True
            self._thread.start()
        self._back.acquire()
        return self._waits_for

    def wait(self, what: Any) -> Any:
        """Of the thread itself: stands still until `what` is answered."""
        self._waits_for = what
        self._back.release()
        self._go.acquire()
        if self._abandoned:
            raise Abandoned
        return self._answer

    def abandon(self) -> None:
        """Ends the thread where it stands."""
        if not self._started or isinstance(self._waits_for, Ended):
            return
        self._abandoned = True
        while not isinstance(self._waits_for, Ended):
            self._go.release()  # clean-up of the hosted code may want to wait once more
            self._back.acquire()
        self._thread.join()

    def _run(self) -> None:
        error: BaseException | None = None
        try:
            self._body()
        except Abandoned:
            pass
        except BaseException as raised:  # noqa: BLE001 - told to the host, which judges it
            error = raised
        self._waits_for = Ended(error)
        self._back.release()
