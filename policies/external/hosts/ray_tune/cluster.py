"""Ray Core as Tune's RayActorManager sees it: resources, actors, references.

The manager's own code runs unchanged. It blocks in one place, ray.wait, where the simulator says
what has happened.
"""
from collections import deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import ray
from ray.air.execution._internal import actor_manager, event_manager
from ray.air.execution.resources import AcquiredResources, ResourceManager
from ray.exceptions import RayActorError

from hosting.doubles import put
from ray_tune.clock import Instead


class ActorDied(RayActorError):
    """The death of an actor."""

    def __init__(self, preempted: bool = False) -> None:
        super().__init__()
        self._preempted = preempted

    @property
    def preempted(self) -> bool:
        return self._preempted


class Reference:
    """An ObjectRef; `ready` numbers those that have an answer in the order of the answers."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.ready = 0
        self.value: Any = None
        self.error: Exception | None = None

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return self is other


class Actor:
    """A trial's actor. The simulator tells of its process; an answer for which no call
    waits is kept until the call comes."""

    def __init__(self, cluster: "Cluster", trial: int) -> None:
        self._cluster = cluster
        self.trial = trial
        self.lives = True  # its process
        self.stopping: Reference | None = None
        self._asked: dict[str, Reference] = {}
        self._kept: deque[tuple[str, Any, Exception | None]] = deque()

    def __getattr__(self, method: str) -> Any:
        if method.startswith("_") and method != "__ray_ready__":
            raise AttributeError(method)
        return SimpleNamespace(remote=lambda *_, **__: self._call(method))

    def answer(self, method: str, value: Any = None, error: Exception | None = None) -> None:
        """The next answer to a call of the method; an error is that of whichever call waits."""
        self._kept.append((method, value, error))
        self._match()

    def _call(self, method: str) -> Any:
        if method == "get_auto_filled_metrics":
            return {}  # of a trial without a result
        reference = self._cluster.reference()
        if method == "stop":
            self.stopping = reference
            if not self.lives:
                self._cluster.resolve(reference)
            return reference
        self._asked[method] = reference
        if method == "save":
            self._cluster.resolve(reference, self._cluster.saved(self.trial))
        else:
            self._match()
        return reference

    def _match(self) -> None:
        while self._kept:
            method, value, error = self._kept[0]
            if error is not None and method not in self._asked:
                called = [name for name in ("restore", "train") if name in self._asked]
                method = called[0] if called else method
            if method not in self._asked:
                return
            self._kept.popleft()
            self._cluster.resolve(self._asked.pop(method), value, error)


class _Acquired(AcquiredResources):
    def __init__(self, make: Callable[[], Actor], resource_request: Any) -> None:
        self.resource_request = resource_request
        self._make = make

    def annotate_remote_entities(self, entities: list[Any]) -> list[Any]:
        return [SimpleNamespace(remote=lambda **_: self._make())]

    def _annotate_remote_entity(self, entity: Any, bundle: Any, bundle_index: int) -> Any:
        return entity


class Resources(ResourceManager):
    """Says yes to the trial that the simulator has placed, and to no other."""

    def __init__(self, cluster: "Cluster") -> None:
        self._cluster = cluster
        self._placed: deque[Actor] = deque()

    def placed(self) -> int:
        """How many are to start before the next that is placed."""
        return len(self._placed)

    def place(self, actor: Actor) -> None:
        """The next actor that starts is this one."""
        self._placed.append(actor)

    def request_resources(self, resource_request: Any) -> None:
        """The simulator is asked by start_trial."""

    def cancel_resource_request(self, resource_request: Any) -> None:
        """As request_resources."""

    def has_resources_ready(self, resource_request: Any) -> bool:
        return bool(self._placed)

    def acquire_resources(self, resource_request: Any) -> _Acquired:
        actor = self._placed.popleft()
        return _Acquired(lambda: actor, resource_request)

    def free_resources(self, acquired_resource: Any) -> None:
        """Room belongs to the simulator."""

    def get_resource_futures(self) -> list[Any]:
        return [self._cluster.placed] if self._placed else []

    def update_state(self) -> None:
        """Nothing is cached here."""

    def clear(self) -> None:
        self._placed.clear()


class Cluster:
    """References in the order in which they are answered."""

    def __init__(self, wait: Callable[[float], None], saved: Callable[[int], Any]) -> None:
        self._wait = wait
        self.saved = saved
        self._references = 0
        self._answers = 0
        self._awaited: list[Reference] = []
        self.poke = False  # something but an answer has happened: ray.wait returns
        self.placed = self.reference()
        self.placed.ready = -1
        self.resources = Resources(self)
        self.kill: Callable[[Actor], None] = lambda _: None

    def reference(self) -> Reference:
        """A new reference without an answer."""
        self._references += 1
        return Reference(self._references)

    def resolve(self, reference: Reference, value: Any = None,
                error: Exception | None = None) -> None:
        """Answers the reference."""
        self._answers += 1
        reference.ready, reference.value, reference.error = self._answers, value, error

    def can_go(self) -> bool:
        """Whether something that is waited for has its answer."""
        return self._first(self._awaited) is not None

    def patch(self) -> None:
        """Gives RayActorManager this cluster."""
        def wait(references: list[Reference], num_returns: int = 1,
                 timeout: float | None = None) -> tuple[list[Reference], list[Reference]]:
            first = self._first(references)
            if first is None:
                self._awaited = references
                self._wait(timeout or 0)
                first = self._first(references)
            return ([first], []) if first is not None else ([], references)

        def get(reference: Reference) -> Any:
            if reference.error is not None:
                raise reference.error
            return reference.value

        double = Instead(ray, wait=wait, get=get, remote=lambda cls: cls,
                         kill=lambda actor: self.kill(actor))
        put(actor_manager, ray=double)
        put(event_manager, ray=double)

    def _first(self, references: list[Reference]) -> Reference | None:
        return min((each for each in references if each.ready), key=lambda each: each.ready,
                   default=None)
