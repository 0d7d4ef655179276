"""The process of ft_launcher on one node, whose log records are sent to the driver.

  agent.py ARGUMENTS OF FT_LAUNCHER

Its own records come from the logger of NVRx, those of the rendezvous and of workers from torch's.
"""
import logging
import os
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent.parent.parent)

from live.script import channel  # noqa: E402
from live.torchrun import agent  # noqa: E402


def main() -> None:
    """As ft_launcher does, and with its exit code."""
    line = channel.Channel(os.environ[channel.PATH], role="agent", node=os.environ[channel.NODE])
    from nvidia_resiliency_ext.fault_tolerance import launcher
    from nvidia_resiliency_ext.shared_utils import log_manager
    log_manager.setup_logger()
    for name in (log_manager.LogConfig.name, "torch.distributed"):
        logging.getLogger(name).addHandler(agent.Records(line))
    try:
        launcher.main(sys.argv[1:])
    except BaseException as error:
        line.tell("ends", error=type(error).__name__, text=str(error)[:300])
        raise


if __name__ == "__main__":
    main()
