"""The callbacks of the controller: the host's own, and those of RunConfig."""
from ray.train.v2._internal.callbacks.user_callback import UserCallbackHandler
from ray.train.v2._internal.execution.context import TrainRunContext
from ray.train.v2.api.callback import RayTrainCallback, UserCallback


def all_callbacks(own: list[RayTrainCallback], context: TrainRunContext) -> list[RayTrainCallback]:
    """The host's own, then those of RunConfig in the order that api/data_parallel_trainer.py
    gives them."""
    given: list[RayTrainCallback] = list(context.run_config.callbacks or [])
    users: list[UserCallback] = [each for each in given if isinstance(each, UserCallback)]
    others = [each for each in given if not isinstance(each, UserCallback)]
    return [*own, UserCallbackHandler(users, context), *others]
