"""The names and acts that differ by version of Ray Train V2, as the host asks for them."""
import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from ray.train.v2._internal.execution.controller.controller import TrainController

# Given to a version by cluster.py: it makes actors, by rank.
ActorClass = Any
Sleep = Callable[[float], bool]


class Version:
    """One version. Its file is the only place that knows the names that others do not have."""

    # Budgets, and where the failure policy counts them.
    budgets: dict[str, str]
    # The decision of the failure policy for another try.
    retry: Any
    # Features that a version has or lacks.
    has_replica_groups = False
    has_elastic_groups = False
    has_preemption = False
    # The controller's own abort hears an interrupt; else the driver ends, and all with it.
    hears_interrupts = True
    # How long a rank waits in report() for the others: the variable, and what it is without.
    barrier: tuple[str, float | None]

    def controller(self, **given: Any) -> TrainController:
        """The controller of a training function that the simulator plays."""
        return TrainController(train_fn_ref=None, **given)

    def run_context(self, run: Any, scaling: Any, backend: Any) -> Any:
        """TrainRunContext of the run."""
        raise NotImplementedError

    async def run(self, controller: TrainController) -> None:
        """The controller's run, to its end."""
        await controller.run()

    def put_sleep(self, sleep: Sleep, abort: Callable[[], Awaitable[None]]) -> None:
        """Has the controller sleep so, which returns whether it is to abort then."""
        raise NotImplementedError

    def shutdown_hook(self, hook: Callable[[Any], None]) -> Callable[[Any], Any]:
        """before_controller_shutdown of a callback that does this."""
        return hook

    def worker_group(self, replace: Callable[[tuple[int, ...]], None]) -> type:
        """Ray's worker group, which tells of the ranks whose replica groups it replaces."""
        raise NotImplementedError

    def patch(self, cluster: Any, sync_actor: ActorClass, max_workers: int) -> None:
        """Gives what starts, polls and ends workers this cluster, which can grow to so many
        workers; 0 for a cluster without a known maximum."""
        raise NotImplementedError

    def put_coordinator(self, coordinator: Any) -> None:
        """Has elastic scaling ask this coordinator, and anew each time: Ray keeps an answer for a
        second, so that it would hear of a change within that, and here it hears at once."""

    def status(self, running: bool, error: Exception | None, report: Any, notice: Any) -> Any:
        """The answer of a worker to a poll."""
        raise NotImplementedError

    def report(self, checkpoint: Any, metrics: dict[str, float]) -> Any:
        """The report of a worker about a checkpoint."""
        raise NotImplementedError

    def has_complete_report(self, controller: Any) -> bool:
        """Whether the next poll commits what polls have already brought."""
        queues = controller._worker_group_callbacks_to_propagate[0]._training_result_queues
        return bool(queues) and all(queues)

    def notice(self, known: Any, deadline_ms: float | None, ranks: dict[str, list[int]]) -> Any:
        """A preemption's notice about these nodes, together with what is known."""
        raise NotImplementedError

    def hang(self) -> Exception:
        """The error that the detector of hung collectives raises."""
        raise NotImplementedError

    def infeasible(self) -> Exception:
        """The error where the cluster can never hold the group."""
        raise NotImplementedError

    def workers_error(self) -> Exception | None:
        """An error of workers with none in it, where the version has such an exception."""
        raise NotImplementedError

    def controller_failure(self, error: Any) -> Exception | None:
        """The cause of an error of the controller itself; None for any other error."""
        return None

    def is_preemption(self, error: Any) -> bool:
        """Whether the failure policy is asked about a preemption."""
        return False

    def worker_failures(self, error: Any) -> dict[int, Exception]:
        """The workers' failures that the failure policy is asked about, by rank."""
        failures: dict[int, Exception] = error.worker_failures
        return failures


def in_loop(sleep: Sleep, abort: Callable[[], Awaitable[None]]
            ) -> Callable[[float], Coroutine[Any, Any, None]]:
    """asyncio.sleep of a controller that is a coroutine: tasks that it has created run where it
    would really have slept."""
    async def asleep(delay: float) -> None:
        await asyncio.sleep(0)
        if sleep(delay):
            await abort()

    return asleep
