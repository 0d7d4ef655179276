"""The plan's settings of Ray Train as its own configuration objects and variables."""
import dataclasses
from typing import Any

# As policies/external/hosts/ray_train/settings.py has them.
_VARIABLES = {
    "health_check_interval_s": "RAY_TRAIN_HEALTH_CHECK_INTERVAL_S",
    "worker_health_check_timeout_s": "RAY_TRAIN_WORKER_HEALTH_CHECK_TIMEOUT_S",
    "worker_group_start_timeout_s": "RAY_TRAIN_WORKER_GROUP_START_TIMEOUT_S",
    "report_barrier_timeout_s": "RAY_TRAIN_REPORT_BARRIER_TIMEOUT_S",
    "collective_timeout_s": "RAY_TRAIN_COLLECTIVE_TIMEOUT_S",
    "enable_preemption_watcher": "RAY_TRAIN_ENABLE_PREEMPTION_WATCHER",
    "preemption_poll_interval_s": "RAY_TRAIN_PREEMPTION_POLL_INTERVAL_S",
}


def _config(plan: dict[str, Any]) -> dict[str, Any]:
    """The scenario's settings, times of them divided by the speed."""
    speed = plan.get("speed", 1)
    config: dict[str, Any] = plan["policy"].get("config", {})
    return {name: value / speed if speed != 1 and name.endswith("_s")
            and isinstance(value, (int, float)) else value for name, value in config.items()}


def variables(plan: dict[str, Any]) -> dict[str, str]:
    """The variables that Ray Train reads in this run."""
    config = _config(plan)
    told = {}
    for name, variable in _VARIABLES.items():
        if name in config:
            told[variable] = str(int(config[name]) if isinstance(config[name], bool)
                                 else config[name])
    told.update(plan["job"].get("env", {}))
    return told


def configs(plan: dict[str, Any]) -> tuple[Any, Any, Any]:
    """FailureConfig, CheckpointConfig and ScalingConfig of the run."""
    from ray.train import CheckpointConfig
    from ray.train.v2.api.config import FailureConfig, ScalingConfig
    config = _config(plan)

    def of(kind: Any) -> dict[str, Any]:
        names = {field.name for field in dataclasses.fields(kind)}
        return {name: value for name, value in config.items() if name in names}

    workers = plan["job"]["workers"]
    scaling = of(ScalingConfig)
    wanted = scaling.get("num_workers", workers)
    scaling["num_workers"] = (tuple(min(size, workers) for size in wanted)
                              if isinstance(wanted, list) else min(wanted, workers))
    return (FailureConfig(**of(FailureConfig)), CheckpointConfig(**of(CheckpointConfig)),
            ScalingConfig(**scaling, use_gpu=True, resources_per_worker={"GPU": 1}))
