"""Ray Core as Ray Train's worker group sees it: actors, placement groups, references.

The worker group's own code runs unchanged over these doubles. It blocks in two places, where the
simulator decides: at the wait for the placement group, and at the shutdown of the workers.
"""
import builtins
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import ray
from ray.exceptions import GetTimeoutError, RayActorError
from ray.train.v2._internal import exceptions
from ray.train.v2._internal.execution.worker_group.worker import ActorMetadata

from ray_train.versions import INSTALLED
from ray_train.waits import Replacing, StartAnswer, Starting, Stopping

Wait = Callable[[Any], Any]

# The call of the worker group at which a start of each stage fails, by the actor's method.
_CALL_OF_STAGE = {"cluster_check": "get_metadata", "placement": "get_metadata",
                  "construction": "get_metadata", "context_init": "init_train_context",
                  "backend_setup": "", "launch": "run_train_fn"}


_PATIENCE_S = 5  # of _shutdown_workers in state.py
_HEAD = "0" * 56  # a node's id is hexadecimal


class ActorDied(RayActorError):
    """The death of an actor; `kind` is the message's word for how its process ended."""

    def __init__(self, kind: str = "exit", preempted: bool = False) -> None:
        super().__init__()
        self.kind = kind
        self._preempted = preempted

    @property
    def preempted(self) -> bool:
        return self._preempted


class StartupError(RuntimeError):
    """The exception of a hook of the start, or of the backend's set-up."""


def error_named(name: str) -> Exception:
    """An exception of this class, Ray Train's own where it has one of the name."""
    if name == "WorkerGroupError" and (failed := INSTALLED.workers_error()) is not None:
        return failed
    if name == "WorkerGroupStartupTimeoutError":
        late: Exception = exceptions.WorkerGroupStartupTimeoutError(num_workers=0)
        return late
    cls: type[Exception] | None = getattr(exceptions, name, None) or getattr(builtins, name, None)
    if cls is None:
        cls = type(name, (Exception,), {})
    return cls("told by the simulator")


class Reference:
    """An ObjectRef: what a call of an actor returned or raised."""

    def __init__(self, rank: int, value: Any = None, error: Exception | None = None) -> None:
        self.rank = rank
        self.value = value
        self.error = error


class _Method:
    def __init__(self, call: Callable[..., Reference]) -> None:
        self.remote = call

    def options(self, **_: object) -> "_Method":
        return self


class Actor:
    """A worker's actor: each method returns at once what the cluster knows of the worker."""

    def __init__(self, cluster: "Cluster", rank: int) -> None:
        self._cluster = cluster
        self._rank = rank

    def __getattr__(self, method: str) -> _Method:
        if method.startswith("_"):
            raise AttributeError(method)
        return _Method(lambda *given, **named: self._cluster.call(self._rank, method))


class _ActorClass:
    """Makes actors; a worker's rank is the place of its bundle in the placement group."""

    def __init__(self, make: Callable[[int], Any], rank: int = 0) -> None:
        self._make = make
        self._rank = rank

    def options(self, scheduling_strategy: Any = None, **_: object) -> "_ActorClass":
        rank = getattr(scheduling_strategy, "placement_group_bundle_index", 0)
        return _ActorClass(self._make, rank)

    def remote(self, **_: object) -> Any:
        return self._make(self._rank)


class PlacementGroup:
    """The reservation of one attempt."""

    def __init__(self, cluster: "Cluster") -> None:
        self._cluster = cluster

    def wait(self, limit_s: float) -> bool:
        """Whether the resources came in time."""
        return self._cluster.placed()

    def ready(self) -> Reference:
        """The wait of a `ray.get` with that limit."""
        return Reference(0, True) if self._cluster.placed() else Reference(
            0, error=GetTimeoutError())


class Cluster:
    """The workers of the group, and the module that worker_group.py takes for `ray`."""

    def __init__(self, wait: Wait, poll: Callable[[int], Reference | None]) -> None:
        self._wait = wait
        self._poll = poll
        self._start = StartAnswer()
        self._insufficient: Exception | None = None
        self.actor = ray.actor
        self._raylet = ray._raylet
        self._replaced: set[int] | None = None  # by the decision at hand
        self._holds = False  # workers or a reservation that only a stop gives back
        self._begun = False  # the host starts a group

    # As `ray`:

    def remote(self, **_: object) -> Callable[[type], _ActorClass]:
        """The decorator that makes an actor class."""
        return lambda cls: _ActorClass(lambda rank: Actor(self, rank))

    def get(self, asked: Any, timeout: float | None = None) -> Any:
        """The values of the references; raises the exception of the first that failed."""
        if not isinstance(asked, list):
            return self.get([asked])[0]
        for reference in asked:
            if reference.error is not None:
                raise reference.error
        return [reference.value for reference in asked]

    def wait(self, asked: list[Reference], **_: object) -> tuple[list[Reference], list[Reference]]:
        """Those that have answered, and those that have not."""
        done: list[Reference] = []
        silent: list[Reference] = []
        for reference in asked:
            answered = reference.value is not None or reference.error is not None
            (done if answered else silent).append(reference)
        return done, silent

    def kill(self, actor: Any) -> None:
        """Actors that have had their time are gone."""

    def get_runtime_context(self) -> SimpleNamespace:
        """The controller's own place."""
        return SimpleNamespace(get_node_id=lambda: _HEAD, current_actor=None)

    # As what else worker_group.py has by name:

    def placement_group(self, bundles: list[Any], **_: object) -> PlacementGroup:
        """The reservation of the start that has begun."""
        return PlacementGroup(self)

    def begin(self, workers: int, limit_s: float) -> None:
        """Has the host start the group; raises what a hook of the start raises meanwhile."""
        self.give_back()
        self._begun = True
        self._start = self._wait(Starting(workers, limit_s))
        self._begun = False
        self._holds = self._start.stage not in ("cluster_check", "placement")
        self._insufficient = None
        if self._start.why == "infeasible":
            self._insufficient = INSTALLED.infeasible()

    def give_back(self) -> None:
        """Ends the start that a hook has ended, of which Ray has nothing yet."""
        if self._begun:
            self._begun = False
            self._wait(Stopping(_PATIENCE_S))

    def has_workers(self, of_group: bool) -> bool:
        """Whether a start has begun, or there is a group whose workers have not been stopped."""
        return self._begun or (of_group and self._holds)

    def placed(self) -> bool:
        """Whether the start that has begun got its resources in time."""
        return not (self._start.stage in ("cluster_check", "placement")
                    and self._start.why == "timeout")

    def shut_down(self, workers: list[Any], patience_s: float = _PATIENCE_S) -> None:
        """As state.py's _shutdown_workers: asks all, and waits for at most so long."""
        raised = self._wait(Stopping(patience_s))
        self._holds = False
        if raised:
            raise RuntimeError(raised)

    def remove_placement_group(self, group: PlacementGroup) -> None:
        """Gives the reservation back, and with it all that runs there."""
        if self._holds:
            self._holds = False
            self._wait(Stopping(0))

    def replace(self, ranks: tuple[int, ...]) -> None:
        """Has the host put new workers in their places. Ray replaces one group after the other,
        the simulator all at once: of one decision it is asked once."""
        if self._replaced is None:
            self._start = self._wait(Replacing(ranks))
            self._replaced = set(ranks)

    def decided(self) -> None:
        """The decision at hand has been carried out."""
        self._replaced = None

    def call(self, rank: int, method: str) -> Reference:
        """The answer of the method of the worker's actor."""
        if method == "poll_status":
            return self._poll(rank) or Reference(rank)
        if method == _CALL_OF_STAGE.get(self._start.stage) and self._fails(rank):
            if self._insufficient is not None:
                return Reference(rank, error=self._insufficient)
            if self._start.why == "error":
                return Reference(rank, error=StartupError(self._start.stage))
            return Reference(rank, error=ActorDied())
        if method == "set_required_ranks":  # of the synchronization actor, with rank 0 among them
            return Reference(rank, True)
        if method == "get_metadata":
            return Reference(rank, ActorMetadata(f"host-{rank}", f"node-{rank}", f"node-{rank}",
                                                 rank, {}))
        return Reference(rank, "")

    def fail_backend(self) -> None:
        """Raises what the set-up of the backend has raised, where that is how the start failed."""
        if self._start.stage == "backend_setup":
            if self._start.why == "worker_died":
                raise ActorDied()
            raise StartupError("backend_setup")

    def _fails(self, rank: int) -> bool:
        return not self._start.ranks or rank in self._start.ranks


def patch(cluster: Cluster, max_workers: int) -> None:
    """Gives worker_group.py and what it uses this cluster, which can grow to so many workers; 0
    for a cluster without a known maximum."""
    INSTALLED.patch(cluster, _ActorClass(lambda rank: Actor(cluster, rank)), max_workers)
