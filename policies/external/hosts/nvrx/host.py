"""The program that hosts ft_launcher. It says its name before it imports torch, which can take
longer than the simulator waits for a name."""
import importlib.metadata
import tempfile

from hosting.messages import Loop, Message, Run, serve

importlib.metadata.version("torch")  # says that it is missing, if it is
VERSION = importlib.metadata.version("nvidia-resiliency-ext")


def begin(world: Message) -> Run:
    """The launchers of one run."""
    from nvrx.job import NvrxRun  # imports torch

    return NvrxRun(world)


def main() -> None:
    """Answers standard input until it ends."""
    # Each start of a launcher makes a folder for logs and leaves it.
    with tempfile.TemporaryDirectory(prefix="aftershock-nvrx-") as folder:
        tempfile.tempdir = folder
        serve(Loop("nvrx", VERSION, begin))
