"""The version of Ray Train that is installed, by what it has."""
import sys
from importlib import import_module
from importlib.util import find_spec

import ray
from ray.train.v2._internal.execution.controller.state import TrainControllerStateType
from ray.train.v2._internal.execution.worker_group import WorkerGroup

from ray_train.version import Version

_HOSTED = "2.43, 2.49, 2.55 and 2.60"


def _installed() -> Version:
    internal = "ray.train.v2._internal"
    if find_spec(f"{internal}.execution.preemption"):
        name = "ray_2_60"
    elif (find_spec(f"{internal}.execution.scaling_policy.elastic")
          and not hasattr(WorkerGroup, "replace_replica_group")):
        name = "ray_2_55"
    elif "SHUTTING_DOWN" in TrainControllerStateType.__members__:
        sys.exit(f"run.py: this Ray is {ray.__version__}, and the host drives {_HOSTED}")
    elif find_spec("ray.train.v2.api.exceptions"):
        name = "ray_2_49"
    else:
        name = "ray_2_43"
    try:
        version: Version = import_module(f"ray_train.{name}").Installed()
    except ImportError as missing:
        sys.exit(f"run.py: this Ray is {ray.__version__}, and the host drives {_HOSTED}: {missing}")
    return version


INSTALLED = _installed()
