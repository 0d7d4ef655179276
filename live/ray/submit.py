"""The user's program: connects to the cluster, trains, and tells how it ended.

It imports while the cluster starts, and begins once a line of standard input has its orders.
"""
import json
import sys

import ray
from ray.train.v2.api.config import RunConfig
from ray.train.v2.api.data_parallel_trainer import DataParallelTrainer

from live.ray import training
from live.ray.meeting import MeetingConfig
from live.ray.record import Telling
from live.ray.settings import configs
from live.script.channel import Channel


def main() -> None:
    """Reads one object: plan, address, node_ip, storage, and config of the training function."""
    text = sys.stdin.readline()
    if not text:
        return
    orders = json.loads(text)
    channel = Channel(orders["config"]["path"], role="submitter", node="head")
    ray.init(orders["address"], _node_ip_address=orders["node_ip"], log_to_driver=False,
             namespace="live")
    failure, checkpoints, scaling = configs(orders["plan"])
    run = RunConfig(name=orders["plan"]["job"]["name"], storage_path=orders["storage"],
                    failure_config=failure, checkpoint_config=checkpoints,
                    callbacks=[Telling(orders["config"]["path"])])
    trainer = DataParallelTrainer(training.train_function,
                                  train_loop_config=orders["config"], scaling_config=scaling,
                                  run_config=run,
                                  backend_config=MeetingConfig(told=orders["config"]))
    channel.tell("submitted")
    try:
        trainer.fit()
    except SystemExit:  # of Ray's handler for SIGINT
        channel.tell("result", error="SystemExit")
        raise
    except BaseException as error:
        channel.tell("result", error=type(error).__name__)
        raise
    channel.tell("result", error="")


if __name__ == "__main__":
    main()
