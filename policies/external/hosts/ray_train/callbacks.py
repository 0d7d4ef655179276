"""The callbacks of the controller: the host's own, and those of RunConfig."""
from ray.train.v2._internal.callbacks.user_callback import UserCallbackHandler
from ray.train.v2._internal.execution.callback import (
    ControllerCallback,
    WorkerGroupCallback,
)
from ray.train.v2._internal.execution.context import TrainRunContext
from ray.train.v2._internal.execution.worker_group.worker_group import WorkerGroup
from ray.train.v2.api.callback import RayTrainCallback, UserCallback

from ray_train.cluster import Cluster


class Hooks(WorkerGroupCallback, ControllerCallback):
    """Stands where the backend's set-up and a user's hooks are, which may fail."""

    def __init__(self, cluster: Cluster, pending: list[Exception]) -> None:
        self._cluster = cluster
        self._pending = pending

    def after_worker_group_start(self, worker_group: WorkerGroup) -> None:
        self._cluster.fail_backend()

    async def before_controller_shutdown(self) -> None:
        if self._pending:
            raise self._pending.pop(0)


def all_callbacks(own: list[RayTrainCallback], context: TrainRunContext) -> list[RayTrainCallback]:
    """The host's own, then those of RunConfig in the order that api/data_parallel_trainer.py
    gives them."""
    given: list[RayTrainCallback] = list(context.run_config.callbacks or [])
    users: list[UserCallback] = [each for each in given if isinstance(each, UserCallback)]
    others = [each for each in given if not isinstance(each, UserCallback)]
    return [*own, UserCallbackHandler(users, context), *others]
