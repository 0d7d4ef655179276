"""Ray 2.49: a budget for failed starts, a check of the cluster's maximum, an abort."""
from typing import Any

from ray.train import DataConfig
from ray.train.v2._internal.execution.context import TrainRunContext

from ray_train.before_2_60 import Before
from ray_train.since_2_49 import Budgeted
from ray_train.version import ActorClass


class Installed(Before, Budgeted):
    """Ray 2.49."""

    def run_context(self, run: Any, scaling: Any, backend: Any) -> Any:
        return TrainRunContext(run_config=run, train_loop_config=None, scaling_config=scaling,
                               backend_config=backend, datasets={}, dataset_config=DataConfig())

    def patch(self, cluster: Any, sync_actor: ActorClass, max_workers: int) -> None:
        super().patch(cluster, sync_actor, max_workers)
        self.put_maximum(max_workers)
