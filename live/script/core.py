"""The training that every backend runs: phases, steps and checkpoints. It imports no framework."""
import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from live.script.channel import Channel, EarlyReturn
from live.script.checkpoints import Unreadable

Job = dict[str, Any]

_LEAVES, _SAVES = 1, 2


class Transport(Protocol):
    """The ranks' way to each other."""

    def join(self) -> None:
        """Returns once all ranks are there."""

    def agree(self, mine: int) -> int:
        """A collective of all ranks: returns the bits that any of them has. Raises if a rank is
        gone."""

    def leave(self) -> None:
        """The last thing that a rank does."""


class Alone:
    """A transport without collectives: each rank goes by itself."""

    def join(self) -> None:
        """Waits for nobody."""

    def agree(self, mine: int) -> int:
        """Returns its own."""
        return mine

    def leave(self) -> None:
        """Leaves nothing."""


class Store(Protocol):
    """Where checkpoints are kept: live.script.checkpoints.Files, or the backend's own."""

    def steps(self) -> list[int]:
        """The steps that there are checkpoints of, newest first."""

    def save(self, step: int) -> None:
        """Writes one. Raises OSError."""

    def load(self, step: int) -> None:
        """Reads one. Raises Unreadable."""


class Training:
    """One rank of one attempt. `job` is the plan's "job"; rank 0 alone writes to `store`."""

    def __init__(self, job: Job, rank: int, channel: Channel, transport: Transport,
                 store: Store) -> None:
        self._job = job
        self._rank = rank
        self._channel = channel
        self._transport = transport
        self._store = store
        self._step = 0
        self._saved: int | None = None
        self._since_s = 0.0  # compute time since the last checkpoint began
        self._since_steps = 0
        self._committing: Callable[[], None] | None = None

    def run(self, launched_ns: int) -> bool:
        """Trains to the end, from the end of the imports on. `launched_ns` is when the process
        began to be launched. Returns False where it was told to return early."""
        try:
            self._meet(launched_ns)
            with self._phase("restoring"):
                self._restore()
            with self._phase("warming_up"):
                pass
            self._enter("training")
            while self._step < self._job["steps"]:
                self._take_step()
        except EarlyReturn:
            self._enter("finalizing")
            return False
        self._finish()
        return True

    # Phases:

    def _meet(self, launched_ns: int) -> None:
        self._pad("launching_s", time.monotonic_ns() - launched_ns)
        with self._phase("rendezvous"):
            self._transport.join()

    def _enter(self, phase: str) -> None:
        self._channel.tell("phase", phase=phase, step=self._step)

    def _pad(self, name: str, spent_ns: int) -> None:
        """A phase takes as long as the scenario says, or as long as it really takes."""
        wanted_s = self._job.get("phases", {}).get(name) or 0.0
        self._channel.wait(max(0.0, wanted_s - spent_ns / 1e9))

    @contextlib.contextmanager
    def _phase(self, phase: str) -> Iterator[None]:
        began_ns = time.monotonic_ns()
        self._enter(phase)
        yield
        self._pad(f"{phase}_s", time.monotonic_ns() - began_ns)

    def _restore(self) -> None:
        script = self._job.get("script", {})
        self._step = self._job.get("initial_steps") or 0
        if not script.get("resumes", True):
            return
        for step in self._store.steps():
            try:
                self._store.load(step)
            except Unreadable:
                if self._rank == 0:
                    self._channel.tell("checkpoint", did="unreadable", step=step)
                if not script.get("falls_back", False):
                    raise
                continue
            self._step = self._saved = step
            if self._rank == 0:
                self._channel.tell("checkpoint", did="loaded", step=step)
            return

    # Steps:

    def _take_step(self) -> None:
        seconds = self._job["step_s"] * self._channel.slowdown
        self._channel.wait(seconds)
        self._since_s += seconds
        self._since_steps += 1
        if self._committing is not None:  # it was written beside this step
            self._committing()
            self._committing = None
        leaves = self._job.get("script", {}).get("returns_on_notice", False)
        # Of one rank's notice all hear: they return at the end of one and the same step.
        bits = self._transport.agree(_LEAVES * (self._channel.noticed and leaves)
                                     | _SAVES * self._is_due())
        self._step += 1
        self._channel.tell("step", step=self._step)
        if bits & _LEAVES:
            raise EarlyReturn
        if bits & _SAVES and self._step < self._job["steps"]:
            self._checkpoint()
            self._enter("training")

    def _is_due(self) -> bool:
        rule = self._job.get("checkpoint")
        if rule is None or not self._job.get("script", {}).get("saves", True):
            return False
        if rule.get("every_steps"):
            return bool(self._since_steps >= rule["every_steps"])
        # Steps are whole: sums of their lengths are compared without their last digits.
        return bool(self._since_s + 1e-6 >= rule["every_s"])

    def _checkpoint(self) -> None:
        """Training stands still for as long as the scenario says. An asynchronous one is written
        during the next step."""
        step = self._step
        self._enter("checkpointing")
        self._since_s = 0.0
        self._since_steps = 0
        beside = self._job["checkpoint"].get("async", False)
        if not beside:
            self._commit(step)
        self._channel.wait(self._job["checkpoint"].get("blocking_s") or 0.0)
        if beside:
            self._committing = lambda: self._commit(step)
        # All go on together, once rank 0 has written it.
        self._transport.agree(0)

    def _commit(self, step: int) -> None:
        self._saved = step
        if self._rank == 0:
            self._store.save(step)
            self._channel.tell("checkpoint", did="committed", step=step)

    def _finish(self) -> None:
        rule = self._job.get("checkpoint")
        if self._committing is not None:
            self._committing()
        if rule is not None and rule.get("at_end", True) and self._saved != self._step \
                and self._job.get("script", {}).get("saves", True):
            self._checkpoint()
            if self._committing is not None:
                self._committing()
        with self._phase("finalizing"):
            self._transport.leave()
